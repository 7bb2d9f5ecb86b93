#pragma once

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.

#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/version.hpp>

#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_layout.hpp>

#include <benchkit/platform/limits.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/proc_file.hpp>
#include <benchkit/platform/resources.hpp>

#include <benchkit/result/cause.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/distribution.hpp>
#include <benchkit/result/result.hpp>
