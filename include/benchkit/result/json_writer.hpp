#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <benchkit/result/json_stream.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/stats/histogram_codec.hpp>

namespace benchkit::inline v0_1 {

/// What the "schema" of a saved result says.
inline constexpr std::string_view result_schema = "benchkit.result/1";

/// A percentile that is reported: its name in JSON and its number.
struct named_percentile {
    std::string_view name;
    double percentile;
};

/// The percentiles that JSON carries.
inline constexpr std::array<named_percentile, 8> json_percentiles{{{"50", 50},
                                                                   {"75", 75},
                                                                   {"90", 90},
                                                                   {"95", 95},
                                                                   {"99", 99},
                                                                   {"99.9", 99.9},
                                                                   {"99.99", 99.99},
                                                                   {"99.999", 99.999}}};

namespace detail {

/// Where a counter stands among the others: the books first, warm-up last.
[[nodiscard]] constexpr std::size_t counter_rank(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 15> order{
        "scheduled",  "not_started",        "started",        "succeeded",
        "failed",     "unfinished",         "failed.",        "errors.",
        "status.",    "requests_sent",      "bytes_received", "body_bytes_received",
        "bytes_sent", "connections_opened", "kept_alive"};
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const bool group = order[rank].ends_with('.');
        if (group ? name.starts_with(order[rank]) : name == order[rank]) return rank;
    }
    return name.starts_with("warmup.") ? order.size() + 1 : order.size();
}

[[nodiscard]] inline std::vector<std::pair<std::string_view, std::int64_t>> ordered_counters(
    const counters& all) {
    std::vector<std::pair<std::string_view, std::int64_t>> ordered(all.begin(), all.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& left, const auto& right) {
        return counter_rank(left.first) < counter_rank(right.first);
    });
    return ordered;
}

inline void write(json_stream& json, const attributes& scalars, json_layout layout) {
    json.begin_object(layout);
    for (const auto& [name, scalar] : scalars) {
        json.key(name);
        std::visit([&json](const auto& value) { json.value(value); }, scalar);
    }
    json.end_object();
}

inline void write(json_stream& json, const distribution& values) {
    const histogram& all = values.values;
    const auto known = [&all](auto figure) { return all.count() > 0 ? std::optional(figure) : std::nullopt; };
    json.begin_object()
        .member("unit", values.unit)
        .member("count", all.count())
        .member("min", known(all.min()))
        .member("mean", known(all.mean()))
        .member("stddev", known(all.stddev()))
        .member("max", known(all.max()));
    json.key("percentiles").begin_object(json_layout::one_line);
    for (const auto& [name, percentile] : json_percentiles) json.member(name, values.percentile(percentile));
    json.end_object();
    json.member("sum", to_string(all.sum())).member("histogram", encode_histogram(all)).end_object();
}

inline void write(json_stream& json, const sample_set& samples) {
    json.begin_object().member("unit", samples.unit).key("values").begin_array(json_layout::one_line);
    for (const double value : samples.values) json.value(value);
    json.end_array().end_object();
}

inline void write(json_stream& json, const time_series& series) {
    json.begin_object().member("interval_seconds", series.interval_seconds).key("points").begin_array();
    for (const series_point& point : series.points) {
        json.begin_object(json_layout::one_line)
            .member("t", point.t)
            .member("succeeded", point.succeeded)
            .member("failed", point.failed)
            .member("p50", point.p50)
            .member("p99", point.p99)
            .end_object();
    }
    json.end_array().end_object();
}

inline void write(json_stream& json, const std::optional<interval>& range) {
    if (!range) {
        json.null();
        return;
    }
    json.begin_array(json_layout::one_line).value(range->low).value(range->high).end_array();
}

inline void write(json_stream& json, const sample_summary& summary) {
    json.begin_object(json_layout::one_line)
        .member("count", summary.count)
        .member("mean", summary.mean)
        .member("stddev", summary.stddev)
        .member("min", summary.min)
        .member("q1", summary.q1)
        .member("median", summary.median)
        .member("q3", summary.q3)
        .member("max", summary.max)
        .member("mad", summary.mad);
    json.key("outliers")
        .begin_object()
        .member("low_severe", summary.outliers.low_severe)
        .member("low_mild", summary.outliers.low_mild)
        .member("high_mild", summary.outliers.high_mild)
        .member("high_severe", summary.outliers.high_severe)
        .end_object();
    write(json.key("median_interval"), summary.median_interval);
    write(json.key("mean_interval"), summary.mean_interval);
    json.end_object();
}

inline void write(json_stream& json, const comparison& compared) {
    json.begin_object().member("ratio", compared.ratio);
    write(json.key("interval"), compared.interval);
    json.member("confidence", compared.confidence).key("mann_whitney");
    if (const auto& test = compared.mann_whitney) {
        json.begin_object(json_layout::one_line).member("u", test->u).member("p", test->p).end_object();
    } else {
        json.null();
    }
    json.key("hodges_lehmann");
    if (const auto& shift = compared.hodges_lehmann) {
        json.begin_object(json_layout::one_line).member("shift", shift->shift);
        write(json.key("interval"), shift->interval);
        json.end_object();
    } else {
        json.null();
    }
    json.member("verdict", to_string(compared.verdict)).member("basis", compared.basis);
    write(json.key("base"), compared.base_summary);
    write(json.key("new"), compared.new_summary);
    json.end_object();
}

inline void write(json_stream& json, const run_resources& resources) {
    json.begin_object()
        .member("user_seconds", resources.user_seconds)
        .member("system_seconds", resources.system_seconds)
        .member("max_rss_bytes", resources.max_rss_bytes)
        .member("voluntary_switches", resources.voluntary_switches)
        .member("involuntary_switches", resources.involuntary_switches)
        .member("wall_seconds", resources.wall_seconds)
        .end_object();
}

inline void write(json_stream& json, const diagnostic& judged) {
    json.begin_object()
        .member("code", judged.code)
        .member("severity", to_string(judged.severity))
        .member("message", judged.message)
        .end_object();
}

template <class Named>
void write_named(json_stream& json, const Named& all) {
    json.begin_object();
    for (const auto& [name, content] : all) write(json.key(name), content);
    json.end_object();
}

template <class Content>
void write_list(json_stream& json, const std::vector<Content>& all) {
    json.begin_array();
    for (const Content& content : all) write(json, content);
    json.end_array();
}

template <class Content>
void write_maybe(json_stream& json, const std::optional<Content>& maybe) {
    if (maybe) {
        write(json, *maybe);
    } else {
        json.null();
    }
}

}  // namespace detail

/// Writes a result where the writer's next value belongs.
inline void write(json_stream& json, const result& measured) {
    json.begin_object()
        .member("schema", result_schema)
        .member("name", measured.name)
        .member("kind", measured.kind);
    detail::write(json.key("parameters"), measured.parameters, json_layout::lines);
    detail::write(json.key("environment"), measured.environment, json_layout::lines);
    detail::write(json.key("attributes"), measured.attributes, json_layout::lines);
    json.member("started_at", format_timestamp(measured.started_at))
        .member("elapsed_seconds", measured.elapsed_seconds)
        .member("rate", measured.rate)
        .member("interrupted", measured.interrupted);
    json.key("counters").begin_object();
    for (const auto& [name, count] : detail::ordered_counters(measured.counters)) json.member(name, count);
    json.end_object();
    detail::write_named(json.key("distributions"), measured.distributions);
    detail::write_named(json.key("samples"), measured.samples);
    detail::write_maybe(json.key("series"), measured.series);
    json.key("records").begin_array();
    for (const record& one : measured.records) detail::write(json, one, json_layout::one_line);
    json.end_array();
    detail::write_list(json.key("comparisons"), measured.comparisons);
    json.key("children").begin_array();
    for (const result& child : measured.children) write(json, child);
    json.end_array();
    detail::write_maybe(json.key("resources"), measured.resources);
    detail::write_list(json.key("diagnostics"), measured.diagnostics);
    json.end_object();
}

/// A result as JSON of the schema `benchkit.result/1`, ended by a line end. The same result gives the same text
/// on every machine; `read_json` (result/json_reader.hpp) restores from it all that a report shows.
[[nodiscard]] inline std::string to_json(const result& measured) {
    json_stream json;
    write(json, measured);
    return json.take() + '\n';
}

}  // namespace benchkit::inline v0_1
