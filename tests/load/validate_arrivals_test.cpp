#include <benchkit/load/validate_arrivals.hpp>

#include <chrono>
#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("what can be is taken") {
    CHECK_NOTHROW(bk::validate(bk::constant(1e-6)));
    CHECK_NOTHROW(bk::validate(bk::constant(1e9)));
    CHECK_NOTHROW(bk::validate(bk::poisson(0.5)));
    CHECK_NOTHROW(bk::validate(bk::ramp(0, 5)));
    CHECK_NOTHROW(bk::validate(bk::ramp(5, 0)));
    CHECK_NOTHROW(bk::validate(bk::ramp(5, 5)));
    CHECK_NOTHROW(bk::validate(bk::stages().add(0, 1s).add(5, 1ns)));
    CHECK_NOTHROW(bk::validate(bk::trace({0ns, 5ns, 5ns})));
    CHECK_NOTHROW(bk::validate(bk::stages().add(5, 2'540'399h).add(5, 1h)));
}

TEST_CASE("a rate that cannot be is refused with its sentence") {
    CHECK_THROWS_WITH_AS(bk::validate(bk::arrivals()),
                         "arrivals = 0: allowed is a rate of 0.000001 to 1000000000 operations per second",
                         bk::error);
    CHECK_THROWS_WITH_AS(
        bk::validate(bk::poisson(-1)),
        "arrivals = poisson:-1: allowed is a rate of 0.000001 to 1000000000 operations per second", bk::error);
    for (const double rate : {0.0, -0.5, 9e-7, 1.1e9, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
        CAPTURE(rate);
        CHECK_THROWS_AS(bk::validate(bk::constant(rate)), bk::error);
        CHECK_THROWS_AS(bk::validate(bk::poisson(rate)), bk::error);
        CHECK_THROWS_AS(bk::validate(bk::stages().add(rate, 1s)), bk::error);
        CHECK_THROWS_AS(bk::validate(bk::ramp(rate, 0)), bk::error);
        if (rate != 0) CHECK_THROWS_AS(bk::validate(bk::ramp(5, rate)), bk::error);
    }
}

TEST_CASE("a ramp that cannot be is refused with its sentence") {
    CHECK_THROWS_WITH_AS(bk::validate(bk::ramp(0, 0)),
                         "arrivals = ramp:0..0: allowed are rates of 0.000001 to 1000000000 operations per "
                         "second, or 0 for one of them",
                         bk::error);
}

TEST_CASE("stages that cannot be are refused with their sentences, and by number") {
    CHECK_THROWS_WITH_AS(bk::validate(bk::stages()), "arrivals = stages:: allowed is at least one stage",
                         bk::error);
    CHECK_THROWS_WITH_AS(bk::validate(bk::stages().add(0, 1s)),
                         "arrivals = stages:0x1s: allowed is at least one stage with a rate above 0",
                         bk::error);
    CHECK_THROWS_WITH_AS(
        bk::validate(bk::stages().add(5, 1s).add(-5, 1s)),
        "arrivals = stages:5x1s,-5x1s: in stage 2, allowed is a rate of 0.000001 to 1000000000 "
        "operations per second, or 0 for a pause",
        bk::error);
    CHECK_THROWS_WITH_AS(bk::validate(bk::stages().add(5, 0s)),
                         "arrivals = stages:5x0s: in stage 1, allowed is a duration of more than 0 s",
                         bk::error);
    CHECK_THROWS_AS(bk::validate(bk::stages().add(5, -1s)), bk::error);
    CHECK_THROWS_WITH_AS(
        bk::validate(bk::stages().add(5, 1s).add(5, 2'540'400h)),
        "arrivals = stages:5x1s,5x9145440000s: in stage 2, allowed is a duration with which all "
        "stages last no longer than 290 years",
        bk::error);
}

TEST_CASE("a trace that cannot be is refused with its sentence, and by number") {
    CHECK_THROWS_WITH_AS(bk::validate(bk::trace({})),
                         "arrivals = trace of 0 times: allowed is at least one time", bk::error);
    CHECK_THROWS_WITH_AS(
        bk::validate(bk::trace({-1ms})),
        "arrivals = trace of 1 times: allowed are ascending times of 0 s or more; time 1, -1ms, "
        "is negative",
        bk::error);
    CHECK_THROWS_WITH_AS(
        bk::validate(bk::trace({1ms, 3s, 2s})),
        "arrivals = trace of 3 times: allowed are ascending times of 0 s or more; time 3, 2s, is "
        "before the one that it follows",
        bk::error);
    CHECK_NOTHROW(bk::validate(bk::trace({2'540'400h})));
    CHECK_THROWS_WITH_AS(bk::validate(bk::trace({2'540'401h})),
                         "arrivals = trace of 1 times: allowed are times of at most 290 years", bk::error);
    CHECK_THROWS_AS(bk::validate(bk::trace({std::chrono::nanoseconds::max()})), bk::error);
}
