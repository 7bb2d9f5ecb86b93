#include <benchkit/exec/shard.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <vector>

#include <benchkit/exec/bounded_queue.hpp>
#include <benchkit/exec/run.hpp>
#include <benchkit/exec/wait_group.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

// What three sleepers on one shard write down, in order.
std::vector<int> order_of_sleepers(bool simulated) {
    std::vector<int> order;
    bk::shard shard({.simulated = simulated});
    const auto sleeper = [&](int id, std::chrono::nanoseconds length) -> bk::awaitable<> {
        co_await shard.sleep_for(length);
        order.push_back(id);
        if (order.size() == 3) shard.stop();
    };
    shard.spawn([&] { return sleeper(1, 3ms); });
    shard.spawn([&] { return sleeper(2, 1ms); });
    shard.spawn([&] { return sleeper(3, 3ms); });
    shard.run();
    return order;
}

}  // namespace

TEST_CASE("sleepers wake in the order of their times") {
    CHECK(order_of_sleepers(false) == std::vector{2, 1, 3});
    CHECK(order_of_sleepers(true) == std::vector{2, 1, 3});
}

TEST_CASE("a real sleep lasts at least its length") {
    bk::shard shard;
    std::chrono::nanoseconds slept{};
    shard.spawn([&]() -> bk::awaitable<> {
        const bk::time_point before = shard.now();
        co_await shard.sleep_for(2ms);
        slept = shard.now() - before;
        shard.stop();
    });
    shard.run();
    CHECK(slept >= 2ms);
}

TEST_CASE("simulated time moves exactly, and only by sleeping") {
    bk::shard shard({.simulated = true});
    std::vector<std::int64_t> seen;
    shard.spawn([&]() -> bk::awaitable<> {
        seen.push_back(shard.now().time_since_epoch().count());
        co_await shard.sleep_for(24h);
        seen.push_back(shard.now().time_since_epoch().count());
        co_await shard.sleep_for(0s);
        co_await shard.sleep_for(-5s);
        co_await shard.sleep_for(1ns);
        seen.push_back(shard.now().time_since_epoch().count());
        shard.stop();
    });
    shard.run();
    CHECK(seen == std::vector<std::int64_t>{0, 86'400'000'000'000, 86'400'000'000'001});
}

TEST_CASE("simulated time never goes back: what is due in the past is due now") {
    bk::shard shard({.simulated = true});
    std::vector<std::int64_t> seen;
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(10s);
        co_await shard.sleep_until(bk::time_point(4s));
        seen.push_back(shard.now().time_since_epoch().count());
        co_await shard.sleep_for(1ns);
        seen.push_back(shard.now().time_since_epoch().count());
        shard.stop();
    });
    shard.run();
    CHECK(seen == std::vector<std::int64_t>{10'000'000'000, 10'000'000'001});
}

TEST_CASE("after stop nobody goes on, not even who was due at the same time") {
    for (const bool simulated : {false, true}) {
        bk::shard shard({.simulated = simulated});
        const bk::time_point due = shard.now() + 1ms;
        int went_on = 0;
        for (int count = 0; count < 3; ++count) {
            shard.spawn([&]() -> bk::awaitable<> {
                co_await shard.sleep_until(due);
                ++went_on;
                shard.stop();
            });
        }
        shard.run();
        CHECK(went_on == 1);
    }
}

TEST_CASE("coroutines that wake each other without end do not keep others from their time") {
    bk::shard shard;
    bk::bounded_queue<int> there(shard, 1), back(shard, 1);
    shard.spawn([&]() -> bk::awaitable<> {
        for (;;) {
            static_cast<void>(co_await there.push(1));
            static_cast<void>(co_await back.pop());
        }
    });
    shard.spawn([&]() -> bk::awaitable<> {
        for (;;) {
            static_cast<void>(co_await there.pop());
            static_cast<void>(co_await back.push(1));
        }
    });
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(2ms);
        shard.stop();
    });
    shard.run();
    CHECK(shard.count() == 1);
}

TEST_CASE("what was posted to Asio runs before simulated time moves") {
    bk::shard shard({.simulated = true});
    std::int64_t posted_at = -1;
    shard.spawn([&]() -> bk::awaitable<> {
        co_await shard.sleep_for(1s);
        shard.post([&] { posted_at = shard.now().time_since_epoch().count(); });
        co_await shard.sleep_for(1s);
        shard.stop();
    });
    shard.run();
    CHECK(posted_at == 1'000'000'000);
}

TEST_CASE("in simulated time, waiting for what cannot come is a deadlock") {
    bk::shard shard({.simulated = true});
    bk::detail::wait_list nobody;
    shard.spawn([&]() -> bk::awaitable<> {
        return bk::detail::suspend(
            [&](bk::detail::waiter& waiting) { shard.scheduler().enqueue(waiting, nobody); });
    });
    CHECK_THROWS_WITH_AS(shard.run(), doctest::Contains("deadlock"), bk::error);
    shard.shutdown();
}

TEST_CASE("the end of time never comes: waiting for it alone is a deadlock too") {
    bk::shard shard({.simulated = true});
    bk::event never(shard);
    shard.spawn([&]() -> bk::awaitable<> { co_await shard.sleep_for(std::chrono::nanoseconds::max()); });
    shard.spawn([&]() -> bk::awaitable<> { co_await never.wait_until(bk::time_point::max()); });
    shard.spawn([&]() -> bk::awaitable<> { co_await shard.sleep_for(1h); });
    CHECK_THROWS_WITH_AS(shard.run(), doctest::Contains("deadlock"), bk::error);
    CHECK(shard.now() == bk::time_point(1h));
    shard.shutdown();
}

TEST_CASE("what a spawned coroutine throws ends the run") {
    for (const bool simulated : {false, true}) {
        bk::shard shard({.simulated = simulated});
        shard.spawn([&]() -> bk::awaitable<> { co_await shard.sleep_for(1h); });
        shard.spawn([&]() -> bk::awaitable<> {
            co_await shard.sleep_for(1us);
            throw std::runtime_error("broken");
        });
        CHECK_THROWS_WITH(shard.run(), "broken");
    }
}

TEST_CASE("shutdown destroys the frames of all that still wait") {
    struct guard {
        explicit guard(int& counter) : alive(counter) { ++alive; }
        guard(const guard&) = delete;
        guard& operator=(const guard&) = delete;
        ~guard() { --alive; }
        int& alive;
    };
    int alive = 0;
    {
        bk::shard shard;
        const auto nested = [&]() -> bk::awaitable<> {
            const guard inner(alive);
            co_await shard.sleep_for(1h);
        };
        for (int count = 0; count < 3; ++count) {
            shard.spawn([&]() -> bk::awaitable<> {
                const guard outer(alive);
                co_await nested();
            });
        }
        shard.spawn([&]() -> bk::awaitable<> {
            const guard own(alive);
            asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                                       bk::executor_type>
                timer(shard.executor(), 1h);
            co_await timer.async_wait(bk::use_awaitable);
        });
        shard.spawn([&]() -> bk::awaitable<> {
            co_await shard.sleep_for(1ms);
            shard.stop();
        });
        shard.run();
        CHECK(alive == 7);
    }
    CHECK(alive == 0);
}

TEST_CASE("deadlines expire in order, unless they are met") {
    struct noted : bk::deadline {
        explicit noted(std::vector<int>& expired_ids, int own_id) : expired(expired_ids), id(own_id) {}
        void expire() override { expired.push_back(id); }
        std::vector<int>& expired;
        int id;
    };
    std::vector<int> expired;
    bk::shard shard({.simulated = true});
    noted first(expired, 1), second(expired, 2), third(expired, 3);
    shard.spawn([&]() -> bk::awaitable<> {
        bk::deadline_queue& queue = shard.deadlines(10ms);
        CHECK(&queue == &shard.deadlines(10ms));
        queue.arm(first, shard.now());
        queue.arm(second, shard.now());
        co_await shard.sleep_for(1ms);
        queue.arm(third, shard.now());
        second.disarm();
        co_await shard.sleep_for(9ms - 1ns);
        CHECK(expired.empty());
        co_await shard.sleep_for(2ns);
        CHECK(expired == std::vector{1});
        co_await shard.sleep_for(1ms);
        CHECK(expired == std::vector{1, 3});
        queue.arm(first, shard.now());  // the sweeper has ended: it starts again
        co_await shard.sleep_for(11ms);
        CHECK(expired == std::vector{1, 3, 1});
        shard.stop();
    });
    shard.run();
}

TEST_CASE("random streams differ by name, shard and seed, and repeat") {
    const auto first = [](bk::shard_options options, const char* name) {
        return bk::shard(options).random(name).next();
    };
    CHECK(first({}, "a") == first({}, "a"));
    CHECK(first({}, "a") != first({}, "b"));
    CHECK(first({.index = 0, .count = 2}, "a") != first({.index = 1, .count = 2}, "a"));
    CHECK(first({.seed = 1}, "a") != first({.seed = 2}, "a"));
}

TEST_CASE("the same events have the same trace hash, others another") {
    const auto trace = [](std::chrono::nanoseconds length) {
        bk::shard shard({.simulated = true});
        for (int id = 0; id < 5; ++id) {
            shard.spawn([&, id]() -> bk::awaitable<> {
                for (int round = 0; round < 10; ++round) co_await shard.sleep_for(length * (id + 1));
                if (id == 4) shard.stop();
            });
        }
        shard.run();
        return shard.scheduler().trace_hash();
    };
    CHECK(trace(7ns) == trace(7ns));
    CHECK(trace(7ns) != trace(8ns));
}

TEST_CASE("a shard that spins wakes up no later for it, and never too early") {
    bk::run(bk::single_threaded{.spin = 2ms}, [](bk::shard& shard) -> bk::awaitable<> {
        for (int k = 0; k < 20; ++k) {
            const bk::time_point due = shard.now() + 1ms + k * 100us;
            co_await shard.sleep_until(due);
            CHECK(shard.now() >= due);
        }
    });
}
