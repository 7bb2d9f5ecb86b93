#include <benchkit/load/load_limits.hpp>

#include <doctest/doctest.h>

#include <chrono>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("what cannot be is refused with the option, the value and what is allowed") {
    CHECK_NOTHROW(bk::validate({}, {}));
    CHECK_THROWS_WITH_AS(bk::validate({.clients = 0}, {}), "clients = 0: allowed is 1 to 1000000", bk::error);
    CHECK_THROWS_WITH_AS(bk::validate({.clients = -1}, {}), "clients = -1: allowed is 1 to 1000000", bk::error);
    CHECK_THROWS_WITH_AS(bk::validate({.clients = 1'000'001}, {}), "clients = 1000001: allowed is 1 to 1000000",
                         bk::error);
    CHECK_THROWS_WITH_AS(bk::validate({}, {.operations = 0}), "operations = 0: allowed is 1 or more",
                         bk::error);
    CHECK_THROWS_WITH_AS(bk::validate({}, {.operations = -5}), "operations = -5: allowed is 1 or more",
                         bk::error);
    CHECK_THROWS_AS(bk::validate({}, {.duration = 0s}), bk::error);
    CHECK_THROWS_AS(bk::validate({}, {.duration = -0.5s}), bk::error);
    CHECK_THROWS_AS(bk::validate({}, {.warmup = -1s}), bk::error);
    CHECK_THROWS_AS(bk::validate({}, {.drain = -1s}), bk::error);
    CHECK_THROWS_AS(bk::validate({.think_time = -1ms}, {}), bk::error);
}
