// What a histogram record costs beside the bare minimum: a bucket increment with the same index formula, count,
// smallest, largest and a sum of 128 bits, for one fixed layout and without any check, in alternating rounds.
//
//     histogram [ROUNDS]        at least 9, 41 by default
//
// Prints nanoseconds per record and the median ratio with its sign interval. Ends with 1 where the bar is
// missed.

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/stats/histogram.hpp>

namespace {

namespace bk = benchkit;

constexpr double bar = 1.1;
constexpr double tolerance = 0.03;

__extension__ typedef unsigned __int128 wide_integer;

class bare_histogram {
  public:
    void record(std::int64_t value) {
        const auto bits = static_cast<std::uint64_t>(value);
        const int shift = 53 - __builtin_clzll(bits | 2047);
        ++counts_[(static_cast<std::size_t>(shift) << 10) + static_cast<std::size_t>(bits >> shift)];
        ++count_;
        sum_ += bits;
        if (value < min_) min_ = value;
        if (value > max_) max_ = value;
    }

    [[nodiscard]] bool equals(const bk::histogram& other) const {
        const bk::uint128 sum{static_cast<std::uint64_t>(sum_ >> 64), static_cast<std::uint64_t>(sum_)};
        if (count_ != other.count() || min_ != other.min() || max_ != other.max() || sum != other.sum()) {
            return false;
        }
        const bk::histogram_scale scale(other.layout());
        return std::ranges::all_of(other.buckets(), [&](const bk::histogram_bucket& bucket) {
            return counts_[scale.index_of(bucket.from)] == static_cast<std::uint64_t>(bucket.count);
        });
    }

  private:
    std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(54 * 1024);
    std::int64_t count_ = 0;
    std::int64_t min_ = std::numeric_limits<std::int64_t>::max();
    std::int64_t max_ = 0;
    wide_integer sum_ = 0;
};

/// Latencies as a loaded server gives them: 200 us in the middle, one in a thousand above 2 ms.
std::vector<std::int64_t> latencies() {
    constexpr std::size_t count = 65'536;
    bk::random_stream stream(1, "latencies");
    std::vector<std::int64_t> values;
    while (values.size() < count) values.push_back(stream.lognormal(200'000, 0.75));
    return values;
}

/// Nanoseconds per record. A program does something else between two records, so that nothing of a histogram
/// stays in registers; the empty statement forbids this loop what no program can have.
template <class Histogram>
[[gnu::noinline]] double time_records(Histogram& target, const std::vector<std::int64_t>& values) {
    constexpr int passes = 64;
    const bk::time_point start = bk::clock::now();
    for (int pass = 0; pass < passes; ++pass) {
        for (const std::int64_t value : values) {
            target.record(value);
            asm volatile("" : : "r"(&target) : "memory");
        }
    }
    const auto elapsed = bk::clock::now() - start;
    return static_cast<double>(elapsed.count()) / (static_cast<double>(values.size()) * passes);
}

void pin_to_this_core() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(static_cast<std::size_t>(sched_getcpu()), &cores);
    if (sched_setaffinity(0, sizeof cores, &cores) != 0) std::cout << "could not pin to a core\n";
}

struct interval {
    double low;
    double median;
    double high;
};

/// The median and its 95 % interval, by the sign test: the k-th smallest and the k-th largest, where k is the
/// largest with P(Binomial(n, 1/2) < k) <= 2.5 %.
interval median_with_interval(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t size = values.size();
    double term = 1;
    for (std::size_t place = 0; place < size; ++place) term /= 2;
    double tail = 0;
    std::size_t rank = 0;
    while (tail + term <= 0.025) {
        tail += term;
        term *= static_cast<double>(size - rank) / static_cast<double>(rank + 1);
        ++rank;
    }
    const double median = (values[(size - 1) / 2] + values[size / 2]) / 2;
    return {values[rank - 1], median, values[size - rank]};
}

std::string fixed(double value) {
    return bk::format_fixed(value, 3);
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 41;
    if (rounds < 9 || rounds > 1'000) {
        std::cerr << "usage: histogram [ROUNDS], 9 to 1000\n";
        return 2;
    }
#if !defined(__OPTIMIZE__)
    std::cerr << "built without optimization: there is nothing to measure\n";
    return 3;
#endif
    pin_to_this_core();
    const std::vector<std::int64_t> values = latencies();
    bk::histogram ours;
    bare_histogram bare;
    time_records(ours, values);
    time_records(bare, values);

    std::vector<double> our_times;
    std::vector<double> bare_times;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        // Who goes first alternates too.
        double our_time = round % 2 == 0 ? time_records(ours, values) : 0;
        const double bare_time = time_records(bare, values);
        if (round % 2 != 0) our_time = time_records(ours, values);
        our_times.push_back(our_time);
        bare_times.push_back(bare_time);
        ratios.push_back(our_time / bare_time);
    }
    if (!bare.equals(ours)) {
        std::cerr << "the two sides counted differently\n";
        return 1;
    }

    const interval ratio = median_with_interval(ratios);
    const bool met = ratio.low < bar && ratio.median <= bar + tolerance;
    std::cout << "histogram record  " << fixed(median_with_interval(our_times).median) << " ns\n"
              << "bare increment    " << fixed(median_with_interval(bare_times).median) << " ns\n"
              << "ratio             " << fixed(ratio.median) << "  [" << fixed(ratio.low) << ", "
              << fixed(ratio.high) << "]  of " << rounds << " rounds\n"
              << "bar               " << bk::format_fixed(bar, 2) << "  " << (met ? "met" : "missed") << '\n';
    return met ? 0 : 1;
}
