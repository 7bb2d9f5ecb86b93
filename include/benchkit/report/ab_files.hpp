#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/report/ab_figures.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1::report {

namespace detail {

/// "Mon Jan 01 00:00:00 2024", in UTC, so that the same result gives the same text everywhere; ab takes local
/// time.
[[nodiscard]] inline std::string ab_time_text(std::int64_t seconds_since_1970) {
    constexpr std::array<std::string_view, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
    constexpr std::array<std::string_view, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    constexpr std::int64_t last = 9'223'372'036;  // year 2262, the end of 64 bits of nanoseconds
    using namespace benchkit::detail;
    const std::int64_t seconds = std::clamp(seconds_since_1970, -last, last);
    const calendar_time utc = to_utc(seconds * nanoseconds_per_second);
    std::string text;
    text.append(days[utc.weekday]).append(" ").append(months[utc.month - 1]).append(" ");
    append_padded(text, utc.day, 2);
    text += ' ';
    append_time_of_day(text, utc.second_of_day);
    return text.append(" ").append(std::to_string(utc.year));
}

/// One answered operation, in us.
struct ab_record {
    std::int64_t started_at = 0;
    std::int64_t connect = 0;
    std::int64_t processing = 0;
    std::int64_t total = 0;
    std::int64_t waiting = 0;
};

[[nodiscard]] inline std::vector<ab_record> ab_records(const result& measured) {
    std::vector<ab_record> records;
    records.reserve(measured.records.size());
    for (const record& one : measured.records) {
        const auto figure = [&one](const char* name) { return find_integer(one, name).value_or(0); };
        records.push_back({figure("started_at_us"), figure("connect_us"), figure("processing_us"),
                           figure("total_us"), figure("waiting_us")});
    }
    std::stable_sort(records.begin(), records.end(),
                     [](const ab_record& left, const ab_record& right) { return left.total < right.total; });
    return records;
}

}  // namespace detail

/// The file of ab's -e: for 0 to 100 percent of the requests, within how many ms they were served; by right
/// ranks. Empty where no request was answered, as ab then writes no file.
[[nodiscard]] inline std::string ab_csv(const result& measured) {
    detail::require_http_load(measured, "ab");
    const histogram total = detail::ab_total(measured);
    if (total.count() == 0) return {};
    std::string csv = "Percentage served,Time in ms\n";
    for (int percentage = 0; percentage <= 100; ++percentage) {
        // ab measures in whole microseconds.
        const std::int64_t microseconds = total.value_at_percentile(percentage) / 1000;
        csv +=
            std::to_string(percentage) + ',' + format_fixed(static_cast<double>(microseconds) / 1000, 3) + '\n';
    }
    return csv;
}

/// The file of ab's -g: a line for each answered request, by its records, in the order of their total times.
[[nodiscard]] inline std::string ab_gnuplot(const result& measured) {
    constexpr std::int64_t million = 1'000'000;
    detail::require_http_load(measured, "ab");
    std::string table = "starttime\tseconds\tctime\tdtime\tttime\twait\n";
    for (const detail::ab_record& one : detail::ab_records(measured)) {
        const std::int64_t second = one.started_at / million - (one.started_at % million < 0 ? 1 : 0);
        table += detail::ab_time_text(second) + '\t' + std::to_string(second);
        for (const std::int64_t microseconds : {one.connect, one.processing, one.total, one.waiting}) {
            table += '\t' + std::to_string(detail::ab_milliseconds(microseconds));
        }
        table += '\n';
    }
    return table;
}

}  // namespace benchkit::inline v0_1::report
