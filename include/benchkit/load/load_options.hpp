#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <benchkit/core/duration.hpp>
#include <benchkit/result/requirement.hpp>

namespace benchkit::inline v0_1 {

/// How far a load has come, warm-up left out.
struct load_progress {
    double elapsed_seconds = 0;              ///< since the run's start
    std::optional<std::int64_t> operations;  ///< how many there will be, where a count ends the run
    std::optional<double> duration_seconds;  ///< warm-up and measuring, where a duration ends the run
    std::int64_t started = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
};

namespace detail {

inline constexpr const char* error_limit_forms =
    "allowed is a limit of errors, such as errors>50% or errors>100";

}  // namespace detail

/// What a load does besides measuring.
struct load_options {
    std::string name{};         ///< of the result; empty: what is loaded
    bool keep_records = false;  ///< one record for each answered HTTP request, in `result::records`
    /// Ends the run, and cancels what is in flight, as soon as errors are more than this: a count, or a share,
    /// which is not looked at before 10 operations have ended. Looked at every 100 ms.
    std::optional<requirement> abort_on{};
    /// Called on the first shard now and then, and once more at the end.
    std::function<void(const load_progress&)> on_progress{};
    benchkit::duration progress_interval = std::chrono::milliseconds(200);  ///< more than 0
};

}  // namespace benchkit::inline v0_1
