#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <benchkit/core/fixed_log.hpp>
#include <benchkit/core/uint128.hpp>

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
