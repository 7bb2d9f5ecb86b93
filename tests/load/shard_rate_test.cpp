#include <benchkit/load/shard_rate.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <initializer_list>

namespace bk = benchkit;
using bk::detail::shard_rate;
using namespace std::chrono_literals;

namespace {

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

}  // namespace

TEST_CASE("5 operations in 100 ms are 50 per second, and those of the last interval are not told") {
    shard_rate rate(at(1s), at(10s));
    for (const std::chrono::nanoseconds when :
         std::initializer_list<std::chrono::nanoseconds>{1s, 1s + 1ms, 1s + 50ms, 1s + 50ms, 1s + 100ms - 1ns})
        rate.completed(at(when));
    CHECK(rate.rates().count() == 0);
    rate.completed(at(1s + 100ms));
    CHECK(rate.rates().count() == 1);
    CHECK(rate.rates().min() == 50);
    rate.completed(at(1s + 199ms));
    rate.completed(at(1s + 200ms));
    CHECK(rate.rates().count() == 2);
    CHECK(rate.rates().min() == 20);
    CHECK(rate.rates().max() == 50);
}

TEST_CASE("intervals without an operation count with the next that has some, before the first one as well") {
    shard_rate rate(at(0s), at(10s));
    for (int k = 0; k < 30; ++k) rate.completed(at(250ms));
    rate.completed(at(300ms));
    CHECK(rate.rates().count() == 1);
    CHECK(rate.rates().max() == 100);  // 30 in 300 ms
    rate.completed(at(399ms));
    for (int k = 0; k < 80; ++k) rate.completed(at(799ms));
    rate.completed(at(900ms));
    CHECK(rate.rates().count() == 3);
    CHECK(rate.rates().min() == 20);   // 2 in 100 ms
    CHECK(rate.rates().max() == 200);  // 80 in 400 ms
}

TEST_CASE("an interval that the deadline cuts, and what ends behind it, are left out") {
    shard_rate rate(at(0s), at(250ms));
    for (const auto when : {10ms, 110ms, 210ms, 260ms, 310ms, 500ms}) rate.completed(at(when));
    CHECK(rate.rates().count() == 2);
    CHECK(rate.rates().min() == 10);
    CHECK(rate.rates().max() == 10);

    shard_rate whole(at(0s), at(200ms));
    for (const auto when : {10ms, 110ms, 200ms}) whole.completed(at(when));
    CHECK(whole.rates().count() == 2);
}
