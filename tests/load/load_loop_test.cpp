#include <benchkit/load/load_loop.hpp>

#include <chrono>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::load_loop;
using namespace std::chrono_literals;

TEST_CASE("a closed loop has clients that think, an open one connections and a schedule") {
    const load_loop closed(bk::closed_loop{.clients = 7, .think_time = 5ms});
    CHECK_FALSE(closed.open());
    CHECK(closed.clients == 7);
    CHECK(closed.think_time == 5ms);
    const load_loop open(bk::open_loop{.arrivals = bk::poisson(5), .connections = 3});
    CHECK(open.open());
    CHECK(open.clients == 3);
    CHECK(open.think_time == 0s);
    CHECK(std::get<bk::poisson>(open.schedule.kind()).rate.per_second == 5);
    CHECK_FALSE(closed.ends_itself());
    CHECK_FALSE(open.ends_itself());
    CHECK(load_loop(bk::open_loop{.arrivals = bk::trace({std::chrono::seconds(1)})}).ends_itself());
}
