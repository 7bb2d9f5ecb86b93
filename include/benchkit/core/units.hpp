#pragma once

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

struct unit {
    std::string_view name;
    double size;   // in the smallest unit of its kind
    int tens = 0;  // where the size is this power of ten and fractions of it are to be exact
};

inline constexpr std::array<unit, 7> time_units{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
inline constexpr std::array<unit, 5> count_units{
    {{"", 1}, {"k", 1e3, 3}, {"K", 1e3, 3}, {"M", 1e6, 6}, {"G", 1e9, 9}}};
inline constexpr std::array<unit, 15> byte_units{{{"", 1},
                                                  {"B", 1},
                                                  {"k", 1024.0},
                                                  {"K", 1024.0},
                                                  {"kB", 1024.0},
                                                  {"KB", 1024.0},
                                                  {"KiB", 1024.0},
                                                  {"M", 1048576.0},
                                                  {"MB", 1048576.0},
                                                  {"MiB", 1048576.0},
                                                  {"G", 1073741824.0},
                                                  {"GB", 1073741824.0},
                                                  {"GiB", 1073741824.0},
                                                  {"TB", 1099511627776.0},
                                                  {"TiB", 1099511627776.0}}};

inline constexpr std::array<unit, 6> printed_time_units{
    {{" ns", 1}, {" us", 1e3}, {" ms", 1e6}, {" s", 1e9}, {" min", 60e9}, {" h", 3600e9}}};
inline constexpr std::array<unit, 5> printed_byte_units{
    {{" B", 1}, {" KiB", 1024.0}, {" MiB", 1048576.0}, {" GiB", 1073741824.0}, {" TiB", 1099511627776.0}}};

/// The number in `text`, which is `value`, in the smallest unit. The product of 16.1 and 1000 is
/// 16100.000000000002: with a power of ten, the decimal point moves instead.
[[nodiscard]] inline double in_smallest_unit(std::string_view text, double value, const unit& of) {
    if (of.tens == 0 || text.find_first_of("eE") != std::string_view::npos) return value * of.size;
    const auto moved = parse_number(std::string(text) + "e" + std::to_string(of.tens));
    return moved ? *moved : std::numeric_limits<double>::infinity();
}

/// As `take_number`; one that is too large for a double is infinite.
[[nodiscard]] inline std::optional<double> take_any_number(std::string_view& text) noexcept {
    if (const auto number = take_number(text)) return number;
    double ignored = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), ignored);
    const std::string_view digits = text.substr(0, static_cast<std::size_t>(read.ptr - text.data()));
    if (read.ec != std::errc::result_out_of_range || digits.find('-') != std::string_view::npos) {
        return std::nullopt;
    }
    text.remove_prefix(digits.size());
    return std::numeric_limits<double>::infinity();
}

/// A number and one of `units`, perhaps with a space between, in the smallest unit; infinite where it is too
/// large. Nothing where it is anything else or negative.
[[nodiscard]] inline std::optional<double> parse_quantity(std::string_view text, std::span<const unit> units) {
    const std::string_view whole = text;
    const auto number = take_any_number(text);
    if (!number || std::signbit(*number)) return std::nullopt;
    const std::string_view digits = whole.substr(0, whole.size() - text.size());
    if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
    for (const unit& candidate : units) {
        if (candidate.name == text) return in_smallest_unit(digits, *number, candidate);
    }
    return std::nullopt;
}

inline constexpr double most_whole = 9.2e18;
inline constexpr double longest_time = 290.0 * 365 * 24 * 3600e9;

/// As `parse_quantity`, for a whole number of the smallest unit.
[[nodiscard]] inline std::optional<std::int64_t> parse_whole_quantity(std::string_view text,
                                                                      std::span<const unit> units) {
    if (const auto plain = parse_integer(text)) return *plain < 0 ? std::nullopt : plain;
    const auto value = parse_quantity(text, units);
    if (!value || *value > most_whole || std::floor(*value) != *value) return std::nullopt;
    return static_cast<std::int64_t>(*value);
}

/// Whether `text` is what `parse_quantity` reads, and more than `most`.
[[nodiscard]] inline bool is_too_much(std::string_view text, std::span<const unit> units, double most) {
    const auto value = parse_quantity(text, units);
    return value && *value > most;
}

/// A number of at least 0 with three significant digits: "4.69", "12.3", "523".
[[nodiscard]] inline std::string three_digits(double value) {
    return format_fixed(value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
}

/// `value`, which is whole, in the largest of `units` of which it has one or more.
[[nodiscard]] inline std::string format_quantity(double value, std::span<const unit> units) {
    const double magnitude = std::abs(value);
    std::size_t chosen = 0;
    // 0.9995 of a unit already prints as 1.00 of it.
    while (chosen + 1 < units.size() && magnitude >= 0.9995 * units[chosen + 1].size) ++chosen;
    std::string text = value < 0 ? "-" : "";
    text += chosen == 0 ? format_fixed(magnitude, 0) : three_digits(magnitude / units[chosen].size);
    return text.append(units[chosen].name);
}

/// A length of time without loss: in seconds where it is whole, otherwise in the largest unit in which it is.
[[nodiscard]] inline std::string exact_duration(std::chrono::nanoseconds value) {
    struct whole_unit {
        std::int64_t size;
        std::string_view name;
    };
    constexpr std::array<whole_unit, 4> units{
        {{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "us"}, {1, "ns"}}};
    std::size_t chosen = 0;
    while (value.count() % units[chosen].size != 0) ++chosen;
    return std::to_string(value.count() / units[chosen].size).append(units[chosen].name);
}

}  // namespace detail

/// The length of time that makes up the whole of `text`, in the form that `parse_duration` takes; nothing where
/// it is anything else.
[[nodiscard]] inline std::optional<duration> find_duration(std::string_view text) {
    const auto nanoseconds = text == "0" ? 0.0 : detail::parse_quantity(text, detail::time_units);
    if (!nanoseconds || *nanoseconds > detail::longest_time) return std::nullopt;
    return std::chrono::nanoseconds(std::llround(*nanoseconds));
}

/// Reads a length of time: a number and one of ns, us, ms, s, m (or min), h, such as "500ms", "0.5s" or "1.50
/// min"; a plain "0" is zero. Fails by the name of `option` where `text` is anything else, is negative or is
/// longer than 290 years. Rounds to whole nanoseconds.
[[nodiscard]] inline duration parse_duration(std::string_view option, std::string_view text) {
    const auto length = find_duration(text);
    if (!length) {
        fail_option(std::string(option), std::string(text),
                    detail::is_too_much(text, detail::time_units, detail::longest_time)
                        ? "this is too long: allowed is at most 2540400h, which are 290 years"
                        : "allowed is a number with a unit, such as 500ms, 2s, 1m or 1h");
    }
    return *length;
}

/// The rate, 0 included, that makes up the whole of `text`, in the form that `parse_rate` takes; nothing where
/// it is anything else.
[[nodiscard]] inline std::optional<rate> find_rate(std::string_view text) {
    if (text.ends_with("/s")) text.remove_suffix(2);
    const auto per_second = detail::parse_quantity(text, detail::count_units);
    if (!per_second || !std::isfinite(*per_second)) return std::nullopt;
    return *per_second;
}

/// Reads a rate: a number above 0, perhaps with k, M or G for thousands, millions or billions, perhaps with
/// "/s" behind, such as "5000", "2.5k" or "1M/s". Fails by the name of `option` otherwise.
[[nodiscard]] inline rate parse_rate(std::string_view option, std::string_view text) {
    const auto per_second = find_rate(text);
    if (!per_second || !(per_second->per_second > 0)) {
        fail_option(std::string(option), std::string(text),
                    "allowed is a number of operations per second above 0 and below 1e308, such as 5000, 2.5k "
                    "or 1M");
    }
    return *per_second;
}

/// Reads a number of bytes: a number, perhaps with B, KB, MB, GB or TB (also K, M, G, and KiB, MiB, GiB, TiB),
/// which are powers of 1024, such as "4096", "64MB" or "1.5 KiB". Fails by the name of `option` where it is
/// anything else, negative or no whole number of bytes.
[[nodiscard]] inline std::int64_t parse_byte_size(std::string_view option, std::string_view text) {
    const auto bytes = detail::parse_whole_quantity(text, detail::byte_units);
    if (!bytes) {
        fail_option(
            std::string(option), std::string(text),
            detail::is_too_much(text, detail::byte_units, detail::most_whole)
                ? "this is too much: allowed is at most 9223372036854775807 bytes"
                : "allowed is a whole number of bytes, such as 4096, 64KB, 10MB or 1GB (powers of 1024)");
    }
    return *bytes;
}

/// The count that makes up the whole of `text`, in the form that `parse_count` takes; nothing where it is
/// anything else.
[[nodiscard]] inline std::optional<std::int64_t> find_count(std::string_view text) {
    return detail::parse_whole_quantity(text, detail::count_units);
}

/// Reads a count: a whole number of 0 or more, perhaps with k, M or G for thousands, millions or billions, such
/// as "5000", "10k" or "1.5M". Fails by the name of `option` otherwise.
[[nodiscard]] inline std::int64_t parse_count(std::string_view option, std::string_view text) {
    const auto count = find_count(text);
    if (!count) {
        fail_option(std::string(option), std::string(text),
                    detail::is_too_much(text, detail::count_units, detail::most_whole)
                        ? "this is too much: allowed is at most 9223372036854775807"
                        : "allowed is a whole number, such as 5000, 10k or 1M");
    }
    return *count;
}

/// A length of time for people, with three significant digits: "523 ns", "12.3 us", "4.69 s", "2.50 min".
/// `parse_duration` reads it back.
[[nodiscard]] inline std::string format_duration(std::chrono::nanoseconds value) {
    return detail::format_quantity(static_cast<double>(value.count()), detail::printed_time_units);
}

/// A number of bytes for people, in powers of 1024: "512 B", "2.90 MiB". `parse_byte_size` reads the form.
[[nodiscard]] inline std::string format_byte_size(std::int64_t bytes) {
    return detail::format_quantity(static_cast<double>(bytes), detail::printed_byte_units);
}

/// A count for people, with commas between thousands: "1,000,000".
[[nodiscard]] inline std::string format_count(std::int64_t count) {
    std::string digits = std::to_string(count);
    const std::size_t first = count < 0 ? 1 : 0;
    for (std::size_t place = digits.size(); place > first + 3; place -= 3) digits.insert(place - 3, 1, ',');
    return digits;
}

/// A rate for people: "1,065/s", "106.5/s", "12.34/s".
[[nodiscard]] inline std::string format_rate(double per_second) {
    const double magnitude = std::abs(per_second);
    // Above 1,000 the count's form, as far as it goes.
    if (magnitude >= 999.95 && magnitude < 9.2e18) return format_count(std::llround(per_second)) + "/s";
    return format_fixed(per_second, magnitude >= 99.995 ? 1 : 2) + "/s";
}

}  // namespace benchkit::inline v0_1
