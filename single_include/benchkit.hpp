// benchkit 0.1.0, all headers in one. Made from include/ by tools/amalgamate.py: change those instead.
//
// Distributed under the Boost Software License, Version 1.0: see LICENSE or https://www.boost.org/LICENSE_1_0.txt

#pragma once

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
#include <cstdint>
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
#include <string>
#include <string_view>
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
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <optional>
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

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.
