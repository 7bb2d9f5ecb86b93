#include <benchkit/exec/timer_heap.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace bk = benchkit;
using bk::detail::timer_heap;
using bk::detail::waiter;

namespace {

bk::time_point at(std::int64_t nanoseconds) {
    return bk::time_point(std::chrono::nanoseconds(nanoseconds));
}

}  // namespace

TEST_CASE("sleepers come out by time, and by arrival at equal times") {
    std::array<waiter, 500> sleepers;
    std::vector<std::pair<std::int64_t, std::size_t>> expected;
    timer_heap heap;
    CHECK(heap.empty());
    for (std::size_t index = 0; index < sleepers.size(); ++index) {
        // 7919 is prime, so the times come in a shuffled order, each of the 50 of them ten times.
        const std::int64_t when = static_cast<std::int64_t>(index) * 7919 % 50;
        heap.push(at(when), sleepers[index]);
        expected.emplace_back(when, index);
        CHECK(sleepers[index].timed);
    }
    std::sort(expected.begin(), expected.end());
    for (const auto& [when, index] : expected) {
        CHECK(heap.top().when == at(when));
        const timer_heap::entry popped = heap.pop();
        CHECK(popped.when == at(when));
        CHECK(popped.sleeper == &sleepers[index]);
        CHECK(popped.sequence == index);
        CHECK_FALSE(popped.sleeper->timed);
    }
    CHECK(heap.empty());
}

TEST_CASE("one sleeper is taken out, from whatever place, and the others keep their order") {
    for (std::size_t removed = 0; removed < 20; ++removed) {
        std::array<waiter, 20> sleepers;
        timer_heap heap;
        for (std::size_t index = 0; index < sleepers.size(); ++index) {
            heap.push(at(static_cast<std::int64_t>(index) * 7 % 20), sleepers[index]);
        }
        heap.remove(sleepers[removed]);
        CHECK_FALSE(sleepers[removed].timed);
        heap.remove(sleepers[removed]);  // has no timer any more: nothing happens
        std::int64_t last = -1;
        int popped = 0;
        for (; !heap.empty(); ++popped) {
            const timer_heap::entry next = heap.pop();
            CHECK(next.sleeper != &sleepers[removed]);
            CHECK(next.when.time_since_epoch().count() > last);
            last = next.when.time_since_epoch().count();
        }
        CHECK(popped == 19);
    }
}
