#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/stats/histogram.hpp>

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
