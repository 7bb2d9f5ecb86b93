#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <benchkit/core/number.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/report/ab_figures.hpp>
#include <benchkit/report/ab_options.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1::report {

namespace detail {

using benchkit::detail::printable;

inline constexpr std::array<int, 8> ab_percentiles{50, 66, 75, 80, 90, 95, 98, 99};

/// The requests that ab would have been asked for: without -n a time limit alone means 50,000.
[[nodiscard]] inline std::int64_t ab_requests(const result& measured) {
    constexpr std::int64_t within_a_time = 50'000;
    return find_integer(measured.parameters, "operations").value_or(within_a_time);
}

/// ab reports its progress on standard error for more requests than this.
[[nodiscard]] inline bool has_heartbeat(const result& measured, const ab_options& options) {
    constexpr std::int64_t few_requests = 150;
    return !options.quiet && ab_requests(measured) > few_requests;
}

/// `text` behind blanks, so that it takes at least `width` columns.
[[nodiscard]] inline std::string padded(std::string text, std::size_t width) {
    if (text.size() < width) text.insert(0, width - text.size(), ' ');
    return text;
}

[[nodiscard]] inline std::string padded(std::int64_t number, std::size_t width) {
    return padded(std::to_string(number), width);
}

inline void append_field(std::string& report, std::string_view label, std::string_view content) {
    constexpr std::size_t width = 24;
    report.append(label).append(width - label.size(), ' ').append(content).append("\n");
}

/// The product of a Server field without what stands behind it: ab reads to the first blank.
[[nodiscard]] inline std::string ab_server(const result& measured) {
    const std::string server = find_text(measured.attributes, "http.server");
    return printable(server.substr(0, server.find_first_of(" \t")));
}

inline void append_ab_start(std::string& report, const result& measured, const ab_options& options) {
    const std::string host = printable(find_text(measured.parameters, "host"));
    const bool heartbeat = has_heartbeat(measured, options);
    report += "\nBenchmarking " + host + " (be patient)" + (heartbeat ? "\n" : "...");
    // ab stops at once on a signal, without "done".
    if (!heartbeat && !measured.interrupted) report += "..done\n";
    report += "\n\n";
    append_field(report, "Server Software:", ab_server(measured));
    append_field(report, "Server Hostname:", host);
    append_field(report, "Server Port:", std::to_string(find_integer(measured.parameters, "port").value_or(0)));
    report += '\n';
    append_field(report, "Document Path:", printable(find_text(measured.parameters, "path")));
    const std::int64_t length = find_integer(measured.attributes, "http.document_length").value_or(0);
    append_field(
        report, "Document Length:", options.accept_any_length ? "Variable" : std::to_string(length) + " bytes");
    report += '\n';
}

inline void append_ab_counts(std::string& report, const result& measured, const ab_options& options) {
    append_field(report, "Concurrency Level:", std::to_string(client_count(measured)));
    append_field(report, "Time taken for tests:", format_fixed(ab_seconds(measured), 3) + " seconds");
    append_field(report, "Complete requests:", std::to_string(ab_complete(measured)));
    const ab_failures failures = count_ab_failures(measured, options.accept_any_length);
    append_field(report, "Failed requests:", std::to_string(failures.all()));
    if (failures.all() != 0) {
        report += "   (Connect: " + std::to_string(failures.connect) +
                  ", Receive: " + std::to_string(failures.receive) +
                  ", Length: " + std::to_string(failures.length) +
                  ", Exceptions: " + std::to_string(failures.exceptions) + ")\n";
    }
    const std::int64_t non_2xx = count_non_2xx(measured);
    if (non_2xx != 0) append_field(report, "Non-2xx responses:", std::to_string(non_2xx));
    if (find_truth(measured.parameters, "keep_alive").value_or(false)) {
        append_field(report, "Keep-Alive requests:", std::to_string(measured.counter("kept_alive")));
    }
}

/// True where requests had a body: then ab also reports what it sent.
[[nodiscard]] inline bool sends_body(const result& measured) {
    return find_integer(measured.parameters, "request_body_bytes").value_or(0) > 0;
}

inline void append_ab_traffic(std::string& report, const result& measured) {
    append_field(report, "Total transferred:", std::to_string(measured.counter("bytes_received")) + " bytes");
    // ab counts whole requests here, not only their bodies.
    if (sends_body(measured))
        append_field(report, "Total body sent:", std::to_string(measured.counter("bytes_sent")));
    append_field(report,
                 "HTML transferred:", std::to_string(measured.counter("body_bytes_received")) + " bytes");
}

inline void append_ab_rates(std::string& report, const result& measured) {
    const double seconds = ab_seconds(measured);
    const auto done = static_cast<double>(ab_complete(measured));
    if (!(seconds > 0) || !(done > 0)) return;
    const auto clients = static_cast<double>(client_count(measured));
    const auto received = static_cast<double>(measured.counter("bytes_received"));
    const auto sent = static_cast<double>(measured.counter("bytes_sent"));
    append_field(report, "Requests per second:", format_fixed(done / seconds, 2) + " [#/sec] (mean)");
    append_field(report,
                 "Time per request:", format_fixed(clients * seconds * 1000 / done, 3) + " [ms] (mean)");
    append_field(report, "Time per request:",
                 format_fixed(seconds * 1000 / done, 3) + " [ms] (mean, across all concurrent requests)");
    append_field(report,
                 "Transfer rate:", format_fixed(received / 1024 / seconds, 2) + " [Kbytes/sec] received");
    if (!sends_body(measured)) return;
    append_field(report, "", format_fixed(sent / 1024 / seconds, 2) + " kb/s sent");
    append_field(report, "", format_fixed((received + sent) / 1024 / seconds, 2) + " kb/s total");
}

/// ab's doubt of a row, from its rounded figures.
[[nodiscard]] inline std::string ab_doubt(const ab_row& row, std::string_view name) {
    const auto distance = static_cast<double>(std::abs(row.mean - row.median));
    if (distance > 2 * row.deviation) {
        return "ERROR: The median and mean for " + std::string(name) +
               " are more than twice the standard\n       deviation apart. These results are NOT reliable.\n";
    }
    if (distance > row.deviation) {
        return "WARNING: The median and mean for " + std::string(name) +
               " are not within a normal deviation\n        These results are probably not that reliable.\n";
    }
    return {};
}

struct titled_row {
    std::string_view title;
    std::string_view name;
    ab_row row;
};

inline void append_spread(std::string& report, const std::array<titled_row, 4>& rows) {
    report += "              min  mean[+/-sd] median   max\n";
    for (const auto& [title, name, row] : rows) {
        report.append(title).append(padded(row.min, 5)).append(" ").append(padded(row.mean, 4));
        report.append(" ").append(padded(format_fixed(row.deviation, 1), 5));
        report.append(" ").append(padded(row.median, 6)).append(" ").append(padded(row.max, 7)).append("\n");
    }
    for (const auto& [title, name, row] : rows) report += ab_doubt(row, name);
}

inline void append_averages(std::string& report, const std::array<titled_row, 4>& rows) {
    report += "              min   avg   max\n";
    for (const auto& [title, name, row] : rows) {
        report.append(title).append(padded(row.min, 5)).append(" ").append(padded(row.mean, 5));
        report.append(padded(row.max, 5)).append("\n");
    }
}

inline void append_ab_times(std::string& report, const result& measured, const histogram& total,
                            const ab_options& options) {
    const std::array<titled_row, 4> rows{{
        {"Connect:    ", "the initial connection time", to_ab_row(ab_connect(measured))},
        {"Processing: ", "the processing time", to_ab_row(values_of(measured, "processing_time"))},
        {"Waiting:    ", "the waiting time", to_ab_row(values_of(measured, "first_byte_time"))},
        {"Total:      ", "the total time", to_ab_row(total)},
    }};
    report += "\nConnection Times (ms)\n";
    options.show_spread ? append_spread(report, rows) : append_averages(report, rows);
}

inline void append_ab_percentiles(std::string& report, const histogram& total) {
    const auto milliseconds = [](std::int64_t nanoseconds) {
        return padded(ab_milliseconds(nanoseconds / 1000), 5);
    };
    report += "\nPercentage of the requests served within a certain time (ms)\n";
    for (const int percentile : ab_percentiles) {
        report += "  " + std::to_string(percentile) + "%  " +
                  milliseconds(total.value_at_percentile(percentile)) + "\n";
    }
    report += " 100%  " + milliseconds(total.max()) + " (longest request)\n";
}

}  // namespace detail

/// The report of ab 2.3 from the line "Benchmarking HOST (be patient)" on, for the load of an HTTP target;
/// fails for any other result. Lines, units and rounding are ab's. Ranks and medians are right where ab's are
/// not: percentile p is the smallest time that p % of the requests did not exceed, and the median of an odd
/// number is its middle value. "Complete requests" are answers of any status. TLS lines are not part of it.
[[nodiscard]] inline std::string ab(const result& measured, const ab_options& options) {
    using namespace detail;
    require_http_load(measured, "ab");
    std::string report;
    append_ab_start(report, measured, options);
    append_ab_counts(report, measured, options);
    append_ab_traffic(report, measured);
    append_ab_rates(report, measured);
    const histogram total = ab_total(measured);
    if (ab_complete(measured) <= 0) return report;
    append_ab_times(report, measured, total, options);
    if (options.show_percentiles && ab_complete(measured) > 1) append_ab_percentiles(report, total);
    return report;
}

/// As above, with the options that were kept with the result (`keep_ab_options`).
[[nodiscard]] inline std::string ab(const result& measured) {
    return ab(measured, kept_ab_options(measured));
}

/// What belongs on standard error beside ab's report: one line where some of its percentiles rest on fewer than
/// ten requests beyond them; empty where all are well supported.
[[nodiscard]] inline std::string ab_warnings(const result& measured) {
    const std::int64_t done = detail::ab_complete(measured);
    return done <= 1 ? std::string() : detail::few_requests_warning(done, detail::ab_percentiles);
}

}  // namespace benchkit::inline v0_1::report
