#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/wording.hpp>

namespace benchkit::inline v0_1 {

/// From where on a result judges itself. Each says in one place what is too much; `diagnose` takes them from
/// here.
struct diagnostic_thresholds {
    /// client-saturated: CPU time per time and shard. A loop that never waits adds its own queueing to each
    /// time.
    static constexpr double busy_share = 0.9;
    /// coarse-clock: resolution above this is too coarse for any time of a network,
    static constexpr std::int64_t coarse_ns = 1'000;
    /// coarse-clock: or above this share of the median.
    static constexpr double coarse_share = 0.05;
    /// noisy-machine: involuntary switches per second and shard. One busy competitor on the same processor
    /// takes it away about 250 times a second (Linux, slices of 3 to 4 ms); an idle machine stays below 20.
    static constexpr double switches_per_second = 100;
    /// noisy-machine: fewer switches in all are chance.
    static constexpr std::int64_t least_switches = 20;
    /// skewed: distance of mean and median in medians. (In standard deviations, as ab has it, it cannot exceed
    /// 1: Hotelling and Solomons 1932.)
    static constexpr double skew = 0.5;
    /// closed-loop-blind: largest service time in 99th percentiles, or in medians where there is no such
    /// percentile,
    static constexpr double stall_factor = 10;
    /// closed-loop-blind: and this many operations that were not sent meanwhile;
    static constexpr double least_hidden = 10;
    /// closed-loop-blind: a warning, no note, from this share of what succeeded on.
    static constexpr double hidden_share = 0.01;
    /// delayed-ack: an acknowledgement that is put off leaves after 40 ms (Linux, TCP_DELACK_MIN) and a tick;
    static constexpr std::int64_t delayed_from_ns = 38'000'000;
    static constexpr std::int64_t delayed_to_ns = 50'000'000;
    /// delayed-ack: least share of the answers that were answered so,
    static constexpr double delayed_share = 0.01;
    /// delayed-ack: least number of them,
    static constexpr std::int64_t least_delayed = 10;
    /// late-client: 99th percentile of the lateness of operations whose connection stood idle,
    static constexpr std::int64_t late_ns = 1'000'000;
    /// late-client: and its share of the 99th percentile of the response time.
    static constexpr double late_share = 0.1;
    /// busy-connections: share of the operations that came due when no connection was free, or that had not
    /// started at the end.
    static constexpr double waited_share = 0.01;
    /// delayed-ack: and least proportion to those that took half to nearly twice as long for another reason.
    static constexpr std::int64_t delayed_to_others = 4;
};

/// The judgements of how far the figures can be believed.
namespace detail {

using thresholds = diagnostic_thresholds;

/// CPU time per wall time; nothing where it is not known.
[[nodiscard]] inline std::optional<double> cpu_share(const result& measured, double wall_seconds) {
    if (!measured.resources || !(wall_seconds > 0)) return std::nullopt;
    return (measured.resources->user_seconds + measured.resources->system_seconds) / wall_seconds;
}

/// The processors that the client's shards can keep busy: no more than the machine has.
[[nodiscard]] inline std::int64_t client_processors(const judged_result& judged) {
    const std::int64_t there = find_integer(judged.measured.environment, "cpus").value_or(judged.shards);
    return std::clamp<std::int64_t>(there, 1, judged.shards);
}

/// The share of its processors that the client used, 0 to 1; nothing where it is not known.
[[nodiscard]] inline std::optional<double> client_busy_share(const judged_result& judged) {
    const auto all = cpu_share(judged.measured, judged.wall_seconds);
    if (!all) return std::nullopt;
    return *all / static_cast<double>(client_processors(judged));
}

/// Who used more of a processor than a client should, and how much: "The client used 95 % of its processor".
[[nodiscard]] inline std::string busy_text(const judged_result& judged) {
    const double share_of_each = client_busy_share(judged).value_or(0);
    if (share_of_each > thresholds::busy_share) {
        const std::int64_t processors = client_processors(judged);
        return "The client used " + percent(share_of_each) + " of its " +
               (processors == 1 ? "processor" : format_count(processors) + " processors");
    }
    for (const result& child : judged.measured.children) {
        const auto share = child.kind == "shard" ? cpu_share(child, judged.wall_seconds) : std::nullopt;
        if (share.value_or(0) > thresholds::busy_share) {
            return "Of the client, " + child.name + " used " + percent(*share) + " of its processor";
        }
    }
    return {};
}

[[nodiscard]] inline maybe_diagnostic judge_saturation(const judged_result& judged) {
    const bool driven = judged.measured.kind == "load" || judged.measured.kind == "batch.produce";
    const std::string busy = driven && !judged.simulated ? busy_text(judged) : std::string();
    if (busy.empty()) return std::nullopt;
    return diagnostic{"client-saturated", severity::warning,
                      busy +
                          ": it may be slower than what it measures, and its own waiting is part of each time. "
                          "Use more shards, fewer clients or another machine."};
}

/// Involuntary switches per second and shard; 0 where there are too few to mean anything.
[[nodiscard]] inline double switches_per_second(const judged_result& judged) {
    const std::int64_t switches =
        judged.measured.resources ? judged.measured.resources->involuntary_switches : 0;
    if (switches < thresholds::least_switches || !(judged.wall_seconds > 0)) return 0;
    return static_cast<double>(switches) / judged.wall_seconds / static_cast<double>(judged.shards);
}

[[nodiscard]] inline maybe_diagnostic judge_noise(const judged_result& judged) {
    if (judged.simulated) return std::nullopt;
    const auto load = find_number(judged.measured.environment, "load_average");
    const auto cpus = find_number(judged.measured.environment, "cpus");
    if (load && cpus && *load > *cpus) {
        return diagnostic{"noisy-machine", severity::warning,
                          "The machine was busy before the run: a load average of " + format_fixed(*load, 2) +
                              " on " + counted(std::llround(*cpus), "processor", "processors") +
                              ". Measure when it is idle."};
    }
    const double often = switches_per_second(judged);
    if (!(often > thresholds::switches_per_second)) return std::nullopt;
    return diagnostic{"noisy-machine", severity::note,
                      "Other programs took the processor away " +
                          format_count(std::llround(std::min(often, 9e18))) + " times a second" +
                          (judged.shards > 1 ? " from each shard" : "") +
                          ", perhaps the one under test itself. Give each side processors of its own (taskset) "
                          "or stop what else runs."};
}

[[nodiscard]] inline maybe_diagnostic judge_build(const judged_result& judged) {
    const bool slow = !find_truth(judged.measured.environment, "optimized").value_or(true);
    const std::string flags = find_text(judged.measured.environment, "flags");
    const bool sanitized = flags.find("-fsanitize") != std::string::npos;
    if ((!slow && !sanitized) || judged.simulated) return std::nullopt;
    return diagnostic{
        "debug-build", severity::warning,
        std::string("This program was built ") + (slow ? "without optimization" : "with a sanitizer") +
            ", which slows the client down. Build it with -O2, for instance --buildtype=release."};
}

[[nodiscard]] inline maybe_diagnostic judge_clock(const judged_result& judged) {
    const auto resolution = find_integer(judged.measured.environment, "clock_resolution_ns");
    if (!resolution || judged.simulated) return std::nullopt;
    const bool coarse = *resolution > thresholds::coarse_ns;
    std::string message = "The clock's smallest step is " + time_text(*resolution);
    if (judged.main != nullptr) {
        const std::int64_t median = judged.main->values.value_at_percentile(50);
        const bool too_coarse =
            static_cast<double>(*resolution) > thresholds::coarse_share * static_cast<double>(median);
        if (!coarse && !too_coarse) return std::nullopt;
        message += ", the median time " + time_text(median);
    } else if (!coarse) {
        return std::nullopt;
    }
    return diagnostic{"coarse-clock", severity::warning,
                      message +
                          ": short times are not told apart. Time several operations as one, or look at the "
                          "system's clock source."};
}

[[nodiscard]] inline maybe_diagnostic judge_sample_size(const judged_result& judged) {
    if (judged.main == nullptr || judged.main->percentile(99)) return std::nullopt;
    const std::int64_t count = judged.main->values.count();
    std::string message =
        "Times of " + operations_text(count) + " are too few for the 99th percentile, which takes 1,000";
    if (count < 20) message += ", and for a median, which takes 20";
    return diagnostic{"too-few-samples", severity::note, message + ". Run longer or send more."};
}

[[nodiscard]] inline maybe_diagnostic judge_skew(const judged_result& judged) {
    if (judged.main == nullptr || !judged.main->percentile(50)) return std::nullopt;
    const double mean = judged.main->values.mean();
    const auto median = static_cast<double>(judged.main->values.value_at_percentile(50));
    if (!(std::abs(mean - median) > thresholds::skew * median)) return std::nullopt;
    return diagnostic{"skewed", severity::note,
                      "Mean (" + time_text(mean) + ") and median (" + time_text(median) +
                          ") lie far apart: no single figure describes the times. Read the percentiles."};
}

/// How many operations clients would have sent while they waited longer than `limit`, had they gone on at the
/// pace of the median.
[[nodiscard]] inline double hidden_operations(const histogram& times, double limit, double median,
                                              double think_ns) {
    double hidden = 0;
    for (const histogram_bucket bucket : times.buckets()) {
        const auto value = static_cast<double>(std::min(bucket.median(), times.max()));
        if (value < limit) continue;
        hidden += static_cast<double>(bucket.count) * (value - median) / std::max(1.0, median + think_ns);
    }
    return hidden;
}

[[nodiscard]] inline maybe_diagnostic judge_blindness(const judged_result& judged) {
    const distribution* served = judged.measured.find_distribution("service_time");
    const bool closed = find_text(judged.measured.parameters, "loop") == "closed";
    if (!closed || served == nullptr || !served->percentile(50)) return std::nullopt;
    const histogram& times = served->values;
    const auto median = static_cast<double>(times.value_at_percentile(50));
    const auto p99 = served->percentile(99);
    const double usual = p99 ? static_cast<double>(*p99) : median;
    const auto longest = static_cast<double>(times.max());
    if (!(longest >= thresholds::stall_factor * std::max(1.0, usual))) return std::nullopt;
    const double think_ns = 1e9 * find_number(judged.measured.parameters, "think_time_seconds").value_or(0);
    const double hidden = hidden_operations(times, thresholds::stall_factor * usual, median, think_ns);
    if (hidden < thresholds::least_hidden) return std::nullopt;
    const bool many = hidden >= thresholds::hidden_share * static_cast<double>(times.count());
    const std::string usual_name = p99 ? "the 99th percentile" : "the median";
    return diagnostic{
        "closed-loop-blind", many ? severity::warning : severity::note,
        "The longest service time (" + time_text(longest) + ") is " + format_fixed(longest / usual, 0) +
            " times " + usual_name + ". Clients that wait send nothing: about " +
            operations_text(std::llround(std::min(hidden, 9e18))) +
            " were not sent during such stalls, so the percentiles look better than users would see "
            "them. An open loop counts them."};
}

/// A server that sends an answer in pieces with Nagle's algorithm on (RFC 9293 section 3.7.4) waits with the
/// second piece for the acknowledgement of the first, which the client's system puts off (RFC 9293
/// section 3.8.6.3).
[[nodiscard]] inline maybe_diagnostic judge_delayed_ack(const judged_result& judged) {
    const distribution* rest = judged.measured.find_distribution("remainder_time");
    const distribution* answered = judged.measured.find_distribution("first_byte_time");
    if (rest == nullptr || answered == nullptr) return std::nullopt;
    const std::int64_t delayed =
        rest->values.count_between(thresholds::delayed_from_ns, thresholds::delayed_to_ns);
    const std::int64_t around =
        rest->values.count_between(thresholds::delayed_from_ns / 2, 3 * thresholds::delayed_to_ns / 2) -
        delayed;
    const double share =
        static_cast<double>(delayed) / static_cast<double>(std::max<std::int64_t>(1, answered->values.count()));
    if (delayed < thresholds::least_delayed || share < thresholds::delayed_share) return std::nullopt;
    if (delayed / thresholds::delayed_to_others < around) return std::nullopt;
    return diagnostic{
        "delayed-ack", severity::warning,
        counted(delayed, "answer", "answers") + " (" + percent(share) +
            ") ended about 40 ms after their first byte: the server sends an answer in pieces and waits for an "
            "acknowledgement in between, which is put off for 40 ms. Let it send head and body at once, or set "
            "TCP_NODELAY."};
}

}  // namespace detail

}  // namespace benchkit::inline v0_1
