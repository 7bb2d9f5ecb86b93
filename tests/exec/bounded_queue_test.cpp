#include <benchkit/exec/bounded_queue.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("a queue without room is refused") {
    bk::shard shard;
    CHECK_THROWS_WITH_AS(bk::bounded_queue<int>(shard, 0), "bounded_queue.capacity = 0: allowed is 1 or more",
                         bk::error);
}

TEST_CASE("values come out in order, never more than the capacity are in") {
    bk::shard shard({.simulated = true});
    bk::bounded_queue<std::unique_ptr<int>> queue(shard, 2);
    std::vector<int> popped;
    std::size_t largest = 0;
    shard.spawn([&]() -> bk::awaitable<> {
        for (int value = 0; value < 100; ++value) {
            auto owned = std::make_unique<int>(value);
            const bool pushed = co_await queue.push(std::move(owned));
            CHECK(pushed);
            largest = std::max(largest, queue.size());
        }
        queue.close();
    });
    shard.spawn([&]() -> bk::awaitable<> {
        for (;;) {
            const std::optional<std::unique_ptr<int>> value = co_await queue.pop();
            if (!value) break;
            popped.push_back(**value);
            if (popped.size() % 7 == 0) co_await shard.sleep_for(1ms);
        }
        shard.stop();
    });
    shard.run();
    REQUIRE(popped.size() == 100);
    for (int value = 0; value < 100; ++value) CHECK(popped[static_cast<std::size_t>(value)] == value);
    CHECK(largest == 2);
}

TEST_CASE("waiting is first come, first served: nobody overtakes who was admitted") {
    bk::shard shard({.simulated = true});
    bk::bounded_queue<int> queue(shard, 1);
    std::vector<int> popped;
    const auto push = [&](int value) -> bk::awaitable<> { co_await queue.push(value); };
    shard.spawn([&]() -> bk::awaitable<> {
        CHECK(queue.try_push(0));
        shard.spawn([&] { return push(1); });
        shard.spawn([&] { return push(2); });
        CHECK_FALSE(queue.try_push(9));
        popped.push_back(*co_await queue.pop());  // admits 1, which has not run yet
        CHECK_FALSE(queue.try_push(9));
        shard.spawn([&] { return push(3); });
        for (int count = 0; count < 3; ++count) popped.push_back(*co_await queue.pop());
        shard.stop();
    });
    shard.run();
    CHECK(popped == std::vector{0, 1, 2, 3});
}

TEST_CASE("closing lets everybody go on") {
    bk::shard shard({.simulated = true});
    bk::bounded_queue<int> full(shard, 1), empty(shard, 1);
    int ended = 0;
    shard.spawn([&]() -> bk::awaitable<> {
        CHECK(full.try_push(1));
        const bool pushed = co_await full.push(2);
        CHECK_FALSE(pushed);
        ++ended;
    });
    shard.spawn([&]() -> bk::awaitable<> {
        const std::optional<int> value = co_await empty.pop();
        CHECK_FALSE(value.has_value());
        ++ended;
    });
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(1ms);
        full.close();
        empty.close();
        co_await shard.sleep_for(1ms);
        CHECK(ended == 2);
        CHECK_FALSE(full.try_push(3));
        const std::optional<int> left = co_await full.pop();
        CHECK(left == 1);
        const std::optional<int> nothing = co_await full.pop();
        CHECK_FALSE(nothing.has_value());
        shard.stop();
    });
    shard.run();
}

TEST_CASE("a value that somebody was admitted to is theirs, even when the queue closes in between") {
    bk::shard shard({.simulated = true});
    bk::bounded_queue<int> queue(shard, 1);
    std::optional<int> waited_for;
    shard.spawn([&]() -> bk::awaitable<> { waited_for = co_await queue.pop(); });
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(1ms);
        CHECK(queue.try_push(1));  // admits who waits, which has not run yet
        queue.close();
        const std::optional<int> overtaking = co_await queue.pop();
        CHECK_FALSE(overtaking.has_value());
        co_await shard.sleep_for(1ms);
        shard.stop();
    });
    shard.run();
    CHECK(waited_for == 1);
}
