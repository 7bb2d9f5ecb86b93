#pragma once

#include <cstdint>
#include <string>

#include <benchkit/http/target.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/result/result.hpp>

namespace cli {

/// A load of an HTTP target that is to be run.
struct load_plan {
    benchkit::http::target target;
    benchkit::closed_loop loop;
    benchkit::load_limits limits;
    int shards = 1;
    std::uint64_t seed = 1;
};

/// Adds the field that a flag gives as "Name: value".
void add_header(benchkit::http::request& request, const std::string& flag, const std::string& line);

/// Runs it. Throws `benchkit::error` for what the user can mend, before anything starts.
[[nodiscard]] benchkit::result measure(const load_plan& plan, const benchkit::load_options& options);

}  // namespace cli
