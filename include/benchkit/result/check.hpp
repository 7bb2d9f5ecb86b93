#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

[[nodiscard]] inline std::string says(std::string_view what, std::int64_t count) {
    return std::string(what) + " is " + std::to_string(count);
}

/// The first broken equation of the counters whose names begin with `prefix`; empty where they balance.
[[nodiscard]] inline std::string broken_counters(const result& measured, const std::string& prefix) {
    const auto count = [&](std::string_view name) { return measured.counter(prefix + std::string(name)); };
    const std::int64_t scheduled = count("scheduled");
    const std::int64_t not_started = count("not_started");
    const std::int64_t started = count("started");
    const std::int64_t succeeded = count("succeeded");
    const std::int64_t failed = count("failed");
    const std::int64_t unfinished = count("unfinished");
    if (scheduled != sum_of({started, not_started})) {
        return says(prefix + "scheduled", scheduled) + ", but started + not_started is " +
               std::to_string(started) + " + " + std::to_string(not_started);
    }
    if (started != sum_of({succeeded, failed, unfinished})) {
        return says(prefix + "started", started) + ", but succeeded + failed + unfinished is " +
               std::to_string(succeeded) + " + " + std::to_string(failed) + " + " + std::to_string(unfinished);
    }
    std::int64_t caused = 0;
    for (std::size_t index = 0; index < cause_count; ++index) {
        caused = sum_of({caused, count("failed." + std::string(to_string(static_cast<cause>(index))))});
    }
    if (caused != failed) {
        return says(prefix + "failed", failed) + ", but the causes add up to " + std::to_string(caused);
    }
    if (count("succeeded_in_span") > succeeded) {
        return says(prefix + "succeeded_in_span", count("succeeded_in_span")) + ", but only " +
               std::to_string(succeeded) + " succeeded";
    }
    return {};
}

/// True of "timeout", the rest of "failed.timeout".
[[nodiscard]] constexpr bool is_cause(std::string_view name) noexcept {
    for (std::size_t index = 0; index < cause_count; ++index) {
        if (to_string(static_cast<cause>(index)) == name) return true;
    }
    return false;
}

/// The first counter that cannot be: below zero or of a cause that there is not; empty where there is none.
[[nodiscard]] inline std::string impossible_counter(const counters& all) {
    constexpr std::string_view warmup = "warmup.";
    constexpr std::string_view failed = "failed.";
    for (const auto& [name, count] : all) {
        if (count < 0) return says(name, count) + ", which is below zero";
        std::string_view rest = name;
        if (rest.starts_with(warmup)) rest.remove_prefix(warmup.size());
        if (rest.starts_with(failed) && !is_cause(rest.substr(failed.size())))
            return name + " is no cause of a failure";
    }
    return {};
}

[[nodiscard]] inline std::int64_t value_count(const result& measured, std::string_view name) {
    const distribution* found = measured.find_distribution(name);
    return found == nullptr ? 0 : found->values.count();
}

[[nodiscard]] inline std::string differs(std::string_view distribution_name, std::int64_t values,
                                         std::string_view counter_name, std::int64_t count) {
    return std::string(distribution_name) + " holds " + std::to_string(values) + " values, but " +
           says(counter_name, count);
}

/// Whether the distributions hold what the counters count (docs/terms.md, "Which distribution holds what").
[[nodiscard]] inline std::string broken_distributions(const result& measured) {
    const bool open_loop = measured.find_distribution("response_time") != nullptr;
    const std::int64_t succeeded = measured.counter("succeeded");
    const std::int64_t served = value_count(measured, "service_time");
    if (served != succeeded) return differs("service_time", served, "succeeded", succeeded);
    for (std::size_t index = 0; index < cause_count; ++index) {
        const std::string name(to_string(static_cast<cause>(index)));
        const std::int64_t failed = measured.counter("failed." + name);
        // What timed out in an open loop stands in response_time.
        const std::int64_t expected = open_loop && name == "timeout" ? 0 : failed;
        const std::int64_t timed = value_count(measured, "failed_time." + name);
        if (timed != expected) return differs("failed_time." + name, timed, "failed." + name, failed);
    }
    const std::int64_t responses = value_count(measured, "response_time");
    const std::int64_t responded = sum_of({succeeded, measured.counter("failed.timeout"),
                                           measured.counter("unfinished"), measured.counter("not_started")});
    if (open_loop && responses != responded) {
        return differs("response_time", responses, "succeeded + failed.timeout + unfinished + not_started",
                       responded);
    }
    return {};
}

/// Whether each answered operation has the times that an answer has.
[[nodiscard]] inline std::string broken_answers(const result& measured) {
    const std::int64_t least = sum_of({measured.counter("succeeded"), measured.counter("failed.status")});
    const std::int64_t most = sum_of({least, measured.counter("failed.assertion")});
    for (const char* name : {"first_byte_time", "processing_time"}) {
        const std::int64_t answers = value_count(measured, name);
        if (measured.find_distribution(name) == nullptr || (answers >= least && answers <= most)) continue;
        return differs(name, answers, "succeeded + failed.status + failed.assertion", most);
    }
    return {};
}

[[nodiscard]] inline std::string broken_rate(const result& measured) {
    if (!measured.rate || !measured.counters.contains("succeeded_in_span")) return {};
    const auto counted = static_cast<double>(measured.counter("succeeded_in_span"));
    const double claimed = *measured.rate * measured.elapsed_seconds;
    if (std::abs(claimed - counted) <= 1e-6 * counted + 1e-6) return {};
    return "rate is " + format_number(*measured.rate) + " per second over " +
           format_number(measured.elapsed_seconds) + " s, but " +
           says("succeeded_in_span", measured.counter("succeeded_in_span"));
}

[[nodiscard]] inline std::string broken_series(const result& measured) {
    if (!measured.series) return {};
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    for (const series_point& point : measured.series->points) {
        if (point.succeeded < 0 || point.failed < 0) return "a point of the series counts below zero";
        succeeded = sum_of({succeeded, point.succeeded});
        failed = sum_of({failed, point.failed});
    }
    if (succeeded > measured.counter("succeeded")) {
        return "the series adds up to " + std::to_string(succeeded) + " succeeded, but " +
               says("succeeded", measured.counter("succeeded"));
    }
    if (failed > measured.counter("failed")) {
        return "the series adds up to " + std::to_string(failed) + " failed, but " +
               says("failed", measured.counter("failed"));
    }
    return {};
}

}  // namespace detail

/// The first of the books (docs/terms.md) that does not balance, as a part of a sentence with its figures;
/// empty where all do. A result without the counters of operations has no books. Children are looked at too.
[[nodiscard]] inline std::string find_imbalance(const result& measured) {
    std::string found = detail::impossible_counter(measured.counters);
    if (found.empty() && (measured.counters.contains("scheduled") || measured.counters.contains("started"))) {
        found = detail::broken_counters(measured, "");
        if (found.empty() && measured.kind == "load") found = detail::broken_distributions(measured);
        if (found.empty() && measured.kind == "load") found = detail::broken_answers(measured);
        if (found.empty()) found = detail::broken_rate(measured);
        if (found.empty()) found = detail::broken_series(measured);
    }
    if (found.empty() && measured.counters.contains("warmup.scheduled")) {
        found = detail::broken_counters(measured, "warmup.");
    }
    for (auto child = measured.children.begin(); found.empty() && child != measured.children.end(); ++child) {
        found = find_imbalance(*child);
        if (!found.empty()) found = "in " + child->name + ", " + found;
    }
    return found;
}

/// Holds a result to the books; every experiment does so at its end. Fails with a sentence that names the
/// equation and its figures.
inline void check(const result& measured) {
    const std::string imbalance = find_imbalance(measured);
    if (!imbalance.empty()) fail("The books of \"" + measured.name + "\" do not balance: " + imbalance + ".");
}

}  // namespace benchkit::inline v0_1
