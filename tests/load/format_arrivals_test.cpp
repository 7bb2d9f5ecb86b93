#include <benchkit/load/format_arrivals.hpp>

#include <chrono>
#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("every kind has a text form") {
    CHECK(bk::format_arrivals(bk::constant(5'000)) == "5000");
    CHECK(bk::format_arrivals(bk::constant(0.1)) == "0.1");
    CHECK(bk::format_arrivals(bk::poisson(5'000)) == "poisson:5000");
    CHECK(bk::format_arrivals(bk::ramp(100, 5'000)) == "ramp:100..5000");
    CHECK(bk::format_arrivals(bk::ramp(0.5, 0)) == "ramp:0.5..0");
    CHECK(bk::format_arrivals(bk::stages().add(100, 10s).add(1'000, 30s)) == "stages:100x10s,1000x30s");
    CHECK(bk::format_arrivals(bk::trace({1s, 2s}, "day.txt")) == "trace:day.txt");
    CHECK(bk::format_arrivals(bk::trace({1s, 2s})) == "trace of 2 times");
}

TEST_CASE("rates that are allowed are in plain digits, others as they are") {
    CHECK(bk::format_arrivals(bk::constant(100'000)) == "100000");
    CHECK(bk::format_arrivals(bk::constant(1e9)) == "1000000000");
    CHECK(bk::format_arrivals(bk::constant(1e-6)) == "0.000001");
    CHECK(bk::format_arrivals(bk::constant(1.2345678901234567e-6)) == "0.0000012345678901234567");
    CHECK(bk::format_arrivals(bk::constant(-1)) == "-1");
    CHECK(bk::format_arrivals(bk::constant(1e300)) == "1e+300");
    CHECK(bk::format_arrivals(bk::constant(std::numeric_limits<double>::quiet_NaN())) == "nan");
}

TEST_CASE("lengths of time are exact") {
    const auto text = [](bk::duration length) { return bk::format_arrivals(bk::stages().add(1, length)); };
    CHECK(text(1h) == "stages:1x3600s");
    CHECK(text(1500ms) == "stages:1x1500ms");
    CHECK(text(1500us) == "stages:1x1500us");
    CHECK(text(1'000'000'001ns) == "stages:1x1000000001ns");
    CHECK(text(0s) == "stages:1x0s");
    CHECK(text(-5ms) == "stages:1x-5ms");
}
