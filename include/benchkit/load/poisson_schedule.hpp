#pragma once

#include <cstdint>
#include <limits>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/load/exact_rate.hpp>

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
