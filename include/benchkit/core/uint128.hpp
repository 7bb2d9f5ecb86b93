#pragma once

#include <algorithm>
#include <bit>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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
