#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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

/// The option of httpress that changes its report.
struct httpress_options {
    bool quiet = false;  ///< true as with -q: the totals alone
};

/// Keeps the option with a result, so that a saved one gives the same report again.
inline void keep_httpress_options(result& measured, const httpress_options& options) {
    measured.attributes["httpress.quiet"] = options.quiet;
}

/// The option that was kept with a result; the default where none was.
[[nodiscard]] inline httpress_options kept_httpress_options(const result& measured) {
    return {find_truth(measured.attributes, "httpress.quiet").value_or(httpress_options().quiet)};
}

/// The lines that say how many of `requests` have been launched: at each quarter or 50,000, and at the last.
/// None of fewer than 40, of more than httpress can be asked for, or where no count was asked for. Those up to
/// `from` are left out.
[[nodiscard]] inline std::string httpress_launches(std::int64_t requests, std::int64_t from, std::int64_t to) {
    constexpr std::int64_t longest_step = 50'000;
    constexpr std::int64_t shortest_step = 10;
    constexpr std::int64_t most_requests = 1'000'000'000;
    const std::int64_t step = std::min(requests / 4, longest_step);
    if (step < shortest_step || requests > most_requests) return {};
    to = std::min(to, requests);
    std::string lines;
    const auto say = [&lines](std::int64_t launched) {
        lines += std::to_string(launched) + " requests launched\n";
    };
    for (std::int64_t next = (from / step + 1) * step; next <= to; next += step) say(next);
    if (to >= requests && from < requests && requests % step != 0) say(requests);
    return lines;
}

namespace detail {

/// What httpress counts of a run or of one of its threads.
struct httpress_counts {
    std::int64_t connects = 0;
    std::int64_t successes = 0;
    std::int64_t failures = 0;
    std::int64_t body_bytes = 0;
    std::int64_t overhead = 0;

    [[nodiscard]] std::int64_t requests() const { return sum_of({successes, failures}); }
    [[nodiscard]] std::int64_t average(std::int64_t of) const { return successes > 0 ? of / successes : 0; }
};

[[nodiscard]] inline httpress_counts count_for_httpress(const result& measured) {
    httpress_counts counts;
    counts.connects = sum_of({measured.counter("connections_opened"), measured.counter("failed.connect"),
                              measured.counter("failed.ports"), measured.counter("failed.tls")});
    counts.successes = ab_complete(measured);
    counts.failures = sum_of({measured.counter("succeeded"), measured.counter("failed")}) - counts.successes;
    counts.body_bytes = measured.counter("body_bytes_received");
    counts.overhead = std::max<std::int64_t>(0, measured.counter("bytes_received") - counts.body_bytes);
    return counts;
}

/// "2 connect, 10 requests, 10 success, 0 fail, ", which the lines of a thread and of the whole have.
[[nodiscard]] inline std::string outcomes_text(const httpress_counts& counts) {
    return std::to_string(counts.connects) + " connect, " + std::to_string(counts.requests()) + " requests, " +
           std::to_string(counts.successes) + " success, " + std::to_string(counts.failures) + " fail, ";
}

[[nodiscard]] inline std::string bytes_text(const httpress_counts& counts) {
    return std::to_string(counts.body_bytes) + " bytes, " + std::to_string(counts.overhead) + " overhead\n";
}

[[nodiscard]] inline std::string httpress_threads(const result& measured) {
    std::string lines;
    for (std::size_t index = 0; index < measured.children.size(); ++index) {
        const httpress_counts counts = count_for_httpress(measured.children[index]);
        lines += "thread " + std::to_string(index + 1) + ": " + outcomes_text(counts) + bytes_text(counts);
    }
    return lines;
}

/// "10 (9)": the clients that got an answer, and those that got a tenth of an equal share, at least two.
[[nodiscard]] inline std::string real_concurrency(const result& measured, const httpress_counts& counts) {
    const distribution* answers = measured.find_distribution("answers_per_client");
    if (answers == nullptr) {
        if (counts.successes == 0) return "0 (0)";
        fail("A report as of httpress needs the answers of each client, which \"" + measured.name +
             "\" does not hold: it was measured by an older version.");
    }
    const std::int64_t clients = std::max<std::int64_t>(1, client_count(measured));
    const std::int64_t requests = find_integer(measured.parameters, "operations").value_or(counts.requests());
    const auto with_at_least = [&](std::int64_t least) {
        return std::to_string(answers->values.count_between(least, std::numeric_limits<std::int64_t>::max()));
    };
    return with_at_least(1) + " (" + with_at_least(std::max<std::int64_t>(2, requests / clients / 10)) + ")";
}

/// A number without its fraction, as httpress cuts its figures.
[[nodiscard]] inline std::string cut(double figure) {
    return figure < 9.2e18 ? std::to_string(static_cast<std::int64_t>(figure)) : format_fixed(figure, 0);
}

[[nodiscard]] inline std::string httpress_timing(const result& measured, const httpress_counts& counts) {
    constexpr double shortest = 1e-5;  // httpress's own, where its clock has not moved
    constexpr double longest = 1e12;
    const double seconds = std::clamp(ab_seconds(measured), shortest, longest);
    const auto clients = static_cast<double>(client_count(measured));
    const auto successes = static_cast<double>(counts.successes);
    const double bytes = static_cast<double>(counts.body_bytes) + static_cast<double>(counts.overhead);
    const double request_ms = counts.successes > 0 ? seconds * clients / successes * 1000 : 0;
    const auto milliseconds = static_cast<std::int64_t>(seconds * 1000);
    const std::string fraction = std::to_string(1000 + milliseconds % 1000).substr(1);
    return "TIMING:  " + std::to_string(milliseconds / 1000) + "." + fraction + " seconds, " +
           cut(successes / seconds) + " rps, " + cut(bytes / seconds / 1024) + " kbps, " +
           format_fixed(request_ms, 1) + " ms avg req time\n";
}

}  // namespace detail

/// The report of httpress 1.1, for the load of an HTTP target; fails for any other result, and for one that
/// does not tell the answers of each client. A request is a success if it was answered, whatever the status; a
/// thread is a shard. Figures are cut, not rounded, as httpress does. The block about TLS is not part of it.
[[nodiscard]] inline std::string httpress(const result& measured, const httpress_options& options) {
    using namespace detail;
    require_http_load(measured, "httpress");
    const httpress_counts counts = count_for_httpress(measured);
    std::string report;
    if (!options.quiet) {
        const std::int64_t requests = find_integer(measured.parameters, "operations").value_or(0);
        report +=
            httpress_launches(requests, 0, measured.counter("started")) + httpress_threads(measured) + "\n";
    }
    report += "TOTALS:  " + outcomes_text(counts) + real_concurrency(measured, counts) + " real concurrency\n";
    report += "TRAFFIC: " + std::to_string(counts.average(counts.body_bytes)) + " avg bytes, " +
              std::to_string(counts.average(counts.overhead)) + " avg overhead, " + bytes_text(counts);
    return report + httpress_timing(measured, counts);
}

/// As above, with the option that was kept with the result (`keep_httpress_options`).
[[nodiscard]] inline std::string httpress(const result& measured) {
    return httpress(measured, kept_httpress_options(measured));
}

}  // namespace benchkit::inline v0_1::report
