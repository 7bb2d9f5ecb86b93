// The std-only set: built with no Asio and no simdjson on the path, without exceptions and without RTTI.

#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/platform/limits.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/proc_file.hpp>
#include <benchkit/platform/resources.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/distribution.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_layout.hpp>

#include <cstdio>

int main() {
    std::puts(benchkit::version);
}
