#include <benchkit/stats/median.hpp>

#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("the median is the middle, or between the middle two") {
    CHECK(bk::median_of({7}) == 7.0);
    CHECK(bk::median_of({3, 1, 2}) == 2.0);
    CHECK(bk::median_of({4, 1, 2, 3}) == 2.5);
    CHECK(bk::median_of({1e308, 1e308}) == 1e308);
}

TEST_CASE("there is no median of nothing, nor of what is not finite") {
    CHECK_FALSE(bk::median_of({}).has_value());
    CHECK_FALSE(bk::median_of({1, std::numeric_limits<double>::quiet_NaN()}).has_value());
    CHECK_FALSE(bk::median_of({1, std::numeric_limits<double>::infinity(), 2}).has_value());
}
