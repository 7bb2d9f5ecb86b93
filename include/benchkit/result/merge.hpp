#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// A percentile of two parts is known only where one of them has no values.
[[nodiscard]] inline std::optional<std::int64_t> merged_percentile(
    const series_point& left, const series_point& right, std::optional<std::int64_t> series_point::*which) {
    if (right.succeeded == 0) return left.*which;
    if (left.succeeded == 0) return right.*which;
    return std::nullopt;
}

inline void merge_point(series_point& into, const series_point& other) {
    const auto p50 = merged_percentile(into, other, &series_point::p50);
    const auto p99 = merged_percentile(into, other, &series_point::p99);
    into.succeeded = sum_of({into.succeeded, other.succeeded});
    into.failed = sum_of({into.failed, other.failed});
    into.p50 = p50;
    into.p99 = p99;
}

inline void merge_series(std::optional<time_series>& into, const std::optional<time_series>& other) {
    if (!other) return;
    if (!into) {
        into = other;
        return;
    }
    if (into->interval_seconds != other->interval_seconds) {
        fail("Two time series of different intervals cannot be merged.");
    }
    for (const series_point& point : other->points) {
        const auto place = std::lower_bound(into->points.begin(), into->points.end(), point.t,
                                            [](const series_point& known, double t) { return known.t < t; });
        if (place != into->points.end() && place->t == point.t) {
            merge_point(*place, point);
        } else {
            into->points.insert(place, point);
        }
    }
}

inline void merge_distributions(result& into, const result& other) {
    for (const auto& [name, values] : other.distributions) {
        const auto [place, added] = into.distributions.try_emplace(name, values);
        if (added) continue;
        if (place->second.unit != values.unit) {
            fail("The distributions " + name + " of two results cannot be merged: one is in " +
                 place->second.unit + ", the other in " + values.unit + ".");
        }
        place->second.values.merge(values.values);
    }
}

inline void merge_samples(result& into, const result& other) {
    for (const auto& [name, samples] : other.samples) {
        const auto [place, added] = into.samples.try_emplace(name, samples);
        if (added) continue;
        if (place->second.unit != samples.unit) {
            fail("The samples " + name + " of two results cannot be merged: one is in " + place->second.unit +
                 ", the other in " + samples.unit + ".");
        }
        auto& values = place->second.values;
        values.insert(values.end(), samples.values.begin(), samples.values.end());
    }
}

inline void merge_resources(std::optional<run_resources>& into, const std::optional<run_resources>& other) {
    if (!other) return;
    if (!into) {
        into = other;
        return;
    }
    into->user_seconds += other->user_seconds;
    into->system_seconds += other->system_seconds;
    into->max_rss_bytes = std::max(into->max_rss_bytes, other->max_rss_bytes);
    into->voluntary_switches = sum_of({into->voluntary_switches, other->voluntary_switches});
    into->involuntary_switches = sum_of({into->involuntary_switches, other->involuntary_switches});
    into->wall_seconds = std::max(into->wall_seconds, other->wall_seconds);
}

/// The earlier of two moments; 0 is none.
[[nodiscard]] constexpr std::int64_t earlier(std::int64_t left, std::int64_t right) noexcept {
    if (left == 0 || right == 0) return left + right;
    return std::min(left, right);
}

/// Where the operations of the span are counted, the rate is exact; otherwise the rates of both add up.
[[nodiscard]] inline std::optional<double> merged_rate(const result& merged, std::optional<double> other) {
    if (merged.counters.contains("succeeded_in_span") && merged.elapsed_seconds > 0) {
        return static_cast<double>(merged.counter("succeeded_in_span")) / merged.elapsed_seconds;
    }
    if (merged.rate && other) return *merged.rate + *other;
    return merged.rate ? merged.rate : other;
}

}  // namespace detail

/// Adds a part of the same run, such as another shard, to a result. Exact: counters add, histograms merge, sums
/// of 128 bits add. Of a series the counts add, and percentiles of an interval remain where one part alone has
/// values in it. Samples, records, comparisons and children are appended; CPU time and switches add, of peak
/// memory and wall time the larger counts. Name, kind and each parameter, fact and attribute are of the first
/// that has it. Diagnostics are dropped: they judge a whole (result/diagnostics.hpp). Fails where units or
/// intervals differ.
inline void merge(result& into, const result& other) {
    if (into.name.empty()) into.name = other.name;
    if (into.kind.empty()) into.kind = other.kind;
    into.parameters.insert(other.parameters.begin(), other.parameters.end());
    into.environment.insert(other.environment.begin(), other.environment.end());
    into.attributes.insert(other.attributes.begin(), other.attributes.end());
    into.started_at = detail::earlier(into.started_at, other.started_at);
    into.elapsed_seconds = std::max(into.elapsed_seconds, other.elapsed_seconds);
    into.interrupted = into.interrupted || other.interrupted;
    for (const auto& [name, count] : other.counters) {
        std::int64_t& total = into.counters[name];
        total = detail::sum_of({total, count});
    }
    into.rate = detail::merged_rate(into, other.rate);
    detail::merge_distributions(into, other);
    detail::merge_samples(into, other);
    detail::merge_series(into.series, other.series);
    into.records.insert(into.records.end(), other.records.begin(), other.records.end());
    into.comparisons.insert(into.comparisons.end(), other.comparisons.begin(), other.comparisons.end());
    into.children.insert(into.children.end(), other.children.begin(), other.children.end());
    detail::merge_resources(into.resources, other.resources);
    into.diagnostics.clear();
}

/// All parts of one run as one result, by `merge` in their order.
[[nodiscard]] inline result merged(std::span<const result> parts) {
    result whole;
    for (const result& part : parts) merge(whole, part);
    return whole;
}

}  // namespace benchkit::inline v0_1
