#include <benchkit/stats/sign_interval.hpp>

#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include "../support/refusal.hpp"

namespace bk = benchkit;

TEST_CASE("ranks and confidence are those of the tables") {
    struct entry {
        std::int64_t count;
        double wanted;
        std::int64_t low;
        std::int64_t high;
        double confidence;
    };
    // The confidences of 5, 6, 9 and 10 are in any table of the sign test; the others were summed from whole
    // binomial coefficients. The ranks are those of 0.025 and 0.005 of a fair coin.
    const std::vector<entry> table{
        {5, 0.95, 1, 5, 0.9375},        {6, 0.95, 1, 6, 0.96875},       {8, 0.95, 1, 8, 0.9921875},
        {9, 0.95, 2, 8, 0.9609375},     {10, 0.95, 2, 9, 0.978515625},  {12, 0.95, 3, 10, 0.96142578125},
        {20, 0.95, 6, 15, 0.958610535}, {52, 0.95, 19, 34, 0.9635166},  {100, 0.95, 40, 61, 0.9647998},
        {52, 0.99, 17, 36, 0.9922126},  {100, 0.99, 37, 64, 0.9933629},
    };
    for (const entry& each : table) {
        CAPTURE(each.count);
        const auto ranks = bk::find_sign_ranks(each.count, each.wanted);
        REQUIRE(ranks.has_value());
        CHECK(ranks->low == each.low);
        CHECK(ranks->high == each.high);
        CHECK(ranks->confidence == doctest::Approx(each.confidence).epsilon(1e-7));
    }
    CHECK(bk::find_sign_ranks(1'024)->low == 481);
    CHECK(bk::find_sign_ranks(1'024)->high == 544);
}

TEST_CASE("too few values have the confidence of their ends, one has none") {
    CHECK_FALSE(bk::find_sign_ranks(0).has_value());
    CHECK_FALSE(bk::find_sign_ranks(1).has_value());
    CHECK(bk::find_sign_ranks(2) == bk::sign_ranks{1, 2, 0.5});
    CHECK(bk::find_sign_ranks(3) == bk::sign_ranks{1, 3, 0.75});
    CHECK(bk::find_sign_ranks(4) == bk::sign_ranks{1, 4, 0.875});
    CHECK(bk::find_sign_ranks(5, 1.0) == bk::sign_ranks{1, 5, 0.9375});
}

TEST_CASE("more values, of which the outermost have no probability that a double can hold") {
    // By the normal approximation: n/2 - 1.96 sqrt(n)/2.
    const auto ranks = bk::find_sign_ranks(1'000'000);
    REQUIRE(ranks.has_value());
    CHECK(ranks->low == 499'020);
    CHECK(ranks->low + ranks->high == 1'000'001);
    CHECK(ranks->confidence == doctest::Approx(0.95).epsilon(1e-3));
}

TEST_CASE("the interval is of the sorted values") {
    CHECK(bk::find_sign_interval({3, 9, 1, 7, 5}) == bk::sign_interval{1, 9, 0.9375});
    CHECK(bk::find_sign_interval({9, 8, 7, 6, 5, 4, 3, 2, 1}) == bk::sign_interval{2, 8, 0.9609375});
    CHECK_FALSE(bk::find_sign_interval({1}).has_value());
    CHECK_FALSE(bk::find_sign_interval({1, std::numeric_limits<double>::quiet_NaN(), 2}).has_value());
}

TEST_CASE("a confidence is 0 to 1") {
    CHECK(tests::refusal([] { (void)bk::find_sign_ranks(5, 95); }) == "confidence = 95: allowed is 0 to 1");
    CHECK(tests::refusal([] { (void)bk::find_sign_ranks(5, -0.1); }) == "confidence = -0.1: allowed is 0 to 1");
}
