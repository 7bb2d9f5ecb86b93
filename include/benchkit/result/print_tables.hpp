#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/wording.hpp>
#include <benchkit/stats/median.hpp>

/// The tables of the text report: distributions, samples, children.
namespace benchkit::inline v0_1::detail {

inline constexpr const char* not_available = "n/a";
inline constexpr std::string_view failed_time = "failed_time.";
inline constexpr std::string_view step_time = "step_time.";

/// A figure in the unit of its distribution or samples.
[[nodiscard]] inline std::string figure_text(double value, std::string_view unit) {
    if (!std::isfinite(value)) return not_available;
    if (unit == "ns") return time_text(value);
    const bool whole = value == std::floor(value) && std::abs(value) < 9e15;
    if (whole && unit == "bytes") return format_byte_size(static_cast<std::int64_t>(value));
    return whole ? format_count(static_cast<std::int64_t>(value)) : format_fixed(value, 1);
}

[[nodiscard]] inline std::string figure_text(std::optional<std::int64_t> value, std::string_view unit) {
    return value ? figure_text(static_cast<double>(*value), unit) : std::string(not_available);
}

[[nodiscard]] inline std::string rate_text(std::optional<double> rate) {
    return rate && std::isfinite(*rate) ? format_rate(*rate) : std::string(not_available);
}

/// The distributions that the report shows, the most telling first. Processing time, the rest of the service
/// time after connecting, the answers of each client, the rates of each shard and the part of the lag that is
/// the client's own are for reports and diagnostics that want them.
[[nodiscard]] inline std::vector<std::pair<std::string, const distribution*>> shown_distributions(
    const result& measured) {
    constexpr std::array<std::string_view, 7> first{
        "response_time", "service_time", "lag", "first_byte_time", "connect_time", "resolve_time", "tls_time"};
    constexpr std::array<std::string_view, 4> for_others{"processing_time", "answers_per_client", "shard_rate",
                                                         "timer_lag"};
    std::vector<std::pair<std::string, const distribution*>> shown;
    const auto add = [&](std::string_view name, const distribution& values) {
        if (values.values.count() == 0) return;
        std::string title(name);
        std::replace(title.begin(), title.end(), '_', ' ');
        shown.emplace_back(printable(title), &values);
    };
    for (const std::string_view name : first) {
        if (const distribution* found = measured.find_distribution(name)) add(name, *found);
    }
    for (const auto& [name, values] : measured.distributions) {
        const bool known = std::find(first.begin(), first.end(), name) != first.end();
        const bool hidden = std::find(for_others.begin(), for_others.end(), name) != for_others.end();
        if (!known && !hidden && !name.starts_with(failed_time) && !name.starts_with(step_time))
            add(name, values);
    }
    return shown;
}

/// One figure of each of some distributions, as a row of their table.
template <class Distributions, class Figure>
void add_figures(text_table& table, std::string_view title, const Distributions& shown, const Figure& figure) {
    std::vector<std::string> cells{std::string(title)};
    for (const auto& [name, values] : shown) cells.push_back(figure(*values));
    table.add_row(std::move(cells));
}

template <class Distributions>
[[nodiscard]] std::string distributions_text(const Distributions& shown) {
    constexpr std::array<std::pair<std::string_view, double>, 6> percentiles{
        {{"50 %", 50}, {"75 %", 75}, {"90 %", 90}, {"95 %", 95}, {"99 %", 99}, {"99.9 %", 99.9}}};
    text_table table;
    std::vector<std::string> titles{""};
    for (const auto& [name, values] : shown) titles.push_back(name);
    table.add_row(std::move(titles));
    add_figures(table, "mean", shown,
                [](const distribution& d) { return figure_text(d.values.mean(), d.unit); });
    add_figures(table, "deviation", shown,
                [](const distribution& d) { return figure_text(d.values.stddev(), d.unit); });
    add_figures(table, "smallest", shown,
                [](const distribution& d) { return figure_text(std::optional(d.values.min()), d.unit); });
    for (const auto& [title, percentile] : percentiles) {
        add_figures(table, title, shown,
                    [p = percentile](const distribution& d) { return figure_text(d.percentile(p), d.unit); });
    }
    add_figures(table, "largest", shown,
                [](const distribution& d) { return figure_text(std::optional(d.values.max()), d.unit); });
    add_figures(table, "count", shown, [](const distribution& d) { return format_count(d.values.count()); });
    return table.text(label_width - 2);
}

inline void append_distributions(std::string& page, const result& measured) {
    constexpr std::ptrdiff_t columns = 4;
    const auto shown = shown_distributions(measured);
    for (auto first = shown.begin(); first != shown.end();) {
        const auto last = first + std::min(columns, shown.end() - first);
        page += '\n' + distributions_text(std::vector(first, last));
        first = last;
    }
}

/// How long operations took to fail, a line for each cause.
inline void append_failed_times(std::string& page, const result& measured) {
    text_table table;
    for (const auto& [name, values] : measured.distributions) {
        const histogram& times = values.values;
        if (!name.starts_with(failed_time) || times.count() == 0) continue;
        if (table.empty()) table.add_row({"failed after", "smallest", "50 %", "largest", "count"});
        table.add_row({printable(std::string_view(name).substr(failed_time.size())),
                       figure_text(std::optional(times.min()), values.unit),
                       figure_text(values.percentile(50), values.unit),
                       figure_text(std::optional(times.max()), values.unit), format_count(times.count())});
    }
    page += table.text(label_width - 2);
}

/// The steps of journeys, or the requests of a list, a line for each.
inline void append_steps(std::string& page, const result& measured) {
    constexpr std::string_view prefix = "step.";
    constexpr std::string_view suffix = ".succeeded";
    text_table table;
    for (const auto& [counter, succeeded] : measured.counters) {
        if (!counter.starts_with(prefix) || !counter.ends_with(suffix)) continue;
        if (counter.size() <= prefix.size() + suffix.size()) continue;
        const std::string name = counter.substr(prefix.size(), counter.size() - prefix.size() - suffix.size());
        const distribution* times = measured.find_distribution(std::string(step_time).append(name));
        const auto percentile = [&](double p) {
            return times == nullptr ? std::string(not_available)
                                    : figure_text(times->percentile(p), times->unit);
        };
        if (table.empty()) table.add_row({"step", "50 %", "99 %", "largest", "succeeded", "failed"});
        table.add_row({printable(name), percentile(50), percentile(99),
                       times == nullptr ? std::string(not_available)
                                        : figure_text(std::optional(times->values.max()), times->unit),
                       format_count(succeeded),
                       format_count(measured.counter(std::string(prefix).append(name).append(".failed")))});
    }
    page += table.text(label_width - 2);
}

inline void append_samples(std::string& page, const result& measured) {
    if (measured.samples.empty()) return;
    text_table table;
    table.add_row({"samples", "median", "smallest", "largest", "count"});
    for (const auto& [name, samples] : measured.samples) {
        std::vector<std::string> cells{printable(name)};
        if (const auto median = median_of(samples.values)) {
            const auto [least, most] = std::minmax_element(samples.values.begin(), samples.values.end());
            for (const double figure : {*median, *least, *most})
                cells.push_back(figure_text(figure, samples.unit));
        } else {
            cells.insert(cells.end(), 3, not_available);
        }
        cells.push_back(format_count(static_cast<std::int64_t>(samples.values.size())));
        table.add_row(std::move(cells));
    }
    page += table.text(label_width - 2);
}

/// The share of a processor that a child used.
[[nodiscard]] inline std::string cpu_text(const result& child) {
    if (!child.resources || !(child.resources->wall_seconds > 0)) return not_available;
    const double share =
        (child.resources->user_seconds + child.resources->system_seconds) / child.resources->wall_seconds;
    return std::isfinite(share) ? percent(share) : not_available;
}

[[nodiscard]] inline std::vector<std::string> child_row(const result& child) {
    const distribution* times = child.find_distribution("response_time");
    if (times == nullptr) times = child.find_distribution("service_time");
    const auto percentile = [times](double p) {
        return times == nullptr ? std::string(not_available) : figure_text(times->percentile(p), times->unit);
    };
    const bool some = times != nullptr && times->values.count() > 0;
    return {printable(child.name),
            rate_text(child.rate),
            percentile(50),
            percentile(99),
            some ? figure_text(std::optional(times->values.max()), times->unit) : std::string(not_available),
            format_count(child.counter("succeeded")),
            format_count(child.counter("failed")),
            cpu_text(child)};
}

inline void append_children(std::string& page, const result& measured) {
    if (measured.children.empty()) return;
    text_table table;
    table.add_row({"", "rate", "50 %", "99 %", "largest", "succeeded", "failed", "CPU"});
    for (const result& child : measured.children) table.add_row(child_row(child));
    page += table.text(label_width - 2);
}

}  // namespace benchkit::inline v0_1::detail
