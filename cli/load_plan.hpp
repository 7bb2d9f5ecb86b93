#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/exec/executors.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/result/result.hpp>

namespace cli {

/// A load of an HTTP target that is to be run.
struct load_plan {
    benchkit::http::target target;
    benchkit::closed_loop loop;
    std::optional<benchkit::arrivals> arrivals{};  ///< makes it an open loop, with a connection for each client
    benchkit::load_limits limits;
    int shards = 1;
    std::uint64_t seed = 1;
    benchkit::duration spin{};
    bool follow_redirects = false;  ///< an operation is a request with its redirects
};

/// Fails for what a plan cannot be, before anything starts.
void validate(const load_plan& plan);

/// Calls `run(executor)` with what the plan runs on. Books that do not balance, and the like, are no wrong
/// usage.
template <class Run>
[[nodiscard]] benchkit::result with_executor(const load_plan& plan, const Run& run) {
    try {
        if (plan.shards == 1) return run(benchkit::single_threaded{.seed = plan.seed, .spin = plan.spin});
        return run(benchkit::sharded{.shards = plan.shards, .seed = plan.seed, .spin = plan.spin});
    } catch (const benchkit::error& problem) {
        if (problem.option().empty()) throw std::runtime_error(problem.what());
        throw;
    }
}

/// Adds the field that a flag gives as "Name: value".
void add_header(benchkit::http::request& request, const std::string& flag, const std::string& line);

/// Runs it. Throws `benchkit::error` for what the user can mend, before anything starts.
[[nodiscard]] benchkit::result measure(const load_plan& plan, const benchkit::load_options& options);

}  // namespace cli
