#include <benchkit/core/clock.hpp>

#include <chrono>
#include <type_traits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("the clock counts whole nanoseconds and does not go back") {
    static_assert(std::chrono::is_clock_v<bk::clock>);
    static_assert(bk::clock::is_steady);
    static_assert(std::is_same_v<bk::time_point::duration, std::chrono::nanoseconds>);
    bk::time_point before = bk::clock::now();
    for (int count = 0; count < 1'000; ++count) {
        const bk::time_point now = bk::clock::now();
        REQUIRE(now >= before);
        before = now;
    }
}

TEST_CASE("the clock moves as fast as the system's") {
    const auto system_start = std::chrono::steady_clock::now();
    const bk::time_point start = bk::clock::now();
    while (bk::clock::now() - start < 2ms) {
    }
    const auto ours = bk::clock::now() - start;
    CHECK(std::chrono::steady_clock::now() - system_start >= ours);
    CHECK(ours >= 2ms);
}

TEST_CASE("a point in time beyond the range is the last one") {
    constexpr bk::time_point start{5ns};
    static_assert(bk::time_after(start, 7ns) == bk::time_point(12ns));
    static_assert(bk::time_after(start, 0ns) == start);
    static_assert(bk::time_after(start, std::chrono::nanoseconds::max()) == bk::time_point::max());
    static_assert(bk::time_after(bk::time_point::max(), 1ns) == bk::time_point::max());
}
