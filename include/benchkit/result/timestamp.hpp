#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1 {

namespace detail {

inline constexpr std::int64_t nanoseconds_per_second = 1'000'000'000;
inline constexpr std::int64_t seconds_per_day = 86'400;

/// A moment in UTC, taken apart.
struct calendar_time {
    std::int64_t year = 1970;
    unsigned month = 1;
    unsigned day = 1;
    unsigned weekday = 4;  ///< 0 is Sunday
    std::int64_t second_of_day = 0;
    std::int64_t nanosecond = 0;
};

[[nodiscard]] constexpr calendar_time to_utc(std::int64_t nanoseconds_since_1970) noexcept {
    using namespace std::chrono;
    const sys_time<nanoseconds> moment{nanoseconds(nanoseconds_since_1970)};
    const sys_days day = floor<days>(floor<seconds>(moment));
    const year_month_day date(day);
    const std::int64_t second = floor<seconds>(moment).time_since_epoch().count();
    calendar_time utc;
    utc.year = static_cast<int>(date.year());
    utc.month = static_cast<unsigned>(date.month());
    utc.day = static_cast<unsigned>(date.day());
    utc.weekday = weekday(day).c_encoding();
    utc.second_of_day = second - std::int64_t{day.time_since_epoch().count()} * seconds_per_day;
    utc.nanosecond =
        ((nanoseconds_since_1970 % nanoseconds_per_second) + nanoseconds_per_second) % nanoseconds_per_second;
    return utc;
}

/// Appends `value`, at least 0, with zeros in front up to `width` digits.
inline void append_padded(std::string& text, std::int64_t value, std::size_t width) {
    const std::string digits = std::to_string(value);
    if (digits.size() < width) text.append(width - digits.size(), '0');
    text += digits;
}

/// Appends the time of day as "12:00:00".
inline void append_time_of_day(std::string& text, std::int64_t second_of_day) {
    append_padded(text, second_of_day / 3600, 2);
    text += ':';
    append_padded(text, second_of_day / 60 % 60, 2);
    text += ':';
    append_padded(text, second_of_day % 60, 2);
}

/// The number in `digits` decimal digits at `from`; nothing where anything else stands there.
[[nodiscard]] constexpr std::optional<int> fixed_digits(std::string_view text, std::size_t from,
                                                        std::size_t digits) noexcept {
    if (text.size() < from + digits) return std::nullopt;
    int value = 0;
    for (const char character : text.substr(from, digits)) {
        if (character < '0' || character > '9') return std::nullopt;
        value = value * 10 + (character - '0');
    }
    return value;
}

/// Nanoseconds of ".5" to ".123456789"; 0 of an empty text.
[[nodiscard]] constexpr std::optional<std::int64_t> parse_fraction(std::string_view text) noexcept {
    if (text.empty()) return 0;
    if (text.size() < 2 || text.size() > 10 || text.front() != '.') return std::nullopt;
    std::int64_t value = 0;
    for (std::size_t place = 1; place <= 9; ++place) {
        const char digit = place < text.size() ? text[place] : '0';
        if (digit < '0' || digit > '9') return std::nullopt;
        value = value * 10 + (digit - '0');
    }
    return value;
}

}  // namespace detail

/// A moment, given in ns since 1970-01-01T00:00:00Z, as ISO 8601 in UTC: "2026-01-31T12:00:00Z", with a
/// fraction of nine digits where it is no whole second.
[[nodiscard]] inline std::string format_timestamp(std::int64_t nanoseconds_since_1970) {
    const detail::calendar_time utc = detail::to_utc(nanoseconds_since_1970);
    std::string text;
    detail::append_padded(text, utc.year, 4);
    text += '-';
    detail::append_padded(text, utc.month, 2);
    text += '-';
    detail::append_padded(text, utc.day, 2);
    text += 'T';
    detail::append_time_of_day(text, utc.second_of_day);
    if (utc.nanosecond != 0) {
        text += '.';
        detail::append_padded(text, utc.nanosecond, 9);
    }
    return text += 'Z';
}

/// Reads what `format_timestamp` writes, with one to nine digits of a fraction. Nothing where the text is
/// anything else or the moment lies outside the years 1678 to 2261, all of which 64 bits of nanoseconds hold.
[[nodiscard]] constexpr std::optional<std::int64_t> parse_timestamp(std::string_view text) noexcept {
    using namespace std::chrono;
    constexpr std::size_t whole = std::string_view("2026-01-31T12:00:00").size();
    if (text.size() <= whole || text.back() != 'Z') return std::nullopt;
    const auto year_part = detail::fixed_digits(text, 0, 4);
    const auto month_part = detail::fixed_digits(text, 5, 2);
    const auto day_part = detail::fixed_digits(text, 8, 2);
    const auto hour_part = detail::fixed_digits(text, 11, 2);
    const auto minute_part = detail::fixed_digits(text, 14, 2);
    const auto second_part = detail::fixed_digits(text, 17, 2);
    const auto fraction = detail::parse_fraction(text.substr(whole, text.size() - whole - 1));
    const bool shaped =
        text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':';
    if (!shaped || !year_part || !month_part || !day_part || !hour_part || !minute_part || !second_part ||
        !fraction) {
        return std::nullopt;
    }
    const year_month_day date(year(*year_part), month(static_cast<unsigned>(*month_part)),
                              day(static_cast<unsigned>(*day_part)));
    if (!date.ok() || *hour_part > 23 || *minute_part > 59 || *second_part > 59) return std::nullopt;
    if (*year_part < 1678 || *year_part > 2261) return std::nullopt;
    const std::int64_t day_number = sys_days(date).time_since_epoch().count();
    const std::int64_t second_of_day = *hour_part * 3600 + *minute_part * 60 + *second_part;
    return (day_number * detail::seconds_per_day + second_of_day) * detail::nanoseconds_per_second + *fraction;
}

}  // namespace benchkit::inline v0_1
