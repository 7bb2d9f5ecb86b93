#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/result/print_tables.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/result/wording.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Bytes per second of the span: "633 KiB/s".
[[nodiscard]] inline std::string transfer_text(std::int64_t bytes, double seconds) {
    const double per_second = static_cast<double>(bytes) / seconds;
    if (!(seconds > 0) || !(std::abs(per_second) < 9e18)) return not_available;
    return format_byte_size(std::llround(per_second)) + "/s";
}

/// Appends ", phrase", or "phrase" where `list` is empty.
inline void append_phrase(std::string& list, std::string_view phrase) {
    if (phrase.empty()) return;
    if (!list.empty()) list += ", ";
    list += phrase;
}

/// What kind of load it was: "closed loop, 10 clients, 1 shard, keep-alive, HTTP/1.1, 5,000 operations".
[[nodiscard]] inline std::string setting_text(const attributes& parameters) {
    std::string text;
    const std::string loop = find_text(parameters, "loop");
    if (!loop.empty()) append_phrase(text, printable(loop) + " loop");
    if (const auto clients = find_integer(parameters, "clients")) {
        append_phrase(text, counted(*clients, "client", "clients"));
    }
    if (const auto connections = find_integer(parameters, "connections")) {
        append_phrase(text, "arrivals " + printable(find_text(parameters, "arrivals")));
        append_phrase(text, counted(*connections, "connection", "connections"));
    }
    if (const auto shards = find_integer(parameters, "shards"))
        append_phrase(text, counted(*shards, "shard", "shards"));
    if (const auto think = find_number(parameters, "think_time_seconds"); think && *think > 0) {
        append_phrase(text, time_text(*think * 1e9) + " of think time");
    }
    const std::string version = find_text(parameters, "http_version");
    if (!version.empty()) append_phrase(text, "HTTP/" + printable(version));
    if (const auto kept = find_truth(parameters, "keep_alive")) {
        append_phrase(text, *kept ? "keep-alive" : "a connection per request");
    }
    if (const auto pipeline = find_integer(parameters, "pipeline"); pipeline && *pipeline > 1) {
        append_phrase(text, "pipelines of " + std::to_string(*pipeline));
    }
    if (const auto operations = find_integer(parameters, "operations")) {
        append_phrase(text, operations_text(*operations));
    }
    if (const auto duration = find_number(parameters, "duration_seconds")) {
        append_phrase(text, "for " + time_text(*duration * 1e9));
    }
    if (const auto warmup = find_number(parameters, "warmup_seconds"); warmup && *warmup > 0) {
        append_phrase(text, "after " + time_text(*warmup * 1e9) + " of warm-up");
    }
    return text;
}

inline void append_heading(std::string& page, const result& measured) {
    const std::string name = printable(measured.name.empty() ? measured.kind : measured.name);
    append_wrapped(page, name.empty() ? "a result without a name" : name, 0);
    const std::string url = printable(find_text(measured.parameters, "url"));
    if (!url.empty() && name.find(url) == std::string::npos) {
        append_wrapped(page, printable(find_text(measured.parameters, "method")) + ' ' + url, 0);
    }
    const std::string setting = setting_text(measured.parameters);
    if (!setting.empty()) append_wrapped(page, setting, 0);
    if (find_truth(measured.parameters, "simulated").value_or(false)) {
        page += "simulated: in virtual time, from a model; nothing here was measured\n";
    }
}

/// A moment without its fraction of a second.
[[nodiscard]] constexpr std::int64_t whole_second(std::int64_t nanoseconds) noexcept {
    return nanoseconds - nanoseconds % nanoseconds_per_second;
}

inline void append_pace(std::string& page, const result& measured) {
    const double seconds = measured.elapsed_seconds;
    if (measured.rate) append_line(page, "rate", rate_text(measured.rate) + " succeeded");
    if (measured.counters.contains("bytes_received")) {
        append_line(page, "transfer",
                    transfer_text(measured.counter("bytes_received"), seconds) + " received, " +
                        transfer_text(measured.counter("bytes_sent"), seconds) + " sent");
    }
    if (seconds == 0 && measured.started_at == 0) return;
    std::string span = time_text(seconds * 1e9);
    if (measured.started_at != 0) span += " from " + format_timestamp(whole_second(measured.started_at));
    const std::string ended_by = printable(find_text(measured.attributes, "ended_by"));
    if (!ended_by.empty()) span += ", ended by " + ended_by;
    append_line(page, "span", span);
}

/// The counters of a group, the largest first: "4,998 x 200, 2 x 503" of "status.".
[[nodiscard]] inline std::string group_text(const counters& all, std::string_view group,
                                            std::string_view times) {
    std::vector<std::pair<std::int64_t, std::string_view>> counts;
    for (const auto& [name, count] : all) {
        if (name.starts_with(group) && count != 0)
            counts.emplace_back(count, std::string_view(name).substr(group.size()));
    }
    std::stable_sort(counts.begin(), counts.end(),
                     [](const auto& left, const auto& right) { return left.first > right.first; });
    std::string text;
    for (const auto& [count, name] : counts)
        append_phrase(text, format_count(count).append(times).append(printable(name)));
    return text;
}

[[nodiscard]] inline std::string outcome_text(const result& measured, const std::string& prefix) {
    const auto count = [&](const char* name) { return format_count(measured.counter(prefix + name)); };
    return count("started") + " started: " + count("succeeded") + " succeeded, " + count("failed") +
           " failed, " + count("unfinished") + " unfinished";
}

inline void append_counts(std::string& page, const result& measured) {
    if (measured.counters.contains("scheduled")) {
        append_line(page, "operations",
                    format_count(measured.counter("scheduled")) +
                        " scheduled: " + format_count(measured.counter("started")) + " started, " +
                        format_count(measured.counter("not_started")) + " not started");
        append_line(page, "", outcome_text(measured, ""));
        if (const std::int64_t waited = measured.counter("waited_for_connection"); waited > 0) {
            append_line(page, "", format_count(waited) + " waited until a connection was free");
        }
    }
    if (measured.counter("warmup.started") > 0) append_line(page, "warm-up", outcome_text(measured, "warmup."));
    append_line(page, "failures", failures_text(measured));
    append_line(page, "errors", group_text(measured.counters, "errors.", " "));
    append_line(page, "first error", printable(find_text(measured.attributes, "first_error")));
    append_line(page, "statuses", group_text(measured.counters, "status.", " x "));
    if (!measured.counters.contains("bytes_received")) return;
    append_line(page, "traffic",
                format_byte_size(measured.counter("bytes_received")) + " received, of which " +
                    format_byte_size(measured.counter("body_bytes_received")) + " are bodies; " +
                    format_byte_size(measured.counter("bytes_sent")) + " sent");
    append_line(page, "connections",
                format_count(measured.counter("connections_opened")) + " opened, " +
                    counted(measured.counter("kept_alive"), "answer", "answers") + " kept alive");
    append_line(page, "server", printable(find_text(measured.attributes, "http.server")));
}

inline void append_comparisons(std::string& page, const result& measured) {
    for (const comparison& compared : measured.comparisons) {
        const auto figure = [](double value) {
            return std::isfinite(value) ? format_fixed(value, 3) : not_available;
        };
        std::string text(to_string(compared.verdict));
        text += compared.ratio ? ": " + figure(*compared.ratio) + " times the base" : ": no ratio";
        if (compared.interval) {
            text += ", " + figure(compared.interval->low) + " to " + figure(compared.interval->high) + " at " +
                    percent(compared.confidence);
        }
        if (!compared.basis.empty()) text += " (" + printable(compared.basis) + ')';
        append_line(page, "comparison", text);
    }
}

inline void append_resources(std::string& page, const result& measured) {
    if (!measured.resources) return;
    const run_resources& used = *measured.resources;
    std::string text = time_text(used.user_seconds * 1e9) + " user and " +
                       time_text(used.system_seconds * 1e9) + " system CPU";
    const double share = (used.user_seconds + used.system_seconds) / used.wall_seconds;
    if (used.wall_seconds > 0 && std::isfinite(share))
        text += " in " + time_text(used.wall_seconds * 1e9) + " (" + percent(share) + ')';
    text += ", " + format_byte_size(used.max_rss_bytes) + " peak memory, " +
            format_count(used.voluntary_switches) + " voluntary and " +
            format_count(used.involuntary_switches) + " involuntary switches";
    append_line(page, "resources", text);
}

inline void append_machine(std::string& page, const result& measured) {
    std::string text = printable(find_text(measured.environment, "cpu"));
    if (const auto cpus = find_integer(measured.environment, "cpus"))
        append_phrase(text, counted(*cpus, "processor", "processors"));
    append_phrase(text, printable(find_text(measured.environment, "kernel")));
    append_phrase(text, printable(find_text(measured.environment, "compiler")));
    append_line(page, "machine", text);
}

inline void append_diagnostics(std::string& page, const result& measured, std::string_view of) {
    for (const diagnostic& judged : measured.diagnostics) {
        const std::string sentence = std::string(to_string(judged.severity)) + ": " + std::string(of) +
                                     printable(judged.message) + " [" + printable(judged.code) + ']';
        append_wrapped(page, sentence, 2);
    }
    for (const result& child : measured.children) append_diagnostics(page, child, printable(child.name) + ": ");
}

/// Appends a part of the report behind a blank line; nothing where there is nothing to tell.
template <class Append>
void append_part(std::string& page, const Append& append) {
    const std::size_t before = page.size();
    page += '\n';
    append();
    if (page.size() == before + 1) page.resize(before);
}

}  // namespace detail

/// A result as a report for people: what was done, how fast, the times with their percentiles, the books, what
/// failed and why, what it took, and last what the result says against itself. Lines end without blanks. A
/// percentile that too few values support is "n/a".
[[nodiscard]] inline std::string to_text(const result& measured) {
    std::string page;
    detail::append_heading(page, measured);
    detail::append_part(page, [&] { detail::append_pace(page, measured); });
    detail::append_distributions(page, measured);
    detail::append_part(page, [&] { detail::append_failed_times(page, measured); });
    detail::append_part(page, [&] { detail::append_steps(page, measured); });
    detail::append_part(page, [&] { detail::append_samples(page, measured); });
    detail::append_part(page, [&] { detail::append_children(page, measured); });
    detail::append_part(page, [&] {
        detail::append_comparisons(page, measured);
        detail::append_counts(page, measured);
        detail::append_resources(page, measured);
        detail::append_machine(page, measured);
    });
    detail::append_part(page, [&] { detail::append_diagnostics(page, measured, ""); });
    return page;
}

/// Prints `to_text`.
inline std::ostream& operator<<(std::ostream& stream, const result& measured) {
    return stream << to_text(measured);
}

}  // namespace benchkit::inline v0_1
