#pragma once

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <benchkit/core/decimal.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/load/arrivals.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// The whole nanoseconds nearest to a number of seconds; nothing where it is negative or more than 290 years.
/// From the decimal digits, so that 0.3 s are 300,000,000 ns exactly.
[[nodiscard]] inline std::optional<std::chrono::nanoseconds> seconds_in_nanoseconds(double seconds) noexcept {
    const auto fraction = to_decimal(seconds);
    if (!fraction || seconds > static_cast<double>(longest_arrivals.count())) return std::nullopt;
    const int surplus = fraction->places - 9;
    std::uint64_t count = 0;
    if (surplus <= 0) {
        count = fraction->digits * power_of_ten(-surplus);
    } else if (surplus <= 18) {  // otherwise it rounds to 0
        const std::uint64_t divisor = power_of_ten(surplus);
        count = (fraction->digits + divisor / 2) / divisor;
    }
    return std::chrono::nanoseconds(static_cast<std::int64_t>(count));
}

/// A line without its comment and without blanks around.
[[nodiscard]] inline std::string_view trace_entry(std::string_view line) noexcept {
    constexpr std::string_view blanks = " \t\r";
    line = line.substr(0, line.find('#'));
    const std::size_t start = line.find_first_not_of(blanks);
    if (start == std::string_view::npos) return {};
    return line.substr(start, line.find_last_not_of(blanks) - start + 1);
}

}  // namespace detail

/// Reads a trace from a file: a number of seconds since the start of the run on each line, ascending, where
/// equal ones may follow each other. Blank lines are skipped, and so is what follows a '#'. Times are rounded
/// to the nearest nanosecond. Fails by the name of `option`, with the number of the line, where the file is
/// anything else; `value` is what the option was given.
[[nodiscard]] inline trace read_trace(std::string_view option, std::string_view value,
                                      const std::string& file) {
    const auto refuse = [&](std::string problem) {
        fail_option(
            std::string(option), std::string(value),
            problem + "; allowed is one time a line, in ascending seconds since the start, such as 0.25");
    };
    errno = 0;
    std::ifstream input(file, std::ios::binary);
    const auto refuse_file = [&] {
        const int problem = errno != 0 ? errno : EIO;
        refuse(file + " cannot be read: " + std::generic_category().message(problem));
    };
    if (!input) refuse_file();
    trace::times times;
    std::string line;
    std::int64_t number = 0;
    std::string last;
    while (std::getline(input, line)) {
        ++number;
        const std::string_view entry = detail::trace_entry(line);
        if (entry.empty()) continue;
        const auto refuse_line = [&](const std::string& problem) {
            refuse("line " + std::to_string(number) + " of " + file + ", \"" +
                   std::string(entry.substr(0, 40)) + "\", " + problem);
        };
        const auto seconds = parse_number(entry);
        if (!seconds) refuse_line("is no number of seconds");
        const auto time = detail::seconds_in_nanoseconds(*seconds);
        if (!time) refuse_line(*seconds < 0 ? "is negative" : "is more than 290 years");
        if (!times.empty() && *time < times.back()) refuse_line("is before " + last + ", which it follows");
        times.push_back(*time);
        last = entry;
    }
    if (input.bad()) refuse_file();
    if (times.empty()) refuse(file + " has no times");
    return trace(std::move(times), file);
}

}  // namespace benchkit::inline v0_1
