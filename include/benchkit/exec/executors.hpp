#pragma once

#include <concepts>
#include <cstdint>
#include <string>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>

namespace benchkit::inline v0_1 {

/// Runs an experiment on the calling thread, in real time.
struct single_threaded {
    std::uint64_t seed = 1;  ///< of all random streams
    /// Before a timer, keep the processor for this long instead of falling asleep: 0 s to 1 s. It saves the
    /// time that waking up takes, and costs a processor.
    duration spin{};
};

/// Runs an experiment on several threads in real time: one event loop each, sharing nothing while it lasts;
/// the results are merged at the end.
struct sharded {
    int shards = 2;          ///< threads, 1 to 1024
    bool pin = false;        ///< bind shard k to the k-th processor that the process may use
    std::uint64_t seed = 1;  ///< of all random streams
    duration spin{};         ///< as `single_threaded` has it
};

/// Runs an experiment in simulated time, which moves only when nothing is runnable, straight to the next timer.
/// The same seed gives the same run, event by event.
struct virtual_time {
    std::uint64_t seed = 1;  ///< of all random streams
};

/// The executors. They only describe: threads and loops live while a run lasts.
template <class T>
concept executor =
    std::same_as<T, single_threaded> || std::same_as<T, sharded> || std::same_as<T, virtual_time>;

/// The executors on which time passes by itself.
template <class T>
concept real_executor = executor<T> && !std::same_as<T, virtual_time>;

/// The number of shards that an executor describes; throws `error` where it, or the time to spin, is out of
/// range.
template <executor Executor>
[[nodiscard]] int shard_count(const Executor& description) {
    if constexpr (real_executor<Executor>) {
        if (description.spin < duration::zero() || description.spin > std::chrono::seconds(1)) {
            fail_option("spin", format_duration(description.spin), "allowed is 0 s to 1 s");
        }
    }
    if constexpr (std::same_as<Executor, sharded>) {
        if (description.shards < 1 || description.shards > 1024) {
            fail_option("shards", std::to_string(description.shards), "allowed is 1 to 1024");
        }
        return description.shards;
    } else {
        return 1;
    }
}

/// The executor's name, as in a result's parameters.
template <executor Executor>
[[nodiscard]] constexpr const char* executor_name(const Executor&) noexcept {
    if constexpr (std::same_as<Executor, single_threaded>) return "single_threaded";
    if constexpr (std::same_as<Executor, sharded>) return "sharded";
    return "virtual_time";
}

}  // namespace benchkit::inline v0_1
