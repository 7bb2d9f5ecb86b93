#pragma once

#include <optional>
#include <string>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/open_loop.hpp>
#include <benchkit/load/validate_arrivals.hpp>

namespace benchkit::inline v0_1 {

/// Fails where an open loop or its limits cannot be, with the sentence for the first option that is wrong.
inline void validate(const open_loop& loop, const load_limits& limits, int shards) {
    validate(loop.arrivals);
    if (loop.connections < shards || loop.connections > detail::largest_client_count) {
        fail_option("connections", std::to_string(loop.connections),
                    "allowed is " + std::to_string(shards) + " to 1000000, at least one for each shard");
    }
    detail::validate(limits);
    if (limits.duration && std::holds_alternative<stages>(loop.arrivals.kind())) {
        fail_option("duration", format_duration(*limits.duration),
                    "stages bring a duration of their own: none goes with them");
    }
    const std::optional<duration> own = loop.arrivals.own_duration();
    if (own && limits.warmup >= *own) {
        fail_option("warmup", format_duration(limits.warmup),
                    "allowed is less than the " + format_duration(*own) + " that the arrivals last");
    }
}

namespace detail {

/// The limits with the duration that stages bring, less the warm-up, with which they begin.
[[nodiscard]] inline load_limits limits_of(const open_loop& loop, load_limits limits) {
    if (!std::holds_alternative<stages>(loop.arrivals.kind())) return limits;
    limits.duration = *loop.arrivals.own_duration() - limits.warmup;
    return limits;
}

}  // namespace detail

}  // namespace benchkit::inline v0_1
