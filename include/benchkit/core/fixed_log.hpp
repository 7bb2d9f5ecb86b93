#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>

#include <benchkit/core/uint128.hpp>

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
