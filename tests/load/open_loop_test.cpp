#include <benchkit/load/open_loop.hpp>

#include <variant>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("an open loop is an aggregate of an arrival process and a number of connections") {
    const auto loop = bk::open_loop{.arrivals = bk::poisson(5'000), .connections = 64};
    CHECK(std::get<bk::poisson>(loop.arrivals.kind()).rate == bk::rate(5'000));
    CHECK(loop.connections == 64);
    CHECK(bk::open_loop{.arrivals = bk::constant(-1)}.connections == 10);
}
