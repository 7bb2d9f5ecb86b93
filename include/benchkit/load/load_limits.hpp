#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/closed_loop.hpp>

namespace benchkit::inline v0_1 {

/// When a load ends. With both a count and a duration, whichever comes first; with neither, after 10 s.
struct load_limits {
    std::optional<std::int64_t> operations{};      ///< measured operations, 1 or more
    benchkit::duration warmup{};                   ///< before the measuring; not part of count or duration
    std::optional<benchkit::duration> duration{};  ///< of the measuring
    /// For operations that are in flight when the duration ends. Unless given: the target's timeout, or 10 s
    /// for operations that have none.
    std::optional<benchkit::duration> drain{};
    /// End the run at the first operation that fails otherwise than by its status, by the user's own check or
    /// because the peer had closed a kept connection in order.
    bool stop_at_first_error = false;
};

namespace detail {

inline constexpr std::int64_t largest_client_count = 1'000'000;
inline constexpr benchkit::duration default_duration = std::chrono::seconds(10);

inline void require_not_negative(const char* option, benchkit::duration value) {
    if (value < value.zero()) fail_option(option, format_duration(value), "allowed is 0 s or more");
}

inline void validate(const load_limits& limits) {
    if (limits.operations && *limits.operations < 1) {
        fail_option("operations", std::to_string(*limits.operations), "allowed is 1 or more");
    }
    if (limits.duration && *limits.duration <= duration::zero()) {
        fail_option("duration", format_duration(*limits.duration), "allowed is more than 0 s");
    }
    require_not_negative("warmup", limits.warmup);
    if (limits.drain) require_not_negative("drain", *limits.drain);
}

}  // namespace detail

/// Fails where a closed loop or its limits cannot be, with the sentence for the first option that is wrong.
inline void validate(const closed_loop& loop, const load_limits& limits) {
    if (loop.clients < 1 || loop.clients > detail::largest_client_count) {
        fail_option("clients", std::to_string(loop.clients), "allowed is 1 to 1000000");
    }
    detail::require_not_negative("think_time", loop.think_time);
    detail::validate(limits);
}

}  // namespace benchkit::inline v0_1
