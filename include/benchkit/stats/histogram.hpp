#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/stats/histogram_layout.hpp>

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
