#include <benchkit/load/poisson_schedule.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::poisson_schedule;

namespace {

std::vector<std::int64_t> first_times(poisson_schedule schedule, std::size_t count) {
    std::vector<std::int64_t> times(count);
    for (std::int64_t& time : times) time = schedule.next();
    return times;
}

/// How many operations are in each of so many windows.
std::vector<double> counts_in_windows(poisson_schedule schedule, std::int64_t window, std::size_t windows) {
    std::vector<double> counts(windows);
    for (;;) {
        const auto place = static_cast<std::size_t>(schedule.next() / window);
        if (place >= windows) return counts;
        counts[place] += 1;
    }
}

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

/// The sum of (x - mean x) (y - mean y).
double cross_sum(const std::vector<double>& left, const std::vector<double>& right) {
    const auto count = static_cast<double>(left.size());
    const double left_mean = sum_of(left) / count;
    const double right_mean = sum_of(right) / count;
    double sum = 0;
    for (std::size_t index = 0; index < left.size(); ++index) {
        sum += (left[index] - left_mean) * (right[index] - right_mean);
    }
    return sum;
}

/// The largest distance between the distribution of the gaps and the exponential one with this mean (ns).
double kolmogorov_smirnov(const std::vector<std::int64_t>& times, double mean) {
    std::vector<double> gaps;
    std::int64_t before = 0;
    for (const std::int64_t time : times) {
        gaps.push_back(static_cast<double>(time - before));
        before = time;
    }
    std::sort(gaps.begin(), gaps.end());
    const auto count = static_cast<double>(gaps.size());
    double largest = 0;
    for (std::size_t index = 0; index < gaps.size(); ++index) {
        const double expected = 1 - std::exp(-gaps[index] / mean);
        const auto below = static_cast<double>(index);
        largest = std::max({largest, (below + 1) / count - expected, expected - below / count});
    }
    return largest;
}

}  // namespace

// The expected times come from a second implementation in Python: the random numbers from integers, their
// logarithms from its decimal module with 80 digits.
TEST_CASE("the times for a seed, a shard and a rate are fixed") {
    CHECK(first_times(poisson_schedule(5'000, 0, 1, 1), 5) ==
          std::vector<std::int64_t>{622'319, 808'781, 829'725, 909'981, 1'004'078});
    CHECK(first_times(poisson_schedule(5'000, 0, 1, 1), 1'000).back() == 202'130'839);
    CHECK(first_times(poisson_schedule(5'000, 1, 2, 1), 3) ==
          std::vector<std::int64_t>{933'282, 1'014'516, 1'116'755});
    CHECK(first_times(poisson_schedule(0.3, 0, 1, 7), 3) ==
          std::vector<std::int64_t>{2'061'380'100, 4'168'105'648, 4'855'455'456});
    CHECK(first_times(poisson_schedule(1e-6, 2, 3, 1), 2) ==
          std::vector<std::int64_t>{3'628'200'496'011'694, 6'896'859'770'707'200});
}

TEST_CASE("gaps far below a nanosecond are not rounded") {
    CHECK(first_times(poisson_schedule(1e9, 0, 1, 42), 5) == std::vector<std::int64_t>{0, 1, 1, 2, 3});
    CHECK(first_times(poisson_schedule(1e9, 0, 1, 42), 10'000).back() == 9'948);
    // A million at one per nanosecond last a million nanoseconds, give or take 2.576 deviations of 1,000.
    CHECK(std::abs(first_times(poisson_schedule(1e9, 0, 1, 1), 1'000'000).back() - 1'000'000) < 2'576);
}

TEST_CASE("what is beyond the largest time stays there") {
    // The mean gap of one of a million shards is 10^21 ns.
    poisson_schedule slow(1e-6, 0, 1'000'000, 1);
    for (int operation = 0; operation < 3; ++operation) {
        CHECK(slow.next() == std::numeric_limits<std::int64_t>::max());
    }
}

TEST_CASE("counts in windows have the mean and the variance of a Poisson process") {
    // Of 1,001 windows of 10 ms at 5,000 per second: 50 on average.
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(seed);
        const auto counts = counts_in_windows(poisson_schedule(5'000, 0, 1, seed), 10'000'000, 1'001);
        const double sum = sum_of(counts);
        // All of them are Poisson with mean 50,050: 99 % within 2.576 deviations.
        CHECK(std::abs(sum - 50'050) < 2.576 * std::sqrt(50'050));
        // The index of dispersion has a chi-squared distribution with 1,000 degrees of freedom: 99 % lie
        // between 888.56 and 1,118.95 (tables of its quantiles 0.005 and 0.995).
        const double dispersion = cross_sum(counts, counts) / (sum / 1'001);
        CHECK(dispersion > 888.56);
        CHECK(dispersion < 1'118.95);
    }
}

TEST_CASE("gaps are exponentially distributed, on one shard and on one of four") {
    // The critical value of the Kolmogorov-Smirnov statistic for many samples: 1.628 / sqrt(n) at 1 %.
    constexpr std::size_t samples = 20'000;
    const double critical = 1.628 / std::sqrt(static_cast<double>(samples));
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        CAPTURE(seed);
        CHECK(kolmogorov_smirnov(first_times(poisson_schedule(5'000, 0, 1, seed), samples), 2e5) < critical);
        CHECK(kolmogorov_smirnov(first_times(poisson_schedule(5'000, 2, 4, seed), samples), 8e5) < critical);
    }
    // It tells a constant rate from a Poisson process.
    std::vector<std::int64_t> even(samples);
    for (std::size_t index = 0; index < samples; ++index)
        even[index] = static_cast<std::int64_t>(index) * 200'000;
    CHECK(kolmogorov_smirnov(even, 2e5) > critical);
}

TEST_CASE("shards together are a Poisson process of the whole rate") {
    constexpr std::size_t samples = 20'000;
    std::vector<std::int64_t> together;
    for (std::uint64_t shard = 0; shard < 4; ++shard) {
        const auto times = first_times(poisson_schedule(5'000, shard, 4, 1), samples);
        together.insert(together.end(), times.begin(), times.end());
    }
    std::sort(together.begin(), together.end());
    together.resize(samples);  // no shard has ended before these
    CHECK(kolmogorov_smirnov(together, 2e5) < 1.628 / std::sqrt(static_cast<double>(samples)));
}

TEST_CASE("shards do not know of each other") {
    // Where they are independent, the correlation of n counts deviates by 1 / sqrt(n): 99 % within 2.576 of
    // that.
    constexpr std::size_t windows = 2'000;
    std::vector<std::vector<double>> counts;
    for (std::uint64_t shard = 0; shard < 4; ++shard) {
        counts.push_back(counts_in_windows(poisson_schedule(5'000, shard, 4, 1), 10'000'000, windows));
    }
    for (std::size_t left = 0; left < counts.size(); ++left) {
        for (std::size_t right = 0; right < left; ++right) {
            const double correlation =
                cross_sum(counts[left], counts[right]) /
                std::sqrt(cross_sum(counts[left], counts[left]) * cross_sum(counts[right], counts[right]));
            CHECK(std::abs(correlation) < 2.576 / std::sqrt(static_cast<double>(windows)));
        }
    }
    CHECK(first_times(poisson_schedule(5'000, 0, 4, 1), 100) !=
          first_times(poisson_schedule(5'000, 1, 4, 1), 100));
    CHECK(first_times(poisson_schedule(5'000, 0, 4, 1), 100) !=
          first_times(poisson_schedule(5'000, 0, 4, 2), 100));
}
