#include <benchkit/exec/wait_group.hpp>

#include <doctest/doctest.h>

#include <chrono>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("a wait group waits for all, and not where there is none") {
    bk::shard shard({.simulated = true});
    bk::wait_group none(shard), group(shard);
    std::int64_t done_at = -1;
    for (int id = 1; id <= 3; ++id) {
        group.add();
        shard.spawn([&, id]() -> bk::awaitable<> {
            co_await shard.sleep_for(std::chrono::milliseconds(id));
            group.done();
        });
    }
    shard.spawn([&]() -> bk::awaitable<> {
        co_await none.wait();
        co_await group.wait();
        done_at = shard.now().time_since_epoch().count();
        co_await group.wait();
        shard.stop();
    });
    shard.run();
    CHECK(done_at == 3'000'000);
}

TEST_CASE("an event wakes all that wait; a limit ends the waiting") {
    bk::shard shard({.simulated = true});
    bk::event event(shard);
    int woken = 0;
    for (int id = 0; id < 3; ++id) {
        shard.spawn([&]() -> bk::awaitable<> {
            co_await event.wait();
            ++woken;
        });
    }
    shard.spawn([&]() -> bk::awaitable<> {
        const bool early = co_await event.wait_until(bk::time_point(1ms));
        CHECK_FALSE(early);
        CHECK(shard.now() == bk::time_point(1ms));
        const bool in_time = co_await event.wait_until(bk::time_point(1h));
        CHECK(in_time);
        CHECK(shard.now() == bk::time_point(5ms));
        shard.stop();
    });
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(5ms);
        event.set();
    });
    shard.run();
    CHECK(woken == 3);
}
