#include <benchkit/stats/histogram.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::histogram;
using bk::histogram_bucket;
using bk::uint128;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr bk::histogram_layout two_digits{.lowest = 1, .highest = 1'000'000, .significant_digits = 2};

histogram of(const std::vector<std::int64_t>& values, const bk::histogram_layout& layout = {}) {
    histogram result(layout);
    for (const std::int64_t value : values) result.record(value);
    return result;
}

std::vector<histogram_bucket> buckets_of(const histogram& values) {
    std::vector<histogram_bucket> found;
    for (const histogram_bucket bucket : values.buckets()) found.push_back(bucket);
    return found;
}

}  // namespace

TEST_CASE("an empty histogram is all zeros") {
    const histogram empty;
    CHECK(empty.count() == 0);
    CHECK(empty.min() == 0);
    CHECK(empty.max() == 0);
    CHECK(empty.sum() == uint128{});
    CHECK(empty.mean() == 0.0);
    CHECK(empty.stddev() == 0.0);
    CHECK(empty.value_at_percentile(0) == 0);
    CHECK(empty.value_at_percentile(95) == 0);
    CHECK(empty.value_at_percentile(100) == 0);
    CHECK(empty.percentile_at_value(10) == 0.0);
    CHECK(empty.count_between(0, largest) == 0);
    CHECK(empty.buckets().empty());
    CHECK(empty.buckets().begin() == empty.buckets().end());
}

TEST_CASE("percentiles follow Java's rule") {
    const histogram values = of({1, 2, 2, 2, 2});
    CHECK(values.value_at_percentile(20) == 1);
    CHECK(values.value_at_percentile(25) == 2);  // HdrHistogram in C says 1
    CHECK(values.value_at_percentile(100) == 2);

    histogram hundred;
    for (std::int64_t value = 1; value <= 100; ++value) hundred.record(value);
    CHECK(hundred.value_at_percentile(0) == 1);
    CHECK(hundred.value_at_percentile(1) == 1);
    CHECK(hundred.value_at_percentile(1.01) == 2);
    CHECK(hundred.value_at_percentile(50) == 50);
    CHECK(hundred.value_at_percentile(99) == 99);
    CHECK(hundred.value_at_percentile(99.5) == 100);
    CHECK(hundred.value_at_percentile(-1) == 1);
    CHECK(hundred.value_at_percentile(250) == 100);
    CHECK(hundred.value_at_percentile(std::nan("")) == 1);
}

TEST_CASE("a percentile that is a whole rank does not slip to the next one") {
    histogram thousand;
    for (std::int64_t value = 1; value <= 1'000; ++value) thousand.record(value);
    CHECK(thousand.value_at_percentile(99.9) == 999);
    CHECK(thousand.value_at_percentile(99.1) == 991);
    for (int rank = 1; rank <= 1'000; ++rank) {
        CAPTURE(rank);
        CHECK(thousand.value_at_percentile(rank / 10.0) == rank);
    }
}

TEST_CASE("percentiles are right to three digits, and the ends are exact") {
    // The known case of HdrHistogram's own tests: 10,000 values of 1,000 and one of 100,000,000.
    histogram values({1, 3'600'000'000, 3});
    values.record(1'000, 10'000);
    values.record(100'000'000);
    CHECK(values.count() == 10'001);
    CHECK(values.value_at_percentile(30) == 1'000);
    CHECK(values.value_at_percentile(99) == 1'000);
    CHECK(values.value_at_percentile(99.99) == 1'000);
    CHECK(values.value_at_percentile(99.999) == 100'000'000);
    CHECK(values.value_at_percentile(100) == 100'000'000);
    CHECK(values.mean() == doctest::Approx((1'000.0 * 10'000 + 100'000'000.0) / 10'001).epsilon(1e-15));
    CHECK(values.percentile_at_value(1'000) == doctest::Approx(100.0 * 10'000 / 10'001));
    CHECK(values.percentile_at_value(999) == 0.0);
    CHECK(values.percentile_at_value(100'000'000) == 100.0);
}

TEST_CASE("count, smallest, largest and sum are exact") {
    const histogram values = of({10'007, 123'456'789'012'345, 7});
    CHECK(values.count() == 3);
    CHECK(values.min() == 7);
    CHECK(values.max() == 123'456'789'012'345);
    CHECK(bk::to_string(values.sum()) == "123456789022359");

    histogram large;
    large.record(largest, 4);
    CHECK(bk::to_string(large.sum()) == "36893488147419103228");
    CHECK(large.mean() == static_cast<double>(largest));
    CHECK(large.max() == largest);
    CHECK(large.value_at_percentile(50) == largest);
}

TEST_CASE("the deviation is that of the population") {
    const histogram values = of({2, 4, 4, 4, 5, 5, 7, 9});
    CHECK(values.mean() == 5.0);
    CHECK(values.stddev() == doctest::Approx(2.0).epsilon(1e-15));
    // One value has none, however coarse its bucket.
    CHECK(of({123'456'789}).stddev() == 0.0);
}

TEST_CASE("values are recorded many times at once") {
    histogram values;
    values.record(5, 3);
    values.record(7, 0);
    values.record(7, -2);
    CHECK(values == of({5, 5, 5}));
    values.record(largest, largest - 3);
    CHECK(values.count() == largest);
    CHECK_THROWS_AS(values.record(1, 1), bk::error);
    CHECK(values.count() == largest);
}

TEST_CASE("what is below zero counts as zero") {
    const histogram values = of({-1, std::numeric_limits<std::int64_t>::min(), 3});
    CHECK(values == of({0, 0, 3}));
    CHECK(values.min() == 0);
}

TEST_CASE("what is above the range counts in the last bucket") {
    const histogram values = of({1, 2, 1'000'000'000}, two_digits);
    CHECK(values.count() == 3);
    CHECK(values.max() == 1'000'000'000);
    CHECK(values.sum() == uint128{0, 1'000'000'003});
    CHECK(values.value_at_percentile(66) == 2);
    CHECK(values.value_at_percentile(99) == 1'000'000'000);
    CHECK(values.count_between(3, largest) == 1);
}

TEST_CASE("two digits keep values to one percent") {
    histogram values(two_digits);
    for (std::int64_t value = 1; value <= 10'000; ++value) values.record(value);
    for (const double percentile : {1.0, 10.0, 50.0, 90.0, 99.0}) {
        const auto value = static_cast<double>(values.value_at_percentile(percentile));
        CHECK(value >= percentile * 100);
        CHECK(value <= percentile * 100 * 1.01);
    }
    CHECK(values.mean() == 5'000.5);
}

TEST_CASE("buckets are walked in the order of their values") {
    const histogram values = of({0, 2'047, 4'097, 4'099, 4'100});
    CHECK(buckets_of(values) ==
          std::vector<histogram_bucket>{{0, 0, 1}, {2'047, 2'047, 1}, {4'096, 4'099, 2}, {4'100, 4'103, 1}});
    CHECK(histogram_bucket{4'096, 4'099, 2}.median() == 4'098);
    CHECK(std::distance(values.buckets().begin(), values.buckets().end()) == 4);
}

TEST_CASE("values are counted between two others, both included") {
    const histogram values = of({1, 10, 100, 1'000});
    CHECK(values.count_between(10, 100) == 2);
    CHECK(values.count_between(11, 99) == 0);
    CHECK(values.count_between(-5, largest) == 4);
    CHECK(values.count_between(100, 10) == 0);
    CHECK(values.count_between(1'001, largest) == 0);
}

TEST_CASE("merging equal layouts is exact") {
    const std::vector<std::int64_t> first{1, 10'007, 3'000'000'000};
    const std::vector<std::int64_t> second{0, 10'001, 77};
    std::vector<std::int64_t> all = first;
    all.insert(all.end(), second.begin(), second.end());

    histogram merged = of(first);
    merged.merge(of(second));
    CHECK(merged == of(all));
    merged.merge(histogram{});
    CHECK(merged == of(all));

    histogram into_empty;
    into_empty.merge(of(all));
    CHECK(into_empty == of(all));

    histogram twice = of({5, 9});
    twice.merge(twice);
    CHECK(twice == of({5, 9, 5, 9}));
}

TEST_CASE("merging other layouts keeps count, ends and sum exact") {
    const histogram coarse = of({3, 5'003, 5'004, 70'001, 123'457}, two_digits);
    histogram merged = of({9});
    merged.merge(coarse);
    CHECK(merged.count() == 6);
    CHECK(merged.min() == 3);
    CHECK(merged.max() == 123'457);
    CHECK(merged.sum() == uint128{0, 9 + 3 + 5'003 + 5'004 + 70'001 + 123'457});
    CHECK(merged.count_between(4'900, 5'100) == 2);
    CHECK(merged.count_between(69'000, 71'000) == 1);

    histogram single;
    single.merge(of({123'457}, two_digits));
    CHECK(single == of({123'457}));

    histogram narrow(two_digits);
    narrow.merge(of({1, largest, largest}));
    CHECK(narrow == of({1, largest, largest}, two_digits));
}

TEST_CASE("merging fails before the count overflows") {
    histogram full;
    full.record(1, largest);
    histogram one = of({1});
    CHECK_THROWS_AS(one.merge(full), bk::error);
    CHECK(one == of({1}));
}

TEST_CASE("reset forgets everything") {
    histogram values = of({1, 5, 1'000'000});
    values.reset();
    CHECK(values == histogram{});
    CHECK(values.count_between(0, largest) == 0);
    values.record(7);
    CHECK(values == of({7}));
    histogram unused;
    unused.reset();
    CHECK(unused.count() == 0);
}

TEST_CASE("copies are apart, moved ones leave an empty histogram") {
    histogram original = of({1, 2, 3}, two_digits);
    histogram copy = original;
    copy.record(4);
    CHECK(original == of({1, 2, 3}, two_digits));
    CHECK(copy == of({1, 2, 3, 4}, two_digits));

    histogram moved = std::move(copy);
    CHECK(moved.count() == 4);
    CHECK(copy.count() == 0);  // NOLINT: what a move leaves is documented
    copy.record(9);
    CHECK(copy == of({9}, two_digits));

    original = moved;
    CHECK(original == moved);
    original = histogram{};
    CHECK(original.layout() == bk::histogram_layout{});
    CHECK(original.count() == 0);
    const histogram& same = moved;
    moved = same;
    CHECK(moved.count() == 4);
}

TEST_CASE("histograms of other layouts or values are not equal") {
    CHECK(of({1, 2}) != of({1, 3}));
    CHECK(of({4'096}) != of({4'097}));  // one bucket, but not one value
    CHECK(of({1, 5, 9}) != of({1, 1, 9}));
    CHECK(histogram{} == histogram{});
    CHECK(histogram{} != histogram{two_digits});
}

TEST_CASE("restore sets the exact figures, if they fit the counts") {
    histogram decoded = of({10'000, 20'000});
    CHECK(decoded.restore(10'007, 20'015, uint128{0, 30'022}));
    CHECK(decoded == of({10'007, 20'015}));

    CHECK(!decoded.restore(10'008, 20'015, uint128{0, 30'022}));  // in another bucket
    CHECK(!decoded.restore(10'007, 20'016, uint128{0, 30'022}));
    CHECK(!decoded.restore(20'000, 10'007, uint128{0, 30'022}));
    CHECK(!decoded.restore(-1, 20'000, uint128{0, 30'022}));
    CHECK(!decoded.restore(10'007, 20'015, uint128{0, 20'013}));
    CHECK(!decoded.restore(10'007, 20'015, uint128{1, 30'022}));
    CHECK(decoded == of({10'007, 20'015}));

    histogram empty;
    CHECK(empty.restore(0, 0, uint128{}));
    CHECK(!empty.restore(0, 1, uint128{}));
    CHECK(!empty.restore(0, 0, uint128{0, 1}));
}

TEST_CASE("an invalid layout fails with a sentence") {
    CHECK_THROWS_WITH_AS(histogram({1, 1'000, 9}), "significant_digits = 9: allowed is 1 to 5", bk::error);
}
