#include <benchkit/result/wording.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace detail = benchkit::detail;

TEST_CASE("shares are percent, small ones with a digit more") {
    CHECK(detail::percent(0) == "0.0 %");
    CHECK(detail::percent(0.0001) == "less than 0.1 %");
    CHECK(detail::percent(0.015) == "1.5 %");
    CHECK(detail::percent(0.0994) == "9.9 %");
    CHECK(detail::percent(0.12) == "12 %");
    CHECK(detail::percent(1) == "100 %");
}

TEST_CASE("times that are no times do not upset") {
    CHECK(detail::time_text(1.5e6) == "1.50 ms");
    CHECK(detail::time_text(std::numeric_limits<double>::quiet_NaN()) == "n/a");
    CHECK(detail::time_text(std::numeric_limits<double>::infinity()) == "n/a");
    CHECK_FALSE(detail::time_text(1e300).empty());
}

TEST_CASE("causes are named by how often they occurred") {
    CHECK(detail::failures_text(made::http_load()).empty());
    CHECK(detail::failures_text(made::troubled_load(), 2) == "20 status, 1 resolve");
    CHECK(detail::operations_text(1) == "1 operation");
    CHECK(detail::operations_text(5'000) == "5,000 operations");
}
