#include <benchkit/load/connect_backoff.hpp>

#include <doctest/doctest.h>

#include <chrono>

using benchkit::detail::connect_backoff;
using namespace std::chrono_literals;

TEST_CASE("the wait doubles from 1 ms to 1 s, and begins again after a success") {
    connect_backoff backoff;
    CHECK(backoff.is_new());
    for (const auto expected : {1ms, 2ms, 4ms, 8ms, 16ms, 32ms, 64ms, 128ms, 256ms, 512ms, 1000ms, 1000ms}) {
        CHECK(backoff.next() == expected);
    }
    backoff.reset();
    CHECK_FALSE(backoff.is_new());
    CHECK(backoff.next() == 1ms);
}
