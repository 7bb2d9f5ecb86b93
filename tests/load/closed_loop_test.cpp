#include <benchkit/load/closed_loop.hpp>

#include <doctest/doctest.h>

#include <chrono>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("ten clients that do not think, unless told otherwise") {
    constexpr bk::closed_loop loop;
    static_assert(loop.clients == 10);
    static_assert(loop.think_time == 0s);
}

TEST_CASE("any standard duration is a think time, and values that cannot be arrive as they are") {
    constexpr bk::closed_loop loop{.clients = -1, .think_time = 0.5s};
    static_assert(loop.clients == -1);  // refused by `validate`, which names it
    static_assert(loop.think_time == 500ms);
}
