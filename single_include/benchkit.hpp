// benchkit 0.1.0, all headers in one. Made from include/ by tools/amalgamate.py: change those instead.
//
// Distributed under the Boost Software License, Version 1.0: see LICENSE or https://www.boost.org/LICENSE_1_0.txt

#pragma once

// ---------- benchkit/core/base64.hpp

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1 {

namespace detail {

inline constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::uint8_t base64_no_digit = 64;

/// The value of each character as a digit.
inline constexpr auto base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(base64_no_digit);
    for (std::size_t digit = 0; digit < base64_alphabet.size(); ++digit) {
        values[static_cast<unsigned char>(base64_alphabet[digit])] = static_cast<std::uint8_t>(digit);
    }
    return values;
}();

}  // namespace detail

/// `bytes` as base64 text with padding and without line breaks (RFC 4648, section 4).
[[nodiscard]] inline std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t start = 0; start < bytes.size(); start += 3) {
        const std::string_view group = bytes.substr(start, 3);
        std::uint32_t bits = 0;
        for (std::size_t place = 0; place < 3; ++place) {
            bits = (bits << 8) | (place < group.size() ? static_cast<unsigned char>(group[place]) : 0U);
        }
        for (std::size_t place = 0; place < 4; ++place) {
            const bool padding = place > group.size();
            text.push_back(padding ? '=' : detail::base64_alphabet[(bits >> (18 - 6 * place)) & 63U]);
        }
    }
    return text;
}

/// The bytes that `text` encodes. Nothing where it is no canonical base64 with padding: another character,
/// a wrong length, or bits set that encode nothing.
[[nodiscard]] inline std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int waiting = 0;  // bits that do not make a byte yet
    for (const char character : text.substr(0, text.size() - padding)) {
        const std::uint8_t digit = detail::base64_values[static_cast<unsigned char>(character)];
        if (digit == detail::base64_no_digit) return std::nullopt;
        bits = ((bits << 6) | digit) & 0xFFFFU;
        waiting += 6;
        if (waiting < 8) continue;
        waiting -= 8;
        bytes.push_back(static_cast<char>(bits >> waiting));
    }
    if ((bits & ((1U << waiting) - 1)) != 0) return std::nullopt;
    return bytes;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/bytes.hpp

namespace benchkit::inline v0_1 {

/// Appends the last `size` (1 to 8) bytes of `value`, the most significant first.
inline void append_big_endian(std::string& bytes, std::uint64_t value, int size) {
    for (int place = size - 1; place >= 0; --place) bytes.push_back(static_cast<char>(value >> (8 * place)));
}

/// The first `size` bytes of `bytes`, which are then cut off it. Nothing, and `bytes` as it was, where it is
/// shorter.
[[nodiscard]] constexpr std::optional<std::string_view> take_bytes(std::string_view& bytes,
                                                                   std::size_t size) noexcept {
    if (bytes.size() < size) return std::nullopt;
    const std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return taken;
}

/// As `take_bytes`, for an integer of 1 to 8 bytes, the most significant first.
[[nodiscard]] constexpr std::optional<std::uint64_t> take_big_endian(std::string_view& bytes,
                                                                     std::size_t size) noexcept {
    const auto taken = take_bytes(bytes, size);
    if (!taken) return std::nullopt;
    std::uint64_t value = 0;
    for (const char byte : *taken) value = (value << 8) | static_cast<unsigned char>(byte);
    return value;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/clock.hpp

#include <chrono>

namespace benchkit::inline v0_1 {

/// The clock of all measurements: monotonic, nanoseconds since an arbitrary origin. In virtual time the same
/// type counts from 0.
struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock, duration>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept {
        return time_point(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
    }
};

using time_point = clock::time_point;

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/duration.hpp

#include <concepts>
#include <limits>
#include <type_traits>

namespace benchkit::inline v0_1 {

namespace detail {

/// Nanoseconds of any standard duration; what does not fit, saturates; NaN becomes the smallest value, so
/// that every later check refuses it.
template <class Rep, class Period>
[[nodiscard]] constexpr std::chrono::nanoseconds saturated_nanoseconds(std::chrono::duration<Rep, Period> value) noexcept {
    constexpr double limit = 9.2e18;
    const double nanoseconds = std::chrono::duration<double, std::nano>(value).count();
    if (nanoseconds >= limit) return std::chrono::nanoseconds::max();
    if (!(nanoseconds > -limit)) return std::chrono::nanoseconds::min();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(value);
}

}  // namespace detail

/// A length of time in whole nanoseconds, made from any standard duration (`20s`, `0.5s`, `-1ms`). The
/// functions that take one refuse a value that makes no sense, by name.
struct duration : std::chrono::nanoseconds {
    constexpr duration() noexcept : std::chrono::nanoseconds(0) {}

    template <class Rep, class Period>
    constexpr duration(std::chrono::duration<Rep, Period> value) noexcept
        : std::chrono::nanoseconds(detail::saturated_nanoseconds(value)) {}

    /// The length in seconds.
    [[nodiscard]] constexpr double seconds() const noexcept { return static_cast<double>(count()) * 1e-9; }
};

/// A number of operations per second, made from any number. The functions that take one refuse what is not
/// a positive finite number, by name.
struct rate {
    double per_second = 0;

    constexpr rate() noexcept = default;

    template <class Number>
        requires std::is_arithmetic_v<Number>
    constexpr rate(Number value) noexcept : per_second(static_cast<double>(value)) {}

    friend constexpr bool operator==(const rate&, const rate&) noexcept = default;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/error.hpp

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <utility>

namespace benchkit::inline v0_1 {

/// What benchkit throws: a wrong configuration, found before anything starts, or a broken invariant.
/// `what()` is one sentence. Where one option is to blame, `option()`, `value()` and `allowed()` name it.
class error : public std::runtime_error {
  public:
    explicit error(const std::string& sentence) : std::runtime_error(sentence) {}

    error(std::string option, std::string value, std::string allowed)
        : std::runtime_error(sentence(option, value, allowed)),
          option_(std::move(option)),
          value_(std::move(value)),
          allowed_(std::move(allowed)) {}

    /// The option to blame; empty where none is.
    [[nodiscard]] const std::string& option() const noexcept { return option_; }
    /// The value that was given.
    [[nodiscard]] const std::string& value() const noexcept { return value_; }
    /// What would have been allowed.
    [[nodiscard]] const std::string& allowed() const noexcept { return allowed_; }

    /// The sentence for an option, its value and what is allowed; also used with an option's other name.
    [[nodiscard]] static std::string sentence(std::string_view option, std::string_view value,
                                              std::string_view allowed) {
        std::string text(option);
        if (!value.empty()) text.append(" = ").append(value);
        return text.append(": ").append(allowed);
    }

  private:
    std::string option_;
    std::string value_;
    std::string allowed_;
};

namespace detail {

[[noreturn]] inline void raise(const error& problem) {
#if defined(__cpp_exceptions)
    throw problem;
#else
    std::fprintf(stderr, "benchkit: %s\n", problem.what());
    std::abort();
#endif
}

}  // namespace detail

/// Throws `error` with this sentence; where exceptions are off, prints it and aborts.
[[noreturn]] inline void fail(const std::string& sentence) { detail::raise(error(sentence)); }

/// As `fail`, for a wrong value of one option: "clients = 0: allowed is 1 or more".
[[noreturn]] inline void fail_option(std::string option, std::string value, std::string allowed) {
    detail::raise(error(std::move(option), std::move(value), std::move(allowed)));
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/number.hpp

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace benchkit::inline v0_1 {

/// The shortest decimal text that reads back as the same double, the same in every locale: "0.1", "5",
/// "1e+22". What is not finite gives "nan", "inf" or "-inf".
[[nodiscard]] inline std::string format_number(double value) {
    std::array<char, 32> buffer;  // the longest such text has 24 characters
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), written.ptr);
}

/// `value` with `digits` digits after the point (0 to 30), rounded to the nearest as printf does, the same in
/// every locale. What rounds to zero has no sign.
[[nodiscard]] inline std::string format_fixed(double value, int digits) {
    std::array<char, 352> buffer;  // a sign, 309 digits, a point and 30 digits fit
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::fixed, std::clamp(digits, 0, 30));
    const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
    const bool zero = text.find_first_not_of("-0.") == std::string_view::npos;
    return std::string(zero && text.starts_with('-') ? text.substr(1) : text);
}

/// The number at the start of `text`, which is then cut off `text`. Nothing, and `text` as it was, where no
/// finite number stands there. It takes the decimal forms of C, in every locale: "10", "-0.5", "1e6".
[[nodiscard]] inline std::optional<double> take_number(std::string_view& text) noexcept {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return value;
}

/// The finite number that makes up the whole of `text`.
[[nodiscard]] inline std::optional<double> parse_number(std::string_view text) noexcept {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
}

/// The integer that makes up the whole of `text`: decimal digits, perhaps after a minus sign.
[[nodiscard]] inline std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/uint128.hpp

#include <bit>
#include <compare>

namespace benchkit::inline v0_1 {

/// An unsigned integer of 128 bits, for sums that stay exact. Arithmetic is modulo 2^128. It works where the
/// compiler has no such type of its own.
struct uint128 {
    std::uint64_t high = 0;  ///< bits 64 to 127
    std::uint64_t low = 0;   ///< bits 0 to 63

    constexpr uint128& operator+=(std::uint64_t value) noexcept {
        low += value;
        high += low < value ? 1U : 0U;
        return *this;
    }

    constexpr uint128& operator+=(uint128 value) noexcept {
        *this += value.low;
        high += value.high;
        return *this;
    }

    friend constexpr uint128 operator+(uint128 left, uint128 right) noexcept { return left += right; }

    friend constexpr bool operator==(const uint128&, const uint128&) noexcept = default;
    friend constexpr std::strong_ordering operator<=>(const uint128&, const uint128&) noexcept = default;

    /// The nearest double.
    [[nodiscard]] constexpr double to_double() const noexcept {
        if (high == 0) return static_cast<double>(low);
        const int shift = 64 - std::countl_zero(high);
        const std::uint64_t top = shift == 64 ? high : (high << (64 - shift)) | (low >> shift);
        // What is shifted out only matters for the rounding: one bit stands for all of it.
        const bool rest = (shift == 64 ? low : low << (64 - shift)) != 0;
        double value = static_cast<double>(top | (rest ? 1U : 0U));
        for (int bit = 0; bit < shift; ++bit) value *= 2.0;
        return value;
    }
};

/// Quotient and remainder of a division.
struct uint128_division {
    uint128 quotient;
    std::uint64_t remainder = 0;
};

namespace detail {

[[nodiscard]] constexpr uint128 portable_multiply(std::uint64_t left, std::uint64_t right) noexcept {
    constexpr std::uint64_t half = 0xFFFFFFFF;
    const std::uint64_t low = (left & half) * (right & half);
    const std::uint64_t middle = (left >> 32) * (right & half) + (low >> 32);
    const std::uint64_t other_middle = (left & half) * (right >> 32) + (middle & half);
    return {(left >> 32) * (right >> 32) + (middle >> 32) + (other_middle >> 32),
            (other_middle << 32) | (low & half)};
}

[[nodiscard]] constexpr uint128_division portable_divide(uint128 dividend, std::uint64_t divisor) noexcept {
    uint128_division result{{dividend.high / divisor, 0}, dividend.high % divisor};
    for (int bit = 63; bit >= 0; --bit) {
        const bool carry = (result.remainder >> 63) != 0;
        result.remainder = (result.remainder << 1) | ((dividend.low >> bit) & 1U);
        if (!carry && result.remainder < divisor) continue;
        result.remainder -= divisor;
        result.quotient.low |= std::uint64_t{1} << bit;
    }
    return result;
}

#if defined(__SIZEOF_INT128__)
__extension__ typedef unsigned __int128 wide_integer;
#endif

}  // namespace detail

/// The whole product of two integers of 64 bits.
[[nodiscard]] constexpr uint128 multiply(std::uint64_t left, std::uint64_t right) noexcept {
#if defined(__SIZEOF_INT128__)
    const auto product = static_cast<detail::wide_integer>(left) * right;
    return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
#else
    return detail::portable_multiply(left, right);
#endif
}

/// `dividend / divisor` with its remainder. `divisor` is not 0.
[[nodiscard]] constexpr uint128_division divide(uint128 dividend, std::uint64_t divisor) noexcept {
#if defined(__SIZEOF_INT128__)
    const std::uint64_t rest = dividend.high % divisor;
    const auto lower = (static_cast<detail::wide_integer>(rest) << 64) | dividend.low;
    return {{dividend.high / divisor, static_cast<std::uint64_t>(lower / divisor)},
            static_cast<std::uint64_t>(lower % divisor)};
#else
    return detail::portable_divide(dividend, divisor);
#endif
}

/// The decimal digits of `value`.
[[nodiscard]] inline std::string to_string(uint128 value) {
    std::string text;
    do {
        const auto [quotient, digit] = divide(value, 10);
        text.push_back(static_cast<char>('0' + digit));
        value = quotient;
    } while (value != uint128{});
    std::reverse(text.begin(), text.end());
    return text;
}

/// The integer that `text` holds in decimal digits; nothing where it holds anything else or does not fit.
[[nodiscard]] constexpr std::optional<uint128> parse_uint128(std::string_view text) noexcept {
    if (text.empty()) return std::nullopt;
    uint128 value;
    for (const char character : text) {
        if (character < '0' || character > '9') return std::nullopt;
        const uint128 upper = multiply(value.high, 10);
        if (upper.high != 0) return std::nullopt;
        const uint128 scaled = multiply(value.low, 10) + uint128{upper.low, 0};
        if (scaled.high < upper.low) return std::nullopt;
        value = scaled;
        value += static_cast<std::uint64_t>(character - '0');
        if (value < scaled) return std::nullopt;
    }
    return value;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/units.hpp

#include <span>

namespace benchkit::inline v0_1 {

namespace detail {

struct unit {
    std::string_view name;
    double size;  // in the smallest unit of its kind
};

inline constexpr std::array<unit, 7> time_units{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"m", 60e9}, {"min", 60e9}, {"h", 3600e9}}};
inline constexpr std::array<unit, 5> count_units{{{"", 1}, {"k", 1e3}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}}};
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

/// A number and one of `units`, perhaps with a space between, in the smallest unit. Nothing where it is
/// anything else or negative.
[[nodiscard]] inline std::optional<double> parse_quantity(std::string_view text, std::span<const unit> units) {
    const auto number = take_number(text);
    if (!number || std::signbit(*number)) return std::nullopt;
    if (text.size() > 1 && text.front() == ' ') text.remove_prefix(1);
    for (const unit& candidate : units) {
        if (candidate.name == text) return *number * candidate.size;
    }
    return std::nullopt;
}

/// As `parse_quantity`, for a whole number of the smallest unit.
[[nodiscard]] inline std::optional<std::int64_t> parse_whole_quantity(std::string_view text,
                                                                      std::span<const unit> units) {
    if (const auto plain = parse_integer(text)) return *plain < 0 ? std::nullopt : plain;
    const auto value = parse_quantity(text, units);
    if (!value || *value >= 9.2e18 || std::floor(*value) != *value) return std::nullopt;
    return static_cast<std::int64_t>(*value);
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

}  // namespace detail

/// Reads a length of time: a number and one of ns, us, ms, s, m (or min), h, such as "500ms", "0.5s" or "1.50
/// min"; a plain "0" is zero. Fails by the name of `option` where `text` is anything else, is negative or is
/// longer than 290 years. Rounds to whole nanoseconds.
[[nodiscard]] inline duration parse_duration(std::string_view option, std::string_view text) {
    constexpr double longest = 290.0 * 365 * 24 * 3600e9;
    const auto nanoseconds = text == "0" ? 0.0 : detail::parse_quantity(text, detail::time_units);
    if (!nanoseconds || *nanoseconds > longest) {
        fail_option(std::string(option), std::string(text),
                    "allowed is a number with a unit, such as 500ms, 2s, 1m or 1h");
    }
    return std::chrono::nanoseconds(std::llround(*nanoseconds));
}

/// Reads a rate: a number above 0, perhaps with k, M or G for thousands, millions or billions, perhaps with
/// "/s" behind, such as "5000", "2.5k" or "1M/s". Fails by the name of `option` otherwise.
[[nodiscard]] inline rate parse_rate(std::string_view option, std::string_view text) {
    std::string_view number = text;
    if (number.ends_with("/s")) number.remove_suffix(2);
    const auto per_second = detail::parse_quantity(number, detail::count_units);
    if (!per_second || !(*per_second > 0) || !std::isfinite(*per_second)) {
        fail_option(std::string(option), std::string(text),
                    "allowed is a number of operations per second above 0, such as 5000, 2.5k or 1M");
    }
    return *per_second;
}

/// Reads a number of bytes: a number, perhaps with B, KB, MB, GB or TB (also K, M, G, and KiB, MiB, GiB, TiB),
/// which are powers of 1024, such as "4096", "64MB" or "1.5 KiB". Fails by the name of `option` where it is
/// anything else, negative or no whole number of bytes.
[[nodiscard]] inline std::int64_t parse_byte_size(std::string_view option, std::string_view text) {
    const auto bytes = detail::parse_whole_quantity(text, detail::byte_units);
    if (!bytes) {
        fail_option(std::string(option), std::string(text),
                    "allowed is a number of bytes, such as 4096, 64KB, 10MB or 1GB (powers of 1024)");
    }
    return *bytes;
}

/// Reads a count: a whole number of 0 or more, perhaps with k, M or G for thousands, millions or billions, such
/// as "5000", "10k" or "1.5M". Fails by the name of `option` otherwise.
[[nodiscard]] inline std::int64_t parse_count(std::string_view option, std::string_view text) {
    const auto count = detail::parse_whole_quantity(text, detail::count_units);
    if (!count) {
        fail_option(std::string(option), std::string(text),
                    "allowed is a whole number, such as 5000, 10k or 1M");
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

// ---------- benchkit/core/version.hpp

/// The version of this header. The inline namespace `v0_1` carries it into every symbol, so that two
/// versions in one program do not meet.
#define BENCHKIT_VERSION_MAJOR 0
#define BENCHKIT_VERSION_MINOR 1
#define BENCHKIT_VERSION_PATCH 0
#define BENCHKIT_VERSION_STRING "0.1.0"

namespace benchkit::inline v0_1 {

/// The version as text, "major.minor.patch".
inline constexpr const char* version = BENCHKIT_VERSION_STRING;

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/zlib.hpp

namespace benchkit::inline v0_1 {

/// The Adler-32 checksum of `bytes` (RFC 1950, section 8.2).
[[nodiscard]] constexpr std::uint32_t adler32(std::string_view bytes) noexcept {
    constexpr std::uint32_t modulus = 65521;
    constexpr std::size_t safe_length = 5552;  // so many bytes of 255 do not overflow 32 bits
    std::uint32_t sum = 1;
    std::uint32_t sum_of_sums = 0;
    while (!bytes.empty()) {
        const std::size_t length = std::min(bytes.size(), safe_length);
        for (const char byte : bytes.substr(0, length)) {
            sum += static_cast<unsigned char>(byte);
            sum_of_sums += sum;
        }
        sum %= modulus;
        sum_of_sums %= modulus;
        bytes.remove_prefix(length);
    }
    return (sum_of_sums << 16) | sum;
}

/// `bytes` as a zlib stream (RFC 1950) that compresses nothing: only stored blocks (RFC 1951, section 3.2.4).
/// Every zlib reads it.
[[nodiscard]] inline std::string zlib_store(std::string_view bytes) {
    constexpr std::size_t largest_block = 65535;
    std::string stream{'\x78', '\x01'};  // deflate with a window of 32 KiB, fastest level
    std::string_view rest = bytes;
    do {
        const std::string_view block = rest.substr(0, largest_block);
        rest.remove_prefix(block.size());
        stream.push_back(rest.empty() ? '\1' : '\0');
        for (const std::size_t length : {block.size(), ~block.size()}) {
            stream.push_back(static_cast<char>(length & 0xFFU));
            stream.push_back(static_cast<char>((length >> 8) & 0xFFU));
        }
        stream.append(block);
    } while (!rest.empty());
    append_big_endian(stream, adler32(bytes), 4);
    return stream;
}

/// The bytes of a zlib stream that holds only stored blocks, as `zlib_store` makes it. Nothing where it is
/// damaged, is compressed, needs a dictionary, or where something follows it.
[[nodiscard]] inline std::optional<std::string> zlib_read_stored(std::string_view stream) {
    constexpr std::uint64_t deflate = 8;
    constexpr std::uint64_t dictionary = 0x20;
    const auto header = take_big_endian(stream, 2);
    if (!header || *header % 31 != 0 || ((*header >> 8) & 0x0FU) != deflate || (*header & dictionary) != 0) {
        return std::nullopt;
    }
    std::string bytes;
    bool last = false;
    while (!last) {
        const auto head = take_bytes(stream, 5);
        if (!head) return std::nullopt;
        const auto byte = [&](std::size_t place) { return static_cast<unsigned char>((*head)[place]); };
        // The bits between the type of the block and the next whole byte may be anything.
        if ((byte(0) & 6U) != 0) return std::nullopt;
        last = (byte(0) & 1U) != 0;
        const std::size_t length = byte(1) | static_cast<std::size_t>(byte(2)) << 8;
        const std::size_t complement = byte(3) | static_cast<std::size_t>(byte(4)) << 8;
        const auto block = take_bytes(stream, length);
        if (!block || (length ^ complement) != 0xFFFFU) return std::nullopt;
        bytes.append(*block);
    }
    const auto checksum = take_big_endian(stream, 4);
    if (!checksum || *checksum != adler32(bytes) || !stream.empty()) return std::nullopt;
    return bytes;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/stats/histogram_layout.hpp

namespace benchkit::inline v0_1 {

/// Which values a histogram tells apart. The terms and the arithmetic are HdrHistogram's.
struct histogram_layout {
    std::int64_t lowest = 1;  ///< what is smaller may count as 0; 1 or more
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();  ///< at least twice `lowest`
    int significant_digits = 3;  ///< decimal digits kept of a value, 1 to 5: 3 is an error of at most 0.1 %

    friend constexpr bool operator==(const histogram_layout&, const histogram_layout&) noexcept = default;
};

/// The buckets of a layout. Bucket 0 starts at 0; each power of two from a first, finer one on is cut into
/// equal buckets, so that the width of a bucket stays in proportion to its values.
class histogram_scale {
  public:
    /// Whether a layout can be had: limits as `histogram_layout` states them, and in all at most 62 bits.
    [[nodiscard]] static constexpr bool allows(const histogram_layout& layout) noexcept {
        return layout.lowest >= 1 && layout.significant_digits >= 1 && layout.significant_digits <= 5 &&
               layout.lowest <= layout.highest / 2 && unit_bits_of(layout) + half_bits_of(layout) <= 61;
    }

    /// Fails, by the name of the member to blame, where the layout is not allowed.
    constexpr explicit histogram_scale(const histogram_layout& layout) : layout_(layout) {
        require(layout);
        unit_bits_ = unit_bits_of(layout);
        half_bits_ = half_bits_of(layout);
        mask_ = ((std::uint64_t{2} << half_bits_) - 1) << unit_bits_;
        size_ = static_cast<std::size_t>(octaves() + 1) << half_bits_;
    }

    [[nodiscard]] constexpr const histogram_layout& layout() const noexcept { return layout_; }

    /// The number of buckets.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

    /// The bucket of a value. For a value that the layout does not hold, also for a negative one, the result is
    /// `size()` or more.
    [[nodiscard]] constexpr std::size_t index_of(std::int64_t value) const noexcept {
        const auto bits = static_cast<std::uint64_t>(value);
        const int shift = bit_width(bits | mask_) - half_bits_ - 1;
        return (static_cast<std::size_t>(shift - unit_bits_) << half_bits_) +
               static_cast<std::size_t>(bits >> shift);
    }

    /// The smallest value in a bucket.
    [[nodiscard]] constexpr std::int64_t lowest_in(std::size_t index) const noexcept {
        const int octave = octave_of(index);
        const std::size_t step = index - (static_cast<std::size_t>(octave) << half_bits_);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(step) << (octave + unit_bits_));
    }

    /// How many values share a bucket.
    [[nodiscard]] constexpr std::int64_t width_of(std::size_t index) const noexcept {
        return std::int64_t{1} << (octave_of(index) + unit_bits_);
    }

    /// The largest value in a bucket.
    [[nodiscard]] constexpr std::int64_t highest_in(std::size_t index) const noexcept {
        return lowest_in(index) + (width_of(index) - 1);
    }

    /// The value in the middle of a bucket, which stands for all in it.
    [[nodiscard]] constexpr std::int64_t median_in(std::size_t index) const noexcept {
        return lowest_in(index) + width_of(index) / 2;
    }

  private:
    // As std::bit_width, which does not return an int everywhere.
    [[nodiscard]] static constexpr int bit_width(std::uint64_t value) noexcept {
        return 64 - std::countl_zero(value);
    }

    [[nodiscard]] static constexpr int unit_bits_of(const histogram_layout& layout) noexcept {
        return bit_width(static_cast<std::uint64_t>(layout.lowest)) - 1;
    }

    [[nodiscard]] static constexpr int half_bits_of(const histogram_layout& layout) noexcept {
        std::uint64_t distinct = 2;
        for (int digit = 0; digit < layout.significant_digits; ++digit) distinct *= 10;
        return bit_width(distinct - 1) - 1;
    }

    static constexpr void require(const histogram_layout& layout) {
        if (layout.lowest < 1) fail_option("lowest", std::to_string(layout.lowest), "allowed is 1 or more");
        if (layout.significant_digits < 1 || layout.significant_digits > 5) {
            fail_option("significant_digits", std::to_string(layout.significant_digits), "allowed is 1 to 5");
        }
        if (layout.lowest > layout.highest / 2) {
            fail_option("highest", std::to_string(layout.highest),
                        "allowed is at least twice lowest, which is " + std::to_string(layout.lowest));
        }
        if (!allows(layout)) {
            fail_option("lowest", std::to_string(layout.lowest),
                        "allowed is less, so that " + std::to_string(layout.significant_digits) +
                            " significant digits of it fit into 62 bits");
        }
    }

    /// How many ranges, each twice the one before, it takes to reach the highest value.
    [[nodiscard]] constexpr int octaves() const noexcept {
        const int first_bits = unit_bits_ + half_bits_ + 1;
        const int bits = bit_width(static_cast<std::uint64_t>(layout_.highest));
        return bits <= first_bits ? 1 : bits - first_bits + 1;
    }

    [[nodiscard]] constexpr int octave_of(std::size_t index) const noexcept {
        const auto octave = static_cast<int>(index >> half_bits_);
        return octave == 0 ? 0 : octave - 1;
    }

    std::uint64_t mask_ = 0;
    int unit_bits_ = 0;
    int half_bits_ = 0;
    std::size_t size_ = 0;
    histogram_layout layout_;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/stats/histogram.hpp

#include <iterator>
#include <memory>

namespace benchkit::inline v0_1 {

/// A bucket of a histogram that is not empty.
struct histogram_bucket {
    std::int64_t from = 0;   ///< the smallest value that it holds
    std::int64_t to = 0;     ///< the largest value that it holds
    std::int64_t count = 0;  ///< how many values were recorded in it, 1 or more

    /// The value that stands for all in the bucket.
    [[nodiscard]] constexpr std::int64_t median() const noexcept { return from + (to - from + 1) / 2; }

    friend constexpr bool operator==(const histogram_bucket&, const histogram_bucket&) noexcept = default;
};

/// How often which value was seen, with a fixed relative error: an HdrHistogram, in buckets and percentiles the
/// same as those of its Java implementation. Count, smallest, largest and sum are exact.
///
/// Values are integers of at least 0; what is below 0 counts as 0, what is above the layout's range counts in
/// the last bucket. Memory is taken with the first value, and only for the pages that values touch. Not for
/// several threads at once: give each thread its own and `merge`.
class histogram {
  public:
    class bucket_iterator;
    class bucket_range;

    /// From 1 to the largest integer with 3 digits: nanoseconds from 1 to 292 years.
    histogram() : histogram(histogram_layout{}) {}

    /// Fails where the layout is not allowed, by the name of the member to blame.
    explicit histogram(const histogram_layout& layout) : scale_(layout) {}

    histogram(const histogram& other) : scale_(other.scale_) { merge(other); }

    /// Leaves `other` empty.
    histogram(histogram&& other) noexcept
        : counts_(std::move(other.counts_)),
          size_(std::exchange(other.size_, 0)),
          totals_(std::exchange(other.totals_, {})),
          scale_(other.scale_) {}

    histogram& operator=(const histogram& other) {
        if (this != &other) *this = histogram(other);
        return *this;
    }

    histogram& operator=(histogram&& other) noexcept {
        if (this == &other) return *this;
        counts_ = std::move(other.counts_);
        size_ = std::exchange(other.size_, 0);
        totals_ = std::exchange(other.totals_, {});
        scale_ = other.scale_;
        return *this;
    }

    ~histogram() = default;

    /// Records a value once. Nanoseconds of work; the first value also takes the memory.
    void record(std::int64_t value) {
        const std::size_t index = scale_.index_of(value);
        // One comparison finds memory not yet taken, a negative value and one above the range.
        if (index >= size_) [[unlikely]]
            return record(value, 1);
        ++counts_[index];
        totals_.add(value);
    }

    /// Records a value `times` times; not at all where `times` is 0 or less. Fails where the count would
    /// exceed 2^63 - 1.
    void record(std::int64_t value, std::int64_t times);

    /// Adds all values of `other`: exactly where the layouts are equal, by the middle of its buckets where they
    /// are not. Count, smallest, largest and sum are exact either way. Fails where the count would exceed
    /// 2^63 - 1.
    void merge(const histogram& other);

    /// Forgets all values and keeps the memory.
    void reset() noexcept {
        if (count() > 0) std::fill(&counts_[first_index()], &counts_[last_index()] + 1, 0U);
        totals_ = {};
    }

    /// Sets smallest, largest and sum, which an encoding does not carry. Does nothing and returns false where
    /// they contradict the counts.
    [[nodiscard]] bool restore(std::int64_t min, std::int64_t max, uint128 sum) noexcept;

    /// The number of recorded values.
    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(totals_.count); }
    /// The smallest value; 0 where there is none.
    [[nodiscard]] std::int64_t min() const noexcept { return count() == 0 ? 0 : totals_.min; }
    /// The largest value; 0 where there is none.
    [[nodiscard]] std::int64_t max() const noexcept { return totals_.max; }
    /// The sum of all values.
    [[nodiscard]] uint128 sum() const noexcept { return totals_.sum; }
    /// The arithmetic mean, from the exact sum; 0 where there is no value.
    [[nodiscard]] double mean() const noexcept {
        return count() == 0 ? 0.0 : sum().to_double() / static_cast<double>(count());
    }

    /// The standard deviation of the population, from the middles of the buckets; 0 where there is no value.
    [[nodiscard]] double stddev() const noexcept;

    /// The smallest recorded value, to the width of a bucket and never above `max()`, that at least
    /// `percentile` percent of the values do not exceed. 0 and less give `min()`, 100 and more `max()`; 0 where
    /// there is no value.
    [[nodiscard]] std::int64_t value_at_percentile(double percentile) const noexcept;

    /// How many percent of the values are at most `value`, to the width of a bucket; 0 where there is none.
    [[nodiscard]] double percentile_at_value(std::int64_t value) const noexcept;

    /// How many values lie in the buckets of `low` to `high`, both included.
    [[nodiscard]] std::int64_t count_between(std::int64_t low, std::int64_t high) const noexcept;

    /// The buckets that are not empty, from the smallest values on: `for (histogram_bucket b : h.buckets())`.
    [[nodiscard]] bucket_range buckets() const noexcept;

    [[nodiscard]] const histogram_layout& layout() const noexcept { return scale_.layout(); }

    /// Equal layouts, counts, smallest, largest and sum.
    friend bool operator==(const histogram& left, const histogram& right) noexcept {
        if (left.layout() != right.layout() || left.totals_ != right.totals_) return false;
        return left.count() == 0 ||
               std::equal(&left.counts_[left.first_index()], &left.counts_[left.last_index()] + 1,
                          &right.counts_[right.first_index()]);
    }

  private:
    struct free_memory {
        void operator()(void* memory) const noexcept { std::free(memory); }
    };

    // Unsigned, so that no sequence of calls is undefined behaviour.
    struct totals {
        std::uint64_t count = 0;
        std::int64_t min = std::numeric_limits<std::int64_t>::max();
        std::int64_t max = 0;
        uint128 sum;

        void add(std::int64_t value) noexcept {
            ++count;
            sum += static_cast<std::uint64_t>(value);
            if (value < min) min = value;
            if (value > max) max = value;
        }

        friend bool operator==(const totals&, const totals&) noexcept = default;
    };

    [[nodiscard]] std::size_t index_of(std::int64_t value) const noexcept {
        return value < 0 ? 0 : std::min(scale_.index_of(value), scale_.size() - 1);
    }
    [[nodiscard]] std::size_t first_index() const noexcept { return index_of(totals_.min); }
    [[nodiscard]] std::size_t last_index() const noexcept { return index_of(totals_.max); }

    void make_room_for(std::int64_t values);
    void merge_by_value(const histogram& other);

    std::unique_ptr<std::uint64_t[], free_memory> counts_;
    std::size_t size_ = 0;  // number of counts: 0 until memory is taken
    totals totals_;
    histogram_scale scale_;
};

/// Walks over the buckets that are not empty.
class histogram::bucket_iterator {
  public:
    using iterator_category = std::input_iterator_tag;
    using iterator_concept = std::forward_iterator_tag;
    using value_type = histogram_bucket;
    using difference_type = std::ptrdiff_t;
    using pointer = void;
    using reference = histogram_bucket;

    bucket_iterator() noexcept = default;

    [[nodiscard]] histogram_bucket operator*() const noexcept {
        return {owner_->scale_.lowest_in(index_), owner_->scale_.highest_in(index_),
                static_cast<std::int64_t>(owner_->counts_[index_])};
    }

    bucket_iterator& operator++() noexcept {
        ++index_;
        skip_empty();
        return *this;
    }

    bucket_iterator operator++(int) noexcept {
        const bucket_iterator before = *this;
        ++*this;
        return before;
    }

    friend bool operator==(const bucket_iterator& left, const bucket_iterator& right) noexcept {
        return left.index_ == right.index_;
    }

  private:
    friend class histogram;
    friend class histogram::bucket_range;

    bucket_iterator(const histogram& owner, std::size_t index, std::size_t end) noexcept
        : owner_(&owner), index_(index), end_(end) {
        skip_empty();
    }

    void skip_empty() noexcept {
        while (index_ < end_ && owner_->counts_[index_] == 0) ++index_;
    }

    const histogram* owner_ = nullptr;
    std::size_t index_ = 0;
    std::size_t end_ = 0;
};

/// The buckets that are not empty. Valid until the histogram changes.
class histogram::bucket_range {
  public:
    [[nodiscard]] bucket_iterator begin() const noexcept { return {*owner_, begin_, end_}; }
    [[nodiscard]] bucket_iterator end() const noexcept { return {*owner_, end_, end_}; }
    [[nodiscard]] bool empty() const noexcept { return begin_ == end_; }

  private:
    friend class histogram;

    explicit bucket_range(const histogram& owner) noexcept : owner_(&owner) {
        if (owner.count() == 0) return;
        begin_ = owner.first_index();
        end_ = owner.last_index() + 1;
    }

    const histogram* owner_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

inline histogram::bucket_range histogram::buckets() const noexcept {
    return bucket_range(*this);
}

inline void histogram::make_room_for(std::int64_t values) {
    if (values > std::numeric_limits<std::int64_t>::max() - count()) {
        fail("A histogram counts at most 2^63 - 1 values.");
    }
    if (size_ != 0) return;
    // calloc hands out zero pages of the system, which cost nothing until they are written.
    counts_.reset(static_cast<std::uint64_t*>(std::calloc(scale_.size(), sizeof(std::uint64_t))));
    if (!counts_) fail("There is no memory for a histogram of " + std::to_string(scale_.size()) + " buckets.");
    size_ = scale_.size();
}

inline void histogram::record(std::int64_t value, std::int64_t times) {
    if (times <= 0) return;
    make_room_for(times);
    value = std::max<std::int64_t>(value, 0);
    const auto added = static_cast<std::uint64_t>(times);
    counts_[index_of(value)] += added;
    totals_.add(value);
    totals_.count += added - 1;
    totals_.sum += multiply(static_cast<std::uint64_t>(value), added - 1);
}

inline void histogram::merge(const histogram& other) {
    if (other.count() == 0) return;
    make_room_for(other.count());
    if (layout() != other.layout()) return merge_by_value(other);
    const std::size_t end = other.last_index() + 1;
    for (std::size_t index = other.first_index(); index < end; ++index) counts_[index] += other.counts_[index];
    totals_.count += other.totals_.count;
    totals_.min = std::min(totals_.min, other.totals_.min);
    totals_.max = std::max(totals_.max, other.totals_.max);
    totals_.sum += other.totals_.sum;
}

inline void histogram::merge_by_value(const histogram& other) {
    const uint128 exact_sum = sum() + other.sum();
    // Of two values the exact place is known: the smallest and the largest.
    record(other.min(), 1);
    if (other.count() > 1) record(other.max(), 1);
    const std::size_t first = other.first_index();
    const std::size_t last = other.last_index();
    for (std::size_t index = first; index <= last; ++index) {
        auto rest = static_cast<std::int64_t>(other.counts_[index]);
        if (index == first) --rest;
        if (index == last && other.count() > 1) --rest;
        record(std::clamp(other.scale_.median_in(index), other.min(), other.max()), rest);
    }
    totals_.sum = exact_sum;
}

inline bool histogram::restore(std::int64_t min, std::int64_t max, uint128 sum) noexcept {
    if (count() == 0) return min == 0 && max == 0 && sum == uint128{};
    if (min < 0 || max < min || index_of(min) != first_index() || index_of(max) != last_index()) return false;
    if (sum < multiply(static_cast<std::uint64_t>(min), totals_.count)) return false;
    if (sum > multiply(static_cast<std::uint64_t>(max), totals_.count)) return false;
    totals_.min = min;
    totals_.max = max;
    totals_.sum = sum;
    return true;
}

inline double histogram::stddev() const noexcept {
    if (count() == 0) return 0.0;
    const auto values = static_cast<double>(count());
    // The mean of the same middles: the exact one would turn their rounding into spread.
    double center = 0;
    for (const histogram_bucket bucket : buckets()) {
        center += static_cast<double>(bucket.median()) * (static_cast<double>(bucket.count) / values);
    }
    double variance = 0;
    for (const histogram_bucket bucket : buckets()) {
        const double distance = static_cast<double>(bucket.median()) - center;
        variance += distance * distance * (static_cast<double>(bucket.count) / values);
    }
    return std::sqrt(variance);
}

inline std::int64_t histogram::value_at_percentile(double percentile) const noexcept {
    if (!(percentile > 0.0)) return min();
    if (percentile >= 100.0) return max();
    // Java's rule: the next smaller double, so that 99.9 percent of 1,000 is rank 999 and not 1,000.
    const double share = std::nextafter(percentile, 0.0) * static_cast<double>(count()) / 100.0;
    auto rank = static_cast<std::int64_t>(std::ceil(share));
    for (const histogram_bucket bucket : buckets()) {
        rank -= bucket.count;
        // The last bucket also holds what is above the range.
        if (rank <= 0) return index_of(bucket.to) == last_index() ? max() : bucket.to;
    }
    return max();
}

inline double histogram::percentile_at_value(std::int64_t value) const noexcept {
    if (count() == 0) return 0.0;
    return 100.0 * static_cast<double>(count_between(0, value)) / static_cast<double>(count());
}

inline std::int64_t histogram::count_between(std::int64_t low, std::int64_t high) const noexcept {
    if (low > high || low > max() || high < min() || count() == 0) return 0;
    const std::size_t end = std::min(index_of(high), last_index()) + 1;
    std::uint64_t values = 0;
    for (std::size_t index = std::max(index_of(low), first_index()); index < end; ++index) {
        values += counts_[index];
    }
    return static_cast<std::int64_t>(values);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/stats/histogram_codec.hpp

namespace benchkit::inline v0_1 {

// HdrHistogram's encoding, version 2. In base64: cookie, length, zlib stream. In the stream: cookie, length of
// the counts, index offset, digits, lowest, highest, conversion ratio, counts. Integers are big-endian.

namespace detail {

inline constexpr std::uint64_t compressed_cookie = 0x1c849304;
inline constexpr std::uint64_t payload_cookie = 0x1c849303;
inline constexpr std::uint64_t word_size_in_cookie = 0x10;          // what version 2 writes; readers mask it
inline constexpr std::uint64_t no_conversion = 0x3FF0000000000000;  // the bits of the double 1.0

[[nodiscard]] constexpr bool is_cookie(std::optional<std::uint64_t> word, std::uint64_t cookie) noexcept {
    return word && (*word & ~std::uint64_t{0xF0}) == cookie;
}

/// Appends a signed integer in 1 to 9 bytes: zigzag, then 7 bits per byte, the lowest first; the ninth byte
/// holds 8 bits.
inline void append_zigzag(std::string& bytes, std::int64_t value) {
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0U);
    for (int byte = 0; byte < 8 && rest >= 0x80; ++byte) {
        bytes.push_back(static_cast<char>(rest | 0x80U));
        rest >>= 7;
    }
    bytes.push_back(static_cast<char>(rest));
}

/// The integer that `append_zigzag` wrote, cut off `bytes`; nothing where `bytes` ends within it.
[[nodiscard]] constexpr std::optional<std::int64_t> take_zigzag(std::string_view& bytes) noexcept {
    std::uint64_t bits = 0;
    for (int shift = 0; shift <= 56; shift += 7) {
        const auto byte = take_big_endian(bytes, 1);
        if (!byte) return std::nullopt;
        const bool last = shift == 56 || *byte < 0x80;
        bits |= (last ? *byte : *byte & 0x7FU) << shift;
        if (last) break;
    }
    return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0U));
}

/// Appends the counts from bucket 0 to the last one in use. A run of empty buckets is its negative length, one
/// alone is 0.
inline void append_counts(std::string& bytes, const histogram& values) {
    const auto append_empty = [&](std::size_t run) {
        if (run > 0) append_zigzag(bytes, run == 1 ? 0 : -static_cast<std::int64_t>(run));
    };
    const histogram_scale scale(values.layout());
    std::size_t next = 0;
    for (const histogram_bucket bucket : values.buckets()) {
        const std::size_t index = scale.index_of(bucket.from);
        append_empty(index - next);
        append_zigzag(bytes, bucket.count);
        next = index + 1;
    }
    // Readers exist that take an encoding without any count for a damaged one.
    if (next == 0) append_empty(1);
}

[[nodiscard]] inline std::string encode_payload(const histogram& values) {
    std::string counts;
    append_counts(counts, values);
    std::string bytes;
    append_big_endian(bytes, payload_cookie | word_size_in_cookie, 4);
    append_big_endian(bytes, counts.size(), 4);
    append_big_endian(bytes, 0, 4);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().significant_digits), 4);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().lowest), 8);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().highest), 8);
    append_big_endian(bytes, no_conversion, 8);
    return bytes + counts;
}

/// Reads the part of the payload before the counts, which then remain. Nothing where it is not of version 2,
/// not of whole numbers, or of a layout that cannot be.
[[nodiscard]] inline std::optional<histogram_layout> take_layout(std::string_view& payload) {
    if (!is_cookie(take_big_endian(payload, 4), payload_cookie)) return std::nullopt;
    const auto length = take_big_endian(payload, 4);
    const auto offset = take_big_endian(payload, 4);
    const auto digits = take_big_endian(payload, 4);
    const auto lowest = take_big_endian(payload, 8);
    const auto highest = take_big_endian(payload, 8);
    const auto ratio = take_big_endian(payload, 8);
    if (!ratio || *length != payload.size() || *offset != 0 || *ratio != no_conversion || *digits > 5) {
        return std::nullopt;
    }
    const histogram_layout layout{static_cast<std::int64_t>(*lowest), static_cast<std::int64_t>(*highest),
                                  static_cast<int>(*digits)};
    return histogram_scale::allows(layout) ? std::optional(layout) : std::nullopt;
}

/// Records the counts; false where they do not fit into the histogram.
[[nodiscard]] inline bool record_counts(histogram& values, std::string_view counts) {
    const histogram_scale scale(values.layout());
    std::size_t index = 0;
    while (!counts.empty()) {
        const auto count = take_zigzag(counts);
        if (!count) return false;
        const std::size_t left = scale.size() - index;
        if (*count <= 0) {
            const std::uint64_t run = *count == 0 ? 1U : 0U - static_cast<std::uint64_t>(*count);
            if (run > left) return false;
            index += static_cast<std::size_t>(run);
            continue;
        }
        if (left == 0 || *count > std::numeric_limits<std::int64_t>::max() - values.count()) return false;
        values.record(scale.median_in(index), *count);
        ++index;
    }
    return true;
}

/// Sets the ends to those of the first and the last bucket in use, as other readers have them.
[[nodiscard]] inline bool widen_ends(histogram& values) noexcept {
    const histogram_scale scale(values.layout());
    if (values.count() == 0) return true;
    return values.restore(scale.lowest_in(scale.index_of(values.min())),
                          scale.highest_in(scale.index_of(values.max())), values.sum());
}

}  // namespace detail

/// A histogram as text that HdrHistogram's tools read: version 2 of its encoding, in base64; it always begins
/// with "HISTFAAA". Smallest, largest and sum are carried only to the width of a bucket: what needs them exact
/// keeps them beside it and gives them to `histogram::restore`.
[[nodiscard]] inline std::string encode_histogram(const histogram& values) {
    const std::string stream = zlib_store(detail::encode_payload(values));
    std::string bytes;
    append_big_endian(bytes, detail::compressed_cookie | detail::word_size_in_cookie, 4);
    append_big_endian(bytes, stream.size(), 4);
    return base64_encode(bytes + stream);
}

/// Reads what `encode_histogram` made, or another writer of the encoding, if its zlib stream is stored and not
/// compressed and its values are whole numbers. Nothing where `text` is anything else; any text is safe. The
/// smallest and the largest value are the ends of their buckets, the sum is that of the buckets' middles.
[[nodiscard]] inline std::optional<histogram> decode_histogram(std::string_view text) {
    const auto bytes = base64_decode(text);
    if (!bytes) return std::nullopt;
    std::string_view rest = *bytes;
    if (!detail::is_cookie(take_big_endian(rest, 4), detail::compressed_cookie)) return std::nullopt;
    const auto length = take_big_endian(rest, 4);
    if (!length || *length != rest.size()) return std::nullopt;
    const auto payload = zlib_read_stored(rest);
    if (!payload) return std::nullopt;
    std::string_view counts = *payload;
    const auto layout = detail::take_layout(counts);
    if (!layout) return std::nullopt;
    std::optional<histogram> values(*layout);
    if (!detail::record_counts(*values, counts) || !detail::widen_ends(*values)) return std::nullopt;
    return values;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/proc_file.hpp

namespace benchkit::inline v0_1::detail {

/// The text of a small file of /proc or /sys; empty where there is none. Such files say a length of 0, so they
/// are read to their end, and never beyond 1 MiB.
[[nodiscard]] inline std::string read_proc_file(const char* path) {
    std::string text;
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) return text;
    std::array<char, 4096> block;
    constexpr std::size_t limit = std::size_t{1} << 20U;
    while (text.size() < limit) {
        const std::size_t length = std::fread(block.data(), 1, block.size(), file);
        if (length == 0) break;
        text.append(block.data(), length);
    }
    std::fclose(file);
    return text;
}

/// `text` without blanks, tabs, line ends and zero bytes at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks(" \t\r\n\0", 5);
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The value of the first line "key : value" of a file such as /proc/cpuinfo; empty where no line has the key.
[[nodiscard]] inline std::string_view proc_field(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key) {
            return trimmed(line.substr(colon + 1));
        }
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return {};
}

/// The whole number at the start of `text`, which is moved behind it; nothing where there is none.
[[nodiscard]] inline std::optional<std::int64_t> take_number(std::string_view& text) {
    text = trimmed(text);
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc()) return std::nullopt;
    text = std::string_view(rest, static_cast<std::size_t>(end - rest));
    return number;
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/platform/limits.hpp

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>

namespace benchkit::inline v0_1 {

/// How many descriptors the process may have open at once: every connection is one.
struct descriptor_limit {
    std::int64_t soft = 0;  ///< what holds now
    std::int64_t hard = 0;  ///< how far `raise_descriptor_limit` can go
};

/// The local ports that the system gives to connections, both ends included.
struct port_range {
    int first = 0;
    int last = 0;

    [[nodiscard]] int count() const noexcept { return last - first + 1; }
};

namespace detail {

[[nodiscard]] inline std::int64_t from_rlim(rlim_t value) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (value == RLIM_INFINITY || value > static_cast<rlim_t>(most)) return most;
    return static_cast<std::int64_t>(value);
}

[[nodiscard]] inline std::optional<port_range> parse_port_range(std::string_view text) {
    const auto first = take_number(text);
    const auto last = take_number(text);
    if (!first || !last || *first < 1 || *last > 65'535 || *first > *last) return std::nullopt;
    return port_range{static_cast<int>(*first), static_cast<int>(*last)};
}

/// Counts by asking for each possible descriptor: slow, for systems without a folder of them.
[[nodiscard]] inline std::int64_t probe_open_descriptors(std::int64_t limit) noexcept {
    constexpr std::int64_t most = 1 << 20;
    std::int64_t open = 0;
    for (int descriptor = 0; descriptor < std::min(limit, most); ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1) ++open;
    }
    return open;
}

}  // namespace detail

/// The descriptor limits of this process (getrlimit(2)). Infinity is the largest number.
[[nodiscard]] inline descriptor_limit descriptor_limits() noexcept {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
    return {detail::from_rlim(limit.rlim_cur), detail::from_rlim(limit.rlim_max)};
}

/// Raises the soft limit to `wanted` descriptors, or as far as the hard limit allows. Returns the soft limit
/// that then holds; it never becomes lower. The caller compares: less than `wanted` means that it is not to be
/// had.
inline std::int64_t raise_descriptor_limit(std::int64_t wanted) noexcept {
    const descriptor_limit before = descriptor_limits();
    if (wanted <= before.soft) return before.soft;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return before.soft;
    limit.rlim_cur = wanted >= before.hard ? limit.rlim_max : static_cast<rlim_t>(wanted);
    setrlimit(RLIMIT_NOFILE, &limit);
    return descriptor_limits().soft;
}

/// How many descriptors the process has open now.
[[nodiscard]] inline std::int64_t open_descriptors() noexcept {
    DIR* folder = opendir("/proc/self/fd");
    if (folder == nullptr) return detail::probe_open_descriptors(descriptor_limits().soft);
    std::int64_t open = -1;  // the folder's own descriptor is listed too
    while (const dirent* entry = readdir(folder)) {
        if (entry->d_name[0] != '.') ++open;
    }
    closedir(folder);
    return open;
}

/// The range of local ports for connections; nothing where the system does not tell. To one address and port,
/// no more connections can be open from one local address at once.
[[nodiscard]] inline std::optional<port_range> ephemeral_ports() {
    return detail::parse_port_range(detail::read_proc_file("/proc/sys/net/ipv4/ip_local_port_range"));
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/machine.hpp

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

namespace benchkit::inline v0_1 {

/// Where and how a program runs: what a reader needs to judge its figures.
struct machine {
    std::string host;
    std::string cpu;         ///< the processor's model, or the board's where only that is known
    std::int64_t cpus = 1;   ///< processors on which this process may run
    std::string kernel;      ///< such as "Linux 6.1.0"
    std::string compiler;    ///< such as "GCC 12.2.0"
    std::string flags;       ///< of the build, as far as the compiler tells; see `build_flags`
    bool optimized = false;  ///< built with -O1 or more
    std::chrono::nanoseconds clock_resolution{1};  ///< the smallest step that the clock was seen to make
    std::optional<double> load_average;            ///< processes that run or want to, mean of the last minute
};

namespace detail {

/// The processor's model from the text of /proc/cpuinfo; the keys differ from processor to processor.
[[nodiscard]] inline std::string cpu_model(std::string_view cpuinfo) {
    for (const std::string_view key : {"model name", "Model", "Hardware", "cpu model", "uarch", "cpu"}) {
        const std::string_view value = proc_field(cpuinfo, key);
        if (!value.empty()) return std::string(value);
    }
    return {};
}

[[nodiscard]] inline std::string find_cpu_model(const char* architecture) {
    std::string model = cpu_model(read_proc_file("/proc/cpuinfo"));
    if (model.empty()) model = trimmed(read_proc_file("/sys/firmware/devicetree/base/model"));
    return model.empty() ? std::string(architecture) : model;
}

[[nodiscard]] inline std::int64_t usable_cpus() noexcept {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

/// The smallest step between two readings that differ. The cost of a reading is part of it: a shorter time
/// cannot be told from it.
[[nodiscard]] inline std::chrono::nanoseconds observed_clock_step() noexcept {
    constexpr int steps = 50;
    constexpr std::chrono::milliseconds patience(20);
    const clock::time_point first = clock::now();
    clock::time_point last = first;
    std::chrono::nanoseconds smallest = std::chrono::nanoseconds::max();
    for (int seen = 0; seen < steps && (last - first < patience || seen == 0);) {
        const clock::time_point now = clock::now();
        if (now == last) continue;
        smallest = std::min<std::chrono::nanoseconds>(smallest, now - last);
        last = now;
        ++seen;
    }
    return smallest;
}

}  // namespace detail

/// The compiler that builds this program.
[[nodiscard]] inline std::string compiler_name() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.' +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__) + '.' +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

/// True where this program is built with -O1 or more.
[[nodiscard]] constexpr bool is_optimized() noexcept {
#if defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

/// The flags of the build that matter to its speed: `BENCHKIT_BUILD_FLAGS`, a string, where the build defines
/// it; otherwise those that leave a trace in the predefined macros (which do not tell -O1 to -O3 apart).
[[nodiscard]] inline std::string build_flags() {
#if defined(BENCHKIT_BUILD_FLAGS)
    return BENCHKIT_BUILD_FLAGS;
#else
    std::string flags;
#if defined(__OPTIMIZE_SIZE__)
    flags += "-Os";
#else
    flags += is_optimized() ? "-O" : "-O0";
#endif
#if defined(NDEBUG)
    flags += " -DNDEBUG";
#endif
#if defined(__SANITIZE_ADDRESS__)
    flags += " -fsanitize=address";
#endif
#if defined(__SANITIZE_THREAD__)
    flags += " -fsanitize=thread";
#endif
#if defined(__clang__)
#if __has_feature(address_sanitizer)
    flags += " -fsanitize=address";
#endif
#if __has_feature(thread_sanitizer)
    flags += " -fsanitize=thread";
#endif
#endif
#if !defined(__cpp_exceptions)
    flags += " -fno-exceptions";
#endif
    return flags;
#endif
}

/// Asks the system for the facts of this machine and this build. Takes less than 0.1 s.
[[nodiscard]] inline machine describe_machine() {
    machine facts;
    utsname names{};
    uname(&names);
    facts.host = names.nodename;
    facts.kernel = std::string(names.sysname) + ' ' + names.release;
    facts.cpu = detail::find_cpu_model(names.machine);
    facts.cpus = detail::usable_cpus();
    facts.compiler = compiler_name();
    facts.flags = build_flags();
    facts.optimized = is_optimized();
    facts.clock_resolution = detail::observed_clock_step();
    double average = 0;
    if (getloadavg(&average, 1) == 1) facts.load_average = average;
    return facts;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/resources.hpp

#include <sys/time.h>

namespace benchkit::inline v0_1 {

/// What a thread or a process has used since it began: read it twice and subtract.
struct resource_use {
    std::chrono::nanoseconds user{0};       ///< CPU time in the program, to the microsecond
    std::chrono::nanoseconds system{0};     ///< CPU time in the kernel on its behalf
    std::int64_t voluntary_switches = 0;    ///< times it gave the processor up, to wait
    std::int64_t involuntary_switches = 0;  ///< times it was taken off the processor for somebody else

    /// CPU time in all.
    [[nodiscard]] std::chrono::nanoseconds cpu() const noexcept { return user + system; }

    resource_use& operator+=(const resource_use& other) noexcept {
        user += other.user;
        system += other.system;
        voluntary_switches += other.voluntary_switches;
        involuntary_switches += other.involuntary_switches;
        return *this;
    }

    resource_use& operator-=(const resource_use& other) noexcept {
        user -= other.user;
        system -= other.system;
        voluntary_switches -= other.voluntary_switches;
        involuntary_switches -= other.involuntary_switches;
        return *this;
    }

    friend resource_use operator+(resource_use left, const resource_use& right) noexcept {
        return left += right;
    }
    friend resource_use operator-(resource_use left, const resource_use& right) noexcept {
        return left -= right;
    }
    friend bool operator==(const resource_use&, const resource_use&) noexcept = default;
};

namespace detail {

[[nodiscard]] inline std::chrono::nanoseconds to_nanoseconds(const timeval& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

[[nodiscard]] inline resource_use to_resource_use(const rusage& usage) noexcept {
    return {to_nanoseconds(usage.ru_utime), to_nanoseconds(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
}

}  // namespace detail

/// What the whole process has used, all its threads, ended ones included (getrusage(2)).
[[nodiscard]] inline resource_use process_resources() noexcept {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return detail::to_resource_use(usage);
}

/// What the calling thread has used. Where the system cannot tell threads apart, what the process has used.
[[nodiscard]] inline resource_use thread_resources() noexcept {
    rusage usage{};
#if defined(RUSAGE_THREAD)
    getrusage(RUSAGE_THREAD, &usage);
#else
    getrusage(RUSAGE_SELF, &usage);
#endif
    return detail::to_resource_use(usage);
}

/// Peak resident memory of the process in bytes.
[[nodiscard]] inline std::int64_t peak_memory_bytes() {
    // VmHWM belongs to this program alone; ru_maxrss of Linux keeps the peak of whoever started it by exec.
    const std::string status = detail::read_proc_file("/proc/self/status");
    std::string_view peak = detail::proc_field(status, "VmHWM");
    if (const auto kibibytes = detail::take_number(peak)) return *kibibytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return usage.ru_maxrss;
#else
    return std::int64_t{usage.ru_maxrss} * 1024;
#endif
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/cause.hpp

namespace benchkit::inline v0_1 {

/// Why an operation failed: exactly one cause each, counted as `failed.<name>` (docs/terms.md, "The books").
enum class cause : std::uint8_t {
    resolve,          ///< the host's name has no address
    connect,          ///< no address accepted the connection
    tls,              ///< the TLS handshake or a certificate
    send,             ///< an error while sending
    receive,          ///< an error while receiving, such as a reset
    closed,           ///< the peer's FIN in mid-answer
    timeout,          ///< no complete answer in time
    malformed,        ///< an answer that breaks the protocol
    status,           ///< a status that is not expected
    assertion,        ///< an expectation of the user's, or an exception from their code
    stale,            ///< a reused connection died before the first byte of the answer
    connection_lost,  ///< behind another request on a pipelined connection that died
    ports,            ///< no local port or address was left
    canceled,         ///< ended by the user's code or by `--abort-on`
};

inline constexpr std::size_t cause_count = 14;

/// The name of a cause, as in `failed.<name>`.
[[nodiscard]] constexpr std::string_view to_string(cause value) noexcept {
    constexpr std::array<std::string_view, cause_count> names{
        "resolve", "connect", "tls",       "send",  "receive",         "closed", "timeout",
        "malformed", "status", "assertion", "stale", "connection_lost", "ports",  "canceled"};
    return names[static_cast<std::size_t>(value)];
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/comparison.hpp

namespace benchkit::inline v0_1 {

/// A confidence interval: from `low` to `high`, both belong to it.
struct interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const interval&, const interval&) = default;
};

/// Values far from the quartiles, by Tukey's fences: mild beyond 1.5 times the distance between the quartiles,
/// severe beyond 3 times (Tukey, Exploratory Data Analysis, 1977).
struct outlier_counts {
    std::int64_t low_severe = 0;
    std::int64_t low_mild = 0;
    std::int64_t high_mild = 0;
    std::int64_t high_severe = 0;

    friend bool operator==(const outlier_counts&, const outlier_counts&) = default;
};

/// What a set of samples looks like, in the unit of the samples. A figure that is not defined for so few
/// values is empty.
struct sample_summary {
    std::int64_t count = 0;
    std::optional<double> mean;
    std::optional<double> stddev;  ///< of the sample: divided by count - 1
    std::optional<double> min;
    std::optional<double> q1;
    std::optional<double> median;
    std::optional<double> q3;
    std::optional<double> max;
    std::optional<double> mad;  ///< median distance from the median, not scaled
    outlier_counts outliers;
    std::optional<interval> median_interval;
    std::optional<interval> mean_interval;

    friend bool operator==(const sample_summary&, const sample_summary&) = default;
};

/// What a comparison says of the new side against the base side.
enum class verdict : std::uint8_t {
    faster,     ///< the interval of the ratio lies wholly below the margin
    slower,     ///< wholly above it
    same,       ///< wholly inside it
    undecided,  ///< none of these: more evidence is needed
};

inline constexpr std::size_t verdict_count = 4;

/// The name of a verdict, as in JSON.
[[nodiscard]] constexpr std::string_view to_string(verdict value) noexcept {
    constexpr std::array<std::string_view, verdict_count> names{"faster", "slower", "same", "undecided"};
    return names[static_cast<std::size_t>(value)];
}

/// The rank sum test of Mann and Whitney (1947): the statistic and the two-sided probability of one at least
/// as extreme where both sides are alike.
struct mann_whitney_test {
    double u = 0;
    double p = 1;

    friend bool operator==(const mann_whitney_test&, const mann_whitney_test&) = default;
};

/// The shift of Hodges and Lehmann (1963): the median of all differences new - base, in the unit of the
/// samples.
struct hodges_lehmann_shift {
    double shift = 0;
    std::optional<benchkit::interval> interval;

    friend bool operator==(const hodges_lehmann_shift&, const hodges_lehmann_shift&) = default;
};

/// A new side against a base side: times as large, with what interval, and what follows from it.
struct comparison {
    std::optional<double> ratio;                 ///< new over base; empty where a sample is not positive
    std::optional<benchkit::interval> interval;  ///< of the ratio
    double confidence = 0;                       ///< of every interval here, 0 to 1
    std::optional<mann_whitney_test> mann_whitney;
    std::optional<hodges_lehmann_shift> hodges_lehmann;
    benchkit::verdict verdict = benchkit::verdict::undecided;
    std::string basis;  ///< what the evidence consists of, such as "single run"
    sample_summary base_summary;
    sample_summary new_summary;

    friend bool operator==(const comparison&, const comparison&) = default;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/distribution.hpp

namespace benchkit::inline v0_1 {

/// A named set of measured values: a histogram and its unit.
struct distribution {
    std::string unit = "ns";
    histogram values;

    /// Percentile `p` (0 to 100) of the values, or nothing where too few values lie beyond it to know it:
    /// available when n(1 - p/100) >= 10.
    [[nodiscard]] std::optional<std::int64_t> percentile(double p) const {
        const auto beyond = static_cast<double>(values.count()) * (1.0 - p / 100.0);
        if (beyond < 10.0 - 1e-9 * static_cast<double>(values.count())) return std::nullopt;
        return values.value_at_percentile(p);
    }
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/result.hpp

#include <map>
#include <variant>
#include <vector>

namespace benchkit::inline v0_1 {

/// A parameter, a fact of the environment or an attribute: what JSON calls a scalar.
using attribute = std::variant<bool, std::int64_t, double, std::string>;

/// Named scalars, in the order of their names.
using attributes = std::map<std::string, attribute, std::less<>>;

/// Named counts, in the order of their names.
using counters = std::map<std::string, std::int64_t, std::less<>>;

/// Measured values that are kept one by one, in the order in which they were taken.
struct sample_set {
    std::string unit = "ns";
    std::vector<double> values;
};

/// One interval of a time series.
struct series_point {
    double t = 0;                    ///< start of the interval, seconds from the start of the span
    std::int64_t succeeded = 0;      ///< operations that ended well in the interval
    std::int64_t failed = 0;         ///< operations that failed in the interval
    std::optional<std::int64_t> p50; ///< median time, ns; empty where no operation succeeded
    std::optional<std::int64_t> p99; ///< 99th percentile, ns
};

/// How the span went, interval by interval.
struct time_series {
    double interval_seconds = 1;
    std::vector<series_point> points;
};

/// One run of one operation, where they are kept one by one: named scalars.
using record = attributes;

/// What a run used. CPU time and context switches are those of the run's own threads.
struct run_resources {
    double user_seconds = 0;
    double system_seconds = 0;
    std::int64_t max_rss_bytes = 0;  ///< peak resident memory of the process
    std::int64_t voluntary_switches = 0;
    std::int64_t involuntary_switches = 0;
};

enum class severity : std::uint8_t { note, warning, failure };

/// What a result says of itself: a code for programs, a sentence for people.
struct diagnostic {
    std::string code;
    benchkit::severity severity = benchkit::severity::note;
    std::string message;
};

/// The one result model: what every experiment returns and every report reads. Plain data; `check()`
/// (result/check.hpp) holds it to the books, `diagnose()` (result/diagnostics.hpp) judges it.
struct result {
    std::string name;
    std::string kind;  ///< "load", "work.time", "work.compare", "work.schedule", "batch.produce", "matrix", "sweep"
    benchkit::attributes parameters;
    benchkit::attributes environment;
    benchkit::attributes attributes;
    std::int64_t started_at = 0;  ///< ns since 1970-01-01T00:00:00Z
    double elapsed_seconds = 0;   ///< the span: without warm-up and drain
    std::optional<double> rate;   ///< operations that succeeded within the span, per second
    bool interrupted = false;
    benchkit::counters counters;
    std::map<std::string, distribution, std::less<>> distributions;
    std::map<std::string, sample_set, std::less<>> samples;
    std::optional<time_series> series;
    std::vector<record> records;
    std::vector<comparison> comparisons;
    std::vector<result> children;  ///< rows of a sweep, a matrix, shards
    std::optional<run_resources> resources;
    std::vector<diagnostic> diagnostics;

    /// The counter of this name; 0 where nothing was counted.
    [[nodiscard]] std::int64_t counter(std::string_view counter_name) const {
        const auto found = counters.find(counter_name);
        return found == counters.end() ? 0 : found->second;
    }

    /// The distribution of this name; null where nothing was recorded.
    [[nodiscard]] const distribution* find_distribution(std::string_view distribution_name) const {
        const auto found = distributions.find(distribution_name);
        return found == distributions.end() ? nullptr : &found->second;
    }
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/http/grammar.hpp

#include <cstring>

namespace benchkit::inline v0_1::http::detail {

/// What a byte may be part of (RFC 9110 section 5.6.2, 5.5; RFC 9112 section 3.2).
enum character_class : std::uint8_t {
    token_character = 1,   // tchar: methods and field names
    field_character = 2,   // HTAB, SP, VCHAR, obs-text: field values, reason phrases, chunk extensions
    target_character = 4,  // VCHAR: request targets
    host_character = 8,    // letters, digits and -._~ : names and IPv4 addresses
};

[[nodiscard]] constexpr std::array<std::uint8_t, 256> make_character_classes() noexcept {
    std::array<std::uint8_t, 256> classes{};
    const auto mark = [&classes](std::string_view characters, std::uint8_t value) {
        for (const char each : characters) classes[static_cast<unsigned char>(each)] |= value;
    };
    for (std::size_t byte = 0x21; byte < 0x7f; ++byte) classes[byte] = field_character | target_character;
    for (std::size_t byte = 0x80; byte < 0x100; ++byte) classes[byte] = field_character;
    mark("\t ", field_character);
    constexpr std::string_view letters_and_digits =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    mark(letters_and_digits, token_character | host_character);
    mark("!#$%&'*+-.^_`|~", token_character);
    mark("-._~", host_character);
    return classes;
}

inline constexpr std::array<std::uint8_t, 256> character_classes = make_character_classes();

[[nodiscard]] constexpr bool is_character(char byte, character_class wanted) noexcept {
    return (character_classes[static_cast<unsigned char>(byte)] & wanted) != 0;
}

/// Whether there is at least one byte and all are of this class.
[[nodiscard]] constexpr bool all_characters(std::string_view text, character_class wanted) noexcept {
    for (const char byte : text) {
        if (!is_character(byte, wanted)) return false;
    }
    return !text.empty();
}

/// The first byte in [first, last) that no field value may hold: a control character other than HTAB.
/// Eight bytes at a time, as this runs over every byte of every head.
[[nodiscard]] inline const char* find_control(const char* first, const char* last) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t high_bits = ones * 0x80U;
    while (last - first >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, first, sizeof word);
        const std::uint64_t no_delete = word ^ (ones * 0x7fU);
        const std::uint64_t below_space = (word - ones * 0x20U) & ~word;
        const std::uint64_t is_delete = (no_delete - ones) & ~no_delete;
        const std::uint64_t suspects = (below_space | is_delete) & high_bits;
        if (suspects == 0) {
            first += 8;
            continue;
        }
        // The lowest mark is exact, those above it may be borrows: step to it, and past it if it is a tab.
        if constexpr (std::endian::native == std::endian::little) first += std::countr_zero(suspects) / 8;
        if (!is_character(*first, field_character)) return first;
        ++first;
    }
    while (first != last && is_character(*first, field_character)) ++first;
    return first;
}

[[nodiscard]] constexpr char to_lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

/// Equal but for the case of ASCII letters, whatever the locale.
[[nodiscard]] constexpr bool equals_ignore_case(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) return false;
    if (left == right) return true;  // the common case: the peer writes it as we do
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (to_lower(left[i]) != to_lower(right[i])) return false;
    }
    return true;
}

[[nodiscard]] constexpr bool is_whitespace(char byte) noexcept {
    return byte == ' ' || byte == '\t';
}

/// Without the optional whitespace (SP, HTAB) at both ends.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && is_whitespace(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_whitespace(text.back())) text.remove_suffix(1);
    return text;
}

/// The next element of a comma-separated list, which is taken off its front; a comma within a quoted string
/// separates nothing. Elements may be empty: RFC 9110 section 5.6.1.2 has recipients skip those.
[[nodiscard]] constexpr std::string_view take_list_element(std::string_view& list) noexcept {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < list.size(); ++end) {
        const char byte = list[end];
        if (byte == '"') quoted = !quoted;
        if (byte == '\\' && quoted && end + 1 < list.size()) ++end;
        if (byte == ',' && !quoted) break;
    }
    const std::string_view element = trim(list.substr(0, end));
    list.remove_prefix(end < list.size() ? end + 1 : end);
    return element;
}

/// The text with control and non-ASCII bytes written as \xNN, so that an error message stays one line.
[[nodiscard]] inline std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string result;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte >= 0x20 && byte < 0x7f) {
            result.push_back(each);
        } else {
            result.append("\\x").push_back(digits[byte >> 4U]);
            result.push_back(digits[byte & 15U]);
        }
    }
    return result;
}

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/framing.hpp

namespace benchkit::inline v0_1::http {

/// What a parser says after it has been given bytes.
enum class parse_status : std::uint8_t {
    need_more,  ///< all bytes were taken, the message goes on
    complete,   ///< the message has ended; bytes after it were left alone
    malformed,  ///< the message breaks the protocol; the connection is of no use any more
    cut,        ///< the peer closed the connection within the message (or before it)
};

/// How the end of a body is found (RFC 9112 section 6.3).
enum class body_framing : std::uint8_t {
    none,         ///< there is no body: HEAD, 204, 304
    length,       ///< Content-Length
    chunked,      ///< Transfer-Encoding with chunked as its last coding
    until_close,  ///< it ends where the connection does
};

namespace detail {

/// What the header fields of one message say about where its body ends and whether the connection is kept:
/// Content-Length, Transfer-Encoding and Connection, each as a list over all of its lines.
struct framing_fields {
    std::int64_t content_length = -1;             // -1: none
    const char* content_length_error = nullptr;   // why it cannot be used
    const char* transfer_coding_error = nullptr;  // the same for the codings
    bool has_transfer_encoding = false;
    bool chunked_is_last = false;
    bool has_other_coding = false;  // a coding besides chunked
    bool close = false;             // Connection: close
    bool keep_alive = false;        // Connection: keep-alive

    void add(std::string_view name, std::string_view value) noexcept {
        switch (name.size()) {  // most names end here
            case 10:
                if (equals_ignore_case(name, "Connection")) add_connection(value);
                break;
            case 14:
                if (equals_ignore_case(name, "Content-Length")) add_content_length(value);
                break;
            case 17:
                if (equals_ignore_case(name, "Transfer-Encoding")) add_transfer_encoding(value);
                break;
            default:
                break;
        }
    }

    /// RFC 9112 section 9.3: close wins; without it HTTP/1.1 stays and HTTP/1.0 only says so.
    [[nodiscard]] bool is_persistent(int minor_version) const noexcept {
        return !close && (minor_version >= 1 || keep_alive);
    }

  private:
    void add_connection(std::string_view list) noexcept {
        while (!list.empty()) {
            const std::string_view option = take_list_element(list);
            if (equals_ignore_case(option, "close")) close = true;
            if (equals_ignore_case(option, "keep-alive")) keep_alive = true;
        }
    }

    /// Equal lengths count as one, in one line or in several (RFC 9112 section 6.3, item 5).
    void add_content_length(std::string_view list) noexcept {
        bool found = false;
        while (!list.empty()) {
            const std::string_view number = take_list_element(list);
            if (number.empty()) continue;
            found = true;
            add_one_length(number);
        }
        if (!found) content_length_error = "a Content-Length without a number";
    }

    void add_one_length(std::string_view number) noexcept {
        std::int64_t length = 0;
        for (const char digit : number) {
            if (digit < '0' || digit > '9') {
                content_length_error = "a Content-Length that is not a number";
                return;
            }
            const std::int64_t value = digit - '0';
            if (length > (std::numeric_limits<std::int64_t>::max() - value) / 10) {
                content_length_error = "a Content-Length that no message can have";
                return;
            }
            length = length * 10 + value;
        }
        if (content_length >= 0 && content_length != length)
            content_length_error = "two Content-Lengths that differ";
        content_length = length;
    }

    void add_transfer_encoding(std::string_view list) noexcept {
        has_transfer_encoding = true;
        while (!list.empty()) {
            const std::string_view coding = take_list_element(list);
            if (coding.empty()) continue;
            const std::string_view name = trim(coding.substr(0, coding.find(';')));
            if (!equals_ignore_case(name, "chunked")) {
                has_other_coding = true;
                chunked_is_last = false;
                continue;
            }
            // RFC 9112 section 7: chunked has no parameters; section 6.1: it is applied once.
            if (name.size() != coding.size())
                transfer_coding_error = "a chunked transfer coding with parameters";
            if (seen_chunked_) transfer_coding_error = "a body that is chunked twice";
            seen_chunked_ = true;
            chunked_is_last = true;
        }
    }

    bool seen_chunked_ = false;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/chunked.hpp

namespace benchkit::inline v0_1::http::detail {

/// Takes the chunked transfer coding off a body (RFC 9112 section 7.1), from bytes in any pieces; it stores
/// nothing. Chunk extensions and trailer fields are checked and dropped, both within limits.
///
/// Lines of the coding end with CRLF only: section 2.2 allows a lone LF for start lines and fields, so here
/// that is trailer fields. Spaces after a chunk size are passed over, as some servers pad it.
class chunked_decoder {
  public:
    static constexpr std::size_t longest_size_line = 4096;  ///< bytes of a chunk size with its extensions

    /// Before each body. `trailer_limit` is the most bytes that its trailer section may have.
    void start(std::size_t trailer_limit) noexcept {
        state_ = state::size_begin;
        remaining_ = 0;
        bytes_left_ = longest_size_line;
        trailer_limit_ = trailer_limit;
    }

    /// Calls `on_data(std::string_view)` for each piece of content, in place.
    template <class OnData>
    [[nodiscard]] parse_status consume(std::string_view input, std::size_t& consumed, OnData&& on_data) {
        std::size_t at = 0;
        while (at != input.size()) {
            if (state_ == state::data) {
                const auto length = static_cast<std::size_t>(
                    std::min<std::uint64_t>(input.size() - at, static_cast<std::uint64_t>(remaining_)));
                on_data(input.substr(at, length));
                at += length;
                remaining_ -= static_cast<std::int64_t>(length);
                if (remaining_ == 0) state_ = state::data_cr;
                continue;
            }
            const char byte = input[at++];
            const bool fits = state_ < state::trailer_begin ? on_chunk_byte(byte) : on_trailer_byte(byte);
            if (!fits) return parse_status::malformed;
            if (state_ == state::complete) {
                consumed = at;
                return parse_status::complete;
            }
        }
        consumed = at;
        return parse_status::need_more;
    }

    [[nodiscard]] const char* reason() const noexcept { return reason_; }

  private:
    enum class state : std::uint8_t {
        size_begin,  // the first digit of a chunk size
        size,        // a further one, or what ends it
        size_space,  // whitespace after it
        extension,   // chunk extensions, to the end of the line
        size_lf,     // the LF of that line
        data,        // content
        data_cr,     // the CRLF after it
        data_lf,
        trailer_begin,  // the start of a trailer line, or the end
        trailer_name,
        trailer_value,
        trailer_lf,    // the LF after a trailer field
        trailer_next,  // as trailer_begin, and the field before it may go on
        end_lf,        // the LF of the last, empty line
        complete,
    };

    [[nodiscard]] bool refuse(const char* reason) noexcept {
        reason_ = reason;
        return false;
    }

    [[nodiscard]] bool go(state next) noexcept {
        state_ = next;
        return true;
    }

    [[nodiscard]] static int hex_digit(char byte) noexcept {
        if (byte >= '0' && byte <= '9') return byte - '0';
        const char lower = to_lower(byte);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    [[nodiscard]] bool on_chunk_byte(char byte) noexcept {
        switch (state_) {
            case state::size_begin:
            case state::size:
            case state::size_space:
            case state::extension:
                return on_size_line_byte(byte);
            case state::size_lf:
                if (byte != '\n') return refuse("a chunk size line with a CR without LF");
                if (remaining_ != 0) return go(state::data);
                bytes_left_ = trailer_limit_;
                return go(state::trailer_begin);
            case state::data_cr:
                return byte == '\r' ? go(state::data_lf)
                                    : refuse("a chunk that does not end where its size says");
            default:
                if (byte != '\n') return refuse("a chunk that does not end where its size says");
                bytes_left_ = longest_size_line;
                return go(state::size_begin);
        }
    }

    [[nodiscard]] bool on_size_line_byte(char byte) noexcept {
        if (bytes_left_-- == 0) return refuse("a chunk size line that is longer than the limit");
        if (byte == '\r' && state_ != state::size_begin) return go(state::size_lf);
        if (state_ == state::extension) {
            return is_character(byte, field_character) || refuse("a control character in a chunk extension");
        }
        const int digit = hex_digit(byte);
        if (digit >= 0 && state_ != state::size_space) {
            if (remaining_ > std::numeric_limits<std::int64_t>::max() >> 4) {
                return refuse("a chunk size that no chunk can have");
            }
            remaining_ = remaining_ * 16 + digit;
            return go(state::size);
        }
        if (state_ == state::size_begin) return refuse("a chunk without a size");
        if (byte == ';') return go(state::extension);
        return is_whitespace(byte) ? go(state::size_space) : refuse("a chunk size that is not a number");
    }

    [[nodiscard]] bool on_trailer_byte(char byte) noexcept {
        if (bytes_left_-- == 0) return refuse("a trailer section that is longer than the limit");
        switch (state_) {
            case state::trailer_begin:
            case state::trailer_next:
                if (byte == '\r') return go(state::end_lf);
                if (byte == '\n') return go(state::complete);
                if (state_ == state::trailer_next && is_whitespace(byte)) return go(state::trailer_value);
                return is_character(byte, token_character) ? go(state::trailer_name)
                                                           : refuse("a trailer line that is no field");
            case state::trailer_name:
                if (byte == ':') return go(state::trailer_value);
                return is_character(byte, token_character) || refuse("a trailer line that is no field");
            case state::trailer_value:
                if (byte == '\r') return go(state::trailer_lf);
                if (byte == '\n') return go(state::trailer_next);
                return is_character(byte, field_character) || refuse("a control character in a trailer field");
            case state::trailer_lf:
                return byte == '\n' ? go(state::trailer_next) : refuse("a CR without LF in a trailer field");
            default:
                return byte == '\n' ? go(state::complete) : refuse("a CR without LF after the trailer section");
        }
    }

    std::int64_t remaining_ = 0;  // of the chunk
    std::size_t bytes_left_ = 0;  // of the limit on the line, or on the trailer section
    std::size_t trailer_limit_ = 0;
    const char* reason_ = nullptr;
    state state_ = state::size_begin;
};

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/headers.hpp

namespace benchkit::inline v0_1::http {

/// One header field: views into the message it came with.
struct header_field {
    std::string_view name;   ///< as it was sent; compare without regard to case
    std::string_view value;  ///< without the whitespace around it
};

/// The header section of a message as it came over the wire, looked at in place: a range of header fields,
/// in their order. It is as short-lived as the bytes it looks at. The parsers hand out only sections in
/// which each line is a well-formed field; of any other text, lines without a colon are passed over.
class header_block {
  public:
    class iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = header_field;
        using difference_type = std::ptrdiff_t;
        using pointer = const header_field*;
        using reference = const header_field&;

        constexpr iterator() noexcept = default;
        constexpr explicit iterator(std::string_view rest) noexcept : rest_(rest) { ++*this; }

        [[nodiscard]] constexpr reference operator*() const noexcept { return field_; }
        [[nodiscard]] constexpr pointer operator->() const noexcept { return &field_; }

        constexpr iterator& operator++() noexcept {
            while (!rest_.empty()) {
                const std::size_t end = rest_.find('\n');
                const bool last = end == std::string_view::npos;
                position_ = rest_.data();
                std::string_view line = rest_.substr(0, end);
                rest_.remove_prefix(last ? rest_.size() : end + 1);
                if (line.ends_with('\r')) line.remove_suffix(1);
                const std::size_t colon = line.find(':');
                if (colon == std::string_view::npos) continue;
                field_ = {line.substr(0, colon), detail::trim(line.substr(colon + 1))};
                return *this;
            }
            position_ = nullptr;
            return *this;
        }

        constexpr iterator operator++(int) noexcept {
            const iterator before = *this;
            ++*this;
            return before;
        }

        friend constexpr bool operator==(const iterator& left, const iterator& right) noexcept {
            return left.position_ == right.position_;
        }

      private:
        std::string_view rest_;
        const char* position_ = nullptr;  // the start of the line that field_ is; null at the end
        header_field field_;
    };

    constexpr header_block() noexcept = default;
    /// Lines `name: value`, each ended by CRLF or LF (the last need not be).
    constexpr explicit header_block(std::string_view text) noexcept : text_(text) {}

    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(text_); }
    [[nodiscard]] constexpr iterator end() const noexcept { return iterator(); }
    [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }

    /// The value of the first field of this name, whatever its case; nothing where there is none.
    [[nodiscard]] constexpr std::optional<std::string_view> find(std::string_view name) const noexcept {
        for (const header_field& field : *this) {
            if (detail::equals_ignore_case(field.name, name)) return field.value;
        }
        return std::nullopt;
    }

    /// How many fields have this name.
    [[nodiscard]] constexpr std::size_t count(std::string_view name) const noexcept {
        std::size_t found = 0;
        for (const header_field& field : *this) found += detail::equals_ignore_case(field.name, name) ? 1U : 0U;
        return found;
    }

    /// Whether a list such as `Connection: keep-alive, close` has this element, in any of its lines and
    /// whatever the case. Only a whole element counts (RFC 9110 section 5.6.1).
    [[nodiscard]] constexpr bool has_list_element(std::string_view name,
                                                  std::string_view element) const noexcept {
        for (const header_field& field : *this) {
            if (!detail::equals_ignore_case(field.name, name)) continue;
            std::string_view list = field.value;
            while (!list.empty()) {
                if (detail::equals_ignore_case(detail::take_list_element(list), element)) return true;
            }
        }
        return false;
    }

    /// The bytes that are looked at.
    [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  private:
    std::string_view text_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/head_reader.hpp

namespace benchkit::inline v0_1::http::detail {

/// Reads the head of one message, start line to empty line, from bytes in any pieces. A head that is whole
/// in one piece is read in place, with no copy and no allocation; of one that is split, the pieces are
/// gathered in a buffer of the reader's own, each byte looked at once.
///
/// `Rules` has
///   static constexpr bool skips_empty_lines   before the start line (RFC 9112 section 2.2, for servers)
///   static constexpr bool unfolds             obs-fold is replaced by spaces, else refused (section 5.2)
///   const char* on_start_line(std::string_view line)                          each returns null or what is
///   const char* on_partial_start_line(std::string_view begin)                 wrong
///   const char* on_field(std::string_view name, std::string_view value)
/// The views given to them are valid during the call only.
///
/// A line ends with CRLF or with LF alone (section 2.2 lets a recipient take both); a CR anywhere else, any
/// other control character, whitespace before the colon or before the first field, and a line without a
/// colon are refused.
class head_reader {
  public:
    /// Before each head. `limit` is the most bytes that it may have.
    void start(std::size_t limit) noexcept {
        if (spill_.capacity() > kept_capacity) spill_ = std::string();
        spill_.clear();
        limit_ = limit;
        line_ = cursor_ = colon_ = fields_ = end_ = 0;
        in_fields_ = too_long_ = false;
    }

    template <class Rules>
    [[nodiscard]] parse_status consume(std::string_view input, std::size_t& consumed, Rules& rules) {
        const std::size_t before = spill_.size();
        input = input.substr(0, limit_ - before);
        if (before != 0) spill_.append(input);
        text_ = before != 0 ? std::string_view(spill_) : input;
        const parse_status status = scan(rules);
        if (status == parse_status::complete) consumed = end_ - before;
        if (status == parse_status::need_more) {
            if (text_.size() >= limit_) {
                too_long_ = true;
                return refuse("a head that is longer than the limit");
            }
            if (spill_.empty()) spill_.assign(text_);
            consumed = input.size();
        }
        return status;
    }

    /// After `complete`, until the bytes that were given go away (or, after `keep`, until `start`).
    [[nodiscard]] std::string_view start_line() const noexcept {
        return text().substr(start_line_, start_line_size_);
    }
    [[nodiscard]] header_block headers() const noexcept {
        return header_block(text().substr(fields_, end_of_fields_ - fields_));
    }
    /// Bytes of the head, the empty line included.
    [[nodiscard]] std::size_t size() const noexcept { return end_; }

    /// Copies a head that was read in place, so that it outlives the bytes that were given.
    void keep() {
        if (spill_.empty()) spill_.assign(text_.substr(0, end_));
    }

    /// After `malformed`: what is wrong; whether it is the length, and whether the start line has no end.
    [[nodiscard]] bool in_start_line() const noexcept { return !in_fields_; }
    [[nodiscard]] bool too_long() const noexcept { return too_long_; }
    [[nodiscard]] const char* reason() const noexcept { return reason_; }

  private:
    static constexpr std::size_t kept_capacity = 4096;  // a larger buffer is not kept for the next head

    // The bytes of the head: those gathered, or those that were given.
    [[nodiscard]] std::string_view text() const noexcept {
        return spill_.empty() ? text_ : std::string_view(spill_);
    }

    [[nodiscard]] parse_status refuse(const char* reason) noexcept {
        reason_ = reason;
        return parse_status::malformed;
    }

    template <class Rules>
    [[nodiscard]] parse_status scan(Rules& rules) {
        while (!in_fields_) {
            const parse_status status = scan_start_line(rules);
            if (status != parse_status::complete) return status;
        }
        while (true) {
            if (line_ == text_.size()) return parse_status::need_more;
            if (text_[line_] == '\r' || text_[line_] == '\n') return scan_empty_line();
            const parse_status status = scan_field(rules);
            if (status != parse_status::complete) return status;
        }
    }

    // Moves the cursor to the end of the line's text; `next` is the start of the next line.
    [[nodiscard]] parse_status scan_line_end(std::size_t& next) noexcept {
        const char* const first = text_.data();
        const char* const last = first + text_.size();
        const char* const found = find_control(first + cursor_, last);
        cursor_ = static_cast<std::size_t>(found - first);
        next = cursor_ + 1;
        if (found == last) return parse_status::need_more;
        if (*found == '\n') return parse_status::complete;
        if (*found != '\r') return refuse("a control character in the head");
        if (found + 1 == last) return parse_status::need_more;
        ++next;
        return found[1] == '\n' ? parse_status::complete : refuse("a CR without LF in the head");
    }

    template <class Rules>
    [[nodiscard]] parse_status scan_start_line(Rules& rules) {
        std::size_t next = 0;
        const parse_status status = scan_line_end(next);
        if (status == parse_status::malformed) return status;
        const std::string_view line = text_.substr(line_, cursor_ - line_);
        if (status == parse_status::need_more) {
            const char* const wrong = rules.on_partial_start_line(line);
            return wrong != nullptr ? refuse(wrong) : status;
        }
        if (Rules::skips_empty_lines && line.empty()) {
            line_ = cursor_ = next;
            return parse_status::complete;
        }
        if (const char* const wrong = rules.on_start_line(line)) return refuse(wrong);
        start_line_ = line_;
        start_line_size_ = line.size();
        line_ = cursor_ = fields_ = next;
        in_fields_ = true;
        return parse_status::complete;
    }

    [[nodiscard]] parse_status scan_empty_line() noexcept {
        std::size_t next = 0;
        const parse_status status = scan_line_end(next);
        if (status != parse_status::complete) return status;
        end_of_fields_ = line_;
        end_ = next;
        return status;
    }

    // One field line with its continuations. The field has ended only when the first byte of the next line
    // is there and is no whitespace.
    template <class Rules>
    [[nodiscard]] parse_status scan_field(Rules& rules) {
        if (colon_ == 0) {
            const parse_status status = scan_name();
            if (status != parse_status::complete) return status;
        }
        std::size_t next = 0;
        while (true) {
            const parse_status status = scan_line_end(next);
            if (status != parse_status::complete) return status;
            if (next == text_.size()) return parse_status::need_more;
            if (!is_whitespace(text_[next])) break;
            if (!Rules::unfolds) return refuse("a header field folded over two lines");
            unfold(next);
        }
        const std::string_view name = text_.substr(line_, colon_ - line_);
        const std::string_view value = trim(text_.substr(colon_ + 1, cursor_ - colon_ - 1));
        if (const char* const wrong = rules.on_field(name, value)) return refuse(wrong);
        line_ = cursor_ = next;
        colon_ = 0;
        return parse_status::complete;
    }

    [[nodiscard]] parse_status scan_name() noexcept {
        const char* const last = text_.data() + text_.size();
        const char* found = text_.data() + cursor_;
        while (found != last && is_character(*found, token_character)) ++found;
        cursor_ = static_cast<std::size_t>(found - text_.data());
        if (found == last) return parse_status::need_more;
        if (*found != ':') {
            if (!is_whitespace(*found)) return refuse("a header line that is no field");
            return refuse(cursor_ == line_ ? "whitespace before the first header field"
                                           : "whitespace between a field name and its colon");
        }
        if (cursor_ == line_) return refuse("a header field without a name");
        colon_ = cursor_++;
        return parse_status::complete;
    }

    // Replaces the line end before `next` by spaces, in a copy.
    void unfold(std::size_t next) {
        if (spill_.empty()) {
            spill_.assign(text_);
            text_ = spill_;
        }
        for (; cursor_ != next; ++cursor_) spill_[cursor_] = ' ';
    }

    std::string spill_;      // a head that is not whole in one piece
    std::string_view text_;  // what is being looked at: the input, or spill_
    std::size_t limit_ = 0;
    std::size_t line_ = 0;    // start of the line being read
    std::size_t cursor_ = 0;  // all before it was looked at
    std::size_t colon_ = 0;   // of the field being read; 0 while in its name
    std::size_t start_line_ = 0;
    std::size_t start_line_size_ = 0;
    std::size_t fields_ = 0;  // start of the header fields
    std::size_t end_of_fields_ = 0;
    std::size_t end_ = 0;  // end of the head
    const char* reason_ = nullptr;
    bool in_fields_ = false;
    bool too_long_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/url.hpp

#include <arpa/inet.h>
#include <netinet/in.h>

namespace benchkit::inline v0_1::http {

/// The parts of an `http` URL (RFC 9110 section 4.2.1, RFC 3986).
struct url {
    std::string scheme = "http";
    std::string host;  ///< a name or an address; an IPv6 address without its brackets
    std::uint16_t port = 80;
    std::string path = "/";  ///< with the query, as it is sent: begins with "/"
    bool ipv6 = false;       ///< host is an IPv6 address

    /// The value of the Host field: brackets around an IPv6 address, the port where it is not 80.
    [[nodiscard]] std::string host_header() const {
        std::string text = ipv6 ? "[" + host + "]" : host;
        if (port != 80) text.append(":").append(std::to_string(port));
        return text;
    }

    /// The whole URL, without what was dropped from it.
    [[nodiscard]] std::string text() const { return scheme + "://" + host_header() + path; }

    friend bool operator==(const url&, const url&) = default;
};

namespace detail {

/// One URL being taken apart; each step refuses by name what is wrong.
class url_reader {
  public:
    url_reader(std::string_view option_name, std::string_view text) noexcept
        : option_(option_name), text_(text) {}

    [[nodiscard]] url read() {
        if (text_.empty()) refuse("a URL such as http://localhost:8080/path is needed");
        for (const char byte : text_) {
            if (!is_character(byte, target_character)) {
                refuse("a URL has no spaces, control characters or bytes beyond ASCII; percent-encode them");
            }
        }
        std::string_view rest = text_;
        read_scheme(rest);
        rest = rest.substr(0, rest.find('#'));
        const std::size_t end = rest.find_first_of("/?");
        read_authority(rest.substr(0, end));
        if (end == std::string_view::npos) return url_;
        url_.path = rest.substr(end);
        if (url_.path.front() == '?') url_.path.insert(0, "/");
        return url_;
    }

  private:
    [[noreturn]] void refuse(const char* allowed) const {
        fail_option(std::string(option_), printable(text_), allowed);
    }

    void read_scheme(std::string_view& rest) const {
        const std::size_t end = rest.find("://");
        if (end == std::string_view::npos) refuse("a URL begins with http://");
        const std::string_view scheme = rest.substr(0, end);
        if (equals_ignore_case(scheme, "https")) refuse("this build has no TLS, so a URL begins with http://");
        if (!equals_ignore_case(scheme, "http")) refuse("this scheme is unknown; a URL begins with http://");
        rest.remove_prefix(end + 3);
    }

    // [ userinfo "@" ] host [ ":" port ]
    void read_authority(std::string_view authority) {
        if (authority.find('@') != std::string_view::npos) {
            refuse("a user or password in the URL is not supported; send a header Authorization instead");
        }
        const bool literal = authority.starts_with('[');
        const std::size_t end = literal ? authority.find(']') : authority.find(':');
        if (literal && end == std::string_view::npos) refuse("the ] after an IPv6 address is missing");
        const std::string_view host = authority.substr(literal ? 1 : 0, literal ? end - 1 : end);
        literal ? read_ipv6(host) : read_name(host);
        if (end == std::string_view::npos) return;
        authority.remove_prefix(literal ? end + 1 : end);
        if (authority.empty()) return;
        if (authority.front() != ':') refuse("after the ] of an IPv6 address only a port or a path may follow");
        read_port(authority.substr(1));
    }

    void read_ipv6(std::string_view host) {
        if (host.find('%') != std::string_view::npos) refuse("a zone in an IPv6 address is not supported");
        url_.host = host;
        url_.ipv6 = true;
        in6_addr address{};
        if (inet_pton(AF_INET6, url_.host.c_str(), &address) != 1) refuse("this is no IPv6 address");
    }

    void read_name(std::string_view host) {
        if (host.empty()) refuse("the host is missing");
        if (!all_characters(host, host_character)) {
            refuse("a host name has letters, digits and -._~ only, and an IPv6 address stands in brackets");
        }
        url_.host = host;
    }

    void read_port(std::string_view text) {
        if (text.empty()) refuse("the port after : is missing");
        std::uint16_t port = 0;
        const char* const last = text.data() + text.size();
        const auto [end, problem] = std::from_chars(text.data(), last, port);
        if (problem != std::errc() || end != last || port == 0) refuse("a port is a number from 1 to 65535");
        url_.port = port;
    }

    std::string_view option_;
    std::string_view text_;
    url url_;
};

}  // namespace detail

/// Takes a URL apart; fails with one sentence that names `option_name` and what is wrong. Only `http` for
/// now. The default port is 80, an empty path becomes "/", a fragment is dropped.
[[nodiscard]] inline url parse_url(std::string_view option_name, std::string_view text) {
    return detail::url_reader(option_name, text).read();
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/request.hpp

namespace benchkit::inline v0_1::http {

/// The version that a client speaks.
enum class http_version : std::uint8_t { http_1_0, http_1_1 };

/// A header field that one sends.
struct header_line {
    std::string name;
    std::string value;

    friend bool operator==(const header_line&, const header_line&) = default;
};

namespace detail {

/// Fails where this is no field that may be sent (RFC 9110 sections 5.1 and 5.5), else takes it.
[[nodiscard]] inline header_line checked_header(std::string_view option, std::string_view name,
                                                std::string_view value) {
    if (!all_characters(name, token_character)) {
        fail_option(std::string(option), printable(name),
                    "a header name has letters, digits and !#$%&'*+-.^_`|~ only");
    }
    value = trim(value);
    if (find_control(value.data(), value.data() + value.size()) != value.data() + value.size()) {
        fail_option(std::string(option), printable(name) + ": " + printable(value),
                    "a header value has no CR, LF, NUL or other control characters");
    }
    return {std::string(name), std::string(value)};
}

[[nodiscard]] inline const header_line* find_header(const std::vector<header_line>& headers,
                                                    std::string_view name) {
    for (const header_line& each : headers) {
        if (equals_ignore_case(each.name, name)) return &each;
    }
    return nullptr;
}

inline void append_header(std::string& text, std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace detail

/// A header field from text such as "Accept: text/html", as programs take it; fails with a sentence that
/// names `option`.
[[nodiscard]] inline header_line parse_header_line(std::string_view option, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        fail_option(std::string(option), detail::printable(text), "a header is written as \"Name: value\"");
    }
    return detail::checked_header(option, text.substr(0, colon), text.substr(colon + 1));
}

/// A request to be sent: method, target, header fields, body.
///
///     http::request("POST", "/items").header("Content-Type", "application/json").body("{}")
///
/// Host, User-Agent, Accept, Connection and Content-Length are sent without being asked for; one given by
/// `header` replaces the default. What may not be sent fails at once with a sentence: a method or a header
/// name that is no token, control characters, a target with spaces or a fragment, Transfer-Encoding (bodies
/// go with their length), a second Host, the method CONNECT.
class request {
  public:
    /// GET of the path of the URL.
    request() = default;

    /// `target`: path and query, beginning with "/" ("*" with OPTIONS); empty takes those of the URL.
    explicit request(std::string_view method, std::string_view target = {}) : method_(method), target_(target) {
        if (!detail::all_characters(method, detail::token_character)) {
            fail_option("method", detail::printable(method), "a method is a word such as GET or POST");
        }
        if (method == "CONNECT") fail_option("method", "CONNECT", "this client opens no tunnels");
        check_target();
    }

    request& header(std::string_view name, std::string_view value) & {
        header_line line = detail::checked_header("header", name, value);
        if (detail::equals_ignore_case(name, "Transfer-Encoding")) {
            fail_option("header", line.name, "a body is sent with its length, in no transfer coding");
        }
        if (detail::equals_ignore_case(name, "Host") && find_header(name) != nullptr) {
            fail_option("header", line.name, "a request has one Host");
        }
        headers_.push_back(std::move(line));
        return *this;
    }
    request&& header(std::string_view name, std::string_view value) && {
        return std::move(header(name, value));
    }

    request& body(std::string content) & {
        body_ = std::move(content);
        return *this;
    }
    request&& body(std::string content) && { return std::move(body(std::move(content))); }

    [[nodiscard]] const std::string& method() const noexcept { return method_; }
    /// Empty where the URL's is taken.
    [[nodiscard]] const std::string& target() const noexcept { return target_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    /// Whether the answer has no body for the method's sake. Methods are case-sensitive.
    [[nodiscard]] bool is_head() const noexcept { return method_ == "HEAD"; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    void check_target() const {
        if (target_.empty() || (target_ == "*" && method_ == "OPTIONS")) return;
        if (target_.front() != '/') fail_option("path", detail::printable(target_), "a path begins with /");
        if (!detail::all_characters(target_, detail::target_character) ||
            target_.find('#') != std::string::npos) {
            fail_option(
                "path", detail::printable(target_),
                "a path has no spaces, control characters, bytes beyond ASCII or #; percent-encode them");
        }
    }

    std::string method_ = "GET";
    std::string target_;
    std::vector<header_line> headers_;
    std::string body_;
};

namespace detail {

/// The fields of a request in the order in which they are sent. `take` writes those of a name that the user
/// gave, else the default.
class request_writer {
  public:
    request_writer(const request& source, std::string& text) noexcept : source_(source), text_(text) {}

    void take(std::string_view name, std::string_view default_value) {
        if (source_.find_header(name) == nullptr) {
            if (!default_value.empty()) append_header(text_, name, default_value);
            return;
        }
        for (const header_line& each : source_.headers()) {
            if (equals_ignore_case(each.name, name)) append_header(text_, each.name, each.value);
        }
    }

    void take_others() {
        for (const header_line& each : source_.headers()) {
            if (!is_placed(each.name)) append_header(text_, each.name, each.value);
        }
    }

    void take_content() {
        const std::string size = std::to_string(source_.body().size());
        for (const header_line& each : source_.headers()) {
            if (equals_ignore_case(each.name, "Content-Length") && each.value != size) {
                fail_option("header", "Content-Length: " + each.value, "the body has " + size + " bytes");
            }
        }
        const std::string& method = source_.method();
        const bool has_content =
            !source_.body().empty() || method == "POST" || method == "PUT" || method == "PATCH";
        take("Content-Length", has_content ? std::string_view(size) : std::string_view());
        take("Content-Type", {});
    }

  private:
    [[nodiscard]] static bool is_placed(std::string_view name) {
        for (const char* each :
             {"Connection", "Host", "User-Agent", "Accept", "Content-Length", "Content-Type"}) {
            if (equals_ignore_case(name, each)) return true;
        }
        return false;
    }

    const request& source_;
    std::string& text_;
};

}  // namespace detail

/// The bytes of a request to this URL, head and body, prepared once and sent as often as wanted. The order
/// is that of ab: Connection, the fields given, Host, User-Agent, Accept, then those of the body.
/// Connection says what the version does not: `close` for HTTP/1.1 without keep-alive, `Keep-Alive` for
/// HTTP/1.0 with it. A body, POST, PUT and PATCH have a Content-Length.
[[nodiscard]] inline std::string serialize(const request& source, const url& to, http_version version,
                                           bool keep_alive) {
    const bool is_old = version == http_version::http_1_0;
    std::string text = source.method();
    text.append(" ").append(source.target().empty() ? to.path : source.target());
    text.append(is_old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    detail::request_writer writer(source, text);
    const char* const connection = is_old ? (keep_alive ? "Keep-Alive" : "") : (keep_alive ? "" : "close");
    writer.take("Connection", connection);
    writer.take_others();
    writer.take("Host", to.host_header());
    writer.take("User-Agent", "benchkit/" BENCHKIT_VERSION_STRING);
    writer.take("Accept", "*/*");
    writer.take_content();
    text.append("\r\n").append(source.body());
    return text;
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/status.hpp

namespace benchkit::inline v0_1::http {

namespace detail {

struct status_phrase {
    int status;
    std::string_view phrase;
};

inline constexpr status_phrase status_phrases[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {102, "Processing"},
    {103, "Early Hints"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {203, "Non-Authoritative Information"},
    {204, "No Content"},
    {205, "Reset Content"},
    {206, "Partial Content"},
    {207, "Multi-Status"},
    {208, "Already Reported"},
    {226, "IM Used"},
    {300, "Multiple Choices"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {305, "Use Proxy"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {402, "Payment Required"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {411, "Length Required"},
    {412, "Precondition Failed"},
    {413, "Content Too Large"},
    {414, "URI Too Long"},
    {415, "Unsupported Media Type"},
    {416, "Range Not Satisfiable"},
    {417, "Expectation Failed"},
    {421, "Misdirected Request"},
    {422, "Unprocessable Content"},
    {423, "Locked"},
    {424, "Failed Dependency"},
    {425, "Too Early"},
    {426, "Upgrade Required"},
    {428, "Precondition Required"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {451, "Unavailable For Legal Reasons"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
    {506, "Variant Also Negotiates"},
    {507, "Insufficient Storage"},
    {508, "Loop Detected"},
    {510, "Not Extended"},
    {511, "Network Authentication Required"},
};

}  // namespace detail

/// The reason phrase of a status code, as RFC 9110 section 15 and IANA's registry have it; empty for a code
/// that is not registered.
[[nodiscard]] constexpr std::string_view reason_phrase(int status) noexcept {
    for (const detail::status_phrase& each : detail::status_phrases) {
        if (each.status == status) return each.phrase;
    }
    return {};
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/reply.hpp

namespace benchkit::inline v0_1::http {

/// What a server answers: status, header fields, body.
///
///     http::reply("hello")
///     http::reply(201, body).header("Content-Type", "application/json")
///
/// Server and, with a body, Content-Type (text/plain) are sent without being asked for; one given by
/// `header` replaces the default. Content-Length, Transfer-Encoding and Connection are the server's own: to
/// give them fails with a sentence, as does a field that may not be sent.
class reply {
  public:
    /// 200 without a body.
    reply() = default;

    /// 200 with this body.
    reply(std::string content) : body_(std::move(content)) {}
    reply(std::string_view content) : body_(content) {}
    reply(const char* content) : body_(content) {}

    /// `status`: 200 to 999.
    explicit reply(int status, std::string content = {}) : status_(status), body_(std::move(content)) {
        if (status < 200 || status > 999) {
            fail_option("status", std::to_string(status), "the status of a reply is from 200 to 999");
        }
    }

    reply& header(std::string_view name, std::string_view value) & {
        header_line line = detail::checked_header("header", name, value);
        for (const char* each : {"Content-Length", "Transfer-Encoding", "Connection"}) {
            if (detail::equals_ignore_case(name, each)) {
                fail_option("header", line.name,
                            "the server writes this field itself; close() ends the connection");
            }
        }
        headers_.push_back(std::move(line));
        return *this;
    }
    reply&& header(std::string_view name, std::string_view value) && { return std::move(header(name, value)); }

    reply& body(std::string content) & {
        body_ = std::move(content);
        return *this;
    }
    reply&& body(std::string content) && { return std::move(body(std::move(content))); }

    /// The connection ends after this reply.
    reply& close() & noexcept {
        closes_ = true;
        return *this;
    }
    reply&& close() && noexcept { return std::move(close()); }

    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    [[nodiscard]] bool closes() const noexcept { return closes_; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    int status_ = 200;
    bool closes_ = false;
    std::vector<header_line> headers_;
    std::string body_;
};

/// Appends the bytes of a reply, head and body, so that the replies to pipelined requests leave in one write.
/// The status line says HTTP/1.1 whatever the request said (RFC 9110 section 6.2).
/// `keep_alive`: the request lets the connection go on; where the reply does not close it, a client of
/// HTTP/1.0 (`minor_version` 0) is told so, else `Connection: close` is sent. `head_only`: the answer to
/// HEAD, with the Content-Length that GET would have. 204 and 304 have neither body nor length.
inline void serialize(const reply& source, bool keep_alive, int minor_version, bool head_only,
                      std::string& out) {
    out.append("HTTP/1.1 ").append(std::to_string(source.status())).append(" ");
    out.append(reason_phrase(source.status())).append("\r\n");
    if (source.find_header("Server") == nullptr) {
        detail::append_header(out, "Server", "benchkit/" BENCHKIT_VERSION_STRING);
    }
    const bool has_content = source.status() != 204 && source.status() != 304;
    if (has_content && !source.body().empty() && source.find_header("Content-Type") == nullptr) {
        detail::append_header(out, "Content-Type", "text/plain");
    }
    for (const header_line& each : source.headers()) detail::append_header(out, each.name, each.value);
    if (has_content) detail::append_header(out, "Content-Length", std::to_string(source.body().size()));
    if (!keep_alive || source.closes()) {
        detail::append_header(out, "Connection", "close");
    } else if (minor_version == 0) {
        detail::append_header(out, "Connection", "keep-alive");
    }
    out.append("\r\n");
    if (has_content && !head_only) out.append(source.body());
}

/// The bytes of a reply, as above, on their own.
[[nodiscard]] inline std::string serialize(const reply& source, bool keep_alive, int minor_version = 1,
                                           bool head_only = false) {
    std::string text;
    serialize(source, keep_alive, minor_version, head_only, text);
    return text;
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/request_parser.hpp

namespace benchkit::inline v0_1::http {

/// A request as a server received it. Its views are valid until the parser is given other bytes or started.
struct received_request {
    std::string_view method;  ///< as sent; methods are case-sensitive
    std::string_view target;  ///< as sent
    std::string_view path;    ///< of the target, without its query; of an absolute one, without scheme and host
    std::string_view query;   ///< after the "?"; empty where there is none
    int minor_version = 1;    ///< of HTTP/1.x, as sent
    header_block headers;
    std::string_view body;  ///< without its chunking
};

/// The most that a request may have, in bytes.
struct request_limits {
    std::size_t head = std::size_t{64} * 1024;  ///< request line and header fields; also a trailer section
    std::size_t body = std::size_t{16} * 1024 * 1024;  ///< content
};

/// An incremental parser of HTTP/1.x requests by RFC 9112, for servers. It takes the bytes in any pieces,
/// leaves those of the next request alone, and collects the body up to a limit. A head that is whole in one
/// piece is parsed in place.
///
/// What cannot be answered otherwise is `malformed`, with the status to answer before closing:
/// - 400: a request line or field that breaks the grammar; no Host in HTTP/1.1, two Hosts, or one that is no
///   host; a folded field; Content-Lengths that differ or are no number; Transfer-Encoding in HTTP/1.0, or
///   with a last coding that is not chunked.
/// - 413, 414, 431: content, request line, head longer than the limit.
/// - 501: a transfer coding besides chunked; the method CONNECT. Other methods are the caller's to judge.
/// - 505: a version other than HTTP/1.x.
/// Empty lines before the request line are passed over. With both Transfer-Encoding and Content-Length the
/// former counts and the connection is not kept (section 6.1). Lines may end with a lone LF.
class request_parser {
  public:
    explicit request_parser(request_limits limits = {}) noexcept : limits_(limits) { start(); }

    /// Before each request.
    void start() noexcept {
        state_ = state::head;
        started_ = false;
        keep_alive_ = false;
        expects_continue_ = false;
        hosts_ = 0;
        error_status_ = 0;
        reason_ = nullptr;
        fields_ = {};
        head_.start(limits_.head);
        if (body_.capacity() > kept_capacity) body_ = std::string();
        body_.clear();
    }

    /// Takes bytes from the front of `input`; `consumed` says how many. `need_more` means that all were
    /// taken; after `complete`, those that were not belong to the next request.
    parse_status consume(std::string_view input, std::size_t& consumed) {
        consumed = 0;
        started_ = started_ || !input.empty();
        if (state_ == state::head) {
            const parse_status status = head_.consume(input, consumed, *this);
            if (status == parse_status::need_more) return status;
            if (status == parse_status::malformed) return refuse_head();
            input.remove_prefix(consumed);
            end_head();
        }
        parse_status status = parse_status::complete;
        if (state_ == state::malformed) status = parse_status::malformed;
        if (state_ == state::length) status = take_length(input, consumed);
        if (state_ == state::chunked) status = take_chunked(input, consumed);
        if (status == parse_status::need_more) head_.keep();
        if (status == parse_status::complete) state_ = state::complete;
        return status;
    }

    /// After `complete`; also once the head is there, then with the part of the body that has come.
    [[nodiscard]] received_request get() const noexcept {
        const std::string_view line = head_.start_line();
        received_request request;
        request.method = line.substr(0, method_size_);
        request.target = line.substr(method_size_ + 1, target_size_);
        request.path = path_and_query(request.target);
        const std::size_t mark = request.path.find('?');
        if (mark != std::string_view::npos) {
            request.query = request.path.substr(mark + 1);
            request.path = request.path.substr(0, mark);
        }
        if (request.path.empty()) request.path = "/";
        request.minor_version = minor_version_;
        request.headers = head_.headers();
        request.body = body_;
        return request;
    }

    /// Whether a byte of this request has come.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// Whether the head is there and the body is not, and the client waits for `100 Continue` to send it.
    [[nodiscard]] bool expects_continue() const noexcept {
        return expects_continue_ && body_.empty() && (state_ == state::length || state_ == state::chunked);
    }
    /// After `complete`: whether the client lets the connection go on (RFC 9112 section 9.3).
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_ && state_ == state::complete; }
    /// The minor version of the request line; 1 before there is one.
    [[nodiscard]] int minor_version() const noexcept { return minor_version_; }
    /// After `malformed`: the status to answer, and what is wrong, as a phrase.
    [[nodiscard]] int error_status() const noexcept { return error_status_; }
    [[nodiscard]] std::string_view reason_malformed() const noexcept {
        return reason_ != nullptr ? std::string_view(reason_) : std::string_view();
    }

  private:
    friend class detail::head_reader;  // calls the rules below

    enum class state : std::uint8_t { head, length, chunked, complete, malformed };

    static constexpr bool skips_empty_lines = true;
    static constexpr bool unfolds = false;
    static constexpr std::size_t kept_capacity = 64 * 1024;  // a larger body buffer is not kept

    parse_status refuse(int status, const char* reason) noexcept {
        state_ = state::malformed;
        error_status_ = status;
        reason_ = reason;
        return parse_status::malformed;
    }

    // The head reader refused: by its own rules, by the rules below (which have set the status), or by length.
    parse_status refuse_head() noexcept {
        if (error_status_ == 0 && head_.too_long()) error_status_ = head_.in_start_line() ? 414 : 431;
        return refuse(error_status_ == 0 ? 400 : error_status_, head_.reason());
    }

    static const char* on_partial_start_line(std::string_view begin) noexcept {
        const bool begins_well = begin.empty() || detail::is_character(begin.front(), detail::token_character);
        return begins_well ? nullptr : "a request line that does not begin with a method";
    }

    // method SP request-target SP HTTP-version
    const char* on_start_line(std::string_view line) noexcept {
        const std::size_t first = line.find(' ');
        const std::size_t last = line.rfind(' ');
        if (first == std::string_view::npos || first == last) return "a request line without its three parts";
        method_size_ = first;
        target_size_ = last - first - 1;
        if (!detail::all_characters(line.substr(0, first), detail::token_character)) {
            return "a method that is no token";
        }
        if (const char* const wrong = on_version(line.substr(last + 1))) return wrong;
        return on_target(line.substr(0, first), line.substr(first + 1, target_size_));
    }

    const char* on_version(std::string_view version) noexcept {
        const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
        if (version.size() != 8 || !version.starts_with("HTTP/") || version[6] != '.' ||
            !is_digit(version[5]) || !is_digit(version[7])) {
            return "a request line that does not end with an HTTP version";
        }
        if (version[5] != '1') {
            error_status_ = 505;
            return "a version other than HTTP/1.x";
        }
        minor_version_ = version[7] - '0';
        return nullptr;
    }

    // RFC 9112 section 3.2: origin-form, absolute-form, or the asterisk of OPTIONS.
    const char* on_target(std::string_view method, std::string_view target) noexcept {
        if (method == "CONNECT") {
            error_status_ = 501;
            return "the method CONNECT";
        }
        constexpr const char* wrong = "a request target that is neither a path nor a URL";
        if (!detail::all_characters(target, detail::target_character)) return wrong;
        if (target.find('#') != std::string_view::npos) return "a request target with a fragment";
        if (target == "*") return method == "OPTIONS" ? nullptr : wrong;
        return target.front() == '/' || is_absolute(target) ? nullptr : wrong;
    }

    // "http://" or "https://", whatever its case, and a host.
    [[nodiscard]] static bool is_absolute(std::string_view target) noexcept {
        const std::size_t end = target.find("://");
        if (end == std::string_view::npos) return false;
        const std::string_view scheme = target.substr(0, end);
        const bool known =
            detail::equals_ignore_case(scheme, "http") || detail::equals_ignore_case(scheme, "https");
        target.remove_prefix(end + 3);
        return known && !target.empty() && target.find_first_of("/?") != 0;
    }

    [[nodiscard]] static std::string_view path_and_query(std::string_view target) noexcept {
        if (target.empty() || target.front() == '/' || target == "*") return target;
        const std::size_t host = target.find("://") + 3;
        const std::size_t end = target.find_first_of("/?", host);
        return end == std::string_view::npos ? std::string_view() : target.substr(end);
    }

    const char* on_field(std::string_view name, std::string_view value) noexcept {
        if (name.size() == 4 && detail::equals_ignore_case(name, "Host")) return on_host(value);
        if (name.size() == 6 && detail::equals_ignore_case(name, "Expect")) {
            expects_continue_ = detail::equals_ignore_case(value, "100-continue");
        }
        fields_.add(name, value);
        return nullptr;
    }

    // Host = uri-host [ ":" port ]; it may be empty.
    const char* on_host(std::string_view value) noexcept {
        if (++hosts_ > 1) return "two Hosts";
        const auto is_wrong = [](char byte) {
            return !detail::is_character(byte, detail::target_character) ||
                   std::string_view("/?#@\\\"<>^`{|}").find(byte) != std::string_view::npos;
        };
        return std::any_of(value.begin(), value.end(), is_wrong) ? "a Host that is no host" : nullptr;
    }

    void end_head() noexcept {
        if (hosts_ == 0 && minor_version_ >= 1) {
            refuse(400, "no Host");
            return;
        }
        keep_alive_ = fields_.is_persistent(minor_version_);
        expects_continue_ = expects_continue_ && minor_version_ >= 1;
        fields_.has_transfer_encoding ? find_transfer_coding() : find_length();
    }

    void find_transfer_coding() noexcept {
        if (minor_version_ == 0) {
            refuse(400, "a Transfer-Encoding in HTTP/1.0");
        } else if (fields_.transfer_coding_error != nullptr) {
            refuse(400, fields_.transfer_coding_error);
        } else if (!fields_.chunked_is_last) {
            refuse(400, "a Transfer-Encoding whose last coding is not chunked");
        } else if (fields_.has_other_coding) {
            refuse(501, "a transfer coding other than chunked");
        } else {
            if (fields_.content_length >= 0 || fields_.content_length_error != nullptr) keep_alive_ = false;
            chunks_.start(limits_.head);
            state_ = state::chunked;
        }
    }

    void find_length() noexcept {
        if (fields_.content_length_error != nullptr) {
            refuse(400, fields_.content_length_error);
        } else if (fields_.content_length <= 0) {
            state_ = state::complete;
        } else if (static_cast<std::uint64_t>(fields_.content_length) > limits_.body) {
            refuse(413, "content that is longer than the limit");
        } else {
            state_ = state::length;
        }
    }

    parse_status take_length(std::string_view input, std::size_t& consumed) {
        const auto size = static_cast<std::size_t>(fields_.content_length);
        const std::string_view content = input.substr(0, size - body_.size());
        body_.append(content);
        consumed += content.size();
        return body_.size() == size ? parse_status::complete : parse_status::need_more;
    }

    parse_status take_chunked(std::string_view input, std::size_t& consumed) {
        std::size_t used = 0;
        bool fits = true;
        const parse_status status = chunks_.consume(input, used, [&](std::string_view content) {
            fits = fits && content.size() <= limits_.body - body_.size();
            if (fits) body_.append(content);
        });
        consumed += used;
        if (!fits) return refuse(413, "content that is longer than the limit");
        return status == parse_status::malformed ? refuse(400, chunks_.reason()) : status;
    }

    detail::head_reader head_;
    detail::chunked_decoder chunks_;
    detail::framing_fields fields_;
    std::string body_;
    request_limits limits_;
    std::size_t method_size_ = 0;
    std::size_t target_size_ = 0;
    const char* reason_ = nullptr;
    int minor_version_ = 1;
    int error_status_ = 0;
    int hosts_ = 0;
    state state_ = state::head;
    bool started_ = false;
    bool keep_alive_ = false;
    bool expects_continue_ = false;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/response_parser.hpp

namespace benchkit::inline v0_1::http {

/// The head of a response. Its views are valid during the call that hands it out.
struct response_head {
    int status = 0;                             ///< 200 to 999
    int minor_version = 1;                      ///< of HTTP/1.x, as sent
    std::string_view reason;                    ///< may be empty; means nothing (RFC 9112 section 4)
    header_block headers;                       ///< folded lines are unfolded
    body_framing framing = body_framing::none;  ///< how the body ends
    std::int64_t content_length = -1;  ///< as sent, also where it does not frame a body; -1: none or unusable
};

/// An incremental parser of HTTP/1.x responses by RFC 9112, for clients. It takes the bytes in any pieces
/// and stores none of the body; a head that is whole in one piece is parsed in place without a copy or an
/// allocation.
///
///     parser.start(false);                                     // before each response
///     std::size_t consumed = 0;
///     switch (parser.consume(bytes, consumed, handler)) { ... }  // bytes after `consumed` are the next
///     answer's
///
/// What it takes and refuses:
/// - Interim responses (1xx) are passed over; 101 is malformed, as no upgrade was asked for.
/// - HEAD, 204 and 304 have no body whatever their fields say. Otherwise Transfer-Encoding goes before
///   Content-Length, and with both the connection is not kept (section 6.3). Codings of which chunked is not
///   the last end with the connection. HTTP/1.0 with Transfer-Encoding is malformed (section 6.1).
/// - Equal Content-Lengths count once; those that differ, are no number or above 2^63 - 1 are malformed.
/// - Lines may end with a lone LF; the space after the status code may be missing where the reason is; a
///   folded field is unfolded (section 5.2). A lone CR, other control characters, whitespace before a colon,
///   an empty line before the status line, a status below 100 and any version but HTTP/1.x are malformed.
/// - Chunk extensions and trailers are checked and dropped.
/// - Bounded: heads, 1xx included, and trailers by `limit` bytes each, a chunk size line by 4096.
/// The result never depends on how the bytes were split.
class response_parser {
  public:
    static constexpr std::size_t default_limit = std::size_t{64} * 1024;

    /// `limit`: the most bytes of a head together with the interim heads before it, and of a trailer section.
    explicit response_parser(std::size_t limit = default_limit) noexcept : limit_(limit) { start(false); }

    /// Before each response. `to_head_request`: it answers a HEAD request, so it has no body.
    void start(bool to_head_request) noexcept {
        state_ = state::head;
        to_head_request_ = to_head_request;
        started_ = false;
        keep_alive_ = false;
        reason_ = nullptr;
        head_bytes_ = 0;
        body_bytes_ = 0;
        start_head();
    }

    /// Takes bytes from the front of `input`; `consumed` says how many. Calls `handler.on_head(const
    /// response_head&)` once, for the final head, then `handler.on_body(std::string_view)` for each piece of
    /// content, without its chunking. `need_more` means that all bytes were taken; after `complete`, those
    /// that were not belong to the next response. Never answers `cut`.
    template <class Handler>
    parse_status consume(std::string_view input, std::size_t& consumed, Handler& handler) {
        consumed = 0;
        started_ = started_ || !input.empty();
        while (state_ == state::head) {
            std::size_t used = 0;
            const parse_status status = head_.consume(input, used, *this);
            consumed += used;
            if (status == parse_status::malformed) return refuse(head_.reason());
            if (status == parse_status::need_more) return status;
            input.remove_prefix(used);
            end_head(handler);
        }
        switch (state_) {
            case state::length:
                return take_length(input, consumed, handler);
            case state::chunked:
                return take_chunked(input, consumed, handler);
            case state::until_close:
                give(input, handler);
                consumed += input.size();
                return parse_status::need_more;
            case state::complete:
                return parse_status::complete;
            default:
                return parse_status::malformed;
        }
    }

    /// The peer has closed its side: `complete` where that ends the body (or it had ended before), `cut`
    /// where the response lacks something, also if none of it has come.
    parse_status end_of_stream() noexcept {
        if (state_ == state::until_close) state_ = state::complete;
        if (state_ == state::complete) return parse_status::complete;
        return state_ == state::malformed ? parse_status::malformed : parse_status::cut;
    }

    /// Whether a byte of this response has come, of an interim one too.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// After `complete`: whether the connection can take another request (RFC 9112 section 9.3).
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_ && state_ == state::complete; }
    /// The status code of the final head, or of the last interim one before it; 0 before any.
    [[nodiscard]] int status() const noexcept { return status_; }
    /// Bytes of content so far, without chunking.
    [[nodiscard]] std::int64_t body_bytes() const noexcept { return body_bytes_; }
    /// Bytes of the complete heads so far, interim ones included; not those of chunking and trailers.
    [[nodiscard]] std::int64_t head_bytes() const noexcept { return head_bytes_; }
    /// After `malformed`: what is wrong, as a phrase such as "two Content-Lengths that differ".
    [[nodiscard]] std::string_view reason_malformed() const noexcept {
        return reason_ != nullptr ? std::string_view(reason_) : std::string_view();
    }

  private:
    friend class detail::head_reader;  // calls the rules below

    enum class state : std::uint8_t { head, length, chunked, until_close, complete, malformed };

    static constexpr bool skips_empty_lines = false;
    static constexpr bool unfolds = true;
    static constexpr const char* not_http = "a start line that is not HTTP/1.x and a status code";

    void start_head() noexcept {
        status_ = 0;
        fields_ = {};
        head_.start(limit_ - static_cast<std::size_t>(head_bytes_));
    }

    parse_status refuse(const char* reason) noexcept {
        state_ = state::malformed;
        reason_ = reason;
        return parse_status::malformed;
    }

    // So that garbage without a line end is refused at once, not when a deadline passes.
    static const char* on_partial_start_line(std::string_view begin) noexcept {
        constexpr std::string_view prefix = "HTTP/1.";
        const std::size_t length = std::min(begin.size(), prefix.size());
        return begin.substr(0, length) == prefix.substr(0, length) ? nullptr : not_http;
    }

    // HTTP-version SP status-code SP [ reason-phrase ]
    const char* on_start_line(std::string_view line) noexcept {
        if (line.size() < 12 || on_partial_start_line(line) != nullptr || line[8] != ' ') return not_http;
        if (line.size() > 12 && line[12] != ' ') return not_http;
        const int minor = line[7] - '0';
        if (minor < 0 || minor > 9) return not_http;
        int code = 0;
        for (const char digit : line.substr(9, 3)) {
            if (digit < '0' || digit > '9') return not_http;
            code = code * 10 + (digit - '0');
        }
        if (code < 100) return "a status code below 100";
        if (code == 101) return "a switch of protocols that was not asked for";
        minor_version_ = minor;
        status_ = code;
        return nullptr;
    }

    const char* on_field(std::string_view name, std::string_view value) noexcept {
        fields_.add(name, value);
        return nullptr;
    }

    template <class Handler>
    void end_head(Handler& handler) {
        head_bytes_ += static_cast<std::int64_t>(head_.size());
        if (status_ < 200) return start_head();
        const body_framing framing = find_framing();
        if (state_ == state::malformed) return;
        const std::string_view line = head_.start_line();
        const std::string_view reason = line.substr(std::min<std::size_t>(line.size(), 13));
        const std::int64_t length = fields_.content_length_error == nullptr ? fields_.content_length : -1;
        const response_head head{status_, minor_version_, reason, head_.headers(), framing, length};
        handler.on_head(head);
    }

    // RFC 9112 section 6.3, items 1 and 3 to 8.
    body_framing find_framing() noexcept {
        keep_alive_ = fields_.is_persistent(minor_version_);
        if (to_head_request_ || status_ == 204 || status_ == 304) {
            state_ = state::complete;
            return body_framing::none;
        }
        if (fields_.has_transfer_encoding) return find_transfer_coding();
        if (fields_.content_length_error != nullptr) {
            refuse(fields_.content_length_error);
            return body_framing::none;
        }
        if (fields_.content_length < 0) return until_close();
        remaining_ = fields_.content_length;
        state_ = remaining_ == 0 ? state::complete : state::length;
        return body_framing::length;
    }

    body_framing find_transfer_coding() noexcept {
        if (minor_version_ == 0) refuse("a Transfer-Encoding in HTTP/1.0");
        if (fields_.transfer_coding_error != nullptr) refuse(fields_.transfer_coding_error);
        if (state_ == state::malformed) return body_framing::none;
        if (!fields_.chunked_is_last) return until_close();
        if (fields_.content_length >= 0 || fields_.content_length_error != nullptr) keep_alive_ = false;
        chunks_.start(limit_);
        state_ = state::chunked;
        return body_framing::chunked;
    }

    body_framing until_close() noexcept {
        keep_alive_ = false;
        state_ = state::until_close;
        return body_framing::until_close;
    }

    template <class Handler>
    void give(std::string_view content, Handler& handler) {
        if (content.empty()) return;
        body_bytes_ += static_cast<std::int64_t>(content.size());
        handler.on_body(content);
    }

    template <class Handler>
    parse_status take_length(std::string_view input, std::size_t& consumed, Handler& handler) {
        const auto length = static_cast<std::size_t>(
            std::min<std::uint64_t>(input.size(), static_cast<std::uint64_t>(remaining_)));
        remaining_ -= static_cast<std::int64_t>(length);
        if (remaining_ == 0) state_ = state::complete;
        consumed += length;
        give(input.substr(0, length), handler);
        return state_ == state::complete ? parse_status::complete : parse_status::need_more;
    }

    template <class Handler>
    parse_status take_chunked(std::string_view input, std::size_t& consumed, Handler& handler) {
        std::size_t used = 0;
        const parse_status status =
            chunks_.consume(input, used, [&](std::string_view content) { give(content, handler); });
        consumed += used;
        if (status == parse_status::malformed) return refuse(chunks_.reason());
        if (status == parse_status::complete) state_ = state::complete;
        return status;
    }

    detail::head_reader head_;
    detail::chunked_decoder chunks_;
    detail::framing_fields fields_;
    std::size_t limit_;
    std::int64_t head_bytes_ = 0;
    std::int64_t body_bytes_ = 0;
    std::int64_t remaining_ = 0;  // of a body with Content-Length
    const char* reason_ = nullptr;
    int status_ = 0;
    int minor_version_ = 1;
    state state_ = state::head;
    bool to_head_request_ = false;
    bool started_ = false;
    bool keep_alive_ = false;
};

}  // namespace benchkit::inline v0_1::http

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.
