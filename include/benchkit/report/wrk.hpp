#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/report/ab_figures.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1::report {

/// The option of wrk that changes its report.
struct wrk_options {
    bool latency = false;  ///< true as with --latency: the percentiles, too
};

/// Keeps the option with a result, so that a saved one gives the same report again.
inline void keep_wrk_options(result& measured, const wrk_options& options) {
    measured.attributes["wrk.latency"] = options.latency;
}

/// The option that was kept with a result; the default where none was.
[[nodiscard]] inline wrk_options kept_wrk_options(const result& measured) {
    return {find_truth(measured.attributes, "wrk.latency").value_or(wrk_options().latency)};
}

namespace detail {

inline constexpr std::array<int, 4> wrk_percentiles{50, 75, 90, 99};

/// A figure in the largest unit of which it has 0.85 or more. `larger` are the units above `smallest`, each
/// `step` times the one before.
[[nodiscard]] inline std::string wrk_quantity(double figure, int digits, double step, std::string_view smallest,
                                              std::initializer_list<std::string_view> larger) {
    std::string_view unit = smallest;
    for (const std::string_view next : larger) {
        if (figure < 0.85 * step) break;
        figure /= step;
        unit = next;
    }
    return format_fixed(figure, digits).append(unit);
}

[[nodiscard]] inline std::string wrk_seconds(double seconds, int digits) {
    return wrk_quantity(seconds, digits, 60, "s", {"m"});
}

[[nodiscard]] inline std::string wrk_time(double microseconds) {
    if (microseconds >= 1e6) return wrk_seconds(microseconds / 1e6, 2);
    return wrk_quantity(microseconds, 2, 1000, "us", {"ms"});
}

[[nodiscard]] inline std::string wrk_metric(double figure) {
    return wrk_quantity(figure, 2, 1000, "", {"k", "M", "G", "T"});
}

[[nodiscard]] inline std::string wrk_bytes(double bytes) {
    return wrk_quantity(bytes, 2, 1024, "", {"K", "M", "G", "T"}) + "B";
}

[[nodiscard]] inline std::string wrk_right(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

/// A figure in a column whose last two places are for its unit, so that digits stand below digits.
[[nodiscard]] inline std::string wrk_cell(const std::string& text, std::size_t width) {
    constexpr std::size_t unit_places = 2;
    const std::size_t digits_end = text.find_last_of("0123456789") + 1;
    const std::size_t blanks = unit_places - std::min(unit_places, text.size() - digits_end);
    return wrk_right(text, width - blanks).append(blanks, ' ');
}

/// The figures of one row of wrk's table.
struct wrk_row {
    double mean = 0;
    double deviation = 0;
    double largest = 0;
    double percent_near = 0;  ///< of the values that are no more than a deviation away from the mean
};

/// `unit`: how many of the histogram's units are one of wrk's. Its largest value is a whole number.
[[nodiscard]] inline wrk_row to_wrk_row(const histogram& values, double unit) {
    if (values.count() == 0) return {};
    const double deviation = sample_deviation(values);
    std::int64_t near = 0;
    for (const histogram_bucket bucket : values.buckets()) {
        const bool below = static_cast<double>(bucket.to) < values.mean() - deviation;
        const bool above = static_cast<double>(bucket.from) > values.mean() + deviation;
        if (!below && !above) near += bucket.count;
    }
    return {values.mean() / unit, deviation / unit, std::floor(static_cast<double>(values.max()) / unit),
            100 * static_cast<double>(near) / static_cast<double>(values.count())};
}

[[nodiscard]] inline std::string wrk_row_text(std::string_view name, const wrk_row& row,
                                              std::string (*text)(double)) {
    std::string line("    ");
    line.append(name).append(10 - name.size(), ' ');
    line += wrk_cell(text(row.mean), 8) + wrk_cell(text(row.deviation), 10) + wrk_cell(text(row.largest), 9);
    return line + wrk_right(format_fixed(row.percent_near, 2), 8) + "%\n";
}

/// From the first byte sent to the end of the answer. In an open loop, the response times, with what failed by
/// its status or body.
[[nodiscard]] inline histogram wrk_latency(const result& measured) {
    const distribution* responses = measured.find_distribution("response_time");
    if (responses == nullptr) return values_of(measured, "processing_time");
    histogram latency = responses->values;
    for (const char* name : {"failed_time.status", "failed_time.assertion"}) {
        latency.merge(values_of(measured, name));
    }
    return latency;
}

[[nodiscard]] inline histogram wrk_rates(const result& measured) {
    const distribution* rates = measured.find_distribution("shard_rate");
    if (rates != nullptr) return rates->values;
    fail("A report as of wrk needs the rates of each shard, which \"" + measured.name +
         "\" does not hold: it was measured by an older version.");
}

[[nodiscard]] inline std::string wrk_distribution(const histogram& latency) {
    std::string lines("  Latency Distribution\n");
    for (const int percentile : wrk_percentiles) {
        const auto microseconds = static_cast<double>(latency.value_at_percentile(percentile) / 1000);
        lines += wrk_right(std::to_string(percentile), 7) + "%" + wrk_cell(wrk_time(microseconds), 10) + "\n";
    }
    return lines;
}

/// "  Socket errors: connect 0, read 5, write 0, timeout 0", where there were any.
[[nodiscard]] inline std::string wrk_errors(const result& measured) {
    const auto failed = [&](const char* cause) { return measured.counter(std::string("failed.") + cause); };
    const std::int64_t connect = sum_of({failed("resolve"), failed("connect"), failed("tls"), failed("ports")});
    const std::int64_t read = sum_of(
        {failed("receive"), failed("closed"), failed("stale"), failed("connection_lost"), failed("malformed")});
    const std::int64_t write = failed("send");
    const std::int64_t timeout = failed("timeout");
    if (connect == 0 && read == 0 && write == 0 && timeout == 0) return {};
    return "  Socket errors: connect " + std::to_string(connect) + ", read " + std::to_string(read) +
           ", write " + std::to_string(write) + ", timeout " + std::to_string(timeout) + "\n";
}

/// Answers of a status above 399: what wrk means by neither 2xx nor 3xx.
[[nodiscard]] inline std::int64_t count_bad_statuses(const result& measured) {
    constexpr std::string_view prefix = "status.";
    std::int64_t count = 0;
    for (const auto& [name, answers] : measured.counters) {
        if (!name.starts_with(prefix)) continue;
        const auto status = parse_integer(std::string_view(name).substr(prefix.size()));
        if (status && *status > 399) count = sum_of({count, answers});
    }
    return count;
}

[[nodiscard]] inline std::string wrk_heading(const result& measured) {
    const double length = find_number(measured.parameters, "duration_seconds").value_or(ab_seconds(measured));
    return "Running " + wrk_seconds(length, 0) + " test @ " + find_text(measured.parameters, "url") + "\n  " +
           std::to_string(find_integer(measured.parameters, "shards").value_or(1)) + " threads and " +
           std::to_string(client_count(measured)) + " connections\n";
}

[[nodiscard]] inline std::string wrk_totals(const result& measured) {
    const double seconds = ab_seconds(measured);
    const auto per_second = [seconds](double figure) { return seconds > 0 ? figure / seconds : 0.0; };
    const std::int64_t complete = ab_complete(measured);
    const auto bytes = static_cast<double>(measured.counter("bytes_received"));
    std::string lines = "  " + std::to_string(complete) + " requests in " + wrk_time(seconds * 1e6) + ", " +
                        wrk_bytes(bytes) + " read\n" + wrk_errors(measured);
    const std::int64_t bad = count_bad_statuses(measured);
    if (bad > 0) lines += "  Non-2xx or 3xx responses: " + std::to_string(bad) + "\n";
    lines += "Requests/sec: " + wrk_right(format_fixed(per_second(static_cast<double>(complete)), 2), 9) + "\n";
    return lines + "Transfer/sec: " + wrk_right(wrk_bytes(per_second(bytes)), 11) + "\n";
}

}  // namespace detail

/// The report of wrk 4.1 for the load of an HTTP target; fails for any other result, and for one that does not
/// tell the rates of each shard. Lines, units and rounding are wrk's; a thread is a shard. Unlike wrk's, times
/// are those that were measured (wrk adds some of its own), none is left out, and ranks are right.
[[nodiscard]] inline std::string wrk(const result& measured, const wrk_options& options) {
    using namespace detail;
    require_http_load(measured, "wrk");
    const histogram latency = wrk_latency(measured);
    std::string report = wrk_heading(measured);
    report += "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n";
    report += wrk_row_text("Latency", to_wrk_row(latency, 1e3), wrk_time);
    report += wrk_row_text("Req/Sec", to_wrk_row(wrk_rates(measured), 1), wrk_metric);
    if (options.latency) report += wrk_distribution(latency);
    return report + wrk_totals(measured);
}

/// As above, with the option that was kept with the result (`keep_wrk_options`).
[[nodiscard]] inline std::string wrk(const result& measured) {
    return wrk(measured, kept_wrk_options(measured));
}

/// What belongs on standard error beside wrk's report: one line where it has percentiles that rest on fewer
/// than ten requests beyond them; empty where all are well supported.
[[nodiscard]] inline std::string wrk_warnings(const result& measured) {
    const std::int64_t count = detail::wrk_latency(measured).count();
    if (!kept_wrk_options(measured).latency || count == 0) return {};
    return detail::few_requests_warning(count, detail::wrk_percentiles);
}

}  // namespace benchkit::inline v0_1::report
