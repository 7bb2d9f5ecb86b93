#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>

#include <benchkit/core/decimal.hpp>
#include <benchkit/core/uint256.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/exact_rate.hpp>

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
