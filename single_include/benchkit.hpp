// benchkit 0.1.0, all headers in one. Made from include/ by tools/amalgamate.py: change those instead.
//
// Distributed under the Boost Software License, Version 1.0: see LICENSE or https://www.boost.org/LICENSE_1_0.txt

#pragma once

// ---------- benchkit/core/csv.hpp

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchkit::inline v0_1 {

/// The fields of one line of comma-separated values, and where it begins.
struct csv_row {
    std::int64_t line = 1;
    std::vector<std::string> fields;
};

/// Comma-separated values that have been read, or what is wrong with them.
struct csv_table {
    std::vector<csv_row> rows;
    std::string problem;            ///< empty where nothing is wrong
    std::int64_t problem_line = 0;  ///< where it is
};

namespace detail {

/// Reads comma-separated values from the first byte to the last.
class csv_reader {
  public:
    explicit csv_reader(std::string_view text) : rest_(text) {}

    [[nodiscard]] csv_table read() {
        while (!rest_.empty() && table_.problem.empty()) read_row();
        return std::move(table_);
    }

  private:
    void read_row() {
        csv_row row{.line = line_, .fields = {}};
        const bool blank = rest_.front() == '\n' || rest_.starts_with("\r\n");
        for (bool more = true; more && table_.problem.empty();) {
            row.fields.push_back(rest_.starts_with('"') ? read_quoted() : read_plain());
            more = rest_.starts_with(',');
            if (more) rest_.remove_prefix(1);
        }
        end_line();
        if (!blank) table_.rows.push_back(std::move(row));
    }

    std::string read_plain() {
        std::string_view field = rest_.substr(0, rest_.find_first_of(",\n"));
        rest_.remove_prefix(field.size());
        if (!rest_.starts_with(',') && field.ends_with('\r')) field.remove_suffix(1);
        if (field.find('"') != std::string_view::npos) refuse("has a quote within a field that is not quoted");
        return std::string(field);
    }

    std::string read_quoted() {
        std::string field;
        const std::int64_t begin = line_;
        for (rest_.remove_prefix(1); !rest_.empty(); rest_.remove_prefix(1)) {
            if (rest_.front() == '"' && !rest_.starts_with("\"\"")) {
                rest_.remove_prefix(1);
                const bool ended =
                    rest_.empty() || rest_.front() == ',' || rest_.front() == '\n' || rest_.starts_with("\r\n");
                if (!ended) refuse("goes on behind the quote that ends a field");
                if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
                return field;
            }
            if (rest_.front() == '"') rest_.remove_prefix(1);
            if (rest_.front() == '\n') ++line_;
            field.push_back(rest_.front());
        }
        line_ = begin;
        refuse("has a quoted field without an end");
        return field;
    }

    void end_line() {
        if (rest_.empty() || !table_.problem.empty()) return;
        rest_.remove_prefix(1);
        ++line_;
    }

    void refuse(const char* problem) {
        table_.problem = problem;
        table_.problem_line = line_;
    }

    std::string_view rest_;
    std::int64_t line_ = 1;
    csv_table table_;
};

}  // namespace detail

/// Reads comma-separated values (RFC 4180): a field in quotes may have commas, line ends and, doubled, quotes;
/// lines end with CR LF or LF. Blank lines are left out. What is read before a problem is kept.
[[nodiscard]] inline csv_table parse_csv(std::string_view text) {
    return detail::csv_reader(text).read();
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/decimal.hpp

#include <array>
#include <charconv>
#include <optional>

namespace benchkit::inline v0_1 {

/// 10^`exponent`, for 0 to 19.
[[nodiscard]] constexpr std::uint64_t power_of_ten(int exponent) noexcept {
    std::uint64_t power = 1;
    for (int step = 0; step < exponent; ++step) power *= 10;
    return power;
}

/// The decimal fraction digits / 10^places.
struct decimal {
    std::uint64_t digits = 0;
    int places = 0;  ///< 0 or more

    friend constexpr bool operator==(const decimal&, const decimal&) noexcept = default;
};

/// The decimal fraction that a double stands for: of those that read back as it, the one with the fewest
/// digits, at most 17. So 0.1 is a tenth, which a double cannot hold. Nothing for what is negative, not finite,
/// or 10^17 and more.
[[nodiscard]] inline std::optional<decimal> to_decimal(double value) noexcept {
    if (!(value >= 0) || value >= 1e17) return std::nullopt;
    std::array<char, 32> text;  // such as "1.2345678901234567e-300"
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    decimal result;
    int behind_point = 0;
    const char* character = text.data();
    bool fraction = false;
    for (; character != written.ptr && *character != 'e'; ++character) {
        if (*character == '-') continue;  // of -0
        if (*character == '.') {
            fraction = true;
            continue;
        }
        result.digits = result.digits * 10 + static_cast<std::uint64_t>(*character - '0');
        if (fraction) ++behind_point;
    }
    if (character != written.ptr) ++character;                       // the e
    if (character != written.ptr && *character == '+') ++character;  // from_chars takes no plus sign
    int exponent = 0;
    std::from_chars(character, written.ptr, exponent);
    result.places = behind_point - exponent;
    if (result.places < 0) {
        result.digits *= power_of_ten(-result.places);
        result.places = 0;
    }
    return result;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/uint128.hpp

#include <algorithm>
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

    /// value / 2^places, rounded down; `places` is 0 to 127.
    friend constexpr uint128 operator>>(uint128 value, int places) noexcept {
        if (places == 0) return value;
        if (places >= 64) return {0, value.high >> (places - 64)};
        return {value.high >> places, (value.high << (64 - places)) | (value.low >> places)};
    }

    friend constexpr bool operator==(const uint128&, const uint128&) noexcept = default;
    friend constexpr std::strong_ordering operator<=>(const uint128&, const uint128&) noexcept = default;

    /// The nearest double.
    [[nodiscard]] constexpr double to_double() const noexcept {
        if (high == 0) return static_cast<double>(low);
        const int shift = 64 - std::countl_zero(high);
        const std::uint64_t top = (*this >> shift).low;
        // What is shifted out only matters for the rounding: one bit stands for all of it.
        const bool rest = (low << (64 - shift)) != 0;
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

// ---------- benchkit/core/uint256.hpp

namespace benchkit::inline v0_1 {

/// An unsigned integer of 256 bits, for products that stay exact. Arithmetic is modulo 2^256.
class uint256 {
  public:
    constexpr uint256() noexcept = default;
    constexpr uint256(std::uint64_t value) noexcept : words_{value, 0, 0, 0} {}

    constexpr uint256& operator+=(const uint256& value) noexcept {
        std::uint64_t carry = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            uint128 sum{0, words_[word]};
            sum += value.words_[word];
            sum += carry;
            words_[word] = sum.low;
            carry = sum.high;
        }
        return *this;
    }

    constexpr uint256& operator-=(const uint256& value) noexcept {
        std::uint64_t borrow = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            const std::uint64_t before = words_[word];
            const std::uint64_t without = before - value.words_[word];
            words_[word] = without - borrow;
            borrow = (before < value.words_[word] || without < borrow) ? 1 : 0;
        }
        return *this;
    }

    constexpr uint256& operator*=(std::uint64_t factor) noexcept {
        std::uint64_t carry = 0;
        for (std::uint64_t& word : words_) {
            uint128 product = multiply(word, factor);
            product += carry;
            word = product.low;
            carry = product.high;
        }
        return *this;
    }

    friend constexpr uint256 operator+(uint256 left, const uint256& right) noexcept { return left += right; }
    friend constexpr uint256 operator-(uint256 left, const uint256& right) noexcept { return left -= right; }
    friend constexpr uint256 operator*(uint256 left, std::uint64_t right) noexcept { return left *= right; }

    friend constexpr bool operator==(const uint256&, const uint256&) noexcept = default;

    friend constexpr std::strong_ordering operator<=>(const uint256& left, const uint256& right) noexcept {
        for (std::size_t word = left.words_.size(); word-- > 0;) {
            if (left.words_[word] != right.words_[word]) return left.words_[word] <=> right.words_[word];
        }
        return std::strong_ordering::equal;
    }

    /// A double near the value: relatively at most 2^-50 off.
    [[nodiscard]] constexpr double to_double() const noexcept {
        double value = 0;
        for (std::size_t word = words_.size(); word-- > 0;) {
            value = value * 0x1p64 + static_cast<double>(words_[word]);
        }
        return value;
    }

  private:
    std::array<std::uint64_t, 4> words_{};  // the least first
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/version.hpp

#if __cplusplus < 202002L
#error "benchkit needs C++20: compile with -std=c++20"
#endif

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

// ---------- benchkit/core/base64.hpp

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
        const auto since_origin = std::chrono::steady_clock::now().time_since_epoch();
        return time_point(std::chrono::duration_cast<duration>(since_origin));
    }
};

/// A point in time of `clock`, or of the simulated clock.
using time_point = clock::time_point;

/// `start` + `length`; what lies beyond the clock's range is `time_point::max()`. `length` is not negative.
[[nodiscard]] constexpr time_point time_after(time_point start, std::chrono::nanoseconds length) noexcept {
    return length > time_point::max() - start ? time_point::max() : start + length;
}

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
[[nodiscard]] constexpr std::chrono::nanoseconds saturated_nanoseconds(
    std::chrono::duration<Rep, Period> value) noexcept {
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
    [[nodiscard]] constexpr double seconds() const noexcept { return static_cast<double>(count()) / 1e9; }
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
[[noreturn]] inline void fail(const std::string& sentence) {
    detail::raise(error(sentence));
}

/// As `fail`, for a wrong value of one option: "clients = 0: allowed is 1 or more".
[[noreturn]] inline void fail_option(std::string option, std::string value, std::string allowed) {
    detail::raise(error(std::move(option), std::move(value), std::move(allowed)));
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/fixed_log.hpp

namespace benchkit::inline v0_1 {

// The logarithm and exponential of the standard library differ in the last bit between libraries. These are of
// integers alone, so that a simulation is the same to the last event on every compiler and processor.

/// Binary digits behind the point of a fixed-point number: `x` stands for x / 2^56.
inline constexpr int fixed_point_digits = 56;

namespace detail {

// Inside, fractions have 64 digits: an integer `x` stands for x / 2^64.

/// ln 2.
inline constexpr std::uint64_t log_of_two = 0xB17217F7D1CF79AC;

[[nodiscard]] constexpr std::uint64_t multiply_fractions(std::uint64_t left, std::uint64_t right) noexcept {
    return multiply(left, right).high;
}

/// 1/n for 2 <= n < 20; what stands at 0 and 1 is not used.
inline constexpr auto unit_fractions = [] {
    std::array<std::uint64_t, 20> fractions{};
    for (std::size_t n = 2; n < fractions.size(); ++n) fractions[n] = divide({1, 0}, n).quotient.low;
    return fractions;
}();

/// The logarithm's steps: of m in [1, 2), the 7 bits after the point choose a step; its factor, in 1/4096,
/// takes m down to between 1 and 1.0084.
inline constexpr int log_step_bits = 7;
inline constexpr int log_factor_bits = 12;

[[nodiscard]] constexpr std::uint64_t log_factor(std::size_t step) noexcept {
    const std::uint64_t steps = std::uint64_t{1} << log_step_bits;
    return ((steps << log_factor_bits) + steps + step - 1) / (steps + step);
}

/// ln(4096/factor), from the series of the inverse hyperbolic tangent.
[[nodiscard]] constexpr std::uint64_t log_of_inverse(std::uint64_t factor) noexcept {
    const std::uint64_t one = std::uint64_t{1} << log_factor_bits;
    const std::uint64_t ratio = divide({one - factor, 0}, one + factor).quotient.low;
    const std::uint64_t square = multiply_fractions(ratio, ratio);
    std::uint64_t sum = 0;
    std::uint64_t power = ratio;
    for (std::uint64_t exponent = 1; power != 0; exponent += 2) {
        sum += power / exponent;
        power = multiply_fractions(power, square);
    }
    return 2 * sum;
}

struct log_step {
    std::uint64_t factor = 0;
    std::uint64_t log = 0;
};

inline constexpr auto log_steps = [] {
    std::array<log_step, std::size_t{1} << log_step_bits> steps{};
    for (std::size_t step = 0; step < steps.size(); ++step) {
        steps[step] = {log_factor(step), log_of_inverse(log_factor(step))};
    }
    return steps;
}();

/// ln(1 + z) for z below 0.0084: z - z^2 (1/2 - z (1/3 - z (1/4 - ...))).
[[nodiscard]] constexpr std::uint64_t log_near_one(std::uint64_t z) noexcept {
    std::uint64_t sum = unit_fractions[8];
    for (std::size_t n = 7; n >= 2; --n) sum = unit_fractions[n] - multiply_fractions(z, sum);
    return z - multiply_fractions(multiply_fractions(z, z), sum);
}

/// e^r - 1 for r of 0 to ln 2: r (1 + r/2 (1 + r/3 (1 + ...))).
[[nodiscard]] constexpr std::uint64_t exp_minus_one(std::uint64_t r) noexcept {
    std::uint64_t sum = 0;
    for (std::size_t n = unit_fractions.size() - 1; n >= 2; --n) {
        const std::uint64_t part = multiply_fractions(r, unit_fractions[n]);
        sum = part + multiply_fractions(part, sum);
    }
    return r + multiply_fractions(r, sum);
}

/// value / 2^places, rounded to the nearest, at most the largest std::int64_t. `places` is 1 to 128.
[[nodiscard]] constexpr std::int64_t shift_rounded(uint128 value, int places) noexcept {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const uint128 twice = value >> (places - 1);
    const std::uint64_t rounded = (twice.low >> 1) + (twice.low & 1U);
    return static_cast<std::int64_t>(twice.high != 0 || rounded > largest ? largest : rounded);
}

}  // namespace detail

/// ln(value) as a fixed-point number, for `value` of 1 or more; the error is below 2^-55.
[[nodiscard]] constexpr std::int64_t fixed_log(std::uint64_t value) noexcept {
    const int zeros = std::countl_zero(value);
    const std::uint64_t mantissa = value << zeros;  // in [1, 2), with 63 digits behind the point
    const auto index = static_cast<std::size_t>((mantissa << 1) >> (64 - detail::log_step_bits));
    const detail::log_step& step = detail::log_steps[index];
    const std::uint64_t z = (multiply(mantissa, step.factor) >> (detail::log_factor_bits - 1)).low;
    uint128 sum = multiply(detail::log_of_two, static_cast<std::uint64_t>(63 - zeros));
    sum += step.log + detail::log_near_one(z);
    return detail::shift_rounded(sum, 64 - fixed_point_digits);
}

/// value * e^exponent, rounded to the nearest integer, at most the largest one; `exponent` is a fixed-point
/// number, `value` at least 0. The relative error of e^exponent is below 2^-54.
[[nodiscard]] constexpr std::int64_t scale_by_exp(std::int64_t value, std::int64_t exponent) noexcept {
    const bool negative = exponent < 0;
    const std::uint64_t size =
        negative ? 0U - static_cast<std::uint64_t>(exponent) : static_cast<std::uint64_t>(exponent);
    constexpr int integer_digits = 64 - fixed_point_digits;
    const auto parts = divide({size >> fixed_point_digits, size << integer_digits}, detail::log_of_two);
    // e^exponent = 2^twos * e^rest
    int twos = static_cast<int>(parts.quotient.low);
    std::uint64_t rest = parts.remainder;
    if (negative) {
        twos = rest == 0 ? -twos : -twos - 1;
        rest = rest == 0 ? 0 : detail::log_of_two - rest;
    }
    if (value <= 0 || twos < -64) return 0;
    if (twos > 62) return std::numeric_limits<std::int64_t>::max();
    const auto factor = static_cast<std::uint64_t>(value);
    return detail::shift_rounded(uint128{factor, 0} + multiply(factor, detail::exp_minus_one(rest)), 64 - twos);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/number.hpp

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

// ---------- benchkit/core/random.hpp

namespace benchkit::inline v0_1 {

/// SplitMix64 (Steele, Lea and Flood, 2014; constants of Vigna's splitmix64.c). It turns any seed into well
/// mixed ones.
class splitmix64 {
  public:
    explicit constexpr splitmix64(std::uint64_t seed) noexcept : state_(seed) {}

    constexpr std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15;
        std::uint64_t mixed = (state_ ^ (state_ >> 30)) * 0xBF58476D1CE4E5B9;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
        return mixed ^ (mixed >> 31);
    }

  private:
    std::uint64_t state_;
};

/// The generator xoshiro256++ 1.0 (Blackman and Vigna, 2019): 64 bits at a time, a period of 2^256 - 1.
class xoshiro256_plus_plus {
  public:
    /// The state is anything but all zeros.
    explicit constexpr xoshiro256_plus_plus(const std::array<std::uint64_t, 4>& state) noexcept
        : state_(state) {}

    constexpr std::uint64_t next() noexcept {
        const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
        const std::uint64_t shifted = state_[1] << 17;
        state_[2] ^= state_[0];
        state_[3] ^= state_[1];
        state_[1] ^= state_[2];
        state_[0] ^= state_[3];
        state_[2] ^= shifted;
        state_[3] = std::rotl(state_[3], 45);
        return result;
    }

  private:
    std::array<std::uint64_t, 4> state_;
};

/// A stream of random numbers, fixed by a seed and the stream's name or index: what one part of a run draws
/// does not change what another part sees. All numbers come from integer arithmetic and are the same on every
/// compiler and processor. Not for secrets.
class random_stream {
  public:
    /// The stream of this name, and of this index among streams of one name.
    constexpr random_stream(std::uint64_t seed, std::string_view name, std::uint64_t index = 0) noexcept
        : generator_(state_of(seed, name, index)) {}

    /// The stream of this index, without a name.
    constexpr random_stream(std::uint64_t seed, std::uint64_t index) noexcept
        : random_stream(seed, std::string_view(), index) {}

    /// 64 random bits.
    constexpr std::uint64_t next() noexcept { return generator_.next(); }

    /// An integer of 0 to `bound` - 1, each as likely as the others (Lemire, 2019); 0 where `bound` is 0 or 1.
    constexpr std::uint64_t below(std::uint64_t bound) noexcept {
        if (bound < 2) return 0;
        uint128 product = multiply(next(), bound);
        if (product.low < bound) {
            const std::uint64_t surplus = (0U - bound) % bound;
            while (product.low < surplus) product = multiply(next(), bound);
        }
        return product.high;
    }

    /// A multiple of 2^-53, of 0 or more and below 1.
    constexpr double uniform01() noexcept { return static_cast<double>(next() >> 11) * 0x1p-53; }

    /// True with this probability: never for 0 and less, always for 1 and more.
    constexpr bool chance(double probability) noexcept {
        const std::uint64_t bits = next();  // also where it does not matter, so that the stream keeps its pace
        if (!(probability > 0.0)) return false;
        return probability >= 1.0 || bits < static_cast<std::uint64_t>(probability * 0x1p64);
    }

    /// Exponentially distributed with this mean, rounded to the nearest integer, as the gaps of a Poisson
    /// process. The unit is the mean's: give a mean in a finer unit than nanoseconds where it is short.
    constexpr std::int64_t exponential(std::int64_t mean) noexcept {
        constexpr std::int64_t log_of_all = fixed_log(std::uint64_t{1} << 63) + fixed_log(2);  // ln 2^64
        const std::uint64_t bits = next() + 1;  // over 2^64: more than 0, at most 1
        if (mean <= 0 || bits == 0) return 0;
        const auto size = static_cast<std::uint64_t>(log_of_all - fixed_log(bits));
        return detail::shift_rounded(multiply(static_cast<std::uint64_t>(mean), size), fixed_point_digits);
    }

    /// Normally distributed with mean 0 and deviation 1, as a fixed-point number (core/fixed_log.hpp). By the
    /// ratio of uniforms (Kinderman and Monahan, 1977).
    constexpr std::int64_t standard_normal() noexcept {
        constexpr std::uint64_t width = 0xDB9669F9989CC207;  // sqrt(8/e), 63 digits behind the point
        constexpr std::uint64_t limit = std::uint64_t{16} << fixed_point_digits;
        for (;;) {
            const std::uint64_t u = (next() >> 1) + 1;  // over 2^63: more than 0, at most 1
            const std::uint64_t v = next();
            const bool negative = (v >> 63) != 0;
            // The distance from the middle, over 2^64: at most a half.
            const std::uint64_t distance = negative ? 0U - v : v;
            const std::uint64_t scaled = multiply(distance, width).high;  // over 2^63
            const uint128 ratio = divide({scaled >> 8, scaled << fixed_point_digits}, u).quotient;
            if (ratio.high != 0 || ratio.low >= limit || !under_normal(ratio.low, u)) continue;
            const auto size = static_cast<std::int64_t>(ratio.low);
            return negative ? -size : size;
        }
    }

    /// Normally distributed, rounded to the nearest integer. What does not fit is the nearest that does.
    constexpr std::int64_t normal(std::int64_t mean, std::int64_t deviation) noexcept {
        const std::int64_t z = standard_normal();
        if (deviation <= 0) return mean;
        const auto size = static_cast<std::uint64_t>(z < 0 ? -z : z);
        const std::int64_t distance =
            detail::shift_rounded(multiply(size, static_cast<std::uint64_t>(deviation)), fixed_point_digits);
        return add_saturated(mean, z < 0 ? -distance : distance);
    }

    /// A value of at least 0 whose logarithm is normally distributed: `median` times e to the power of `shape`
    /// times a standard normal, rounded to the nearest integer. `shape` is 0 to 16; its mean is median *
    /// e^(shape^2 / 2).
    constexpr std::int64_t lognormal(std::int64_t median, double shape) noexcept {
        const std::int64_t z = standard_normal();
        if (!(shape > 0.0)) return median < 0 ? 0 : median;
        const double limited = shape < 16.0 ? shape : 16.0;
        const auto fixed_shape = static_cast<std::uint64_t>(limited * 0x1p56);
        const auto size = static_cast<std::uint64_t>(z < 0 ? -z : z);
        const std::int64_t exponent = detail::shift_rounded(multiply(size, fixed_shape), fixed_point_digits);
        return scale_by_exp(median, z < 0 ? -exponent : exponent);
    }

  private:
    /// FNV-1a of the name, the seed and the index go through SplitMix64 one after the other.
    static constexpr std::array<std::uint64_t, 4> state_of(std::uint64_t seed, std::string_view name,
                                                           std::uint64_t index) noexcept {
        std::uint64_t hash = 0xCBF29CE484222325;
        for (const char character : name) {
            hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001B3;
        }
        const std::uint64_t named = splitmix64(splitmix64(seed).next() ^ hash).next();
        splitmix64 words(named ^ splitmix64(index).next());
        std::array<std::uint64_t, 4> state{};
        for (std::uint64_t& word : state) word = words.next();
        return state;
    }

    /// Whether x^2 <= -4 ln(u / 2^63), for a fixed-point x below 16.
    static constexpr bool under_normal(std::uint64_t x, std::uint64_t u) noexcept {
        const std::uint64_t square = (multiply(x, x) >> fixed_point_digits).low;
        return square <= 4 * static_cast<std::uint64_t>(fixed_log(std::uint64_t{1} << 63) - fixed_log(u));
    }

    static constexpr std::int64_t add_saturated(std::int64_t value, std::int64_t change) noexcept {
        constexpr auto limits = std::numeric_limits<std::int64_t>();
        if (change > 0 && value > limits.max() - change) return limits.max();
        if (change < 0 && value < limits.min() - change) return limits.min();
        return value + change;
    }

    xoshiro256_plus_plus generator_;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/core/units.hpp

#include <span>

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

// ---------- benchkit/core/utf8.hpp

namespace benchkit::inline v0_1::detail {

/// The bounds of the second byte of a character of UTF-8 that begins with `lead`, and how many bytes it has
/// (RFC 3629 section 4). Length 0: no character begins so.
struct utf8_form {
    std::size_t length = 0;
    unsigned char second_low = 0x80;
    unsigned char second_high = 0xBF;
};

[[nodiscard]] constexpr utf8_form utf8_form_of(unsigned char lead) noexcept {
    if (lead < 0x80) return {1};
    if (lead < 0xC2) return {};  // a continuation byte, or what needs no second byte
    if (lead < 0xE0) return {2};
    if (lead == 0xE0) return {3, 0xA0, 0xBF};  // shorter forms are for smaller characters
    if (lead == 0xED) return {3, 0x80, 0x9F};  // surrogates are no characters
    if (lead < 0xF0) return {3};
    if (lead == 0xF0) return {4, 0x90, 0xBF};
    if (lead < 0xF4) return {4};
    if (lead == 0xF4) return {4, 0x80, 0x8F};  // U+10FFFF is the last
    return {};
}

/// How many bytes at the start of `text`, which is not empty, can belong to one character.
[[nodiscard]] constexpr std::size_t utf8_prefix_length(std::string_view text, utf8_form form) noexcept {
    std::size_t length = 1;
    while (length < form.length && length < text.size()) {
        const auto byte = static_cast<unsigned char>(text[length]);
        const unsigned char low = length == 1 ? form.second_low : 0x80;
        const unsigned char high = length == 1 ? form.second_high : 0xBF;
        if (byte < low || byte > high) break;
        ++length;
    }
    return length;
}

/// The length in bytes of the character at the start of `text`, which is not empty; 0 where it is malformed.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) noexcept {
    const utf8_form form = utf8_form_of(static_cast<unsigned char>(text.front()));
    return utf8_prefix_length(text, form) == form.length ? form.length : 0;
}

/// How many bytes at the start of `text`, which is malformed there, one U+FFFD stands for: the longest part of
/// a character, as the Unicode Standard recommends (section 3.9, "maximal subparts").
[[nodiscard]] constexpr std::size_t utf8_malformed_length(std::string_view text) noexcept {
    return utf8_prefix_length(text, utf8_form_of(static_cast<unsigned char>(text.front())));
}

inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

/// `text` for a terminal, on one line: control characters are written as \xNN, what is not UTF-8 becomes
/// U+FFFD, as in JSON.
[[nodiscard]] inline std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0) {
            shown += replacement_character;
        } else if (first < 0x20 || first == 0x7F) {
            shown.append("\\x").push_back(digits[first >> 4U]);
            shown.push_back(digits[first & 15U]);
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? utf8_malformed_length(text) : length);
    }
    return shown;
}

}  // namespace benchkit::inline v0_1::detail

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
        half_size_ = std::size_t{1} << half_bits_;
        offset_ = static_cast<std::size_t>(unit_bits_ + half_bits_) * half_size_;
        size_ = static_cast<std::size_t>(octaves() + 1) * half_size_;
    }

    [[nodiscard]] constexpr const histogram_layout& layout() const noexcept { return layout_; }

    /// The number of buckets.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

    /// The bucket of a value. For a value that the layout does not hold, also for a negative one, the result is
    /// `size()` or more.
    [[nodiscard]] constexpr std::size_t index_of(std::int64_t value) const noexcept {
        const auto bits = static_cast<std::uint64_t>(value);
        const int top_bit = top_bit_of(bits | mask_);
        // That is ((top_bit - half_bits_ - unit_bits_) << half_bits_) + step, with one shift less.
        return static_cast<std::size_t>(top_bit) * half_size_ +
               static_cast<std::size_t>(bits >> (top_bit - half_bits_)) - offset_;
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
    // The place of the highest bit that is set, from 0. One is set; the library's functions would look.
    [[nodiscard]] static constexpr int top_bit_of(std::uint64_t value) noexcept {
        return 63 ^ __builtin_clzll(value);
    }

    [[nodiscard]] static constexpr int unit_bits_of(const histogram_layout& layout) noexcept {
        return top_bit_of(static_cast<std::uint64_t>(layout.lowest));
    }

    [[nodiscard]] static constexpr int half_bits_of(const histogram_layout& layout) noexcept {
        std::uint64_t distinct = 2;
        for (int digit = 0; digit < layout.significant_digits; ++digit) distinct *= 10;
        return top_bit_of(distinct - 1);
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
        const int first_range = unit_bits_ + half_bits_;
        const int highest = top_bit_of(static_cast<std::uint64_t>(layout_.highest));
        return highest <= first_range ? 1 : highest - first_range + 1;
    }

    [[nodiscard]] constexpr int octave_of(std::size_t index) const noexcept {
        const auto octave = static_cast<int>(index >> half_bits_);
        return octave == 0 ? 0 : octave - 1;
    }

    std::uint64_t mask_ = 0;  // the bits of the first, finest range
    std::size_t half_size_ = 0;
    std::size_t offset_ = 0;
    int half_bits_ = 0;
    int unit_bits_ = 0;
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
        if (index >= size_) [[unlikely]] {
            record_rarely(value);
            return;
        }
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

    // Kept out of the caller's loop.
    [[gnu::noinline, gnu::cold]] void record_rarely(std::int64_t value) { record(value, 1); }

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

// ---------- benchkit/stats/median.hpp

namespace benchkit::inline v0_1 {

/// The median, between the middle two values where their number is even; nothing of no values, or where one is
/// not finite.
[[nodiscard]] inline std::optional<double> median_of(std::vector<double> values) {
    const bool finite = std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (values.empty() || !finite) return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    if (values.size() % 2 == 1) return values[middle];
    return values[middle - 1] + (values[middle] - values[middle - 1]) / 2;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/stats/sign_interval.hpp

namespace benchkit::inline v0_1 {

/// Which of n sorted values enclose the median of what they are drawn from: the `low`-th and the `high`-th,
/// counted from 1; and with which confidence, 0 to 1.
struct sign_ranks {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double confidence = 0;

    friend bool operator==(const sign_ranks&, const sign_ranks&) = default;
};

/// An interval of a median; both ends belong to it.
struct sign_interval {
    double low = 0;
    double high = 0;
    double confidence = 0;  ///< 0 to 1

    friend bool operator==(const sign_interval&, const sign_interval&) = default;
};

namespace detail {

/// Of `count` fair coins, the probabilities of 0 to count / 2 heads. Reckoned from the middle outwards,
/// relative to it, so that nothing is too small for a double where it matters.
[[nodiscard]] inline std::vector<double> fair_coin_probabilities(std::int64_t count) {
    const std::int64_t middle = count / 2;
    std::vector<double> weights(static_cast<std::size_t>(middle) + 1, 1.0);
    double sum = count % 2 == 0 ? 1.0 : 2.0;
    for (std::int64_t heads = middle; heads > 0; --heads) {
        const auto place = static_cast<std::size_t>(heads);
        weights[place - 1] =
            weights[place] * static_cast<double>(heads) / static_cast<double>(count - heads + 1);
        sum += 2.0 * weights[place - 1];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

}  // namespace detail

/// The narrowest pair of ranks, as far from both ends, that encloses the median with at least the wanted
/// confidence, whatever the distribution: how many of n values lie below their median is binomial. Where n is
/// too small for it, the smallest and the largest value with the confidence that they have: of 5 values 93.75 %
/// instead of 95 %. Nothing below 2 values. Fails by the name "confidence" where `wanted` is not 0 to 1.
/// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd edition, section 3.2.
[[nodiscard]] inline std::optional<sign_ranks> find_sign_ranks(std::int64_t count, double wanted = 0.95) {
    if (!(wanted >= 0 && wanted <= 1)) {
        fail_option("confidence", format_number(wanted), "allowed is 0 to 1");
    }
    if (count < 2) return std::nullopt;
    const std::vector<double> probabilities = detail::fair_coin_probabilities(count);
    std::int64_t rank = 1;
    double below = probabilities.front();  // the probability that fewer than `rank` values lie below the median
    while (rank < count / 2) {
        const double next = below + probabilities[static_cast<std::size_t>(rank)];
        if (1.0 - 2.0 * next < wanted) break;
        below = next;
        ++rank;
    }
    return sign_ranks{rank, count + 1 - rank, 1.0 - 2.0 * below};
}

/// The interval of the median of what `values` are drawn from, by `find_sign_ranks`. Nothing of fewer than 2
/// values, or where one is not finite.
[[nodiscard]] inline std::optional<sign_interval> find_sign_interval(std::vector<double> values,
                                                                     double wanted = 0.95) {
    const auto ranks = find_sign_ranks(static_cast<std::int64_t>(values.size()), wanted);
    const bool finite = std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (!ranks || !finite) return std::nullopt;
    std::sort(values.begin(), values.end());
    return sign_interval{values[static_cast<std::size_t>(ranks->low - 1)],
                         values[static_cast<std::size_t>(ranks->high - 1)], ranks->confidence};
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/folder.hpp

#include <dirent.h>

namespace benchkit::inline v0_1::detail {

/// The names in a folder, without those that begin with a point; none where it cannot be read.
[[nodiscard]] inline std::vector<std::string> names_in(const std::string& path) {
    std::vector<std::string> names;
    DIR* const folder = opendir(path.c_str());
    if (folder == nullptr) return names;
    while (const dirent* entry = readdir(folder)) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(folder);
    return names;
}

}  // namespace benchkit::inline v0_1::detail

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
[[nodiscard]] inline std::optional<std::int64_t> take_integer(std::string_view& text) {
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
    const auto first = take_integer(text);
    const auto last = take_integer(text);
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
[[nodiscard]] inline std::int64_t open_descriptors() {
    const std::vector<std::string> names = detail::names_in("/proc/self/fd");
    if (names.empty()) return detail::probe_open_descriptors(descriptor_limits().soft);
    return static_cast<std::int64_t>(names.size()) - 1;  // the folder's own descriptor is listed too
}

/// The range of local ports for connections; nothing where the system does not tell. To one address and port,
/// no more connections can be open from one local address at once.
[[nodiscard]] inline std::optional<port_range> ephemeral_ports() {
    return detail::parse_port_range(detail::read_proc_file("/proc/sys/net/ipv4/ip_local_port_range"));
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/listening_process.hpp

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <cstring>

namespace benchkit::inline v0_1 {

namespace detail {

/// The next word of `text`, which is moved behind it.
[[nodiscard]] inline std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

/// The socket of a line of /proc/net/tcp that listens on this port, by its inode (proc(5)).
[[nodiscard]] inline std::optional<std::string> listening_inode(std::string_view line, int port) {
    constexpr std::string_view listens = "0A";
    std::array<std::string_view, 10>
        words;  // number, local, remote, state, queues, timer, retries, user, time, inode
    for (std::string_view& word : words) word = take_word(line);
    const std::string_view digits = words[1].substr(std::min(words[1].find(':') + 1, words[1].size()));
    int found = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), found, 16);
    if (read.ec != std::errc() || found != port || words[3] != listens || words[9].empty()) return std::nullopt;
    return std::string(words[9]);
}

/// The links of descriptors of sockets that listen on this port: "socket:[1178]".
[[nodiscard]] inline std::vector<std::string> listening_links(std::string_view table, int port) {
    std::vector<std::string> links;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        if (const auto inode = listening_inode(table.substr(0, end), port))
            links.push_back("socket:[" + *inode + "]");
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return links;
}

/// Whether the process of this folder of /proc has a descriptor of one of these.
[[nodiscard]] inline bool has_link(const std::string& process, const std::vector<std::string>& links) {
    const std::string folder = process + "/fd/";
    for (const std::string& descriptor : names_in(folder)) {
        std::array<char, 64> target;  // longer ones are no sockets
        const ssize_t size = readlink((folder + descriptor).c_str(), target.data(), target.size());
        if (size <= 0) continue;
        const std::string_view link(target.data(), static_cast<std::size_t>(size));
        if (std::find(links.begin(), links.end(), link) != links.end()) return true;
    }
    return false;
}

}  // namespace detail

/// The processes of this machine that listen on a TCP port, as far as this one may look into them.
[[nodiscard]] inline std::vector<std::int64_t> find_listening_processes(int port) {
    std::vector<std::string> links;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        // What listens comes first, so it is in the part that is read.
        const std::vector<std::string> some = detail::listening_links(detail::read_proc_file(table), port);
        links.insert(links.end(), some.begin(), some.end());
    }
    std::vector<std::int64_t> found;
    if (links.empty()) return found;
    for (const std::string& name : detail::names_in("/proc")) {
        const auto process = parse_integer(name);
        if (process && detail::has_link("/proc/" + name, links)) found.push_back(*process);
    }
    return found;
}

/// Whether an IPv4 or IPv6 address is one of this machine: then it can be bound to.
[[nodiscard]] inline bool is_own_address(const sockaddr* address, std::size_t size) noexcept {
    sockaddr_storage any_port{};
    if (size > sizeof any_port || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
        return false;
    std::memcpy(&any_port, address, size);
    // The port stands at the same place in both.
    const in_port_t none = 0;
    std::memcpy(reinterpret_cast<char*>(&any_port) + offsetof(sockaddr_in, sin_port), &none, sizeof none);
    const int probe = ::socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    const bool bound =
        ::bind(probe, reinterpret_cast<const sockaddr*>(&any_port), static_cast<socklen_t>(size)) == 0;
    ::close(probe);
    return bound;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/machine.hpp

#include <stdlib.h>
#include <sys/utsname.h>

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

// ---------- benchkit/platform/processor_time.hpp

namespace benchkit::inline v0_1 {

/// What all processors of the machine together have done since it started, in the system's own units of time:
/// read it twice and compare.
struct processor_time {
    std::int64_t all = 0;
    std::int64_t idle = 0;  ///< nothing to do, or waiting for a disk

    friend bool operator==(const processor_time&, const processor_time&) noexcept = default;
};

namespace detail {

/// Takes /proc/stat: proc(5).
[[nodiscard]] inline std::optional<processor_time> parse_processor_time(std::string_view text) {
    constexpr int kinds = 8;  // user, nice, system, idle, iowait, irq, softirq, steal; guests are within user
    if (!text.starts_with("cpu ")) return std::nullopt;
    text = text.substr(4, text.find('\n') - 4);
    processor_time time;
    for (int kind = 0; kind < kinds; ++kind) {
        const auto ticks = take_integer(text);
        if (!ticks) return std::nullopt;
        time.all += *ticks;
        if (kind == 3 || kind == 4) time.idle += *ticks;
    }
    return time;
}

}  // namespace detail

/// What the machine's processors have done; nothing where the system does not tell.
[[nodiscard]] inline std::optional<processor_time> machine_processor_time() {
    return detail::parse_processor_time(detail::read_proc_file("/proc/stat"));
}

/// The share of the time between two readings in which processors were idle, 0 to 1; nothing where either is
/// missing or no time lies between.
[[nodiscard]] inline std::optional<double> idle_share(const std::optional<processor_time>& before,
                                                      const std::optional<processor_time>& after) {
    if (!before || !after || after->all <= before->all) return std::nullopt;
    // The counter of idle time may step back by a tick (proc(5)).
    const std::int64_t idle = after->idle > before->idle ? after->idle - before->idle : 0;
    return static_cast<double>(idle) / static_cast<double>(after->all - before->all);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/resources.hpp

#include <sys/time.h>
#include <time.h>

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

/// Linux adds what a thread uses to its account at each tick, some ms apart, and whenever its CPU clock is
/// read: only then is the time since the last tick in what getrusage tells.
inline void settle_cpu_time(clockid_t clock) noexcept {
    timespec ignored{};
    clock_gettime(clock, &ignored);
}

}  // namespace detail

/// What the whole process has used, all its threads, ended ones included (getrusage(2)).
[[nodiscard]] inline resource_use process_resources() noexcept {
    detail::settle_cpu_time(CLOCK_PROCESS_CPUTIME_ID);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return detail::to_resource_use(usage);
}

/// What the calling thread has used. Where the system cannot tell threads apart, what the process has used.
[[nodiscard]] inline resource_use thread_resources() noexcept {
    detail::settle_cpu_time(CLOCK_THREAD_CPUTIME_ID);
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
    if (const auto kibibytes = detail::take_integer(peak)) return *kibibytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return usage.ru_maxrss;
#else
    return std::int64_t{usage.ru_maxrss} * 1024;
#endif
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/platform/thread_times.hpp

#include <map>

namespace benchkit::inline v0_1 {

/// How long each thread has been on a processor, by "process/thread".
using thread_times = std::map<std::string, std::chrono::nanoseconds>;

/// The threads of these processes; those that are gone, or may not be seen, are left out.
[[nodiscard]] inline thread_times read_thread_times(const std::vector<std::int64_t>& processes) {
    thread_times times;
    for (const std::int64_t process : processes) {
        const std::string folder = "/proc/" + std::to_string(process) + "/task/";
        for (const std::string& thread : detail::names_in(folder)) {
            // The scheduler's own count: time on a processor, time waiting for one, turns (sched-stats.rst).
            const std::string text = detail::read_proc_file((folder + thread + "/schedstat").c_str());
            std::string_view rest = text;
            const auto used = detail::take_integer(rest);
            if (used) times[std::to_string(process) + "/" + thread] = std::chrono::nanoseconds(*used);
        }
    }
    return times;
}

/// How long the busiest thread was on a processor between two readings; one that was not there before counts
/// from its beginning.
[[nodiscard]] inline std::chrono::nanoseconds busiest_time(const thread_times& before,
                                                           const thread_times& after) {
    std::chrono::nanoseconds most{0};
    for (const auto& [thread, time] : after) {
        const auto known = before.find(thread);
        most = std::max(most, known == before.end() ? time : time - known->second);
    }
    return most;
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
    closed,           ///< the peer closed in mid-answer, or before it on a new connection
    timeout,          ///< no complete answer in time
    malformed,        ///< an answer that breaks the protocol
    status,           ///< a status of 400 or more
    assertion,        ///< an expectation of the user's, or an exception from their code
    stale,            ///< a reused connection died before the first byte of the answer
    connection_lost,  ///< behind another request on a pipelined connection that died
    ports,            ///< no local port or address was left
    canceled,         ///< ended by the user's code, or by `abort_on`
};

inline constexpr std::size_t cause_count = 14;

/// The name of a cause, as in `failed.<name>`.
[[nodiscard]] constexpr std::string_view to_string(cause value) noexcept {
    constexpr std::array<std::string_view, cause_count> names{
        "resolve",   "connect", "tls",       "send",  "receive",         "closed", "timeout",
        "malformed", "status",  "assertion", "stale", "connection_lost", "ports",  "canceled"};
    return names[static_cast<std::size_t>(value)];
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/count_sum.hpp

#include <initializer_list>

namespace benchkit::inline v0_1::detail {

/// The sum of counts; what does not fit, saturates. Counts that come from a file can be anything.
[[nodiscard]] constexpr std::int64_t sum_of(std::initializer_list<std::int64_t> counts) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t sum = 0;
    for (const std::int64_t count : counts) {
        if (count > 0) {
            sum = sum > most - count ? most : sum + count;
        } else {
            sum = sum < least - count ? least : sum + count;
        }
    }
    return sum;
}

}  // namespace benchkit::inline v0_1::detail

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
    faster,     ///< the interval of the ratio lies wholly below the margin; of a ratio of rates, above it
    slower,     ///< wholly above it; of a ratio of rates, below it
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
        // One value more or less changes this by 1e-5 for a percentile of 99.999; rounding, by 1e-10.
        if (beyond < 10.0 - 1e-7) return std::nullopt;
        return values.value_at_percentile(p);
    }
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/result.hpp

#include <functional>
#include <variant>

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
    double t = 0;                     ///< start of the interval, seconds from the start of the span
    std::int64_t succeeded = 0;       ///< operations that ended well in the interval
    std::int64_t failed = 0;          ///< operations that failed in the interval
    std::optional<std::int64_t> p50;  ///< median time, ns; empty where no operation succeeded
    std::optional<std::int64_t> p99;  ///< 99th percentile, ns
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
    double wall_seconds = 0;  ///< for how long it used them: the whole run, warm-up and drain included
};

/// How much a diagnostic weighs: to be read with care, may mislead, nothing to believe.
enum class severity : std::uint8_t { note, warning, failure };

inline constexpr std::size_t severity_count = 3;

/// The name of a severity, as in JSON.
[[nodiscard]] constexpr std::string_view to_string(severity value) noexcept {
    constexpr std::array<std::string_view, severity_count> names{"note", "warning", "failure"};
    return names[static_cast<std::size_t>(value)];
}

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
    /// "load", "work.time", "work.compare", "work.schedule", "batch.produce", "matrix" or "sweep"; of
    /// children also "shard" and "matrix.row".
    std::string kind;
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

// ---------- benchkit/result/check.hpp

namespace benchkit::inline v0_1 {

namespace detail {

[[nodiscard]] inline std::string says(std::string_view what, std::int64_t count) {
    return std::string(what) + " is " + std::to_string(count);
}

/// The first broken equation of the counters whose names begin with `prefix`; empty where they balance.
[[nodiscard]] inline std::string broken_counters(const result& measured, const std::string& prefix) {
    const auto count = [&](std::string_view name) { return measured.counter(prefix + std::string(name)); };
    const std::int64_t scheduled = count("scheduled");
    const std::int64_t not_started = count("not_started");
    const std::int64_t started = count("started");
    const std::int64_t succeeded = count("succeeded");
    const std::int64_t failed = count("failed");
    const std::int64_t unfinished = count("unfinished");
    if (scheduled != sum_of({started, not_started})) {
        return says(prefix + "scheduled", scheduled) + ", but started + not_started is " +
               std::to_string(started) + " + " + std::to_string(not_started);
    }
    if (started != sum_of({succeeded, failed, unfinished})) {
        return says(prefix + "started", started) + ", but succeeded + failed + unfinished is " +
               std::to_string(succeeded) + " + " + std::to_string(failed) + " + " + std::to_string(unfinished);
    }
    std::int64_t caused = 0;
    for (std::size_t index = 0; index < cause_count; ++index) {
        caused = sum_of({caused, count("failed." + std::string(to_string(static_cast<cause>(index))))});
    }
    if (caused != failed) {
        return says(prefix + "failed", failed) + ", but the causes add up to " + std::to_string(caused);
    }
    if (count("succeeded_in_span") > succeeded) {
        return says(prefix + "succeeded_in_span", count("succeeded_in_span")) + ", but only " +
               std::to_string(succeeded) + " succeeded";
    }
    return {};
}

/// True of "timeout", the rest of "failed.timeout".
[[nodiscard]] constexpr bool is_cause(std::string_view name) noexcept {
    for (std::size_t index = 0; index < cause_count; ++index) {
        if (to_string(static_cast<cause>(index)) == name) return true;
    }
    return false;
}

/// The first counter that cannot be: below zero or of a cause that there is not; empty where there is none.
[[nodiscard]] inline std::string impossible_counter(const counters& all) {
    constexpr std::string_view warmup = "warmup.";
    constexpr std::string_view failed = "failed.";
    for (const auto& [name, count] : all) {
        if (count < 0) return says(name, count) + ", which is below zero";
        std::string_view rest = name;
        if (rest.starts_with(warmup)) rest.remove_prefix(warmup.size());
        if (rest.starts_with(failed) && !is_cause(rest.substr(failed.size())))
            return name + " is no cause of a failure";
    }
    return {};
}

[[nodiscard]] inline std::int64_t value_count(const result& measured, std::string_view name) {
    const distribution* found = measured.find_distribution(name);
    return found == nullptr ? 0 : found->values.count();
}

[[nodiscard]] inline std::string differs(std::string_view distribution_name, std::int64_t values,
                                         std::string_view counter_name, std::int64_t count) {
    return std::string(distribution_name) + " holds " + std::to_string(values) + " values, but " +
           says(counter_name, count);
}

/// Whether the distributions hold what the counters count (docs/terms.md, "Which distribution holds what").
[[nodiscard]] inline std::string broken_distributions(const result& measured) {
    const bool open_loop = measured.find_distribution("response_time") != nullptr;
    const std::int64_t succeeded = measured.counter("succeeded");
    const std::int64_t served = value_count(measured, "service_time");
    if (served != succeeded) return differs("service_time", served, "succeeded", succeeded);
    for (std::size_t index = 0; index < cause_count; ++index) {
        const std::string name(to_string(static_cast<cause>(index)));
        const std::int64_t failed = measured.counter("failed." + name);
        // What timed out in an open loop stands in response_time.
        const std::int64_t expected = open_loop && name == "timeout" ? 0 : failed;
        const std::int64_t timed = value_count(measured, "failed_time." + name);
        if (timed != expected) return differs("failed_time." + name, timed, "failed." + name, failed);
    }
    const std::int64_t responses = value_count(measured, "response_time");
    const std::int64_t responded = sum_of({succeeded, measured.counter("failed.timeout"),
                                           measured.counter("unfinished"), measured.counter("not_started")});
    if (open_loop && responses != responded) {
        return differs("response_time", responses, "succeeded + failed.timeout + unfinished + not_started",
                       responded);
    }
    return {};
}

/// Whether each answered operation has the times that an answer has.
[[nodiscard]] inline std::string broken_answers(const result& measured) {
    const std::int64_t least = sum_of({measured.counter("succeeded"), measured.counter("failed.status")});
    const std::int64_t most = sum_of({least, measured.counter("failed.assertion")});
    for (const char* name : {"first_byte_time", "processing_time"}) {
        const std::int64_t answers = value_count(measured, name);
        if (measured.find_distribution(name) == nullptr || (answers >= least && answers <= most)) continue;
        return differs(name, answers, "succeeded + failed.status + failed.assertion", most);
    }
    return {};
}

[[nodiscard]] inline std::string broken_rate(const result& measured) {
    if (!measured.rate || !measured.counters.contains("succeeded_in_span")) return {};
    const auto counted = static_cast<double>(measured.counter("succeeded_in_span"));
    const double claimed = *measured.rate * measured.elapsed_seconds;
    if (std::abs(claimed - counted) <= 1e-6 * counted + 1e-6) return {};
    return "rate is " + format_number(*measured.rate) + " per second over " +
           format_number(measured.elapsed_seconds) + " s, but " +
           says("succeeded_in_span", measured.counter("succeeded_in_span"));
}

[[nodiscard]] inline std::string broken_series(const result& measured) {
    if (!measured.series) return {};
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    for (const series_point& point : measured.series->points) {
        if (point.succeeded < 0 || point.failed < 0) return "a point of the series counts below zero";
        succeeded = sum_of({succeeded, point.succeeded});
        failed = sum_of({failed, point.failed});
    }
    if (succeeded > measured.counter("succeeded")) {
        return "the series adds up to " + std::to_string(succeeded) + " succeeded, but " +
               says("succeeded", measured.counter("succeeded"));
    }
    if (failed > measured.counter("failed")) {
        return "the series adds up to " + std::to_string(failed) + " failed, but " +
               says("failed", measured.counter("failed"));
    }
    return {};
}

}  // namespace detail

/// The first of the books (docs/terms.md) that does not balance, as a part of a sentence with its figures;
/// empty where all do. A result without the counters of operations has no books. Children are looked at too.
[[nodiscard]] inline std::string find_imbalance(const result& measured) {
    std::string found = detail::impossible_counter(measured.counters);
    if (found.empty() && (measured.counters.contains("scheduled") || measured.counters.contains("started"))) {
        found = detail::broken_counters(measured, "");
        if (found.empty() && measured.kind == "load") found = detail::broken_distributions(measured);
        if (found.empty() && measured.kind == "load") found = detail::broken_answers(measured);
        if (found.empty()) found = detail::broken_rate(measured);
        if (found.empty()) found = detail::broken_series(measured);
    }
    if (found.empty() && measured.counters.contains("warmup.scheduled")) {
        found = detail::broken_counters(measured, "warmup.");
    }
    for (auto child = measured.children.begin(); found.empty() && child != measured.children.end(); ++child) {
        found = find_imbalance(*child);
        if (!found.empty()) found = "in " + child->name + ", " + found;
    }
    return found;
}

/// Holds a result to the books; every experiment does so at its end. Fails with a sentence that names the
/// equation and its figures.
inline void check(const result& measured) {
    const std::string imbalance = find_imbalance(measured);
    if (!imbalance.empty()) fail("The books of \"" + measured.name + "\" do not balance: " + imbalance + ".");
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/scalars.hpp

namespace benchkit::inline v0_1 {

/// The scalar of this name where it is a whole number; nothing otherwise.
[[nodiscard]] inline std::optional<std::int64_t> find_integer(const attributes& scalars,
                                                              std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* integer = std::get_if<std::int64_t>(&found->second);
    return integer == nullptr ? std::nullopt : std::optional(*integer);
}

/// The scalar of this name where it is a finite number, whole or not; nothing otherwise.
[[nodiscard]] inline std::optional<double> find_number(const attributes& scalars, std::string_view name) {
    if (const auto integer = find_integer(scalars, name)) return static_cast<double>(*integer);
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* number = std::get_if<double>(&found->second);
    return number == nullptr || !std::isfinite(*number) ? std::nullopt : std::optional(*number);
}

/// The scalar of this name where it is a text; an empty text otherwise.
[[nodiscard]] inline std::string find_text(const attributes& scalars, std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return {};
    const auto* text = std::get_if<std::string>(&found->second);
    return text == nullptr ? std::string() : *text;
}

/// The scalar of this name where it is true or false; nothing otherwise.
[[nodiscard]] inline std::optional<bool> find_truth(const attributes& scalars, std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* truth = std::get_if<bool>(&found->second);
    return truth == nullptr ? std::nullopt : std::optional(*truth);
}

/// The clients of a load, which are the connections of an open loop; 0 where it does not say.
[[nodiscard]] inline std::int64_t client_count(const result& load) {
    const auto clients = find_integer(load.parameters, "clients");
    return clients ? *clients : find_integer(load.parameters, "connections").value_or(0);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/judged_result.hpp

namespace benchkit::inline v0_1::detail {

/// What a reader needs of a result again and again.
struct judged_result {
    const result& measured;
    const distribution* main = nullptr;  ///< response times of an open loop, service times of a closed one
    std::int64_t shards = 1;
    double wall_seconds = 0;
    bool simulated = false;

    explicit judged_result(const result& given) : measured(given) {
        main = given.find_distribution("response_time");
        if (main == nullptr) main = given.find_distribution("service_time");
        if (main != nullptr && main->values.count() == 0) main = nullptr;
        shards = std::max<std::int64_t>(1, find_integer(given.parameters, "shards").value_or(1));
        wall_seconds = given.resources ? given.resources->wall_seconds : 0.0;
        if (!(wall_seconds > 0)) wall_seconds = given.elapsed_seconds;
        simulated = find_truth(given.parameters, "simulated").value_or(false);
    }

    [[nodiscard]] std::int64_t counter(std::string_view name) const { return measured.counter(name); }
};

using maybe_diagnostic = std::optional<diagnostic>;

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/wording.hpp

/// Phrases that diagnostics and the text report share.
namespace benchkit::inline v0_1::detail {

/// A share of 0 to 1: "12 %", "1.5 %".
[[nodiscard]] inline std::string percent(double share) {
    if (share > 0 && share < 0.0005) return "less than 0.1 %";
    return format_fixed(100.0 * share, share < 0.0995 ? 1 : 0) + " %";
}

/// A length of time; "n/a" of what is not finite.
[[nodiscard]] inline std::string time_text(double nanoseconds) {
    if (!std::isfinite(nanoseconds)) return "n/a";
    return format_duration(std::chrono::nanoseconds(std::llround(std::clamp(nanoseconds, -9.2e18, 9.2e18))));
}

[[nodiscard]] inline std::string time_text(std::int64_t nanoseconds) {
    return format_duration(std::chrono::nanoseconds(nanoseconds));
}

/// "1 client", "10 clients".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return format_count(count).append(" ").append(count == 1 ? one : many);
}

/// "1 operation", "5,000 operations".
[[nodiscard]] inline std::string operations_text(std::int64_t count) {
    return counted(count, "operation", "operations");
}

/// "3 timeout, 2 status": the causes of failures, the commonest first.
[[nodiscard]] inline std::string failures_text(const result& measured, std::size_t most = cause_count) {
    std::vector<std::pair<std::int64_t, std::string_view>> causes;
    for (std::size_t index = 0; index < cause_count; ++index) {
        const std::string_view name = to_string(static_cast<cause>(index));
        const std::int64_t count = measured.counter("failed." + std::string(name));
        if (count > 0) causes.emplace_back(count, name);
    }
    std::stable_sort(causes.begin(), causes.end(),
                     [](const auto& left, const auto& right) { return left.first > right.first; });
    std::string text;
    for (std::size_t index = 0; index < causes.size() && index < most; ++index) {
        if (index > 0) text += ", ";
        text.append(format_count(causes[index].first)).append(" ").append(causes[index].second);
    }
    return text;
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/judge_figures.hpp

namespace benchkit::inline v0_1 {

/// From where on a result judges itself. Each says in one place what is too much; `diagnose` takes them from
/// here.
struct diagnostic_thresholds {
    /// client-saturated: CPU time per time and shard. A loop that never waits adds its own queueing to each
    /// time.
    static constexpr double busy_share = 0.9;
    /// coarse-clock: resolution above this is too coarse for any time of a network,
    static constexpr std::int64_t coarse_ns = 1'000;
    /// coarse-clock: or above this share of the median.
    static constexpr double coarse_share = 0.05;
    /// noisy-machine: involuntary switches per second and shard. One busy competitor on the same processor
    /// takes it away about 250 times a second (Linux, slices of 3 to 4 ms); an idle machine stays below 20.
    static constexpr double switches_per_second = 100;
    /// noisy-machine: fewer switches in all are chance.
    static constexpr std::int64_t least_switches = 20;
    /// skewed: distance of mean and median in medians. (In standard deviations, as ab has it, it cannot exceed
    /// 1: Hotelling and Solomons 1932.)
    static constexpr double skew = 0.5;
    /// closed-loop-blind: largest service time in 99th percentiles, or in medians where there is no such
    /// percentile,
    static constexpr double stall_factor = 10;
    /// closed-loop-blind: and this many operations that were not sent meanwhile;
    static constexpr double least_hidden = 10;
    /// closed-loop-blind: a warning, no note, from this share of what succeeded on.
    static constexpr double hidden_share = 0.01;
    /// delayed-ack: an acknowledgement that is put off leaves after 40 ms (Linux, TCP_DELACK_MIN) and a tick;
    static constexpr std::int64_t delayed_from_ns = 38'000'000;
    static constexpr std::int64_t delayed_to_ns = 50'000'000;
    /// delayed-ack: least share of the answers that were answered so,
    static constexpr double delayed_share = 0.01;
    /// delayed-ack: least number of them,
    static constexpr std::int64_t least_delayed = 10;
    /// late-client: 99th percentile of the lateness of operations whose connection stood idle,
    static constexpr std::int64_t late_ns = 1'000'000;
    /// late-client: and its share of the 99th percentile of the response time.
    static constexpr double late_share = 0.1;
    /// busy-connections: share of the operations that came due when no connection was free, or that had not
    /// started at the end.
    static constexpr double waited_share = 0.01;
    /// delayed-ack: and least proportion to those that took half to nearly twice as long for another reason.
    static constexpr std::int64_t delayed_to_others = 4;
};

/// The judgements of how far the figures can be believed.
namespace detail {

using thresholds = diagnostic_thresholds;

/// CPU time per wall time; nothing where it is not known.
[[nodiscard]] inline std::optional<double> cpu_share(const result& measured, double wall_seconds) {
    if (!measured.resources || !(wall_seconds > 0)) return std::nullopt;
    return (measured.resources->user_seconds + measured.resources->system_seconds) / wall_seconds;
}

/// The processors that the client's shards can keep busy: no more than the machine has.
[[nodiscard]] inline std::int64_t client_processors(const judged_result& judged) {
    const std::int64_t there = find_integer(judged.measured.environment, "cpus").value_or(judged.shards);
    return std::clamp<std::int64_t>(there, 1, judged.shards);
}

/// The share of its processors that the client used, 0 to 1; nothing where it is not known.
[[nodiscard]] inline std::optional<double> client_busy_share(const judged_result& judged) {
    const auto all = cpu_share(judged.measured, judged.wall_seconds);
    if (!all) return std::nullopt;
    return *all / static_cast<double>(client_processors(judged));
}

/// Who used more of a processor than a client should, and how much: "The client used 95 % of its processor".
[[nodiscard]] inline std::string busy_text(const judged_result& judged) {
    const double share_of_each = client_busy_share(judged).value_or(0);
    if (share_of_each > thresholds::busy_share) {
        const std::int64_t processors = client_processors(judged);
        return "The client used " + percent(share_of_each) + " of its " +
               (processors == 1 ? "processor" : format_count(processors) + " processors");
    }
    for (const result& child : judged.measured.children) {
        const auto share = child.kind == "shard" ? cpu_share(child, judged.wall_seconds) : std::nullopt;
        if (share.value_or(0) > thresholds::busy_share) {
            return "Of the client, " + child.name + " used " + percent(*share) + " of its processor";
        }
    }
    return {};
}

[[nodiscard]] inline maybe_diagnostic judge_saturation(const judged_result& judged) {
    const bool driven = judged.measured.kind == "load" || judged.measured.kind == "batch.produce";
    const std::string busy = driven && !judged.simulated ? busy_text(judged) : std::string();
    if (busy.empty()) return std::nullopt;
    return diagnostic{"client-saturated", severity::warning,
                      busy +
                          ": it may be slower than what it measures, and its own waiting is part of each time. "
                          "Use more shards, fewer clients or another machine."};
}

/// Involuntary switches per second and shard; 0 where there are too few to mean anything.
[[nodiscard]] inline double switches_per_second(const judged_result& judged) {
    const std::int64_t switches =
        judged.measured.resources ? judged.measured.resources->involuntary_switches : 0;
    if (switches < thresholds::least_switches || !(judged.wall_seconds > 0)) return 0;
    return static_cast<double>(switches) / judged.wall_seconds / static_cast<double>(judged.shards);
}

[[nodiscard]] inline maybe_diagnostic judge_noise(const judged_result& judged) {
    if (judged.simulated) return std::nullopt;
    const auto load = find_number(judged.measured.environment, "load_average");
    const auto cpus = find_number(judged.measured.environment, "cpus");
    if (load && cpus && *load > *cpus) {
        return diagnostic{"noisy-machine", severity::warning,
                          "The machine was busy before the run: a load average of " + format_fixed(*load, 2) +
                              " on " + counted(std::llround(*cpus), "processor", "processors") +
                              ". Measure when it is idle."};
    }
    const double often = switches_per_second(judged);
    if (!(often > thresholds::switches_per_second)) return std::nullopt;
    return diagnostic{"noisy-machine", severity::note,
                      "Other programs took the processor away " +
                          format_count(std::llround(std::min(often, 9e18))) + " times a second" +
                          (judged.shards > 1 ? " from each shard" : "") +
                          ", perhaps the one under test itself. Give each side processors of its own (taskset) "
                          "or stop what else runs."};
}

[[nodiscard]] inline maybe_diagnostic judge_build(const judged_result& judged) {
    const bool slow = !find_truth(judged.measured.environment, "optimized").value_or(true);
    const std::string flags = find_text(judged.measured.environment, "flags");
    const bool sanitized = flags.find("-fsanitize") != std::string::npos;
    if ((!slow && !sanitized) || judged.simulated) return std::nullopt;
    return diagnostic{
        "debug-build", severity::warning,
        std::string("This program was built ") + (slow ? "without optimization" : "with a sanitizer") +
            ", which slows the client down. Build it with -O2, for instance --buildtype=release."};
}

[[nodiscard]] inline maybe_diagnostic judge_clock(const judged_result& judged) {
    const auto resolution = find_integer(judged.measured.environment, "clock_resolution_ns");
    if (!resolution || judged.simulated) return std::nullopt;
    const bool coarse = *resolution > thresholds::coarse_ns;
    std::string message = "The clock's smallest step is " + time_text(*resolution);
    if (judged.main != nullptr) {
        const std::int64_t median = judged.main->values.value_at_percentile(50);
        const bool too_coarse =
            static_cast<double>(*resolution) > thresholds::coarse_share * static_cast<double>(median);
        if (!coarse && !too_coarse) return std::nullopt;
        message += ", the median time " + time_text(median);
    } else if (!coarse) {
        return std::nullopt;
    }
    return diagnostic{"coarse-clock", severity::warning,
                      message +
                          ": short times are not told apart. Time several operations as one, or look at the "
                          "system's clock source."};
}

[[nodiscard]] inline maybe_diagnostic judge_sample_size(const judged_result& judged) {
    if (judged.main == nullptr || judged.main->percentile(99)) return std::nullopt;
    const std::int64_t count = judged.main->values.count();
    std::string message =
        "Times of " + operations_text(count) + " are too few for the 99th percentile, which takes 1,000";
    if (count < 20) message += ", and for a median, which takes 20";
    return diagnostic{"too-few-samples", severity::note, message + ". Run longer or send more."};
}

[[nodiscard]] inline maybe_diagnostic judge_skew(const judged_result& judged) {
    if (judged.main == nullptr || !judged.main->percentile(50)) return std::nullopt;
    const double mean = judged.main->values.mean();
    const auto median = static_cast<double>(judged.main->values.value_at_percentile(50));
    if (!(std::abs(mean - median) > thresholds::skew * median)) return std::nullopt;
    return diagnostic{"skewed", severity::note,
                      "Mean (" + time_text(mean) + ") and median (" + time_text(median) +
                          ") lie far apart: no single figure describes the times. Read the percentiles."};
}

/// How many operations clients would have sent while they waited longer than `limit`, had they gone on at the
/// pace of the median.
[[nodiscard]] inline double hidden_operations(const histogram& times, double limit, double median,
                                              double think_ns) {
    double hidden = 0;
    for (const histogram_bucket bucket : times.buckets()) {
        const auto value = static_cast<double>(std::min(bucket.median(), times.max()));
        if (value < limit) continue;
        hidden += static_cast<double>(bucket.count) * (value - median) / std::max(1.0, median + think_ns);
    }
    return hidden;
}

[[nodiscard]] inline maybe_diagnostic judge_blindness(const judged_result& judged) {
    const distribution* served = judged.measured.find_distribution("service_time");
    const bool closed = find_text(judged.measured.parameters, "loop") == "closed";
    if (!closed || served == nullptr || !served->percentile(50)) return std::nullopt;
    const histogram& times = served->values;
    const auto median = static_cast<double>(times.value_at_percentile(50));
    const auto p99 = served->percentile(99);
    const double usual = p99 ? static_cast<double>(*p99) : median;
    const auto longest = static_cast<double>(times.max());
    if (!(longest >= thresholds::stall_factor * std::max(1.0, usual))) return std::nullopt;
    const double think_ns = 1e9 * find_number(judged.measured.parameters, "think_time_seconds").value_or(0);
    const double hidden = hidden_operations(times, thresholds::stall_factor * usual, median, think_ns);
    if (hidden < thresholds::least_hidden) return std::nullopt;
    const bool many = hidden >= thresholds::hidden_share * static_cast<double>(times.count());
    const std::string usual_name = p99 ? "the 99th percentile" : "the median";
    return diagnostic{
        "closed-loop-blind", many ? severity::warning : severity::note,
        "The longest service time (" + time_text(longest) + ") is " + format_fixed(longest / usual, 0) +
            " times " + usual_name + ". Clients that wait send nothing: about " +
            operations_text(std::llround(std::min(hidden, 9e18))) +
            " were not sent during such stalls, so the percentiles look better than users would see "
            "them. An open loop counts them."};
}

/// A server that sends an answer in pieces with Nagle's algorithm on (RFC 9293 section 3.7.4) waits with the
/// second piece for the acknowledgement of the first, which the client's system puts off (RFC 9293
/// section 3.8.6.3).
[[nodiscard]] inline maybe_diagnostic judge_delayed_ack(const judged_result& judged) {
    const distribution* rest = judged.measured.find_distribution("remainder_time");
    const distribution* answered = judged.measured.find_distribution("first_byte_time");
    if (rest == nullptr || answered == nullptr) return std::nullopt;
    const std::int64_t delayed =
        rest->values.count_between(thresholds::delayed_from_ns, thresholds::delayed_to_ns);
    const std::int64_t around =
        rest->values.count_between(thresholds::delayed_from_ns / 2, 3 * thresholds::delayed_to_ns / 2) -
        delayed;
    const double share =
        static_cast<double>(delayed) / static_cast<double>(std::max<std::int64_t>(1, answered->values.count()));
    if (delayed < thresholds::least_delayed || share < thresholds::delayed_share) return std::nullopt;
    if (delayed / thresholds::delayed_to_others < around) return std::nullopt;
    return diagnostic{
        "delayed-ack", severity::warning,
        counted(delayed, "answer", "answers") + " (" + percent(share) +
            ") ended about 40 ms after their first byte: the server sends an answer in pieces and waits for an "
            "acknowledgement in between, which is put off for 40 ms. Let it send head and body at once, or set "
            "TCP_NODELAY."};
}

}  // namespace detail

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/judge_open_loop.hpp

/// The judgements of how an open loop kept its schedule.
namespace benchkit::inline v0_1::detail {

/// The 99th percentile, or the largest value where there are too few for one.
[[nodiscard]] inline std::int64_t high_value(const distribution& values) {
    return values.percentile(99).value_or(values.values.max());
}

[[nodiscard]] inline maybe_diagnostic judge_late_client(const judged_result& judged) {
    const distribution* late = judged.measured.find_distribution("timer_lag");
    const distribution* responses = judged.measured.find_distribution("response_time");
    if (late == nullptr || responses == nullptr || late->values.count() == 0 || judged.simulated) {
        return std::nullopt;
    }
    const std::int64_t high = high_value(*late);
    const double share =
        static_cast<double>(high) / static_cast<double>(std::max<std::int64_t>(1, high_value(*responses)));
    if (high < thresholds::late_ns || share < thresholds::late_share) return std::nullopt;
    return diagnostic{
        "late-client", severity::warning,
        "Operations started up to " + time_text(late->values.max()) + " late (" +
            (late->percentile(99) ? "99th percentile " : "largest of few ") + time_text(high) +
            ") although their connection stood idle: the client itself was late, and this is part of the "
            "response times. Use a quieter machine, more shards or a lower rate."};
}

[[nodiscard]] inline maybe_diagnostic judge_busy_connections(const judged_result& judged) {
    if (judged.measured.find_distribution("response_time") == nullptr) return std::nullopt;
    const std::int64_t waited = judged.counter("waited_for_connection");
    const std::int64_t never = judged.counter("not_started");
    const double scheduled = static_cast<double>(std::max<std::int64_t>(1, judged.counter("scheduled")));
    // What came due at the very end is not started where the client is late by microseconds: that is no sign.
    if (static_cast<double>(waited) + static_cast<double>(never) < thresholds::waited_share * scheduled) {
        return std::nullopt;
    }
    std::string message;
    if (waited > 0) {
        message = counted(waited, "operation", "operations") + " (" +
                  percent(static_cast<double>(waited) / scheduled) +
                  ") came due when no connection was free, and waited. ";
    }
    if (never > 0) {
        message += counted(never, "operation", "operations") + " had not started at the end. ";
    }
    return diagnostic{"busy-connections", severity::warning,
                      message +
                          "Their waiting is part of the response times: the target did not keep up with the "
                          "schedule, or the connections are too few for it."};
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/judge_outcome.hpp

/// The judgements of what happened: failures, limits, an early end.
namespace benchkit::inline v0_1::detail {

[[nodiscard]] inline maybe_diagnostic judge_connecting(const judged_result& judged) {
    if (find_text(judged.measured.attributes, "ended_by") != "connect-failure") return std::nullopt;
    std::string message = "The run ended early because no connection could be made";
    const std::string first = find_text(judged.measured.attributes, "first_error");
    if (!first.empty()) message += " (" + first + ")";
    return diagnostic{
        "connect-failure", severity::failure,
        message + ". Check the address, that the server listens there, and any firewall between."};
}

[[nodiscard]] inline maybe_diagnostic judge_failures(const judged_result& judged) {
    const std::int64_t failed = judged.counter("failed");
    if (failed <= 0) return std::nullopt;
    const std::int64_t started = std::max(failed, judged.counter("started"));
    const double share = static_cast<double>(failed) / static_cast<double>(started);
    std::string message = operations_text(failed) + " of " + format_count(started) + " failed (" +
                          percent(share) + "): " + failures_text(judged.measured, 3) + ".";
    const std::string first = find_text(judged.measured.attributes, "first_error");
    if (!first.empty()) message += " The first error: " + first + ".";
    const bool all = judged.counter("succeeded") == 0;
    if (all) message += " Nothing succeeded: there is no rate and no time to report.";
    if (!all) message += " The times of failed operations are not among the service times.";
    return diagnostic{"failures", all ? severity::failure : severity::warning, message};
}

[[nodiscard]] inline maybe_diagnostic judge_descriptors(const judged_result& judged) {
    const std::int64_t refused = sum_of(
        {judged.counter("errors.too_many_files_open"), judged.counter("errors.too_many_files_open_in_system")});
    if (refused <= 0) return std::nullopt;
    return diagnostic{"descriptor-limit", severity::warning,
                      counted(refused, "connection", "connections") +
                          " had no descriptor left. Raise the limit (ulimit -n) or use fewer connections."};
}

[[nodiscard]] inline maybe_diagnostic judge_ports(const judged_result& judged) {
    const std::int64_t refused = judged.counter("failed.ports");
    if (refused <= 0) return std::nullopt;
    return diagnostic{"port-limit", severity::warning,
                      operations_text(refused) +
                          " found no free local port. Keep connections alive, or widen "
                          "net.ipv4.ip_local_port_range; a closed connection holds its port "
                          "for a minute."};
}

[[nodiscard]] inline maybe_diagnostic judge_memory(const judged_result& judged) {
    if (find_text(judged.measured.attributes, "ended_by") != "memory") return std::nullopt;
    return diagnostic{
        "memory-limit", severity::failure,
        "There was not enough memory for all connections, and the run ended. Take fewer, or allow "
        "more (ulimit -v, a container's limit)."};
}

[[nodiscard]] inline maybe_diagnostic judge_interrupt(const judged_result& judged) {
    if (!judged.measured.interrupted) return std::nullopt;
    std::string message = "The run was interrupted";
    if (const auto signal = find_integer(judged.measured.attributes, "signal")) {
        message += " by signal " + std::to_string(*signal);
    }
    return diagnostic{"interrupted", severity::warning,
                      message + " after " + time_text(judged.measured.elapsed_seconds * 1e9) +
                          " of its span. The figures cover what was measured until then."};
}

[[nodiscard]] inline maybe_diagnostic judge_connections(const judged_result& judged) {
    const bool over_connections = judged.measured.counters.contains("connections_opened");
    const auto clients = find_integer(judged.measured.parameters, "clients");
    if (!over_connections || !clients || judged.measured.interrupted || judged.simulated) return std::nullopt;
    const std::int64_t opened =
        sum_of({judged.counter("connections_opened"), judged.counter("warmup.connections_opened")});
    std::int64_t possible = *clients;
    if (const auto operations = find_integer(judged.measured.parameters, "operations")) {
        possible = std::min(possible, *operations);
    }
    if (opened >= possible) return std::nullopt;
    return diagnostic{
        "fewer-connections", severity::warning,
        "Only " + counted(opened, "connection was", "connections were") + " opened for " +
            format_count(*clients) +
            " clients: the load was lighter than asked for. Look at the failures and at the limits of "
            "both sides."};
}

[[nodiscard]] inline maybe_diagnostic judge_drain(const judged_result& judged) {
    const std::int64_t unfinished = judged.counter("unfinished");
    if (unfinished <= 0) return std::nullopt;
    const bool interrupted = judged.measured.interrupted;
    const auto drain = find_number(judged.measured.parameters, "drain_seconds");
    const bool no_drain = drain && *drain == 0;
    std::string message = counted(unfinished, "operation was", "operations were");
    message += interrupted ? " still going on when the run was interrupted"
               : no_drain  ? " still going on at the end of the span, after which there was no drain"
                           : " still without an end when the drain was over";
    if (drain && !interrupted && !no_drain) message += " after " + time_text(*drain * 1e9);
    if (const distribution* age = judged.measured.find_distribution("unfinished_age")) {
        message += ", the oldest " + time_text(age->values.max()) + " old";
    }
    const bool one = unfinished == 1;
    message += one ? ". It counts" : ". They count";
    message += " as started, neither as succeeded nor as failed, and no service time includes ";
    // Without a drain it is what was asked for.
    return diagnostic{"drain-unfinished", interrupted || no_drain ? severity::note : severity::warning,
                      message + (one ? "it." : "them.")};
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/diagnostics.hpp

namespace benchkit::inline v0_1 {

/// What a result says of itself, the worst first: a function of the result alone. Experiments store it as
/// `result::diagnostics` at their end. The codes: connect-failure, failures, descriptor-limit, port-limit,
/// memory-limit, interrupted, fewer-connections, drain-unfinished, client-saturated, late-client,
/// busy-connections, noisy-machine, debug-build, coarse-clock, delayed-ack, closed-loop-blind, too-few-samples,
/// skewed.
[[nodiscard]] inline std::vector<diagnostic> diagnose(const result& measured) {
    using namespace detail;
    const judged_result judged(measured);
    std::vector<diagnostic> found;
    for (const auto judge : {judge_connecting, judge_failures, judge_descriptors, judge_ports, judge_memory,
                             judge_interrupt, judge_connections, judge_drain, judge_saturation,
                             judge_late_client, judge_busy_connections, judge_noise, judge_build, judge_clock,
                             judge_delayed_ack, judge_blindness, judge_sample_size, judge_skew}) {
        if (maybe_diagnostic one = judge(judged)) found.push_back(*std::move(one));
    }
    std::stable_sort(found.begin(), found.end(), [](const diagnostic& left, const diagnostic& right) {
        return left.severity > right.severity;
    });
    return found;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/environment.hpp

namespace benchkit::inline v0_1 {

/// The facts of a machine as the environment of a result: host, cpu, cpus, kernel, compiler, flags, version (of
/// benchkit), optimized, clock_resolution_ns, and load_average where the system tells it.
[[nodiscard]] inline attributes to_environment(const machine& facts) {
    attributes environment;
    environment["host"] = facts.host;
    environment["cpu"] = facts.cpu;
    environment["cpus"] = facts.cpus;
    environment["kernel"] = facts.kernel;
    environment["compiler"] = facts.compiler;
    environment["flags"] = facts.flags;
    environment["version"] = std::string(version);
    environment["optimized"] = facts.optimized;
    environment["clock_resolution_ns"] = std::int64_t{facts.clock_resolution.count()};
    if (facts.load_average) environment["load_average"] = *facts.load_average;
    return environment;
}

/// The environment of a run that starts now. Takes less than 0.1 s.
[[nodiscard]] inline attributes describe_environment() {
    return to_environment(describe_machine());
}

/// The use of a run's threads, over `wall` of time, as the resources of its result. Peak memory is that of the
/// process up to now.
[[nodiscard]] inline run_resources to_run_resources(const resource_use& used, std::chrono::nanoseconds wall) {
    run_resources resources;
    resources.user_seconds = duration(used.user).seconds();
    resources.system_seconds = duration(used.system).seconds();
    resources.max_rss_bytes = peak_memory_bytes();
    resources.voluntary_switches = used.voluntary_switches;
    resources.involuntary_switches = used.involuntary_switches;
    resources.wall_seconds = duration(wall).seconds();
    return resources;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/json_stream.hpp

namespace benchkit::inline v0_1 {

/// How an object or array is laid out: one member a line, or all of them on the line on which it begins.
enum class json_layout : std::uint8_t { lines, one_line };

/// Writes JSON as it is told, in one pass and without a tree: begin, keys and values, end. Commas, line ends
/// and indentation are its own. The caller keeps the grammar: a key before each value of an object, an end for
/// each begin.
///
/// The text is the same in every locale and on every machine. A number that is not finite is `null`. Strings
/// are escaped; bytes that are not UTF-8 become U+FFFD.
class json_stream {
  public:
    json_stream() = default;

    json_stream& begin_object(json_layout layout = json_layout::lines) { return begin('{', layout); }
    json_stream& end_object() { return end('}'); }
    json_stream& begin_array(json_layout layout = json_layout::lines) { return begin('[', layout); }
    json_stream& end_array() { return end(']'); }

    /// The key of the value that comes next.
    json_stream& key(std::string_view name) {
        separate();
        append_string(name);
        text_ += ": ";
        after_key_ = true;
        return *this;
    }

    json_stream& value(std::string_view string) {
        separate();
        append_string(string);
        return *this;
    }
    json_stream& value(const char* string) { return value(std::string_view(string)); }
    json_stream& value(bool truth) { return raw(truth ? "true" : "false"); }
    json_stream& value(std::int64_t number) { return raw(std::to_string(number)); }
    json_stream& value(int number) { return value(std::int64_t{number}); }

    /// A real number always has a point or an exponent, so that a reader can tell it from a whole one.
    json_stream& value(double number) {
        if (!std::isfinite(number)) return null();
        const std::string digits = format_number(number);
        const bool whole = digits.find_first_of(".e") == std::string::npos;
        return raw(whole ? digits + ".0" : digits);
    }

    json_stream& null() { return raw("null"); }

    /// The value, or `null` where there is none.
    template <class Value>
    json_stream& value(const std::optional<Value>& maybe) {
        return maybe ? value(*maybe) : null();
    }

    /// A key with its value.
    template <class Value>
    json_stream& member(std::string_view name, const Value& content) {
        return key(name).value(content);
    }

    /// What was written; the writer is empty afterwards.
    [[nodiscard]] std::string take() {
        std::string text = std::move(text_);
        *this = json_stream();
        return text;
    }

  private:
    struct scope {
        bool one_line = false;
        bool empty = true;
    };

    json_stream& begin(char bracket, json_layout layout) {
        separate();
        text_ += bracket;
        const bool inside_line = !scopes_.empty() && scopes_.back().one_line;
        scopes_.push_back({inside_line || layout == json_layout::one_line, true});
        return *this;
    }

    json_stream& end(char bracket) {
        const scope ended = scopes_.back();
        scopes_.pop_back();
        if (!ended.empty && !ended.one_line) new_line();
        text_ += bracket;
        return *this;
    }

    json_stream& raw(std::string_view token) {
        separate();
        text_ += token;
        return *this;
    }

    /// What stands between the last thing written and the next.
    void separate() {
        if (after_key_ || scopes_.empty()) {
            after_key_ = false;
            return;
        }
        scope& current = scopes_.back();
        if (!current.empty) text_ += current.one_line ? ", " : ",";
        if (!current.one_line) new_line();
        current.empty = false;
    }

    void new_line() {
        text_ += '\n';
        text_.append(2 * scopes_.size(), ' ');
    }

    void append_string(std::string_view string) {
        text_ += '"';
        while (!string.empty()) {
            const std::size_t length = detail::utf8_length(string);
            if (length == 0) {
                text_ += detail::replacement_character;
                string.remove_prefix(detail::utf8_malformed_length(string));
                continue;
            }
            if (length == 1) {
                append_ascii(string.front());
            } else {
                text_ += string.substr(0, length);
            }
            string.remove_prefix(length);
        }
        text_ += '"';
    }

    void append_ascii(char character) {
        constexpr std::string_view hexadecimal = "0123456789abcdef";
        const auto code = static_cast<unsigned char>(character);
        switch (character) {
            case '"':
                text_ += "\\\"";
                return;
            case '\\':
                text_ += "\\\\";
                return;
            case '\b':
                text_ += "\\b";
                return;
            case '\f':
                text_ += "\\f";
                return;
            case '\n':
                text_ += "\\n";
                return;
            case '\r':
                text_ += "\\r";
                return;
            case '\t':
                text_ += "\\t";
                return;
            default:
                break;
        }
        if (code >= 0x20 && code != 0x7F) {
            text_ += character;
            return;
        }
        text_ += "\\u00";
        text_ += hexadecimal[code >> 4U];
        text_ += hexadecimal[code & 0xFU];
    }

    std::string text_;
    std::vector<scope> scopes_;
    bool after_key_ = false;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/json_syntax.hpp

namespace benchkit::inline v0_1 {

/// The first place where a text is not JSON.
struct json_flaw {
    std::size_t offset = 0;  ///< bytes before it
    std::string expected;    ///< what would have to stand there, such as "a value"
};

namespace detail {

/// Walks through JSON (RFC 8259) up to the first flaw. It is slow and keeps nothing: it runs only on what the
/// real parser has refused, to tell where.
class json_walk {
  public:
    static constexpr int deepest = 1024;

    explicit json_walk(std::string_view text) : text_(text) {}

    [[nodiscard]] std::optional<json_flaw> run() {
        value(0);
        skip_blanks();
        if (!flaw_ && at_ < text_.size()) expect("the end of the text");
        return flaw_;
    }

  private:
    void expect(std::string_view what) {
        if (!flaw_) flaw_ = json_flaw{at_, std::string(what)};
    }

    [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() { at_ = std::min(text_.size(), text_.find_first_not_of(" \t\r\n", at_)); }

    bool take(char character) {
        skip_blanks();
        if (next() != character) return false;
        ++at_;
        return true;
    }

    void value(int depth) {
        skip_blanks();
        if (depth > deepest) return expect("no deeper nesting");
        switch (next()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return literal("true");
            case 'f':
                return literal("false");
            case 'n':
                return literal("null");
            default:
                return number();
        }
    }

    void object(int depth) {
        ++at_;
        if (take('}')) return;
        do {
            skip_blanks();
            if (next() != '"') return expect("a key in quotes");
            string();
            if (!flaw_ && !take(':')) expect("':'");
            if (!flaw_) value(depth + 1);
        } while (!flaw_ && take(','));
        if (!flaw_ && !take('}')) expect("',' or '}'");
    }

    void array(int depth) {
        ++at_;
        if (take(']')) return;
        do {
            value(depth + 1);
        } while (!flaw_ && take(','));
        if (!flaw_ && !take(']')) expect("',' or ']'");
    }

    void literal(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return expect("a value");
        at_ += word.size();
    }

    bool digits() {
        const std::size_t before = at_;
        while (next() >= '0' && next() <= '9') ++at_;
        return at_ > before;
    }

    void number() {
        const std::size_t before = at_;
        if (next() == '-') ++at_;
        const bool zero = next() == '0';
        if (zero) ++at_;
        if (!zero && !digits()) return expect(at_ == before ? "a value" : "a digit");
        if (next() == '.') {
            ++at_;
            if (!digits()) return expect("a digit");
        }
        if (next() != 'e' && next() != 'E') return;
        ++at_;
        if (next() == '+' || next() == '-') ++at_;
        if (!digits()) expect("a digit");
    }

    void string() {
        ++at_;
        while (!flaw_ && at_ < text_.size() && text_[at_] != '"') character();
        if (!flaw_ && at_ == text_.size()) expect("the end of a string");
        if (!flaw_) ++at_;
    }

    void character() {
        const auto code = static_cast<unsigned char>(text_[at_]);
        if (code < 0x20) return expect("no control character in a string");
        if (code == '\\') return escape();
        const std::size_t length = utf8_length(text_.substr(at_));
        if (length == 0) return expect("UTF-8");
        at_ += length;
    }

    void escape() {
        const std::string_view rest = text_.substr(at_ + 1, 1);
        if (rest != "u") {
            if (rest.empty() || std::string_view("\"\\/bfnrt").find(rest) == std::string_view::npos) {
                return expect("a known escape");
            }
            at_ += 2;
            return;
        }
        const auto code = code_unit();
        if (!code) return expect("four hexadecimal digits");
        if (*code >= 0xDC00 && *code <= 0xDFFF) return expect("a surrogate pair in order");
        at_ += 6;
        if (*code < 0xD800 || *code > 0xDBFF) return;
        const auto low = code_unit();
        if (!low || *low < 0xDC00 || *low > 0xDFFF) return expect("the second half of a surrogate pair");
        at_ += 6;
    }

    /// The number of an escape such as \u00e4 here; nothing where there is none.
    [[nodiscard]] std::optional<unsigned> code_unit() const {
        constexpr std::string_view hexadecimal = "0123456789abcdef0123456789ABCDEF";
        const std::string_view escape = text_.substr(std::min(at_, text_.size()), 6);
        if (escape.size() < 6 || !escape.starts_with("\\u")) return std::nullopt;
        unsigned code = 0;
        for (const char digit : escape.substr(2)) {
            const std::size_t place = hexadecimal.find(digit);
            if (place == std::string_view::npos) return std::nullopt;
            code = code * 16 + static_cast<unsigned>(place % 16);
        }
        return code;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<json_flaw> flaw_;
};

}  // namespace detail

/// The first flaw of a text that should be JSON; nothing where it is JSON.
[[nodiscard]] inline std::optional<json_flaw> find_json_flaw(std::string_view text) {
    return detail::json_walk(text).run();
}

/// "line 3, column 14" of an offset into a text, both from 1, columns in bytes.
[[nodiscard]] inline std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t last_end = before.rfind('\n');
    const std::size_t column = before.size() - (last_end == std::string_view::npos ? 0 : last_end + 1);
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/timestamp.hpp

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

// ---------- benchkit/result/json_writer.hpp

namespace benchkit::inline v0_1 {

/// What the "schema" of a saved result says.
inline constexpr std::string_view result_schema = "benchkit.result/1";

/// A percentile that is reported: its name in JSON and its number.
struct named_percentile {
    std::string_view name;
    double percentile;
};

/// The percentiles that JSON carries.
inline constexpr std::array<named_percentile, 8> json_percentiles{{{"50", 50},
                                                                   {"75", 75},
                                                                   {"90", 90},
                                                                   {"95", 95},
                                                                   {"99", 99},
                                                                   {"99.9", 99.9},
                                                                   {"99.99", 99.99},
                                                                   {"99.999", 99.999}}};

namespace detail {

/// Where a counter stands among the others: the books first, warm-up last.
[[nodiscard]] constexpr std::size_t counter_rank(std::string_view name) noexcept {
    constexpr std::array<std::string_view, 15> order{
        "scheduled",  "not_started",        "started",        "succeeded",
        "failed",     "unfinished",         "failed.",        "errors.",
        "status.",    "requests_sent",      "bytes_received", "body_bytes_received",
        "bytes_sent", "connections_opened", "kept_alive"};
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const bool group = order[rank].ends_with('.');
        if (group ? name.starts_with(order[rank]) : name == order[rank]) return rank;
    }
    return name.starts_with("warmup.") ? order.size() + 1 : order.size();
}

[[nodiscard]] inline std::vector<std::pair<std::string_view, std::int64_t>> ordered_counters(
    const counters& all) {
    std::vector<std::pair<std::string_view, std::int64_t>> ordered(all.begin(), all.end());
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& left, const auto& right) {
        return counter_rank(left.first) < counter_rank(right.first);
    });
    return ordered;
}

inline void write(json_stream& json, const attributes& scalars, json_layout layout) {
    json.begin_object(layout);
    for (const auto& [name, scalar] : scalars) {
        json.key(name);
        std::visit([&json](const auto& value) { json.value(value); }, scalar);
    }
    json.end_object();
}

inline void write(json_stream& json, const distribution& values) {
    const histogram& all = values.values;
    const auto known = [&all](auto figure) { return all.count() > 0 ? std::optional(figure) : std::nullopt; };
    json.begin_object()
        .member("unit", values.unit)
        .member("count", all.count())
        .member("min", known(all.min()))
        .member("mean", known(all.mean()))
        .member("stddev", known(all.stddev()))
        .member("max", known(all.max()));
    json.key("percentiles").begin_object(json_layout::one_line);
    for (const auto& [name, percentile] : json_percentiles) json.member(name, values.percentile(percentile));
    json.end_object();
    json.member("sum", to_string(all.sum())).member("histogram", encode_histogram(all)).end_object();
}

inline void write(json_stream& json, const sample_set& samples) {
    json.begin_object().member("unit", samples.unit).key("values").begin_array(json_layout::one_line);
    for (const double value : samples.values) json.value(value);
    json.end_array().end_object();
}

inline void write(json_stream& json, const time_series& series) {
    json.begin_object().member("interval_seconds", series.interval_seconds).key("points").begin_array();
    for (const series_point& point : series.points) {
        json.begin_object(json_layout::one_line)
            .member("t", point.t)
            .member("succeeded", point.succeeded)
            .member("failed", point.failed)
            .member("p50", point.p50)
            .member("p99", point.p99)
            .end_object();
    }
    json.end_array().end_object();
}

inline void write(json_stream& json, const std::optional<interval>& range) {
    if (!range) {
        json.null();
        return;
    }
    json.begin_array(json_layout::one_line).value(range->low).value(range->high).end_array();
}

inline void write(json_stream& json, const sample_summary& summary) {
    json.begin_object(json_layout::one_line)
        .member("count", summary.count)
        .member("mean", summary.mean)
        .member("stddev", summary.stddev)
        .member("min", summary.min)
        .member("q1", summary.q1)
        .member("median", summary.median)
        .member("q3", summary.q3)
        .member("max", summary.max)
        .member("mad", summary.mad);
    json.key("outliers")
        .begin_object()
        .member("low_severe", summary.outliers.low_severe)
        .member("low_mild", summary.outliers.low_mild)
        .member("high_mild", summary.outliers.high_mild)
        .member("high_severe", summary.outliers.high_severe)
        .end_object();
    write(json.key("median_interval"), summary.median_interval);
    write(json.key("mean_interval"), summary.mean_interval);
    json.end_object();
}

inline void write(json_stream& json, const comparison& compared) {
    json.begin_object().member("ratio", compared.ratio);
    write(json.key("interval"), compared.interval);
    json.member("confidence", compared.confidence).key("mann_whitney");
    if (const auto& test = compared.mann_whitney) {
        json.begin_object(json_layout::one_line).member("u", test->u).member("p", test->p).end_object();
    } else {
        json.null();
    }
    json.key("hodges_lehmann");
    if (const auto& shift = compared.hodges_lehmann) {
        json.begin_object(json_layout::one_line).member("shift", shift->shift);
        write(json.key("interval"), shift->interval);
        json.end_object();
    } else {
        json.null();
    }
    json.member("verdict", to_string(compared.verdict)).member("basis", compared.basis);
    write(json.key("base"), compared.base_summary);
    write(json.key("new"), compared.new_summary);
    json.end_object();
}

inline void write(json_stream& json, const run_resources& resources) {
    json.begin_object()
        .member("user_seconds", resources.user_seconds)
        .member("system_seconds", resources.system_seconds)
        .member("max_rss_bytes", resources.max_rss_bytes)
        .member("voluntary_switches", resources.voluntary_switches)
        .member("involuntary_switches", resources.involuntary_switches)
        .member("wall_seconds", resources.wall_seconds)
        .end_object();
}

inline void write(json_stream& json, const diagnostic& judged) {
    json.begin_object()
        .member("code", judged.code)
        .member("severity", to_string(judged.severity))
        .member("message", judged.message)
        .end_object();
}

template <class Named>
void write_named(json_stream& json, const Named& all) {
    json.begin_object();
    for (const auto& [name, content] : all) write(json.key(name), content);
    json.end_object();
}

template <class Content>
void write_list(json_stream& json, const std::vector<Content>& all) {
    json.begin_array();
    for (const Content& content : all) write(json, content);
    json.end_array();
}

template <class Content>
void write_maybe(json_stream& json, const std::optional<Content>& maybe) {
    if (maybe) {
        write(json, *maybe);
    } else {
        json.null();
    }
}

}  // namespace detail

/// Writes a result where the writer's next value belongs.
inline void write(json_stream& json, const result& measured) {
    json.begin_object()
        .member("schema", result_schema)
        .member("name", measured.name)
        .member("kind", measured.kind);
    detail::write(json.key("parameters"), measured.parameters, json_layout::lines);
    detail::write(json.key("environment"), measured.environment, json_layout::lines);
    detail::write(json.key("attributes"), measured.attributes, json_layout::lines);
    json.member("started_at", format_timestamp(measured.started_at))
        .member("elapsed_seconds", measured.elapsed_seconds)
        .member("rate", measured.rate)
        .member("interrupted", measured.interrupted);
    json.key("counters").begin_object();
    for (const auto& [name, count] : detail::ordered_counters(measured.counters)) json.member(name, count);
    json.end_object();
    detail::write_named(json.key("distributions"), measured.distributions);
    detail::write_named(json.key("samples"), measured.samples);
    detail::write_maybe(json.key("series"), measured.series);
    json.key("records").begin_array();
    for (const record& one : measured.records) detail::write(json, one, json_layout::one_line);
    json.end_array();
    detail::write_list(json.key("comparisons"), measured.comparisons);
    json.key("children").begin_array();
    for (const result& child : measured.children) write(json, child);
    json.end_array();
    detail::write_maybe(json.key("resources"), measured.resources);
    detail::write_list(json.key("diagnostics"), measured.diagnostics);
    json.end_object();
}

/// A result as JSON of the schema `benchkit.result/1`, ended by a line end. The same result gives the same text
/// on every machine; `read_json` (result/json_reader.hpp) restores from it all that a report shows.
[[nodiscard]] inline std::string to_json(const result& measured) {
    json_stream json;
    write(json, measured);
    return json.take() + '\n';
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/merge.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// A percentile of two parts is known only where one of them has no values.
[[nodiscard]] inline std::optional<std::int64_t> merged_percentile(
    const series_point& left, const series_point& right, std::optional<std::int64_t> series_point::*which) {
    if (right.succeeded == 0) return left.*which;
    if (left.succeeded == 0) return right.*which;
    return std::nullopt;
}

inline void merge_point(series_point& into, const series_point& other) {
    const auto p50 = merged_percentile(into, other, &series_point::p50);
    const auto p99 = merged_percentile(into, other, &series_point::p99);
    into.succeeded = sum_of({into.succeeded, other.succeeded});
    into.failed = sum_of({into.failed, other.failed});
    into.p50 = p50;
    into.p99 = p99;
}

inline void merge_series(std::optional<time_series>& into, const std::optional<time_series>& other) {
    if (!other) return;
    if (!into) {
        into = other;
        return;
    }
    if (into->interval_seconds != other->interval_seconds) {
        fail("Two time series of different intervals cannot be merged.");
    }
    for (const series_point& point : other->points) {
        const auto place = std::lower_bound(into->points.begin(), into->points.end(), point.t,
                                            [](const series_point& known, double t) { return known.t < t; });
        if (place != into->points.end() && place->t == point.t) {
            merge_point(*place, point);
        } else {
            into->points.insert(place, point);
        }
    }
}

inline void merge_distributions(result& into, const result& other) {
    for (const auto& [name, values] : other.distributions) {
        const auto [place, added] = into.distributions.try_emplace(name, values);
        if (added) continue;
        if (place->second.unit != values.unit) {
            fail("The distributions " + name + " of two results cannot be merged: one is in " +
                 place->second.unit + ", the other in " + values.unit + ".");
        }
        place->second.values.merge(values.values);
    }
}

inline void merge_samples(result& into, const result& other) {
    for (const auto& [name, samples] : other.samples) {
        const auto [place, added] = into.samples.try_emplace(name, samples);
        if (added) continue;
        if (place->second.unit != samples.unit) {
            fail("The samples " + name + " of two results cannot be merged: one is in " + place->second.unit +
                 ", the other in " + samples.unit + ".");
        }
        auto& values = place->second.values;
        values.insert(values.end(), samples.values.begin(), samples.values.end());
    }
}

inline void merge_resources(std::optional<run_resources>& into, const std::optional<run_resources>& other) {
    if (!other) return;
    if (!into) {
        into = other;
        return;
    }
    into->user_seconds += other->user_seconds;
    into->system_seconds += other->system_seconds;
    into->max_rss_bytes = std::max(into->max_rss_bytes, other->max_rss_bytes);
    into->voluntary_switches = sum_of({into->voluntary_switches, other->voluntary_switches});
    into->involuntary_switches = sum_of({into->involuntary_switches, other->involuntary_switches});
    into->wall_seconds = std::max(into->wall_seconds, other->wall_seconds);
}

/// The earlier of two moments; 0 is none.
[[nodiscard]] constexpr std::int64_t earlier(std::int64_t left, std::int64_t right) noexcept {
    if (left == 0 || right == 0) return left + right;
    return std::min(left, right);
}

/// Where the operations of the span are counted, the rate is exact; otherwise the rates of both add up.
[[nodiscard]] inline std::optional<double> merged_rate(const result& merged, std::optional<double> other) {
    if (merged.counters.contains("succeeded_in_span") && merged.elapsed_seconds > 0) {
        return static_cast<double>(merged.counter("succeeded_in_span")) / merged.elapsed_seconds;
    }
    if (merged.rate && other) return *merged.rate + *other;
    return merged.rate ? merged.rate : other;
}

}  // namespace detail

/// Adds a part of the same run, such as another shard, to a result. Exact: counters add, histograms merge, sums
/// of 128 bits add. Of a series the counts add, and percentiles of an interval remain where one part alone has
/// values in it. Samples, records, comparisons and children are appended; CPU time and switches add, of peak
/// memory and wall time the larger counts. Name, kind and each parameter, fact and attribute are of the first
/// that has it. Diagnostics are dropped: they judge a whole (result/diagnostics.hpp). Fails where units or
/// intervals differ.
inline void merge(result& into, const result& other) {
    if (into.name.empty()) into.name = other.name;
    if (into.kind.empty()) into.kind = other.kind;
    into.parameters.insert(other.parameters.begin(), other.parameters.end());
    into.environment.insert(other.environment.begin(), other.environment.end());
    into.attributes.insert(other.attributes.begin(), other.attributes.end());
    into.started_at = detail::earlier(into.started_at, other.started_at);
    into.elapsed_seconds = std::max(into.elapsed_seconds, other.elapsed_seconds);
    into.interrupted = into.interrupted || other.interrupted;
    for (const auto& [name, count] : other.counters) {
        std::int64_t& total = into.counters[name];
        total = detail::sum_of({total, count});
    }
    into.rate = detail::merged_rate(into, other.rate);
    detail::merge_distributions(into, other);
    detail::merge_samples(into, other);
    detail::merge_series(into.series, other.series);
    into.records.insert(into.records.end(), other.records.begin(), other.records.end());
    into.comparisons.insert(into.comparisons.end(), other.comparisons.begin(), other.comparisons.end());
    into.children.insert(into.children.end(), other.children.begin(), other.children.end());
    detail::merge_resources(into.resources, other.resources);
    into.diagnostics.clear();
}

/// All parts of one run as one result, by `merge` in their order.
[[nodiscard]] inline result merged(std::span<const result> parts) {
    result whole;
    for (const result& part : parts) merge(whole, part);
    return whole;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/operation_failed.hpp

namespace benchkit::inline v0_1 {

/// Thrown inside a user's coroutine to say that its operation failed, and why; the run goes on and counts it as
/// `failed.<cause>`. Any other exception counts as `failed.assertion`.
class operation_failed : public std::runtime_error {
  public:
    operation_failed(benchkit::cause reason, const std::string& sentence)
        : std::runtime_error(sentence), reason_(reason) {}

    [[nodiscard]] benchkit::cause reason() const noexcept { return reason_; }

  private:
    benchkit::cause reason_;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/result/text_layout.hpp

namespace benchkit::inline v0_1::detail {

inline constexpr std::size_t page_width = 80;   ///< columns of the text report
inline constexpr std::size_t label_width = 14;  ///< columns of the names on its left

/// How many columns a text takes: the characters of its UTF-8.
[[nodiscard]] constexpr std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

/// Appends `content` word by word, in lines of at most `page_width` columns where its words allow; each line
/// after the first begins with `indent` blanks. What is in the last line of `page` counts.
inline void append_wrapped(std::string& page, std::string_view content, std::size_t indent) {
    std::size_t column = width_of(std::string_view(page).substr(page.rfind('\n') + 1));
    bool first = true;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find(' '), content.size());
        const std::string_view word = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        if (word.empty()) continue;
        if (!first && column + 1 + width_of(word) > page_width) {
            page.append(1, '\n').append(indent, ' ');
            column = indent;
        } else if (!first) {
            page += ' ';
            ++column;
        }
        page += word;
        column += width_of(word);
        first = false;
    }
    page += '\n';
}

/// Appends "label         content", wrapped behind the label; nothing where there is no content.
inline void append_line(std::string& page, std::string_view label, std::string_view content) {
    if (content.empty()) return;
    page.append(label).append(label_width - std::min(label_width - 1, label.size()), ' ');
    append_wrapped(page, content, label_width);
}

/// A table of texts: the first column to the left, the others to the right, each as wide as its widest cell.
class text_table {
  public:
    void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    /// The lines, without blanks at their ends. The first column takes at least `first_width` columns.
    [[nodiscard]] std::string text(std::size_t first_width) const {
        const std::vector<std::size_t> widths = column_widths(first_width);
        std::string lines;
        for (const auto& row : rows_) {
            for (std::size_t column = 0; column < row.size(); ++column)
                append_cell(lines, row[column], widths[column], column);
            lines.resize(lines.find_last_not_of(' ') + 1);
            lines += '\n';
        }
        return lines;
    }

  private:
    static constexpr std::size_t gap = 2;

    [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t first_width) const {
        std::vector<std::size_t> widths{first_width};
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()), 0);
            for (std::size_t column = 0; column < row.size(); ++column) {
                widths[column] = std::max(widths[column], width_of(row[column]));
            }
        }
        return widths;
    }

    static void append_cell(std::string& lines, std::string_view cell, std::size_t width, std::size_t column) {
        const std::size_t padding = width - width_of(cell);
        if (column > 0) lines.append(gap + padding, ' ');
        lines += cell;
        if (column == 0) lines.append(padding, ' ');
    }

    std::vector<std::vector<std::string>> rows_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/print_tables.hpp

/// The tables of the text report: distributions, samples, children.
namespace benchkit::inline v0_1::detail {

inline constexpr const char* not_available = "n/a";
inline constexpr std::string_view failed_time = "failed_time.";
inline constexpr std::string_view step_time = "step_time.";

/// A figure in the unit of its distribution or samples.
[[nodiscard]] inline std::string figure_text(double value, std::string_view unit) {
    if (!std::isfinite(value)) return not_available;
    if (unit == "ns") return time_text(value);
    const bool whole = value == std::floor(value) && std::abs(value) < 9e15;
    if (whole && unit == "bytes") return format_byte_size(static_cast<std::int64_t>(value));
    return whole ? format_count(static_cast<std::int64_t>(value)) : format_fixed(value, 1);
}

[[nodiscard]] inline std::string figure_text(std::optional<std::int64_t> value, std::string_view unit) {
    return value ? figure_text(static_cast<double>(*value), unit) : std::string(not_available);
}

[[nodiscard]] inline std::string rate_text(std::optional<double> rate) {
    return rate && std::isfinite(*rate) ? format_rate(*rate) : std::string(not_available);
}

/// The distributions that the report shows, the most telling first. Processing time, the rest of the service
/// time after connecting, the answers of each client, the rates of each shard and the part of the lag that is
/// the client's own are for reports and diagnostics that want them.
[[nodiscard]] inline std::vector<std::pair<std::string, const distribution*>> shown_distributions(
    const result& measured) {
    constexpr std::array<std::string_view, 7> first{
        "response_time", "service_time", "lag", "first_byte_time", "connect_time", "resolve_time", "tls_time"};
    constexpr std::array<std::string_view, 4> for_others{"processing_time", "answers_per_client", "shard_rate",
                                                         "timer_lag"};
    std::vector<std::pair<std::string, const distribution*>> shown;
    const auto add = [&](std::string_view name, const distribution& values) {
        if (values.values.count() == 0) return;
        std::string title(name);
        std::replace(title.begin(), title.end(), '_', ' ');
        shown.emplace_back(printable(title), &values);
    };
    for (const std::string_view name : first) {
        if (const distribution* found = measured.find_distribution(name)) add(name, *found);
    }
    for (const auto& [name, values] : measured.distributions) {
        const bool known = std::find(first.begin(), first.end(), name) != first.end();
        const bool hidden = std::find(for_others.begin(), for_others.end(), name) != for_others.end();
        if (!known && !hidden && !name.starts_with(failed_time) && !name.starts_with(step_time))
            add(name, values);
    }
    return shown;
}

/// One figure of each of some distributions, as a row of their table.
template <class Distributions, class Figure>
void add_figures(text_table& table, std::string_view title, const Distributions& shown, const Figure& figure) {
    std::vector<std::string> cells{std::string(title)};
    for (const auto& [name, values] : shown) cells.push_back(figure(*values));
    table.add_row(std::move(cells));
}

template <class Distributions>
[[nodiscard]] std::string distributions_text(const Distributions& shown) {
    constexpr std::array<std::pair<std::string_view, double>, 6> percentiles{
        {{"50 %", 50}, {"75 %", 75}, {"90 %", 90}, {"95 %", 95}, {"99 %", 99}, {"99.9 %", 99.9}}};
    text_table table;
    std::vector<std::string> titles{""};
    for (const auto& [name, values] : shown) titles.push_back(name);
    table.add_row(std::move(titles));
    add_figures(table, "mean", shown,
                [](const distribution& d) { return figure_text(d.values.mean(), d.unit); });
    add_figures(table, "deviation", shown,
                [](const distribution& d) { return figure_text(d.values.stddev(), d.unit); });
    add_figures(table, "smallest", shown,
                [](const distribution& d) { return figure_text(std::optional(d.values.min()), d.unit); });
    for (const auto& [title, percentile] : percentiles) {
        add_figures(table, title, shown,
                    [p = percentile](const distribution& d) { return figure_text(d.percentile(p), d.unit); });
    }
    add_figures(table, "largest", shown,
                [](const distribution& d) { return figure_text(std::optional(d.values.max()), d.unit); });
    add_figures(table, "count", shown, [](const distribution& d) { return format_count(d.values.count()); });
    return table.text(label_width - 2);
}

inline void append_distributions(std::string& page, const result& measured) {
    constexpr std::ptrdiff_t columns = 4;
    const auto shown = shown_distributions(measured);
    for (auto first = shown.begin(); first != shown.end();) {
        const auto last = first + std::min(columns, shown.end() - first);
        page += '\n' + distributions_text(std::vector(first, last));
        first = last;
    }
}

/// How long operations took to fail, a line for each cause.
inline void append_failed_times(std::string& page, const result& measured) {
    text_table table;
    for (const auto& [name, values] : measured.distributions) {
        const histogram& times = values.values;
        if (!name.starts_with(failed_time) || times.count() == 0) continue;
        if (table.empty()) table.add_row({"failed after", "smallest", "50 %", "largest", "count"});
        table.add_row({printable(std::string_view(name).substr(failed_time.size())),
                       figure_text(std::optional(times.min()), values.unit),
                       figure_text(values.percentile(50), values.unit),
                       figure_text(std::optional(times.max()), values.unit), format_count(times.count())});
    }
    page += table.text(label_width - 2);
}

/// The steps of journeys, or the requests of a list, a line for each.
inline void append_steps(std::string& page, const result& measured) {
    constexpr std::string_view prefix = "step.";
    constexpr std::string_view suffix = ".succeeded";
    text_table table;
    for (const auto& [counter, succeeded] : measured.counters) {
        if (!counter.starts_with(prefix) || !counter.ends_with(suffix)) continue;
        if (counter.size() <= prefix.size() + suffix.size()) continue;
        const std::string name = counter.substr(prefix.size(), counter.size() - prefix.size() - suffix.size());
        const distribution* times = measured.find_distribution(std::string(step_time).append(name));
        const auto percentile = [&](double p) {
            return times == nullptr ? std::string(not_available)
                                    : figure_text(times->percentile(p), times->unit);
        };
        if (table.empty()) table.add_row({"step", "50 %", "99 %", "largest", "succeeded", "failed"});
        table.add_row({printable(name), percentile(50), percentile(99),
                       times == nullptr ? std::string(not_available)
                                        : figure_text(std::optional(times->values.max()), times->unit),
                       format_count(succeeded),
                       format_count(measured.counter(std::string(prefix).append(name).append(".failed")))});
    }
    page += table.text(label_width - 2);
}

inline void append_samples(std::string& page, const result& measured) {
    if (measured.samples.empty()) return;
    text_table table;
    table.add_row({"samples", "median", "smallest", "largest", "count"});
    for (const auto& [name, samples] : measured.samples) {
        std::vector<std::string> cells{printable(name)};
        if (const auto median = median_of(samples.values)) {
            const auto [least, most] = std::minmax_element(samples.values.begin(), samples.values.end());
            for (const double figure : {*median, *least, *most})
                cells.push_back(figure_text(figure, samples.unit));
        } else {
            cells.insert(cells.end(), 3, not_available);
        }
        cells.push_back(format_count(static_cast<std::int64_t>(samples.values.size())));
        table.add_row(std::move(cells));
    }
    page += table.text(label_width - 2);
}

/// The share of a processor that a child used.
[[nodiscard]] inline std::string cpu_text(const result& child) {
    if (!child.resources || !(child.resources->wall_seconds > 0)) return not_available;
    const double share =
        (child.resources->user_seconds + child.resources->system_seconds) / child.resources->wall_seconds;
    return std::isfinite(share) ? percent(share) : not_available;
}

[[nodiscard]] inline std::vector<std::string> child_row(const result& child) {
    const distribution* times = child.find_distribution("response_time");
    if (times == nullptr) times = child.find_distribution("service_time");
    const auto percentile = [times](double p) {
        return times == nullptr ? std::string(not_available) : figure_text(times->percentile(p), times->unit);
    };
    const bool some = times != nullptr && times->values.count() > 0;
    return {printable(child.name),
            rate_text(child.rate),
            percentile(50),
            percentile(99),
            some ? figure_text(std::optional(times->values.max()), times->unit) : std::string(not_available),
            format_count(child.counter("succeeded")),
            format_count(child.counter("failed")),
            cpu_text(child)};
}

inline void append_children(std::string& page, const result& measured) {
    if (measured.children.empty()) return;
    text_table table;
    table.add_row({"", "rate", "50 %", "99 %", "largest", "succeeded", "failed", "CPU"});
    for (const result& child : measured.children) table.add_row(child_row(child));
    page += table.text(label_width - 2);
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/result/print.hpp

#include <ostream>

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

// ---------- benchkit/result/requirement.hpp

namespace benchkit::inline v0_1 {

/// A figure of a result that a requirement speaks of.
enum class required_figure : std::uint8_t {
    percentile,   ///< of the response time (open loop) or the service time
    largest,      ///< of the same
    mean,         ///< of the same
    errors,       ///< operations that failed
    error_share,  ///< the same, of those that ended
    rate,         ///< operations that succeeded, per second
};

/// What a result must not be, such as "p99>50ms": see `parse_requirement`.
struct requirement {
    std::string text;  ///< as it was given
    required_figure figure = required_figure::errors;
    double percentile = 0;  ///< 0 to 100
    bool above = true;      ///< fails above the limit, else below it
    bool or_equal = false;  ///< and at it
    double limit = 0;       ///< nanoseconds, operations, a share of 1, or operations per second

    /// Whether this figure is one that must not be. A figure that differs from the limit by less than 1e-12 of
    /// it is the limit: 7 of 1,000 and 0.7 % are the same, and neither has an exact binary form.
    [[nodiscard]] bool fails_at(double value) const noexcept {
        if (std::abs(value - limit) <= 1e-12 * std::abs(limit)) return or_equal;
        return (value > limit) == above;
    }
};

namespace detail {

inline constexpr const char* requirement_forms =
    "allowed is a figure, <, <=, > or >=, and a limit, of times with a unit, such as p99>50ms, max>1s, "
    "mean>=10ms, errors>0.1%, errors>10 or rate<1000";

class requirement_reader {
  public:
    requirement_reader(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] requirement read() const {
        const std::size_t sign = text_.find_first_of("<>");
        if (sign == std::string_view::npos) refuse();
        requirement made;
        made.text = text_;
        made.above = text_[sign] == '>';
        std::string_view limit = text_.substr(sign + 1);
        made.or_equal = limit.starts_with('=');
        if (made.or_equal) limit.remove_prefix(1);
        read_figure(made, trimmed(text_.substr(0, sign)));
        read_limit(made, trimmed(limit));
        return made;
    }

  private:
    [[noreturn]] void refuse() const {
        fail_option(std::string(option_), std::string(text_), requirement_forms);
    }

    static std::string_view trimmed(std::string_view text) noexcept {
        while (text.starts_with(' ')) text.remove_prefix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
        return text;
    }

    void read_figure(requirement& made, std::string_view name) const {
        if (name == "max") {
            made.figure = required_figure::largest;
        } else if (name == "mean") {
            made.figure = required_figure::mean;
        } else if (name == "errors") {
            made.figure = required_figure::errors;
        } else if (name == "rate") {
            made.figure = required_figure::rate;
        } else {
            if (!name.starts_with('p')) refuse();
            const auto percentile = parse_number(name.substr(1));
            if (!percentile || *percentile < 0 || *percentile >= 100) refuse();
            made.figure = required_figure::percentile;
            made.percentile = *percentile;
        }
    }

    void read_limit(requirement& made, std::string_view text) const {
        if (made.figure == required_figure::errors && text.ends_with('%')) {
            const auto percent = parse_number(text.substr(0, text.size() - 1));
            if (!percent || *percent < 0 || *percent > 100) refuse();
            made.figure = required_figure::error_share;
            made.limit = *percent / 100.0;
        } else if (made.figure == required_figure::errors) {
            const auto count = find_count(text);
            if (!count) refuse();
            made.limit = static_cast<double>(*count);
        } else if (made.figure == required_figure::rate) {
            const auto per_second = find_rate(text);
            if (!per_second || !(per_second->per_second > 0)) refuse();
            made.limit = per_second->per_second;
        } else {
            const auto time = find_duration(text);
            if (!time) refuse();
            made.limit = static_cast<double>(time->count());
        }
    }

    std::string_view option_;
    std::string_view text_;
};

/// A figure of a result, or why it has none.
struct found_figure {
    std::optional<double> value;
    std::string printed;
};

[[nodiscard]] inline found_figure time_figure(double nanoseconds) {
    return {nanoseconds, format_duration(std::chrono::nanoseconds(std::llround(nanoseconds)))};
}

[[nodiscard]] inline found_figure time_of(const requirement& required, const result& measured) {
    auto times = measured.distributions.find("response_time");
    if (times == measured.distributions.end()) times = measured.distributions.find("service_time");
    if (times == measured.distributions.end() || times->second.values.count() == 0) {
        return {std::nullopt, "not available: no operation has a time"};
    }
    const histogram& values = times->second.values;
    if (required.figure == required_figure::largest) return time_figure(static_cast<double>(values.max()));
    if (required.figure == required_figure::mean) return time_figure(values.mean());
    const auto found = times->second.percentile(required.percentile);
    if (found) return time_figure(static_cast<double>(*found));
    return {std::nullopt, "not available: " + format_count(values.count()) + " operations are too few for it"};
}

/// What a requirement of errors looks at, of so many operations that have ended; nothing where it is a share of
/// none.
[[nodiscard]] inline std::optional<double> error_figure(const requirement& required, std::int64_t failed,
                                                        std::int64_t succeeded) {
    const auto errors = static_cast<double>(failed);
    if (required.figure == required_figure::errors) return errors;
    if (failed + succeeded == 0) return std::nullopt;
    return errors / static_cast<double>(failed + succeeded);
}

[[nodiscard]] inline found_figure figure_of(const requirement& required, const result& measured) {
    const std::int64_t failed = measured.counter("failed");
    switch (required.figure) {
        case required_figure::errors:
            return {error_figure(required, failed, 0), format_count(failed)};
        case required_figure::error_share: {
            const auto share = error_figure(required, failed, measured.counter("succeeded"));
            if (!share) return {std::nullopt, "not available: no operation has ended"};
            return {share, format_number(std::round(*share * 1e6) / 1e4) + "%"};
        }
        case required_figure::rate:
            if (!measured.rate) return {std::nullopt, "not available"};
            return {*measured.rate, format_rate(*measured.rate)};
        case required_figure::percentile:
        case required_figure::largest:
        case required_figure::mean:
            break;
    }
    return time_of(required, measured);
}

}  // namespace detail

/// Reads what a result must not be: a figure, <, <=, > or >=, and a limit. The figures are p with a percentile
/// below 100, max and mean (limits with a unit of time), errors (a count, or a share with %) and rate (per
/// second): "p99>50ms", "p99.9>=1s", "errors>0.1%", "errors>10", "rate<1k". Fails by the name of `option`
/// otherwise.
[[nodiscard]] inline requirement parse_requirement(std::string_view option, std::string_view text) {
    return detail::requirement_reader(option, text).read();
}

/// Reads what must hold of a result, in the same words: "p99<10ms", "errors<0.1%". It is the requirement that
/// is broken where this does not hold.
[[nodiscard]] inline requirement parse_slo(std::string_view option, std::string_view text) {
    requirement held = parse_requirement(option, text);
    held.above = !held.above;
    held.or_equal = !held.or_equal;
    return held;
}

/// Why a result does not meet a requirement, as a sentence with its figure; nothing where it does. A figure
/// that is not available, such as a percentile of too few operations, meets none.
///
///     if (const auto why = bk::broken(bk::parse_requirement("p99", "p99>50ms"), r)) std::cerr << *why << '\n';
[[nodiscard]] inline std::optional<std::string> broken(const requirement& required, const result& measured) {
    const detail::found_figure found = detail::figure_of(required, measured);
    if (found.value && !required.fails_at(*found.value)) return std::nullopt;
    const std::string name = required.text.substr(0, required.text.find_first_of(" <>"));
    return required.text + ": " + name + " is " + found.printed;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/asio.hpp

/// The one place that includes Asio (standalone), in narrow headers.

#if !defined(ASIO_STANDALONE)
#define ASIO_STANDALONE 1
#endif

// Asio before 1.26 looks for <experimental/coroutine> under clang and then switches coroutines off, although
// the standard library has <coroutine>.
#if defined(__clang__) && !defined(ASIO_HAS_CO_AWAIT) && !defined(ASIO_DISABLE_CO_AWAIT)
#define ASIO_HAS_CO_AWAIT 1
#endif

#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/version.hpp>

#if ASIO_VERSION < 102201
#error "benchkit needs Asio 1.22.1 or later"
#endif

// ---------- benchkit/exec/awaitable.hpp

namespace benchkit::inline v0_1 {

/// The Asio executor of a shard. All of benchkit's coroutines and sockets use this one type.
using executor_type = asio::io_context::executor_type;

/// The one coroutine type: what an experiment runs and what its parts await.
template <class T = void>
using awaitable = asio::awaitable<T, executor_type>;

/// The completion token for Asio operations inside our coroutines; plain `asio::use_awaitable` belongs to
/// another executor type and does not compile there.
inline constexpr asio::use_awaitable_t<executor_type> use_awaitable{};

/// Runs somebody else's awaitable (plain `asio::awaitable<T>`) inside one of our coroutines:
/// `co_await bk::adapt(their_awaitable())`. Exceptions pass through.
template <class T, class OtherExecutor>
awaitable<T> adapt(asio::awaitable<T, OtherExecutor> other) {
    const executor_type executor = co_await asio::this_coro::executor;
    co_return co_await asio::co_spawn(executor, std::move(other), use_awaitable);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/edge_wait.hpp

#include <new>

// Asio's own waiting for readability changes the epoll registration each time, which costs a system call per
// request, and takes memory for the waiting and for a coroutine of its own. What follows queues an operation of
// our own in Asio's reactor instead, which lives in the frame of the coroutine that waits. It relies on what
// Asio has inside, so it is used for the versions that it was tried with; others get the public way.
#if defined(ASIO_HAS_EPOLL) && !defined(ASIO_HAS_IO_URING_AS_DEFAULT) && ASIO_VERSION < 103900 && \
    !defined(BENCHKIT_PUBLIC_WAIT)
#define BENCHKIT_EDGE_WAIT 1
#else
#define BENCHKIT_EDGE_WAIT 0
#endif

namespace benchkit::inline v0_1::detail {

/// What a coroutine waits for.
enum class edge : std::uint8_t { input, output };

#if !BENCHKIT_EDGE_WAIT

template <class Socket>
awaitable<> public_wait(Socket& socket, edge awaited) {
    const auto kind = awaited == edge::input ? Socket::wait_read : Socket::wait_write;
    asio::error_code ignored;
    co_await socket.async_wait(kind, asio::redirect_error(use_awaitable, ignored));
}

#else

/// A way to what a socket keeps to itself.
template <class Socket>
struct socket_inside : Socket {
    static constexpr auto implementation = &socket_inside::impl_;
};

/// What `co_await` calls when the coroutine has been suspended: puts itself into the reactor's queue, and goes
/// on with the coroutine as soon as the reactor has seen an edge, without reading or writing.
template <class Socket>
class edge_wait : public asio::detail::reactor_op {
  public:
    edge_wait(Socket& socket, edge awaited)
        : reactor_op(asio::error_code(), awaited == edge::input ? &seen_input : &seen_output, &complete),
          socket_(socket),
          awaited_(awaited) {}

    asio::detail::awaitable_thread<executor_type>* operator()(
        asio::detail::awaitable_frame_base<executor_type>* frame) {
        ::new (storage_) coroutine(std::move(*frame->detach_thread()));
        auto& implementation = (socket_.*socket_inside<Socket>::implementation).get_implementation();
        auto& reactor = asio::use_service<asio::detail::reactor>(socket_.get_executor().context());
        using kind = asio::detail::reactor;
        // Output is seldom waited for: the registration is changed then, and tells what there is already.
        const bool input = awaited_ == edge::input;
        reactor.start_op(input ? kind::read_op : kind::write_op, implementation.socket_,
                         implementation.reactor_data_, this, true, input);
        return nullptr;
    }

  private:
    using coroutine = asio::detail::awaitable_thread<executor_type>;

    // Exhausted: the reactor then asks again only after another edge. Of thousands of connections none is in
    // the processor's caches any more: what the coroutine is going to need stands around its socket.
    static status seen_input(asio::detail::reactor_op* self) {
        const auto* const around = reinterpret_cast<const char*>(&static_cast<edge_wait*>(self)->socket_);
        for (std::ptrdiff_t line = -2; line < 9; ++line) __builtin_prefetch(around + 64 * line);
        return done_and_exhausted;
    }
    static status seen_output(asio::detail::reactor_op*) { return done; }

    // Without an owner the loop is being destroyed, and the coroutine with it.
    static void complete(void* owner, asio::detail::operation* base, const asio::error_code&, std::size_t) {
        auto* const held = std::launder(reinterpret_cast<coroutine*>(static_cast<edge_wait*>(base)->storage_));
        coroutine waiting(std::move(*held));
        held->~coroutine();
        if (owner != nullptr) waiting.launch();
    }

    Socket& socket_;
    edge awaited_;
    // Not std::optional: it lives only while the coroutine waits; copied is only what does not wait yet.
    alignas(coroutine) unsigned char storage_[sizeof(coroutine)];
};

#endif

/// Suspends the coroutine until the socket may have become readable, or has been closed. What was there before
/// the last wait ended is not told again: a reader reads until `would_block`, or knows that more is to come. It
/// may be told in vain. Only closing the socket ends it early. To be awaited at once.
template <class Socket>
[[nodiscard]] auto wait_for_input(Socket& socket) {
#if BENCHKIT_EDGE_WAIT
    return edge_wait<Socket>(socket, edge::input);
#else
    return public_wait(socket, edge::input);
#endif
}

/// Suspends the coroutine until the socket may have become writable or its connecting has ended, or it has been
/// closed. It may be told in vain. To be awaited at once.
template <class Socket>
[[nodiscard]] auto wait_for_output(Socket& socket) {
#if BENCHKIT_EDGE_WAIT
    return edge_wait<Socket>(socket, edge::output);
#else
    return public_wait(socket, edge::output);
#endif
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/alarm.hpp

#include <sys/timerfd.h>

#include <cerrno>

namespace benchkit::inline v0_1::detail {

#if BENCHKIT_EDGE_WAIT

/// Calls a function on the loop's thread at a point in time. Asio's own timer sets its descriptor twice for
/// each time that it fires; this one has a descriptor of its own, of which an edge tells, and sets it once.
class alarm {
  public:
    /// `rings` may also be called in vain: it looks itself what is due. Throws `std::system_error` where there
    /// is no descriptor left.
    alarm(asio::io_context& context, std::function<void()> rings)
        : reactor_(asio::use_service<asio::detail::reactor>(context)),
          descriptor_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
          rings_(std::move(rings)),
          watch_(new watch(*this)) {
        reactor_.init_task();
        const int failed = descriptor_ < 0 ? errno : reactor_.register_descriptor(descriptor_, registration_);
        if (failed != 0) {
            delete watch_;
            if (descriptor_ >= 0) ::close(descriptor_);
            throw std::system_error(failed, std::system_category(), "timerfd");
        }
        watch_->start();
    }
    alarm(const alarm&) = delete;
    alarm& operator=(const alarm&) = delete;
    // The watch is left to the loop, which lets go of it when it is next run or destroyed.
    ~alarm() {
        watch_->owner = nullptr;
        reactor_.deregister_descriptor(descriptor_, registration_, false);
        reactor_.cleanup_descriptor_data(registration_);
        ::close(descriptor_);
    }

    /// Rings at `due`, at once where that has passed, and no longer when it was to ring before.
    void set(time_point due) {
        if (due == due_) return;
        due_ = due;
        const std::int64_t nanoseconds = std::max<std::int64_t>(1, due.time_since_epoch().count());
        itimerspec time{};
        time.it_value.tv_sec = nanoseconds / 1'000'000'000;
        time.it_value.tv_nsec = nanoseconds % 1'000'000'000;
        ::timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &time, nullptr);
    }

  private:
    // What waits in the reactor's queue for the next edge.
    struct watch final : asio::detail::reactor_op {
        explicit watch(alarm& watched) : reactor_op(asio::error_code(), &seen, &complete), owner(&watched) {}

        void start() {
            owner->reactor_.start_op(asio::detail::reactor::read_op, owner->descriptor_, owner->registration_,
                                     this, true, true);
        }
        static status seen(asio::detail::reactor_op*) { return done_and_exhausted; }
        static void complete(void* loop, asio::detail::operation* base, const asio::error_code&, std::size_t) {
            auto* const self = static_cast<watch*>(base);
            if (loop == nullptr || self->owner == nullptr) {
                delete self;
                return;
            }
            alarm& rung = *self->owner;
            rung.due_ = time_point::max();
            self->start();
            rung.rings_();
        }

        alarm* owner;
    };

    asio::detail::reactor& reactor_;
    int descriptor_;
    asio::detail::reactor::per_descriptor_data registration_{};
    time_point due_ = time_point::max();
    std::function<void()> rings_;
    watch* watch_;
};

#else

/// Calls a function on the loop's thread at a point in time.
class alarm {
  public:
    /// `rings` may also be called in vain: it looks itself what is due.
    alarm(asio::io_context& context, std::function<void()> rings) : timer_(context), rings_(std::move(rings)) {}

    /// Rings at `due`, at once where that has passed, and no longer when it was to ring before.
    void set(time_point due) {
        if (due == due_) return;
        due_ = due;
        timer_.expires_at(std::chrono::steady_clock::time_point(due.time_since_epoch()));
        timer_.async_wait([this](const asio::error_code& error) {
            if (error) return;
            due_ = time_point::max();
            rings_();
        });
    }

  private:
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                               executor_type>
        timer_;
    time_point due_ = time_point::max();
    std::function<void()> rings_;
};

#endif

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/intrusive_list.hpp

namespace benchkit::inline v0_1::detail {

/// The link of one list that an object can be in; objects in several lists have one hook per tag.
template <class Tag>
class list_hook {
  public:
    list_hook() noexcept = default;
    // A copy is a new object: it is in no list.
    list_hook(const list_hook&) noexcept {}
    list_hook& operator=(const list_hook&) noexcept { return *this; }
    ~list_hook() { unlink(); }

    [[nodiscard]] bool linked() const noexcept { return next_ != nullptr; }

    void unlink() noexcept {
        if (!linked()) return;
        previous_->next_ = next_;
        next_->previous_ = previous_;
        previous_ = next_ = nullptr;
    }

  private:
    template <class, class>
    friend class intrusive_list;

    list_hook* previous_ = nullptr;
    list_hook* next_ = nullptr;
};

/// A doubly linked list of objects that bring their own link: no allocation, removal in constant time.
template <class T, class Tag>
class intrusive_list {
  public:
    intrusive_list() noexcept { head_.previous_ = head_.next_ = &head_; }
    intrusive_list(const intrusive_list&) = delete;
    intrusive_list& operator=(const intrusive_list&) = delete;
    ~intrusive_list() {
        while (!empty()) pop_front();
        head_.previous_ = head_.next_ = nullptr;
    }

    [[nodiscard]] bool empty() const noexcept { return head_.next_ == &head_; }

    [[nodiscard]] T& front() noexcept { return static_cast<T&>(*head_.next_); }

    void push_back(T& object) noexcept { insert_before(head_, object); }

    /// Behind all that `object` is not less than; looks from the back on.
    template <class Less>
    void insert_sorted(T& object, Less less) noexcept {
        static_cast<list_hook<Tag>&>(object).unlink();
        list_hook<Tag>* place = &head_;
        while (place->previous_ != &head_ && less(object, static_cast<T&>(*place->previous_))) {
            place = place->previous_;
        }
        insert_before(*place, object);
    }

    T& pop_front() noexcept {
        T& object = front();
        static_cast<list_hook<Tag>&>(object).unlink();
        return object;
    }

  private:
    static void insert_before(list_hook<Tag>& place, T& object) noexcept {
        list_hook<Tag>& hook = object;
        hook.unlink();
        hook.previous_ = place.previous_;
        hook.next_ = &place;
        place.previous_->next_ = &hook;
        place.previous_ = &hook;
    }

    list_hook<Tag> head_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/deadline_queue.hpp

namespace benchkit::inline v0_1 {

struct deadline_tag;

/// Something that must happen before a point in time; `expire()` is called when it did not.
class deadline : public detail::list_hook<deadline_tag> {
  public:
    deadline() noexcept = default;
    deadline(const deadline&) = delete;
    deadline& operator=(const deadline&) = delete;

    /// Takes the deadline back: it was met.
    void disarm() noexcept { unlink(); }
    [[nodiscard]] bool armed() const noexcept { return linked(); }
    [[nodiscard]] time_point due() const noexcept { return due_; }

    /// Called on the shard's thread, after the deadline has been disarmed.
    virtual void expire() = 0;

  protected:
    ~deadline() = default;

  private:
    friend class deadline_queue;
    time_point due_{};
};

/// The deadlines of one timeout on one shard. Since all have the same length, they fall due in the order of
/// their starts: arming and disarming relink a list, and one sweeper looks at its front.
class deadline_queue {
  public:
    /// `start_sweeper` is called when a deadline is armed and no sweeper runs.
    deadline_queue(std::chrono::nanoseconds timeout, std::function<void(deadline_queue&)> start_sweeper)
        : timeout_(timeout), start_sweeper_(std::move(start_sweeper)) {}

    [[nodiscard]] std::chrono::nanoseconds timeout() const noexcept { return timeout_; }

    /// Arms `item` for `start` plus the timeout. Costs a step for each deadline that was armed before and has a
    /// later start: those of most are now.
    void arm(deadline& item, time_point start) {
        item.due_ = time_after(start, timeout_);
        deadlines_.insert_sorted(item, [](const deadline& a, const deadline& b) { return a.due_ < b.due_; });
        if (!std::exchange(swept_, true)) start_sweeper_(*this);
    }

    /// Expires all that is due; returns when to come again, or nothing where no deadline is left: then the
    /// sweeper ends.
    [[nodiscard]] std::optional<time_point> sweep(time_point now) {
        while (!deadlines_.empty() && deadlines_.front().due() <= now) deadlines_.pop_front().expire();
        if (!deadlines_.empty()) return deadlines_.front().due();
        swept_ = false;
        return std::nullopt;
    }

  private:
    std::chrono::nanoseconds timeout_;
    std::function<void(deadline_queue&)> start_sweeper_;
    detail::intrusive_list<deadline, deadline_tag> deadlines_;
    bool swept_ = false;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/waiter.hpp

namespace benchkit::inline v0_1::detail {

struct suspended_tag;
struct queue_tag;

/// A coroutine that waits for a timer, an event or a place in a queue. It lives in the frame of the
/// coroutine that waits, so waiting allocates nothing.
class waiter : public list_hook<suspended_tag>, public list_hook<queue_tag> {
  public:
    using handler =
        asio::async_result<asio::use_awaitable_t<executor_type>, void(asio::error_code)>::handler_type;

    waiter() noexcept = default;
    // Copied only before it waits: a copy waits for nothing.
    waiter(const waiter&) noexcept : waiter() {}
    waiter& operator=(const waiter&) = delete;
    ~waiter() = default;

    bool timed = false;  ///< stands in the timer heap
    bool woken = false;  ///< is on its way: no cancellation reaches it any more

    void hold(handler&& continuation) { ::new (storage_) handler(std::move(continuation)); }
    [[nodiscard]] asio::cancellation_slot cancellation_slot() noexcept {
        return held().get_cancellation_slot();
    }
    void fail_with(asio::error_code error) noexcept { error_ = error; }

    /// Runs the coroutine until it waits again or ends; `*this` may be gone afterwards.
    void resume() {
        handler continuation = take();
        continuation(error_);
    }

    /// Gives the coroutine up: a handler that is posted here owns its frame from now on.
    void drop() { const handler continuation = take(); }

  private:
    handler& held() noexcept { return *std::launder(reinterpret_cast<handler*>(storage_)); }

    handler take() noexcept {
        handler taken = std::move(held());
        held().~handler();
        return taken;
    }

    // Not std::optional: it lives only between hold() and take(), and GCC 12 warns of its moves.
    alignas(handler) unsigned char storage_[sizeof(handler)];
    asio::error_code error_;
};

/// What `asio::async_initiate` keeps in the coroutine's frame: the waiter, and how it is put to wait.
template <class Arm>
class suspension {
  public:
    explicit suspension(Arm arm) : arm_(arm) {}

    void operator()(waiter::handler&& continuation) && {
        waiter_.hold(std::move(continuation));
        arm_(waiter_);
    }

  private:
    Arm arm_;
    waiter waiter_;
};

/// Suspends the coroutine that awaits the answer; `arm(waiter&)` puts it to wait.
template <class Arm>
awaitable<> suspend(Arm arm) {
    asio::use_awaitable_t<executor_type> token;
    return asio::async_initiate<asio::use_awaitable_t<executor_type>, void(asio::error_code)>(
        suspension<Arm>(arm), token);
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/timer_heap.hpp

namespace benchkit::inline v0_1::detail {

/// Who waits until when: ordered by time, then by the order of arrival.
class timer_heap {
  public:
    struct entry {
        time_point when;
        std::uint64_t sequence;
        waiter* sleeper;
    };

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] const entry& top() const noexcept { return entries_.front(); }

    void push(time_point when, waiter& sleeper) {
        sleeper.timed = true;
        entries_.push_back({when, next_sequence_++, &sleeper});
        std::push_heap(entries_.begin(), entries_.end(), later);
    }

    entry pop() {
        std::pop_heap(entries_.begin(), entries_.end(), later);
        const entry popped = entries_.back();
        entries_.pop_back();
        popped.sleeper->timed = false;
        return popped;
    }

    /// Takes one sleeper out before its time; linear, for it is rare.
    void remove(waiter& sleeper) {
        if (!sleeper.timed) return;
        std::erase_if(entries_, [&](const entry& candidate) { return candidate.sleeper == &sleeper; });
        std::make_heap(entries_.begin(), entries_.end(), later);
        sleeper.timed = false;
    }

  private:
    static bool later(const entry& left, const entry& right) noexcept {
        return left.when != right.when ? left.when > right.when : left.sequence > right.sequence;
    }

    std::vector<entry> entries_;
    std::uint64_t next_sequence_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/scheduler.hpp

namespace benchkit::inline v0_1::detail {

/// Coroutines that wait in line for the same thing.
using wait_list = intrusive_list<waiter, queue_tag>;

/// Who of a shard's coroutines waits for what, and who may go on. It knows no loop and reads no clock: the
/// shard tells it the time, real or simulated. A woken coroutine never runs inside the call that woke it: it
/// goes to the end of the ready list, so the order of wake-ups is the order of execution.
class scheduler {
  public:
    std::function<void()> on_ready;             ///< the ready list has its first entry
    std::function<void(time_point)> on_sooner;  ///< a timer became the next one due

    /// Lets `sleeper` wait until a point in time.
    void sleep(waiter& sleeper, time_point until) {
        if (suspend(sleeper)) set_timer(sleeper, until);
    }

    /// Lets `waiting` wait at the end of a line; false where nobody may wait any more.
    bool enqueue(waiter& waiting, wait_list& line) {
        if (!suspend(waiting)) return false;
        line.push_back(waiting);
        return true;
    }

    /// Wakes one that waits at `until`, if nothing has woken it before. The end of time never comes.
    void set_timer(waiter& waiting, time_point until) {
        if (until == time_point::max()) return;
        const bool sooner = heap_.empty() || until < heap_.top().when;
        heap_.push(until, waiting);
        if (sooner && on_sooner) on_sooner(until);
    }

    /// Takes `woken` out of whatever it waits for and lets it go on, with an error if there is one.
    void wake(waiter& woken, asio::error_code error = {}) {
        heap_.remove(woken);
        woken.woken = true;
        woken.fail_with(error);
        const bool first = ready_.empty();
        ready_.push_back(woken);
        if (first && !draining_ && on_ready) on_ready();
    }

    /// Wakes all whose time has come, in the order of their times and, at equal times, of their arrival; then
    /// runs what is ready.
    void run_due(time_point now) {
        draining_ = true;
        while (!heap_.empty() && heap_.top().when <= now) {
            const timer_heap::entry due = heap_.pop();
            trace(due);
            wake(*due.sleeper);
        }
        drain();
    }

    /// Runs what is ready, and what becomes ready meanwhile. Coroutines may wake each other without end: after
    /// many of them the loop, which looks at timers and sockets, has its turn first.
    void drain() {
        draining_ = true;
        for (int left = most_at_once; left > 0 && !ready_.empty() && !stopped_; --left) {
            waiter& next = ready_.pop_front();
            next.list_hook<suspended_tag>::unlink();
            next.resume();
        }
        draining_ = false;
        if (!ready_.empty() && !stopped_ && on_ready) on_ready();
    }

    /// Nobody goes on from now on, not even who is ready.
    void stop() noexcept { stopped_ = true; }
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty(); }
    [[nodiscard]] bool has_timers() const noexcept { return !heap_.empty(); }
    [[nodiscard]] time_point next_due() const noexcept { return heap_.top().when; }

    /// Gives up all that wait; whoever would wait from now on is given up at once. Their frames die with the
    /// io_context.
    void drop_all() {
        closed_ = true;
        while (!suspended_.empty()) {
            waiter& given_up = suspended_.pop_front();
            given_up.list_hook<queue_tag>::unlink();
            heap_.remove(given_up);
            given_up.drop();
        }
    }

    /// A hash over the times and the order of all timer events so far: equal for equal event traces.
    [[nodiscard]] std::uint64_t trace_hash() const noexcept { return trace_hash_; }

  private:
    static constexpr int most_at_once = 256;

    // Whether it may wait at all. A cancellation wakes it with operation_aborted.
    [[nodiscard]] bool suspend(waiter& suspended) {
        if (closed_) {
            suspended.drop();
            return false;
        }
        suspended_.push_back(suspended);
        asio::cancellation_slot cancellation = suspended.cancellation_slot();
        if (cancellation.is_connected()) {
            cancellation.assign([this, &suspended](asio::cancellation_type) {
                if (!suspended.woken) wake(suspended, asio::error::operation_aborted);
            });
        }
        return true;
    }

    void trace(const timer_heap::entry& event) noexcept {
        trace_number(static_cast<std::uint64_t>(event.when.time_since_epoch().count()));
        trace_number(event.sequence);
    }

    // Multiply and fold: each bit of each number moves the hash, and so does their order.
    void trace_number(std::uint64_t number) noexcept {
        trace_hash_ = (trace_hash_ ^ number) * 0x9e3779b97f4a7c15ULL;
        trace_hash_ ^= trace_hash_ >> 32;
    }

    timer_heap heap_;
    wait_list ready_;
    intrusive_list<waiter, suspended_tag> suspended_;
    std::uint64_t trace_hash_ = 0;
    bool draining_ = false;
    bool stopped_ = false;
    bool closed_ = false;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/shard.hpp

#include <exception>

namespace benchkit::inline v0_1 {

/// What a shard is told when it is made.
struct shard_options {
    int index = 0;           ///< 0 to count - 1
    int count = 1;           ///< shards of the run
    std::uint64_t seed = 1;  ///< of all random streams of the run
    bool simulated = false;  ///< the clock is simulated: time moves only when nothing else can
    /// The last stretch before a timer, through which the loop keeps asking instead of falling asleep.
    std::chrono::nanoseconds spin{0};
};

/// A thread with its own event loop, sharing nothing with the other shards of a run: what a coroutine gets
/// to sleep, to tell the time and to spawn others. It is the same in real and in virtual time. All member
/// functions are for the shard's own thread, but for `post`.
class shard {
  public:
    explicit shard(shard_options options = {}) : options_(options) {
        scheduler_.on_ready = [this] { schedule_drain(); };
        if (options_.simulated) return;
        alarm_ = std::make_unique<detail::alarm>(*context_, [this] { on_timer(); });
        scheduler_.on_sooner = [this](time_point due) { alarm_->set(due - options_.spin); };
    }
    shard(const shard&) = delete;
    shard& operator=(const shard&) = delete;
    ~shard() { shutdown(); }

    [[nodiscard]] int index() const noexcept { return options_.index; }
    [[nodiscard]] int count() const noexcept { return options_.count; }
    [[nodiscard]] bool simulated() const noexcept { return options_.simulated; }

    /// The time: of the monotonic clock, or simulated (nanoseconds since the run's start).
    [[nodiscard]] time_point now() const noexcept { return options_.simulated ? simulated_now_ : clock::now(); }

    /// Suspends the coroutine until `when`; at once where that has passed, but never without letting those
    /// run that are ready.
    [[nodiscard]] awaitable<> sleep_until(time_point when) {
        return detail::suspend([this, when](detail::waiter& sleeper) { scheduler_.sleep(sleeper, when); });
    }

    /// Suspends the coroutine for `length`; a negative one counts as zero.
    [[nodiscard]] awaitable<> sleep_for(std::chrono::nanoseconds length) {
        return sleep_until(time_after(now(), length < length.zero() ? length.zero() : length));
    }

    /// Lets the event loop and everybody who is ready go first.
    [[nodiscard]] awaitable<> yield() { return asio::post(executor(), use_awaitable); }

    /// The seed of the run's random streams.
    [[nodiscard]] std::uint64_t seed() const noexcept { return options_.seed; }

    /// A random stream of this shard, by name: equal for equal seed, shard index and name.
    [[nodiscard]] random_stream random(std::string_view stream_name) const {
        return {options_.seed, stream_name, static_cast<std::uint64_t>(options_.index)};
    }

    /// The Asio executor, for sockets and Asio's own operations.
    [[nodiscard]] executor_type executor() noexcept { return context_->get_executor(); }

    /// Memory for reading from sockets, shared by all coroutines of the shard: its content is valid until the
    /// coroutine that filled it suspends.
    [[nodiscard]] std::span<char> scratch() noexcept { return scratch_; }

    /// Runs `body()`, which returns an awaitable, beside its caller, and `ended()` when it has ended. What it
    /// throws ends the run.
    template <class Body, class Ended>
    void spawn(Body body, Ended ended) {
        asio::co_spawn(*context_, std::move(body),
                       [this, ended = std::move(ended)](std::exception_ptr problem) {
                           if (problem) return give_up(problem);
                           ended();
                       });
    }
    template <class Body>
    void spawn(Body body) {
        spawn(std::move(body), [] {});
    }

    /// The deadlines of this length; one sweeper looks after them.
    [[nodiscard]] deadline_queue& deadlines(std::chrono::nanoseconds timeout) {
        for (const auto& queue : deadline_queues_) {
            if (queue->timeout() == timeout) return *queue;
        }
        deadline_queues_.push_back(std::make_unique<deadline_queue>(
            timeout, [this](deadline_queue& queue) { spawn([this, &queue] { return sweep(queue); }); }));
        return *deadline_queues_.back();
    }

    /// Runs `function` on this shard's thread; callable from any thread while the run lasts.
    template <class Function>
    void post(Function function) {
        asio::post(*context_, std::move(function));
    }

    /// Runs the loop until `stop()`. Throws what a spawned coroutine threw, and `error` where in virtual time
    /// every coroutine waits for something that can no longer come.
    void run() {
        const auto work = asio::make_work_guard(*context_);
        if (options_.simulated) {
            run_simulated();
        } else {
            context_->run();
        }
        if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    }

    /// Ends `run()`: nobody goes on from now on, and what still waits is given up by `shutdown()`.
    void stop() {
        scheduler_.stop();
        context_->stop();
    }

    /// Gives up all coroutines that still wait, and destroys their frames.
    void shutdown() {
        if (!context_) return;
        scheduler_.drop_all();
        alarm_.reset();
        context_.reset();
    }

    /// Ends the run with this exception.
    void give_up(std::exception_ptr problem) {
        spare_memory_.reset();
        if (!problem_) problem_ = std::move(problem);
        stop();
    }

    /// Keeps memory for the end of a run that has no more: giving up a coroutine takes some. It takes room, but
    /// no pages.
    void spare_memory(std::size_t coroutines) {
        spare_memory_.reset(new char[std::size_t{512} * 1024 + coroutines * 256]);
    }
    /// Gives it back.
    void use_spare_memory() noexcept { spare_memory_.reset(); }

    [[nodiscard]] detail::scheduler& scheduler() noexcept { return scheduler_; }

  private:
    void schedule_drain() {
        asio::post(*context_, [this] { scheduler_.drain(); });
    }

    void on_timer() {
        if (spinning_) return;
        const time_point now = clock::now();
        scheduler_.run_due(now);
        if (!scheduler_.has_timers()) return;
        const time_point due = scheduler_.next_due();
        if (due - options_.spin > now) return alarm_->set(due - options_.spin);
        spinning_ = true;
        asio::post(*context_, [this] {
            spinning_ = false;
            on_timer();
        });
    }

    awaitable<> sweep(deadline_queue& queue) {
        for (std::optional<time_point> next = queue.sweep(now()); next; next = queue.sweep(now())) {
            co_await sleep_until(*next);
        }
    }

    // Lets all run that is runnable, Asio's own operations included; only then time moves, to the next timer.
    // A timer may lie in the past: time never goes back.
    void run_simulated() {
        while (!scheduler_.stopped()) {
            context_->poll();
            if (scheduler_.stopped()) return;
            if (!scheduler_.has_timers()) {
                fail("virtual time: a deadlock: every coroutine waits for something that can no longer come");
            }
            simulated_now_ = std::max(simulated_now_, scheduler_.next_due());
            asio::post(*context_, [this] { scheduler_.run_due(simulated_now_); });
        }
    }

    shard_options options_;
    std::unique_ptr<asio::io_context> context_ = std::make_unique<asio::io_context>(1);
    std::unique_ptr<detail::alarm> alarm_;  // none in simulated time
    bool spinning_ = false;
    detail::scheduler scheduler_;
    std::vector<std::unique_ptr<deadline_queue>> deadline_queues_;
    std::vector<char> scratch_ = std::vector<char>(std::size_t{64} * 1024);
    time_point simulated_now_{};
    std::exception_ptr problem_;
    std::unique_ptr<char[]> spare_memory_;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/bounded_queue.hpp

#include <deque>

namespace benchkit::inline v0_1 {

/// A queue between coroutines of one shard that holds at most `capacity` values: who pushes into a full one
/// waits, who pops from an empty one waits, both first come first served.
template <class T>
class bounded_queue {
  public:
    /// Throws `error` unless `capacity` is at least 1.
    bounded_queue(shard& owner, std::size_t capacity) : scheduler_(owner.scheduler()), capacity_(capacity) {
        if (capacity == 0) fail_option("bounded_queue.capacity", "0", "allowed is 1 or more");
    }

    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] bool closed() const noexcept { return closed_; }

    /// Puts `value` in if there is room that nobody waits for; returns whether it did. A closed queue takes
    /// nothing.
    [[nodiscard]] bool try_push(T value) {
        if (closed_ || !has_room()) return false;
        put(std::move(value));
        return true;
    }

    /// Waits for room and puts `value` in; returns false where the queue was closed.
    [[nodiscard]] awaitable<bool> push(T value) {
        if (!closed_ && !has_room()) {
            co_await wait_in(pushers_);
            --admitted_pushers_;
        }
        if (closed_) co_return false;
        put(std::move(value));
        co_return true;
    }

    /// Waits for a value and takes it out; nothing where the queue is closed and empty.
    [[nodiscard]] awaitable<std::optional<T>> pop() {
        if (values_.size() <= admitted_poppers_) {
            if (closed_) co_return std::nullopt;
            co_await wait_in(poppers_);
            --admitted_poppers_;
        }
        std::optional<T> value;
        if (!values_.empty()) {
            value.emplace(std::move(values_.front()));
            values_.pop_front();
            admit(pushers_, admitted_pushers_);
        }
        co_return value;
    }

    /// Nothing more goes in; what is in can still be popped, and everybody who waits goes on.
    void close() {
        closed_ = true;
        while (!pushers_.empty()) admit(pushers_, admitted_pushers_);
        while (!poppers_.empty()) admit(poppers_, admitted_poppers_);
    }

  private:
    [[nodiscard]] bool has_room() const noexcept { return values_.size() + admitted_pushers_ < capacity_; }

    void put(T value) {
        values_.push_back(std::move(value));
        admit(poppers_, admitted_poppers_);
    }

    // Who is admitted has its place from now on, not only once it runs: nobody overtakes.
    void admit(detail::wait_list& line, std::size_t& admitted) {
        if (line.empty()) return;
        ++admitted;
        scheduler_.wake(line.pop_front());
    }

    awaitable<> wait_in(detail::wait_list& line) {
        return detail::suspend([this, &line](detail::waiter& waiting) { scheduler_.enqueue(waiting, line); });
    }

    detail::scheduler& scheduler_;
    detail::wait_list pushers_;
    detail::wait_list poppers_;
    std::deque<T> values_;
    std::size_t capacity_;
    std::size_t admitted_pushers_ = 0;
    std::size_t admitted_poppers_ = 0;
    bool closed_ = false;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/error_name.hpp

namespace benchkit::inline v0_1 {

namespace detail {

struct named_error {
    int number;
    std::string_view name;
};

/// The errors that sockets meet, by the names of std::errc.
inline constexpr std::array<named_error, 23> named_errors{{{ECONNREFUSED, "connection_refused"},
                                                           {ECONNRESET, "connection_reset"},
                                                           {ECONNABORTED, "connection_aborted"},
                                                           {EPIPE, "broken_pipe"},
                                                           {ETIMEDOUT, "timed_out"},
                                                           {EADDRNOTAVAIL, "address_not_available"},
                                                           {EADDRINUSE, "address_in_use"},
                                                           {EAFNOSUPPORT, "address_family_not_supported"},
                                                           {EACCES, "permission_denied"},
                                                           {EPERM, "operation_not_permitted"},
                                                           {EHOSTUNREACH, "host_unreachable"},
                                                           {EHOSTDOWN, "host_down"},
                                                           {ENETUNREACH, "network_unreachable"},
                                                           {ENETDOWN, "network_down"},
                                                           {ENETRESET, "network_reset"},
                                                           {ENOBUFS, "no_buffer_space"},
                                                           {ENOMEM, "not_enough_memory"},
                                                           {EMFILE, "too_many_files_open"},
                                                           {ENFILE, "too_many_files_open_in_system"},
                                                           {EINVAL, "invalid_argument"},
                                                           {EBADF, "bad_file_descriptor"},
                                                           {EAGAIN, "try_again"},
                                                           {ECANCELED, "operation_canceled"}}};

/// Whether the error's number is one of errno: Asio has a category of its own for them beside the standard
/// ones.
[[nodiscard]] inline bool is_errno(const asio::error_code& error) noexcept {
    return error.category() == asio::error::get_system_category() ||
           error.category() == std::system_category() || error.category() == std::generic_category();
}

}  // namespace detail

/// The name under which an error is counted, as in `errors.connection_refused`.
[[nodiscard]] inline std::string error_name(const asio::error_code& error) {
    if (error == asio::error::host_not_found) return "host_not_found";
    if (error == asio::error::host_not_found_try_again) return "host_not_found_try_again";
    if (error == asio::error::no_data) return "host_has_no_address";
    if (error == asio::error::eof) return "end_of_file";
    for (const detail::named_error& known : detail::named_errors) {
        if (detail::is_errno(error) && error.value() == known.number) return std::string(known.name);
    }
    if (detail::is_errno(error)) return "errno_" + std::to_string(error.value());
    return std::string(error.category().name()) + "_" + std::to_string(error.value());
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/executors.hpp

namespace benchkit::inline v0_1 {

/// Runs an experiment on the calling thread, in real time.
struct single_threaded {
    std::uint64_t seed = 1;  ///< of all random streams
    /// Before a timer, keep the processor for this long instead of falling asleep: 0 s to 1 s. It saves the
    /// time that waking up takes, and costs a processor.
    duration spin{};
};

/// Runs an experiment on several threads in real time: one event loop each, sharing nothing while it lasts;
/// the results are merged at the end.
struct sharded {
    int shards = 2;          ///< threads, 1 to 1024
    bool pin = false;        ///< bind shard k to the k-th processor that the process may use
    std::uint64_t seed = 1;  ///< of all random streams
    duration spin{};         ///< as `single_threaded` has it
};

/// Runs an experiment in simulated time, which moves only when nothing is runnable, straight to the next timer.
/// The same seed gives the same run, event by event.
struct virtual_time {
    std::uint64_t seed = 1;  ///< of all random streams
};

/// The executors. They only describe: threads and loops live while a run lasts.
template <class T>
concept executor =
    std::same_as<T, single_threaded> || std::same_as<T, sharded> || std::same_as<T, virtual_time>;

/// The executors on which time passes by itself.
template <class T>
concept real_executor = executor<T> && !std::same_as<T, virtual_time>;

/// The number of shards that an executor describes; throws `error` where it, or the time to spin, is out of
/// range.
template <executor Executor>
[[nodiscard]] int shard_count(const Executor& description) {
    if constexpr (real_executor<Executor>) {
        if (description.spin < duration::zero() || description.spin > std::chrono::seconds(1)) {
            fail_option("spin", format_duration(description.spin), "allowed is 0 s to 1 s");
        }
    }
    if constexpr (std::same_as<Executor, sharded>) {
        if (description.shards < 1 || description.shards > 1024) {
            fail_option("shards", std::to_string(description.shards), "allowed is 1 to 1024");
        }
        return description.shards;
    } else {
        return 1;
    }
}

/// The executor's name, as in a result's parameters.
template <executor Executor>
[[nodiscard]] constexpr const char* executor_name(const Executor&) noexcept {
    if constexpr (std::same_as<Executor, single_threaded>) return "single_threaded";
    if constexpr (std::same_as<Executor, sharded>) return "sharded";
    return "virtual_time";
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/interrupt.hpp

#include <csignal>
#include <mutex>

namespace benchkit::inline v0_1::detail {

/// Restores the program's own handling of SIGINT and SIGTERM when the last run of the process has ended:
/// Asio would leave the default action behind.
class signal_actions {
  public:
    signal_actions() {
        const std::scoped_lock lock(mutex_);
        if (users_++ > 0) return;
        sigaction(SIGINT, nullptr, &interrupt_);
        sigaction(SIGTERM, nullptr, &terminate_);
    }
    signal_actions(const signal_actions&) = delete;
    signal_actions& operator=(const signal_actions&) = delete;
    ~signal_actions() {
        const std::scoped_lock lock(mutex_);
        if (--users_ > 0) return;
        sigaction(SIGINT, &interrupt_, nullptr);
        sigaction(SIGTERM, &terminate_, nullptr);
    }

    /// A signal that the program was told to ignore (a background job's Ctrl-C) stays ignored.
    [[nodiscard]] static bool ignored(int signal) {
        const std::scoped_lock lock(mutex_);
        return (signal == SIGINT ? interrupt_ : terminate_).sa_handler == SIG_IGN;
    }

  private:
    inline static std::mutex mutex_;
    inline static int users_ = 0;
    inline static struct sigaction interrupt_ {};
    inline static struct sigaction terminate_ {};
};

/// While it lives, the first Ctrl-C or SIGTERM calls `on_signal` in the event loop of `context`; a second one
/// has the default effect.
class interrupt_handler {
  public:
    interrupt_handler(executor_type context, std::function<void(int)> on_signal)
        : signals_(context), on_signal_(std::move(on_signal)) {
        for (const int signal : {SIGINT, SIGTERM}) {
            if (!signal_actions::ignored(signal)) signals_.add(signal);
        }
        signals_.async_wait([this](const asio::error_code& error, int signal) {
            if (error) return;
            signals_.clear();
            on_signal_(signal);
        });
    }

  private:
    signal_actions actions_;
    asio::basic_signal_set<executor_type> signals_;
    std::function<void(int)> on_signal_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/exec/run.hpp

#include <sched.h>

#include <atomic>
#include <thread>

namespace benchkit::inline v0_1 {

/// The shards of one run, and how they reach each other.
class shard_group {
  public:
    /// As many shards as the executor describes; none runs yet.
    template <executor Executor>
    explicit shard_group(const Executor& description) {
        const int count = shard_count(description);
        for (int index = 0; index < count; ++index) {
            shard_options options{.index = index, .count = count, .seed = description.seed};
            if constexpr (real_executor<Executor>) {
                options.spin = description.spin;
            } else {
                options.simulated = true;
            }
            shards_.push_back(std::make_unique<shard>(options));
        }
    }

    [[nodiscard]] int size() const noexcept { return static_cast<int>(shards_.size()); }
    [[nodiscard]] shard& at(int index) noexcept { return *shards_[static_cast<std::size_t>(index)]; }

    /// Runs `function(shard&)` on every shard's thread, some time soon. Callable from any thread.
    template <class Function>
    void post_all(const Function& function) {
        for (const auto& member : shards_) {
            member->post([&shard = *member, function] { function(shard); });
        }
    }

    /// Ends the run at once: every shard's loop returns.
    void stop() {
        post_all([](shard& member) { member.stop(); });
    }

    /// What to do on Ctrl-C or SIGTERM, called on some thread; unless set, the run is stopped.
    std::function<void(int signal)> on_interrupt = [this](int) { stop(); };

    /// The signal that interrupted the run; 0 for none.
    [[nodiscard]] int signal() const noexcept { return signal_; }

    void interrupt(int signal) {
        signal_ = signal;
        on_interrupt(signal);
    }

  private:
    std::vector<std::unique_ptr<shard>> shards_;
    std::atomic<int> signal_ = 0;
};

namespace detail {

/// While it lives, the calling thread runs on the k-th processor, counted around, of those that it may use.
class pinned_thread {
  public:
    explicit pinned_thread(int k) {
        if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) return;
        int left = k % CPU_COUNT(&allowed_);
        for (std::size_t processor = 0; processor < CPU_SETSIZE && !pinned_; ++processor) {
            if (!CPU_ISSET(processor, &allowed_) || left-- > 0) continue;
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
        }
    }
    pinned_thread(const pinned_thread&) = delete;
    pinned_thread& operator=(const pinned_thread&) = delete;
    ~pinned_thread() {
        if (pinned_) sched_setaffinity(0, sizeof allowed_, &allowed_);
    }

  private:
    cpu_set_t allowed_;
    bool pinned_ = false;
};

/// One shard's part of a run: runs `main(shard)` until it ends, or until the loop is stopped.
template <class Main>
resource_use run_shard(shard& member, const Main& main) {
    const resource_use before = thread_resources();
    member.spawn([&]() -> awaitable<> {
        co_await main(member);
        member.stop();
    });
    member.run();
    return thread_resources() - before;
}

/// Runs `run_one(index)` on a thread for each shard; the calling thread waits and looks after signals.
template <class RunOne>
void run_on_threads(shard_group& group, const RunOne& run_one) {
    asio::io_context control(1);
    const auto work = asio::make_work_guard(control);
    const interrupt_handler interrupts(control.get_executor(), [&](int signal) { group.interrupt(signal); });
    int running = group.size();
    std::vector<std::jthread> threads;
    try {
        for (int index = 0; index < group.size(); ++index) {
            threads.emplace_back([&, index] {
                run_one(index);
                asio::post(control, [&] {
                    if (--running == 0) control.stop();
                });
            });
        }
    } catch (const std::system_error&) {
        group.stop();  // the system gives no more threads: those that run must end before they are joined
        throw;
    }
    control.run();
}

/// Gives up what still waits, before anything that it refers to goes.
struct shutdown_at_end {
    shard_group& group;
    ~shutdown_at_end() {
        for (int index = 0; index < group.size(); ++index) group.at(index).shutdown();
    }
};

}  // namespace detail

/// Runs `main(shard&)`, which returns an awaitable, on every shard of a group, each on a thread of its own
/// (a single shard on the calling thread), until all have ended. What still waits then is given up. Returns
/// what each shard's thread used. The first exception of any shard ends the run and is thrown here.
template <class Main>
std::vector<resource_use> run_group(shard_group& group, bool pin, const Main& main) {
    std::vector<resource_use> usage(static_cast<std::size_t>(group.size()));
    const detail::shutdown_at_end shutdown{group};
    std::exception_ptr problem;
    std::mutex problem_mutex;
    const auto run_one = [&](int index) {
        try {
            std::optional<detail::pinned_thread> pinned;
            if (pin) pinned.emplace(index);
            usage[static_cast<std::size_t>(index)] = detail::run_shard(group.at(index), main);
        } catch (...) {
            const std::scoped_lock lock(problem_mutex);
            if (!problem) problem = std::current_exception();
            group.stop();
        }
    };
    if (group.size() == 1) {
        const detail::interrupt_handler interrupts(group.at(0).executor(),
                                                   [&](int signal) { group.interrupt(signal); });
        run_one(0);
    } else {
        detail::run_on_threads(group, run_one);
    }
    if (problem) std::rethrow_exception(problem);
    return usage;
}

/// Runs `main(shard&)` on the shards that an executor describes; see `run_group`. For coroutines of one's own:
/// `bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1s); })`.
template <executor Executor, class Main>
void run(const Executor& description, const Main& main) {
    shard_group group(description);
    bool pin = false;
    if constexpr (std::same_as<Executor, sharded>) pin = description.pin;
    run_group(group, pin, main);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/exec/wait_group.hpp

namespace benchkit::inline v0_1 {

/// Something that happens once: coroutines of one shard wait for it.
class event {
  public:
    explicit event(shard& owner) noexcept : scheduler_(owner.scheduler()) {}

    [[nodiscard]] bool is_set() const noexcept { return set_; }

    /// It has happened: all that wait go on.
    void set() {
        set_ = true;
        while (!waiting_.empty()) scheduler_.wake(waiting_.pop_front());
    }

    /// Waits until it has happened.
    [[nodiscard]] awaitable<> wait() {
        while (!set_) co_await enqueue();
    }

    /// Waits until it has happened or `limit` has come; returns whether it has happened.
    [[nodiscard]] awaitable<bool> wait_until(time_point limit) {
        if (!set_) co_await enqueue_until(limit);
        co_return set_;
    }

  private:
    awaitable<> enqueue() {
        return detail::suspend([this](detail::waiter& waiting) { scheduler_.enqueue(waiting, waiting_); });
    }

    awaitable<> enqueue_until(time_point limit) {
        return detail::suspend([this, limit](detail::waiter& waiting) {
            if (scheduler_.enqueue(waiting, waiting_)) scheduler_.set_timer(waiting, limit);
        });
    }

    detail::scheduler& scheduler_;
    detail::wait_list waiting_;
    bool set_ = false;
};

/// Waits for a number of coroutines of one shard to end.
class wait_group {
  public:
    explicit wait_group(shard& owner) noexcept : all_done_(owner) {}

    /// `more` coroutines are to be waited for; not after the last one was done.
    void add(std::int64_t more = 1) noexcept { left_ += more; }

    /// One of them has ended.
    void done() {
        if (--left_ == 0) all_done_.set();
    }

    /// Waits until as many are done as were added; at once where none was.
    [[nodiscard]] awaitable<> wait() {
        if (left_ > 0) co_await all_done_.wait();
    }

  private:
    event all_done_;
    std::int64_t left_ = 0;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/http/grammar.hpp

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

/// The first byte in [first, last) that is not of this class; four at a time, for one branch.
[[nodiscard]] inline const char* find_other(const char* first, const char* last,
                                            character_class wanted) noexcept {
    const auto of = [](char byte) { return character_classes[static_cast<unsigned char>(byte)]; };
    while (last - first >= 4 && (of(first[0]) & of(first[1]) & of(first[2]) & of(first[3]) & wanted) != 0)
        first += 4;
    while (first != last && is_character(*first, wanted)) ++first;
    return first;
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

/// What sentences show of a text.
using benchkit::detail::printable;

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/url.hpp

#include <arpa/inet.h>

namespace benchkit::inline v0_1::http {

/// The parts of an `http` or `https` URL (RFC 9110 section 4.2, RFC 3986).
struct url {
    std::string scheme = "http";
    std::string host;  ///< a name or an address; an IPv6 address without its brackets
    std::uint16_t port = 80;
    std::string path = "/";  ///< with the query, as it is sent: begins with "/"
    bool ipv6 = false;       ///< host is an IPv6 address

    [[nodiscard]] bool is_secure() const noexcept { return scheme == "https"; }

    /// The value of the Host field: brackets around an IPv6 address, the port where it is not the scheme's own.
    [[nodiscard]] std::string host_header() const {
        std::string text = ipv6 ? "[" + host + "]" : host;
        if (port != (is_secure() ? 443 : 80)) text.append(":").append(std::to_string(port));
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
        if (rest[end] == '/') url_.path.clear();
        url_.path += rest.substr(end);
        return url_;
    }

    /// HOST:PORT alone.
    [[nodiscard]] url read_peer() {
        read_authority(text_);
        if (text_.empty() || text_.back() == ']' || text_.find(':') == std::string_view::npos) {
            refuse("a host and a port such as localhost:8080 are needed");
        }
        return url_;
    }

  private:
    [[noreturn]] void refuse(const char* allowed) const {
        fail_option(std::string(option_), printable(text_), allowed);
    }

    void read_scheme(std::string_view& rest) {
        const std::size_t end = rest.find("://");
        if (end == std::string_view::npos) refuse("a URL begins with http://");
        const std::string_view scheme = rest.substr(0, end);
        if (equals_ignore_case(scheme, "https")) {
            url_.scheme = "https";
            url_.port = 443;
        } else if (!equals_ignore_case(scheme, "http")) {
            refuse("this scheme is unknown; a URL begins with http:// or https://");
        }
        rest.remove_prefix(end + 3);
    }

    // [ userinfo "@" ] host [ ":" port ]
    void read_authority(std::string_view authority) {
        if (authority.find('@') != std::string_view::npos) {
            refuse("a user or password in the URL is not supported; send a header Authorization instead");
        }
        if (std::count(authority.begin(), authority.end(), ':') > 1 &&
            authority.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos) {
            refuse("an IPv6 address stands in brackets, as in http://[::1]:8080/");
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
            refuse("a host name has letters, digits and -._~ only");
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

/// Takes a URL apart; fails with one sentence that names `option_name` and what is wrong. The schemes
/// are `http` and `https`, with the default ports 80 and 443; an empty path becomes "/", a fragment is dropped.
[[nodiscard]] inline url parse_url(std::string_view option_name, std::string_view text) {
    return detail::url_reader(option_name, text).read();
}

/// Takes HOST:PORT apart, as `parse_url` does.
[[nodiscard]] inline url parse_peer(std::string_view option_name, std::string_view text) {
    return detail::url_reader(option_name, text).read_peer();
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/connect_plan.hpp

namespace benchkit::inline v0_1::http {

/// The kinds of IP addresses.
enum class address_family : std::uint8_t { any, ipv4, ipv6 };

/// Where the connections to a target go, and from where they come.
struct connect_plan {
    connect_plan() = default;
    /// To the URL's own host and port, from any address.
    connect_plan(const url& address) : host(address.host), port(address.port) {}  // NOLINT: a URL is a plan

    /// Where it leads, for people: the path of the Unix socket, else host and port.
    [[nodiscard]] std::string peer() const {
        if (!unix_socket.empty()) return unix_socket;
        const bool bracketed = host.find(':') != std::string::npos;
        return (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(port);
    }

    std::string host;
    std::uint16_t port = 80;
    std::string unix_socket;           ///< the path of a Unix socket, in the place of host and port
    std::vector<std::string> sources;  ///< own addresses, taken in turn; empty: the system chooses
    address_family family = address_family::any;
    bool reset_on_close = false;  ///< close with a reset, which leaves no port in TIME_WAIT
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/stream_socket.hpp

namespace benchkit::inline v0_1::http {

/// A stream socket that is connected to a peer: over TCP or on a Unix socket, of a client or of a server.
using stream_socket = asio::basic_stream_socket<asio::generic::stream_protocol, executor_type>;
using stream_endpoint = asio::generic::stream_protocol::endpoint;

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/address_list.hpp

namespace benchkit::inline v0_1::http {

namespace detail {

inline void add_wanted(std::vector<stream_endpoint>& list, const asio::ip::tcp::endpoint& found,
                       address_family family) {
    if (family == address_family::ipv4 && !found.address().is_v4()) return;
    if (family == address_family::ipv6 && !found.address().is_v6()) return;
    list.emplace_back(found);
}

/// One look-up of a host by the system. It cannot be interrupted, so it may outlive who asked for it.
struct host_lookup {
    host_lookup(shard& owner, const connect_plan& asked)
        : resolver(owner.executor()), plan(asked), done(owner) {}

    awaitable<> run() {
        const auto found = co_await resolver.async_resolve(plan.host, std::to_string(plan.port),
                                                           asio::ip::tcp::resolver::numeric_service,
                                                           asio::redirect_error(use_awaitable, error));
        for (const auto& entry : found) add_wanted(endpoints, entry.endpoint(), plan.family);
        if (!error && endpoints.empty()) error = asio::error::no_data;
        done.set();
    }

    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver;
    connect_plan plan;
    event done;
    std::vector<stream_endpoint> endpoints;
    asio::error_code error;
};

}  // namespace detail

/// Looks a host up on the calling thread, which waits for it: before a run, so that no operation's time holds
/// the look-up. Empty where there is no address; the run then tells why. A Unix socket is its own address.
[[nodiscard]] inline std::vector<stream_endpoint> look_up(const connect_plan& plan) {
    std::vector<stream_endpoint> endpoints;
    if (!plan.unix_socket.empty()) {
        endpoints.emplace_back(asio::local::stream_protocol::endpoint(plan.unix_socket));
        return endpoints;
    }
    asio::io_context context(1);
    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver(context.get_executor());
    asio::error_code error;
    for (const auto& entry : resolver.resolve(plan.host, std::to_string(plan.port),
                                              asio::ip::tcp::resolver::numeric_service, error)) {
        detail::add_wanted(endpoints, entry.endpoint(), plan.family);
    }
    return endpoints;
}

/// The addresses of a URL's host, resolved once per shard. A name may have several: they are tried in turn,
/// beginning with the one that took the last connection. Several may try at the same time, so each keeps where
/// it has begun.
class address_list {
  public:
    /// `known`: what an earlier look-up has found, if there was one.
    address_list(shard& owner, connect_plan plan, std::vector<stream_endpoint> known = {})
        : shard_(owner), plan_(std::move(plan)), endpoints_(std::move(known)) {
        if (endpoints_.empty() && !plan_.unix_socket.empty()) endpoints_ = look_up(plan_);
    }

    [[nodiscard]] bool resolved() const noexcept { return !endpoints_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return endpoints_.size(); }

    /// Looks the host up, if that has not been done, and waits for it until `limit`; who comes while it is
    /// being looked up waits for the same answer. `timed_out` where none came in time.
    [[nodiscard]] awaitable<asio::error_code> resolve(time_point limit) {
        if (resolved()) co_return asio::error_code();
        if (!lookup_) start_lookup();
        const std::shared_ptr<detail::host_lookup> lookup = lookup_;
        const bool in_time = co_await lookup->done.wait_until(limit);
        if (!in_time) co_return asio::error::timed_out;
        if (lookup_ == lookup) lookup_.reset();  // a later one asks anew, if this one failed
        if (!resolved()) endpoints_ = lookup->endpoints;
        co_return lookup->error;
    }

    /// The place of the address to begin with; those behind it are the next ones, as if in a ring.
    [[nodiscard]] std::size_t first() const noexcept { return first_; }
    /// The address at a place.
    [[nodiscard]] const stream_endpoint& at(std::size_t place) const noexcept {
        return endpoints_[place % endpoints_.size()];
    }

    /// The address at this place took a connection: it is tried first from now on.
    void prefer(std::size_t place) noexcept { first_ = place % endpoints_.size(); }

  private:
    void start_lookup() {
        lookup_ = std::make_shared<detail::host_lookup>(shard_, plan_);
        shard_.spawn([lookup = lookup_] { return lookup->run(); });
    }

    shard& shard_;
    connect_plan plan_;
    std::vector<stream_endpoint> endpoints_;
    std::shared_ptr<detail::host_lookup> lookup_;
    std::size_t first_ = 0;
};

}  // namespace benchkit::inline v0_1::http

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
        size_begin,   // the first digit of a chunk size
        size,         // a further one, or what ends it
        size_space,   // whitespace after it
        extension,    // chunk extensions, to the end of the line
        quoted,       // within a quoted string of these, which ends with its quote
        quoted_pair,  // the byte after a backslash there
        size_lf,      // the LF of that line
        data,         // content
        data_cr,      // the CRLF after it
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
            case state::quoted:
            case state::quoted_pair:
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
        if (state_ == state::quoted || state_ == state::quoted_pair) return on_quoted_byte(byte);
        if (byte == '\r' && state_ != state::size_begin) return go(state::size_lf);
        if (state_ == state::extension) {
            if (byte == '"') return go(state::quoted);
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

    // No line end belongs into a quoted string (RFC 9110 section 5.6.4), so one that is there splits the
    // message at another place for those who look for quotes and those who do not.
    [[nodiscard]] bool on_quoted_byte(char byte) noexcept {
        if (!is_character(byte, field_character)) {
            return refuse("a control character in a quoted string of a chunk extension");
        }
        if (state_ == state::quoted_pair) return go(state::quoted);
        if (byte == '\\') return go(state::quoted_pair);
        return go(byte == '"' ? state::extension : state::quoted);
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

// ---------- benchkit/http/socket_input.hpp

#include <netinet/tcp.h>

namespace benchkit::inline v0_1::http::detail {

/// Reads what a non-blocking socket has, and knows without asking again whether that was all: an edge of
/// readability is told once, and data and the peer's end can come with the same one. TCP says so beside the
/// data (TCP_INQ; with the peer's end since Linux 5.1). Of other sockets there may always be something left.
class socket_input {
  public:
    socket_input() noexcept = default;  ///< of no socket
    explicit socket_input(int socket) noexcept : socket_(socket) {
#if defined(TCP_INQ)
        const int on = 1;
        tells_ = setsockopt(socket_, IPPROTO_TCP, TCP_INQ, &on, sizeof on) == 0;
#endif
    }

    /// Reads once; 0 with an `error`, which is `eof` at the peer's end.
    std::size_t read(std::span<char> buffer, asio::error_code& error) noexcept {
        iovec part{buffer.data(), buffer.size()};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> told;
        message.msg_control = told.data();
        message.msg_controllen = tells_ ? told.size() : 0;
        ssize_t size = 0;
        do {
            size = recvmsg(socket_, &message, 0);
        } while (size < 0 && errno == EINTR);
        has_more_ = size > 0 && has_left(message);
        if (size > 0) {
            error.clear();
        } else if (size == 0) {
            error = asio::error::eof;
        } else {
            error.assign(errno, asio::error::get_system_category());
        }
        return size > 0 ? static_cast<std::size_t>(size) : 0;
    }

    /// Whether there may be something behind what was read last: then the next edge may never come.
    [[nodiscard]] bool has_more() const noexcept {
        return has_more_;
    }

  private:
    [[nodiscard]] bool has_left([[maybe_unused]] msghdr& message) const noexcept {
#if defined(TCP_INQ)
        const cmsghdr* const told = tells_ ? CMSG_FIRSTHDR(&message) : nullptr;
        if (told != nullptr && told->cmsg_level == IPPROTO_TCP && told->cmsg_type == TCP_CM_INQ) {
            int bytes = 0;
            std::memcpy(&bytes, CMSG_DATA(told), sizeof bytes);
            return bytes != 0;
        }
#endif
        return true;
    }

    int socket_ = -1;
    bool tells_ = false;
    bool has_more_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/transfer.hpp

namespace benchkit::inline v0_1::http {

/// What came of one attempt to move bytes.
enum class transfer_status : std::uint8_t {
    done,          ///< some bytes were moved, or the step was taken
    needs_input,   ///< nothing more before the peer has sent something
    needs_output,  ///< nothing more before the kernel takes something
    closed,        ///< the peer has closed its side, in order
    cut,           ///< the peer has closed its side without the notice that TLS wants
    failed,        ///< an error
};

/// One attempt to move bytes over a socket that does not block.
struct transfer {
    transfer_status status = transfer_status::done;
    std::size_t size = 0;
    asio::error_code error{};   ///< after `failed`, where the system has one
    std::string_view reason{};  ///< after `failed` and `cut`: what TLS says; a view that lasts
};

namespace detail {

[[nodiscard]] inline transfer read_socket(socket_input& input, std::span<char> buffer) {
    asio::error_code error;
    const std::size_t size = input.read(buffer, error);
    if (!error) return {transfer_status::done, size};
    if (error == asio::error::would_block) return {transfer_status::needs_input};
    if (error == asio::error::eof) return {transfer_status::closed};
    return {transfer_status::failed, 0, error};
}

[[nodiscard]] inline transfer write_socket(stream_socket& socket, std::string_view bytes) {
    asio::error_code error;
    const std::size_t size = socket.send(asio::buffer(bytes.data(), bytes.size()), 0, error);
    if (!error) return {transfer_status::done, size};
    if (error == asio::error::would_block) return {transfer_status::needs_output};
    return {transfer_status::failed, 0, error};
}

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/secure_channel.hpp

namespace benchkit::inline v0_1::http {

/// What stands between a connected socket and HTTP where the scheme is https. `http/tls.hpp` has one on
/// OpenSSL.
class secure_channel {
  public:
    virtual ~secure_channel() = default;
    /// Goes on with the handshake; `done` when it has succeeded.
    [[nodiscard]] virtual transfer handshake() = 0;
    [[nodiscard]] virtual transfer read_some(std::span<char> buffer) = 0;
    /// Whether the peer may have sent something behind what was read last.
    [[nodiscard]] virtual bool has_more() const = 0;
    [[nodiscard]] virtual transfer write_some(std::string_view bytes) = 0;
    /// Whether the handshake took up an earlier session.
    [[nodiscard]] virtual bool resumed() const = 0;
    /// What was agreed on, such as "TLSv1.3,TLS_AES_256_GCM_SHA384".
    [[nodiscard]] virtual std::string protocol() const = 0;
    /// Tells the peer that no more is sent, as far as that goes without waiting.
    virtual void close() noexcept = 0;
};

/// Makes the channels of one shard; what they share, such as sessions, is here.
class secure_connector {
  public:
    virtual ~secure_connector() = default;
    [[nodiscard]] virtual std::unique_ptr<secure_channel> open(int descriptor) = 0;
};

/// How the peer of https URLs is verified and what we show it. One may serve many targets and shards.
class security {
  public:
    virtual ~security() = default;
    /// For the peer of this host name or address. Called once per shard, before the run's first request.
    [[nodiscard]] virtual std::unique_ptr<secure_connector> connector(const std::string& host) const = 0;
};

namespace detail {

using security_maker = std::shared_ptr<const security> (*)();

/// What https URLs get whose target names no other: set where `http/tls.hpp` is included.
inline security_maker default_security = nullptr;

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/connector.hpp

namespace benchkit::inline v0_1::http {

/// How one shard opens connections to a target: the addresses to try, the own addresses to come from, and what
/// is needed for TLS.
class connector {
  public:
    /// `known`: what an earlier look-up has found, if there was one. `secure`: null for plain connections.
    connector(shard& owner, const connect_plan& plan, std::vector<stream_endpoint> known = {},
              std::unique_ptr<secure_connector> secure = nullptr)
        : addresses_(owner, plan, std::move(known)),
          secure_(std::move(secure)),
          reset_on_close_(plan.reset_on_close) {
        for (const std::string& source : plan.sources) {
            sources_.emplace_back(asio::ip::make_address(source), asio::ip::port_type{0});
        }
    }

    [[nodiscard]] address_list& addresses() noexcept { return addresses_; }
    /// Null where connections are plain.
    [[nodiscard]] secure_connector* secure() const noexcept { return secure_.get(); }

    /// Opens a socket that is to be connected to this address, and binds it where sources are given.
    [[nodiscard]] asio::error_code open(stream_socket& socket, const stream_endpoint& to) {
        asio::error_code error;
        socket.open(to.protocol(), error);
        if (!error) socket.non_blocking(true, error);
        if (error || to.protocol().family() == AF_UNIX) return error;
        socket.set_option(asio::ip::tcp::no_delay(true), error);
        if (!error && reset_on_close_) socket.set_option(asio::socket_base::linger(true, 0), error);
        if (!error && !sources_.empty()) error = bind(socket, to.protocol().family());
        return error;
    }

  private:
    // With late port binding (Linux 4.2): the port is chosen at connect, so that a source has all its ports for
    // each peer, not for all peers together.
    asio::error_code bind(stream_socket& socket, int family) {
        for (std::size_t tried = 0; tried < sources_.size(); ++tried) {
            const asio::ip::tcp::endpoint& source = sources_[next_++ % sources_.size()];
            if (source.protocol().family() != family) continue;
            const int on = 1;
            ::setsockopt(socket.native_handle(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
            asio::error_code error;
            socket.bind(stream_endpoint(source), error);
            return error;
        }
        return asio::error::address_family_not_supported;
    }

    address_list addresses_;
    std::unique_ptr<secure_connector> secure_;
    std::vector<asio::ip::tcp::endpoint> sources_;
    std::size_t next_ = 0;
    bool reset_on_close_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/failure.hpp

namespace benchkit::inline v0_1::http {

/// Why something on a connection failed: the cause, the system's error where there is one, and what is wrong
/// with a malformed answer or what TLS says. The view lasts.
struct failure {
    benchkit::cause cause = benchkit::cause::receive;
    asio::error_code error;
    std::string_view reason;
};

/// A sentence for a failure, such as "connect: Connection refused".
[[nodiscard]] inline std::string describe(const failure& failed) {
    std::string sentence(to_string(failed.cause));
    if (failed.error) sentence.append(": ").append(failed.error.message());
    if (!failed.reason.empty()) sentence.append(": ").append(failed.reason);
    return sentence;
}

}  // namespace benchkit::inline v0_1::http

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
///   const char* on_partial_start_line(std::string_view begin)   of what there is so far, then of all
///   const char* on_start_line(std::string_view line)
///   const char* on_field(std::string_view name, std::string_view value)
/// Each function returns null or what is wrong; its views are valid during the call only.
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
        const std::string_view line = text_.substr(line_, cursor_ - line_);
        if (const char* const wrong = rules.on_partial_start_line(line)) return refuse(wrong);
        if (status != parse_status::complete) return status;
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
        found = find_other(found, last, token_character);
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
///     switch (parser.consume(bytes, consumed, receiver)) { ... }  // bytes after `consumed` are the next
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

    /// Takes bytes from the front of `input`; `consumed` says how many. Calls `receiver.on_head(const
    /// response_head&)` once, for the final head, then `receiver.on_body(std::string_view)` for each piece of
    /// content, without its chunking. `need_more` means that all bytes were taken; after `complete`, those
    /// that were not belong to the next response. Never answers `cut`.
    template <class Handler>
    parse_status consume(std::string_view input, std::size_t& consumed, Handler& receiver) {
        consumed = 0;
        started_ = started_ || !input.empty();
        while (state_ == state::head) {
            std::size_t used = 0;
            const parse_status status = head_.consume(input, used, *this);
            consumed += used;
            if (status == parse_status::malformed) return refuse(head_.reason());
            if (status == parse_status::need_more) return status;
            input.remove_prefix(used);
            end_head(receiver);
        }
        switch (state_) {
            case state::length:
                return take_length(input, consumed, receiver);
            case state::chunked:
                return take_chunked(input, consumed, receiver);
            case state::until_close:
                give(input, receiver);
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

    // HTTP-version SP status-code SP [ reason-phrase ], of which the begin has been looked at.
    const char* on_start_line(std::string_view line) noexcept {
        if (line.size() < 12 || line[8] != ' ') return not_http;
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
    void end_head(Handler& receiver) {
        head_bytes_ += static_cast<std::int64_t>(head_.size());
        if (status_ < 200) return start_head();
        const body_framing framing = find_framing();
        if (state_ == state::malformed) return;
        const std::string_view line = head_.start_line();
        const std::string_view reason = line.substr(std::min<std::size_t>(line.size(), 13));
        const std::int64_t length = fields_.content_length_error == nullptr ? fields_.content_length : -1;
        const response_head head{status_, minor_version_, reason, head_.headers(), framing, length};
        receiver.on_head(head);
    }

    // RFC 9112 section 6.3, items 1 and 3 to 8.
    body_framing find_framing() noexcept {
        // A Transfer-Encoding in HTTP/1.0 is a fault of the framing, body or none (RFC 9112 section 6.1).
        keep_alive_ =
            fields_.is_persistent(minor_version_) && !(minor_version_ == 0 && fields_.has_transfer_encoding);
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
    void give(std::string_view content, Handler& receiver) {
        if (content.empty()) return;
        body_bytes_ += static_cast<std::int64_t>(content.size());
        receiver.on_body(content);
    }

    template <class Handler>
    parse_status take_length(std::string_view input, std::size_t& consumed, Handler& receiver) {
        const auto length = static_cast<std::size_t>(
            std::min<std::uint64_t>(input.size(), static_cast<std::uint64_t>(remaining_)));
        remaining_ -= static_cast<std::int64_t>(length);
        if (remaining_ == 0) state_ = state::complete;
        consumed += length;
        give(input.substr(0, length), receiver);
        return state_ == state::complete ? parse_status::complete : parse_status::need_more;
    }

    template <class Handler>
    parse_status take_chunked(std::string_view input, std::size_t& consumed, Handler& receiver) {
        std::size_t used = 0;
        const parse_status status =
            chunks_.consume(input, used, [&](std::string_view content) { give(content, receiver); });
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

// ---------- benchkit/http/connection.hpp

#include <poll.h>

namespace benchkit::inline v0_1::http {

/// What went over connections so far; counted as it happens, so that it is right whenever a run is cut off.
struct traffic {
    std::int64_t requests_sent = 0;  ///< the kernel took the last byte
    std::int64_t bytes_sent = 0;     ///< of HTTP, without what TLS adds
    std::int64_t bytes_received = 0;
};

/// What came of connecting.
struct connect_outcome {
    std::optional<http::failure> failure;
    std::optional<std::chrono::nanoseconds> resolve_time;  ///< where a name was looked up
    std::chrono::nanoseconds connect_time{0};              ///< over all addresses tried
    std::optional<std::chrono::nanoseconds> tls_time;      ///< of the handshake, where there is one
    bool resumed = false;                                  ///< it took up an earlier session
};

/// A complete answer, while it is told; what it points to is gone afterwards.
struct answer {
    const response_parser& parsed;  ///< its status and its sizes
    time_point first_byte_at;
    time_point ended_at;
    bool keeps;    ///< the connection takes another request
    bool surplus;  ///< bytes came behind it that belong to no answer
};

/// What came of one request: the failure, or an answer.
struct exchange_outcome {
    std::optional<http::failure> failure;
    bool keeps = false;          ///< the connection takes another request
    bool surplus = false;        ///< bytes came that belong to no answer
    time_point sent_at{};        ///< last byte sent
    time_point first_byte_at{};  ///< first byte of the answer
    time_point ended_at{};       ///< answer complete, or failed
};

/// A connection to a target, and the one place where requests are sent and answers read: for `client` and for
/// the load alike. Requests in flight share one deadline with the connecting; it closes the socket.
class connection {
  public:
    connection(shard& owner, http::connector& peer, std::chrono::nanoseconds timeout,
               std::chrono::nanoseconds connect_timeout)
        : shard_(owner),
          connector_(peer),
          timeouts_(owner.deadlines(timeout)),
          connect_timeouts_(owner.deadlines(connect_timeout)),
          socket_(owner.executor()) {}

    [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
    /// What TLS has agreed on with the peer; empty where none is spoken.
    [[nodiscard]] std::string protocol() const {
        return channel_ == nullptr ? std::string() : channel_->protocol();
    }

    /// Starts the time that a request may take; `start` is its actual start. Of several in flight, the
    /// oldest's.
    void begin(time_point start) {
        timeout_.passed = false;
        timeout_.start = start;
        timeout_.active = true;
        if (!timeout_.armed()) timeouts_.arm(timeout_, start);
    }

    /// No request is in flight any more.
    void end() noexcept { timeout_.active = false; }

    void close() noexcept {
        if (channel_ != nullptr && socket_.is_open()) channel_->close();
        channel_.reset();
        close_socket();
        used_ = false;
    }

    /// Connects: looks the name up if need be, tries its addresses in turn, and shakes hands where TLS is
    /// spoken. What came of it is in `outcome`.
    [[nodiscard]] awaitable<> connect(time_point start, connect_outcome& outcome) {
        connect_deadline limit(*this);
        connect_timed_out_ = false;
        connect_timeouts_.arm(limit, start);
        address_list& addresses = connector_.addresses();
        if (!addresses.resolved()) {
            const time_point due = time_after(start, connect_timeouts_.timeout());
            const asio::error_code error = co_await addresses.resolve(due);
            outcome.resolve_time = shard_.now() - start;
            if (error) outcome.failure = {cause::resolve, error, {}};
        }
        time_point begun = shard_.now();
        const std::size_t first = addresses.first();
        for (std::size_t k = 0; k < addresses.size(); ++k) {
            asio::error_code error = begin_connect(addresses.at(first + k));
            while (error == asio::error::in_progress) {
                co_await benchkit::detail::wait_for_output(socket_);
                error = connected();
            }
            outcome.failure = connect_failure(error);
            if (!error) {
                addresses.prefer(first + k);
                input_ = detail::socket_input(socket_.native_handle());
            }
            if (!error || timed_out()) break;
        }
        outcome.connect_time = shard_.now() - begun;
        if (!outcome.failure && connector_.secure() != nullptr) {
            begun = shard_.now();
            co_await shake_hands(outcome);
            outcome.tls_time = shard_.now() - begun;
        }
        if (outcome.failure) close();
    }

    /// Sends the requests of a stream and reads their answers, until it wants no more, or nothing more can come
    /// over the connection, which is closed then. `failure()` tells why, where it was no answer's wish.
    ///
    /// `Stream` has
    ///   std::string_view output()              what is to be sent
    ///   void on_sent(std::size_t, time_point)  so much of it has been
    ///   void on_received(std::size_t)          bytes, before what they mean
    ///   void on_head(const response_head&), void on_body(std::string_view)   as for `response_parser`
    ///   std::size_t awaited()   requests of which something was sent and whose answer has not ended
    ///   bool sending()     one of these has been sent in part
    ///   bool is_head()     they are HEAD requests
    ///   bool on_answer(const answer&)   the oldest's answer has ended; whether it wants to go on
    template <class Stream>
    [[nodiscard]] awaitable<> run(Stream& stream) {
        failure_.reset();
        keeps_ = true;
        parser_.start(stream.is_head());
        progress came = look_first(stream);
        while (came != progress::ended) {
            const progress sent = send(stream);
            if (sent == progress::ended) break;
            if (came == progress::more) {
                co_await shard_.yield();
            } else if (sent == progress::blocked || came == progress::blocked) {
                co_await wait_for_either();
            } else {
                co_await benchkit::detail::wait_for_input(socket_);
            }
            came = receive(stream);
        }
        if (failure_ || !keeps_) close();
    }

    /// After `run`: why it ended before the stream wanted it to.
    [[nodiscard]] const std::optional<http::failure>& failure() const noexcept { return failure_; }

    /// Sends a request and reads its answer; `receiver` is told of head and body as by `response_parser`.
    /// `counted` is kept up to date meanwhile. The connection is closed unless it can take another request.
    template <class Handler>
    [[nodiscard]] awaitable<exchange_outcome> exchange(std::string_view request, bool is_head,
                                                       Handler& receiver, traffic& counted) {
        single_request<Handler> stream(request, is_head, receiver, counted);
        co_await run(stream);
        if (failure_) {
            stream.outcome.failure = failure_;
            stream.outcome.ended_at = shard_.now();
        }
        co_return stream.outcome;
    }

  private:
    // Close the socket when the time has passed, which ends what the coroutine waits for.
    struct connect_deadline final : deadline {
        explicit connect_deadline(connection& closed_connection) noexcept : owner(closed_connection) {}
        void expire() override {
            owner.connect_timed_out_ = true;
            owner.close_socket();
        }
        connection& owner;
    };
    // Stays armed from request to request: only when it falls due it looks whether the request in flight then
    // is a later one.
    struct request_deadline final : deadline {
        explicit request_deadline(connection& closed_connection) noexcept : owner(closed_connection) {}
        void expire() override {
            if (!active) return;
            if (time_after(start, owner.timeouts_.timeout()) > owner.shard_.now()) {
                return owner.timeouts_.arm(*this, start);
            }
            passed = true;
            owner.close_socket();
        }
        connection& owner;
        time_point start{};
        bool active = false;
        bool passed = false;
    };

    // The stream of one request.
    template <class Handler>
    struct single_request {
        single_request(std::string_view request, bool head, Handler& told, traffic& kept)
            : left(request), head_request(head), receiver(told), counted(kept) {}

        [[nodiscard]] std::string_view output() const { return left; }
        void on_sent(std::size_t size, time_point now) {
            left.remove_prefix(size);
            counted.bytes_sent += static_cast<std::int64_t>(size);
            if (!left.empty()) return;
            ++counted.requests_sent;
            outcome.sent_at = now;
        }
        void on_received(std::size_t size) { counted.bytes_received += static_cast<std::int64_t>(size); }
        void on_head(const response_head& head) { receiver.on_head(head); }
        void on_body(std::string_view piece) { receiver.on_body(piece); }
        [[nodiscard]] std::size_t awaited() const { return 1; }
        [[nodiscard]] bool sending() const { return !left.empty(); }
        [[nodiscard]] bool is_head() const { return head_request; }
        bool on_answer(const answer& ended) {
            if (sending()) outcome.sent_at = ended.first_byte_at;
            outcome.keeps = ended.keeps;
            outcome.surplus = ended.surplus;
            outcome.first_byte_at = ended.first_byte_at;
            outcome.ended_at = ended.ended_at;
            return false;
        }

        std::string_view left;
        bool head_request;
        Handler& receiver;
        traffic& counted;
        exchange_outcome outcome;
    };

    void close_socket() noexcept {
        asio::error_code ignored;
        socket_.close(ignored);
    }

    [[nodiscard]] bool timed_out() const noexcept { return timeout_.passed || connect_timed_out_; }

    // Starts to connect: `in_progress` where it has not ended at once.
    [[nodiscard]] asio::error_code begin_connect(const stream_endpoint& endpoint) {
        close_socket();
        if (timed_out()) return asio::error::timed_out;
        asio::error_code error = connector_.open(socket_, endpoint);
        if (error) return error;
        if (::connect(socket_.native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0) {
            error.assign(errno, asio::error::get_system_category());
        }
        return error == asio::error::interrupted ? asio::error_code(asio::error::in_progress) : error;
    }

    // What has come of it so far.
    [[nodiscard]] asio::error_code connected() {
        if (timed_out()) return asio::error::timed_out;
        if (!socket_.is_open()) return asio::error::bad_descriptor;
        pollfd asked{socket_.native_handle(), POLLOUT, 0};
        if (::poll(&asked, 1, 0) == 0) return asio::error::in_progress;
        int told = 0;
        socklen_t size = sizeof told;
        if (::getsockopt(socket_.native_handle(), SOL_SOCKET, SO_ERROR, &told, &size) != 0) told = errno;
        return {told, asio::error::get_system_category()};
    }

    awaitable<> shake_hands(connect_outcome& outcome) {
        channel_ = connector_.secure()->open(socket_.native_handle());
        for (;;) {
            outcome.failure = handshake_cut_off();
            if (outcome.failure) co_return;
            const transfer step = channel_->handshake();
            if (step.status == transfer_status::needs_input) {
                co_await benchkit::detail::wait_for_input(socket_);
            } else if (step.status == transfer_status::needs_output) {
                co_await benchkit::detail::wait_for_output(socket_);
            } else {
                if (step.status != transfer_status::done) outcome.failure = handshake_failure(step);
                outcome.resumed = !outcome.failure && channel_->resumed();
                co_return;
            }
        }
    }

    [[nodiscard]] std::optional<http::failure> handshake_cut_off() const {
        if (timeout_.passed) return http::failure{cause::timeout, {}, {}};
        if (connect_timed_out_) return http::failure{cause::tls, asio::error::timed_out, {}};
        if (!socket_.is_open()) return http::failure{cause::tls, asio::error::bad_descriptor, {}};
        return std::nullopt;
    }

    [[nodiscard]] static http::failure handshake_failure(const transfer& step) {
        const bool said = step.error || !step.reason.empty();
        return {cause::tls, step.error, said ? step.reason : "the peer closed the connection in the handshake"};
    }

    [[nodiscard]] std::optional<http::failure> connect_failure(const asio::error_code& error) const {
        if (!error) return std::nullopt;
        if (timeout_.passed) return http::failure{cause::timeout, {}, {}};
        const auto& system = asio::error::get_system_category();
        const bool ports =
            error == asio::error_code(EADDRNOTAVAIL, system) || error == asio::error_code(EADDRINUSE, system);
        return http::failure{ports ? cause::ports : cause::connect, error, {}};
    }

    // A reused connection may have been closed by the peer while it was idle: then nothing of the answer came.
    [[nodiscard]] http::failure broken(cause otherwise, const transfer& attempt) const {
        if (timeout_.passed) return {cause::timeout, {}, {}};
        if (used_ && !parser_.started()) return {cause::stale, attempt.error, {}};
        const bool said_by_tls = attempt.status == transfer_status::failed && !attempt.reason.empty();
        return {said_by_tls ? cause::tls : otherwise, attempt.error, attempt.reason};
    }

    // `wait`: for input. `more`: input may be there. `blocked`: for either direction. `ended`: nothing more.
    enum class progress : std::uint8_t { wait, more, blocked, ended };

    // A peer may send faster than we read: after as many reads, deadlines, signals and the other connections of
    // the shard have their turn.
    static constexpr int most_reads_at_once = 8;

    // The socket is known by its number, which may be another's once it has been closed.
    [[nodiscard]] transfer read(std::span<char> buffer) {
        if (!socket_.is_open()) return closed_here();
        return channel_ == nullptr ? detail::read_socket(input_, buffer) : channel_->read_some(buffer);
    }
    // Whether something may stand behind what was read last, of which no edge tells.
    [[nodiscard]] bool may_have_more() const {
        return channel_ == nullptr ? input_.has_more() : channel_->has_more();
    }
    [[nodiscard]] transfer write(std::string_view bytes) {
        if (channel_ == nullptr) return detail::write_socket(socket_, bytes);
        return socket_.is_open() ? channel_->write_some(bytes) : closed_here();
    }
    [[nodiscard]] static transfer closed_here() {
        return {transfer_status::failed, 0, asio::error::bad_descriptor};
    }

    // What came while nothing was asked: an answer without a request can only be taken for another's.
    template <class Stream>
    progress look_first(Stream& stream) {
        const transfer got = read(shard_.scratch());
        if (got.status == transfer_status::needs_input || got.status == transfer_status::needs_output) {
            return progress::wait;
        }
        if (got.status == transfer_status::done) {
            stream.on_received(got.size);
            failure_ = http::failure{cause::malformed, {}, "an answer that came before its request"};
        } else {
            failure_ = broken(got.status == transfer_status::failed ? cause::receive : cause::closed, got);
        }
        return progress::ended;
    }

    template <class Stream>
    progress send(Stream& stream) {
        while (!stream.output().empty()) {
            const transfer put = write(stream.output());
            if (put.status == transfer_status::needs_output || put.status == transfer_status::needs_input) {
                return progress::blocked;
            }
            if (put.status != transfer_status::done) {
                failure_ = broken(cause::send, put);
                return progress::ended;
            }
            stream.on_sent(put.size, shard_.now());
        }
        return progress::wait;
    }

    // Reads until all that is awaited is there or the socket is empty: data and FIN may come in one edge.
    template <class Stream>
    progress receive(Stream& stream) {
        const std::span<char> buffer = shard_.scratch();
        for (int left = most_reads_at_once; left > 0; --left) {
            const transfer got = read(buffer);
            if (got.status == transfer_status::needs_input) return progress::wait;
            if (got.status == transfer_status::needs_output) return progress::blocked;
            const time_point now = shard_.now();
            if (got.status != transfer_status::done) return end_of_input(stream, got, now);
            stream.on_received(got.size);
            const progress after = take(stream, {buffer.data(), got.size}, now);
            if (after != progress::more) return after;
            if (!may_have_more()) return progress::wait;
        }
        return progress::more;
    }

    // Behind the last answer that is awaited. The peer's FIN may have come in one edge with it; then nothing
    // would tell of it again, however long the next request waits.
    enum class behind : std::uint8_t { nothing, bytes, end };

    template <class Stream>
    [[nodiscard]] behind look_behind(Stream& stream) {
        if (!may_have_more()) return behind::nothing;
        const transfer got = read(shard_.scratch());
        if (got.status == transfer_status::needs_input || got.status == transfer_status::needs_output) {
            return behind::nothing;
        }
        if (got.status != transfer_status::done) return behind::end;
        stream.on_received(got.size);
        return behind::bytes;
    }

    template <class Stream>
    progress end_of_input(Stream& stream, const transfer& got, time_point now) {
        const bool in_order = got.status == transfer_status::closed;
        if (in_order && parser_.end_of_stream() == parse_status::complete) {
            deliver(stream, now, false, false);
        } else {
            failure_ = broken(got.status == transfer_status::failed ? cause::receive : cause::closed, got);
        }
        return progress::ended;
    }

    template <class Stream>
    progress take(Stream& stream, std::string_view input, time_point now) {
        while (!input.empty()) {
            if (!parser_.started()) first_byte_at_ = now;
            std::size_t consumed = 0;
            const parse_status status = parser_.consume(input, consumed, stream);
            input.remove_prefix(consumed);
            if (status == parse_status::need_more) return progress::more;
            if (status != parse_status::complete) {
                failure_ = http::failure{cause::malformed, {}, parser_.reason_malformed()};
                return progress::ended;
            }
            const bool last = stream.awaited() == 1;
            behind left = input.empty() ? behind::nothing : behind::bytes;
            if (last && input.empty()) left = look_behind(stream);
            const bool surplus = last && left == behind::bytes;
            const bool ended = last && left != behind::nothing;
            const bool keeps = parser_.keep_alive() && !ended && !(last && stream.sending());
            if (!deliver(stream, now, keeps, surplus)) return progress::ended;
            parser_.start(stream.is_head());
        }
        return stream.awaited() > 0 ? progress::more : progress::wait;
    }

    // Whether more is to come over this connection.
    template <class Stream>
    bool deliver(Stream& stream, time_point now, bool keeps, bool surplus) {
        keeps_ = keeps;
        used_ = true;
        const bool goes_on = stream.on_answer(answer{parser_, first_byte_at_, now, keeps, surplus});
        return goes_on && keeps;
    }

    // A peer that answers while it is still sent to, or that stops to read, must not stop us both.
    awaitable<> wait_for_either() {
        event first(shard_);
        wait_group both(shard_);
        both.add(2);
        const auto ended = [&first, &both](const asio::error_code&) {
            first.set();
            both.done();
        };
        socket_.async_wait(stream_socket::wait_write, ended);
        socket_.async_wait(stream_socket::wait_read, ended);
        co_await first.wait();
        asio::error_code ignored;
        socket_.cancel(ignored);
        co_await both.wait();
    }

    shard& shard_;
    http::connector& connector_;
    deadline_queue& timeouts_;
    deadline_queue& connect_timeouts_;
    request_deadline timeout_{*this};
    stream_socket socket_;
    detail::socket_input input_;
    std::unique_ptr<secure_channel> channel_;
    response_parser parser_;
    time_point first_byte_at_{};
    std::optional<http::failure> failure_;
    bool keeps_ = false;
    bool used_ = false;  // has answered a request before
    bool connect_timed_out_ = false;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/expectation.hpp

#include <bitset>

namespace benchkit::inline v0_1::http {

/// Which answers are right. Unless statuses are named, those below 400; unless something is asked of bodies,
/// any.
///
///     target.expect(http::expectation().status(200).body_contains("ok"));
class expectation {
  public:
    /// What is wrong with a body, as a phrase behind "the body"; nothing where it is right.
    using body_check = std::function<std::optional<std::string>(std::string_view)>;

    /// This status is right, besides others that are named. Throws `error` outside 100 to 999.
    expectation& status(int code) & { return statuses(code, code); }
    expectation&& status(int code) && { return std::move(status(code)); }

    /// All from `first` to `last` are.
    expectation& statuses(int first, int last) & {
        if (first < 100 || last > 999 || first > last) {
            fail_option("status", std::to_string(first) + " to " + std::to_string(last),
                        "allowed is 100 to 999");
        }
        for (int code = first; code <= last; ++code) statuses_.set(static_cast<std::size_t>(code));
        return *this;
    }
    expectation&& statuses(int first, int last) && { return std::move(statuses(first, last)); }

    /// The body has this text in it.
    expectation& body_contains(std::string text) & {
        return body([text = std::move(text)](std::string_view content) -> std::optional<std::string> {
            if (content.find(text) != std::string_view::npos) return std::nullopt;
            return "does not contain " + detail::printable(text);
        });
    }
    expectation&& body_contains(std::string text) && { return std::move(body_contains(std::move(text))); }

    /// The body has so many bytes, without its chunking.
    expectation& body_length(std::int64_t bytes) & {
        return body([bytes](std::string_view content) -> std::optional<std::string> {
            if (static_cast<std::int64_t>(content.size()) == bytes) return std::nullopt;
            return "has " + std::to_string(content.size()) + " bytes, not " + std::to_string(bytes);
        });
    }
    expectation&& body_length(std::int64_t bytes) && { return std::move(body_length(bytes)); }

    /// Any check of one's own. It is called on all shards at once, so it must not change anything.
    expectation& body(body_check check) & {
        checks_.push_back(std::move(check));
        return *this;
    }
    expectation&& body(body_check check) && { return std::move(body(std::move(check))); }

    [[nodiscard]] bool accepts_status(int code) const noexcept {
        if (statuses_.none()) return code < 400;
        return code >= 0 && code < 1000 && statuses_[static_cast<std::size_t>(code)];
    }
    /// Whether bodies must be kept to be looked at.
    [[nodiscard]] bool needs_body() const noexcept { return !checks_.empty(); }
    /// What is wrong with a body first, as a sentence; nothing where it is right.
    [[nodiscard]] std::optional<std::string> body_fault(std::string_view content) const {
        for (const body_check& check : checks_) {
            if (auto wrong = check(content)) return "the body " + *wrong;
        }
        return std::nullopt;
    }

  private:
    std::bitset<1000> statuses_;  // none: those below 400
    std::vector<body_check> checks_;
};

namespace detail {

inline constexpr const char* expectation_forms =
    "allowed is status=200, status=2xx (several with commas), body-contains=TEXT, body-length=N or "
    "json:/pointer=value";

inline void expect_statuses(expectation& wanted, std::string_view option, std::string_view text,
                            std::string_view list) {
    const auto digit = [](char byte) { return byte >= '0' && byte <= '9'; };
    for (bool more = true; more;) {
        const std::size_t comma = list.find(',');
        const std::string_view one = list.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) list.remove_prefix(comma + 1);
        const bool range = one.size() == 3 && one.substr(1) == "xx";
        if (one.size() != 3 || one[0] < '2' || one[0] > '9' || (!range && !(digit(one[1]) && digit(one[2])))) {
            fail_option(std::string(option), printable(text), expectation_forms);
        }
        const int hundreds = (one[0] - '0') * 100;
        const int code = range ? hundreds : hundreds + (one[1] - '0') * 10 + (one[2] - '0');
        wanted.statuses(code, range ? code + 99 : code);
    }
}

}  // namespace detail

/// Adds what a text asks for: "status=200", "status=2xx,404", "body-contains=TEXT" or "body-length=N" (`http/
/// expect_json.hpp` knows "json:/pointer=value"). Fails by the name of `option` otherwise.
inline void add_expectation(expectation& wanted, std::string_view option, std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (name == "status") return detail::expect_statuses(wanted, option, text, value);
    if (name == "body-contains" && !value.empty()) {
        wanted.body_contains(std::string(value));
    } else if (name == "body-length") {
        wanted.body_length(parse_byte_size(option, value));
    } else {
        fail_option(std::string(option), detail::printable(text), detail::expectation_forms);
    }
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

    /// Adds a field; several of one name are sent one after the other.
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

    /// Sets the content, which goes with its length.
    request& body(std::string content) & {
        body_ = std::move(content);
        return *this;
    }
    request&& body(std::string content) && { return std::move(body(std::move(content))); }

    /// Sends no more than Host, then the fields given in their order, then those of the body: neither
    /// User-Agent, Accept nor Connection.
    request& without_defaults() & {
        has_defaults_ = false;
        return *this;
    }
    request&& without_defaults() && { return std::move(without_defaults()); }

    [[nodiscard]] bool has_defaults() const noexcept { return has_defaults_; }
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
    bool has_defaults_ = true;
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

    /// All but those which have a place of their own without the defaults.
    void take_given() {
        for (const header_line& each : source_.headers()) {
            if (!is_one_of(each.name, {"Host", "Content-Length", "Content-Type"}))
                append_header(text_, each.name, each.value);
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
    [[nodiscard]] static bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
        for (const std::string_view each : names) {
            if (equals_ignore_case(name, each)) return true;
        }
        return false;
    }

    [[nodiscard]] static bool is_placed(std::string_view name) {
        return is_one_of(name,
                         {"Connection", "Host", "User-Agent", "Accept", "Content-Length", "Content-Type"});
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
    if (!source.has_defaults()) {
        writer.take("Host", to.host_header());
        writer.take_given();
        writer.take_content();
        return text.append("\r\n").append(source.body());
    }
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

// ---------- benchkit/http/text_template.hpp

#include <fstream>

namespace benchkit::inline v0_1::http {

/// Where a text with placeholders stands: in a request's path, in its other header fields, or in its body.
enum class template_place : std::uint8_t { path, header, body };

namespace detail {

inline constexpr const char* placeholder_forms =
    "allowed are {seq}, {random:1..100}, {uuid} and {csv:FILE:COLUMN}; a brace before a letter that is none is "
    "written {{";

/// What the requests of a list take from a request's number: the number itself, the rows of files, random bits.
struct request_number {
    std::int64_t number = 0;  ///< 1 for the first request of a run
    random_stream random;     ///< of this request
};

/// The values of one column of a file, for the requests in turn.
using column = std::vector<std::string>;

/// A fixed text, and the placeholder behind it.
struct template_piece {
    enum class kind : std::uint8_t { end, number, random, uuid, row, content_length };

    std::string text;
    kind what = kind::end;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::shared_ptr<const column> rows;
};

/// Appends a random UUID (RFC 9562 section 5.4, version 4).
inline void append_uuid(std::string& into, random_stream& random) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<std::uint64_t, 2> bits{random.next(), random.next()};
    bits[0] = (bits[0] & ~std::uint64_t{0xf000}) | 0x4000;
    bits[1] = (bits[1] & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
    for (std::size_t digit = 0; digit < 32; ++digit) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) into.push_back('-');
        into.push_back(digits[(bits[digit / 16] >> (60 - 4 * (digit % 16))) & 15U]);
    }
}

/// Percent-encodes what a path may not have (RFC 3986 section 2.1).
[[nodiscard]] inline std::string encoded_for_path(std::string_view value) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char byte : value) {
        const bool plain = is_character(byte, token_character) && byte != '%' && byte != '#' && byte != '&' &&
                           byte != '+' && byte != '`' && byte != '|' && byte != '^';
        if (plain) {
            encoded.push_back(byte);
            continue;
        }
        const auto code = static_cast<unsigned char>(byte);
        encoded.push_back('%');
        encoded.push_back(digits[code >> 4U]);
        encoded.push_back(digits[code & 15U]);
    }
    return encoded;
}

}  // namespace detail

/// A text in which placeholders stand for what differs from request to request: `{seq}` is the request's number
/// in the run, from 1 on; `{random:1..100}` a whole number of this range; `{uuid}` a random UUID;
/// `{csv:FILE:COLUMN}` the column's values in turn, one row for each request, the first line having the
/// columns' names. A brace that no letter follows stands for itself, so JSON needs no escape. Values of files
/// are percent-encoded in a path.
class text_template {
  public:
    text_template() : pieces_(1) {}

    /// Fails by the name of `option` where a placeholder is none, or its file cannot be read.
    text_template(std::string_view option, std::string_view text, template_place place)
        : option_(option), place_(place) {
        for (;;) {
            const std::size_t open = find_placeholder(text);
            append_text(text.substr(0, open));
            if (open == text.size()) break;
            text.remove_prefix(open + 1);
            const std::size_t close = text.find('}');
            if (close == std::string_view::npos) refuse("{" + std::string(text.substr(0, 40)), "has no }");
            add(text.substr(0, close));
            text.remove_prefix(close + 1);
        }
        pieces_.push_back(std::exchange(piece_, {}));
    }

    /// Whether it has no placeholder.
    [[nodiscard]] bool fixed() const noexcept { return pieces_.size() == 1; }

    /// Puts the length of the content between this text and the next.
    void add_content_length(const text_template& behind) {
        pieces_.back().what = detail::template_piece::kind::content_length;
        pieces_.insert(pieces_.end(), behind.pieces_.begin(), behind.pieces_.end());
    }

    /// Appends the text of one request.
    void append_to(std::string& into, detail::request_number& request, std::size_t content_length = 0) const {
        for (const detail::template_piece& each : pieces_) {
            into += each.text;
            append_value(into, each, request, content_length);
        }
    }

  private:
    using kind = detail::template_piece::kind;

    // Where the next placeholder begins; escapes are taken out on the way.
    std::size_t find_placeholder(std::string_view& text) {
        for (std::size_t k = 0; k + 1 < text.size(); ++k) {
            if (text[k] != '{') continue;
            const bool escaped = text[k + 1] == '{' && k + 2 < text.size() && is_letter(text[k + 2]);
            if (escaped) {
                append_text(text.substr(0, k + 1));
                text.remove_prefix(k + 2);
                k = 0;
            } else if (is_letter(text[k + 1])) {
                return k;
            }
        }
        return text.size();
    }

    [[nodiscard]] static bool is_letter(char byte) noexcept { return byte >= 'a' && byte <= 'z'; }

    void append_text(std::string_view text) { piece_.text += text; }

    void add(std::string_view placeholder) {
        const std::string_view word = placeholder.substr(0, placeholder.find(':'));
        const bool bare = word.size() == placeholder.size();
        const std::string_view rest = bare ? std::string_view() : placeholder.substr(word.size() + 1);
        if (word == "seq" && bare) {
            piece_.what = kind::number;
        } else if (word == "uuid" && bare) {
            piece_.what = kind::uuid;
        } else if (word == "random" && !bare) {
            add_range(placeholder, rest);
        } else if (word == "csv" && !bare) {
            add_column(placeholder, rest);
        } else {
            refuse("{" + std::string(placeholder) + "}", "is no placeholder");
        }
        pieces_.push_back(std::exchange(piece_, {}));
    }

    void add_range(std::string_view placeholder, std::string_view range) {
        const std::size_t dots = range.find("..");
        const auto low = parse_integer(range.substr(0, dots));
        const auto high = dots == std::string_view::npos ? std::nullopt : parse_integer(range.substr(dots + 2));
        if (!low || !high) refuse("{" + std::string(placeholder) + "}", "has no range of whole numbers");
        if (*low > *high) refuse("{" + std::string(placeholder) + "}", "has a range that is upside down");
        piece_.what = kind::random;
        piece_.low = *low;
        piece_.high = *high;
    }

    void add_column(std::string_view placeholder, std::string_view source) {
        const std::size_t colon = source.rfind(':');
        const std::string whole = "{" + std::string(placeholder) + "}";
        if (colon == std::string_view::npos || colon == 0) refuse(whole, "names no column");
        const std::string file(source.substr(0, colon));
        const std::string_view name = source.substr(colon + 1);
        errno = 0;
        std::ifstream input(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
        if (!input || input.bad()) {
            refuse(whole, "cannot be read: " + std::generic_category().message(errno != 0 ? errno : EIO));
        }
        const csv_table table = parse_csv(text);
        if (!table.problem.empty()) {
            std::string where = "names a file whose line ";
            where.append(std::to_string(table.problem_line)).append(" ").append(table.problem);
            refuse(whole, where);
        }
        piece_.what = kind::row;
        piece_.rows = std::make_shared<const detail::column>(take_column(whole, table, name));
    }

    [[nodiscard]] detail::column take_column(const std::string& whole, const csv_table& table,
                                             std::string_view name) const {
        if (table.rows.size() < 2) refuse(whole, "names a file without rows behind its first line");
        const std::vector<std::string>& names = table.rows.front().fields;
        std::size_t index = 0;
        while (index < names.size() && names[index] != name) ++index;
        if (index == names.size()) refuse(whole, "names a column that the file's first line has not");
        detail::column values;
        for (std::size_t row = 1; row < table.rows.size(); ++row) {
            const csv_row& each = table.rows[row];
            if (each.fields.size() <= index) refuse_line(whole, each, "has no value in this column");
            const std::string& value = each.fields[index];
            if (place_ == template_place::header && !fits_header(value)) {
                refuse_line(whole, each, "has a value that no header field may have");
            }
            values.push_back(place_ == template_place::path ? detail::encoded_for_path(value) : value);
        }
        return values;
    }

    [[nodiscard]] static bool fits_header(const std::string& value) {
        const char* const end = value.data() + value.size();
        return detail::find_control(value.data(), end) == end;
    }

    [[noreturn]] void refuse_line(const std::string& whole, const csv_row& row, const char* problem) const {
        std::string where = "names a file whose line ";
        refuse(whole, where.append(std::to_string(row.line)).append(" ").append(problem));
    }

    [[noreturn]] void refuse(const std::string& placeholder, std::string problem) const {
        fail_option(option_, detail::printable(placeholder),
                    std::move(problem.append("; ").append(detail::placeholder_forms)));
    }

    static void append_value(std::string& into, const detail::template_piece& piece,
                             detail::request_number& request, std::size_t content_length) {
        switch (piece.what) {
            case kind::end:
                return;
            case kind::number:
                return append_integer(into, request.number);
            case kind::random:
                return append_random(into, piece, request.random);
            case kind::uuid:
                return detail::append_uuid(into, request.random);
            case kind::row:
                into += (*piece.rows)[static_cast<std::size_t>(request.number - 1) % piece.rows->size()];
                return;
            case kind::content_length:
                return append_integer(into, static_cast<std::int64_t>(content_length));
        }
    }

    static void append_integer(std::string& into, std::int64_t value) {
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        into.append(digits.data(), end);
    }

    // The whole range of 64 bits has 2^64 values, which is 0 here: then any bits will do.
    static void append_random(std::string& into, const detail::template_piece& piece, random_stream& random) {
        const std::uint64_t count =
            static_cast<std::uint64_t>(piece.high) - static_cast<std::uint64_t>(piece.low) + 1;
        const std::uint64_t above = count == 0 ? random.next() : random.below(count);
        append_integer(into, static_cast<std::int64_t>(static_cast<std::uint64_t>(piece.low) + above));
    }

    std::string option_;
    template_place place_ = template_place::body;
    detail::template_piece piece_;  // while it is read
    std::vector<detail::template_piece> pieces_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/request_list.hpp

namespace benchkit::inline v0_1::http {

/// In which order the requests of a list are sent.
enum class request_order : std::uint8_t {
    cycle,     ///< in the order of the list, again and again
    shuffle,   ///< the whole list again and again, each time in another order, by the seed
    sequence,  ///< in the order of the list, once: then the run ends
};

/// Several requests to one target, with weights, an order, and placeholders (`text_template`) in paths, header
/// fields and bodies.
///
///     target.requests(http::request_list()
///                         .add(http::request("GET", "/items/{random:1..1000}"), 9)
///                         .add(http::request("POST", "/items").body(R"({"id": "{uuid}"})")));
class request_list {
  public:
    struct entry {
        request what;
        std::int64_t weight = 1;
    };

    /// `weight`: how many of this one there are in one round of the list, 1 to 1,000,000; all together no more.
    request_list& add(request what, std::int64_t weight = 1) & {
        constexpr std::int64_t most = 1'000'000;
        if (weight < 1 || weight > most - total_) {
            fail_option("weight", std::to_string(weight),
                        "allowed is 1 or more, and 1000000 over all requests of a list");
        }
        total_ += weight;
        entries_.push_back({std::move(what), weight});
        return *this;
    }
    [[nodiscard]] request_list add(request what, std::int64_t weight = 1) && {
        return std::move(add(std::move(what), weight));
    }

    request_list& order(request_order wanted) & noexcept {
        order_ = wanted;
        return *this;
    }
    [[nodiscard]] request_list order(request_order wanted) && noexcept { return std::move(order(wanted)); }

    [[nodiscard]] request_order order() const noexcept { return order_; }
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }
    /// The requests of one round.
    [[nodiscard]] std::int64_t round() const noexcept { return total_; }

  private:
    std::vector<entry> entries_;
    std::int64_t total_ = 0;
    request_order order_ = request_order::cycle;
};

/// What a request is called in results: its method and path, as they were given.
[[nodiscard]] inline std::string request_name(const request& what, const url& to) {
    std::string name = what.method();
    return name.append(" ").append(what.target().empty() ? to.path : what.target());
}

namespace detail {

/// The bytes of a request, with what differs from one sending to the next.
class prepared_request {
  public:
    prepared_request(const request& source, const url& to, http_version version, bool keep_alive)
        : head_request_(source.is_head()), body_("body", source.body(), template_place::body) {
        std::string bytes = serialize(source, to, version, keep_alive);
        const std::size_t body = bytes.size() - source.body().size();
        const std::size_t line = bytes.find("\r\n");
        const text_template path("path", std::string_view(bytes).substr(0, line), template_place::path);
        const std::string_view fields = std::string_view(bytes).substr(line, body - line);
        prepare_head(std::string_view(bytes).substr(0, line), fields, source);
        if (!path.fixed() || !head_.fixed() || !body_.fixed()) return;
        fixed_ = std::move(bytes);
        is_fixed_ = true;
    }

    [[nodiscard]] bool is_head() const noexcept { return head_request_; }
    /// Whether its bytes are always the same.
    [[nodiscard]] bool is_fixed() const noexcept { return is_fixed_; }

    /// The bytes of this request: its own where they are always the same, else in `buffer`.
    [[nodiscard]] std::string_view bytes(std::string& buffer, std::string& content,
                                         request_number number) const {
        if (is_fixed_) return fixed_;
        content.clear();
        body_.append_to(content, number);
        buffer.clear();
        line_.append_to(buffer, number);
        head_.append_to(buffer, number, content.size());
        return buffer.append(content);
    }

  private:
    // A length that was given holds for a body without placeholders alone.
    void prepare_head(std::string_view line, std::string_view fields, const request& source) {
        line_ = text_template("path", line, template_place::path);
        if (body_.fixed()) {
            head_ = text_template("header", fields, template_place::header);
            return;
        }
        if (source.find_header("Content-Length") != nullptr) {
            fail_option("header", "Content-Length", "a body with placeholders has no length that can be given");
        }
        const std::string length = "\r\nContent-Length: ";
        const std::size_t place = fields.rfind(length) + length.size();
        head_ = text_template("header", fields.substr(0, place), template_place::header);
        head_.add_content_length(
            text_template("header", fields.substr(fields.find("\r\n", place)), template_place::header));
    }

    bool head_request_;
    bool is_fixed_ = false;
    std::string fixed_;
    text_template line_;
    text_template head_;
    text_template body_;
};

/// A list that is ready to be sent: the bytes of its requests, and which of them stands where in a round. Those
/// of one request are spread evenly over it.
class prepared_list {
  public:
    prepared_list(const request_list& list, const url& to, http_version version, bool keep_alive)
        : order_(list.order()) {
        if (list.entries().empty()) fail_option("requests", "", "one or more are needed");
        for (const request_list::entry& each : list.entries()) {
            requests_.emplace_back(each.what, to, version, keep_alive);
            names_.push_back(request_name(each.what, to));
        }
        deal(list);
    }

    [[nodiscard]] request_order order() const noexcept { return order_; }
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] const prepared_request& at(std::size_t index) const noexcept { return requests_[index]; }
    [[nodiscard]] const std::string& name(std::size_t index) const noexcept { return names_[index]; }
    /// The requests of one round, by their index.
    [[nodiscard]] const std::vector<std::uint32_t>& round() const noexcept { return round_; }

    [[nodiscard]] bool has_head() const noexcept {
        for (const prepared_request& each : requests_) {
            if (each.is_head()) return true;
        }
        return false;
    }

  private:
    // The j-th of w equal requests belongs at (2j + 1) / 2w of the round; those at one place keep their order.
    void deal(const request_list& list) {
        struct share {
            std::uint32_t index;
            std::uint64_t place;  // 2j + 1
            std::uint64_t weight;
        };
        std::vector<share> shares;
        shares.reserve(static_cast<std::size_t>(list.round()));
        for (std::size_t index = 0; index < list.entries().size(); ++index) {
            const auto weight = static_cast<std::uint64_t>(list.entries()[index].weight);
            for (std::uint64_t k = 0; k < weight; ++k) {
                shares.push_back({static_cast<std::uint32_t>(index), 2 * k + 1, weight});
            }
        }
        std::stable_sort(shares.begin(), shares.end(), [](const share& left, const share& right) {
            return left.place * right.weight < right.place * left.weight;
        });
        for (const share& each : shares) round_.push_back(each.index);
    }

    request_order order_;
    std::vector<prepared_request> requests_;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> round_;
};

/// Which request of a list has which number in a run. One for each shard: it keeps the order of the round at
/// hand.
class request_chooser {
  public:
    request_chooser(const prepared_list& list, std::uint64_t seed) : list_(list), seed_(seed) {}

    /// The index of the request of this number, from 1 on.
    [[nodiscard]] std::size_t choose(std::int64_t number) {
        const auto before = static_cast<std::size_t>(number - 1);
        const std::size_t place = before % list_.round().size();
        if (list_.order() != request_order::shuffle) return list_.round()[place];
        shuffle(before / list_.round().size());
        return shuffled_[place];
    }

    [[nodiscard]] request_number values(std::int64_t number) const {
        return {number, random_stream(seed_, "requests", static_cast<std::uint64_t>(number))};
    }

  private:
    // Fisher and Yates.
    void shuffle(std::size_t round) {
        if (!shuffled_.empty() && round == shuffled_round_) return;
        shuffled_ = list_.round();
        shuffled_round_ = round;
        random_stream random(seed_, "order", round);
        for (std::size_t left = shuffled_.size(); left > 1; --left) {
            std::swap(shuffled_[left - 1], shuffled_[static_cast<std::size_t>(random.below(left))]);
        }
    }

    const prepared_list& list_;
    std::uint64_t seed_;
    std::vector<std::uint32_t> shuffled_;
    std::size_t shuffled_round_ = 0;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/unix_path.hpp

#include <sys/un.h>

namespace benchkit::inline v0_1::http::detail {

/// The longest path that a Unix socket can have, in bytes.
inline constexpr std::size_t longest_unix_path = sizeof(sockaddr_un::sun_path) - 1;

/// Fails by the name of `option` where `path` cannot be that of a Unix socket.
inline void check_unix_path(std::string_view option, std::string_view path) {
    if (!path.empty() && path.size() <= longest_unix_path && path.find('\0') == std::string_view::npos) return;
    fail_option(std::string(option), printable(path),
                "allowed is the path of a socket, of 1 to " + std::to_string(longest_unix_path) + " bytes");
}

}  // namespace benchkit::inline v0_1::http::detail

// ---------- benchkit/http/target.hpp

namespace benchkit::inline v0_1::http {

/// How requests to a target are sent.
struct target_options {
    bool keep_alive = true;                         ///< several requests on one connection
    http_version version = http_version::http_1_1;  ///< what the request line says
    benchkit::duration timeout =
        std::chrono::seconds(10);  ///< for a request, from its start, connecting included
    benchkit::duration connect_timeout =
        std::chrono::seconds(5);  ///< for connecting alone, all addresses and TLS together
    std::int64_t pipeline =
        1;  ///< requests in flight on one connection, 1 to 1024; above 1 with keep-alive only
    address_family family = address_family::any;
    bool reset_on_close = false;  ///< close with a reset, which leaves no port in TIME_WAIT
};

/// What a load is aimed at: a URL, the request that is sent to it, and how. Throws `error` for a wrong URL and
/// for timeouts that are not positive.
class target {
  public:
    explicit target(std::string_view address, target_options options = {})
        : target(address, request(), options) {}

    target(std::string_view address, request what, target_options options = {})
        : url_(parse_url("url", address)), request_(std::move(what)), options_(options) {
        require_positive("timeout", options.timeout);
        require_positive("connect_timeout", options.connect_timeout);
        if (options.pipeline < 1 || options.pipeline > 1024) {
            fail_option("pipeline", std::to_string(options.pipeline), "allowed is 1 to 1024");
        }
        require_keep_alive_of_pipeline();
        plan_ = connect_plan(url_);
        plan_.family = options.family;
        plan_.reset_on_close = options.reset_on_close;
        if (url_.is_secure()) {
            if (detail::default_security == nullptr) {
                fail_option(
                    "url", detail::printable(address),
                    "https needs TLS, which this program was built without: include <benchkit/http/tls.hpp>");
            }
            security_ = detail::default_security();
        }
        bytes_ = serialize(request_, url_, options.version, options.keep_alive);
    }

    [[nodiscard]] const url& address() const noexcept { return url_; }
    [[nodiscard]] const request& what() const noexcept { return request_; }
    [[nodiscard]] const target_options& options() const noexcept { return options_; }
    /// The request as it is sent.
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    /// The URL that is asked for: the address with the request's own path, where it has one.
    [[nodiscard]] std::string text() const {
        url asked = url_;
        asked.path = path();
        return asked.text();
    }
    /// The path and query that the request line names.
    [[nodiscard]] const std::string& path() const noexcept {
        return request_.target().empty() ? url_.path : request_.target();
    }

    /// With keep-alive or without, whatever the options said.
    target& keep_alive(bool keeps) {
        options_.keep_alive = keeps;
        require_keep_alive_of_pipeline();
        bytes_ = serialize(request_, url_, options_.version, keeps);
        if (given_list_) requests(*given_list_);
        return *this;
    }

    /// Sends the requests of this list in the place of the target's own. None goes with a pipeline.
    target& requests(request_list list) {
        if (options_.pipeline > 1) {
            fail_option("pipeline", std::to_string(options_.pipeline), "a list of requests is sent one by one");
        }
        list_ =
            std::make_shared<const detail::prepared_list>(list, url_, options_.version, options_.keep_alive);
        given_list_ = std::make_shared<const request_list>(std::move(list));
        require_bodies_of_expectation();
        return *this;
    }
    /// Null where there is no list.
    [[nodiscard]] const detail::prepared_list* list() const noexcept { return list_.get(); }

    /// Connects to this HOST:PORT instead of the URL's; the Host field stays.
    target& connect_to(std::string_view peer) {
        const url other = parse_peer("connect_to", peer);
        plan_.host = other.host;
        plan_.port = other.port;
        return *this;
    }

    /// Connects to the Unix socket of this path instead of the URL's host and port.
    target& unix_socket(std::string path) {
        detail::check_unix_path("unix_socket", path);
        plan_.unix_socket = std::move(path);
        return *this;
    }

    /// Connects from these addresses of this machine, in turn: each has ports of its own.
    target& sources(std::vector<std::string> addresses) {
        for (const std::string& each : addresses) {
            in6_addr ignored{};
            if (inet_pton(AF_INET, each.c_str(), &ignored) == 1 ||
                inet_pton(AF_INET6, each.c_str(), &ignored) == 1) {
                continue;
            }
            fail_option("source", detail::printable(each), "an IPv4 or IPv6 address of this machine is needed");
        }
        plan_.sources = std::move(addresses);
        return *this;
    }

    /// How TLS is spoken, for an https URL.
    target& secured_by(std::shared_ptr<const http::security> security) {
        if (!url_.is_secure())
            fail_option("url", url_.text(), "TLS options need a URL that begins with https://");
        security_ = std::move(security);
        return *this;
    }

    /// Which answers are right; others fail by their status or by `cause::assertion`. Answers to HEAD have no
    /// body of which something could be expected.
    target& expect(expectation wanted) {
        expected_ = std::move(wanted);
        require_bodies_of_expectation();
        return *this;
    }

    [[nodiscard]] const expectation& expected() const noexcept { return expected_; }
    [[nodiscard]] const connect_plan& plan() const noexcept { return plan_; }
    /// What makes the TLS channels of a shard; null where the URL is not https.
    [[nodiscard]] std::unique_ptr<secure_connector> make_secure() const {
        return security_ == nullptr ? nullptr : security_->connector(url_.host);
    }

  private:
    void require_keep_alive_of_pipeline() const {
        if (options_.pipeline == 1 || options_.keep_alive) return;
        fail_option("pipeline", std::to_string(options_.pipeline), "needs keep-alive");
    }

    void require_bodies_of_expectation() const {
        const bool has_head = list_ ? list_->has_head() : request_.is_head();
        if (!expected_.needs_body() || !has_head) return;
        fail_option("expect", "", "answers to HEAD have no body: only their status can be expected");
    }

    static void require_positive(const char* option, benchkit::duration value) {
        if (value <= value.zero()) fail_option(option, format_duration(value), "allowed is more than 0 s");
    }

    url url_;
    request request_;
    target_options options_;
    connect_plan plan_;
    expectation expected_;
    std::shared_ptr<const security> security_;
    std::string bytes_;
    std::shared_ptr<const request_list> given_list_;
    std::shared_ptr<const detail::prepared_list> list_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/client.hpp

namespace benchkit::inline v0_1::http {

namespace detail {
struct response_collector;
}

/// An answer, or why there is none. A failed request is no exception: ask `failed()`, or let `require()` throw.
class response {
  public:
    /// The status code; 0 where no answer came.
    [[nodiscard]] int status() const noexcept { return status_; }
    /// The content, without its chunking.
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    /// The value of the first field of this name, in any case; nothing where there is none.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
        const header_line* const found = detail::find_header(headers_, name);
        return found == nullptr ? std::nullopt : std::optional<std::string_view>(found->value);
    }
    /// All fields, in their order.
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }

    /// Why no answer came; nothing where one did, whatever its status.
    [[nodiscard]] const std::optional<http::failure>& failed() const noexcept { return failed_; }

    /// Throws `operation_failed` unless an answer of this status came.
    const response& require(int wanted_status) const {
        if (failed_) throw operation_failed(failed_->cause, describe(*failed_));
        if (status_ != wanted_status) {
            throw operation_failed(cause::status, "status " + std::to_string(status_) + " where " +
                                                      std::to_string(wanted_status) + " was required");
        }
        return *this;
    }

  private:
    friend class client;
    friend struct detail::response_collector;

    int status_ = 0;
    std::vector<header_line> headers_;
    std::string body_;
    std::optional<http::failure> failed_;
};

namespace detail {

/// Keeps what the parser tells of an answer.
struct response_collector {
    response& collected;

    void on_head(const response_head& head) {
        collected.status_ = head.status;
        for (const auto& field : head.headers) {
            collected.headers_.push_back({std::string(field.name), std::string(field.value)});
        }
    }
    void on_body(std::string_view piece) { collected.body_.append(piece); }
};

}  // namespace detail

/// What a client has done so far.
struct client_counts {
    http::traffic traffic;
    std::int64_t connections_opened = 0;
    std::int64_t kept_alive = 0;  ///< answers after which the connection could take another request
};

/// An HTTP client for coroutines: one connection to one host, kept alive and opened again when need be, one
/// request at a time. Nothing is retried: a kept connection that turns out dead is the failure `stale`.
class client {
  public:
    /// `address`: a URL; its path is taken by requests that name none. Throws `error` as `target` does.
    client(shard& owner, std::string_view address, target_options options = {})
        : client(owner, target(address, options)) {}

    /// To the peer of this target, as it says.
    client(shard& owner, target peer)
        : shard_(owner),
          target_(std::move(peer)),
          connector_(owner, target_.plan(), {}, target_.make_secure()),
          connection_(owner, connector_, target_.options().timeout, target_.options().connect_timeout) {}

    /// Sends GET for a path that begins with "/".
    [[nodiscard]] awaitable<response> get(std::string_view path) { return send(request("GET", path)); }

    /// Sends POST with a body.
    [[nodiscard]] awaitable<response> post(std::string_view path, std::string content) {
        return send(request("POST", path).body(std::move(content)));
    }

    /// Sends any request.
    [[nodiscard]] awaitable<response> send(request what) {
        const target_options& options = target_.options();
        const std::string bytes = serialize(what, target_.address(), options.version, options.keep_alive);
        response answer;
        const time_point start = shard_.now();
        connection_.begin(start);
        if (!connection_.is_open()) {
            connect_outcome connected;
            co_await connection_.connect(start, connected);
            answer.failed_ = connected.failure;
            if (!connected.failure) ++counts_.connections_opened;
        }
        if (!answer.failed_) {
            detail::response_collector collector{answer};
            const exchange_outcome outcome =
                co_await connection_.exchange(bytes, what.is_head(), collector, counts_.traffic);
            answer.failed_ = outcome.failure;
            if (outcome.keeps && options.keep_alive) ++counts_.kept_alive;
            if (answer.failed_) answer.status_ = 0;
        }
        connection_.end();
        if (!options.keep_alive) connection_.close();
        co_return answer;
    }

    /// What went over the wire so far.
    [[nodiscard]] const traffic& counted() const noexcept { return counts_.traffic; }
    /// The same, with its connections.
    [[nodiscard]] const client_counts& counts() const noexcept { return counts_; }

  private:
    shard& shard_;
    target target_;
    connector connector_;
    connection connection_;
    client_counts counts_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/cookie_jar.hpp

namespace benchkit::inline v0_1::http {

namespace detail {

/// A cookie date (RFC 6265 section 5.1.1), leniently read; nothing where it is none.
class cookie_date {
  public:
    [[nodiscard]] static std::optional<std::chrono::sys_seconds> parse(std::string_view text) {
        cookie_date read;
        while (!text.empty()) {
            const std::string_view token =
                text.substr(0, std::min(text.find_first_of(delimiters), text.size()));
            if (!token.empty()) read.take(token);
            text.remove_prefix(std::min(token.size() + 1, text.size()));
        }
        return read.made();
    }

  private:
    static constexpr std::string_view delimiters = "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~";

    static std::string_view digits_of(std::string_view token) noexcept {
        const std::size_t end = token.find_first_not_of("0123456789");
        return token.substr(0, std::min(end, token.size()));
    }

    void take(std::string_view token) {
        const std::string_view digits = digits_of(token);
        const auto number = parse_integer(digits);
        if (!time_ && take_time(token)) return;
        if (!day_ && number && digits.size() <= 2) {
            day_ = *number;
        } else if (!month_ && take_month(token)) {
            return;
        } else if (!year_ && number && digits.size() >= 2 && digits.size() <= 4) {
            year_ = *number + (digits.size() > 2 ? 0 : *number >= 70 ? 1900 : 2000);
        }
    }

    bool take_time(std::string_view token) {
        std::array<std::int64_t, 3> parts{};
        for (std::size_t part = 0; part < 3; ++part) {
            const std::string_view digits = digits_of(token);
            const auto number = parse_integer(digits);
            if (!number || digits.size() > 2) return false;
            parts[part] = *number;
            token.remove_prefix(digits.size());
            if (part == 2) break;
            if (!token.starts_with(':')) return false;
            token.remove_prefix(1);
        }
        time_ = std::chrono::hours(parts[0]) + std::chrono::minutes(parts[1]) + std::chrono::seconds(parts[2]);
        right_ = parts[0] <= 23 && parts[1] <= 59 && parts[2] <= 59;
        return true;
    }

    bool take_month(std::string_view token) {
        constexpr std::array<std::string_view, 12> names{"jan", "feb", "mar", "apr", "may", "jun",
                                                         "jul", "aug", "sep", "oct", "nov", "dec"};
        for (std::size_t index = 0; index < names.size(); ++index) {
            if (token.size() >= 3 && equals_ignore_case(token.substr(0, 3), names[index])) month_ = index + 1;
        }
        return month_.has_value();
    }

    [[nodiscard]] std::optional<std::chrono::sys_seconds> made() const {
        if (!time_ || !day_ || !month_ || !year_ || !right_ || *year_ < 1601) return std::nullopt;
        const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year_)),
                                               std::chrono::month(static_cast<unsigned>(*month_)),
                                               std::chrono::day(static_cast<unsigned>(*day_))};
        if (!date.ok()) return std::nullopt;
        return std::chrono::sys_days(date) + *time_;
    }

    std::optional<std::chrono::seconds> time_;
    std::optional<std::int64_t> day_;
    std::optional<std::size_t> month_;
    std::optional<std::int64_t> year_;
    bool right_ = true;
};

}  // namespace detail

/// The cookies that one client has from one host (RFC 6265 section 5).
class cookie_jar {
  public:
    using time = std::chrono::sys_seconds;

    /// `host`: whose answers are taken.
    explicit cookie_jar(std::string host) : host_(std::move(host)) {}

    /// Takes a Set-Cookie field of the answer to a request for `path`; what is none, or is not for this host,
    /// is left out.
    void take(std::string_view field, std::string_view path, time now) {
        const std::string_view pair = field.substr(0, field.find(';'));
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos) return;
        cookie made{.name = std::string(trimmed(pair.substr(0, equals))),
                    .value = std::string(trimmed(pair.substr(equals + 1))),
                    .path = default_path(path)};
        if (made.name.empty()) return;
        std::string_view rest = field.substr(std::min(pair.size() + 1, field.size()));
        bool for_us = true;
        std::optional<time> max_age;
        while (!rest.empty()) {
            const std::string_view attribute = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(attribute.size() + 1, rest.size()));
            for_us = take_attribute(attribute, made, max_age, now) && for_us;
        }
        if (max_age) made.ends = max_age;
        if (for_us) keep(std::move(made), now);
    }

    /// The Cookie field of a request for `path`: "a=1; b=2", longer paths first, then older cookies; empty
    /// where there is none.
    [[nodiscard]] std::string field_for(std::string_view path, bool secure, time now) const {
        std::vector<const cookie*> sent;
        for (const cookie& each : cookies_) {
            const bool alive = !each.ends || *each.ends > now;
            if (alive && (secure || !each.secure) && matches(path, each.path)) sent.push_back(&each);
        }
        std::stable_sort(sent.begin(), sent.end(), [](const cookie* left, const cookie* right) {
            return left->path.size() > right->path.size();
        });
        std::string field;
        for (const cookie* each : sent) {
            field.append(field.empty() ? "" : "; ").append(each->name).append("=").append(each->value);
        }
        return field;
    }

    void clear() noexcept { cookies_.clear(); }
    [[nodiscard]] std::size_t size() const noexcept { return cookies_.size(); }

  private:
    struct cookie {
        std::string name;
        std::string value;
        std::string path;
        bool secure = false;
        std::optional<time> ends{};
    };

    [[nodiscard]] static std::string_view trimmed(std::string_view text) noexcept {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
        return text;
    }

    [[nodiscard]] static std::string_view without_query(std::string_view path) noexcept {
        return path.substr(0, path.find('?'));
    }

    // RFC 6265 section 5.1.4: up to the last slash, without it.
    [[nodiscard]] static std::string default_path(std::string_view path) {
        const std::string_view plain = without_query(path);
        const std::size_t slash = plain.rfind('/');
        return slash == std::string_view::npos || slash == 0 ? "/" : std::string(plain.substr(0, slash));
    }

    [[nodiscard]] static bool matches(std::string_view asked, std::string_view path) noexcept {
        const std::string_view plain = without_query(asked);
        if (!plain.starts_with(path)) return false;
        return plain.size() == path.size() || path.ends_with('/') || plain[path.size()] == '/';
    }

    // False where the cookie is for another host.
    bool take_attribute(std::string_view attribute, cookie& made, std::optional<time>& max_age,
                        time now) const {
        const std::size_t equals = attribute.find('=');
        const std::string_view name = trimmed(attribute.substr(0, equals));
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view() : trimmed(attribute.substr(equals + 1));
        if (detail::equals_ignore_case(name, "Expires")) {
            if (const auto when = detail::cookie_date::parse(value)) made.ends = when;
        } else if (detail::equals_ignore_case(name, "Max-Age")) {
            take_max_age(value, max_age, now);
        } else if (detail::equals_ignore_case(name, "Path")) {
            if (value.starts_with('/')) made.path = value;
        } else if (detail::equals_ignore_case(name, "Secure")) {
            made.secure = true;
        } else if (detail::equals_ignore_case(name, "Domain")) {
            return is_domain_of_host(value);
        }
        return true;
    }

    static void take_max_age(std::string_view value, std::optional<time>& max_age, time now) {
        if (value.empty() || value == "-") return;
        if (value.find_first_not_of("0123456789", value.starts_with('-') ? 1 : 0) != std::string_view::npos)
            return;
        const auto seconds = parse_integer(value);
        constexpr std::int64_t most = std::int64_t{100} * 366 * 24 * 3600;
        max_age = now + std::chrono::seconds(std::min(seconds.value_or(most), most));
        if (value.starts_with('-') || (seconds && *seconds <= 0)) max_age = time::min();
    }

    // RFC 6265 section 5.1.3.
    [[nodiscard]] bool is_domain_of_host(std::string_view domain) const {
        if (domain.starts_with('.')) domain.remove_prefix(1);
        if (domain.empty() || detail::equals_ignore_case(domain, host_)) return true;
        if (host_.size() <= domain.size() || host_.find_first_not_of("0123456789.:") == std::string::npos) {
            return false;
        }
        const std::string_view tail = std::string_view(host_).substr(host_.size() - domain.size());
        return detail::equals_ignore_case(tail, domain) && host_[host_.size() - domain.size() - 1] == '.';
    }

    // One of the same name and path is replaced in its place; one that has ended is taken out.
    void keep(cookie made, time now) {
        const auto same = std::find_if(cookies_.begin(), cookies_.end(), [&](const cookie& each) {
            return each.name == made.name && each.path == made.path;
        });
        const bool ended = made.ends && *made.ends <= now;
        if (same != cookies_.end() && ended) {
            cookies_.erase(same);
        } else if (same != cookies_.end()) {
            *same = std::move(made);
        } else if (!ended) {
            cookies_.push_back(std::move(made));
        }
    }

    std::string host_;
    std::vector<cookie> cookies_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/delay.hpp

namespace benchkit::inline v0_1::http {

/// How long a server waits before it answers: always equally long, or by a distribution. The numbers come from
/// integers alone and are the same on every machine.
class delay {
  public:
    /// Always `time`.
    [[nodiscard]] static delay fixed(duration time) { return {kind::fixed, time, time, 0}; }

    /// Each nanosecond from `shortest` to `longest`, both included, is as likely as the others.
    [[nodiscard]] static delay uniform(duration shortest, duration longest) {
        if (longest < shortest) {
            fail_option("delay", format_duration(longest), "the longest delay is at least the shortest");
        }
        return {kind::uniform, shortest, longest, 0};
    }

    /// Exponentially distributed, with this mean.
    [[nodiscard]] static delay exponential(duration mean) { return {kind::exponential, mean, mean, 0}; }

    /// Its logarithm is normally distributed: half of the delays are above `median`; the logarithm deviates by
    /// `shape`, 0 to 16. The mean is median * e^(shape^2 / 2).
    [[nodiscard]] static delay lognormal(duration median, double shape) {
        if (!(shape >= 0.0 && shape <= 16.0)) {
            fail_option("delay", format_number(shape), "the shape of a lognormal delay is from 0 to 16");
        }
        return {kind::lognormal, median, median, shape};
    }

    /// The next one by these random numbers.
    [[nodiscard]] std::chrono::nanoseconds draw(random_stream& random) const noexcept {
        switch (kind_) {
            case kind::uniform: {
                const auto width = static_cast<std::uint64_t>((second_ - first_).count()) + 1;
                return first_ + std::chrono::nanoseconds(static_cast<std::int64_t>(random.below(width)));
            }
            case kind::exponential:
                return std::chrono::nanoseconds(random.exponential(first_.count()));
            case kind::lognormal:
                return std::chrono::nanoseconds(random.lognormal(first_.count(), shape_));
            default:
                return first_;
        }
    }

  private:
    enum class kind : std::uint8_t { fixed, uniform, exponential, lognormal };

    delay(kind which, duration first, duration second, double shape)
        : kind_(which), first_(first), second_(second), shape_(shape) {
        if (first < first.zero()) fail_option("delay", format_duration(first), "a delay is 0 or more");
    }

    kind kind_;
    std::chrono::nanoseconds first_;
    std::chrono::nanoseconds second_;
    double shape_;
};

/// Reads a delay: "fixed:5ms", "uniform:1ms..9ms", "exp:5ms" (the mean) or "lognormal:5ms,0.5" (the median and
/// the shape). Fails by the name of `option` where `text` is anything else.
[[nodiscard]] inline delay parse_delay(std::string_view option, std::string_view text) {
    const auto refuse = [&] {
        fail_option(std::string(option), std::string(text),
                    "allowed is fixed:TIME, uniform:TIME..TIME with the shorter one first, exp:MEAN or "
                    "lognormal:MEDIAN,SHAPE with a shape of 0 to 16, such as exp:5ms or lognormal:5ms,0.5");
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse();
    const std::string_view name = text.substr(0, colon);
    const std::string_view rest = text.substr(colon + 1);
    const std::string_view separator = name == "uniform" ? ".." : name == "lognormal" ? "," : "";
    const std::size_t place = separator.empty() ? rest.size() : rest.find(separator);
    if (place == std::string_view::npos) refuse();
    const auto first = find_duration(rest.substr(0, place));
    const std::string_view second = separator.empty() ? "" : rest.substr(place + separator.size());
    if (!first) refuse();
    if (name == "fixed") return delay::fixed(*first);
    if (name == "exp") return delay::exponential(*first);
    if (name == "uniform") {
        const auto longest = find_duration(second);
        if (!longest || *longest < *first) refuse();
        return delay::uniform(*first, *longest);
    }
    const auto shape = parse_number(second);
    if (name != "lognormal" || !shape || std::signbit(*shape) || *shape > 16.0) refuse();
    return delay::lognormal(*first, *shape);
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/stall.hpp

namespace benchkit::inline v0_1::http {

/// A time in which a server begins no answer, on none of its threads: once or again and again, counted from the
/// first request. What would have been answered then is answered at its end.
class stall {
  public:
    /// Once, from `start` on, for `length` (more than 0).
    [[nodiscard]] static stall at(duration start, duration length) {
        if (start < start.zero()) fail_option("stall", format_duration(start), "a stall begins at 0 or later");
        return {start, {}, length};
    }

    /// From each whole multiple of `period` on (not from 0), for `length`, which is more than 0 and less than
    /// the period.
    [[nodiscard]] static stall every(duration period, duration length) {
        if (length >= period) {
            fail_option("stall", format_duration(length), "a stall is shorter than the time between two");
        }
        return {period, period, length};
    }

    /// When an answer that is due at `time` after the first request may leave: then, or at the end of the stall
    /// in which that lies.
    [[nodiscard]] std::chrono::nanoseconds end_of(std::chrono::nanoseconds time) const noexcept {
        if (time < start_) return time;
        const auto since = period_.count() == 0 ? time - start_ : (time - start_) % period_;
        return since < length_ ? time + (length_ - since) : time;
    }

    /// Whether it comes again and again.
    [[nodiscard]] bool repeats() const noexcept { return period_.count() != 0; }

  private:
    stall(std::chrono::nanoseconds start, std::chrono::nanoseconds period, std::chrono::nanoseconds length)
        : start_(start), period_(period), length_(length) {
        if (length.count() <= 0) fail_option("stall", format_duration(length), "a stall is longer than 0");
        // So that no sum of times overflows.
        if (length > std::chrono::hours(24 * 365)) {
            fail_option("stall", format_duration(length), "a stall is at most a year long");
        }
    }

    std::chrono::nanoseconds start_;
    std::chrono::nanoseconds period_;  // 0: there is only one
    std::chrono::nanoseconds length_;
};

/// Reads a stall: "at=4s,for=1s" or "every=10s,for=1s". Fails by the name of `option` where `text` is anything
/// else.
[[nodiscard]] inline stall parse_stall(std::string_view option, std::string_view text) {
    const auto refuse = [&] {
        fail_option(
            std::string(option), std::string(text),
            "allowed is at=TIME,for=TIME or every=TIME,for=TIME with a shorter time behind for, such as "
            "at=4s,for=1s or every=10s,for=1s");
    };
    const bool once = text.starts_with("at=");
    if (!once && !text.starts_with("every=")) refuse();
    const std::string_view rest = text.substr(once ? 3 : 6);
    constexpr std::string_view separator = ",for=";
    const std::size_t place = rest.find(separator);
    if (place == std::string_view::npos) refuse();
    const auto start = find_duration(rest.substr(0, place));
    const auto length = find_duration(rest.substr(place + separator.size()));
    if (!start || !length || length->count() <= 0 || *length > std::chrono::hours(24 * 365)) refuse();
    if (!once && *length >= *start) refuse();
    return once ? stall::at(*start, *length) : stall::every(*start, *length);
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/faults.hpp

namespace benchkit::inline v0_1::http {

/// What a faulty server does to a request instead of answering it as it should.
enum class fault : std::uint8_t {
    none,       ///< it is answered as it should be
    status,     ///< it is answered with another status, and no route is asked
    reset,      ///< the connection is reset
    truncate,   ///< half of the body is sent, and the connection is closed
    malformed,  ///< something is sent that is no answer, and the connection is closed
};

/// What is to happen to one request.
struct request_fate {
    fault what = fault::none;
    int status = 0;                    ///< of `fault::status`
    std::chrono::nanoseconds delay{};  ///< before the answer or the fault
    std::uint64_t variant = 0;         ///< random bits, for the garbage of `fault::malformed`
};

/// What a server does wrong, and how often.
///
///     http::faults wrong;
///     wrong.delay(http::delay::exponential(5ms)).status(503, 0.01).reset(0.001).seed(42);
///     server.faults(wrong);
///
/// Probabilities are shares of all requests, so together they are at most 1: a request meets one fault or none.
/// What happens to the k-th request depends on the seed and on k alone. Requests are counted over all
/// connections and shards of a server, in the order in which their heads were parsed: of the first n requests,
/// the same numbers meet each fault in every run, whoever sends them. With one connection these are the same
/// requests, too; with several, it depends on their timing which of them is the k-th.
class faults {
  public:
    /// Of all that is random here.
    faults& seed(std::uint64_t number) noexcept {
        seed_ = number;
        return *this;
    }

    /// Every request is answered this much later, counted from when it is complete. Of the requests of one
    /// connection each waits for the answer to the one before.
    faults& delay(http::delay time) {
        delay_ = time;
        return *this;
    }

    /// No answer begins during the stall. Several may be given, one of them repeating.
    faults& stall(http::stall pause) {
        const auto repeats = [](const http::stall& each) { return each.repeats(); };
        if (pause.repeats() && std::any_of(stalls_.begin(), stalls_.end(), repeats)) {
            fail("stall: only one of a server's stalls can come again and again");
        }
        stalls_.push_back(pause);
        return *this;
    }

    /// This share of the requests is answered with `status` (200 to 999), whatever their path. Several may be
    /// given; a second one for a status replaces the first.
    faults& status(int status, double share) {
        if (status < 200 || status > 999) {
            fail_option("status", std::to_string(status), "the status of a fault is from 200 to 999");
        }
        return set("status", fault::status, status, share);
    }

    /// The connection is reset when the request has been read.
    faults& reset(double share) { return set("reset", fault::reset, 0, share); }

    /// The answer's head and half of its body are sent, then the connection is closed; of an answer without a
    /// body, half of the head.
    faults& truncate(double share) { return set("truncate", fault::truncate, 0, share); }

    /// What is sent is no HTTP answer; then the connection is closed.
    faults& malformed(double share) { return set("malformed", fault::malformed, 0, share); }

    /// Each connection is closed after this many answers, without a word of it in the last one. 0 for never.
    faults& close_after(std::int64_t answers) {
        if (answers < 0) fail_option("close_after", std::to_string(answers), "allowed is 0 or more");
        close_after_ = answers;
        return *this;
    }

    /// Whether there is anything here that is not as it should be.
    [[nodiscard]] bool any() const noexcept {
        return delay_.has_value() || !stalls_.empty() || !shares_.empty() || close_after_ > 0;
    }

    /// After how many answers a connection ends; 0 for never.
    [[nodiscard]] std::int64_t closes_after() const noexcept { return close_after_; }

    /// What happens to the k-th request of the server; k counts from 0.
    [[nodiscard]] request_fate fate(std::int64_t k) const noexcept {
        const auto index = static_cast<std::uint64_t>(k);
        request_fate fate;
        if (delay_) {
            random_stream delays(seed_, "http delay", index);
            fate.delay = std::min<std::chrono::nanoseconds>(delay_->draw(delays), longest_delay);
        }
        if (shares_.empty()) return fate;
        random_stream choices(seed_, "http fault", index);
        std::uint64_t choice = choices.next();
        for (const share_of_requests& each : shares_) {
            if (choice <= each.last) {
                fate.what = each.what;
                fate.status = each.status;
                fate.variant = choices.next();
                break;
            }
            choice -= each.last + 1;
        }
        return fate;
    }

    /// When an answer may leave that is due this long after the first request.
    [[nodiscard]] std::chrono::nanoseconds end_of_stalls(std::chrono::nanoseconds time) const noexcept {
        // One stall may end within another: round after round, until none moves it. It ends, because stalls
        // that come once move it once, and the one that repeats leaves time between.
        for (bool moved = true; moved;) {
            moved = false;
            for (const http::stall& each : stalls_) {
                moved = moved || each.end_of(time) != time;
                time = each.end_of(time);
            }
        }
        return time;
    }

  private:
    static constexpr std::chrono::nanoseconds longest_delay = std::chrono::hours(24 * 365);

    // Of 2^64 equally likely numbers, those from 0 to `last` after the ones of the shares before.
    struct share_of_requests {
        fault what = fault::none;
        int status = 0;
        double share = 0;
        std::uint64_t last = 0;
    };

    faults& set(const char* option, fault what, int status, double share) {
        if (!(share >= 0.0 && share <= 1.0)) {
            fail_option(option, format_number(share), "a share of the requests is from 0 to 1");
        }
        std::erase_if(
            shares_, [&](const share_of_requests& each) { return each.what == what && each.status == status; });
        double sum = share;
        for (const share_of_requests& each : shares_) sum += each.share;
        if (sum > 1.0 + 1e-9) {
            fail_option(option, format_number(share), "the shares of all faults together are at most 1");
        }
        if (share > 0.0) shares_.push_back({what, status, share, last_of(share)});
        return *this;
    }

    [[nodiscard]] static std::uint64_t last_of(double share) noexcept {
        if (share >= 1.0) return std::numeric_limits<std::uint64_t>::max();
        const auto size = static_cast<std::uint64_t>(share * 0x1p64);
        return size == 0 ? 0 : size - 1;
    }

    std::uint64_t seed_ = 1;
    std::optional<http::delay> delay_;
    std::vector<http::stall> stalls_;
    std::vector<share_of_requests> shares_;
    std::int64_t close_after_ = 0;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/garbage.hpp

namespace benchkit::inline v0_1::http {

/// Bytes that look like an answer to a careless client and are none to one that keeps to RFC 9112: a text, a
/// status that is no number, two lengths that differ, or noise. `variant` chooses.
[[nodiscard]] inline std::string garbage(std::uint64_t variant) {
    switch (variant % 4) {
        case 0:
            return "This is not HTTP.\r\n\r\n";
        case 1:
            return "HTTP/1.1 two hundred\r\nContent-Length: 0\r\n\r\n";
        case 2:
            return "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!";
        default:
            break;
    }
    // The first byte is none with which a status line could begin.
    splitmix64 noise(variant);
    std::string bytes = "\x80";
    for (int count = 0; count < 64; ++count) bytes.push_back(static_cast<char>(noise.next() >> 56));
    return bytes + "\r\n\r\n";
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/redirect.hpp

namespace benchkit::inline v0_1::http {

namespace detail {

/// A path without "." and ".." (RFC 3986 section 5.2.4). `path` begins with "/" and has no query.
[[nodiscard]] inline std::string without_dots(std::string_view path) {
    std::string kept;
    while (!path.empty()) {
        path.remove_prefix(1);  // the slash
        const std::string_view segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        if (segment == "..") kept.erase(kept.rfind('/') == std::string::npos ? 0 : kept.rfind('/'));
        if (segment != "." && segment != "..") {
            kept.append("/").append(segment);
        } else if (path.empty()) {
            kept += '/';
        }
    }
    return kept.empty() ? "/" : kept;
}

/// The path and query that a reference leads to from `path` (RFC 3986 section 5.2.2), on the same host.
[[nodiscard]] inline std::string resolved_path(std::string_view reference, std::string_view path) {
    const std::string_view base = path.substr(0, path.find('?'));
    if (reference.empty()) return std::string(path);
    if (reference.starts_with('?')) return std::string(base).append(reference);
    const std::string_view plain = reference.substr(0, reference.find('?'));
    const std::string_view query = reference.substr(plain.size());
    std::string merged;
    if (!plain.starts_with('/')) merged = base.substr(0, base.rfind('/') + 1);
    return without_dots(merged.append(plain)).append(query);
}

/// Where a Location leads: a path of the same scheme, host and port, without fragment; nothing where it leads
/// elsewhere, or is no reference.
[[nodiscard]] inline std::optional<std::string> path_of_location(std::string_view location,
                                                                 std::string_view path, const url& base) {
    location = location.substr(0, location.find('#'));
    std::string whole(location);
    if (location.starts_with("//")) whole.insert(0, base.scheme + ":");
    const std::size_t colon = location.find(':');
    const bool absolute =
        location.starts_with("//") || (colon != std::string_view::npos && location.find_first_of("/?") > colon);
    try {
        if (!absolute) return resolved_path(location, path);
        const url other = parse_url("location", whole);
        const bool same =
            other.scheme == base.scheme && equals_ignore_case(other.host, base.host) && other.port == base.port;
        return same ? std::optional(other.path) : std::nullopt;
    } catch (const error&) {
        return std::nullopt;
    }
}

}  // namespace detail

/// The request that follows an answer with this status and Location: 301, 302 and 303 become a GET (a HEAD
/// stays one), 307 and 308 keep method and body (RFC 9110 section 15.4). Nothing where the answer is no
/// redirect, or leads to another host.
[[nodiscard]] inline std::optional<request> redirected(const request& asked, std::string_view path, int status,
                                                       std::string_view location, const url& base) {
    const bool keeps = status == 307 || status == 308;
    if (!keeps && status != 301 && status != 302 && status != 303) return std::nullopt;
    const auto target = detail::path_of_location(location, path, base);
    if (!target || !detail::all_characters(*target, detail::target_character)) return std::nullopt;
    const bool changed = !keeps && asked.method() != "GET" && asked.method() != "HEAD";
    request next(changed ? "GET" : asked.method(), *target);
    for (const header_line& each : asked.headers()) {
        const bool of_body = detail::equals_ignore_case(each.name, "Content-Type") ||
                             detail::equals_ignore_case(each.name, "Content-Length");
        if (!changed || !of_body) next.header(each.name, each.value);
    }
    if (!changed) next.body(asked.body());
    return next;
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/session.hpp

namespace benchkit::inline v0_1::http {

/// Why a journey failed: by the first thing that went wrong.
struct journey_failure {
    benchkit::cause cause = benchkit::cause::assertion;
    std::string error_name;  ///< the system's error; empty for none
    std::string sentence;
};

/// One request of a journey, redirects included, that has ended.
struct step_outcome {
    std::string_view name;
    time_point start;
    time_point end;
    int status = 0;  ///< of the last answer; 0 where none came
    bool succeeded = false;
};

/// What a journey's coroutine asks with: one client's connection to its target, and its cookies, which stay
/// from one journey to the next. A request that gets no answer fails the journey at once, by its cause, with an
/// exception
/// (`operation_failed`); one whose answer is not as expected (a status of 400 or more, unless `expect` or the
/// target says otherwise) makes it fail at its end. So nothing that went wrong is hidden by code that does not
/// look.
class session {
  public:
    /// `follow_redirects`: how many in a row for one request; 0 for none.
    session(shard& owner, const target& peer, std::int64_t follow_redirects)
        : shard_(owner),
          peer_(peer),
          client_(owner, peer),
          cookies_(peer.address().host),
          follow_redirects_(follow_redirects) {}
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// GET of a path that begins with "/".
    [[nodiscard]] awaitable<response> get(std::string_view path) { return send(request("GET", path)); }
    /// POST with a body.
    [[nodiscard]] awaitable<response> post(std::string_view path, std::string content) {
        return send(request("POST", path).body(std::move(content)));
    }

    /// Any request.
    [[nodiscard]] awaitable<response> send(request what) {
        const std::string name =
            step_name_.empty() ? request_name(what, peer_.address()) : std::exchange(step_name_, {});
        const expectation wanted = expected_ ? *std::exchange(expected_, std::nullopt) : peer_.expected();
        const time_point start = shard_.now();
        const bool failed_before = failure_.has_value();
        response answer;
        for (std::int64_t hops = 0;; ++hops) {
            awaitable<response> sending = client_.send(with_cookies(what));
            answer = co_await std::move(sending);
            if (answer.failed()) break;
            if (on_answer) on_answer(answer);
            const std::string path = what.target().empty() ? peer_.address().path : what.target();
            take_cookies(answer, path);
            std::optional<request> next = next_hop(what, path, answer);
            if (!next) break;
            if (hops == follow_redirects_) {
                note({benchkit::cause::assertion,
                      {},
                      "assertion: more than " + std::to_string(hops) + " redirects"});
                break;
            }
            what = std::move(*next);
        }
        end_step(name, start, answer, wanted, failed_before);
        co_return answer;
    }

    /// Names the next request in the figures; unless given, its method and path.
    session& step(std::string name) {
        step_name_ = std::move(name);
        return *this;
    }

    /// What the next answer is to be, in the place of what the target expects.
    session& expect(expectation wanted) {
        expected_ = std::move(wanted);
        return *this;
    }

    /// The journey has failed, for this reason: `failed.assertion`.
    void fail(const std::string& reason) {
        note({benchkit::cause::assertion, {}, std::string("assertion: ").append(reason)});
    }

    [[nodiscard]] cookie_jar& cookies() noexcept { return cookies_; }
    [[nodiscard]] shard& owner() noexcept { return shard_; }

    /// Why the journey has failed so far; nothing where it has not.
    [[nodiscard]] const std::optional<journey_failure>& failure() const noexcept { return failure_; }
    /// A new journey begins.
    void begin() {
        failure_.reset();
        step_name_.clear();
        expected_.reset();
    }
    [[nodiscard]] const http::client& client() const noexcept { return client_; }

    std::function<void(const response&)> on_answer;    ///< told of each answer, redirects too
    std::function<void(const step_outcome&)> on_step;  ///< told of each step that has ended

  private:
    [[nodiscard]] static cookie_jar::time now() {
        return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    }

    [[nodiscard]] request with_cookies(const request& what) const {
        const std::string& path = what.target().empty() ? peer_.address().path : what.target();
        const std::string field = cookies_.field_for(path, peer_.address().is_secure(), now());
        request sent = what;
        if (!field.empty() && what.find_header("Cookie") == nullptr) sent.header("Cookie", field);
        return sent;
    }

    void take_cookies(const response& answer, std::string_view path) {
        for (const header_line& each : answer.headers()) {
            if (detail::equals_ignore_case(each.name, "Set-Cookie")) cookies_.take(each.value, path, now());
        }
    }

    [[nodiscard]] std::optional<request> next_hop(const request& what, std::string_view path,
                                                  const response& answer) const {
        const auto location = answer.header("Location");
        if (follow_redirects_ == 0 || !location) return std::nullopt;
        return redirected(what, path, answer.status(), *location, peer_.address());
    }

    void end_step(std::string_view name, time_point start, const response& answer, const expectation& wanted,
                  bool failed_before) {
        std::optional<journey_failure> wrong = problem_of(answer, wanted);
        step_outcome ended{.name = name, .start = start, .end = shard_.now()};
        ended.status = answer.status();
        ended.succeeded = !wrong && failed_before == failure_.has_value();
        const bool answered = !answer.failed();
        if (wrong) note(*wrong);
        if (on_step) on_step(ended);
        if (!answered) throw operation_failed(wrong->cause, wrong->sentence);
    }

    [[nodiscard]] static std::optional<journey_failure> problem_of(const response& answer,
                                                                   const expectation& wanted) {
        if (const auto& failed = answer.failed()) {
            return journey_failure{failed->cause, failed->error ? error_name(failed->error) : std::string(),
                                   describe(*failed)};
        }
        if (!wanted.accepts_status(answer.status())) {
            return journey_failure{benchkit::cause::status, {}, "status " + std::to_string(answer.status())};
        }
        if (!wanted.needs_body()) return std::nullopt;
        const auto fault = wanted.body_fault(answer.body());
        if (!fault) return std::nullopt;
        return journey_failure{benchkit::cause::assertion, {}, "assertion: " + *fault};
    }

    void note(journey_failure failed) {
        if (!failure_) failure_ = std::move(failed);
    }

    shard& shard_;
    const target& peer_;
    http::client client_;
    cookie_jar cookies_;
    std::int64_t follow_redirects_;
    std::string step_name_;
    std::optional<expectation> expected_;
    std::optional<journey_failure> failure_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/journey.hpp

namespace benchkit::inline v0_1::http {

/// How a journey goes.
struct journey_options {
    std::int64_t follow_redirects = 0;  ///< how many in a row for one request; 0 to 100
};

/// A user's way through several requests, as one operation of a load: `function(session&)` returns
/// `awaitable<>`, is copied once per shard and called as const.
///
///     bk::load(on, http::journey{target, function}, bk::closed_loop{.clients = 100}, {.duration = 30s});
template <class Function>
class journey {
  public:
    static_assert(std::is_copy_constructible_v<Function>,
                  "a journey is copied once per shard: make it copyable");
    static_assert(std::is_invocable_v<const Function&, session&>,
                  "a journey is called as function(http::session&), and is not changed by it");

    /// Throws `error` for a target that pipelines, or has a list of requests.
    journey(target to, Function function, journey_options options = {})
        : target_(std::move(to)), function_(std::move(function)), options_(options) {
        if (target_.options().pipeline > 1) {
            fail_option("pipeline", std::to_string(target_.options().pipeline),
                        "a journey asks one after the other");
        }
        if (target_.list() != nullptr) {
            fail_option("requests", "", "a journey has requests of its own: the target has none");
        }
        if (options_.follow_redirects < 0 || options_.follow_redirects > 100) {
            fail_option("follow_redirects", std::to_string(options_.follow_redirects), "allowed is 0 to 100");
        }
    }

    [[nodiscard]] const http::target& to() const noexcept { return target_; }
    [[nodiscard]] const Function& function() const noexcept { return function_; }
    [[nodiscard]] const journey_options& options() const noexcept { return options_; }

  private:
    http::target target_;
    Function function_;
    journey_options options_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/listener.hpp

#include <sys/stat.h>

namespace benchkit::inline v0_1::http::detail {

/// Where connections come in: a TCP port, or a Unix socket with its file. The file is removed at the end,
/// unless another one has taken its place.
class listener {
  public:
    using acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, executor_type>;

    /// Throws `error` where it cannot listen on `address` and `port`; port 0 lets the system choose.
    listener(executor_type executor, const asio::ip::tcp::endpoint& where) : acceptor_(executor) {
        asio::error_code error;
        acceptor_.open(where.protocol(), error);
        if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) listen(where, error);
        if (error) {
            fail("cannot listen on " + where.address().to_string() + " port " + std::to_string(where.port()) +
                 ": " + error.message());
        }
    }

    /// Throws `error` where it cannot listen on the Unix socket `path`. A socket on which nobody listens any
    /// more is replaced; one on which somebody does, and a file of another kind, are left alone.
    listener(executor_type executor, const std::string& path) : acceptor_(executor), path_(path) {
        remove_abandoned();
        asio::error_code error;
        const stream_endpoint where = asio::local::stream_protocol::endpoint(path);
        acceptor_.open(where.protocol(), error);
        if (!error) listen(where, error);
        if (error) fail("cannot listen on " + path + ": " + error.message());
        struct stat facts {};
        if (lstat(path.c_str(), &facts) == 0) {
            device_ = facts.st_dev;
            file_ = facts.st_ino;
            is_ours_ = true;
        }
    }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    ~listener() {
        struct stat facts {};
        if (!is_ours_ || lstat(path_.c_str(), &facts) != 0) return;
        if (facts.st_dev == device_ && facts.st_ino == file_) unlink(path_.c_str());
    }

    [[nodiscard]] acceptor& socket() noexcept { return acceptor_; }

    /// The port, as the system has chosen it.
    [[nodiscard]] int port() const {
        asio::ip::tcp::endpoint bound;
        const stream_endpoint where = acceptor_.local_endpoint();
        if (where.size() > bound.capacity()) return 0;
        std::memcpy(bound.data(), where.data(), where.size());
        return bound.port();
    }

  private:
    void listen(const stream_endpoint& where, asio::error_code& error) {
        acceptor_.bind(where, error);
        // As long a queue as the system allows (net.core.somaxconn), which cuts what is more: SOMAXCONN is
        // less.
        if (!error) acceptor_.listen(std::numeric_limits<int>::max(), error);
    }

    // Whoever listened and died has left the file behind.
    void remove_abandoned() const {
        struct stat facts {};
        if (lstat(path_.c_str(), &facts) != 0) return;
        if (!S_ISSOCK(facts.st_mode)) fail("cannot listen on " + path_ + ": there is a file that is no socket");
        const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const stream_endpoint where = asio::local::stream_protocol::endpoint(path_);
        const bool is_dead = probe >= 0 &&
                             ::connect(probe, where.data(), static_cast<socklen_t>(where.size())) != 0 &&
                             errno == ECONNREFUSED;
        if (probe >= 0) ::close(probe);
        if (!is_dead) fail("cannot listen on " + path_ + ": somebody else listens there");
        unlink(path_.c_str());
    }

    acceptor acceptor_;
    std::string path_;
    dev_t device_ = 0;
    ino_t file_ = 0;
    bool is_ours_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail

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
/// give them fails with a sentence, as does a field that may not be sent. There is no Date, so the same reply
/// is always the same bytes.
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

    /// Adds a field; several of one name are sent one after the other.
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

    /// Sets the content, which goes with its length.
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

    /// The body is sent in chunks of at most 4 KiB, without its length; to a client of HTTP/1.0, which knows no
    /// chunks, with its length.
    reply& chunked() & noexcept {
        chunked_ = true;
        return *this;
    }
    reply&& chunked() && noexcept { return std::move(chunked()); }

    /// No reply: the connection is reset (a fault, for testing clients).
    reply& reset() & noexcept {
        resets_ = true;
        return *this;
    }
    reply&& reset() && noexcept { return std::move(reset()); }

    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    [[nodiscard]] bool is_chunked() const noexcept { return chunked_; }
    [[nodiscard]] bool closes() const noexcept { return closes_; }
    [[nodiscard]] bool resets() const noexcept { return resets_; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    int status_ = 200;
    bool chunked_ = false;
    bool closes_ = false;
    bool resets_ = false;
    std::vector<header_line> headers_;
    std::string body_;
};

namespace detail {

/// Whether a status can have a body: 204 and 304 have none, and no length either.
[[nodiscard]] constexpr bool has_content(int status) noexcept {
    return status != 204 && status != 304;
}

/// Appends the body in chunks (RFC 9112 section 7.1).
inline void append_chunks(std::string& out, std::string_view body) {
    constexpr std::size_t largest = 4096;
    while (!body.empty()) {
        const std::string_view chunk = body.substr(0, largest);
        std::array<char, 8> size;
        const auto end = std::to_chars(size.data(), size.data() + size.size(), chunk.size(), 16).ptr;
        out.append(size.data(), static_cast<std::size_t>(end - size.data())).append("\r\n");
        out.append(chunk).append("\r\n");
        body.remove_prefix(chunk.size());
    }
    out.append("0\r\n\r\n");
}

/// Appends the head of a reply; its arguments are those of `serialize`.
inline void append_head(const reply& source, bool keep_alive, int minor_version, std::string& out) {
    out.append("HTTP/1.1 ").append(std::to_string(source.status())).append(" ");
    out.append(reason_phrase(source.status())).append("\r\n");
    if (source.find_header("Server") == nullptr) {
        append_header(out, "Server", "benchkit/" BENCHKIT_VERSION_STRING);
    }
    const bool content = has_content(source.status());
    if (content && !source.body().empty() && source.find_header("Content-Type") == nullptr) {
        append_header(out, "Content-Type", "text/plain");
    }
    for (const header_line& each : source.headers()) append_header(out, each.name, each.value);
    if (content && source.is_chunked() && minor_version > 0) {
        append_header(out, "Transfer-Encoding", "chunked");
    } else if (content) {
        append_header(out, "Content-Length", std::to_string(source.body().size()));
    }
    if (!keep_alive || source.closes()) {
        append_header(out, "Connection", "close");
    } else if (minor_version == 0) {
        append_header(out, "Connection", "keep-alive");
    }
    out.append("\r\n");
}

}  // namespace detail

/// Appends the bytes of a reply, head and body, so that the replies to pipelined requests leave in one write.
/// The status line says HTTP/1.1 whatever the request said (RFC 9110 section 6.2).
/// `keep_alive`: the request lets the connection go on; where the reply does not close it, a client of
/// HTTP/1.0 (`minor_version` 0) is told so, else `Connection: close` is sent. `head_only`: the answer to
/// HEAD, with the Content-Length that GET would have. 204 and 304 have neither body nor length.
/// Returns the size of the head.
inline std::size_t serialize(const reply& source, bool keep_alive, int minor_version, bool head_only,
                             std::string& out) {
    const std::size_t start = out.size();
    detail::append_head(source, keep_alive, minor_version, out);
    const std::size_t head = out.size() - start;
    if (head_only || !detail::has_content(source.status())) return head;
    if (source.is_chunked() && minor_version > 0) {
        detail::append_chunks(out, source.body());
    } else {
        out.append(source.body());
    }
    return head;
}

/// The bytes of a reply, as above, on their own.
[[nodiscard]] inline std::string serialize(const reply& source, bool keep_alive, int minor_version = 1,
                                           bool head_only = false) {
    std::string text;
    serialize(source, keep_alive, minor_version, head_only, text);
    return text;
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/prepared_reply.hpp

namespace benchkit::inline v0_1::http {

/// A reply that is always the same, with the bytes of its most frequent form made once: for HTTP/1.1 on a
/// connection that goes on.
class prepared_reply {
  public:
    prepared_reply(reply source) : source_(std::move(source)) {
        head_size_ = serialize(source_, true, 1, false, message_);
    }

    [[nodiscard]] const reply& source() const noexcept { return source_; }

    /// Head and body of that form.
    [[nodiscard]] std::string_view message() const noexcept { return message_; }
    /// Its head.
    [[nodiscard]] std::string_view head() const noexcept { return message().substr(0, head_size_); }

  private:
    reply source_;
    std::string message_;
    std::size_t head_size_ = 0;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/request_log.hpp

namespace benchkit::inline v0_1::http {

/// What a server tells of one request whose head it has parsed.
struct logged_request {
    std::int64_t number = 0;         ///< of the request among all of the server, from 1
    std::int64_t connection = 0;     ///< of its connection among all that were accepted, from 1
    std::int64_t on_connection = 0;  ///< of the request on its connection, from 1
    time_point at{};                 ///< when its head was parsed
    time_point answered_at{};        ///< when the answer, or what was done instead, was ready to be sent
    std::string_view method;
    std::string_view path;           ///< the target without its query
    std::string_view outcome;        ///< the status, or "reset", "truncated", "malformed", "unanswered"
    std::string_view connection_is;  ///< afterwards: "kept" or "closed"
};

/// A file with a line for each request, in which a test can look up what a client should have seen.
///
///     # at_us number connection request method path outcome after_us connection_is
///     1780000000000000 1 1 1 GET /hello 200 12 kept
///
/// Fields are separated by a space and hold none. `at_us` is in microseconds since 1970 (UTC, by a clock that
/// is not set while the server runs), `after_us` is how much later the answer was ready. Lines are written when
/// a request has been answered, so they are in the order of the answers, and on several shards only roughly so.
///
/// Each shard collects up to 64 KiB of lines before it writes them; `flush` writes what is left.
class request_log {
  public:
    /// Opens the file, or creates it. Throws `error` by the name "log" where it cannot. What was in it stays
    /// until `begin`; one that was new and is not begun is removed again.
    request_log(std::string path, int shards)
        : path_(std::move(path)), pages_(static_cast<std::size_t>(shards)) {
        is_new_ = ::access(path_.c_str(), F_OK) != 0;
        file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file_ < 0) {
            fail_option("log", path_, "this file cannot be written: " + std::generic_category().message(errno));
        }
    }
    request_log(const request_log&) = delete;
    request_log& operator=(const request_log&) = delete;
    ~request_log() {
        flush();
        ::close(file_);
        if (is_new_ && !is_begun_) ::unlink(path_.c_str());
    }

    /// Empties the file, for the lines that come. Again it does nothing.
    void begin() {
        if (std::exchange(is_begun_, true)) return;
        struct stat facts {};
        const bool regular = ::fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode);
        if (regular && ::ftruncate(file_, 0) != 0) problem_ = errno;
        write_all("# at_us number connection request method path outcome after_us connection_is\n");
    }

    /// Adds a line. For the shard's own thread.
    void add(int shard, const logged_request& request) {
        std::string& text = pages_[static_cast<std::size_t>(shard)].text;
        append(text, microseconds(request.at.time_since_epoch()) + since_1970_us_);
        append(text, request.number);
        append(text, request.connection);
        append(text, request.on_connection);
        text.append(request.method).append(" ").append(request.path).append(" ").append(request.outcome);
        text.append(" ");
        append(text, microseconds(request.answered_at - request.at));
        text.append(request.connection_is).append("\n");
        if (text.size() >= page_size) write_page(text);
    }

    /// Writes all that has not been written. When no shard runs.
    void flush() {
        for (auto& each : pages_) write_page(each.text);
    }

    /// What has kept lines from being written, as the system says it; empty where all were.
    [[nodiscard]] std::string problem() const {
        const int code = problem_;
        return code == 0 ? std::string() : std::generic_category().message(code);
    }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

  private:
    static constexpr std::size_t page_size = std::size_t{64} * 1024;

    struct alignas(64) page {
        std::string text;
    };

    [[nodiscard]] static std::int64_t microseconds(std::chrono::nanoseconds time) noexcept {
        return std::chrono::floor<std::chrono::microseconds>(time).count();
    }

    static void append(std::string& text, std::int64_t number) {
        char digits[20];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        text.append(digits, static_cast<std::size_t>(end - digits)).append(" ");
    }

    void write_page(std::string& text) {
        write_all(text);
        text.clear();
    }

    void write_all(std::string_view text) {
        while (!text.empty()) {
            const ssize_t taken = ::write(file_, text.data(), text.size());
            if (taken < 0 && errno == EINTR) continue;
            if (taken < 0) problem_ = errno;
            if (taken <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(taken));
        }
    }

    std::string path_;
    std::vector<page> pages_;
    int file_ = -1;
    bool is_new_ = false;
    bool is_begun_ = false;
    std::atomic<int> problem_ = 0;
    // What the monotonic clock lacks to microseconds since 1970.
    std::int64_t since_1970_us_ = microseconds(std::chrono::system_clock::now().time_since_epoch()) -
                                  microseconds(clock::now().time_since_epoch());
};

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
        has_head_ = false;
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

    /// Lets what `get()` tells outlive the bytes that were given, until the next `start`.
    void keep() { head_.keep(); }

    /// Whether the head is there and well-formed; also where the body is not.
    [[nodiscard]] bool has_head() const noexcept { return has_head_; }
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
        has_head_ = state_ != state::malformed;
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
    bool has_head_ = false;
    bool keep_alive_ = false;
    bool expects_continue_ = false;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/router.hpp

namespace benchkit::inline v0_1::http {

/// Answers at once. Called on the server's threads, on several at a time.
using handler = std::function<reply(const received_request&)>;

/// Answers after awaiting something. Called as `handler` is; the request stays valid until the answer.
using async_handler = std::function<awaitable<reply>(shard&, const received_request&)>;

/// What answers a request: a reply that is always the same, or a function.
using route_target = std::variant<prepared_reply, handler, async_handler>;

/// Which paths are answered, and how. A path matches as a whole, whatever its query and the method.
class router {
  public:
    /// `path` begins with "/"; a second target for a path replaces the first.
    void add(std::string path, route_target target) {
        if (path.empty() || path.front() != '/') fail_option("route", path, "a path begins with /");
        routes_.insert_or_assign(std::move(path), std::move(target));
    }

    /// Null where the path is not known.
    [[nodiscard]] const route_target* find(std::string_view path) const {
        const auto found = routes_.find(path);
        return found == routes_.end() ? nullptr : &found->second;
    }

  private:
    std::map<std::string, route_target, std::less<>> routes_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/server_state.hpp

namespace benchkit::inline v0_1::http {

/// What one shard of a server has seen; read from any thread.
struct alignas(64) server_counters {
    std::atomic<std::int64_t> requests = 0;     ///< heads parsed
    std::atomic<std::int64_t> connections = 0;  ///< on which one came
};

/// The path under which a server tells its counters; asking for it is counted nowhere, meets no fault and is
/// not logged.
inline constexpr std::string_view stats_path = "/benchkit/stats";

namespace detail {

/// What the connections of a server share, on all its shards.
struct server_state {
    explicit server_state(int shards) : counters(static_cast<std::size_t>(shards)) {}

    router routes;
    http::faults faults;
    std::unique_ptr<request_log> log;  // null where there is none
    std::vector<server_counters> counters;
    bool is_watched = false;  // there are faults or a log: requests are numbered

    /// Before the first connection.
    void start() {
        is_watched = faults.any() || log != nullptr;
        requests_ = 0;
        first_request_ = time_point::max();
    }

    /// A request has come: its number among all, from 0.
    [[nodiscard]] std::int64_t number(time_point now) noexcept {
        const std::int64_t k = requests_.fetch_add(1, std::memory_order_relaxed);
        if (k == 0) first_request_.store(now, std::memory_order_relaxed);
        return k;
    }

    /// When an answer may leave that is due at `time`. Before the first request's time is known to this shard,
    /// it is about now.
    [[nodiscard]] time_point end_of_stalls(time_point time) const noexcept {
        const time_point first = first_request_.load(std::memory_order_relaxed);
        if (first >= time) return time;
        return first + faults.end_of_stalls(time - first);
    }

  private:
    std::atomic<std::int64_t> requests_ = 0;
    std::atomic<time_point> first_request_ = time_point::max();
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/server_connection.hpp

namespace benchkit::inline v0_1::http {

namespace detail {

/// The life of one accepted connection: requests in, replies out, in order, those to pipelined requests in
/// one write. What a server's faults have in store for a request is done here.
class server_connection {
  public:
    /// `number` is that of the connection, from 1.
    server_connection(shard& owner, stream_socket socket, server_state& state, std::int64_t number)
        : shard_(owner),
          socket_(std::move(socket)),
          state_(state),
          counters_(state.counters[static_cast<std::size_t>(owner.index())]),
          number_(number) {}
    server_connection(const server_connection&) = delete;
    server_connection& operator=(const server_connection&) = delete;
    ~server_connection() { log_outcome("unanswered", true); }

    awaitable<> serve() {
        asio::error_code error;
        socket_.non_blocking(true, error);
        socket_.set_option(asio::ip::tcp::no_delay(true), error);  // not on a Unix socket, which has no delay
        socket_input received(socket_.native_handle());
        while (!ended_) {
            if (!received.has_more()) {
                co_await benchkit::detail::wait_for_input(socket_);
            } else {
                co_await shard_.yield();  // a fast peer stops nobody else
            }
            const std::span<char> buffer = shard_.scratch();
            const std::size_t size = received.read(buffer, error);
            if (error == asio::error::would_block) continue;
            if (error) co_return;
            std::string_view input(buffer.data(), size);
            if (!answer(input)) co_await answer_later(input);
            while (!write_some(error)) {
                co_await benchkit::detail::wait_for_output(socket_);
            }
            if (error) co_return;
        }
        if (resets_) {
            reset();
        } else {
            co_await linger();
        }
    }

  private:
    // Answers every request in `input`, and takes it from its front. False where it must suspend first: for the
    // request that is complete (`is_ready_`), or to send what does not wait for more (`direct_`).
    bool answer(std::string_view& input) {
        while (!input.empty() && !ended_) {
            if (!direct_.empty()) return false;
            std::size_t consumed = 0;
            const parse_status status = parser_.consume(input, consumed);
            input.remove_prefix(consumed);
            if (!is_counted_ && parser_.has_head()) count(parser_.get());
            if (status == parse_status::malformed) return refuse();
            if (status == parse_status::need_more) {
                if (parser_.expects_continue()) out_.append("HTTP/1.1 100 Continue\r\n\r\n");
                return true;
            }
            if (must_wait()) {
                is_ready_ = true;
                return false;
            }
            answer_now(input.empty());
        }
        return true;
    }

    // The same for what must suspend. Others may use the buffer that `input` points into meanwhile, so it is
    // copied first.
    awaitable<> answer_later(std::string_view input) {
        const std::string copy(input);
        std::string_view left = copy;
        do {
            if (is_ready_) parser_.keep();
            asio::error_code error;
            while (!write_some(error)) {  // what was answered before does not wait for what comes now
                co_await benchkit::detail::wait_for_output(socket_);
            }
            if (error) co_return;  // the next write finds it again, and ends the connection
            if (!std::exchange(is_ready_, false)) continue;
            if (due_ > shard_.now()) co_await shard_.sleep_until(due_);
            const auto* const route = deferred_route();
            if (route == nullptr) {
                answer_now(left.empty());
            } else {
                const reply reply = co_await ask(*route);
                append(reply);
            }
        } while (!answer(left));
    }

    // Whether the request that is complete cannot be answered at once.
    [[nodiscard]] bool must_wait() {
        const received_request request = parser_.get();
        target_ = state_.routes.find(request.path);
        due_ = {};
        if (is_numbered_) {
            const time_point now = shard_.now();
            due_ = state_.end_of_stalls(time_after(now, fate_.delay));
            if (due_ > now) return true;
        }
        return deferred_route() != nullptr;
    }

    // Null where the request is answered by no coroutine.
    [[nodiscard]] const async_handler* deferred_route() const noexcept {
        const bool asks = fate_.what == fault::none || fate_.what == fault::truncate;
        return target_ != nullptr && asks ? std::get_if<async_handler>(target_) : nullptr;
    }

    // `is_last`: nothing more has come that could be answered in the same write.
    void answer_now(bool is_last) {
        const auto* const fixed = target_ != nullptr ? std::get_if<prepared_reply>(target_) : nullptr;
        if (fate_.what == fault::status) {
            append(reply(fate_.status, std::string(reason_phrase(fate_.status)) + "\n"));
        } else if (fate_.what == fault::reset) {
            append(reply().reset());
        } else if (fate_.what == fault::malformed) {
            out_.append(garbage(fate_.variant));
            end_request("malformed", true);
        } else if (fixed != nullptr) {
            append_fixed(*fixed, is_last);
        } else if (target_ == nullptr) {
            append(reply(404, "no such path\n"));
        } else {
            append(ask(std::get<handler>(*target_)));
        }
    }

    [[nodiscard]] reply ask(const handler& route) const {
        try {
            return route(parser_.get());
        } catch (...) {
            return failed();
        }
    }

    awaitable<reply> ask(const async_handler& route) {
        const received_request request = parser_.get();
        try {
            co_return co_await route(shard_, request);
        } catch (...) {
            co_return failed();
        }
    }

    // The answer to what a route threw; for its catch block.
    [[nodiscard]] static reply failed() {
        try {
            throw;
        } catch (const std::exception& problem) {
            return reply(500, std::string(problem.what()) + "\n");
        } catch (...) {
            return reply(500, "an exception that is no std::exception\n");
        }
    }

    // Always true, as what `answer` returns.
    bool refuse() {
        fate_ = {};
        append(reply(parser_.error_status(), std::string(parser_.reason_malformed()) + "\n").close());
        return true;
    }

    // The bytes are there already in the form that is asked for nearly always. Where they are the only ones, or
    // many, they are sent from where they are.
    void append_fixed(const prepared_reply& fixed, bool is_last) {
        const bool is_usual = parser_.keep_alive() && parser_.minor_version() > 0 &&
                              fate_.what == fault::none && !fixed.source().closes() && !fixed.source().resets();
        if (!is_usual) return append(fixed.source());
        const std::string_view bytes = parser_.get().method == "HEAD" ? fixed.head() : fixed.message();
        if (out_.empty() && (is_last || bytes.size() >= large)) {
            direct_ = bytes;
        } else {
            out_.append(bytes);
        }
        end_request(fixed.source().status(), false);
    }

    void append(const reply& answer) {
        if (answer.resets()) {
            resets_ = true;
            return end_request("reset", true);
        }
        const bool goes_on = !answer.closes() && parser_.keep_alive();
        const bool head_only = parser_.has_head() && parser_.get().method == "HEAD";
        const std::size_t start = out_.size();
        const std::size_t head = serialize(answer, goes_on, parser_.minor_version(), head_only, out_);
        if (fate_.what != fault::truncate) return end_request(answer.status(), !goes_on);
        const std::size_t body = out_.size() - start - head;
        out_.resize(body > 0 ? start + head + body / 2 : start + head / 2);
        end_request("truncated", true);
    }

    // A head has been parsed. The first one that does not ask for the counters makes a connection count.
    void count(const received_request& request) {
        is_counted_ = true;
        is_numbered_ = false;
        fate_ = {};
        if (request.path == stats_path) return;
        counters_.requests.fetch_add(1, std::memory_order_relaxed);
        if (requests_++ == 0) counters_.connections.fetch_add(1, std::memory_order_relaxed);
        if (state_.is_watched) admit(request);
    }

    void admit(const received_request& request) {
        is_numbered_ = true;
        admitted_at_ = shard_.now();
        request_number_ = state_.number(admitted_at_);
        fate_ = state_.faults.fate(request_number_);
        if (!state_.log) return;
        method_.assign(request.method);
        path_.assign(request.path);
    }

    void end_request(int status, bool ends) {
        if (is_numbered_ && ++answers_ == state_.faults.closes_after()) ends = true;
        if (is_numbered_ && state_.log) log_outcome(std::to_string(status), ends);
        start_request(ends);
    }

    void end_request(std::string_view what_was_done, bool ends) {
        log_outcome(what_was_done, ends);
        start_request(ends);
    }

    void start_request(bool ends) noexcept {
        ended_ = ended_ || ends;
        parser_.start();
        is_counted_ = false;
        is_numbered_ = false;
        fate_ = {};
    }

    void log_outcome(std::string_view outcome, bool ends) {
        if (!is_numbered_ || !state_.log) return;
        state_.log->add(shard_.index(), {.number = request_number_ + 1,
                                         .connection = number_,
                                         .on_connection = requests_,
                                         .at = admitted_at_,
                                         .answered_at = shard_.now(),
                                         .method = method_,
                                         .path = path_,
                                         .outcome = outcome,
                                         .connection_is = ends ? "closed" : "kept"});
    }

    // Whether all is written, or cannot be (`error`).
    bool write_some(asio::error_code& error) {
        std::string_view left = direct_.empty() ? std::string_view(out_) : direct_;
        while (!left.empty()) {
            const std::size_t taken = socket_.send(asio::buffer(left.data(), left.size()), 0, error);
            if (error) break;
            left.remove_prefix(taken);
        }
        const bool full = error == asio::error::would_block;
        if (full) error.clear();
        if (direct_.empty()) {
            out_.erase(0, out_.size() - left.size());
        } else {
            direct_ = left;
        }
        return !full;
    }

    // Closing with a linger time of zero sends a reset; a Unix socket, which knows none, is closed.
    void reset() {
        asio::error_code ignored;
        socket_.set_option(asio::socket_base::linger(true, 0), ignored);
        socket_.close(ignored);
    }

    // Ends the waiting for a peer that does not close.
    struct linger_end final : deadline {
        explicit linger_end(stream_socket& lingering) noexcept : socket(lingering) {}
        void expire() override {
            asio::error_code ignored;
            socket.close(ignored);
        }
        stream_socket& socket;
    };

    // Closes our side and waits for the peer's, for 2 s and 1 MiB: closing with unread bytes would reset the
    // connection and could take the last reply with it (RFC 9112 section 9.6).
    awaitable<> linger() {
        asio::error_code error;
        socket_.shutdown(stream_socket::shutdown_send, error);
        linger_end end(socket_);
        shard_.deadlines(std::chrono::seconds(2)).arm(end, shard_.now());
        std::size_t discarded = 0;
        while (!error && discarded < std::size_t{1024} * 1024) {
            co_await socket_.async_wait(stream_socket::wait_read, asio::redirect_error(use_awaitable, error));
            if (error) break;
            const std::span<char> buffer = shard_.scratch();
            discarded += socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
            if (error == asio::error::would_block) error.clear();
        }
    }

    static constexpr std::size_t large = std::size_t{16} * 1024;  // not copied

    shard& shard_;
    stream_socket socket_;
    server_state& state_;
    server_counters& counters_;
    request_parser parser_;
    std::string out_;          // answers that have not been sent
    std::string_view direct_;  // or one of a fixed reply: then `out_` is empty
    const route_target* target_ = nullptr;
    time_point due_{};
    request_fate fate_;
    time_point admitted_at_{};
    std::string method_;  // of a logged request, which may outlive its bytes
    std::string path_;
    std::int64_t number_;
    std::int64_t request_number_ = 0;  // among all of the server, from 0
    std::int64_t requests_ = 0;        // on this connection
    std::int64_t answers_ = 0;
    bool is_counted_ = false;   // the current request has a head
    bool is_numbered_ = false;  // and meets faults or is logged
    bool is_ready_ = false;     // it is complete, and waits
    bool ended_ = false;
    bool resets_ = false;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/server.hpp

namespace benchkit::inline v0_1::http {

/// Where a server listens, and on how many threads it answers.
struct server_options {
    std::string address = "127.0.0.1";  ///< an IPv4 or IPv6 address of this machine
    int port = 0;                       ///< 0 to 65535; 0 lets the system choose
    int shards = 1;                     ///< threads, 1 to 1024
    std::string unix_path = {};         ///< of a Unix socket to listen on, instead of address and port
};

/// An embedded HTTP/1.1 server on threads of its own: the counterpart for demos, examples and tests, and the
/// stand-in for a dependency.
///
///     http::server server;
///     server.route("/", "hello").route("/echo", [](const http::received_request& request) {
///         return http::reply(std::string(request.body));
///     });
///     server.start();
///     ... server.url("/") ...
class server {
  public:
    /// Throws `error` for an address, a port, a path or a number of shards that cannot be.
    explicit server(server_options options = {})
        : options_(std::move(options)), state_(shard_count(sharded{.shards = options_.shards})) {
        if (!options_.unix_path.empty()) detail::check_unix_path("unix_path", options_.unix_path);
        if (options_.port < 0 || options_.port > 65535) {
            fail_option("port", std::to_string(options_.port), "allowed is 0 to 65535");
        }
        asio::error_code error;
        const asio::ip::address address = asio::ip::make_address(options_.address, error);
        if (error) fail_option("address", options_.address, "an IPv4 or IPv6 address is needed");
        endpoint_ = {address, static_cast<asio::ip::port_type>(options_.port)};
        route(std::string(stats_path), [this](const received_request&) { return stats(); });
    }
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server() { stop(); }

    /// Answers a path: with a reply that is always the same, by a function of the request, or by a coroutine of
    /// the shard and the request. Before `start()`.
    template <class Target>
    server& route(std::string path, Target target) {
        if constexpr (std::is_constructible_v<async_handler, Target>) {
            state_.routes.add(std::move(path), async_handler(std::move(target)));
        } else if constexpr (std::is_constructible_v<handler, Target>) {
            state_.routes.add(std::move(path), handler(std::move(target)));
        } else {
            static_assert(std::is_constructible_v<reply, Target>,
                          "a route is a reply, a function of the request, or a coroutine of shard and request");
            state_.routes.add(std::move(path), reply(std::move(target)));
        }
        return *this;
    }

    /// Does wrong what these faults say, from the next `start()` on. Before it.
    server& faults(http::faults wrong) {
        state_.faults = std::move(wrong);
        return *this;
    }

    /// Writes a line for each request into this file; see `request_log`. Throws `error` where it cannot be
    /// written. Before `start()`, which empties the file.
    server& log(const std::string& path) {
        state_.log = std::make_unique<request_log>(path, options_.shards);
        return *this;
    }

    /// What has kept lines from the log, as the system says it; empty where all are there. After `stop()`.
    [[nodiscard]] std::string log_problem() const { return state_.log ? state_.log->problem() : std::string(); }

    /// Listens, and answers on its own threads until `stop()`. Throws `error` where it cannot listen, and where
    /// it does already.
    void start() {
        if (group_) fail("the server has been started already");
        group_ = std::make_unique<shard_group>(sharded{.shards = options_.shards});
        state_.start();
        listen();
        if (state_.log) state_.log->begin();
        group_->at(0).spawn([this] { return accept_all(); });
        for (int index = 0; index < group_->size(); ++index) {
            threads_.emplace_back([this, index] { group_->at(index).run(); });
        }
    }

    /// Ends all connections and threads. Safe to call twice.
    void stop() {
        if (!group_) return;
        group_->stop();
        threads_.clear();
        listener_.reset();
        // The first shard goes first: it holds the socket that waits to be accepted for another.
        for (int index = 0; index < group_->size(); ++index) group_->at(index).shutdown();
        group_.reset();
        if (state_.log) state_.log->flush();
    }

    /// The port it listens on; after `start()`. 0 for a Unix socket.
    [[nodiscard]] int port() const noexcept { return endpoint_.port(); }

    /// The URL of a path on this server; after `start()`. On a Unix socket its host is "localhost", which says
    /// nothing about where to connect.
    [[nodiscard]] std::string url(std::string_view path = "/") const {
        if (!options_.unix_path.empty()) return "http://localhost" + std::string(path);
        const std::string address = endpoint_.address().to_string();
        const std::string host = endpoint_.address().is_v6() ? "[" + address + "]" : address;
        return "http://" + host + ":" + std::to_string(port()) + std::string(path);
    }

    /// Requests whose head has been parsed, without those for `/benchkit/stats`.
    [[nodiscard]] std::int64_t requests() const noexcept { return total(&server_counters::requests); }
    /// Connections on which such a request came.
    [[nodiscard]] std::int64_t connections() const noexcept { return total(&server_counters::connections); }

  private:
    void listen() {
        const executor_type executor = group_->at(0).executor();
        try {
            if (options_.unix_path.empty()) {
                listener_ = std::make_unique<detail::listener>(executor, endpoint_);
                endpoint_.port(static_cast<asio::ip::port_type>(listener_->port()));
            } else {
                listener_ = std::make_unique<detail::listener>(executor, options_.unix_path);
            }
        } catch (...) {
            stop();
            throw;
        }
    }

    // Accepts on the first shard and deals the connections out in turn.
    awaitable<> accept_all() {
        std::int64_t number = 0;
        for (int next = 0;; next = (next + 1) % group_->size()) {
            asio::error_code error;
            shard& owner = group_->at(next);
            stream_socket socket(owner.executor());
            co_await listener_->socket().async_accept(socket, asio::redirect_error(use_awaitable, error));
            if (!error) {
                ++number;
                owner.post([this, &owner, number, accepted = std::move(socket)]() mutable {
                    serve(owner, std::move(accepted), number);
                });
            } else {
                // Out of descriptors, most likely: some will be free again soon.
                co_await group_->at(0).sleep_for(std::chrono::milliseconds(10));
            }
        }
    }

    void serve(shard& owner, stream_socket socket, std::int64_t number) {
        auto connection = std::make_unique<detail::server_connection>(owner, std::move(socket), state_, number);
        owner.spawn([connection = std::move(connection)]() -> awaitable<> {
            // Whatever goes wrong on one connection ends that connection alone.
            try {
                co_await connection->serve();
            } catch (...) {
            }
        });
    }

    [[nodiscard]] reply stats() const {
        const std::string text = "{\"requests\": " + std::to_string(requests()) +
                                 ", \"connections\": " + std::to_string(connections()) + "}\n";
        return reply(text).header("Content-Type", "application/json");
    }

    [[nodiscard]] std::int64_t total(std::atomic<std::int64_t> server_counters::*member) const noexcept {
        std::int64_t sum = 0;
        for (const server_counters& counters : state_.counters)
            sum += (counters.*member).load(std::memory_order_relaxed);
        return sum;
    }

    server_options options_;
    asio::ip::tcp::endpoint endpoint_;
    detail::server_state state_;
    std::unique_ptr<shard_group> group_;
    std::unique_ptr<detail::listener> listener_;
    std::vector<std::jthread> threads_;
};

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/load/arrivals.hpp

namespace benchkit::inline v0_1 {

// How operations arrive in an open loop. These types only describe: wrong values are refused where they are
// used, by `validate` (load/validate_arrivals.hpp), and `arrival_schedule` computes the times.

/// One operation after the other at equal distances, the first at the start of the run.
struct constant {
    benchkit::rate rate;  ///< 1e-6 to 1e9 operations per second

    constexpr explicit constant(benchkit::rate per_second) noexcept : rate(per_second) {}
};

/// A Poisson process: as users arrive who do not know of each other. The gaps are independent and exponentially
/// distributed; the first is before the first operation.
struct poisson {
    benchkit::rate rate;  ///< on average; 1e-6 to 1e9 operations per second

    constexpr explicit poisson(benchkit::rate per_second) noexcept : rate(per_second) {}
};

/// A rate that changes evenly from one value to another over the duration of the run. Each is 0, or 1e-6 to 1e9
/// operations per second; one of them may be 0.
struct ramp {
    rate from;
    rate to;

    constexpr ramp(rate start, rate end) noexcept : from(start), to(end) {}
};

/// Constant rates, one after the other: `stages().add(100, 10s).add(1'000, 30s)`. What is left of an operation
/// at the end of a stage is not lost, but carried over into the next.
class stages {
  public:
    struct stage {
        benchkit::rate rate;          ///< 0 for a pause, or 1e-6 to 1e9 operations per second
        benchkit::duration duration;  ///< more than 0
    };

    stages& add(rate per_second, benchkit::duration length) & {
        list_.push_back({per_second, length});
        return *this;
    }

    [[nodiscard]] stages add(rate per_second, benchkit::duration length) && {
        list_.push_back({per_second, length});
        return std::move(*this);
    }

    [[nodiscard]] const std::vector<stage>& list() const noexcept { return list_; }

  private:
    std::vector<stage> list_;
};

/// Operations at given times since the start of the run: at least one, in ascending order, where equal times
/// may follow each other. Copies share the list.
class trace {
  public:
    using times = std::vector<std::chrono::nanoseconds>;

    /// `file` is where the times were read from, if anywhere.
    explicit trace(times list, std::string file = {})
        : list_(std::make_shared<const times>(std::move(list))), file_(std::move(file)) {}

    [[nodiscard]] const std::shared_ptr<const times>& list() const noexcept { return list_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }

  private:
    std::shared_ptr<const times> list_;
    std::string file_;
};

namespace detail {

/// What stages take together, and a trace until its last operation, is no longer than this: 290 years.
inline constexpr std::chrono::seconds longest_arrivals{std::int64_t{290} * 365 * 24 * 3600};

}  // namespace detail

/// An arrival process of any kind, as a value: `bk::arrivals steady = bk::constant(5'000);`.
class arrivals {
  public:
    using kinds = std::variant<constant, poisson, ramp, stages, trace>;

    /// No process yet: its rate of 0 is refused where it is used.
    arrivals() : kind_(constant(0)) {}

    arrivals(constant kind) : kind_(kind) {}
    arrivals(poisson kind) : kind_(kind) {}
    arrivals(ramp kind) : kind_(kind) {}
    arrivals(stages kind) : kind_(std::move(kind)) {}
    arrivals(trace kind) : kind_(std::move(kind)) {}

    [[nodiscard]] const kinds& kind() const noexcept { return kind_; }

    /// Whether it can only be computed for a run whose duration is known: a ramp.
    [[nodiscard]] bool needs_duration() const noexcept { return std::holds_alternative<ramp>(kind_); }

    /// How long it lasts where it has an end of its own: stages to the end of the last, a trace until a
    /// nanosecond after the last operation, so that this one is still part of the run. Nothing for the others.
    /// For what `validate` takes.
    [[nodiscard]] std::optional<benchkit::duration> own_duration() const noexcept {
        if (const auto* const steps = std::get_if<stages>(&kind_)) {
            std::chrono::nanoseconds sum{0};
            for (const stages::stage& each : steps->list()) sum += each.duration;
            return sum;
        }
        const auto* const recorded = std::get_if<trace>(&kind_);
        if (recorded == nullptr || recorded->list()->empty()) return std::nullopt;
        return recorded->list()->back() + std::chrono::nanoseconds(1);
    }

  private:
    kinds kind_;
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/format_arrivals.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// A rate in plain digits as far as it is one that is allowed: "100000", not "1e+05".
[[nodiscard]] inline std::string plain_rate(rate value) {
    const double per_second = value.per_second;
    const bool usual = per_second == 0 || (per_second >= 1e-6 && per_second <= 1e9);
    if (!usual) return format_number(per_second);
    std::array<char, 32> text;  // the longest has 17 digits after "0.00000"
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), per_second, std::chars_format::fixed);
    return std::string(text.data(), written.ptr);
}

struct arrivals_formatter {
    std::string operator()(const constant& kind) const { return plain_rate(kind.rate); }
    std::string operator()(const poisson& kind) const { return "poisson:" + plain_rate(kind.rate); }

    std::string operator()(const ramp& kind) const {
        return "ramp:" + plain_rate(kind.from) + ".." + plain_rate(kind.to);
    }

    std::string operator()(const stages& kind) const {
        std::string text = "stages:";
        for (const stages::stage& each : kind.list()) {
            if (text.back() != ':') text += ',';
            text += plain_rate(each.rate) + "x" + exact_duration(each.duration);
        }
        return text;
    }

    std::string operator()(const trace& kind) const {
        if (!kind.file().empty()) return "trace:" + kind.file();
        return "trace of " + std::to_string(kind.list()->size()) + " times";
    }
};

}  // namespace detail

/// An arrival process in the form that `parse_arrivals` reads back: "5000", "poisson:5000", "ramp:100..5000",
/// "stages:100x10s,1000x30s", "trace:FILE". Only a trace that comes from no file has no such form: it is "trace
/// of 3 times".
[[nodiscard]] inline std::string format_arrivals(const arrivals& process) {
    return std::visit(detail::arrivals_formatter(), process.kind());
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/exact_rate.hpp

namespace benchkit::inline v0_1::detail {

/// The unit in which parts of an operation are counted where rates follow each other: 10^-18 of one.
inline constexpr std::uint64_t parts_of_operation = 1'000'000'000'000'000'000;

/// A length of time with a fraction: nanoseconds + rest / (what the rate says).
struct exact_time {
    std::uint64_t nanoseconds = 0;  ///< at most the largest std::int64_t, which stands for all that is longer
    std::uint64_t rest = 0;
};

/// `value * factor`, which has to fit.
[[nodiscard]] constexpr uint128 multiply_wide(uint128 value, std::uint64_t factor) noexcept {
    return multiply(value.low, factor) + uint128{value.high * factor, 0};
}

/// A rate as the decimal fraction that its double stands for, so that 0.1 is an operation each 10 s to the
/// nanosecond, for ever. In integers only. For rates of 1e-6 to 1e9, or 0.
class exact_rate {
  public:
    exact_rate() = default;

    explicit exact_rate(rate value) noexcept {
        const decimal fraction = to_decimal(value.per_second).value_or(decimal{});
        if (fraction.places <= 9) {
            units_ = fraction.digits * power_of_ten(9 - fraction.places);
        } else {
            units_ = fraction.digits;
            places_ = fraction.places - 9;
        }
    }

    /// The rate is units() / 10^(9 + places()) per second; places() is 0 to 13, and units() at most 10^18.
    [[nodiscard]] std::uint64_t units() const noexcept { return units_; }
    [[nodiscard]] int places() const noexcept { return places_; }
    [[nodiscard]] bool zero() const noexcept { return units_ == 0; }

    /// How long so many parts of an operation take at this rate, which is not 0: the rest is over units().
    /// Parts of 2^20 operations and less.
    [[nodiscard]] exact_time time_of(uint128 parts) const noexcept {
        const auto [quotient, rest] = divide(multiply_wide(parts, power_of_ten(places_)), units_);
        constexpr auto longest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        if (quotient.high != 0 || quotient.low > longest) return {longest, 0};
        return {quotient.low, rest};
    }

    /// How many parts of an operation this rate makes in so many nanoseconds, rounded down to a whole part.
    [[nodiscard]] uint128 parts_in(std::uint64_t nanoseconds) const noexcept {
        return divide(multiply(units_, nanoseconds), power_of_ten(places_)).quotient;
    }

  private:
    std::uint64_t units_ = 0;
    int places_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/poisson_schedule.hpp

namespace benchkit::inline v0_1::detail {

/// The times of a shard's own Poisson process, of the n-th part of the rate. Independent Poisson processes
/// together are one of the sum of their rates, so the shards need not know of each other.
class poisson_schedule {
  public:
    poisson_schedule(rate all, std::uint64_t shard, std::uint64_t shards, std::uint64_t seed)
        : random_(seed, "arrivals", shard) {
        const exact_rate part(all);
        exact_time mean = part.time_of(multiply(shards, parts_of_operation));
        // Gaps are drawn in a fraction of a nanosecond so small that the mean has 57 binary digits. The longest
        // gap is 44.4 times the mean, which still fits.
        while (mean.nanoseconds < smallest_mean) {
            mean.nanoseconds *= 2;
            mean.rest *= 2;
            if (mean.rest >= part.units()) {
                mean.rest -= part.units();
                ++mean.nanoseconds;
            }
            ++fraction_digits_;
        }
        mean_ = static_cast<std::int64_t>(mean.nanoseconds);
    }

    /// The next operation's nanoseconds since the start of the run, rounded down; the largest integer for all
    /// that is later.
    [[nodiscard]] std::int64_t next() noexcept {
        now_ += static_cast<std::uint64_t>(random_.exponential(mean_));
        const uint128 nanoseconds = now_ >> fraction_digits_;
        constexpr auto latest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        const bool fits = nanoseconds.high == 0 && nanoseconds.low < latest;
        return static_cast<std::int64_t>(fits ? nanoseconds.low : latest);
    }

  private:
    static constexpr std::uint64_t smallest_mean = std::uint64_t{1} << 56;

    random_stream random_;
    uint128 now_;  // in 2^-fraction_digits_ nanoseconds
    int fraction_digits_ = 0;
    std::int64_t mean_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/ramp_schedule.hpp

namespace benchkit::inline v0_1::detail {

/// The times of every n-th operation of a ramp. Operation k is where the integral of the rate reaches k,
/// rounded down to a nanosecond.
///
/// With the rates a and b as integers of one unit and the ramp's duration d in nanoseconds, 2 d times the
/// integral from the end with the lower rate is u (2 d a + (b - a) u), where a <= b and u is the distance from
/// that end. This is an integer of at most 231 bits, so whether an operation is due by a nanosecond is decided
/// exactly. Floating point only guesses where to look; counted from the lower end, the guess has no
/// cancellation.
class ramp_schedule {
  public:
    /// Of the operations `first`, `first + step`, ... of a ramp over `duration`, which is more than 0.
    ramp_schedule(const ramp& kind, std::chrono::nanoseconds duration, std::uint64_t first, std::uint64_t step)
        : duration_(static_cast<std::uint64_t>(duration.count())),
          falling_(kind.from.per_second > kind.to.per_second) {
        const exact_rate low(falling_ ? kind.to : kind.from);
        const exact_rate high(falling_ ? kind.from : kind.to);
        const int places = std::max(low.places(), high.places());
        const uint256 low_units = uint256(low.units()) * power_of_ten(places - low.places());
        const uint256 high_units = uint256(high.units()) * power_of_ten(places - high.places());
        base_ = low_units * duration_ * 2;
        slope_ = high_units - low_units;
        whole_ = integral(duration_);
        const uint256 operation =
            uint256(parts_of_operation) * power_of_ten(places) * duration_ * 2;  // its part of the integral
        reached_ = operation * first;
        step_ = operation * step;
        guess_base_ = base_.to_double();
        guess_slope_ = slope_.to_double();
    }

    /// The next operation's nanoseconds since the start of the run; nothing where the ramp ends before it.
    [[nodiscard]] std::optional<std::int64_t> next() noexcept {
        if (reached_ >= whole_) return std::nullopt;
        // Falling, the time left is the shortest in which all that is left comes: one more than the longest in
        // which less comes.
        const std::uint64_t at =
            falling_ ? duration_ - 1 - longest_within(whole_ - reached_ - 1) : longest_within(reached_);
        reached_ += step_;
        return static_cast<std::int64_t>(at);
    }

  private:
    [[nodiscard]] uint256 integral(std::uint64_t distance) const noexcept {
        return (base_ + slope_ * distance) * distance;
    }

    /// The largest distance from the lower end, below the whole, with an integral of at most `limit`.
    [[nodiscard]] std::uint64_t longest_within(const uint256& limit) const noexcept {
        std::uint64_t distance = guess(limit.to_double());
        std::uint64_t step = 1;
        while (integral(distance) > limit) {  // ends: the integral of 0 is 0
            distance -= std::min(distance, step);
            step *= 2;
        }
        step = 1;
        while (distance + step < duration_ && integral(distance + step) <= limit) {
            distance += step;
            step *= 2;
        }
        for (step /= 2; step > 0; step /= 2) {
            if (distance + step < duration_ && integral(distance + step) <= limit) distance += step;
        }
        return distance;
    }

    /// Roughly the distance u with u (base + slope u) = limit.
    [[nodiscard]] std::uint64_t guess(double limit) const noexcept {
        const double root = std::sqrt(guess_base_ * guess_base_ + 4 * guess_slope_ * limit);
        const double distance = 2 * limit / (guess_base_ + root);
        if (!(distance > 0)) return 0;  // also where 0 was divided by 0
        const double longest = static_cast<double>(duration_);
        return distance < longest ? std::min(static_cast<std::uint64_t>(distance), duration_ - 1)
                                  : duration_ - 1;
    }

    std::uint64_t duration_;
    bool falling_;
    uint256 base_;
    uint256 slope_;
    uint256 whole_;
    uint256 reached_;
    uint256 step_;
    double guess_base_ = 0;
    double guess_slope_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/stage_schedule.hpp

namespace benchkit::inline v0_1::detail {

/// The times of every n-th operation of constant rates that follow each other. Operation k is where the
/// integral of the rate reaches k, rounded down to a nanosecond: at a single rate k / rate. It adds up whole
/// periods and their rests, so that it never drifts.
class stage_schedule {
  public:
    /// Of the operations `first`, `first + step`, ... of a constant rate that never ends.
    stage_schedule(const constant& kind, std::uint64_t first, std::uint64_t step) : index_(first), step_(step) {
        append(kind.rate, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
        enter();
    }

    stage_schedule(const stages& kind, std::uint64_t first, std::uint64_t step) : index_(first), step_(step) {
        stages_.reserve(kind.list().size());
        for (const stages::stage& each : kind.list()) {
            append(each.rate, static_cast<std::uint64_t>(each.duration.count()));
        }
        enter();
    }

    /// The next operation's nanoseconds since the start of the run; nothing after the last stage.
    [[nodiscard]] std::optional<std::int64_t> next() noexcept {
        while (current_ < stages_.size()) {
            const stage_part& stage = stages_[current_];
            if (!stage.rate.zero() && time_.nanoseconds < stage.length) {
                const auto at = static_cast<std::int64_t>(stage.start + time_.nanoseconds);
                advance(stage.rate.units());
                return at;
            }
            ++current_;
            enter();
        }
        return std::nullopt;
    }

  private:
    struct stage_part {
        exact_rate rate;
        std::uint64_t start = 0;   // nanoseconds
        std::uint64_t length = 0;  // nanoseconds
        uint128 parts_before;      // of operations, in the stages before
    };

    void append(rate per_second, std::uint64_t length) {
        stage_part next{exact_rate(per_second), 0, length, {}};
        if (!stages_.empty()) {
            const stage_part& last = stages_.back();
            next.start = last.start + last.length;
            next.parts_before = last.parts_before + last.rate.parts_in(last.length);
        }
        stages_.push_back(next);
    }

    /// Finds the next operation in the stage that has begun: it is due in this one or in a later one.
    void enter() noexcept {
        if (current_ == stages_.size() || stages_[current_].rate.zero()) return;
        const stage_part& stage = stages_[current_];
        time_ = stage.rate.time_of(subtract(multiply(index_, parts_of_operation), stage.parts_before));
        period_ = stage.rate.time_of(multiply(step_, parts_of_operation));
    }

    void advance(std::uint64_t units) noexcept {
        index_ += step_;
        time_.nanoseconds += period_.nanoseconds;
        time_.rest += period_.rest;
        if (time_.rest < units) return;
        time_.rest -= units;
        ++time_.nanoseconds;
    }

    [[nodiscard]] static uint128 subtract(uint128 left, uint128 right) noexcept {
        return {left.high - right.high - (left.low < right.low ? 1U : 0U), left.low - right.low};
    }

    std::vector<stage_part> stages_;
    std::size_t current_ = 0;
    std::uint64_t index_;
    std::uint64_t step_;
    exact_time time_;    // of operation index_ since the start of the current stage
    exact_time period_;  // between two operations of ours
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/validate_arrivals.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// Not less: 17 digits of a rate then still fit into the integers of the schedules.
inline constexpr double smallest_rate = 1e-6;
/// Not more: a nanosecond has one operation.
inline constexpr double largest_rate = 1e9;

/// Also false for NaN.
[[nodiscard]] constexpr bool is_allowed_rate(rate value) noexcept {
    return value.per_second >= smallest_rate && value.per_second <= largest_rate;
}

[[nodiscard]] constexpr bool is_zero_or_allowed_rate(rate value) noexcept {
    return value.per_second == 0 || is_allowed_rate(value);
}

/// The sentence for what is wrong with an arrival process; empty where nothing is.
struct arrivals_judge {
    std::string operator()(const constant& kind) const { return rate_alone(kind.rate); }
    std::string operator()(const poisson& kind) const { return rate_alone(kind.rate); }

    std::string operator()(const ramp& kind) const {
        const bool allowed = is_zero_or_allowed_rate(kind.from) && is_zero_or_allowed_rate(kind.to);
        if (allowed && (kind.from.per_second > 0 || kind.to.per_second > 0)) return {};
        return "allowed are rates of 0.000001 to 1000000000 operations per second, or 0 for one of them";
    }

    std::string operator()(const stages& kind) const {
        if (kind.list().empty()) return "allowed is at least one stage";
        std::chrono::nanoseconds sum{0};
        bool some = false;
        std::size_t number = 0;
        for (const stages::stage& each : kind.list()) {
            const std::string where = "in stage " + std::to_string(++number) + ", allowed is ";
            if (!is_zero_or_allowed_rate(each.rate)) {
                return where + "a rate of 0.000001 to 1000000000 operations per second, or 0 for a pause";
            }
            if (each.duration <= each.duration.zero()) return where + "a duration of more than 0 s";
            if (each.duration > longest_arrivals - sum) {
                return where + "a duration with which all stages last no longer than 290 years";
            }
            sum += each.duration;
            some = some || each.rate.per_second > 0;
        }
        return some ? std::string() : "allowed is at least one stage with a rate above 0";
    }

    std::string operator()(const trace& kind) const {
        const trace::times& times = *kind.list();
        if (times.empty()) return "allowed is at least one time";
        for (std::size_t index = 0; index < times.size(); ++index) {
            const std::string_view problem = times[index] < times[index].zero() ? "is negative"
                                             : index > 0 && times[index] < times[index - 1]
                                                 ? "is before the one that it follows"
                                                 : "";
            if (problem.empty()) continue;
            return std::string("allowed are ascending times of 0 s or more; time ")
                .append(std::to_string(index + 1))
                .append(", " + exact_duration(times[index]) + ", ")
                .append(problem);
        }
        return times.back() > longest_arrivals ? "allowed are times of at most 290 years" : "";
    }

    static std::string rate_alone(rate value) {
        if (is_allowed_rate(value)) return {};
        return "allowed is a rate of 0.000001 to 1000000000 operations per second";
    }
};

}  // namespace detail

/// Fails where an arrival process cannot be, with a sentence that says what is allowed.
inline void validate(const arrivals& process) {
    std::string problem = std::visit(detail::arrivals_judge(), process.kind());
    if (!problem.empty()) fail_option("arrivals", format_arrivals(process), std::move(problem));
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/arrival_schedule.hpp

namespace benchkit::inline v0_1 {

/// Whose operations a schedule has, and until when.
struct arrival_schedule_options {
    std::uint64_t seed = 1;   ///< of a Poisson process
    std::int64_t shard = 0;   ///< 0 to `shards` - 1
    std::int64_t shards = 1;  ///< 1 to 1,048,576
    /// The schedule ends before it, and a ramp runs over it; more than 0. Unless given, the schedule is as long
    /// as its process, which may have no end.
    std::optional<benchkit::duration> duration{};
};

namespace detail {

/// Every n-th time of a list.
class trace_schedule {
  public:
    trace_schedule(const trace& kind, std::uint64_t first, std::uint64_t step)
        : list_(kind.list()), index_(first), step_(step) {}

    [[nodiscard]] std::optional<std::int64_t> next() noexcept {
        if (index_ >= list_->size()) return std::nullopt;
        const std::int64_t at = (*list_)[static_cast<std::size_t>(index_)].count();
        index_ += step_;
        return at;
    }

  private:
    std::shared_ptr<const trace::times> list_;
    std::uint64_t index_;
    std::uint64_t step_;
};

}  // namespace detail

/// When a shard's operations are intended to start: ascending nanoseconds since the start of the run.
/// Everything comes from integers, so it is the same on every compiler and processor.
///
/// Of a constant rate, a ramp, stages and a trace, operation k belongs to shard k mod n: all shards together
/// have what a single one has, and do not fire together. Operation k is due where the integral of the rate
/// reaches k, so the first is at the start, and rate x duration operations, a fraction rounded up, are due
/// within the duration. Of a Poisson process each shard has one of its own, of rate / n.
class arrival_schedule {
  public:
    /// Fails where the process or an option cannot be, and where a ramp has no duration.
    explicit arrival_schedule(const arrivals& process, const arrival_schedule_options& options = {})
        : process_(std::visit([&](const auto& kind) { return begin(kind, process, options); },
                              checked(process, options).kind())),
          end_(options.duration ? options.duration->count() : std::numeric_limits<std::int64_t>::max()) {}

    /// The next operation's intended start since the start of the run; nothing, for ever, where none is left.
    /// It takes no memory.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> next() noexcept {
        const std::optional<std::int64_t> at =
            std::visit([](auto& process) -> std::optional<std::int64_t> { return process.next(); }, process_);
        if (!at || *at >= end_) return std::nullopt;
        return std::chrono::nanoseconds(*at);
    }

  private:
    using processes = std::variant<detail::stage_schedule, detail::poisson_schedule, detail::ramp_schedule,
                                   detail::trace_schedule>;

    static const arrivals& checked(const arrivals& process, const arrival_schedule_options& options) {
        constexpr std::int64_t most_shards = std::int64_t{1} << 20;
        if (options.shards < 1 || options.shards > most_shards) {
            fail_option("shards", std::to_string(options.shards), "allowed is 1 to 1048576");
        }
        if (options.shard < 0 || options.shard >= options.shards) {
            fail_option("shard", std::to_string(options.shard),
                        "allowed is 0 to " + std::to_string(options.shards - 1));
        }
        if (options.duration && *options.duration <= duration::zero()) {
            fail_option("duration", format_duration(*options.duration), "allowed is more than 0 s");
        }
        validate(process);
        return process;
    }

    static std::uint64_t first(const arrival_schedule_options& options) {
        return static_cast<std::uint64_t>(options.shard);
    }

    static std::uint64_t step(const arrival_schedule_options& options) {
        return static_cast<std::uint64_t>(options.shards);
    }

    static processes begin(const constant& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::stage_schedule(kind, first(options), step(options));
    }

    static processes begin(const poisson& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::poisson_schedule(kind.rate, first(options), step(options), options.seed);
    }

    static processes begin(const ramp& kind, const arrivals& process, const arrival_schedule_options& options) {
        if (!options.duration) {
            fail_option("arrivals", format_arrivals(process),
                        "a ramp runs over the duration of the run: give one");
        }
        return detail::ramp_schedule(kind, *options.duration, first(options), step(options));
    }

    static processes begin(const stages& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::stage_schedule(kind, first(options), step(options));
    }

    static processes begin(const trace& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::trace_schedule(kind, first(options), step(options));
    }

    processes process_;
    std::int64_t end_;  // nanoseconds
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/arrival_feed.hpp

namespace benchkit::inline v0_1::detail {

/// The schedule of one shard, as it feeds whichever of its clients is free. Idle clients stand in line; only
/// the first of them waits for the next operation to come due, so there is one timer however many they are.
class arrival_feed {
  public:
    /// `start`: of the run. Of the operations that are intended to start at `measure_from` or later there are
    /// `limit`; all that the schedule has unless it is given. `lasts`: the run goes on behind the last of them,
    /// until its deadline.
    arrival_feed(shard& owner, arrival_schedule schedule, time_point start, time_point measure_from,
                 std::optional<std::int64_t> limit, bool lasts)
        : scheduler_(owner.scheduler()),
          schedule_(std::move(schedule)),
          start_(start),
          measure_from_(measure_from),
          left_(limit),
          lasts_(lasts) {
        advance();
    }

    /// Whether nothing comes any more, and the run need not last for it.
    [[nodiscard]] bool finished() const noexcept { return !next_ && (!lasts_ || left_ == 0); }

    /// Takes the next operation, if it is due, and returns its intended start.
    [[nodiscard]] std::optional<time_point> take(time_point now) {
        if (!next_ || *next_ > now) return std::nullopt;
        const time_point intended = *next_;
        advance();
        call_first(now);
        return intended;
    }

    /// Tells `tell(intended)` of each operation that was due before `end` and that nobody took. Nobody is
    /// called any more.
    template <class Tell>
    void close(time_point end, const Tell& tell) {
        for (; next_ && *next_ < end; advance()) tell(*next_);
        next_.reset();
    }

    /// Whether a client stands idle.
    [[nodiscard]] bool somebody_waits() const noexcept { return !idle_.empty(); }

    /// Suspends a client until an operation may be due. It may be told in vain.
    [[nodiscard]] awaitable<> wait() {
        return suspend([this](waiter& client) {
            if (scheduler_.enqueue(client, idle_)) watch_for_next();
        });
    }

  private:
    void advance() {
        next_.reset();
        const std::optional<std::chrono::nanoseconds> since_start = schedule_.next();
        if (!since_start) return;
        const time_point intended = start_ + *since_start;
        if (left_ && intended >= measure_from_ && (*left_)-- == 0) {
            left_ = 0;
            return;
        }
        next_ = intended;
    }

    // The first in line goes at once where the next operation is already due.
    void call_first(time_point now) {
        if (idle_.empty() || !next_) return;
        if (*next_ <= now) {
            scheduler_.wake(idle_.pop_front());
        } else {
            watch_for_next();
        }
    }

    // Who stands first may still have the timer of an operation that another client has taken meanwhile: then
    // it is woken too early and stands in line again.
    void watch_for_next() {
        if (next_ && !idle_.front().timed) scheduler_.set_timer(idle_.front(), *next_);
    }

    scheduler& scheduler_;
    arrival_schedule schedule_;
    time_point start_;
    time_point measure_from_;
    std::optional<std::int64_t> left_;  // of the measured operations behind the next one
    bool lasts_;
    std::optional<time_point> next_;
    wait_list idle_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/books.hpp

namespace benchkit::inline v0_1::detail {

/// The counts of one shard for one phase of a load, warm-up or measuring (docs/terms.md, "The books").
struct operation_books {
    std::int64_t not_started = 0;  ///< were due, and found no client until the end
    std::int64_t started = 0;
    std::int64_t succeeded = 0;
    std::int64_t succeeded_in_span = 0;
    std::int64_t unfinished = 0;
    std::array<std::int64_t, cause_count> failed{};
    std::map<std::string, std::int64_t> errors;  ///< by the name of the system's error, or of our own

    [[nodiscard]] std::int64_t failed_in_all() const noexcept {
        std::int64_t sum = 0;
        for (const std::int64_t count : failed) sum += count;
        return sum;
    }

    /// Writes the counts under their names, with `prefix` before each. `scheduled` is what started and what
    /// did not.
    void write(counters& into, const std::string& prefix) const {
        into[prefix + "scheduled"] = started + not_started;
        into[prefix + "not_started"] = not_started;
        into[prefix + "started"] = started;
        into[prefix + "succeeded"] = succeeded;
        into[prefix + "failed"] = failed_in_all();
        into[prefix + "unfinished"] = unfinished;
        for (std::size_t index = 0; index < cause_count; ++index) {
            if (failed[index] == 0) continue;
            into[prefix + "failed." + std::string(to_string(static_cast<cause>(index)))] = failed[index];
        }
        for (const auto& [name, count] : errors) into[prefix + "errors." + name] = count;
    }
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/series_recorder.hpp

namespace benchkit::inline v0_1::detail {

inline constexpr histogram_layout series_layout{.lowest = 1, .highest = INT64_MAX, .significant_digits = 2};

/// What ended in one interval of a series; the times as the buckets that are not empty.
struct series_interval {
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
    std::vector<histogram_bucket> times;

    void add(const series_interval& other) {
        succeeded += other.succeeded;
        failed += other.failed;
        times.insert(times.end(), other.times.begin(), other.times.end());
    }

    [[nodiscard]] series_point to_point(double start) const {
        series_point point{.t = start, .succeeded = succeeded, .failed = failed, .p50 = {}, .p99 = {}};
        histogram merged(series_layout);
        for (const histogram_bucket& bucket : times) merged.record(bucket.median(), bucket.count);
        if (merged.count() == 0) return point;
        point.p50 = merged.value_at_percentile(50);
        point.p99 = merged.value_at_percentile(99);
        return point;
    }
};

/// Counts ended operations by intervals of 1 s from `origin`; beyond 86,400 intervals their length doubles. It
/// keeps buckets of two digits for each interval, so that the series of shards merge exactly.
class series_recorder {
  public:
    explicit series_recorder(time_point origin) : origin_(origin) {}

    void succeeded(time_point ended, std::int64_t nanoseconds) {
        advance(ended);
        ++current_.succeeded;
        times_.record(nanoseconds);
    }

    void failed(time_point ended) {
        advance(ended);
        ++current_.failed;
    }

    /// Adds the intervals of another shard with the same origin.
    void merge(series_recorder& other) {
        close_interval();
        other.close_interval();
        while (interval_ < other.interval_) double_interval();
        while (other.interval_ < interval_) other.double_interval();
        for (const auto& [index, interval] : other.closed_) closed_[index].add(interval);
    }

    /// The series up to the last interval in which something ended.
    [[nodiscard]] time_series finish() {
        close_interval();
        time_series series;
        series.interval_seconds = duration(interval_).seconds();
        const std::int64_t count = closed_.empty() ? 0 : closed_.rbegin()->first + 1;
        for (std::int64_t index = 0; index < count; ++index) {
            const double start = static_cast<double>(index) * series.interval_seconds;
            const auto found = closed_.find(index);
            series.points.push_back(found == closed_.end() ? series_point{.t = start, .p50 = {}, .p99 = {}}
                                                           : found->second.to_point(start));
        }
        return series;
    }

  private:
    static constexpr std::int64_t most_intervals = 86'400;

    [[nodiscard]] std::int64_t index_of(time_point when) const noexcept {
        return when < origin_ ? 0 : (when - origin_) / interval_;
    }

    void advance(time_point ended) {
        if (index_of(ended) == current_index_) return;
        close_interval();
        while (index_of(ended) >= most_intervals) double_interval();
        current_index_ = index_of(ended);
    }

    void close_interval() {
        if (current_.succeeded == 0 && current_.failed == 0) return;
        for (const histogram_bucket bucket : times_.buckets()) current_.times.push_back(bucket);
        times_.reset();
        closed_[current_index_].add(std::exchange(current_, {}));
    }

    void double_interval() {
        interval_ *= 2;
        std::map<std::int64_t, series_interval> folded;
        for (const auto& [index, interval] : closed_) folded[index / 2].add(interval);
        closed_ = std::move(folded);
    }

    time_point origin_;
    std::chrono::nanoseconds interval_ = std::chrono::seconds(1);
    std::int64_t current_index_ = 0;
    series_interval current_;
    histogram times_{series_layout};
    std::map<std::int64_t, series_interval> closed_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/shard_rate.hpp

namespace benchkit::inline v0_1::detail {

/// How many operations per second one shard completed, in each interval of 100 ms from `from` on: the "Req/Sec"
/// of wrk. An interval without any counts with the next one that has some. What the deadline cuts is left out.
class shard_rate {
  public:
    shard_rate(time_point from, time_point deadline)
        : start_(from), end_(from + interval), deadline_(deadline) {}

    /// An operation completed at `when`, no earlier than the one before.
    void completed(time_point when) {
        if (when >= end_) [[unlikely]]
            close(when);
        ++count_;
    }

    /// Operations per second, whole. The interval of the last operation is not among them: it may not be over.
    [[nodiscard]] const histogram& rates() const noexcept { return rates_; }

  private:
    static constexpr std::chrono::nanoseconds interval = std::chrono::milliseconds(100);

    void close(time_point when) {
        if (count_ > 0) {
            const std::int64_t intervals = (end_ - start_) / interval;
            if (end_ <= deadline_) rates_.record(count_ * (std::chrono::seconds(1) / interval) / intervals);
            start_ = end_;
            count_ = 0;
        }
        end_ += ((when - end_) / interval + 1) * interval;
    }

    time_point start_;  // of what has not been recorded
    time_point end_;    // of the interval that goes on
    time_point deadline_;
    std::int64_t count_ = 0;
    histogram rates_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/recorder.hpp

namespace benchkit::inline v0_1::detail {

/// What other threads may read of a shard's counts while it runs: the measured operations.
struct alignas(64) published_counts {
    std::atomic<std::int64_t> started = 0;
    std::atomic<std::int64_t> succeeded = 0;
    std::atomic<std::int64_t> failed = 0;
};

/// One operation of one client, from its start to its end.
struct operation {
    time_point intended{};  ///< when it was to start; in a closed loop, when it started
    time_point start{};
    bool active = false;
    bool warm_up = false;
    std::uint32_t request = 0;  ///< which of a list
    bool awaited = true;        ///< its client stood idle when it came due
};

/// Why an operation failed, for the books and for people.
struct operation_failure {
    benchkit::cause cause = cause::assertion;
    std::string error_name;  ///< counted under errors.<name>; empty for none
    std::string sentence;
};

/// Counts and times the operations of one shard. A warm-up operation is counted in its own books and nowhere
/// else.
class recorder {
  public:
    /// `measure_from`: the end of the warm-up; `deadline`: the end of the span, where a duration ends it.
    recorder(time_point measure_from, time_point deadline, bool open_loop = false)
        : measure_from_(measure_from),
          deadline_(deadline),
          open_loop_(open_loop),
          series_(measure_from),
          rate_(measure_from, deadline) {}

    [[nodiscard]] bool warms_up(time_point start) const noexcept { return start < measure_from_; }

    /// In a closed loop.
    void started(operation& begun, time_point now) { started(begun, now, now); }

    /// `intended`: when it was to start.
    void started(operation& begun, time_point intended, time_point now) {
        begun.intended = intended;
        begun.start = now;
        begun.active = true;
        begun.warm_up = warms_up(intended);
        books_of(begun).started++;
        const bool awaited = std::exchange(begun.awaited, false);
        if (begun.warm_up) return;
        if (open_loop_) record_lag(begun, awaited);
        first_start_ = std::min(first_start_, now);
        published.started.store(measured.started, std::memory_order_relaxed);
    }

    void succeeded(operation& ended, time_point now) {
        operation_books& books = books_of(ended);
        ++books.succeeded;
        ended.active = false;
        if (ended.warm_up) return;
        const std::int64_t time = (now - ended.start).count();
        service_time.record(time);
        const std::int64_t told = open_loop_ ? (now - ended.intended).count() : time;
        if (open_loop_) response_time.record(told);
        rate_.completed(now);
        if (in_span(now)) {
            ++books.succeeded_in_span;
            series_.succeeded(in_series(now), told);
        }
        last_end_ = std::max(last_end_, now);
        published.succeeded.store(books.succeeded, std::memory_order_relaxed);
    }

    void failed(operation& ended, time_point now, const operation_failure& failure) {
        operation_books& books = books_of(ended);
        const auto index = static_cast<std::size_t>(failure.cause);
        ++books.failed[index];
        ended.active = false;
        count_error(ended, failure.error_name);
        note_error(ended, now, failure.sentence);
        if (ended.warm_up) return;
        if (open_loop_ && failure.cause == cause::timeout) {
            response_time.record((now - ended.intended).count());
        } else {
            failed_time[index].record((now - ended.start).count());
        }
        if (is_answer(failure.cause)) rate_.completed(now);
        if (in_span(now)) series_.failed(in_series(now));
        last_end_ = std::max(last_end_, now);
        published.failed.store(books.failed_in_all(), std::memory_order_relaxed);
    }

    /// An operation that the run's end has caught in flight.
    void unfinished(operation& caught, time_point now) {
        ++books_of(caught).unfinished;
        caught.active = false;
        if (caught.warm_up) return;
        unfinished_age.record((now - caught.start).count());
        if (open_loop_) response_time.record((now - caught.intended).count());
    }

    /// An operation of an open loop that no client was free for until `end`, the run's.
    void not_started(time_point intended, time_point end) {
        const bool warm = warms_up(intended);
        ++(warm ? warm_up : measured).not_started;
        if (!warm) response_time.record((end - intended).count());
    }

    /// Counts something that went wrong beside the operation's own end; nothing where `name` is empty.
    void count_error(const operation& during, const std::string& name) {
        if (!name.empty()) ++books_of(during).errors[name];
    }

    [[nodiscard]] bool open_loop() const noexcept { return open_loop_; }
    [[nodiscard]] time_point first_start() const noexcept { return first_start_; }
    [[nodiscard]] time_point last_end() const noexcept { return last_end_; }
    [[nodiscard]] series_recorder& series() noexcept { return series_; }
    /// Of what succeeded or was answered otherwise than wanted.
    [[nodiscard]] const histogram& rates() const noexcept { return rate_.rates(); }

    operation_books warm_up;
    operation_books measured;
    published_counts published;
    histogram service_time;
    histogram response_time;                 ///< in an open loop, as `lag` and `timer_lag`
    histogram lag;                           ///< of all that started
    histogram timer_lag;                     ///< of those whose client stood idle: the client's own lateness
    std::int64_t waited_for_connection = 0;  ///< measured operations that came due when no client was free
    std::array<histogram, cause_count> failed_time;
    histogram unfinished_age;
    std::string first_error;
    time_point first_error_at = time_point::max();

  private:
    [[nodiscard]] operation_books& books_of(const operation& one) noexcept {
        return one.warm_up ? warm_up : measured;
    }

    void record_lag(const operation& begun, bool awaited) {
        const std::int64_t late = (begun.start - begun.intended).count();
        lag.record(late);
        if (awaited) {
            timer_lag.record(late);
        } else if (late > 0) {
            ++waited_for_connection;
        }
    }

    // One of the measured operations goes before any of the warm-up, which the books do not count.
    void note_error(const operation& ended, time_point now, const std::string& sentence) {
        const time_point rank = ended.warm_up ? time_point::max() - std::chrono::nanoseconds(1) : now;
        if (rank >= first_error_at) return;
        first_error = ended.warm_up ? "in the warm-up: " + sentence : sentence;
        first_error_at = rank;
    }

    [[nodiscard]] static constexpr bool is_answer(cause failed) noexcept {
        return failed == cause::status || failed == cause::assertion;
    }

    [[nodiscard]] bool in_span(time_point ended) const noexcept { return ended <= deadline_; }

    // What ends at the very deadline belongs to the interval that ends there.
    [[nodiscard]] time_point in_series(time_point ended) const noexcept {
        return std::min(ended, deadline_ - std::chrono::nanoseconds(1));
    }

    time_point measure_from_;
    time_point deadline_;
    bool open_loop_;
    time_point first_start_ = time_point::max();
    time_point last_end_ = time_point::min();
    series_recorder series_;
    shard_rate rate_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/client_stream.hpp

namespace benchkit::inline v0_1::detail {

/// When things happened to a request in flight, besides what its operation keeps.
struct request_times {
    time_point connected_at{};  ///< when its connection was there
    time_point sent_at{};       ///< when its last byte was sent
};

/// The requests of one client on its connection: as many in flight as there are operations, the next begun as
/// soon as an answer has ended. It is the `Stream` of `http::connection::run`; what it does in the load is up
/// to `Owner` (`http_load`).
template <class Owner>
class client_stream {
  public:
    /// `repeated`: the request's bytes, once for each operation; empty where the owner chooses among several,
    /// which are sent one by one. `answers`: how many measured ones were answered.
    client_stream(Owner& owner, http::connection& connection, std::span<operation> operations,
                  std::span<request_times> times, std::string_view repeated, std::int64_t& answers)
        : owner_(owner),
          connection_(connection),
          operations_(operations),
          times_(times),
          repeated_(repeated),
          answers_(answers),
          size_(repeated.size() / operations.size()) {}

    /// Begins the next operation, if there is to be one.
    [[nodiscard]] bool begin_one() {
        const std::size_t place = place_of(in_flight_);
        if (in_flight_ == operations_.size() || !owner_.begin(operations_[place])) return false;
        times_[place].connected_at = operations_[place].start;
        if (owner_.chooses()) choose_request(operations_[place]);
        ++in_flight_;
        unsent_ += size_;
        return true;
    }

    /// Begins as many as may be in flight.
    void fill() {
        while (begin_one()) {
        }
    }

    [[nodiscard]] bool empty() const noexcept { return in_flight_ == 0; }
    [[nodiscard]] operation& oldest() noexcept { return operations_[oldest_]; }
    /// The connection is there for the oldest.
    void connected(time_point now) noexcept { times_[oldest_].connected_at = now; }

    /// The connection is lost: the oldest has failed by this, those behind it are lost with it.
    void lose(const operation_failure& failure, time_point now) {
        for (bool first = true; in_flight_ > 0; first = false) {
            operation& lost = oldest();
            remove_oldest();
            owner_.lost(lost, now,
                        first ? failure : operation_failure{cause::connection_lost, {}, failure.sentence});
        }
        sent_ = part_ = unsent_ = 0;
        body_.clear();
    }

    // What the connection asks and tells.
    [[nodiscard]] std::string_view output() const noexcept {
        return repeated_.substr(repeated_.size() - unsent_);
    }
    [[nodiscard]] std::size_t awaited() const noexcept { return sent_ + (part_ > 0 ? 1 : 0); }
    [[nodiscard]] bool sending() const noexcept { return part_ > 0; }
    [[nodiscard]] bool is_head() const noexcept { return owner_.is_head(oldest_operation()); }

    void on_sent(std::size_t size, time_point now) {
        unsent_ -= size;
        while (size > 0) {
            const std::size_t place = place_of(sent_);
            http::traffic& counted = owner_.books_of(operations_[place]).traffic;
            const std::size_t taken = std::min(size, size_ - part_);
            counted.bytes_sent += static_cast<std::int64_t>(taken);
            size -= taken;
            part_ += taken;
            if (part_ < size_) return;
            part_ = 0;
            ++sent_;
            ++counted.requests_sent;
            times_[place].sent_at = now;
        }
    }
    void on_received(std::size_t size) {
        owner_.books_of(oldest()).traffic.bytes_received += static_cast<std::int64_t>(size);
    }
    void on_head(const http::response_head& head) { owner_.on_head(head); }
    void on_body(std::string_view piece) {
        owner_.books_of(oldest()).body_bytes_received += static_cast<std::int64_t>(piece.size());
        if (owner_.needs_body()) body_.append(piece);
    }
    bool on_answer(const http::answer& ended) {
        operation& answered = oldest();
        request_times& times = times_[oldest_];
        if (sent_ == 0) times.sent_at = ended.first_byte_at;  // it was answered before it was sent
        remove_oldest();
        if (sent_ > 0) --sent_;
        if (!answered.warm_up) ++answers_;
        const bool goes_on = owner_.answered(answered, times, ended, body_);
        body_.clear();
        if (goes_on) fill();
        if (in_flight_ == 0) {
            connection_.end();
        } else {
            connection_.begin(oldest().start);
        }
        return in_flight_ > 0;
    }

  private:
    [[nodiscard]] const operation& oldest_operation() const noexcept { return operations_[oldest_]; }

    void choose_request(operation& own) {
        repeated_ = owner_.choose(own, bytes_);
        size_ = repeated_.size();
    }

    // Where the k-th behind the oldest is, k below the number of operations or, of one, 1.
    [[nodiscard]] std::size_t place_of(std::size_t k) const noexcept {
        const std::size_t place = oldest_ + k;
        return place < operations_.size() ? place : place - operations_.size();
    }

    void remove_oldest() noexcept {
        oldest_ = place_of(1);
        --in_flight_;
    }

    Owner& owner_;
    http::connection& connection_;
    std::span<operation> operations_;  // a ring: those in flight begin at `oldest_`
    std::span<request_times> times_;
    std::string_view repeated_;
    std::int64_t& answers_;
    std::string body_;   // so far, where it is to be judged
    std::string bytes_;  // of a request that has been chosen, where they differ from time to time
    std::size_t size_;   // of one request
    std::size_t oldest_ = 0;
    std::size_t in_flight_ = 0;
    std::size_t sent_ = 0;    // of those in flight, from the oldest on
    std::size_t part_ = 0;    // bytes of the next one that have been sent
    std::size_t unsent_ = 0;  // bytes; always the end of `repeated_`
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/closed_loop.hpp

namespace benchkit::inline v0_1 {

/// A number of clients, each of which waits for its answer, thinks, and starts the next operation.
struct closed_loop {
    std::int64_t clients = 10;        ///< 1 to 1,000,000, dealt out over the shards
    benchkit::duration think_time{};  ///< between an operation's end and the client's next start
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/connect_backoff.hpp

namespace benchkit::inline v0_1::detail {

/// How long a client waits after a connect that failed: from 1 ms, doubling to 1 s, until one succeeds.
class connect_backoff {
  public:
    /// Whether no connect has ended yet.
    [[nodiscard]] bool is_new() const noexcept { return next_ == next_.zero(); }
    [[nodiscard]] std::chrono::nanoseconds next() noexcept {
        if (is_new()) reset();
        const std::chrono::nanoseconds wait = next_;
        next_ = std::min<std::chrono::nanoseconds>(next_ * 2, std::chrono::seconds(1));
        return wait;
    }
    void reset() noexcept { next_ = std::chrono::milliseconds(1); }

  private:
    std::chrono::nanoseconds next_{0};
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/load_limits.hpp

namespace benchkit::inline v0_1 {

/// When a load ends. With both a count and a duration, whichever comes first; with neither, after 10 s.
struct load_limits {
    std::optional<std::int64_t> operations{};      ///< measured operations, 1 or more
    benchkit::duration warmup{};                   ///< before the measuring; not part of count or duration
    std::optional<benchkit::duration> duration{};  ///< of the measuring
    /// For operations that are in flight when the duration ends. Unless given: the target's timeout, or 10 s
    /// for operations that have none.
    std::optional<benchkit::duration> drain{};
    /// End the run at the first operation that fails otherwise than by its status, by the user's own check or
    /// because the peer had closed a kept connection in order.
    bool stop_at_first_error = false;
};

namespace detail {

inline constexpr std::int64_t largest_client_count = 1'000'000;
inline constexpr benchkit::duration default_duration = std::chrono::seconds(10);

inline void require_not_negative(const char* option, benchkit::duration value) {
    if (value < value.zero()) fail_option(option, format_duration(value), "allowed is 0 s or more");
}

inline void validate(const load_limits& limits) {
    if (limits.operations && *limits.operations < 1) {
        fail_option("operations", std::to_string(*limits.operations), "allowed is 1 or more");
    }
    if (limits.duration && *limits.duration <= duration::zero()) {
        fail_option("duration", format_duration(*limits.duration), "allowed is more than 0 s");
    }
    require_not_negative("warmup", limits.warmup);
    if (limits.drain) require_not_negative("drain", *limits.drain);
}

}  // namespace detail

/// Fails where a closed loop or its limits cannot be, with the sentence for the first option that is wrong.
inline void validate(const closed_loop& loop, const load_limits& limits) {
    if (loop.clients < 1 || loop.clients > detail::largest_client_count) {
        fail_option("clients", std::to_string(loop.clients), "allowed is 1 to 1000000");
    }
    detail::require_not_negative("think_time", loop.think_time);
    detail::validate(limits);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/open_loop.hpp

namespace benchkit::inline v0_1 {

/// Operations that start on a schedule, whether or not earlier ones have ended, over a fixed number of
/// connections. One that finds none free waits, and its waiting is part of its response time.
struct open_loop {
    benchkit::arrivals arrivals;    ///< when operations are intended to start
    std::int64_t connections = 10;  ///< dealt out over the shards
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/load_loop.hpp

namespace benchkit::inline v0_1::detail {

/// A loop of either kind, as the parts of a load see it.
struct load_loop {
    load_loop(const closed_loop& closed) : clients(closed.clients), think_time(closed.think_time) {}
    load_loop(const open_loop& open) : clients(open.connections), schedule(open.arrivals), is_open(true) {}

    [[nodiscard]] bool open() const noexcept { return is_open; }
    /// Whether it ends with its last operation, where no limit ends it before: a trace.
    [[nodiscard]] bool ends_itself() const noexcept {
        return open() && std::holds_alternative<trace>(schedule.kind());
    }

    std::int64_t clients;  ///< in an open loop, one for each connection
    benchkit::duration think_time{};
    arrivals schedule;  ///< of an open loop
    bool is_open = false;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/operation_budget.hpp

namespace benchkit::inline v0_1::detail {

/// The operations that are still to be started, shared by the shards of a run. A shard takes them in portions,
/// which become smaller towards the end, so that the shards end together and none is touched per operation.
class operation_budget {
  public:
    explicit operation_budget(std::optional<std::int64_t> operations)
        : left_(operations.value_or(0)), limited_(operations.has_value()) {}

    [[nodiscard]] bool limited() const noexcept { return limited_; }
    [[nodiscard]] bool empty() const noexcept { return limited_ && left_.load(std::memory_order_relaxed) <= 0; }

    /// Takes one operation for each of a shard's clients, before the run, so that every client has one as far
    /// as there are enough. Without a limit there is nothing to take.
    [[nodiscard]] std::int64_t reserve(std::int64_t clients) noexcept {
        if (!limited_) return 0;
        const std::int64_t reserved = std::min(clients, left_.load(std::memory_order_relaxed));
        left_.fetch_sub(reserved, std::memory_order_relaxed);
        return reserved;
    }

    /// Takes a portion; 0 where nothing is left.
    [[nodiscard]] std::int64_t take(int shards) noexcept {
        if (!limited_) return std::numeric_limits<std::int64_t>::max();
        std::int64_t left = left_.load(std::memory_order_relaxed);
        for (;;) {
            const std::int64_t portion =
                std::min(left, std::max<std::int64_t>(1, left / (std::int64_t{8} * shards)));
            if (portion <= 0) return 0;
            if (left_.compare_exchange_weak(left, left - portion, std::memory_order_relaxed)) return portion;
        }
    }

  private:
    std::atomic<std::int64_t> left_;
    bool limited_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/load_state.hpp

namespace benchkit::inline v0_1::detail {

/// What ended a run before its limits did.
enum class early_end : int { none, interrupt, connect_failure, first_error, abort_on, memory };

/// How many clients of a loop ever start: no more than there are operations, but all of them warm up.
[[nodiscard]] inline std::int64_t starting_clients(const load_loop& loop, const load_limits& limits) {
    if (!limits.operations || limits.warmup > limits.warmup.zero()) return loop.clients;
    return std::min(loop.clients, *limits.operations);
}

/// What the shards of one load share. Written rarely: at connects that fail, and when the run ends early.
class load_state {
  public:
    load_state(shard_group& group, const load_loop& loop, const load_limits& limits,
               std::chrono::nanoseconds drain)
        : budget(loop.open() ? std::nullopt : limits.operations),
          group_(group),
          clients_(starting_clients(loop, limits)),
          start_(group.at(0).now()),
          measure_from_(time_after(start_, limits.warmup)),
          deadline_(end_of_measuring(measure_from_, loop, limits)),
          open_loop_(loop.open()),
          ends_itself_(loop.ends_itself()),
          drain_(drain) {}

    [[nodiscard]] time_point start() const noexcept { return start_; }
    [[nodiscard]] time_point measure_from() const noexcept { return measure_from_; }
    /// The end of the span where a duration ends it, else the end of time.
    [[nodiscard]] time_point deadline() const noexcept { return deadline_; }
    [[nodiscard]] time_point drained_by() const noexcept { return time_after(deadline_, drain_); }

    [[nodiscard]] bool open_loop() const noexcept { return open_loop_; }
    /// Whether its last operation ends the run, as that of a count does.
    [[nodiscard]] bool ends_itself() const noexcept { return ends_itself_; }

    [[nodiscard]] early_end ended_early() const noexcept { return ended_early_; }
    [[nodiscard]] time_point ended_early_at() const noexcept {
        return time_point(clock::duration(ended_early_at_));
    }

    /// Ends the run now; the first reason stays. `stop_shard` is called on every shard's thread.
    void end_early(early_end reason, time_point now) {
        early_end none = early_end::none;
        if (!ended_early_.compare_exchange_strong(none, reason)) return;
        ended_early_at_ = now.time_since_epoch().count();
        group_.post_all(stop_shard);
    }

    /// The last operation has been taken; `settle_shard` is called on every shard's thread, once in a run.
    void note_all_taken() {
        if (!all_taken_.exchange(true)) group_.post_all(settle_shard);
    }

    /// A client's first connect has failed; returns whether that of every client has.
    [[nodiscard]] bool first_connect_failed() noexcept { return ++first_connects_failed_ >= clients_; }

    /// A connect has succeeded, or an answer has come.
    void note_success(time_point now) noexcept {
        last_success_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    }

    /// Whether nothing has succeeded for 10 s, though it was tried.
    [[nodiscard]] bool hopeless(time_point now) const noexcept {
        const auto last_success = time_point(clock::duration(last_success_.load(std::memory_order_relaxed)));
        return now - std::max(start_, last_success) >= std::chrono::seconds(10);
    }

    operation_budget budget;
    std::function<void(shard&)> stop_shard;          ///< how a shard's part of the run is stopped
    std::function<void(shard&)> settle_shard;        ///< how it ends where nothing is left for it to do
    std::atomic<std::int64_t> requests_taken = 0;    ///< of a list
    std::atomic<std::int64_t> document_length = -1;  ///< body bytes of the first answer

  private:
    static time_point end_of_measuring(time_point measure_from, const load_loop& loop,
                                       const load_limits& limits) {
        if (limits.duration) return time_after(measure_from, *limits.duration);
        const bool counted = limits.operations || loop.ends_itself();
        return counted ? time_point::max() : time_after(measure_from, default_duration);
    }

    shard_group& group_;
    std::int64_t clients_;
    time_point start_;
    time_point measure_from_;
    time_point deadline_;
    bool open_loop_;
    bool ends_itself_;
    std::chrono::nanoseconds drain_;
    std::atomic<early_end> ended_early_ = early_end::none;
    std::atomic<std::int64_t> ended_early_at_ = 0;
    std::atomic<bool> all_taken_ = false;
    std::atomic<std::int64_t> first_connects_failed_ = 0;
    std::atomic<std::int64_t> last_success_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/load_shard.hpp

namespace benchkit::inline v0_1::detail {

/// One shard's part of a load: who may start an operation and when all is over.
class load_shard {
  public:
    /// `depth`: how many operations a client may have in flight.
    load_shard(shard& owner, load_state& state, std::int64_t clients, bool stop_at_first_error,
               std::int64_t depth = 1)
        : books(state.measure_from(), state.deadline(), state.open_loop()),
          shard_(owner),
          state_(state),
          operations_(static_cast<std::size_t>(clients * depth)),
          depth_(static_cast<std::size_t>(depth)),
          clients_left_(clients),
          claimed_(state.budget.reserve(clients)),
          over_(owner),
          stop_at_first_error_(stop_at_first_error) {}

    [[nodiscard]] shard& owner() noexcept { return shard_; }
    [[nodiscard]] load_state& state() noexcept { return state_; }
    /// Those of all clients: of each, `depth` that stand together.
    [[nodiscard]] std::span<const operation> operations() const noexcept { return operations_; }

    /// Operations start by this schedule, of the measured ones no more than `limit`: an open loop. Before the
    /// run.
    void follow(arrival_schedule schedule, std::optional<std::int64_t> limit) {
        feed_.emplace(shard_, std::move(schedule), state_.start(), state_.measure_from(), limit,
                      state_.deadline() != time_point::max());
    }

    /// Starts `begun` now, unless the run is over for its client or, in an open loop, nothing is due.
    [[nodiscard]] bool begin(operation& begun) {
        const time_point now = shard_.now();
        if (closing_ || now >= state_.deadline()) return false;
        if (feed_) return begin_due(begun, now);
        if (!books.warms_up(now) && !claim()) return false;
        ++in_flight_;
        books.started(begun, now);
        return true;
    }

    /// Whether a client for which nothing is due is to wait: never in a closed loop.
    [[nodiscard]] bool more_to_come() const noexcept { return feed_ && !closing_ && !feed_->finished(); }

    /// Suspends the client of `own` until an operation may be due. It may be told in vain.
    [[nodiscard]] awaitable<> arrival(operation& own) {
        own.awaited = true;
        return feed_->wait();
    }

    void succeeded(operation& ended, time_point now) {
        books.succeeded(ended, now);
        leave_flight();
    }

    void failed(operation& ended, time_point now, const operation_failure& failure) {
        books.failed(ended, now, failure);
        if (stop_at_first_error_ && is_error(failure)) end_early(early_end::first_error, now);
        leave_flight();
    }

    /// Runs `client(operation&)` or `client(std::span<operation>)` for each client, until all is over or time
    /// has run out; what is in flight then is unfinished.
    template <class Client>
    awaitable<> run(Client client) {
        start_clients(client);
        if (!operations_.empty()) co_await wait_for_end();
        close();
        if (feed_) count_not_started();
        const time_point now = shard_.now();
        for (operation& each : operations_) {
            if (each.active) end_in_flight(each, now);
        }
    }

    /// Ends the whole run: this part at once, those of the other shards as soon as they hear of it.
    void end_early(early_end reason, time_point now) {
        state_.end_early(reason, now);
        stop();
    }

    /// A client's connect has failed; `first`: it had not tried before. A run to which nobody answers ends
    /// before its limits.
    void connect_failed(time_point now, bool first) {
        const bool all_refused = first && state_.first_connect_failed();
        if (all_refused || state_.hopeless(now)) end_early(early_end::connect_failure, now);
    }

    /// Ends this part at once.
    void stop() {
        close();
        over_.set();
    }

    /// Ends this part where nothing is in flight and nothing can start any more; its clients may be thinking.
    void end_if_idle() {
        const bool nothing_left = feed_ ? feed_->finished() : claimed_ == 0 && state_.budget.empty();
        if (in_flight_ == 0 && (closing_ || nothing_left)) over_.set();
    }

    recorder books;

  private:
    // An answer is none, whatever it says; nor is a kept connection that the peer has closed in order.
    [[nodiscard]] static bool is_error(const operation_failure& failure) {
        if (failure.cause == cause::status || failure.cause == cause::assertion) return false;
        return failure.cause != cause::stale || !failure.error_name.empty();
    }

    // Where there is no memory for all of them, what there is is given back, and the run ends with a report.
    template <class Client>
    void start_clients(const Client& client) {
        std::size_t first = 0;
        shard_.spare_memory(operations_.size() / depth_);
        try {
            for (; first < operations_.size(); first += depth_) {
                const std::span<operation> own(operations_.data() + first, depth_);
                shard_.spawn([&client, own] { return start_client(client, own); }, [this] { client_ended(); });
            }
        } catch (const std::bad_alloc&) {
            shard_.use_spare_memory();
            clients_left_ -= static_cast<std::int64_t>((operations_.size() - first) / depth_);
            end_early(early_end::memory, shard_.now());
        }
    }

    template <class Client>
    [[nodiscard]] static awaitable<> start_client(const Client& client, std::span<operation> own) {
        if constexpr (std::is_invocable_v<const Client&, operation&>) {
            return client(own.front());
        } else {
            return client(own);
        }
    }

    // Where another client stands idle, nobody was busy when the operation came due.
    bool begin_due(operation& begun, time_point now) {
        const bool others_wait = feed_->somebody_waits();
        const std::optional<time_point> intended = feed_->take(now);
        if (!intended) return false;
        begun.awaited = begun.awaited || others_wait;
        ++in_flight_;
        books.started(begun, *intended, now);
        return true;
    }

    void close() {
        if (!std::exchange(closing_, true)) closed_at_ = std::min(shard_.now(), state_.deadline());
    }

    // What was due before the end and found no client.
    void count_not_started() {
        feed_->close(closed_at_, [this](time_point intended) { books.not_started(intended, closed_at_); });
    }

    void client_ended() {
        if (--clients_left_ == 0) over_.set();
    }

    awaitable<> wait_for_end() {
        const bool over = co_await over_.wait_until(state_.deadline());
        if (over) co_return;
        close();
        if (in_flight_ > 0) co_await over_.wait_until(state_.drained_by());
    }

    void end_in_flight(operation& caught, time_point now) {
        if (state_.ended_early() != early_end::abort_on) return books.unfinished(caught, now);
        books.failed(caught, now,
                     {cause::canceled, {}, "canceled: there were more errors than the run was to have"});
    }

    // Takes one operation from the budget. Who takes the last one tells the other shards.
    [[nodiscard]] bool claim() {
        if (claimed_ == 0) {
            claimed_ = state_.budget.take(shard_.count());
            if (state_.budget.empty()) state_.note_all_taken();
        }
        if (claimed_ == 0) return false;
        --claimed_;
        return true;
    }

    void leave_flight() {
        --in_flight_;
        end_if_idle();
    }

    shard& shard_;
    load_state& state_;
    std::vector<operation> operations_;
    std::size_t depth_;
    std::int64_t clients_left_;
    std::int64_t in_flight_ = 0;
    std::int64_t claimed_;  // operations taken from the budget and not yet started
    event over_;
    bool closing_ = false;
    time_point closed_at_{};
    std::optional<arrival_feed> feed_;  // in an open loop
    bool stop_at_first_error_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/coroutine_load.hpp

namespace benchkit::inline v0_1::detail {

template <class Function>
concept takes_shard = std::is_invocable_v<const Function&, shard&>;

template <class Function>
concept takes_nothing = std::is_invocable_v<const Function&>;

/// The coroutine of one's own as an operation: `function(shard&)` or `function()`.
template <class Function>
[[nodiscard]] awaitable<> call_operation(const Function& function, shard& owner) {
    if constexpr (takes_shard<Function>) {
        return function(owner);
    } else {
        return function();
    }
}

/// One shard's clients that perform a user's coroutine.
template <class Function>
class coroutine_load {
  public:
    coroutine_load(load_shard& load, Function function, std::chrono::nanoseconds think_time)
        : load_(load), function_(std::move(function)), think_time_(think_time) {}

    awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }

    void write(result&) const {}

  private:
    awaitable<> client(operation& own) {
        shard& owner = load_.owner();
        for (;;) {
            while (!load_.begin(own)) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(own);
            }
            const std::optional<operation_failure> failure = co_await perform();
            const time_point now = owner.now();
            require_progress(own, now);
            failure ? load_.failed(own, now, *failure) : load_.succeeded(own, now);
            // A coroutine that never suspends would keep all others, and the run's end, waiting.
            co_await owner.yield();
            if (think_time_ > think_time_.zero()) co_await owner.sleep_for(think_time_);
        }
    }

    awaitable<std::optional<operation_failure>> perform() {
        std::optional<operation_failure> failure;
        try {
            co_await call_operation(function_, load_.owner());
        } catch (const operation_failed& problem) {
            failure = operation_failure{problem.reason(), {}, problem.what()};
        } catch (const std::system_error& problem) {
            failure = operation_failure{cause::assertion, error_name(problem.code()), problem.what()};
        } catch (const std::exception& problem) {
            failure = operation_failure{cause::assertion, {}, problem.what()};
        } catch (...) {
            failure = operation_failure{cause::assertion, {}, "an exception that is no std::exception"};
        }
        co_return failure;
    }

    // In virtual time, operations that take none would go on for ever at one instant.
    void require_progress(const operation& own, time_point now) {
        if (!load_.owner().simulated() || load_.state().open_loop()) return;
        const bool endless = own.warm_up || !load_.state().budget.limited();
        const bool stands = now == own.start && think_time_ <= think_time_.zero() && endless;
        instant_operations_ = stands ? instant_operations_ + 1 : 0;
        if (instant_operations_ > 1'000'000) {
            fail(
                "virtual time: the operation takes no virtual time, so no duration ends it: let it sleep, or "
                "give a number of operations and no warm-up");
        }
    }

    load_shard& load_;
    const Function function_;
    std::chrono::nanoseconds think_time_;
    std::int64_t instant_operations_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/http_recorder.hpp

namespace benchkit::inline v0_1::detail {

/// What HTTP adds to the books of one phase.
struct http_books {
    http::traffic traffic;
    std::int64_t body_bytes_received = 0;
    std::int64_t connections_opened = 0;
    std::int64_t tls_resumed = 0;     ///< connections that took up an earlier TLS session
    std::int64_t kept_alive = 0;      ///< answers after which the connection could take another request
    std::int64_t length_differs = 0;  ///< answers whose body is not as long as the first one's
    std::vector<std::int64_t> statuses = std::vector<std::int64_t>(1000);

    void write(counters& into, const std::string& prefix) const {
        into[prefix + "requests_sent"] = traffic.requests_sent;
        into[prefix + "bytes_sent"] = traffic.bytes_sent;
        into[prefix + "bytes_received"] = traffic.bytes_received;
        into[prefix + "body_bytes_received"] = body_bytes_received;
        into[prefix + "connections_opened"] = connections_opened;
        if (tls_resumed > 0) into[prefix + "tls_resumed"] = tls_resumed;
        into[prefix + "kept_alive"] = kept_alive;
        into[prefix + "length_differs"] = length_differs;
        for (std::size_t status = 0; status < statuses.size(); ++status) {
            if (statuses[status] > 0) into[prefix + "status." + std::to_string(status)] = statuses[status];
        }
    }
};

/// The times of one answered request, as records keep them; nanoseconds.
struct request_record {
    time_point start;
    std::chrono::nanoseconds connect;
    std::chrono::nanoseconds processing;
    std::chrono::nanoseconds waiting;
};

/// Counts and times what HTTP adds to the operations of one shard.
class http_recorder {
  public:
    /// `document_length` is shared by the shards of a run: the body length of the first answer, -1 before it.
    /// `same_document`: all answers should be as long as the first.
    http_recorder(std::atomic<std::int64_t>& document_length, bool keep_records, bool same_document = true)
        : document_length_(document_length), keep_records_(keep_records), same_document_(same_document) {}

    [[nodiscard]] http_books& books_of(const operation& one) noexcept {
        return one.warm_up ? warm_up : measured;
    }

    void connected(const operation& during, const http::connect_outcome& outcome) {
        if (!outcome.failure) ++books_of(during).connections_opened;
        if (outcome.resumed) ++books_of(during).tls_resumed;
        if (during.warm_up) return;
        if (outcome.resolve_time) resolve_time.record(outcome.resolve_time->count());
        if (outcome.failure) return;
        connect_time.record(outcome.connect_time.count());
        if (outcome.tls_time) tls_time.record(outcome.tls_time->count());
    }

    /// A complete answer, whatever its status. `connected_at`: when the connection was there; `sent_at`: when
    /// the last byte of the request was sent; `kept`: the connection takes another request.
    void answered(const operation& during, time_point connected_at, time_point sent_at,
                  const http::answer& ended, bool kept) {
        http_books& books = books_of(during);
        if (kept) ++books.kept_alive;
        ++books.statuses[static_cast<std::size_t>(ended.parsed.status())];
        if (during.warm_up) return;
        if (same_document_) compare_length(ended.parsed.body_bytes());
        const std::chrono::nanoseconds processing = ended.ended_at - connected_at;
        const std::chrono::nanoseconds waiting = ended.first_byte_at - sent_at;
        processing_time.record(processing.count());
        first_byte_time.record(waiting.count());
        const std::chrono::nanoseconds remainder = ended.ended_at - ended.first_byte_at;
        if (remainder > remainder.zero()) remainder_time.record(remainder.count());
        if (keep_records_) records.push_back({during.start, connected_at - during.start, processing, waiting});
    }

    http_books warm_up;
    http_books measured;
    histogram resolve_time;
    histogram connect_time;
    histogram tls_time;
    histogram first_byte_time;
    histogram processing_time;
    histogram remainder_time;  ///< of answers that took more than one read
    std::vector<request_record> records;
    std::string protocol;  ///< what TLS has agreed on, on the first connection
    std::string server;    ///< the Server field of the first answer that had one

  private:
    void compare_length(std::int64_t length) {
        if (expected_length_ < 0) {
            std::int64_t none = -1;
            document_length_.compare_exchange_strong(none, length);
            expected_length_ = document_length_;
        }
        if (length != expected_length_) ++measured.length_differs;
    }

    std::atomic<std::int64_t>& document_length_;
    std::int64_t expected_length_ = -1;
    bool keep_records_;
    bool same_document_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/step_books.hpp

namespace benchkit::inline v0_1::detail {

/// What came of one step, of a journey or of a list of requests, in the measured operations of a shard.
struct step_books {
    histogram times;  ///< of those that succeeded
    std::int64_t failed = 0;

    void write(result& into, std::string_view name) const {
        std::string counter = "step.";
        counter.append(name);
        into.counters[counter + ".succeeded"] += times.count();
        into.counters[counter + ".failed"] += failed;
        std::string time = "step_time.";
        if (times.count() > 0) into.distributions[time.append(name)].values.merge(times);
    }
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/list_load.hpp

namespace benchkit::inline v0_1::detail {

/// The requests of a list on one shard: which comes next, and what came of each. The shards of a run share the
/// count, so that a sequence is sent once and the weights hold over all of them.
class list_load {
  public:
    /// Beyond so many requests they are not told one by one.
    static constexpr std::size_t most_told = 64;

    list_load(load_shard& load, const http::detail::prepared_list& list)
        : state_(load.state()), list_(list), chooser_(list, load.owner().seed()) {
        if (list.size() > 1 && list.size() <= most_told) told_.resize(list.size());
    }

    /// Takes the next request for `own`: its bytes, in `buffer` where they differ from time to time.
    [[nodiscard]] std::string_view choose(operation& own, std::string& buffer) {
        const std::int64_t number = state_.requests_taken.fetch_add(1, std::memory_order_relaxed) + 1;
        const std::size_t index = chooser_.choose(number);
        own.request = static_cast<std::uint32_t>(index);
        return list_.at(index).bytes(buffer, content_, chooser_.values(number));
    }

    [[nodiscard]] bool is_head(const operation& own) const noexcept { return list_.at(own.request).is_head(); }

    void succeeded(const operation& own, time_point now) {
        if (own.warm_up || told_.empty()) return;
        told_[own.request].times.record((now - own.start).count());
    }
    void failed(const operation& own) {
        if (!own.warm_up && !told_.empty()) ++told_[own.request].failed;
    }

    /// Writes what came of each request, as the steps of a journey are written.
    void write(result& into) const {
        for (std::size_t index = 0; index < told_.size(); ++index) {
            told_[index].write(into, list_.name(index));
        }
    }

  private:
    load_state& state_;
    const http::detail::prepared_list& list_;
    http::detail::request_chooser chooser_;
    std::string content_;
    std::vector<step_books> told_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/http_load.hpp

namespace benchkit::inline v0_1::detail {

/// One shard's HTTP clients: a connection each, with one request at a time or a pipeline.
class http_load {
  public:
    /// `endpoints`: what the look-up before the run has found; empty where it has failed.
    http_load(load_shard& load, const http::target& target, const std::vector<http::stream_endpoint>& endpoints,
              std::chrono::nanoseconds think_time, bool keep_records)
        : load_(load),
          target_(target),
          think_time_(think_time),
          connector_(load.owner(), target.plan(), endpoints, target.make_secure()),
          books_(load.state().document_length, keep_records, target.list() == nullptr),
          times_(load.operations().size()) {
        if (target.list() != nullptr) {
            chosen_.emplace(load, *target.list());
            return;
        }
        for (std::int64_t k = 0; k < target.options().pipeline; ++k) requests_ += target.bytes();
    }

    awaitable<> run() {
        return load_.run([this](std::span<operation> own) { return client(own); });
    }

    [[nodiscard]] http_recorder& books() noexcept { return books_; }

    /// Writes what HTTP adds to the shard's result.
    void write(result& into) const {
        books_.measured.write(into.counters, "");
        if (load_.books.warm_up.started > 0) books_.warm_up.write(into.counters, "warmup.");
        write_distribution(into, "resolve_time", books_.resolve_time);
        write_distribution(into, "connect_time", books_.connect_time);
        write_distribution(into, "tls_time", books_.tls_time);
        write_distribution(into, "first_byte_time", books_.first_byte_time);
        write_distribution(into, "processing_time", books_.processing_time);
        write_distribution(into, "remainder_time", books_.remainder_time);
        write_answers(into);
        if (chosen_) chosen_->write(into);
        if (!books_.protocol.empty()) into.attributes["tls.protocol"] = books_.protocol;
        if (!books_.server.empty()) into.attributes["http.server"] = books_.server;
        const std::int64_t length = load_.state().document_length;
        if (length >= 0) into.attributes["http.document_length"] = length;
        for (const request_record& one : books_.records) into.records.push_back(to_record(one));
    }

    // What a client's stream asks and tells.
    [[nodiscard]] bool begin(operation& next) { return load_.begin(next); }
    [[nodiscard]] bool needs_body() const noexcept { return target_.expected().needs_body(); }
    [[nodiscard]] bool chooses() const noexcept { return chosen_.has_value(); }
    [[nodiscard]] std::string_view choose(operation& own, std::string& buffer) {
        return chosen_->choose(own, buffer);
    }
    [[nodiscard]] bool is_head(const operation& own) const noexcept {
        return chosen_ ? chosen_->is_head(own) : target_.what().is_head();
    }
    [[nodiscard]] http_books& books_of(const operation& one) noexcept { return books_.books_of(one); }
    void on_head(const http::response_head& head) {
        if (!books_.server.empty()) return;
        if (const auto value = head.headers.find("Server")) books_.server = *value;
    }
    void lost(operation& own, time_point now, const operation_failure& failure) { fail(own, now, failure); }

    /// An answer has ended; whether the client goes on at once, on the same connection. `body`: where it is
    /// needed.
    [[nodiscard]] bool answered(operation& own, const request_times& times, const http::answer& ended,
                                std::string_view body) {
        const bool kept = ended.keeps && target_.options().keep_alive;
        if (ended.surplus) load_.books.count_error(own, "unsolicited_bytes");
        books_.answered(own, times.connected_at, times.sent_at, ended, kept);
        note_answer(ended.ended_at);
        const int status = ended.parsed.status();
        if (!target_.expected().accepts_status(status)) {
            fail(own, ended.ended_at, {cause::status, {}, "status " + std::to_string(status)});
        } else if (auto wrong = needs_body() ? target_.expected().body_fault(body) : std::nullopt) {
            fail(own, ended.ended_at, {cause::assertion, {}, "assertion: " + *wrong});
        } else {
            if (chosen_) chosen_->succeeded(own, ended.ended_at);
            load_.succeeded(own, ended.ended_at);
        }
        return kept && think_time_ <= think_time_.zero();
    }

  private:
    void fail(operation& own, time_point now, const operation_failure& failure) {
        if (chosen_) chosen_->failed(own);
        load_.failed(own, now, failure);
    }

    static void write_distribution(result& into, const char* name, const histogram& values) {
        if (values.count() > 0) into.distributions[name].values = values;
    }

    void write_answers(result& into) const {
        if (answers_.empty()) return;
        distribution& per_client = into.distributions["answers_per_client"];
        per_client.unit = "answers";
        for (const std::int64_t count : answers_) per_client.values.record(count);
    }

    [[nodiscard]] static record to_record(const request_record& one) {
        const auto microseconds = [](std::chrono::nanoseconds time) {
            return std::int64_t{time / std::chrono::microseconds(1)};
        };
        const std::chrono::nanoseconds since_1970 =
            std::chrono::system_clock::now().time_since_epoch() - (clock::now() - one.start);
        return {{"started_at_us", microseconds(since_1970)},
                {"connect_us", microseconds(one.connect)},
                {"processing_us", microseconds(one.processing)},
                {"total_us", microseconds(one.connect + one.processing)},
                {"waiting_us", microseconds(one.waiting)}};
    }

    using stream = client_stream<http_load>;

    awaitable<> client(std::span<operation> own) {
        http::connection connection(load_.owner(), connector_, target_.options().timeout,
                                    target_.options().connect_timeout);
        stream requests(*this, connection, own, times_of(own), requests_, answers_.emplace_back(0));
        connect_backoff backoff;
        for (;;) {
            while (!requests.begin_one()) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(requests.oldest());
            }
            connection.begin(requests.oldest().start);
            if (!connection.is_open()) {
                http::connect_outcome outcome;
                co_await connection.connect(requests.oldest().start, outcome);
                if (!take_connect(connection, requests, outcome, backoff.is_new())) {
                    co_await load_.owner().sleep_for(backoff.next());
                    continue;
                }
                backoff.reset();
            }
            requests.fill();
            co_await connection.run(requests);
            end_run(connection, requests);
            if (think_time_ > think_time_.zero()) co_await load_.owner().sleep_for(think_time_);
        }
    }

    [[nodiscard]] std::span<request_times> times_of(std::span<const operation> own) {
        const auto first = own.data() - load_.operations().data();
        return std::span(times_).subspan(static_cast<std::size_t>(first), own.size());
    }

    // Whether there is a connection now. `first`: the client had not tried to connect before.
    [[nodiscard]] bool take_connect(http::connection& connection, stream& requests,
                                    const http::connect_outcome& outcome, bool first) {
        const time_point now = load_.owner().now();
        books_.connected(requests.oldest(), outcome);
        requests.connected(now);
        if (outcome.failure) {
            connection.end();
            load_.connect_failed(now, first);
            requests.lose(describe(*outcome.failure), now);
            return false;
        }
        if (books_.protocol.empty()) books_.protocol = connection.protocol();
        load_.state().note_success(now);
        return true;
    }

    void end_run(http::connection& connection, stream& requests) {
        connection.end();
        if (!target_.options().keep_alive) connection.close();
        if (!requests.empty()) requests.lose(why_lost(connection), load_.owner().now());
    }

    // Without a failure, the peer has closed behind an answer: the requests behind it are lost.
    [[nodiscard]] operation_failure why_lost(const http::connection& connection) const {
        if (connection.failure()) return describe(*connection.failure());
        return {cause::connection_lost, {}, "connection_lost: the peer closed it behind an answer"};
    }

    // The other shards need not know of each answer.
    void note_answer(time_point now) {
        if (now - noted_at_ < std::chrono::milliseconds(100)) return;
        noted_at_ = now;
        load_.state().note_success(now);
    }

    [[nodiscard]] operation_failure describe(const http::failure& failure) const {
        const bool before_request = failure.cause == cause::connect || failure.cause == cause::ports ||
                                    failure.cause == cause::resolve || failure.cause == cause::tls;
        std::string sentence = http::describe(failure);
        if (before_request) {
            sentence.insert(to_string(failure.cause).size(), " " + where_it_failed(failure.cause));
        }
        return {failure.cause, failure.error ? error_name(failure.error) : std::string(), std::move(sentence)};
    }

    // The name that was looked up, else the peer; a certificate is one for the URL's host, wherever it lives.
    [[nodiscard]] std::string where_it_failed(cause failed) const {
        const http::connect_plan& plan = target_.plan();
        if (failed == cause::resolve) return plan.host;
        if (failed != cause::tls || plan.host == target_.address().host) return plan.peer();
        return target_.address().host + " at " + plan.peer();
    }

    load_shard& load_;
    const http::target& target_;
    std::chrono::nanoseconds think_time_;
    http::connector connector_;
    std::string requests_;  // the request's bytes, once for each that may be in flight; empty for a list
    std::optional<list_load> chosen_;
    http_recorder books_;
    std::vector<request_times> times_;  // of each operation of the shard
    std::deque<std::int64_t> answers_;  // to measured requests, of each client; they stay where they are
    time_point noted_at_{};             // the last answer that the other shards know of
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/journey_load.hpp

namespace benchkit::inline v0_1::detail {

/// One shard's clients that go on journeys, each with a session of its own.
template <class Function>
class journey_load {
  public:
    journey_load(load_shard& load, const http::journey<Function>& taken, std::chrono::nanoseconds think_time)
        : load_(load),
          target_(taken.to()),
          function_(taken.function()),
          options_(taken.options()),
          think_time_(think_time) {}

    awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }

    void write(result& into) const {
        measured_.write(into.counters, "");
        if (load_.books.warm_up.started > 0) warm_up_.write(into.counters, "warmup.");
        for (const auto& [name, books] : steps_) books.write(into, name);
    }

  private:
    awaitable<> client(operation& own) {
        shard& owner = load_.owner();
        http::session session(owner, target_, options_.follow_redirects);
        session.on_answer = [this, &own](const http::response& answer) {
            ++books_of(own).statuses[static_cast<std::size_t>(answer.status())];
            books_of(own).body_bytes_received += static_cast<std::int64_t>(answer.body().size());
        };
        session.on_step = [this, &own](const http::step_outcome& step) { note(own, step); };
        connect_backoff backoff;
        for (;;) {
            while (!load_.begin(own)) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(own);
            }
            const bool first = backoff.is_new();
            const http::client_counts before = session.client().counts();
            const std::optional<operation_failure> failure = co_await perform(session);
            add(books_of(own), before, session.client().counts());
            const time_point now = owner.now();
            const bool connected = !failure || !is_of_connecting(failure->cause);
            if (!connected) load_.connect_failed(now, first);
            if (connected) load_.state().note_success(now);
            failure ? load_.failed(own, now, *failure) : load_.succeeded(own, now);
            if (connected) backoff.reset();
            // A journey that asks for nothing would keep all others, and the run's end, waiting.
            co_await owner.yield();
            if (!connected) co_await owner.sleep_for(backoff.next());
            if (think_time_ > think_time_.zero()) co_await owner.sleep_for(think_time_);
        }
    }

    awaitable<std::optional<operation_failure>> perform(http::session& session) {
        session.begin();
        std::optional<operation_failure> failure;
        try {
            co_await function_(session);
        } catch (const operation_failed& problem) {
            failure = operation_failure{problem.reason(), {}, problem.what()};
        } catch (const std::system_error& problem) {
            failure = operation_failure{cause::assertion, error_name(problem.code()), problem.what()};
        } catch (const std::exception& problem) {
            failure = operation_failure{cause::assertion, {}, problem.what()};
        } catch (...) {
            failure = operation_failure{cause::assertion, {}, "an exception that is no std::exception"};
        }
        // What the session has seen comes first, also where the code did not look.
        if (const auto& seen = session.failure()) {
            failure = operation_failure{seen->cause, seen->error_name, seen->sentence};
        }
        co_return failure;
    }

    [[nodiscard]] static bool is_of_connecting(cause failed) noexcept {
        return failed == cause::connect || failed == cause::resolve || failed == cause::ports ||
               failed == cause::tls;
    }

    [[nodiscard]] http_books& books_of(const operation& own) noexcept {
        return own.warm_up ? warm_up_ : measured_;
    }

    static void add(http_books& into, const http::client_counts& before, const http::client_counts& after) {
        into.traffic.requests_sent += after.traffic.requests_sent - before.traffic.requests_sent;
        into.traffic.bytes_sent += after.traffic.bytes_sent - before.traffic.bytes_sent;
        into.traffic.bytes_received += after.traffic.bytes_received - before.traffic.bytes_received;
        into.connections_opened += after.connections_opened - before.connections_opened;
        into.kept_alive += after.kept_alive - before.kept_alive;
    }

    void note(const operation& own, const http::step_outcome& step) {
        if (own.warm_up) return;
        auto found = steps_.find(step.name);
        if (found == steps_.end()) found = steps_.emplace(std::string(step.name), step_books()).first;
        if (step.succeeded) {
            found->second.times.record((step.end - step.start).count());
        } else {
            ++found->second.failed;
        }
    }

    load_shard& load_;
    const http::target& target_;
    const Function function_;
    http::journey_options options_;
    std::chrono::nanoseconds think_time_;
    http_books warm_up_;
    http_books measured_;
    std::map<std::string, step_books, std::less<>> steps_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/load_options.hpp

namespace benchkit::inline v0_1 {

/// How far a load has come, warm-up left out.
struct load_progress {
    double elapsed_seconds = 0;              ///< since the run's start
    std::optional<std::int64_t> operations;  ///< how many there will be, where a count ends the run
    std::optional<double> duration_seconds;  ///< warm-up and measuring, where a duration ends the run
    std::int64_t started = 0;
    std::int64_t succeeded = 0;
    std::int64_t failed = 0;
};

namespace detail {

inline constexpr const char* error_limit_forms =
    "allowed is a limit of errors, such as errors>50% or errors>100";

}  // namespace detail

/// What a load does besides measuring.
struct load_options {
    std::string name{};         ///< of the result; empty: what is loaded
    bool keep_records = false;  ///< one record for each answered HTTP request, in `result::records`
    /// Ends the run, and cancels what is in flight, as soon as errors are more than this: a count, or a share,
    /// which is not looked at before 10 operations have ended. Looked at every 100 ms.
    std::optional<requirement> abort_on{};
    /// Called on the first shard now and then, and once more at the end.
    std::function<void(const load_progress&)> on_progress{};
    benchkit::duration progress_interval = std::chrono::milliseconds(200);  ///< more than 0
};

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/load_run.hpp

namespace benchkit::inline v0_1::detail {

/// One shard's part of a load, and what its thread used. `Work` is what its clients do: it has `awaitable<>
/// run()` and `void write(result&) const`.
template <class Work>
struct load_part {
    template <class MakeWork>
    load_part(shard& owner, load_state& state, std::int64_t clients, bool stop_at_first_error,
              std::int64_t depth, const MakeWork& make_work)
        : load(owner, state, clients, stop_at_first_error, depth), work(make_work(load)) {}

    load_shard load;
    Work work;
    resource_use used;
};

/// A load while it runs: the shards, what they share, and each one's part.
template <class Work>
class load_run {
  public:
    /// `depth`: operations that a client may have in flight; `make_work(load_shard&)` makes a shard's work.
    template <executor Executor, class MakeWork>
    load_run(const Executor& description, const load_loop& loop, const load_limits& limits,
             const load_options& options, std::chrono::nanoseconds drain, const MakeWork& make_work,
             std::int64_t depth = 1)
        : limits_(limits), options_(options), group_(description), state_(group_, loop, limits, drain) {
        require_progress_interval();
        require_errors();
        for (int index = 0; index < group_.size(); ++index) {
            parts_.push_back(std::make_unique<load_part<Work>>(group_.at(index), state_,
                                                               share_of(loop.clients, index),
                                                               limits.stop_at_first_error, depth, make_work));
            if (loop.open()) follow(loop.schedule, description.seed, index);
        }
        state_.stop_shard = [this](shard& member) { part(member.index()).load.stop(); };
        state_.settle_shard = [this](shard& member) { part(member.index()).load.end_if_idle(); };
        group_.on_interrupt = [this](int) { state_.end_early(early_end::interrupt, group_.at(0).now()); };
        if constexpr (std::same_as<Executor, sharded>) pin_ = description.pin;
    }

    /// Runs to the end.
    void run() {
        const std::vector<resource_use> used = run_group(group_, pin_, [this](shard& member) {
            if (member.index() == 0 && options_.on_progress) {
                member.spawn([this, &member] { return report_progress(member); });
            }
            if (member.index() == 0 && options_.abort_on) {
                member.spawn([this, &member] { return watch_errors(member); });
            }
            return part(member.index()).work.run();
        });
        for (int index = 0; index < size(); ++index) part(index).used = used[static_cast<std::size_t>(index)];
        trace_hash_ = group_.at(0).scheduler().trace_hash();
        if (options_.on_progress) options_.on_progress(progress(group_.at(0).now()));
    }

    [[nodiscard]] const load_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] load_state& state() noexcept { return state_; }
    [[nodiscard]] int size() const noexcept { return group_.size(); }
    [[nodiscard]] load_part<Work>& part(int index) noexcept { return *parts_[static_cast<std::size_t>(index)]; }
    /// The signal that interrupted the run; 0 for none.
    [[nodiscard]] int signal() const noexcept { return group_.signal(); }
    [[nodiscard]] bool simulated() noexcept { return group_.at(0).simulated(); }
    /// Of the timer events of a simulated run.
    [[nodiscard]] std::uint64_t trace_hash() const noexcept { return trace_hash_; }

  private:
    // What a shard has of a number that is dealt out over all.
    [[nodiscard]] std::int64_t share_of(std::int64_t whole, int index) const {
        return whole / group_.size() + (index < whole % group_.size() ? 1 : 0);
    }

    void follow(const arrivals& process, std::uint64_t seed, int index) {
        arrival_schedule_options options{.seed = seed, .shard = index, .shards = group_.size()};
        if (state_.deadline() != time_point::max()) options.duration = state_.deadline() - state_.start();
        std::optional<std::int64_t> limit;
        if (limits_.operations) limit = share_of(*limits_.operations, place_behind_warm_up(process, options));
        part(index).load.follow(arrival_schedule(process, options), limit);
    }

    // How many shards after that of the first measured operation this one's first comes; operations go round.
    [[nodiscard]] int place_behind_warm_up(const arrivals& process, arrival_schedule_options options) const {
        const auto place = options.shard;
        options.shard = 0;
        if (limits_.warmup <= limits_.warmup.zero() || std::holds_alternative<poisson>(process.kind())) {
            return static_cast<int>(place);
        }
        const std::int64_t shards = std::exchange(options.shards, 1);
        arrival_schedule whole(process, options);
        std::int64_t first = 0;
        for (auto at = whole.next(); at && *at < limits_.warmup; at = whole.next()) ++first;
        return static_cast<int>((place + shards - first % shards) % shards);
    }

    void require_progress_interval() const {
        const benchkit::duration interval = options_.progress_interval;
        if (!options_.on_progress || interval > interval.zero()) return;
        fail_option("progress_interval", format_duration(interval), "allowed is more than 0 s");
    }

    void require_errors() const {
        if (!options_.abort_on) return;
        const requirement& limit = *options_.abort_on;
        const bool of_errors =
            limit.figure == required_figure::errors || limit.figure == required_figure::error_share;
        if (of_errors && limit.above) return;
        fail_option("abort_on", limit.text, error_limit_forms);
    }

    awaitable<> watch_errors(shard& member) {
        const requirement limit = *options_.abort_on;
        const std::int64_t least = limit.figure == required_figure::error_share ? 10 : 1;
        for (;;) {
            co_await member.sleep_for(std::chrono::milliseconds(100));
            const load_progress sum = progress(member.now());
            const auto figure = error_figure(limit, sum.failed, sum.succeeded);
            if (sum.failed + sum.succeeded < least || !figure || !limit.fails_at(*figure)) continue;
            state_.end_early(early_end::abort_on, member.now());
        }
    }

    awaitable<> report_progress(shard& member) {
        for (;;) {
            co_await member.sleep_for(options_.progress_interval);
            options_.on_progress(progress(member.now()));
        }
    }

    [[nodiscard]] load_progress progress(time_point now) const {
        load_progress sum;
        sum.elapsed_seconds = duration(now - state_.start()).seconds();
        sum.operations = limits_.operations;
        if (state_.deadline() != time_point::max()) {
            sum.duration_seconds = duration(state_.deadline() - state_.start()).seconds();
        }
        for (const auto& each : parts_) {
            const published_counts& counts = each->load.books.published;
            sum.started += counts.started.load(std::memory_order_relaxed);
            sum.succeeded += counts.succeeded.load(std::memory_order_relaxed);
            sum.failed += counts.failed.load(std::memory_order_relaxed);
        }
        return sum;
    }

    load_limits limits_;
    load_options options_;
    shard_group group_;
    load_state state_;
    std::vector<std::unique_ptr<load_part<Work>>> parts_;
    bool pin_ = false;
    std::uint64_t trace_hash_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/load_result.hpp

namespace benchkit::inline v0_1::detail {

/// Makes the result of a load that has run: the parts of the shards, merged; the span and its rate; what it
/// says of itself.
template <class Work>
class load_result {
  public:
    explicit load_result(load_run<Work>& run) : run_(run) {}

    /// `described` has the name, the parameters, the start and the environment.
    [[nodiscard]] result make(result described, std::chrono::nanoseconds wall) {
        result total = std::move(described);
        total.kind = "load";
        total.distributions["service_time"] = {};
        resource_use used;
        for (int index = 0; index < run_.size(); ++index) {
            merge(total, measured_by(run_.part(index)));
            used += run_.part(index).used;
        }
        total.resources = to_run_resources(used, wall);
        write_schedule(total);
        write_span(total);
        write_series(total);
        write_first_error(total);
        write_end(total);
        if (run_.size() > 1) {
            std::vector<result> rows;
            for (int index = 0; index < run_.size(); ++index) rows.push_back(child(index, total, wall));
            total.children = std::move(rows);
        }
        check(total);
        total.diagnostics = diagnose(total);
        return total;
    }

  private:
    [[nodiscard]] static result measured_by(const load_part<Work>& part) {
        result measured;
        const recorder& books = part.load.books;
        books.measured.write(measured.counters, "");
        measured.counters["succeeded_in_span"] = books.measured.succeeded_in_span;
        if (books.warm_up.started + books.warm_up.not_started > 0) {
            books.warm_up.write(measured.counters, "warmup.");
        }
        measured.distributions["service_time"].values = books.service_time;
        if (books.open_loop()) write_open_loop(measured, books);
        for (std::size_t index = 0; index < cause_count; ++index) {
            if (books.failed_time[index].count() == 0) continue;
            const std::string name(to_string(static_cast<cause>(index)));
            measured.distributions["failed_time." + name].values = books.failed_time[index];
        }
        if (books.unfinished_age.count() > 0) {
            measured.distributions["unfinished_age"].values = books.unfinished_age;
        }
        measured.distributions["shard_rate"] = {"operations/s", books.rates()};
        part.work.write(measured);
        return measured;
    }

    static void write_open_loop(result& measured, const recorder& books) {
        measured.distributions["response_time"].values = books.response_time;
        measured.distributions["lag"].values = books.lag;
        measured.distributions["timer_lag"].values = books.timer_lag;
        measured.counters["waited_for_connection"] = books.waited_for_connection;
    }

    // With a count, what was scheduled is the count. In an open loop it is what came due.
    void write_schedule(result& total) const {
        if (!run_.limits().operations || run_.state().open_loop()) return;
        const std::int64_t scheduled = *run_.limits().operations;
        total.counters["scheduled"] = scheduled;
        total.counters["not_started"] = scheduled - total.counter("started");
    }

    [[nodiscard]] bool ended_by_count(const result& total) const {
        const bool counted = run_.limits().operations || run_.state().ends_itself();
        const bool all_started = counted && total.counter("not_started") == 0;
        return all_started && total.counter("unfinished") == 0 && last_end() <= run_.state().deadline();
    }

    [[nodiscard]] time_point last_end() const {
        time_point last = time_point::min();
        for (int index = 0; index < run_.size(); ++index)
            last = std::max(last, run_.part(index).load.books.last_end());
        return last;
    }

    // From the first measured start, in an open loop from the schedule's, to the deadline, or to the last end
    // where a count ends the run. An early end cuts it, but not before what other shards completed until they
    // heard of it: that counts in the rate.
    void write_span(result& total) const {
        time_point first = time_point::max();
        for (int index = 0; index < run_.size(); ++index) {
            first = std::min(first, run_.part(index).load.books.first_start());
        }
        if (first == time_point::max() || run_.state().open_loop()) first = run_.state().measure_from();
        time_point last = run_.state().deadline();
        if (run_.state().ended_early() != early_end::none) {
            last = std::min(last, std::max(run_.state().ended_early_at(), last_end()));
        }
        if (ended_by_count(total)) last = last_end();
        const auto since_first = [first](time_point end) {
            return std::max(0.0, duration(end - first).seconds());
        };
        total.elapsed_seconds = since_first(last);
        // What ended in the drain; a report that counts it must also count its time.
        if (last_end() > last) total.attributes["last_end_seconds"] = since_first(last_end());
        if (total.elapsed_seconds > 0) {
            total.rate = static_cast<double>(total.counter("succeeded_in_span")) / total.elapsed_seconds;
        }
    }

    void write_series(result& total) const {
        series_recorder& all = run_.part(0).load.books.series();
        for (int index = 1; index < run_.size(); ++index) all.merge(run_.part(index).load.books.series());
        total.series = all.finish();
    }

    void write_first_error(result& total) const {
        const recorder* earliest = &run_.part(0).load.books;
        for (int index = 1; index < run_.size(); ++index) {
            const recorder& other = run_.part(index).load.books;
            if (other.first_error_at < earliest->first_error_at) earliest = &other;
        }
        if (!earliest->first_error.empty()) total.attributes["first_error"] = earliest->first_error;
    }

    void write_end(result& total) const {
        total.attributes["ended_by"] = std::string(reason(total));
        total.interrupted = run_.state().ended_early() == early_end::interrupt;
        if (total.interrupted) total.attributes["signal"] = std::int64_t{run_.signal()};
        if (run_.simulated()) {
            total.parameters["simulated"] = true;
            total.attributes["virtual.trace_hash"] = hexadecimal(run_.trace_hash());
        }
    }

    [[nodiscard]] std::string_view reason(const result& total) const {
        switch (run_.state().ended_early()) {
            case early_end::interrupt:
                return "interrupt";
            case early_end::connect_failure:
                return "connect-failure";
            case early_end::first_error:
                return "first-error";
            case early_end::abort_on:
                return "abort-on";
            case early_end::memory:
                return "memory";
            case early_end::none:
                break;
        }
        return ended_by_count(total) ? "count" : "duration";
    }

    [[nodiscard]] static std::string hexadecimal(std::uint64_t number) {
        std::string text;
        for (int shift = 60; shift >= 0; shift -= 4)
            text.push_back("0123456789abcdef"[(number >> shift) & 0xf]);
        return text;
    }

    // A shard's own counts, times and use, so that an unequal load is seen.
    [[nodiscard]] result child(int index, const result& total, std::chrono::nanoseconds wall) const {
        result row = measured_by(run_.part(index));
        row.name = "shard " + std::to_string(index);
        row.kind = "shard";
        row.started_at = total.started_at;
        row.elapsed_seconds = total.elapsed_seconds;
        if (row.elapsed_seconds > 0) {
            row.rate = static_cast<double>(row.counter("succeeded_in_span")) / row.elapsed_seconds;
        }
        std::erase_if(row.distributions, [](const auto& each) {
            return each.first != "service_time" && each.first != "response_time";
        });
        row.records.clear();
        row.attributes.clear();
        row.resources = to_run_resources(run_.part(index).used, wall);
        return row;
    }

    load_run<Work>& run_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/validate_open_loop.hpp

namespace benchkit::inline v0_1 {

/// Fails where an open loop or its limits cannot be, with the sentence for the first option that is wrong.
inline void validate(const open_loop& loop, const load_limits& limits, int shards) {
    validate(loop.arrivals);
    if (loop.connections < shards || loop.connections > detail::largest_client_count) {
        fail_option("connections", std::to_string(loop.connections),
                    "allowed is " + std::to_string(shards) + " to 1000000, at least one for each shard");
    }
    detail::validate(limits);
    if (limits.duration && std::holds_alternative<stages>(loop.arrivals.kind())) {
        fail_option("duration", format_duration(*limits.duration),
                    "stages bring a duration of their own: none goes with them");
    }
    const std::optional<duration> own = loop.arrivals.own_duration();
    if (own && limits.warmup >= *own) {
        fail_option("warmup", format_duration(limits.warmup),
                    "allowed is less than the " + format_duration(*own) + " that the arrivals last");
    }
}

namespace detail {

/// The limits with the duration that stages bring, less the warm-up, with which they begin.
[[nodiscard]] inline load_limits limits_of(const open_loop& loop, load_limits limits) {
    if (!std::holds_alternative<stages>(loop.arrivals.kind())) return limits;
    limits.duration = *loop.arrivals.own_duration() - limits.warmup;
    return limits;
}

}  // namespace detail

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/load.hpp

namespace benchkit::inline v0_1 {

namespace detail {

template <class Loaded>
inline constexpr bool is_journey = false;
template <class Function>
inline constexpr bool is_journey<http::journey<Function>> = true;

/// What is loaded by calling it: neither a target nor a journey.
template <class Loaded>
concept is_operation = !std::derived_from<Loaded, http::target> && !is_journey<Loaded>;

/// Raises the limit of descriptors where connections need it; fails where that is not to be had. `option` says
/// how many there are.
inline void require_descriptors(const char* option, std::int64_t connections, int shards) {
    const std::int64_t needed = open_descriptors() + connections + std::int64_t{8} * (shards + 1);
    const std::int64_t limit = raise_descriptor_limit(needed);
    if (limit >= needed) return;
    fail_option(option, std::to_string(connections),
                "needs " + std::to_string(needed) + " file descriptors and the system allows " +
                    std::to_string(limit) + "; take fewer, or raise the limit (ulimit -n)");
}

inline void describe_loop(attributes& parameters, const load_loop& loop) {
    if (loop.open()) {
        parameters["loop"] = std::string("open");
        parameters["arrivals"] = format_arrivals(loop.schedule);
        parameters["connections"] = loop.clients;
    } else {
        parameters["loop"] = std::string("closed");
        parameters["clients"] = loop.clients;
        parameters["think_time_seconds"] = loop.think_time.seconds();
    }
}

/// Name, parameters, start and environment of a load that is about to run.
template <executor Executor>
[[nodiscard]] result describe_load(const Executor& description, const load_loop& loop,
                                   const load_limits& limits, std::chrono::nanoseconds drain,
                                   std::string name) {
    result described;
    described.name = std::move(name);
    attributes& parameters = described.parameters;
    parameters["executor"] = std::string(executor_name(description));
    parameters["shards"] = std::int64_t{shard_count(description)};
    parameters["seed"] = static_cast<std::int64_t>(description.seed);
    if constexpr (real_executor<Executor>) {
        if (description.spin > duration::zero()) parameters["spin_seconds"] = description.spin.seconds();
    }
    describe_loop(parameters, loop);
    parameters["warmup_seconds"] = limits.warmup.seconds();
    parameters["drain_seconds"] = duration(drain).seconds();
    if (limits.operations) parameters["operations"] = *limits.operations;
    if (limits.duration || (!limits.operations && !loop.ends_itself())) {
        parameters["duration_seconds"] = limits.duration.value_or(default_duration).seconds();
    }
    described.environment = describe_environment();
    described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
    return described;
}

/// What a load is called unless it has a name: the URL, behind the method where that is not GET.
[[nodiscard]] inline std::string name_of(const http::target& target) {
    if (const auto* list = target.list(); list != nullptr && list->size() > 1) {
        return std::to_string(list->size()) + " requests to " + target.text();
    }
    const std::string& method = target.what().method();
    return method == "GET" ? target.text() : method + " " + target.text();
}

inline void describe_list(attributes& parameters, const http::detail::prepared_list& list) {
    parameters["requests"] = static_cast<std::int64_t>(list.size());
    parameters["order"] = std::string(list.order() == http::request_order::cycle     ? "cycle"
                                      : list.order() == http::request_order::shuffle ? "shuffle"
                                                                                     : "sequence");
}

/// The limits of a run that sends a sequence: its requests are the operations, each of them once.
[[nodiscard]] inline load_limits limits_of(const http::target& target, load_limits limits) {
    const http::detail::prepared_list* const list = target.list();
    if (list == nullptr || list->order() != http::request_order::sequence) return limits;
    if (limits.warmup > limits.warmup.zero()) {
        fail_option("warmup", format_duration(limits.warmup),
                    "a sequence is sent once, and all of it is measured");
    }
    const auto all = static_cast<std::int64_t>(list->round().size());
    limits.operations = std::min(limits.operations.value_or(all), all);
    return limits;
}

inline void describe_target(attributes& parameters, const http::target& target) {
    const http::target_options& options = target.options();
    parameters["url"] = target.text();
    parameters["host"] = target.address().host;
    parameters["port"] = std::int64_t{target.address().port};
    parameters["path"] = target.path();
    parameters["method"] = target.what().method();
    parameters["request_body_bytes"] = static_cast<std::int64_t>(target.what().body().size());
    parameters["http_version"] = std::string(options.version == http::http_version::http_1_0 ? "1.0" : "1.1");
    parameters["keep_alive"] = options.keep_alive;
    parameters["pipeline"] = options.pipeline;
    if (target.list() != nullptr) describe_list(parameters, *target.list());
    if (options.reset_on_close) parameters["reset_on_close"] = true;
    const http::connect_plan& plan = target.plan();
    if (!plan.unix_socket.empty()) {
        parameters["unix_socket"] = plan.unix_socket;
    } else if (plan.host != target.address().host || plan.port != target.address().port) {
        parameters["connect_to"] = plan.host + ":" + std::to_string(plan.port);
    }
    if (!plan.sources.empty()) parameters["sources"] = static_cast<std::int64_t>(plan.sources.size());
    parameters["timeout_seconds"] = options.timeout.seconds();
    parameters["connect_timeout_seconds"] = options.connect_timeout.seconds();
}

/// Runs a load whose shards do the work that `make_work(load_shard&)` makes, each client with up to `depth`
/// operations in flight.
template <executor Executor, class MakeWork>
[[nodiscard]] result run_load(const Executor& description, const load_loop& loop, const load_limits& limits,
                              const load_options& options, std::chrono::nanoseconds drain, std::int64_t depth,
                              result described, const MakeWork& make_work) {
    using work = std::invoke_result_t<const MakeWork&, load_shard&>;
    const time_point before = clock::now();
    load_run<work> run(description, loop, limits, options, drain, make_work, depth);
    run.run();
    return load_result<work>(run).make(std::move(described), clock::now() - before);
}

/// Loads an HTTP target in a loop of either kind that has been validated.
template <real_executor Executor>
[[nodiscard]] result load_target(const Executor& on, const http::target& target, const load_loop& loop,
                                 const load_limits& limits, const load_options& options) {
    const std::int64_t connections =
        limits.operations && !loop.open() ? std::min(loop.clients, *limits.operations) : loop.clients;
    require_descriptors(loop.open() ? "connections" : "clients", connections, shard_count(on));
    const duration drain = limits.drain.value_or(target.options().timeout);
    const time_point asked_at = clock::now();
    const std::vector<http::stream_endpoint> endpoints = http::look_up(target.plan());
    const std::chrono::nanoseconds resolve_time = clock::now() - asked_at;
    result described =
        describe_load(on, loop, limits, drain, options.name.empty() ? name_of(target) : options.name);
    describe_target(described.parameters, target);
    if (!endpoints.empty() && target.plan().unix_socket.empty())
        described.distributions["resolve_time"].values.record(resolve_time.count());
    return run_load(on, loop, limits, options, drain, target.options().pipeline, std::move(described),
                    [&](load_shard& part) {
                        return http_load(part, target, endpoints, loop.think_time, options.keep_records);
                    });
}

/// Goes on a journey in a loop of either kind that has been validated.
template <real_executor Executor, class Function>
[[nodiscard]] result load_journey(const Executor& on, const http::journey<Function>& taken,
                                  const load_loop& loop, const load_limits& limits,
                                  const load_options& options) {
    static_assert(std::is_same_v<std::invoke_result_t<const Function&, http::session&>, awaitable<>>,
                  "a journey returns benchkit::awaitable<>");
    require_descriptors(loop.open() ? "connections" : "clients", loop.clients, shard_count(on));
    const http::target& target = taken.to();
    const duration drain = limits.drain.value_or(target.options().timeout);
    result described = describe_load(on, loop, limits, drain,
                                     options.name.empty() ? "a journey at " + target.text() : options.name);
    describe_target(described.parameters, target);
    described.parameters["follow_redirects"] = taken.options().follow_redirects;
    return run_load(on, loop, limits, options, drain, 1, std::move(described),
                    [&](load_shard& part) { return journey_load<Function>(part, taken, loop.think_time); });
}

/// Loads a coroutine of the user's in a loop of either kind that has been validated.
template <executor Executor, class Operation>
[[nodiscard]] result load_operation(const Executor& on, const Operation& operation, const load_loop& loop,
                                    const load_limits& limits, const load_options& options) {
    using kept_operation = std::decay_t<Operation>;  // of a plain function, a pointer to it
    static_assert(std::is_copy_constructible_v<kept_operation>,
                  "an operation is copied once per shard: make it copyable");
    static_assert(takes_shard<Operation> || takes_nothing<Operation>,
                  "an operation is called as operation(shard&) or operation(), and is not changed by it");
    if constexpr (takes_shard<Operation>) {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&, shard&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    } else {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    }
    const duration drain = limits.drain.value_or(std::chrono::seconds(10));
    result described =
        describe_load(on, loop, limits, drain, options.name.empty() ? "operation" : options.name);
    return run_load(on, loop, limits, options, drain, 1, std::move(described), [&](load_shard& part) {
        return coroutine_load<kept_operation>(part, operation, loop.think_time);
    });
}

}  // namespace detail

/// Loads an HTTP target in a closed loop and returns the result (docs/terms.md). Each client has a connection.
/// Throws `error` for options that cannot be, before anything starts; whatever happens to requests is counted
/// in the result.
///
///     bk::http::target target{"http://localhost:8088/"};
///     bk::result r = bk::load(bk::single_threaded{}, target, bk::closed_loop{.clients = 10}, {.operations =
///     5'000});
template <real_executor Executor>
[[nodiscard]] result load(const Executor& on, const http::target& target, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    if (target.options().pipeline > 1 && loop.think_time > loop.think_time.zero()) {
        fail_option("think_time", format_duration(loop.think_time), "no time to think goes with a pipeline");
    }
    return detail::load_target(on, target, loop, detail::limits_of(target, limits), options);
}

/// Loads an HTTP target in an open loop: requests start on a schedule, whether or not earlier ones have ended,
/// and their response times count from when they were to start. A connection is opened when the first request
/// needs it.
///
///     bk::result r = bk::load(bk::sharded{2}, target, bk::open_loop{.arrivals = bk::poisson(5'000),
///                             .connections = 64}, {.warmup = 2s, .duration = 20s});
template <real_executor Executor, std::same_as<open_loop> OpenLoop>
[[nodiscard]] result load(const Executor& on, const http::target& target, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    if (target.options().pipeline > 1) {
        fail_option("pipeline", std::to_string(target.options().pipeline),
                    "an open loop has one request in flight on each connection: give it more connections");
    }
    return detail::load_target(on, target, loop, detail::limits_of(target, detail::limits_of(loop, limits)),
                               options);
}

/// Goes on journeys in a closed loop: a journey is one operation, and its steps are told of by name. Each
/// client has a session: a connection and cookies.
template <real_executor Executor, class Function>
[[nodiscard]] result load(const Executor& on, const http::journey<Function>& taken, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    return detail::load_journey(on, taken, loop, limits, options);
}

/// The same in an open loop.
template <real_executor Executor, class Function, std::same_as<open_loop> OpenLoop>
[[nodiscard]] result load(const Executor& on, const http::journey<Function>& taken, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    return detail::load_journey(on, taken, loop, detail::limits_of(loop, limits), options);
}

/// Loads with any coroutine of one's own, in real or in virtual time: `operation(shard&)` or `operation()`,
/// which returns `bk::awaitable<>`. It fails by throwing; `operation_failed` names the cause. It is copied once
/// per shard and called as const.
template <executor Executor, class Operation>
requires detail::is_operation<Operation>
[[nodiscard]] result load(const Executor& on, const Operation& operation, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    return detail::load_operation(on, operation, loop, limits, options);
}

/// The same in an open loop: operations start on a schedule, and as many are in flight at once as there are
/// connections.
template <executor Executor, class Operation, std::same_as<open_loop> OpenLoop>
requires detail::is_operation<Operation>
[[nodiscard]] result load(const Executor& on, const Operation& operation, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    return detail::load_operation(on, operation, loop, detail::limits_of(loop, limits), options);
}

/// Does not compile, with a sentence: real sockets do not wait for virtual time.
template <std::same_as<virtual_time> Executor, class Loop = closed_loop>
result load(const Executor&, const http::target&, const Loop& = {}, const load_limits& = {},
            const load_options& = {}) {
    static_assert(
        real_executor<Executor>,
        "real sockets do not wait for virtual time: load an HTTP target on single_threaded or sharded");
    return {};
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/find_max_rate.hpp

namespace benchkit::inline v0_1 {

/// What the largest rate is looked for under, and how.
struct rate_search {
    std::vector<requirement> slo{};  ///< what must hold of each run (`parse_slo`); one or more
    std::int64_t connections = 10;   ///< of the open loop
    bool random_arrivals = false;    ///< a Poisson process, not equal distances
    benchkit::duration point =
        std::chrono::seconds(5);  ///< the length of a run; longer where a percentile asks for it
    double precision = 0.02;  ///< the search ends where the rates that hold and do not are so close; 0.001 to 1
    int confirmations = 3;    ///< runs in which a rate must hold; 1 to 100
    std::optional<benchkit::rate> start{};  ///< the first rate; unless given, one that a point has enough of
    /// Called after each run with what it was.
    std::function<void(const result&)> on_run{};
};

namespace detail {

/// Of an open loop's operations, so many may not have been started at the end where its schedule was kept.
inline constexpr double kept_share = 0.01;

/// The operations that a run needs, so that every percentile of the objectives is known.
[[nodiscard]] inline double needed_operations(const std::vector<requirement>& slo) {
    double most = 20;
    for (const requirement& each : slo) {
        if (each.figure != required_figure::percentile) continue;
        // Rounded, for 1 - 0.999 is a little less than a thousandth.
        most = std::max(most, std::round(1e9 / (1 - each.percentile / 100)) / 1e8);
    }
    return most;
}

inline void validate(const rate_search& search) {
    if (search.slo.empty()) fail_option("slo", "", "one or more are needed, such as p99<10ms");
    if (search.point <= search.point.zero()) {
        fail_option("point", format_duration(search.point), "allowed is more than 0 s");
    }
    if (!(search.precision >= 0.001 && search.precision <= 1)) {
        fail_option("precision", format_number(search.precision), "allowed is 0.001 to 1");
    }
    if (search.confirmations < 1 || search.confirmations > 100) {
        fail_option("confirmations", std::to_string(search.confirmations), "allowed is 1 to 100");
    }
}

/// The search for the largest rate at which the objectives hold: the rate is doubled until they do not, then
/// the gap is halved. `measure(rate, duration, run)` runs an open loop; it may be any function.
template <class Measure>
class max_rate_search {
  public:
    max_rate_search(const rate_search& search, const Measure& measure) : search_(search), measure_(measure) {}

    /// `described` has the name, the environment and the parameters that are known before.
    [[nodiscard]] result run(result described) {
        total_ = std::move(described);
        total_.kind = "sweep";
        const time_point begun = clock::now();
        find();
        total_.elapsed_seconds = benchkit::duration(clock::now() - begun).seconds();
        describe();
        return std::move(total_);
    }

  private:
    void find() {
        const double start = first_rate();
        double rate = start;
        while (!over_ && rate <= largest_rate && holds(rate)) {
            held_ = rate;
            rate *= 2;
        }
        if (over_ || rate > largest_rate) return;
        broken_ = rate;
        // Where even the first rate is too much, a lower one is looked for; its runs are longer, if need be.
        for (int halvings = 0; !over_ && held_ == 0 && halvings < most_halvings; ++halvings) {
            rate /= 2;
            if (holds(rate)) {
                held_ = rate;
            } else if (!over_) {
                broken_ = rate;
            }
        }
        while (!over_ && held_ > 0 && broken_ > held_ * (1 + search_.precision)) {
            const double middle = held_ + (broken_ - held_) / 2;
            const bool fine = holds(middle);
            if (over_) return;
            (fine ? held_ : broken_) = middle;
        }
    }

    [[nodiscard]] double first_rate() const {
        if (search_.start) return search_.start->per_second;
        return std::max(10.0, std::ceil(needed_operations(search_.slo) / search_.point.seconds()));
    }

    // A rate holds where it has held in as many runs as asked for before two have broken it: one run alone may
    // be the machine's fault.
    bool holds(double rate) {
        int held = 0;
        int broken_runs = 0;
        while (held < search_.confirmations && broken_runs < std::min(2, search_.confirmations)) {
            const bool fine = run_once(rate);
            if (over_) return false;
            ++(fine ? held : broken_runs);
        }
        return held == search_.confirmations;
    }

    bool run_once(double rate) {
        const double seconds = std::max(search_.point.seconds(), 1.02 * needed_operations(search_.slo) / rate);
        result one = measure_(benchkit::rate(rate), std::chrono::duration<double>(seconds), runs_++);
        const std::optional<std::string> why = problem_of(one);
        one.name = format_rate(rate);
        one.parameters["offered_rate"] = rate;
        one.attributes["verdict"] = std::string(why ? "broken" : "held");
        if (why) one.attributes["reason"] = *why;
        one.environment.clear();
        one.children.clear();
        one.records.clear();
        one.series.reset();
        over_ = one.interrupted || one.counter("succeeded") + one.counter("failed.status") == 0;
        if (search_.on_run) search_.on_run(one);
        total_.children.push_back(std::move(one));
        return !why;
    }

    [[nodiscard]] std::optional<std::string> problem_of(const result& one) const {
        for (const requirement& each : search_.slo) {
            if (auto why = broken(each, one)) return why;
        }
        const std::int64_t scheduled = one.counter("scheduled");
        const std::int64_t never = one.counter("not_started");
        if (static_cast<double>(never) <= kept_share * static_cast<double>(scheduled)) return std::nullopt;
        return format_count(never) + " of " + format_count(scheduled) +
               " operations had not started at the end";
    }

    void describe() {
        describe_search();
        for (const result& one : total_.children) total_.interrupted = total_.interrupted || one.interrupted;
        if (!total_.children.empty()) {
            const result& last = total_.children.back();
            for (const char* name : {"signal", "first_error"}) {
                const auto found = last.attributes.find(name);
                if (found != last.attributes.end()) total_.attributes[name] = found->second;
            }
        }
        if (held_ > 0) {
            total_.rate = held_;
            total_.attributes["max_rate"] = held_;
        }
        if (std::isfinite(broken_)) total_.attributes["broken_rate"] = broken_;
        judge();
    }

    void describe_search() {
        std::string texts;
        for (const requirement& each : search_.slo) texts.append(texts.empty() ? "" : ", ").append(each.text);
        total_.parameters["slo"] = texts;
        total_.parameters["connections"] = search_.connections;
        total_.parameters["arrivals"] = std::string(search_.random_arrivals ? "poisson" : "constant");
        total_.parameters["point_seconds"] = search_.point.seconds();
        total_.parameters["precision"] = search_.precision;
        total_.parameters["confirmations"] = std::int64_t{search_.confirmations};
    }

    // Whether a run at the rate that did not hold was spoilt by the client itself.
    [[nodiscard]] bool spoilt_by_client() const {
        for (const result& one : total_.children) {
            if (find_number(one.parameters, "offered_rate") != broken_) continue;
            for (const diagnostic& said : one.diagnostics) {
                if (said.code == "client-saturated" || said.code == "late-client") return true;
            }
        }
        return false;
    }

    void judge() {
        if (total_.interrupted) {
            total_.diagnostics.push_back({"interrupted", severity::warning,
                                          "The search was interrupted: the largest rate may be higher."});
        } else if (held_ == 0 && !over_) {
            total_.diagnostics.push_back({"slo-missed", severity::failure,
                                          "The objectives were missed even at " + format_rate(broken_) +
                                              ", the lowest rate that was tried."});
        } else if (held_ > 0 && !std::isfinite(broken_)) {
            total_.diagnostics.push_back({"lower-bound", severity::warning,
                                          "No rate broke the objectives: the largest rate is higher."});
        } else if (held_ > 0 && spoilt_by_client()) {
            total_.diagnostics.push_back({"lower-bound", severity::warning,
                                          "At " + format_rate(broken_) +
                                              " the client itself was saturated or late, so the target may "
                                              "hold more than was found. Use "
                                              "more shards or another machine."});
        }
    }

    static constexpr int most_halvings = 4;

    const rate_search& search_;
    const Measure& measure_;
    result total_;
    double held_ = 0;
    double broken_ = std::numeric_limits<double>::infinity();
    int runs_ = 0;
    bool over_ = false;
};

/// Finds the largest rate with an open loop of the target or operation. Each run has a seed of its own.
template <executor Executor, class Loaded>
[[nodiscard]] result find_max_rate_of(const Executor& on, const Loaded& loaded, const rate_search& search,
                                      std::string name, const load_options& options) {
    validate(search);
    const auto loop_of = [&](rate offered) {
        if (search.random_arrivals) {
            return open_loop{.arrivals = poisson(offered), .connections = search.connections};
        }
        return open_loop{.arrivals = constant(offered), .connections = search.connections};
    };
    benchkit::validate(loop_of(search.start.value_or(rate(1))), load_limits{}, shard_count(on));
    const auto measure = [&](rate offered, benchkit::duration length, int run) {
        Executor seeded = on;
        seeded.seed += static_cast<std::uint64_t>(run);
        return load(seeded, loaded, loop_of(offered), {.duration = length}, options);
    };
    result described;
    described.name = std::move(name);
    described.parameters["shards"] = std::int64_t{shard_count(on)};
    described.parameters["seed"] = static_cast<std::int64_t>(on.seed);
    described.environment = describe_environment();
    described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
    return max_rate_search(search, measure).run(std::move(described));
}

}  // namespace detail

/// Finds the largest rate of an open loop at which the objectives hold: doubling, then halving the gap, each
/// rate confirmed in several runs. A run that did not start its schedule (more than 1 % not started at the end)
/// holds none. The result, of the kind "sweep", has a child for each run, in their order; `rate` is the largest
/// rate that held, absent where none did. Throws `error` for what cannot be, before anything starts.
///
///     bk::result found = bk::find_max_rate(bk::single_threaded{}, target, {.slo = {bk::parse_slo("slo",
///     "p99<10ms")}});
template <real_executor Executor>
[[nodiscard]] result find_max_rate(const Executor& on, const http::target& target, const rate_search& search,
                                   const load_options& options = {}) {
    std::string name = "the largest rate of ";
    name += options.name.empty() ? detail::name_of(target) : options.name;
    result found = detail::find_max_rate_of(on, target, search, std::move(name), options);
    found.parameters["url"] = target.text();
    return found;
}

/// The same for any coroutine, also in virtual time.
template <executor Executor, class Operation>
requires detail::is_operation<Operation>
[[nodiscard]] result find_max_rate(const Executor& on, const Operation& operation, const rate_search& search,
                                   const load_options& options = {}) {
    std::string name = "the largest rate of ";
    name += options.name.empty() ? "operation" : options.name;
    return detail::find_max_rate_of(on, operation, search, std::move(name), options);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/matrix_row.hpp

namespace benchkit::inline v0_1 {

/// One row of a matrix: the closed loop that every target of it gets.
struct matrix_row {
    std::int64_t clients = 10;                     ///< each on a connection, 1 to 1,000,000
    std::optional<std::int64_t> operations{};      ///< requests of a run, 1 or more
    std::optional<benchkit::duration> duration{};  ///< of a run; with neither it takes 10 s
    int shards = 1;                                ///< threads, 1 to 1024
    bool keep_alive = true;                        ///< several requests on one connection

    friend bool operator==(const matrix_row&, const matrix_row&) = default;
};

/// A row as `parse_matrix_row` reads it: "c=100,n=1000000,t=16,keepalive=yes".
[[nodiscard]] inline std::string format_matrix_row(const matrix_row& row) {
    std::string text("c=");
    text += std::to_string(row.clients);
    if (row.operations) text.append(",n=").append(std::to_string(*row.operations));
    if (row.duration) text.append(",d=").append(detail::exact_duration(*row.duration));
    text.append(",t=").append(std::to_string(row.shards));
    return text.append(row.keep_alive ? ",keepalive=yes" : ",keepalive=no");
}

/// Fails where a row cannot be, with the sentence for the first option that is wrong.
inline void validate(const matrix_row& row) {
    validate(closed_loop{.clients = row.clients},
             load_limits{.operations = row.operations, .duration = row.duration});
    (void)shard_count(sharded{.shards = row.shards});
}

/// The six rows of the published comparison of Drogon and Nginx by httpress, in its order, with `scale` times
/// as many requests. Fails by the name "scale" where that is not above 0 and at most 1,000, or where it leaves
/// a row with fewer requests than clients.
[[nodiscard]] inline std::vector<matrix_row> published_matrix_rows(double scale = 1) {
    constexpr std::int64_t million = 1'000'000;
    const std::vector<matrix_row> published{
        {.clients = 100, .operations = million, .shards = 16, .keep_alive = true},
        {.clients = 100, .operations = million, .shards = 12, .keep_alive = false},
        {.clients = 1'000, .operations = million, .shards = 16, .keep_alive = true},
        {.clients = 1'000, .operations = million, .shards = 16, .keep_alive = false},
        {.clients = 10'000, .operations = 4 * million, .shards = 16, .keep_alive = true},
        {.clients = 10'000, .operations = million, .shards = 16, .keep_alive = false},
    };
    if (!(scale > 0 && scale <= 1'000)) {
        fail_option("scale", format_number(scale), "allowed is a number above 0, at most 1000");
    }
    std::vector<matrix_row> rows = published;
    for (matrix_row& row : rows) {
        row.operations = std::llround(scale * static_cast<double>(*row.operations));
        if (*row.operations >= row.clients) continue;
        fail_option("scale", format_number(scale),
                    "this leaves " + std::to_string(*row.operations) + " requests for the " +
                        std::to_string(row.clients) + " clients of a row; allowed is 0.01 or more");
    }
    return rows;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/matrix_options.hpp

namespace benchkit::inline v0_1 {

/// A target of a matrix, by its name. Whether connections are kept alive, the rows say.
struct matrix_target {
    std::string name;
    http::target target;
};

/// How far a matrix has come.
struct matrix_progress {
    std::int64_t run = 0;    ///< counted from 1
    std::int64_t runs = 0;   ///< of all rows, targets and rounds
    std::int64_t round = 0;  ///< counted from 1
    std::string row;
    std::string target;
    load_progress load;  ///< of this run
};

/// How a matrix is run.
struct matrix_options {
    std::int64_t repeats = 5;     ///< rounds: runs of each target in each row, 1 to 10,000
    benchkit::duration warmup{};  ///< of each run, before the measuring
    benchkit::duration pause{};   ///< between two runs
    std::uint64_t seed = 1;       ///< of all random streams
    std::function<void(const matrix_progress&)> on_progress{};  ///< called now and then during each run
};

namespace detail {

inline constexpr std::int64_t most_repeats = 10'000;

inline void validate_matrix_targets(const std::vector<matrix_target>& targets) {
    if (targets.empty()) fail_option("target", "", "one or more are needed");
    for (std::size_t place = 0; place < targets.size(); ++place) {
        const std::string& name = targets[place].name;
        if (name.empty()) fail_option("target", targets[place].target.text(), "it needs a name");
        for (std::size_t before = 0; before < place; ++before) {
            if (targets[before].name == name)
                fail_option("target", printable(name), "this name stands for another target already");
        }
    }
}

inline void validate_matrix(const std::vector<matrix_target>& targets, const std::vector<matrix_row>& rows,
                            const matrix_options& options) {
    validate_matrix_targets(targets);
    if (rows.empty()) fail_option("row", "", "one or more are needed");
    if (options.repeats < 1 || options.repeats > most_repeats) {
        fail_option("repeats", std::to_string(options.repeats), "allowed is 1 to 10000");
    }
    require_not_negative("warmup", options.warmup);
    require_not_negative("pause", options.pause);
    for (const matrix_row& row : rows) {
        validate(row);
        require_descriptors("clients", row.operations ? std::min(row.clients, *row.operations) : row.clients,
                            row.shards);
        for (const matrix_target& each : targets) http::target(each.target).keep_alive(row.keep_alive);
    }
}

}  // namespace detail

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/matrix_order.hpp

namespace benchkit::inline v0_1 {

/// In which order a round of a matrix takes its targets, by their places: the one that is first moves on by one
/// from round to round, and every other turn around them goes backwards. Of two targets that is AB BA BA AB. So
/// over `targets` rounds each is in each place once, and over twice as many each comes as often before its
/// neighbours as behind them.
[[nodiscard]] inline std::vector<std::size_t> matrix_order(std::size_t targets, std::int64_t round) {
    std::vector<std::size_t> order(targets);
    const auto turn = static_cast<std::size_t>(round);
    for (std::size_t place = 0; place < targets; ++place) order[place] = (place + turn) % targets;
    if (targets > 0 && turn / targets % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/matrix_runs.hpp

/// What the runs of one target in one row of a matrix say together.
namespace benchkit::inline v0_1::detail {

/// The rate of a run that came to its end; nothing of another.
[[nodiscard]] inline std::optional<double> whole_rate(const result& run) {
    const bool whole = !run.interrupted && run.rate && *run.rate > 0;
    return whole ? run.rate : std::nullopt;
}

[[nodiscard]] inline std::vector<double> whole_rates(const std::vector<result>& runs) {
    std::vector<double> rates;
    for (const result& run : runs) {
        if (const auto rate = whole_rate(run)) rates.push_back(*rate);
    }
    return rates;
}

/// The mean of an attribute of runs that is a share, by how long they took.
[[nodiscard]] inline std::optional<double> mean_share(const std::vector<result>& runs, const char* name) {
    double sum = 0;
    double all = 0;
    for (const result& run : runs) {
        const auto share = find_number(run.attributes, name);
        if (!share || !run.resources) continue;
        sum += *share * run.resources->wall_seconds;
        all += run.resources->wall_seconds;
    }
    return all > 0 ? std::optional(sum / all) : std::nullopt;
}

/// Below this idle share a machine has no time left.
inline constexpr double least_idle_share = 0.05;

/// How busy each side of a target's loads was, 0 to 1, as far as it is known.
struct busy_shares {
    std::optional<double> client;  ///< of the processors that its threads can use
    std::optional<double> server;  ///< of a processor, its busiest thread
    std::optional<double> idle;    ///< of the client's machine, what was left
};

/// Who had no time left: the client, else a thread of the server, else the machine on which the client runs,
/// with what else runs there, else whoever the client has waited for.
[[nodiscard]] inline std::string find_bottleneck(const busy_shares& shares) {
    if (shares.client.value_or(0) > thresholds::busy_share) return "client";
    if (shares.server.value_or(0) > thresholds::busy_share) return "server";
    return shares.idle.value_or(1) < least_idle_share ? "machine" : "server";
}

inline void judge_machine(result& target, std::optional<double> idle) {
    if (find_text(target.attributes, "bottleneck") != "machine") return;
    target.diagnostics.push_back({"machine-saturated", severity::warning,
                                  "The processors of the client's machine were idle for " + percent(*idle) +
                                      " of the time: a server that runs there too, or another program, took "
                                      "time from the client. Rates and "
                                      "times are of all of them together. Give each side processors of its own "
                                      "(taskset), or another machine."});
}

/// The runs of one target in one row of a matrix, in the order of the rounds, as one load with the single ones
/// as its children.
class matrix_runs {
  public:
    /// `parameters`: those of its loads; of use where it has none.
    matrix_runs(std::string name, attributes parameters) {
        joined_.name = std::move(name);
        joined_.kind = "load";
        joined_.parameters = std::move(parameters);
    }

    /// Adds the next round's run. By itself it keeps the times of its operations alone: hundreds of runs with
    /// all distributions would take much memory.
    void add(result run) {
        // The runs began one after another: their series are not one.
        std::optional<time_series> series = std::exchange(run.series, std::nullopt);
        seconds_ += run.elapsed_seconds;
        if (run.resources) wall_seconds_ += run.resources->wall_seconds;
        merge(joined_, run);
        run.series = std::move(series);
        std::erase_if(run.distributions, [](const auto& each) { return !is_kept(each.first); });
        runs_.push_back(std::move(run));
    }

    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(runs_.size()); }

    /// All of them. `environment` is what the diagnostics need to know of the machine.
    [[nodiscard]] result finish(const attributes& environment) && {
        write_span();
        joined_.samples["rate"] = {"1/s", whole_rates(runs_)};
        for (const char* of_one : {"last_end_seconds", "machine_idle_share", "server_busy_share", "ended_by"}) {
            joined_.attributes.erase(of_one);
        }
        joined_.parameters.erase("round");
        if (!runs_.empty()) judge(environment);
        joined_.children = std::move(runs_);
        return std::move(joined_);
    }

  private:
    [[nodiscard]] static bool is_kept(std::string_view name) {
        return name == "service_time" || name == "unfinished_age" || name.starts_with("failed_time.");
    }

    void write_span() {
        joined_.elapsed_seconds = seconds_;
        joined_.rate = std::nullopt;
        if (seconds_ > 0) joined_.rate = static_cast<double>(joined_.counter("succeeded_in_span")) / seconds_;
        if (joined_.resources) joined_.resources->wall_seconds = wall_seconds_;
    }

    void judge(const attributes& environment) {
        joined_.environment = environment;
        const busy_shares shares{client_busy_share(judged_result(joined_)),
                                 mean_share(runs_, "server_busy_share"),
                                 mean_share(runs_, "machine_idle_share")};
        if (shares.client) joined_.attributes["client_busy_share"] = *shares.client;
        if (shares.server) joined_.attributes["server_busy_share"] = *shares.server;
        if (shares.idle) joined_.attributes["machine_idle_share"] = *shares.idle;
        joined_.attributes["bottleneck"] = find_bottleneck(shares);
        joined_.diagnostics = diagnose(joined_);
        judge_machine(joined_, shares.idle);
        joined_.environment.clear();
    }

    result joined_;
    std::vector<result> runs_;
    double seconds_ = 0;
    double wall_seconds_ = 0;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/matrix_result.hpp

/// The result of a matrix: rows, in each its targets, in each their runs.
namespace benchkit::inline v0_1::detail {

inline constexpr double matrix_confidence = 0.95;

[[nodiscard]] inline sample_summary summarize_rates(const std::vector<double>& rates) {
    sample_summary summary;
    summary.count = static_cast<std::int64_t>(rates.size());
    if (rates.empty()) return summary;
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    summary.min = *least;
    summary.median = median_of(rates);
    summary.max = *most;
    return summary;
}

/// Which side of 1 a ratio of rates lies on; only an interval with all the confidence that was wanted decides.
[[nodiscard]] inline verdict judge_rates(const std::optional<sign_interval>& found) {
    if (!found || found->confidence < matrix_confidence) return verdict::undecided;
    if (found->low > 1) return verdict::faster;
    return found->high < 1 ? verdict::slower : verdict::undecided;
}

/// The rates of a target against those of another, round by round: the median of the ratios and its sign
/// interval.
[[nodiscard]] inline comparison compare_rates(const std::vector<result>& base,
                                              const std::vector<result>& other) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < std::min(base.size(), other.size()); ++round) {
        const auto below = whole_rate(base[round]);
        const auto above = whole_rate(other[round]);
        if (below && above) ratios.push_back(*above / *below);
    }
    comparison compared;
    compared.ratio = median_of(ratios);
    const auto found = find_sign_interval(ratios, matrix_confidence);
    if (found) compared.interval = interval{found->low, found->high};
    compared.confidence = found ? found->confidence : 0;
    compared.verdict = judge_rates(found);
    compared.basis = "rates of " + counted(static_cast<std::int64_t>(ratios.size()), "round", "rounds");
    compared.base_summary = summarize_rates(whole_rates(base));
    compared.new_summary = summarize_rates(whole_rates(other));
    return compared;
}

/// What the diagnostics of single targets need of the environment: the rest is judged once, for all.
[[nodiscard]] inline attributes judged_environment(const attributes& all) {
    attributes some;
    for (const char* name : {"cpus", "clock_resolution_ns"}) {
        if (const auto found = all.find(name); found != all.end()) some.insert(*found);
    }
    return some;
}

/// With how many rounds an interval has the confidence that is wanted; what is said of fewer.
inline void judge_rounds(result& whole, std::size_t targets, std::int64_t rounds) {
    const auto found = find_sign_ranks(rounds, matrix_confidence);
    if (targets < 2 || (found && found->confidence >= matrix_confidence)) return;
    std::string message = counted(rounds, "round gives", "rounds give");
    if (found) {
        message +=
            " the intervals of the ratios a confidence of " + format_fixed(100 * found->confidence, 1) + " %";
    } else {
        message += " the ratios no intervals";
    }
    whole.diagnostics.push_back({"few-rounds", severity::note, message + "; 6 rounds give 96.9 %."});
}

/// One row: its targets, each beside the first.
[[nodiscard]] inline result make_matrix_row(const matrix_row& row, std::vector<matrix_runs> targets,
                                            const attributes& environment) {
    result line;
    line.name = format_matrix_row(row);
    line.kind = "matrix.row";
    for (matrix_runs& runs : targets) {
        result target = std::move(runs).finish(environment);
        if (!line.children.empty()) {
            target.comparisons.push_back(compare_rates(line.children.front().children, target.children));
        }
        line.children.push_back(std::move(target));
    }
    return line;
}

/// Makes the result of a matrix from the runs of each row's targets. `described` has the name, parameters,
/// environment, start, span and how it ended.
[[nodiscard]] inline result make_matrix(result described, const std::vector<matrix_row>& rows,
                                        std::vector<std::vector<matrix_runs>> runs) {
    result whole = std::move(described);
    whole.kind = "matrix";
    whole.diagnostics = diagnose(whole);  // of the environment and the end alone
    const attributes environment = judged_environment(whole.environment);
    if (!runs.empty() && !runs.front().empty() && runs.front().front().count() > 0) {
        judge_rounds(whole, runs.front().size(), runs.front().front().count());
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        whole.children.push_back(make_matrix_row(rows[row], std::move(runs[row]), environment));
        for (const result& target : whole.children.back().children) {
            for (const auto& [name, count] : target.counters) {
                whole.counters[name] = sum_of({whole.counter(name), count});
            }
            merge_resources(whole.resources, target.resources);
        }
    }
    if (whole.resources) whole.resources->wall_seconds = whole.elapsed_seconds;
    check(whole);
    return whole;
}

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/matrix_run.hpp

namespace benchkit::inline v0_1::detail {

/// A matrix while it runs.
class matrix_run {
  public:
    matrix_run(const std::vector<matrix_target>& targets, const std::vector<matrix_row>& rows,
               const matrix_options& options)
        : targets_(targets),
          rows_(rows),
          options_(options),
          runs_(rows.size(), no_runs(targets)),
          interrupts_(control_.get_executor(), [this](int signal) { signal_ = signal; }) {}

    [[nodiscard]] result run() {
        const time_point start = clock::now();
        result described = describe();
        if (ask_targets(described.attributes)) run_rounds();
        described.elapsed_seconds = duration(clock::now() - start).seconds();
        write_end(described);
        return make_matrix(std::move(described), rows_, std::move(runs_));
    }

  private:
    /// A row before its first round.
    [[nodiscard]] static std::vector<matrix_runs> no_runs(const std::vector<matrix_target>& targets) {
        std::vector<matrix_runs> row;
        for (const matrix_target& each : targets) {
            attributes parameters;
            describe_target(parameters, each.target);
            parameters.erase("keep_alive");  // the row says it
            row.emplace_back(each.name, std::move(parameters));
        }
        return row;
    }

    [[nodiscard]] std::int64_t planned() const {
        return static_cast<std::int64_t>(rows_.size() * targets_.size()) * options_.repeats;
    }

    [[nodiscard]] result describe() const {
        result described;
        for (const matrix_target& each : targets_) {
            described.name.append(described.name.empty() ? "" : ", ").append(each.name);
        }
        described.parameters = {{"repeats", options_.repeats},
                                {"runs", planned()},
                                {"warmup_seconds", options_.warmup.seconds()},
                                {"pause_seconds", options_.pause.seconds()},
                                {"seed", static_cast<std::int64_t>(options_.seed)}};
        described.environment = describe_environment();
        described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count();
        return described;
    }

    /// Whether a signal has come, in a run or between two.
    [[nodiscard]] bool interrupted() {
        control_.poll();
        return signal_ != 0;
    }

    /// Whether each target answers as it should, before anything long begins. One of three requests is enough.
    [[nodiscard]] bool ask_targets(attributes& told) {
        for (const matrix_target& each : targets_) {
            const result asked = load(single_threaded{.seed = options_.seed}, each.target,
                                      closed_loop{.clients = 1}, {.operations = 3});
            if (interrupted()) return false;
            servers_.push_back(find_server(each.target));
            if (asked.counter("succeeded") > 0) continue;
            told["ended_by"] = std::string("no-answer");
            told["first_error"] = each.name + ": " + find_text(asked.attributes, "first_error");
            return false;
        }
        return true;
    }

    /// The processes that serve a target, where they run on this machine and are not this one.
    [[nodiscard]] static std::vector<std::int64_t> find_server(const http::target& target) {
        if (!target.plan().unix_socket.empty()) return {};
        const std::vector<http::stream_endpoint> addresses = http::look_up(target.plan());
        const bool is_here = std::any_of(
            addresses.begin(), addresses.end(),
            [](const http::stream_endpoint& each) { return is_own_address(each.data(), each.size()); });
        if (!is_here) return {};
        std::vector<std::int64_t> found = find_listening_processes(target.plan().port);
        if (std::find(found.begin(), found.end(), getpid()) != found.end()) found.clear();
        return found;
    }

    void run_rounds() {
        for (std::int64_t round = 0; round < options_.repeats; ++round) {
            for (std::size_t row = 0; row < rows_.size(); ++row) {
                for (const std::size_t target : matrix_order(targets_.size(), round)) {
                    if (done_ > 0 && options_.pause > options_.pause.zero()) control_.run_for(options_.pause);
                    if (interrupted()) return;
                    runs_[row][target].add(measure(round, rows_[row], target));
                    ++done_;
                }
            }
        }
    }

    [[nodiscard]] result measure(std::int64_t round, const matrix_row& row, std::size_t place) {
        const matrix_target& which = targets_[place];
        http::target target = which.target;
        target.keep_alive(row.keep_alive);
        const closed_loop loop{.clients = row.clients};
        const load_limits limits{
            .operations = row.operations, .warmup = options_.warmup, .duration = row.duration};
        const load_options options = options_of(round, row, which);
        const auto before = machine_processor_time();
        const thread_times server_before = read_thread_times(servers_[place]);
        result measured =
            row.shards == 1
                ? load(single_threaded{.seed = options_.seed}, target, loop, limits, options)
                : load(sharded{.shards = row.shards, .seed = options_.seed}, target, loop, limits, options);
        const auto idle = idle_share(before, machine_processor_time());
        if (idle) measured.attributes["machine_idle_share"] = *idle;
        note_server(measured, server_before, read_thread_times(servers_[place]));
        measured.parameters["round"] = round + 1;
        measured.environment.clear();  // the matrix has it
        measured.children.clear();     // its diagnostics know of uneven shards
        std::erase_if(measured.diagnostics, [](const diagnostic& one) {
            return one.code == "noisy-machine" || one.code == "debug-build";
        });
        return measured;
    }

    [[nodiscard]] load_options options_of(std::int64_t round, const matrix_row& row,
                                          const matrix_target& which) const {
        load_options options;
        options.name = which.name + ", round " + std::to_string(round + 1);
        if (!options_.on_progress) return options;
        matrix_progress progress{.run = done_ + 1,
                                 .runs = planned(),
                                 .round = round + 1,
                                 .row = format_matrix_row(row),
                                 .target = which.name,
                                 .load = {}};
        options.on_progress = [this, progress](const load_progress& load) mutable {
            progress.load = load;
            options_.on_progress(progress);
        };
        return options;
    }

    static void note_server(result& measured, const thread_times& before, const thread_times& after) {
        if (after.empty() || !measured.resources || !(measured.resources->wall_seconds > 0)) return;
        const double busiest = duration(busiest_time(before, after)).seconds();
        measured.attributes["server_busy_share"] = std::min(1.0, busiest / measured.resources->wall_seconds);
    }

    void write_end(result& described) {
        described.attributes["runs"] = done_;
        if (described.attributes.contains("ended_by")) return;
        described.interrupted = interrupted();
        described.attributes["ended_by"] = std::string(described.interrupted ? "interrupt" : "count");
        if (described.interrupted) described.attributes["signal"] = std::int64_t{signal_};
    }

    const std::vector<matrix_target>& targets_;
    const std::vector<matrix_row>& rows_;
    const matrix_options& options_;
    std::vector<std::vector<matrix_runs>> runs_;      // of each row and target
    std::vector<std::vector<std::int64_t>> servers_;  // the processes of each target, as far as they are known
    std::int64_t done_ = 0;
    // Signals in a run reach this one, too; between two runs it is the only one.
    asio::io_context control_{1};
    int signal_ = 0;
    interrupt_handler interrupts_;
};

}  // namespace benchkit::inline v0_1::detail

// ---------- benchkit/load/matrix.hpp

namespace benchkit::inline v0_1 {

/// Loads each target in each row's closed loop, several times, and compares them (docs/matrix.md). The rounds
/// are outermost: each takes all rows, and in each row all targets, in the order of `matrix_order`, so that
/// what drifts drifts for all. The first target is what the others are compared with. Asks each target for an
/// answer before; where one has none, nothing is measured and the result says so. Throws `error` for what
/// cannot be, before anything starts.
///
///     const bk::result r = bk::matrix({{"old", bk::http::target(one)}, {"new", bk::http::target(other)}},
///                                     {{.clients = 100, .operations = 10'000}}, {.repeats = 6});
///     std::cout << bk::report::matrix(r);
[[nodiscard]] inline result matrix(const std::vector<matrix_target>& targets,
                                   const std::vector<matrix_row>& rows, const matrix_options& options = {}) {
    detail::validate_matrix(targets, rows, options);
    return detail::matrix_run(targets, rows, options).run();
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/read_trace.hpp

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

// ---------- benchkit/load/parse_arrivals.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// Takes the text of an arrival process apart. The pieces point into the text, so that a refusal can say where.
class arrivals_parser {
  public:
    arrivals_parser(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] arrivals parse() const {
        const std::size_t colon = text_.find(':');
        if (colon == std::string_view::npos) return constant(read_rate(text_));
        const std::string_view kind = text_.substr(0, colon);
        const std::string_view rest = text_.substr(colon + 1);
        if (kind == "poisson") return poisson(read_rate(rest));
        if (kind == "ramp") return read_ramp(rest);
        if (kind == "stages") return read_stages(rest);
        if (kind != "trace") refuse(kind, "arrival process");
        if (rest.empty()) refuse(rest, "file");
        return read_trace(option_, text_, std::string(rest));
    }

  private:
    /// `what` is what the piece should be.
    [[noreturn]] void refuse(std::string_view piece, std::string_view what) const {
        std::string problem = "at column " + std::to_string(piece.data() - text_.data() + 1);
        if (piece.empty()) {
            problem.append(", a missing ").append(what);
        } else {
            problem.append(", \"").append(piece).append("\" is no ").append(what);
        }
        problem +=
            "; allowed is a rate such as 5000, 0.5 or 2.5k, or poisson:5000, ramp:100..5000, "
            "stages:100x10s,1000x30s or trace:FILE";
        fail_option(std::string(option_), std::string(text_), std::move(problem));
    }

    [[nodiscard]] rate read_rate(std::string_view piece) const {
        const auto found = find_rate(piece);
        if (!found) refuse(piece, "rate");
        if (!is_allowed_rate(*found)) refuse(piece, "rate of 0.000001 to 1000000000 per second");
        return *found;
    }

    [[nodiscard]] rate read_rate_or_zero(std::string_view piece) const {
        const auto found = find_rate(piece);
        return found && found->per_second == 0 ? *found : read_rate(piece);
    }

    [[nodiscard]] ramp read_ramp(std::string_view rest) const {
        const std::size_t dots = rest.find("..");
        if (dots == std::string_view::npos) refuse(rest, "ramp FROM..TO");
        const ramp result(read_rate_or_zero(rest.substr(0, dots)), read_rate_or_zero(rest.substr(dots + 2)));
        if (result.from.per_second == 0 && result.to.per_second == 0) refuse(rest, "ramp with a rate above 0");
        return result;
    }

    [[nodiscard]] stages read_stages(std::string_view rest) const {
        stages result;
        bool some = false;
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            more = comma != std::string_view::npos;
            const stages::stage next = read_stage(rest.substr(0, comma));
            result.add(next.rate, next.duration);
            some = some || next.rate.per_second > 0;
            if (more) rest.remove_prefix(comma + 1);
        }
        if (!some) refuse(text_, "process with a rate above 0");
        return result;
    }

    [[nodiscard]] stages::stage read_stage(std::string_view piece) const {
        const std::size_t cross = piece.find('x');
        if (cross == std::string_view::npos) refuse(piece, "stage RATExTIME");
        const rate per_second = read_rate_or_zero(piece.substr(0, cross));
        const std::string_view length = piece.substr(cross + 1);
        const auto found = find_duration(length);
        if (!found) refuse(length, "time with a unit, such as 500ms, 10s or 1m");
        if (*found <= found->zero()) refuse(length, "time of more than 0 s");
        return {per_second, *found};
    }

    std::string_view option_;
    std::string_view text_;
};

}  // namespace detail

/// Reads an arrival process:
///
/// - `5000`, `0.5`, `2.5k`: a constant rate, as `parse_rate` takes it;
/// - `poisson:5000`: a Poisson process;
/// - `ramp:100..5000`: a ramp over the run; one of its rates may be 0;
/// - `stages:100x10s,1000x30s`: constant rates, each for a time; a rate of 0 is a pause;
/// - `trace:FILE`: a trace, as `read_trace` reads it.
///
/// Rates are 0.000001 to 1,000,000,000 per second. Fails by the name of `option` otherwise, and says at which
/// column of `text`, or at which line of the file, it went wrong.
[[nodiscard]] inline arrivals parse_arrivals(std::string_view option, std::string_view text) {
    arrivals result = detail::arrivals_parser(option, text).parse();
    // What the pieces do not show, such as stages that are too long together.
    std::string problem = std::visit(detail::arrivals_judge(), result.kind());
    if (!problem.empty()) fail_option(std::string(option), std::string(text), std::move(problem));
    return result;
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/load/parse_matrix_row.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// Takes the text of a row apart. The pieces point into the text, so that a refusal can say where.
class matrix_row_parser {
  public:
    matrix_row_parser(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] matrix_row parse(matrix_row row) {
        std::string_view rest = text_;
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            more = comma != std::string_view::npos;
            read_field(row, rest.substr(0, comma));
            if (more) rest.remove_prefix(comma + 1);
        }
        return row;
    }

  private:
    /// `what` is what the piece should be.
    [[noreturn]] void refuse(std::string_view piece, std::string_view what) const {
        std::string problem = "at column " + std::to_string(piece.data() - text_.data() + 1);
        if (piece.empty()) {
            problem.append(", a missing ").append(what);
        } else {
            problem.append(", \"").append(piece).append("\" is no ").append(what);
        }
        problem += "; allowed is a list such as c=100,n=1000000,t=16,keepalive=no, perhaps with d=10s";
        fail_option(std::string(option_), std::string(text_), std::move(problem));
    }

    void read_field(matrix_row& row, std::string_view field) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) refuse(field, "field NAME=VALUE");
        const std::string_view name = field.substr(0, equals);
        const std::string_view value = field.substr(equals + 1);
        if (name == "c") {
            once(0, name);
            row.clients = read_count(value, largest_client_count, "count of 1 to 1000000 connections");
        } else if (name == "n") {
            once(1, name);
            row.operations = read_count(value, most_operations, "count of requests, 1 or more");
        } else if (name == "d") {
            once(2, name);
            row.duration = read_time(value);
        } else if (name == "t") {
            once(3, name);
            row.shards = static_cast<int>(read_count(value, most_shards, "count of 1 to 1024 threads"));
        } else if (name == "keepalive") {
            once(4, name);
            if (value != "yes" && value != "no") refuse(value, "yes or no");
            row.keep_alive = value == "yes";
        } else {
            refuse(name, "field of a row: c, n, d, t or keepalive");
        }
    }

    void once(std::size_t field, std::string_view name) {
        if (seen_[field]) refuse(name, "field that was not there before");
        seen_[field] = true;
    }

    [[nodiscard]] std::int64_t read_count(std::string_view piece, std::int64_t most,
                                          std::string_view what) const {
        const auto count = find_count(piece);
        if (!count || *count < 1 || *count > most) refuse(piece, what);
        return *count;
    }

    [[nodiscard]] duration read_time(std::string_view piece) const {
        const auto found = find_duration(piece);
        if (!found || *found <= found->zero())
            refuse(piece, "time above 0 with a unit, such as 500ms, 10s or 1m");
        return *found;
    }

    static constexpr std::int64_t most_operations = std::int64_t{1} << 62;
    static constexpr std::int64_t most_shards = 1024;

    std::string_view option_;
    std::string_view text_;
    std::array<bool, 5> seen_{};
};

}  // namespace detail

/// Reads a row of a matrix: fields with commas between, of `c` (connections), `n` (requests), `d` (time), `t`
/// (threads) and `keepalive` (yes or no), each at most once, such as "c=100,n=1000000,t=12,keepalive=no". What
/// is left out is as in `otherwise`. Fails by the name of `option` otherwise, and says at which column of
/// `text` it went wrong.
[[nodiscard]] inline matrix_row parse_matrix_row(std::string_view option, std::string_view text,
                                                 const matrix_row& otherwise = {}) {
    return detail::matrix_row_parser(option, text).parse(otherwise);
}

}  // namespace benchkit::inline v0_1

// ---------- benchkit/report/ab_figures.hpp

/// What ab counts and how it rounds, from a result.
namespace benchkit::inline v0_1::report::detail {

using benchkit::detail::sum_of;

/// ab measures in whole microseconds and shows milliseconds, rounded half up.
[[nodiscard]] constexpr std::int64_t ab_milliseconds(std::int64_t microseconds) noexcept {
    return microseconds / 1000 + (microseconds % 1000 >= 500 ? 1 : 0);
}

/// The value of rank `rank`, from 1, to the width of a bucket.
[[nodiscard]] inline std::int64_t value_at_rank(const histogram& values, std::int64_t rank) {
    for (const histogram_bucket bucket : values.buckets()) {
        rank -= bucket.count;
        if (rank <= 0) return std::clamp(bucket.to, values.min(), values.max());
    }
    return values.max();
}

/// The middle value; of an even number, the mean of the middle two. (ab takes the wrong two of an odd number.)
[[nodiscard]] inline std::int64_t median_of(const histogram& values) {
    const std::int64_t low = value_at_rank(values, (values.count() - 1) / 2 + 1);
    const std::int64_t high = value_at_rank(values, values.count() / 2 + 1);
    return low + (high - low) / 2;
}

/// The deviation of a sample, divided by n - 1; 0 of a single value.
[[nodiscard]] inline double sample_deviation(const histogram& values) {
    const auto count = static_cast<double>(values.count());
    return count > 1 ? values.stddev() * std::sqrt(count / (count - 1)) : 0.0;
}

/// One row of the table of connection times, in ms as ab shows it.
struct ab_row {
    std::int64_t min = 0;
    std::int64_t mean = 0;
    double deviation = 0;
    std::int64_t median = 0;
    std::int64_t max = 0;
};

[[nodiscard]] inline ab_row to_ab_row(const histogram& values) {
    const auto rounded = [](std::int64_t nanoseconds) { return ab_milliseconds(nanoseconds / 1000); };
    if (values.count() == 0) return {};
    const uint128 mean = divide(values.sum(), static_cast<std::uint64_t>(values.count())).quotient;
    return {rounded(values.min()), rounded(static_cast<std::int64_t>(mean.low)), sample_deviation(values) / 1e6,
            rounded(median_of(values)), rounded(values.max())};
}

/// The requests that got an answer, also one of a status or body that was not expected: what ab calls complete.
[[nodiscard]] inline std::int64_t ab_complete(const result& measured) {
    return sum_of({measured.counter("succeeded"), measured.counter("failed.status"),
                   measured.counter("failed.assertion")});
}

/// The seconds from the first start to the last answer; 0 where they are not known. ab counts what is answered
/// after its time limit, and the time for it.
[[nodiscard]] inline double ab_seconds(const result& measured) {
    const double span = std::isfinite(measured.elapsed_seconds) ? measured.elapsed_seconds : 0.0;
    return std::max(span, find_number(measured.attributes, "last_end_seconds").value_or(0));
}

/// ab's classes of failed requests.
struct ab_failures {
    std::int64_t connect = 0;
    std::int64_t receive = 0;
    std::int64_t length = 0;
    std::int64_t exceptions = 0;

    [[nodiscard]] std::int64_t all() const { return sum_of({connect, receive, length, exceptions}); }
};

[[nodiscard]] inline ab_failures count_ab_failures(const result& measured, bool any_length) {
    const auto failed = [&](const char* cause) { return measured.counter(std::string("failed.") + cause); };
    ab_failures failures;
    failures.connect = sum_of({failed("resolve"), failed("connect"), failed("tls"), failed("ports")});
    failures.receive = sum_of(
        {failed("receive"), failed("stale"), failed("closed"), failed("timeout"), failed("connection_lost")});
    failures.length = any_length ? 0 : measured.counter("length_differs");
    failures.exceptions = sum_of({failed("send"), failed("malformed"), failed("canceled")});
    return failures;
}

/// Answers whose status does not begin with 2.
[[nodiscard]] inline std::int64_t count_non_2xx(const result& measured) {
    constexpr std::string_view status = "status.";
    std::int64_t count = 0;
    for (const auto& [name, answers] : measured.counters) {
        if (name.starts_with(status) && name.substr(status.size(), 1) != "2") count = sum_of({count, answers});
    }
    return count;
}

/// The values of a distribution; none where there is no such one.
[[nodiscard]] inline histogram values_of(const result& measured, std::string_view name) {
    const distribution* found = measured.find_distribution(name);
    return found == nullptr ? histogram() : found->values;
}

/// Time from start to end of each complete request.
[[nodiscard]] inline histogram ab_total(const result& measured) {
    histogram total = values_of(measured, "service_time");
    for (const char* name : {"failed_time.status", "failed_time.assertion"}) {
        if (const distribution* failed = measured.find_distribution(name)) total.merge(failed->values);
    }
    return total;
}

/// Time to connect of each complete request: 0 on a connection that was there already.
[[nodiscard]] inline histogram ab_connect(const result& measured) {
    histogram connect = values_of(measured, "connect_time");
    connect.record(0, ab_complete(measured) - std::min(ab_complete(measured), connect.count()));
    return connect;
}

/// A line for standard error where some of `percentiles`, which rise, rest on fewer than ten of `done` requests
/// beyond them; empty where all are well supported.
[[nodiscard]] inline std::string few_requests_warning(std::int64_t done, std::span<const int> percentiles) {
    for (const int percentile : percentiles) {
        if (done / 100 * (100 - percentile) + done % 100 * (100 - percentile) / 100 >= 10) continue;
        return "warning: " + std::to_string(done) + " requests are too few for the percentiles from " +
               std::to_string(percentile) + " % up: fewer than 10 requests took longer.\n";
    }
    return {};
}

/// The report of another tool makes sense of a load of an HTTP target only.
inline void require_http_load(const result& measured, std::string_view tool) {
    // The steps of a journey are no operations, and have no times of their own there.
    const bool of_requests =
        measured.parameters.contains("host") && !measured.parameters.contains("follow_redirects");
    if (measured.kind == "load" && of_requests) return;
    fail("A report as of " + std::string(tool) + " needs the load of an HTTP target: \"" + measured.name +
         "\" is of kind \"" + measured.kind + "\".");
}

}  // namespace benchkit::inline v0_1::report::detail

// ---------- benchkit/report/ab_options.hpp

namespace benchkit::inline v0_1::report {

/// The options of ab that change its report.
struct ab_options {
    bool show_percentiles = true;    ///< false as with -d
    bool show_spread = true;         ///< deviation and median, with their warnings; false as with -S
    bool accept_any_length = false;  ///< true as with -l
    bool quiet = false;              ///< true as with -q: no progress on standard error
};

/// Keeps the options with a result, so that a saved one gives the same report again.
inline void keep_ab_options(result& measured, const ab_options& options) {
    measured.attributes["ab.show_percentiles"] = options.show_percentiles;
    measured.attributes["ab.show_spread"] = options.show_spread;
    measured.attributes["ab.accept_any_length"] = options.accept_any_length;
    measured.attributes["ab.quiet"] = options.quiet;
}

/// The options that were kept with a result; the defaults where none were.
[[nodiscard]] inline ab_options kept_ab_options(const result& measured) {
    const ab_options defaults;
    const attributes& kept = measured.attributes;
    return {find_truth(kept, "ab.show_percentiles").value_or(defaults.show_percentiles),
            find_truth(kept, "ab.show_spread").value_or(defaults.show_spread),
            find_truth(kept, "ab.accept_any_length").value_or(defaults.accept_any_length),
            find_truth(kept, "ab.quiet").value_or(defaults.quiet)};
}

}  // namespace benchkit::inline v0_1::report

// ---------- benchkit/report/ab.hpp

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

// ---------- benchkit/report/ab_files.hpp

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

// ---------- benchkit/report/httpress.hpp

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

// ---------- benchkit/report/matrix.hpp

namespace benchkit::inline v0_1::report {

namespace detail {

using namespace benchkit::detail;

/// A target of a row, with what it is called in tables: "2 nginx".
struct matrix_cell {
    std::string label;
    const result* target = nullptr;
    bool opens_row = false;
};

/// All cells, row by row.
[[nodiscard]] inline std::vector<matrix_cell> cells_of(const result& matrix) {
    std::vector<matrix_cell> cells;
    for (std::size_t row = 0; row < matrix.children.size(); ++row) {
        const std::vector<result>& targets = matrix.children[row].children;
        for (const result& target : targets) {
            std::string label = std::to_string(row + 1).append(" ").append(printable(target.name));
            cells.push_back({std::move(label), &target, &target == &targets.front()});
        }
    }
    return cells;
}

/// Thousands per second, largest and smallest of the whole runs, as published: "561/552".
[[nodiscard]] inline std::string kilo_rates_text(const result& target) {
    const auto found = target.samples.find("rate");
    if (found == target.samples.end() || found->second.values.empty()) return not_available;
    const auto [least, most] = std::minmax_element(found->second.values.begin(), found->second.values.end());
    const auto text = [](double rate) {
        return std::isfinite(rate) ? three_digits(rate / 1e3) : not_available;
    };
    return text(*most).append("/").append(text(*least));
}

inline void append_matrix_heading(std::string& page, const result& matrix) {
    const auto parameter = [&](const char* name) { return find_integer(matrix.parameters, name).value_or(0); };
    const std::int64_t rounds = parameter("repeats");
    append_wrapped(page, "matrix of " + printable(matrix.name), 0);
    if (!matrix.children.empty()) {
        for (const result& target : matrix.children.front().children) {
            append_line(page, printable(target.name), printable(find_text(target.parameters, "url")));
        }
    }
    const auto rows = static_cast<std::int64_t>(matrix.children.size());
    append_line(page, "order",
                counted(rounds, "round", "rounds") + " of " + counted(rows, "row", "rows") +
                    ", the targets of a row in turns");
    append_line(page, "runs",
                format_count(find_integer(matrix.attributes, "runs").value_or(0)) + " of " +
                    format_count(parameter("runs")) + " in " + time_text(matrix.elapsed_seconds * 1e9) +
                    ", from " + format_timestamp(whole_second(matrix.started_at)));
}

/// The published table: a line for each row, a column for each target.
inline void append_matrix_rates(std::string& page, const result& matrix) {
    page += "kQPS: thousands of requests per second that succeeded, largest/smallest run\n";
    text_table table;
    std::vector<std::string> titles{"row"};
    for (const result& target : matrix.children.front().children) titles.push_back(printable(target.name));
    table.add_row(std::move(titles));
    for (std::size_t row = 0; row < matrix.children.size(); ++row) {
        const result& line = matrix.children[row];
        std::vector<std::string> cells{std::to_string(row + 1).append(" ").append(printable(line.name))};
        for (const result& target : line.children) cells.push_back(kilo_rates_text(target));
        table.add_row(std::move(cells));
    }
    page += table.text(label_width - 2);
}

[[nodiscard]] inline std::vector<std::string> ratio_row(const std::string& label, const comparison& compared) {
    const auto figure = [](double value) {
        return std::isfinite(value) ? format_fixed(value, 3) : std::string(not_available);
    };
    std::vector<std::string> cells{label,
                                   compared.ratio ? figure(*compared.ratio) : std::string(not_available)};
    if (compared.interval) {
        cells.push_back(figure(compared.interval->low) + " to " + figure(compared.interval->high));
        cells.push_back(format_fixed(100 * compared.confidence, 1) + " %");
    } else {
        cells.insert(cells.end(), 2, not_available);
    }
    return cells;
}

inline void append_matrix_ratios(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"rates", "ratio", "interval", "confidence"});
    std::string base;
    bool some = false;
    for (const matrix_cell& cell : cells) {
        if (cell.opens_row) base = printable(cell.target->name);
        for (const comparison& compared : cell.target->comparisons) {
            table.add_row(ratio_row(cell.label, compared));
            some = true;
        }
    }
    if (!some) return;
    append_wrapped(page, "beside " + base + ": the median of the rounds' ratios and its sign interval", 0);
    page += table.text(label_width - 2);
}

inline void append_matrix_times(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"service time", "50 %", "75 %", "90 %", "95 %", "99 %", "99.9 %", "largest"});
    for (const matrix_cell& cell : cells) {
        const distribution* times = cell.target->find_distribution("service_time");
        std::vector<std::string> row{cell.label};
        for (const double percentile : {50.0, 75.0, 90.0, 95.0, 99.0, 99.9}) {
            row.push_back(times == nullptr ? not_available
                                           : figure_text(times->percentile(percentile), times->unit));
        }
        const bool some = times != nullptr && times->values.count() > 0;
        row.push_back(some ? figure_text(std::optional(times->values.max()), times->unit) : not_available);
        table.add_row(std::move(row));
    }
    page += table.text(label_width - 2);
}

/// Requests that neither succeeded nor failed: not started, or without an end.
[[nodiscard]] inline std::int64_t lost_requests(const result& measured) {
    return sum_of({measured.counter("not_started"), measured.counter("unfinished")});
}

[[nodiscard]] inline std::string share_text(const result& target, const char* name) {
    const auto share = find_number(target.attributes, name);
    if (!share) return not_available;
    return format_fixed(100 * *share, *share < 0.0995 ? 1 : 0).append(" %");
}

inline void append_matrix_books(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"books", "requests", "failed", "lost", "client", "server", "idle", "bottleneck"});
    for (const matrix_cell& cell : cells) {
        const result& target = *cell.target;
        const std::string bottleneck = printable(find_text(target.attributes, "bottleneck"));
        table.add_row({cell.label, format_count(target.counter("scheduled")),
                       format_count(target.counter("failed")), format_count(lost_requests(target)),
                       share_text(target, "client_busy_share"), share_text(target, "server_busy_share"),
                       share_text(target, "machine_idle_share"),
                       bottleneck.empty() ? std::string(not_available) : bottleneck});
    }
    page += table.text(label_width - 2);
}

inline void append_matrix_sum(std::string& page, const result& matrix) {
    append_line(page, "operations",
                format_count(matrix.counter("scheduled")) +
                    " scheduled: " + format_count(matrix.counter("started")) + " started, " +
                    format_count(matrix.counter("not_started")) + " not started");
    append_line(page, "", outcome_text(matrix, ""));
    const std::int64_t lost = lost_requests(matrix);
    append_line(page, "lost", lost == 0 ? "no request" : counted(lost, "request", "requests"));
    append_line(page, "first error", printable(find_text(matrix.attributes, "first_error")));
    for (const matrix_cell& cell : cells_of(matrix)) {
        if (cell.target->counter("failed") == 0) continue;
        std::string line = cell.label + ": " + failures_text(*cell.target);
        const std::string first = printable(find_text(cell.target->attributes, "first_error"));
        if (!first.empty()) line += "; the first: " + first;
        append_line(page, "failures", line);
    }
    append_resources(page, matrix);
    append_machine(page, matrix);
}

/// What is said of one cell or several by the same code: in the words of the first.
struct matrix_remark {
    diagnostic said;
    std::vector<std::string> labels;
};

[[nodiscard]] inline std::vector<matrix_remark> remarks_of(const std::vector<matrix_cell>& cells) {
    std::vector<matrix_remark> remarks;
    for (const matrix_cell& cell : cells) {
        for (const diagnostic& one : cell.target->diagnostics) {
            if (one.code == "interrupted") continue;  // the matrix says it
            const auto known = std::find_if(remarks.begin(), remarks.end(), [&](const matrix_remark& each) {
                return each.said.code == one.code && each.said.severity == one.severity;
            });
            if (known == remarks.end()) {
                remarks.push_back({one, {cell.label}});
            } else {
                known->labels.push_back(cell.label);
            }
        }
    }
    std::stable_sort(remarks.begin(), remarks.end(), [](const matrix_remark& left, const matrix_remark& right) {
        return left.said.severity > right.said.severity;
    });
    return remarks;
}

/// "2 nginx: ...", and behind it which other cells the same was said of.
[[nodiscard]] inline std::string remark_text(const matrix_remark& remark, std::size_t cells) {
    std::string text(to_string(remark.said.severity));
    text.append(": ").append(remark.labels.front()).append(": ").append(printable(remark.said.message));
    if (remark.labels.size() == cells && cells > 1) {
        text += " The same is true of all others.";
    } else if (remark.labels.size() > 1) {
        text += " The same is true of ";
        for (std::size_t index = 1; index < remark.labels.size(); ++index) {
            text.append(index > 1 ? ", " : "").append(remark.labels[index]);
        }
        text += ".";
    }
    return text.append(" [").append(printable(remark.said.code)).append("]");
}

inline void append_matrix_remarks(std::string& page, const result& matrix,
                                  const std::vector<matrix_cell>& cells) {
    for (const diagnostic& one : matrix.diagnostics) {
        append_wrapped(page,
                       std::string(to_string(one.severity)) + ": " + printable(one.message) + " [" +
                           printable(one.code) + ']',
                       2);
    }
    for (const matrix_remark& remark : remarks_of(cells))
        append_wrapped(page, remark_text(remark, cells.size()), 2);
}

}  // namespace detail

/// The report of a matrix for people (docs/matrix.md): the rates as published, largest and smallest; the ratios
/// beside the first target, with their intervals; percentiles of the service time; the books of each target in
/// each row and who was the bottleneck; what the results say against themselves. Fails for any other result.
[[nodiscard]] inline std::string matrix(const result& measured) {
    if (measured.kind != "matrix") {
        fail("The result \"" + measured.name + "\" is that of a " + measured.kind + ", not of a matrix.");
    }
    std::string page;
    detail::append_matrix_heading(page, measured);
    const std::vector<detail::matrix_cell> cells = detail::cells_of(measured);
    if (find_integer(measured.attributes, "runs").value_or(0) > 0 && !cells.empty()) {
        detail::append_part(page, [&] { detail::append_matrix_rates(page, measured); });
        detail::append_part(page, [&] { detail::append_matrix_ratios(page, cells); });
        detail::append_part(page, [&] { detail::append_matrix_times(page, cells); });
        detail::append_part(page, [&] { detail::append_matrix_books(page, cells); });
    }
    detail::append_part(page, [&] { detail::append_matrix_sum(page, measured); });
    detail::append_part(page, [&] { detail::append_matrix_remarks(page, measured, cells); });
    return page;
}

}  // namespace benchkit::inline v0_1::report

// ---------- benchkit/report/max_rate.hpp

namespace benchkit::inline v0_1::report {

namespace detail {

using namespace benchkit::detail;

/// One run as a row of the curve.
[[nodiscard]] inline std::vector<std::string> max_rate_row(const result& run) {
    const distribution* responses = run.find_distribution("response_time");
    const auto percentile = [&](double p) {
        return responses == nullptr ? std::string(not_available)
                                    : figure_text(responses->percentile(p), responses->unit);
    };
    std::string verdict = find_text(run.attributes, "verdict");
    const std::string reason = find_text(run.attributes, "reason");
    if (!reason.empty()) verdict.append(": ").append(reason);
    return {rate_text(find_number(run.parameters, "offered_rate")),
            rate_text(run.rate),
            percentile(50),
            percentile(99),
            format_count(run.counter("failed")),
            format_count(run.counter("not_started")),
            printable(verdict)};
}

/// The answer in one sentence.
[[nodiscard]] inline std::string max_rate_answer(const result& sweep) {
    const std::string slo = printable(find_text(sweep.parameters, "slo"));
    const auto held = find_number(sweep.attributes, "max_rate");
    if (!held) return "No rate was found at which " + slo + " holds.";
    std::string answer = "The largest rate at which " + slo + " holds is " + format_rate(*held);
    if (const auto broken = find_number(sweep.attributes, "broken_rate")) {
        answer.append("; at ").append(format_rate(*broken)).append(" it does not");
    }
    return answer + ".";
}

}  // namespace detail

/// A search for the largest rate, as a report for people: its curve, by rates, and the answer.
[[nodiscard]] inline std::string max_rate(const result& sweep) {
    using namespace detail;
    std::string page;
    append_wrapped(page, printable(sweep.name), 0);
    std::string setting = "open loop, " + printable(find_text(sweep.parameters, "arrivals")) + " arrivals, ";
    setting += counted(client_count(sweep), "connection", "connections") + ", points of ";
    setting +=
        time_text(find_number(sweep.parameters, "point_seconds").value_or(0) * 1e9) + ", each confirmed ";
    setting += counted(find_integer(sweep.parameters, "confirmations").value_or(1), "time", "times");
    append_wrapped(page, setting, 0);
    std::vector<const result*> runs;
    for (const result& run : sweep.children) runs.push_back(&run);
    std::stable_sort(runs.begin(), runs.end(), [](const result* left, const result* right) {
        return find_number(left->parameters, "offered_rate") < find_number(right->parameters, "offered_rate");
    });
    text_table table;
    table.add_row({"offered", "achieved", "50 %", "99 %", "failed", "not started", "verdict"});
    for (const result* run : runs) table.add_row(max_rate_row(*run));
    page += '\n' + table.text(9) + '\n';
    append_wrapped(page, max_rate_answer(sweep), 0);
    append_part(page, [&] {
        result own = sweep;
        own.children.clear();
        append_diagnostics(page, own, "");
    });
    return page;
}

}  // namespace benchkit::inline v0_1::report

// ---------- benchkit/report/text.hpp

namespace benchkit::inline v0_1::report {

/// A result as a report for people: what `std::cout << result` prints; of a matrix, `report::matrix`, and of a
/// search for the largest rate, `report::max_rate`.
[[nodiscard]] inline std::string text(const result& measured) {
    if (measured.kind == "matrix") return matrix(measured);
    return measured.kind == "sweep" ? max_rate(measured) : to_text(measured);
}

}  // namespace benchkit::inline v0_1::report

// ---------- benchkit/report/wrk.hpp

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

/// benchkit: load, timed work and batching experiments written as coroutines, one result model, any report.
/// This header includes all of it. The headers under benchkit/ can also be included one by one.

// Optional parts; a macro that is not defined means 0.
#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS

// ---------- benchkit/http/tls.hpp

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

namespace benchkit::inline v0_1::http {

/// How TLS is spoken to a peer. Files are PEM.
struct tls_options {
    std::string ca_file{};           ///< whose certificates are trusted; empty: the system's
    std::string certificate_file{};  ///< our own certificate and its chain, for peers that ask
    std::string key_file{};          ///< its key; empty: in the certificate's file
    bool verify = true;              ///< refuse peers whose certificate is not trusted or names another host
    bool resume = true;              ///< take up earlier sessions, which spares most of a handshake
};

namespace detail {

template <auto Free>
struct openssl_deleter {
    template <class Object>
    void operator()(Object* object) const noexcept {
        Free(object);
    }
};
using ssl_context = std::unique_ptr<SSL_CTX, openssl_deleter<SSL_CTX_free>>;
using ssl_session = std::unique_ptr<SSL_SESSION, openssl_deleter<SSL_SESSION_free>>;
using ssl_handle = std::unique_ptr<SSL, openssl_deleter<SSL_free>>;

/// What OpenSSL says of its first error; a view that lasts.
[[nodiscard]] inline std::string_view openssl_reason() noexcept {
    const unsigned long error = ERR_peek_error();
    const char* reason = ERR_reason_error_string(error);
    if (reason == nullptr && ERR_GET_LIB(error) == ERR_LIB_SYS) reason = std::strerror(ERR_GET_REASON(error));
    return reason == nullptr ? std::string_view("an error of TLS") : std::string_view(reason);
}

/// OpenSSL's way to a socket: as its own, but that a peer's end raises no signal.
class socket_bio {
  public:
    [[nodiscard]] static BIO* make(int descriptor) {
        BIO* const made = BIO_new(methods());
        BIO_set_data(made, new end{socket_input(descriptor), descriptor});
        BIO_set_init(made, 1);
        return made;
    }

    /// Whether there may be something behind what was read last.
    [[nodiscard]] static bool has_more(BIO* bio) noexcept { return of(bio).input.has_more(); }

  private:
    struct end {
        socket_input input;
        int descriptor;
        bool ended = false;
    };

    static end& of(BIO* bio) noexcept { return *static_cast<end*>(BIO_get_data(bio)); }

    static const BIO_METHOD* methods() {
        static const std::unique_ptr<BIO_METHOD, openssl_deleter<BIO_meth_free>> made = [] {
            std::unique_ptr<BIO_METHOD, openssl_deleter<BIO_meth_free>> method(
                BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "benchkit socket"));
            BIO_meth_set_write(method.get(), write);
            BIO_meth_set_read(method.get(), read);
            BIO_meth_set_ctrl(method.get(), control);
            BIO_meth_set_destroy(method.get(), destroy);
            return method;
        }();
        return made.get();
    }

    static int write(BIO* bio, const char* bytes, int size) {
        BIO_clear_retry_flags(bio);
        const ssize_t taken = ::send(of(bio).descriptor, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
        if (taken < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
        return static_cast<int>(taken);
    }
    static int read(BIO* bio, char* bytes, int size) {
        BIO_clear_retry_flags(bio);
        asio::error_code error;
        const std::size_t got = of(bio).input.read({bytes, static_cast<std::size_t>(size)}, error);
        of(bio).ended = error == asio::error::eof;
        if (!error || of(bio).ended) return static_cast<int>(got);
        if (error == asio::error::would_block) BIO_set_retry_read(bio);
        errno = error.value();
        return -1;
    }
    static long control(BIO* bio, int command, long, void*) {
        if (command == BIO_CTRL_EOF) return of(bio).ended ? 1 : 0;
        return command == BIO_CTRL_FLUSH ? 1 : 0;
    }
    static int destroy(BIO* bio) {
        delete static_cast<end*>(BIO_get_data(bio));
        return 1;
    }
};

/// TLS over one connected socket.
class tls_channel final : public secure_channel {
  public:
    /// `session`: the one to take up, which is renewed whenever the peer gives another; null for none.
    tls_channel(SSL_CTX* context, int descriptor, const std::string& host, ssl_session* session)
        : ssl_(SSL_new(context)) {
        BIO* const bio = socket_bio::make(descriptor);
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_connect_state(ssl_.get());
        name_peer(host);
        SSL_set_app_data(ssl_.get(), session);
        if (session != nullptr && *session != nullptr) SSL_set_session(ssl_.get(), session->get());
    }

    [[nodiscard]] transfer handshake() override {
        ERR_clear_error();
        const int outcome = SSL_do_handshake(ssl_.get());
        return outcome == 1 ? transfer{} : not_done(outcome);
    }
    [[nodiscard]] transfer read_some(std::span<char> buffer) override {
        ERR_clear_error();
        const int size = SSL_read(ssl_.get(), buffer.data(), length(buffer.size()));
        return size > 0 ? transfer{transfer_status::done, static_cast<std::size_t>(size)} : not_done(size);
    }
    [[nodiscard]] bool has_more() const override {
        return SSL_has_pending(ssl_.get()) == 1 || socket_bio::has_more(SSL_get_rbio(ssl_.get()));
    }
    [[nodiscard]] transfer write_some(std::string_view bytes) override {
        ERR_clear_error();
        const int size = SSL_write(ssl_.get(), bytes.data(), length(bytes.size()));
        return size > 0 ? transfer{transfer_status::done, static_cast<std::size_t>(size)} : not_done(size);
    }
    [[nodiscard]] bool resumed() const override { return SSL_session_reused(ssl_.get()) == 1; }
    [[nodiscard]] std::string protocol() const override {
        return std::string(SSL_get_version(ssl_.get())) + "," + SSL_get_cipher_name(ssl_.get());
    }
    void close() noexcept override {
        ERR_clear_error();
        if (SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
    }

  private:
    static int length(std::size_t size) noexcept {
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
        return static_cast<int>(size < most ? size : most);
    }

    // The certificate is to name this host. Names are also told to the peer before (RFC 6066 section 3); an
    // address never is.
    void name_peer(const std::string& host) {
        in6_addr ignored{};
        const bool is_address =
            inet_pton(AF_INET, host.c_str(), &ignored) == 1 || inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
        if (is_address) {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
        } else {
            SSL_set1_host(ssl_.get(), host.c_str());
            SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                     const_cast<char*>(host.c_str()));
        }
    }

    [[nodiscard]] transfer not_done(int outcome) const {
        const int system_error = errno;
        switch (SSL_get_error(ssl_.get(), outcome)) {
            case SSL_ERROR_WANT_READ:
                return {transfer_status::needs_input};
            case SSL_ERROR_WANT_WRITE:
                return {transfer_status::needs_output};
            case SSL_ERROR_ZERO_RETURN:
                return {transfer_status::closed};
            case SSL_ERROR_SYSCALL:
                if (system_error == 0 || outcome == 0) return {transfer_status::cut};
                return {transfer_status::failed, 0, {system_error, asio::error::get_system_category()}};
            default:
                return tls_error();
        }
    }

    [[nodiscard]] transfer tls_error() const {
#if defined(SSL_R_UNEXPECTED_EOF_WHILE_READING)
        if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            return {transfer_status::cut, 0, {}, "the peer closed the connection without the notice of TLS"};
        }
#endif
        const long verified = SSL_get_verify_result(ssl_.get());
        const bool verifies = (SSL_get_verify_mode(ssl_.get()) & SSL_VERIFY_PEER) != 0;
        const bool refused = verifies && verified != X509_V_OK && !SSL_is_init_finished(ssl_.get());
        return {transfer_status::failed,
                0,
                {},
                refused ? std::string_view(X509_verify_cert_error_string(verified)) : openssl_reason()};
    }

    ssl_handle ssl_;
};

/// The channels of one shard to one host, and the session that the next one takes up.
class tls_connector final : public secure_connector {
  public:
    tls_connector(SSL_CTX* context, std::string host, bool resume)
        : context_(context), host_(std::move(host)), resume_(resume) {}

    [[nodiscard]] std::unique_ptr<secure_channel> open(int descriptor) override {
        return std::make_unique<tls_channel>(context_, descriptor, host_, resume_ ? &session_ : nullptr);
    }

  private:
    SSL_CTX* context_;
    std::string host_;
    ssl_session session_;
    bool resume_;
};

class tls_security final : public security {
  public:
    explicit tls_security(const tls_options& options)
        : context_(SSL_CTX_new(TLS_client_method())), resume_(options.resume) {
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
        SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION);
        // A record's head and body come with one call of the system.
        SSL_CTX_set_read_ahead(context_.get(), 1);
        SSL_CTX_set_verify(context_.get(), options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
        SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(context_.get(), keep_session);
        constexpr unsigned char protocols[] = "\x08http/1.1";
        SSL_CTX_set_alpn_protos(context_.get(), protocols, sizeof protocols - 1);
        trust(options);
        show(options);
    }

    [[nodiscard]] std::unique_ptr<secure_connector> connector(const std::string& host) const override {
        return std::make_unique<tls_connector>(context_.get(), host, resume_);
    }

  private:
    static int keep_session(SSL* ssl, SSL_SESSION* session) {
        auto* const kept = static_cast<ssl_session*>(SSL_get_app_data(ssl));
        if (kept == nullptr) return 0;
        kept->reset(session);
        return 1;
    }

    static void require(bool fine, const char* option, const std::string& file, const char* wanted) {
        if (fine) return;
        const std::string reason(openssl_reason());
        ERR_clear_error();
        fail_option(option, file, std::string(wanted) + " is needed (" + reason + ")");
    }

    void trust(const tls_options& options) const {
        if (options.ca_file.empty()) {
            SSL_CTX_set_default_verify_paths(context_.get());
            return;
        }
        require(SSL_CTX_load_verify_locations(context_.get(), options.ca_file.c_str(), nullptr) == 1, "ca_file",
                options.ca_file, "a readable PEM file with certificates");
    }

    void show(const tls_options& options) const {
        if (options.certificate_file.empty()) {
            if (!options.key_file.empty()) {
                fail_option("key_file", options.key_file, "a key needs its certificate");
            }
            return;
        }
        require(SSL_CTX_use_certificate_chain_file(context_.get(), options.certificate_file.c_str()) == 1,
                "certificate_file", options.certificate_file, "a readable PEM file with a certificate");
        const std::string& key = options.key_file.empty() ? options.certificate_file : options.key_file;
        require(SSL_CTX_use_PrivateKey_file(context_.get(), key.c_str(), SSL_FILETYPE_PEM) == 1, "key_file",
                key, "a readable PEM file with the certificate's key");
    }

    ssl_context context_;
    bool resume_;
};

[[nodiscard]] inline std::shared_ptr<const security> make_default_tls() {
    static const std::shared_ptr<const security> made = std::make_shared<tls_security>(tls_options{});
    return made;
}

/// That this header is there makes https URLs work.
inline const bool tls_is_there = (default_security = &make_default_tls, true);

}  // namespace detail

/// TLS 1.2 and 1.3 on OpenSSL, for `target::secured_by`. An https target without it gets `tls({})`. Throws
/// `error` for files that cannot be used. One may serve several targets and runs.
[[nodiscard]] inline std::shared_ptr<const security> tls(const tls_options& options) {
    return std::make_shared<detail::tls_security>(options);
}

}  // namespace benchkit::inline v0_1::http

#endif

#if defined(BENCHKIT_WITH_JSON) && BENCHKIT_WITH_JSON

// ---------- benchkit/http/expect_json.hpp

#include <simdjson.h>

namespace benchkit::inline v0_1::http {

namespace detail {

/// The JSON text of a value, without whitespace; nothing where it is no JSON.
[[nodiscard]] inline std::optional<std::string> minified_json(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element element;
    if (parser.parse(simdjson::padded_string(text)).get(element) != simdjson::SUCCESS) return std::nullopt;
    return simdjson::to_string(element);
}

/// A text as simdjson writes it. Fails where it is no UTF-8, which no JSON has.
[[nodiscard]] inline std::string json_text(std::string_view value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char byte : value) {
        const auto code = static_cast<unsigned char>(byte);
        if (code < 0x20) {
            quoted.append("\\u00").push_back(digits[code >> 4U]);
            quoted.push_back(digits[code & 15U]);
            continue;
        }
        if (byte == '"' || byte == '\\') quoted.push_back('\\');
        quoted.push_back(byte);
    }
    const auto written = minified_json(quoted.append("\""));
    if (!written) fail_option("json", printable(value), "a value in UTF-8 is needed");
    return *written;
}

/// One token of a pointer: ~1 stands for / and ~0 for ~ (RFC 6901 section 4).
[[nodiscard]] inline std::string pointer_key(std::string_view token) {
    std::string key;
    for (std::size_t k = 0; k < token.size(); ++k) {
        const bool escape =
            token[k] == '~' && k + 1 < token.size() && (token[k + 1] == '0' || token[k + 1] == '1');
        key.push_back(escape ? (token[++k] == '0' ? '~' : '/') : token[k]);
    }
    return key;
}

/// The value that a pointer leads to from `at`. simdjson's own walk makes GCC 12 warn at -O3.
[[nodiscard]] inline std::optional<simdjson::dom::element> follow_pointer(simdjson::dom::element at,
                                                                          std::string_view pointer) {
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::string_view token = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(token.size());
        simdjson::dom::element next;
        if (at.is_object()) {
            if (at.at_key(pointer_key(token)).get(next) != simdjson::SUCCESS) return std::nullopt;
        } else {
            const auto index = parse_integer(token);
            const bool plain = index && *index >= 0 && (token == "0" || !token.starts_with('0'));
            if (!plain || !at.is_array()) return std::nullopt;
            if (at.at(static_cast<std::size_t>(*index)).get(next) != simdjson::SUCCESS) return std::nullopt;
        }
        at = next;
    }
    return at;
}

/// A pointer out of "/a/0" or its form for URIs, "#/a/0", in which %3D stands for "=" (RFC 6901 sections 5 and
/// 6).
[[nodiscard]] inline std::optional<std::string> plain_pointer(std::string_view text) {
    const bool encoded = text.starts_with('#');
    if (encoded) text.remove_prefix(1);
    if (!text.empty() && !text.starts_with('/')) return std::nullopt;
    std::string pointer;
    while (!text.empty()) {
        const bool escape = encoded && text.front() == '%';
        char byte = text.front();
        if (escape) {
            const std::string_view digits = text.substr(1, 2);
            unsigned code = 0;
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            if (digits.size() < 2 || read.ptr != digits.data() + 2) return std::nullopt;
            byte = static_cast<char>(code);
        }
        pointer.push_back(byte);
        text.remove_prefix(escape ? 3 : 1);
    }
    for (std::size_t tilde = pointer.find('~'); tilde != std::string::npos;
         tilde = pointer.find('~', tilde + 1)) {
        const char behind = tilde + 1 < pointer.size() ? pointer[tilde + 1] : '\0';
        if (behind != '0' && behind != '1') return std::nullopt;
    }
    return pointer;
}

[[nodiscard]] inline std::optional<std::string> json_fault(std::string_view content, const std::string& pointer,
                                                           const std::string& wanted) {
    // One per thread: it keeps its memory from body to body.
    thread_local simdjson::dom::parser parser;
    simdjson::dom::element document;
    if (parser.parse(content.data(), content.size(), true).get(document) != simdjson::SUCCESS)
        return "is no JSON";
    const auto found = follow_pointer(document, pointer);
    if (!found) return "has nothing at " + printable(pointer);
    const std::string value = simdjson::to_string(*found);
    if (value == wanted) return std::nullopt;
    return "has " + value + " at " + printable(pointer) + ", not " + wanted;
}

}  // namespace detail

/// Expects a JSON body that has this value where the pointer says (RFC 6901): "" is the whole, "/a/0" the first
/// element of a. `value` is JSON, such as 1, true, "text" or {"a":1}; what is no JSON is a text. Numbers are
/// equal where they are written alike.
inline expectation& expect_json(expectation& wanted, std::string pointer, std::string_view value) {
    std::string text;
    if (auto json = detail::minified_json(value)) {
        text = std::move(*json);
    } else {
        text = detail::json_text(value);
    }
    return wanted.body([pointer = std::move(pointer), text = std::move(text)](std::string_view content) {
        return detail::json_fault(content, pointer, text);
    });
}

/// As `add_expectation`, with "json:/pointer=value" too. The pointer ends at the first "="; for keys with one
/// there is the form for URIs (RFC 6901 section 6), in which %3D stands for it: "json:#/a%3Db=value".
inline void add_json_expectation(expectation& wanted, std::string_view option, std::string_view text) {
    if (!text.starts_with("json:")) return add_expectation(wanted, option, text);
    const std::size_t equals = text.find('=');
    const std::string_view pointer = text.substr(5, equals == std::string_view::npos ? equals : equals - 5);
    const auto plain = detail::plain_pointer(pointer);
    if (equals == std::string_view::npos || !plain) {
        fail_option(std::string(option), detail::printable(text), detail::expectation_forms);
    }
    expect_json(wanted, *plain, text.substr(equals + 1));
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/http/requests_file.hpp

namespace benchkit::inline v0_1::http {

/// The path and query of a URL that leads to the same server as `base`, or a path as it is. Fails by the name
/// of `option` where it leads elsewhere.
[[nodiscard]] inline std::string path_of_url(std::string_view option, std::string_view text, const url& base) {
    if (text.starts_with('/')) return std::string(text);
    const url other = parse_url(option, text);
    if (other.is_secure() == base.is_secure() && other.host == base.host && other.port == base.port) {
        return other.path;
    }
    fail_option(std::string(option), detail::printable(text),
                "all requests of a load go to one server, that of " + base.text());
}

namespace detail {

/// Reads the lines of a file of requests.
class requests_reader {
  public:
    requests_reader(std::string_view option, std::string_view file, const url& base)
        : option_(option), file_(file), base_(base) {}

    /// Adds the request of one line; blank lines have none.
    void read_line(std::string_view line, std::int64_t number, request_list& into) {
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
        line_ = number;
        // The document lives until the parser reads the next one.
        simdjson::dom::element root;
        const auto problem = parser_.parse(simdjson::padded_string(line)).get(root);
        if (problem != simdjson::SUCCESS) refuse(std::string("is no JSON: ").append(error_message(problem)));
        simdjson::dom::object fields;
        if (root.get(fields) != simdjson::SUCCESS) refuse("is no JSON object");
        try {
            add(fields, into);
        } catch (const error& refused) {
            if (refused.option() == option_) throw;
            refuse(refused.what());
        }
    }

  private:
    struct parts {
        std::string method;
        std::string url;
        std::string body;
        bool has_body = false;
        std::int64_t weight = 1;
        simdjson::dom::object headers;
        bool has_headers = false;
    };

    void add(simdjson::dom::object fields, request_list& into) {
        parts read;
        for (const auto field : fields) take(field.key, field.value, read);
        if (read.url.empty()) refuse("has no \"url\"");
        if (read.method.empty()) read.method = read.has_body ? "POST" : "GET";
        request made(read.method, path_of_url("url", read.url, base_));
        if (read.has_headers) add_headers(read.headers, made);
        if (read.has_body) made.body(std::move(read.body));
        into.add(std::move(made), read.weight);
    }

    void take(std::string_view key, simdjson::dom::element value, parts& into) {
        if (key == "method") {
            into.method = text_of(key, value);
        } else if (key == "url") {
            into.url = text_of(key, value);
        } else if (key == "body") {
            into.has_body = true;
            into.body = value.is_string() ? text_of(key, value) : std::string(simdjson::minify(value));
        } else if (key == "headers") {
            if (value.get(into.headers) != simdjson::SUCCESS) refuse("has \"headers\" that are no object");
            into.has_headers = true;
        } else if (key == "weight") {
            if (value.get(into.weight) != simdjson::SUCCESS) refuse("has a \"weight\" that is no whole number");
        } else {
            refuse("has \"" + printable(key) + "\", and allowed are method, url, headers, body and weight");
        }
    }

    void add_headers(simdjson::dom::object headers, request& made) {
        for (const auto field : headers) {
            made.header(std::string(field.key), text_of(field.key, field.value));
        }
    }

    [[nodiscard]] std::string text_of(std::string_view key, simdjson::dom::element value) const {
        std::string_view text;
        if (value.get(text) == simdjson::SUCCESS) return std::string(text);
        refuse("has \"" + printable(key) + "\" that is no text");
    }

    [[noreturn]] void refuse(const std::string& problem) const {
        std::string sentence = "line ";
        sentence.append(std::to_string(line_)).append(" ").append(problem);
        fail_option(option_, file_, std::move(sentence));
    }

    std::string option_;
    std::string file_;
    const url& base_;
    std::int64_t line_ = 0;
    simdjson::dom::parser parser_;
};

}  // namespace detail

/// Reads requests, a JSON object on each line: `{"method": "POST", "url": "/x", "headers": {"Accept": "*/*"},
/// "body":
/// "...", "weight": 3}`. Only the URL is needed, a path or one of the server of `base`; the method is GET, with
/// a body POST. A body that is no text is sent as the JSON that it is. `file`: what `text` was read from. Fails
/// by the name of `option`, with the number of the line.
[[nodiscard]] inline request_list parse_requests(std::string_view option, std::string_view file,
                                                 std::string_view text, const url& base) {
    request_list list;
    detail::requests_reader reader(option, file, base);
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        reader.read_line(line, number, list);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    if (list.entries().empty()) fail_option(std::string(option), std::string(file), "it has no requests");
    return list;
}

}  // namespace benchkit::inline v0_1::http

// ---------- benchkit/result/json_reader.hpp

namespace benchkit::inline v0_1 {

namespace detail {

/// Where a reader is, as a path such as `children[2].counters.failed`; it becomes a text only where one is
/// needed.
struct json_place {
    const json_place* parent = nullptr;
    std::string_view name;
    std::optional<std::size_t> index;

    [[nodiscard]] std::string text() const {
        std::string path = parent == nullptr ? std::string() : parent->text();
        if (index) return path + '[' + std::to_string(*index) + ']';
        if (!path.empty() && !name.empty()) path += '.';
        return path.append(printable(name));
    }
};

[[noreturn]] inline void refuse(const json_place& place, std::string_view problem) {
    const std::string path = place.text();
    fail("This is no result that can be read: " + (path.empty() ? "the file" : path) + ' ' +
         std::string(problem) + '.');
}

/// Fails where the text is not JSON at all.
[[noreturn]] inline void refuse_text(std::string_view text, simdjson::error_code problem) {
    std::string sentence = "This is no result that can be read: it is not JSON";
    if (const auto flaw = find_json_flaw(text)) {
        fail(sentence + " at " + line_and_column(text, flaw->offset) + ", where " + flaw->expected +
             " is expected.");
    }
    fail(sentence + " (" + simdjson::error_message(problem) + ").");
}

/// A value of JSON and where it stands. Each function fails, by the place, where the value is not what is asked
/// for.
class json_value {
  public:
    using element = simdjson::dom::element;

    json_value(element value, const json_place& place) : value_(value), place_(place) {}

    [[nodiscard]] bool is_null() const { return value_.is_null(); }

    [[nodiscard]] std::string string() const {
        std::string_view text;
        if (value_.get(text) != simdjson::SUCCESS) refuse(place_, "has to be a string");
        return std::string(text);
    }

    [[nodiscard]] bool truth() const {
        bool truth = false;
        if (value_.get(truth) != simdjson::SUCCESS) refuse(place_, "has to be true or false");
        return truth;
    }

    [[nodiscard]] std::int64_t integer() const {
        std::int64_t integer = 0;
        if (value_.get(integer) != simdjson::SUCCESS) refuse(place_, "has to be a whole number of 64 bits");
        return integer;
    }

    /// A number; `null` is what JSON has for one that is not finite.
    [[nodiscard]] double number() const {
        double number = std::numeric_limits<double>::quiet_NaN();
        if (!is_null() && value_.get(number) != simdjson::SUCCESS) refuse(place_, "has to be a number or null");
        return number;
    }

    [[nodiscard]] std::optional<double> maybe_number() const {
        return is_null() ? std::nullopt : std::optional(number());
    }

    [[nodiscard]] std::optional<std::int64_t> maybe_integer() const {
        return is_null() ? std::nullopt : std::optional(integer());
    }

    /// Any scalar. A whole number beyond 64 bits of sign becomes a real one.
    [[nodiscard]] attribute scalar() const {
        switch (value_.type()) {
            case simdjson::dom::element_type::BOOL:
                return truth();
            case simdjson::dom::element_type::INT64:
                return integer();
            case simdjson::dom::element_type::STRING:
                return string();
            case simdjson::dom::element_type::UINT64:
            case simdjson::dom::element_type::DOUBLE:
            case simdjson::dom::element_type::NULL_VALUE:
                return number();
            default:
                refuse(place_, "has to be a string, a number, true, false or null");
        }
    }

    /// Calls `visit(key, value)` for each member of an object; not at all for `null`.
    template <class Visit>
    void each_member(const Visit& visit) const {
        simdjson::dom::object object;
        if (is_null()) return;
        if (value_.get(object) != simdjson::SUCCESS) refuse(place_, "has to be an object");
        for (const auto member : object) {
            const json_place place{&place_, member.key, std::nullopt};
            visit(member.key, json_value(member.value, place));
        }
    }

    /// Calls `visit(value)` for each element of an array; not at all for `null`.
    template <class Visit>
    void each_element(const Visit& visit) const {
        simdjson::dom::array array;
        if (is_null()) return;
        if (value_.get(array) != simdjson::SUCCESS) refuse(place_, "has to be an array");
        std::size_t index = 0;
        for (const element child : array) {
            const json_place place{&place_, {}, index++};
            visit(json_value(child, place));
        }
    }

    [[noreturn]] void refuse_value(std::string_view problem) const { refuse(place_, problem); }

  private:
    element value_;
    const json_place& place_;
};

inline void read(const json_value& json, attributes& into) {
    json.each_member(
        [&](std::string_view key, const json_value& value) { into[std::string(key)] = value.scalar(); });
}

inline void read(const json_value& json, counters& into) {
    json.each_member(
        [&](std::string_view key, const json_value& value) { into[std::string(key)] = value.integer(); });
}

/// What JSON says of a histogram beside its encoding.
struct stated_figures {
    std::optional<std::int64_t> count;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::optional<uint128> sum;
};

inline void read_histogram(const json_value& json, const std::string& encoded, const stated_figures& stated,
                           histogram& into) {
    auto decoded = decode_histogram(encoded);
    if (!decoded) json.refuse_value("has to have a histogram in the base64 form of HdrHistogram V2");
    into = *std::move(decoded);
    if (stated.count.value_or(into.count()) != into.count())
        json.refuse_value("has another count than its histogram");
    const bool restored = into.restore(stated.min.value_or(into.min()), stated.max.value_or(into.max()),
                                       stated.sum.value_or(into.sum()));
    if (!restored) json.refuse_value("has a min, max or sum that contradicts its histogram");
}

inline void read(const json_value& json, distribution& into) {
    stated_figures stated;
    std::string encoded;
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "unit") into.unit = value.string();
        if (key == "count") stated.count = value.maybe_integer();
        if (key == "min") stated.min = value.maybe_integer();
        if (key == "max") stated.max = value.maybe_integer();
        if (key == "histogram") encoded = value.string();
        if (key != "sum") return;
        stated.sum = parse_uint128(value.string());
        if (!stated.sum) value.refuse_value("has to be a whole number of 128 bits, as a string");
    });
    read_histogram(json, encoded, stated, into.values);
}

inline void read(const json_value& json, sample_set& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "unit") into.unit = value.string();
        if (key != "values") return;
        value.each_element([&](const json_value& sample) { into.values.push_back(sample.number()); });
    });
}

inline void read(const json_value& json, series_point& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "t") into.t = value.number();
        if (key == "succeeded") into.succeeded = value.integer();
        if (key == "failed") into.failed = value.integer();
        if (key == "p50") into.p50 = value.maybe_integer();
        if (key == "p99") into.p99 = value.maybe_integer();
    });
}

inline void read(const json_value& json, time_series& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "interval_seconds") into.interval_seconds = value.number();
        if (key != "points") return;
        value.each_element([&](const json_value& point) { read(point, into.points.emplace_back()); });
    });
}

inline void read(const json_value& json, std::optional<interval>& into) {
    if (json.is_null()) return;
    std::size_t count = 0;
    std::array<double, 2> ends{};
    json.each_element([&](const json_value& end) {
        if (count < ends.size()) ends[count] = end.number();
        ++count;
    });
    if (count != ends.size()) json.refuse_value("has to be two numbers, from low to high");
    into = interval{ends[0], ends[1]};
}

inline void read(const json_value& json, outlier_counts& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "low_severe") into.low_severe = value.integer();
        if (key == "low_mild") into.low_mild = value.integer();
        if (key == "high_mild") into.high_mild = value.integer();
        if (key == "high_severe") into.high_severe = value.integer();
    });
}

inline void read(const json_value& json, sample_summary& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "count") into.count = value.integer();
        if (key == "mean") into.mean = value.maybe_number();
        if (key == "stddev") into.stddev = value.maybe_number();
        if (key == "min") into.min = value.maybe_number();
        if (key == "q1") into.q1 = value.maybe_number();
        if (key == "median") into.median = value.maybe_number();
        if (key == "q3") into.q3 = value.maybe_number();
        if (key == "max") into.max = value.maybe_number();
        if (key == "mad") into.mad = value.maybe_number();
        if (key == "outliers") read(value, into.outliers);
        if (key == "median_interval") read(value, into.median_interval);
        if (key == "mean_interval") read(value, into.mean_interval);
    });
}

inline void read(const json_value& json, mann_whitney_test& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "u") into.u = value.number();
        if (key == "p") into.p = value.number();
    });
}

inline void read(const json_value& json, hodges_lehmann_shift& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "shift") into.shift = value.number();
        if (key == "interval") read(value, into.interval);
    });
}

/// The enumerator of this name among the first `count`.
template <class Enumeration>
[[nodiscard]] Enumeration read_name(const json_value& json, std::size_t count) {
    const std::string name = json.string();
    for (std::size_t index = 0; index < count; ++index) {
        if (to_string(static_cast<Enumeration>(index)) == name) return static_cast<Enumeration>(index);
    }
    std::string allowed;
    for (std::size_t index = 0; index < count; ++index) {
        allowed += index == 0 ? "" : index + 1 == count ? " or " : ", ";
        allowed += to_string(static_cast<Enumeration>(index));
    }
    json.refuse_value("has to be " + allowed);
}

template <class Content>
void read_maybe(const json_value& json, std::optional<Content>& into) {
    if (!json.is_null()) read(json, into.emplace());
}

inline void read(const json_value& json, comparison& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "ratio") into.ratio = value.maybe_number();
        if (key == "interval") read(value, into.interval);
        if (key == "confidence") into.confidence = value.number();
        if (key == "mann_whitney") read_maybe(value, into.mann_whitney);
        if (key == "hodges_lehmann") read_maybe(value, into.hodges_lehmann);
        if (key == "verdict") into.verdict = read_name<verdict>(value, verdict_count);
        if (key == "basis") into.basis = value.string();
        if (key == "base") read(value, into.base_summary);
        if (key == "new") read(value, into.new_summary);
    });
}

inline void read(const json_value& json, run_resources& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "user_seconds") into.user_seconds = value.number();
        if (key == "system_seconds") into.system_seconds = value.number();
        if (key == "max_rss_bytes") into.max_rss_bytes = value.integer();
        if (key == "voluntary_switches") into.voluntary_switches = value.integer();
        if (key == "involuntary_switches") into.involuntary_switches = value.integer();
        if (key == "wall_seconds") into.wall_seconds = value.number();
    });
}

inline void read(const json_value& json, diagnostic& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "code") into.code = value.string();
        if (key == "severity") into.severity = read_name<severity>(value, severity_count);
        if (key == "message") into.message = value.string();
    });
}

template <class Named>
void read_named(const json_value& json, Named& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        typename Named::mapped_type content;
        read(value, content);
        into.insert_or_assign(std::string(key), std::move(content));
    });
}

template <class List>
void read_list(const json_value& json, List& into) {
    json.each_element([&](const json_value& value) { read(value, into.emplace_back()); });
}

inline void read_started_at(const json_value& json, result& into) {
    const auto moment = parse_timestamp(json.string());
    if (!moment) json.refuse_value("has to be a time such as 2026-01-31T12:00:00Z");
    into.started_at = *moment;
}

inline void read(const json_value& json, result& into);

inline void read_member(std::string_view key, const json_value& value, result& into) {
    if (key == "name") into.name = value.string();
    if (key == "kind") into.kind = value.string();
    if (key == "parameters") read(value, into.parameters);
    if (key == "environment") read(value, into.environment);
    if (key == "attributes") read(value, into.attributes);
    if (key == "started_at") read_started_at(value, into);
    if (key == "elapsed_seconds") into.elapsed_seconds = value.number();
    if (key == "rate") into.rate = value.maybe_number();
    if (key == "interrupted") into.interrupted = value.truth();
    if (key == "counters") read(value, into.counters);
    if (key == "distributions") read_named(value, into.distributions);
    if (key == "samples") read_named(value, into.samples);
    if (key == "series") read_maybe(value, into.series);
    if (key == "records") read_list(value, into.records);
    if (key == "comparisons") read_list(value, into.comparisons);
    if (key == "children") read_list(value, into.children);
    if (key == "resources") read_maybe(value, into.resources);
    if (key == "diagnostics") read_list(value, into.diagnostics);
}

/// Refuses what is no result of ours before anything in it is taken for one.
inline void require_result(const json_value& json) {
    std::optional<std::string> schema;
    bool named = false;
    bool of_a_kind = false;
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "schema") schema = value.string();
        named = named || key == "name";
        of_a_kind = of_a_kind || key == "kind";
    });
    const std::string needed = "has to have \"schema\": \"" + std::string(result_schema) + "\"";
    if (!schema) json.refuse_value(needed);
    if (*schema != result_schema) json.refuse_value(needed + ", not \"" + printable(*schema) + "\"");
    if (!named || !of_a_kind) json.refuse_value("has to have a name and a kind");
}

inline void read(const json_value& json, result& into) {
    require_result(json);
    json.each_member([&](std::string_view key, const json_value& value) { read_member(key, value, into); });
}

}  // namespace detail

/// Restores a result from its JSON (`to_json`): all that any report shows of it, to the last byte. Keys that
/// are not known are skipped and keys that are missing leave their default, save schema, name and kind. Fails
/// with a sentence that says what is wrong and where. Any text may be given: a file is not trusted, and nothing
/// of it is checked against the books (`check` does).
[[nodiscard]] inline result read_json(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::error_code problem = parser.parse(simdjson::padded_string(text)).get(root);
    if (problem != simdjson::SUCCESS) detail::refuse_text(text, problem);
    const detail::json_place place;
    result restored;
    detail::read(detail::json_value(root, place), restored);
    return restored;
}

}  // namespace benchkit::inline v0_1

#endif
