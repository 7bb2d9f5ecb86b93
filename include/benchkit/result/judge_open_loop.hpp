#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <benchkit/result/judge_figures.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/wording.hpp>

/// The judgements of how an open loop kept its schedule.
namespace benchkit::inline v0_1::detail {

/// The 99th percentile, or the largest value where there are too few for one.
[[nodiscard]] inline std::int64_t high_value(const distribution& values) {
    return values.percentile(99).value_or(values.values.max());
}

[[nodiscard]] inline maybe_diagnostic judge_late_client(const judged_result& judged) {
    const distribution* late = judged.measured.find_distribution("timer_lag");
    const distribution* responses = judged.measured.find_distribution("response_time");
    if (late == nullptr || responses == nullptr || late->values.count() == 0 || judged.simulated) {
        return std::nullopt;
    }
    const std::int64_t high = high_value(*late);
    const double share =
        static_cast<double>(high) / static_cast<double>(std::max<std::int64_t>(1, high_value(*responses)));
    if (high < thresholds::late_ns || share < thresholds::late_share) return std::nullopt;
    return diagnostic{
        "late-client", severity::warning,
        "Operations started up to " + time_text(late->values.max()) + " late (" +
            (late->percentile(99) ? "99th percentile " : "largest of few ") + time_text(high) +
            ") although their connection stood idle: the client itself was late, and this is part of the "
            "response times. Use a quieter machine, more shards or a lower rate."};
}

[[nodiscard]] inline maybe_diagnostic judge_busy_connections(const judged_result& judged) {
    if (judged.measured.find_distribution("response_time") == nullptr) return std::nullopt;
    const std::int64_t waited = judged.counter("waited_for_connection");
    const std::int64_t never = judged.counter("not_started");
    const double scheduled = static_cast<double>(std::max<std::int64_t>(1, judged.counter("scheduled")));
    // What came due at the very end is not started where the client is late by microseconds: that is no sign.
    if (static_cast<double>(waited) + static_cast<double>(never) < thresholds::waited_share * scheduled) {
        return std::nullopt;
    }
    std::string message;
    if (waited > 0) {
        message = counted(waited, "operation", "operations") + " (" +
                  percent(static_cast<double>(waited) / scheduled) +
                  ") came due when no connection was free, and waited. ";
    }
    if (never > 0) {
        message += counted(never, "operation", "operations") + " had not started at the end. ";
    }
    return diagnostic{"busy-connections", severity::warning,
                      message +
                          "Their waiting is part of the response times: the target did not keep up with the "
                          "schedule, or the connections are too few for it."};
}

}  // namespace benchkit::inline v0_1::detail
