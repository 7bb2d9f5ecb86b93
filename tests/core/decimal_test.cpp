#include <benchkit/core/decimal.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("powers of ten") {
    CHECK(bk::power_of_ten(0) == 1);
    CHECK(bk::power_of_ten(9) == 1'000'000'000);
    CHECK(bk::power_of_ten(19) == 10'000'000'000'000'000'000U);
}

TEST_CASE("a double stands for the shortest decimal fraction that reads back as it") {
    CHECK(bk::to_decimal(0) == bk::decimal{0, 0});
    CHECK(bk::to_decimal(-0.0) == bk::decimal{0, 0});
    CHECK(bk::to_decimal(5) == bk::decimal{5, 0});
    CHECK(bk::to_decimal(0.1) == bk::decimal{1, 1});
    CHECK(bk::to_decimal(0.3) == bk::decimal{3, 1});
    CHECK(bk::to_decimal(12.5) == bk::decimal{125, 1});
    CHECK(bk::to_decimal(1e9) == bk::decimal{1'000'000'000, 0});
    CHECK(bk::to_decimal(120'000) == bk::decimal{120'000, 0});
    CHECK(bk::to_decimal(1000.0 / 3) == bk::decimal{3'333'333'333'333'333, 13});
    CHECK(bk::to_decimal(1.2345678901234567e-6) == bk::decimal{12'345'678'901'234'567, 22});
    CHECK(bk::to_decimal(9.9e16) == bk::decimal{99'000'000'000'000'000, 0});
    CHECK(bk::to_decimal(5e-324) == bk::decimal{5, 324});
}

TEST_CASE("what is negative, not finite or too large has none") {
    for (const double value : {-1.0, -1e-300, 1e17, 1e300, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(value);
        CHECK_FALSE(bk::to_decimal(value).has_value());
    }
}
