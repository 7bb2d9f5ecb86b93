#include <benchkit/load/validate_open_loop.hpp>

#include <chrono>
#include <string>

#include <doctest/doctest.h>

#include "support/refusal.hpp"

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("an open loop that cannot be is refused, with the option and what is allowed") {
    const auto refusal = [](const bk::open_loop& loop, const bk::load_limits& limits = {}, int shards = 1) {
        return tests::refusal([&] { bk::validate(loop, limits, shards); });
    };
    CHECK(refusal({.arrivals = bk::constant(5)}) == "accepted");
    CHECK(refusal({}).starts_with("arrivals = "));
    CHECK(refusal({.arrivals = bk::constant(5), .connections = 0}) ==
          "connections = 0: allowed is 1 to 1000000, at least one for each shard");
    CHECK(refusal({.arrivals = bk::constant(5), .connections = 3}, {}, 4) ==
          "connections = 3: allowed is 4 to 1000000, at least one for each shard");
    CHECK(refusal({.arrivals = bk::constant(5)}, {.operations = 0}).starts_with("operations = 0"));
    CHECK(refusal({.arrivals = bk::constant(5)}, {.duration = 0s}).starts_with("duration = 0"));
    const bk::open_loop staged{.arrivals = bk::stages().add(5, 10s).add(7, 20s)};
    CHECK(refusal(staged) == "accepted");
    CHECK(refusal(staged, {.warmup = 29s}) == "accepted");
    CHECK(refusal(staged, {.duration = 5s}).starts_with("duration = 5.00 s"));
    CHECK(refusal(staged, {.warmup = 30s}).starts_with("warmup = 30.0 s"));
}

TEST_CASE("stages bring the duration, which begins with the warm-up") {
    const bk::open_loop staged{.arrivals = bk::stages().add(5, 10s).add(7, 20s)};
    CHECK(bk::detail::limits_of(staged, {.warmup = 4s}).duration == 26s);
    // A trace ends with its last operation, whenever that ends.
    const bk::open_loop traced{.arrivals = bk::trace({0s, 3s})};
    CHECK_FALSE(bk::detail::limits_of(traced, {}).duration.has_value());
    CHECK(bk::detail::limits_of(traced, {.duration = 2s}).duration == 2s);
    CHECK_FALSE(bk::detail::limits_of({.arrivals = bk::constant(5)}, {}).duration.has_value());
}
