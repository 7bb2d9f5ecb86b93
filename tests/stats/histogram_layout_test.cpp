#include <benchkit/stats/histogram_layout.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "support/refusal.hpp"

namespace bk = benchkit;
using bk::histogram_layout;
using bk::histogram_scale;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::string refusal(const histogram_layout& layout) {
    return tests::refusal([&] { (void)histogram_scale(layout); });
}

// The first bucket whose ends do not lie in it or that leaves a gap to the next one.
std::size_t first_wrong_bucket(const histogram_scale& scale) {
    std::size_t index = 0;
    for (; index < scale.size(); ++index) {
        const std::int64_t from = scale.lowest_in(index);
        const std::int64_t to = scale.highest_in(index);
        if (scale.index_of(from) != index || scale.index_of(to) != index) break;
        if (scale.width_of(index) != to - from + 1) break;
        if (index + 1 < scale.size() && scale.lowest_in(index + 1) != to + 1) break;
    }
    return index;
}

}  // namespace

TEST_CASE("a layout has as many buckets as in HdrHistogram") {
    // 22 octaves and 2,048 buckets in the first of them: (22 + 1) * 1,024
    static_assert(histogram_scale({1, 3'600'000'000, 3}).size() == 23'552);
    // The same with 2 digits: 25 octaves, 256 buckets
    static_assert(histogram_scale({1, 3'600'000'000, 2}).size() == 26 * 128);
    // 2,048 << 9 is the first value beyond the first octave of 1,000 to 1,000,000: 1 octave
    static_assert(histogram_scale({1'000, 1'000'000, 3}).size() == 2 * 1'024);
    static_assert(histogram_scale(histogram_layout{}).size() == 54 * 1'024);
}

TEST_CASE("a bucket of 3 digits is as wide as its values demand") {
    constexpr histogram_scale scale({1, 3'600'000'000, 3});
    // Up to 2,047 a bucket holds one value, up to 4,095 two, up to 8,191 four.
    static_assert(scale.index_of(0) == 0);
    static_assert(scale.index_of(2'047) == 2'047);
    static_assert(scale.index_of(2'048) == 2'048);
    static_assert(scale.index_of(2'049) == 2'048);
    static_assert(scale.index_of(4'095) == 3'071);
    static_assert(scale.index_of(4'096) == 3'072);
    static_assert(scale.width_of(2'047) == 1);
    static_assert(scale.width_of(2'048) == 2);
    static_assert(scale.width_of(3'072) == 4);
    static_assert(scale.lowest_in(3'072) == 4'096);
    static_assert(scale.median_in(3'072) == 4'098);
    static_assert(scale.highest_in(3'072) == 4'099);
    // 10,007 shares its bucket with 10,000 to 10,007.
    static_assert(scale.lowest_in(scale.index_of(10'007)) == 10'000);
    static_assert(scale.highest_in(scale.index_of(10'000)) == 10'007);
}

TEST_CASE("the lowest value sets the width of the finest bucket") {
    constexpr histogram_scale scale({1'000, 3'600'000'000, 3});
    static_assert(scale.width_of(0) == 512);  // the power of two below 1,000
    static_assert(scale.index_of(511) == 0);
    static_assert(scale.index_of(512) == 1);
    static_assert(scale.lowest_in(scale.index_of(1'000)) == 512);
}

TEST_CASE("every value lies in its bucket, and buckets leave no gap") {
    for (const histogram_layout layout :
         {histogram_layout{}, histogram_layout{1, largest, 1}, histogram_layout{1, largest, 5},
          histogram_layout{1, 100'000, 2}, histogram_layout{1'000, 3'600'000'000, 3},
          histogram_layout{3, 10, 1}}) {
        const histogram_scale scale(layout);
        CHECK(scale.lowest_in(0) == 0);
        CHECK(scale.highest_in(scale.size() - 1) >= layout.highest);
        CHECK(first_wrong_bucket(scale) == scale.size());
    }
}

TEST_CASE("what a layout does not hold has no bucket") {
    const histogram_scale small({1, 1'000, 2});
    CHECK(small.index_of(1'023) < small.size());
    CHECK(small.index_of(1'024) >= small.size());
    CHECK(small.index_of(largest) >= small.size());
    CHECK(small.index_of(-1) >= small.size());
    const histogram_scale whole(histogram_layout{});
    CHECK(whole.index_of(largest) == whole.size() - 1);
    CHECK(whole.index_of(-1) >= whole.size());
    CHECK(whole.index_of(std::numeric_limits<std::int64_t>::min()) >= whole.size());
}

TEST_CASE("a layout that makes no sense is refused by the name of the member") {
    CHECK(refusal({0, 1'000, 3}) == "lowest = 0: allowed is 1 or more");
    CHECK(refusal({-5, 1'000, 3}) == "lowest = -5: allowed is 1 or more");
    CHECK(refusal({1, 1'000, 0}) == "significant_digits = 0: allowed is 1 to 5");
    CHECK(refusal({1, 1'000, 6}) == "significant_digits = 6: allowed is 1 to 5");
    CHECK(refusal({10, 19, 3}) == "highest = 19: allowed is at least twice lowest, which is 10");
    CHECK(refusal({1, -1, 3}) == "highest = -1: allowed is at least twice lowest, which is 1");
    CHECK(refusal({largest / 4, largest, 3}) ==
          "lowest = 2305843009213693951: allowed is less, so that 3 significant digits of it fit into 62 bits");
    CHECK(refusal({10, 20, 3}) == "accepted");
    CHECK(refusal({std::int64_t{1} << 51, largest, 3}) == "accepted");
}
