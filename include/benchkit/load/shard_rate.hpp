#pragma once

#include <chrono>
#include <cstdint>

#include <benchkit/core/clock.hpp>
#include <benchkit/stats/histogram.hpp>

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
