#pragma once

#include <cstdint>
#include <limits>

#include <benchkit/core/decimal.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/uint128.hpp>

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
