#include <benchkit/exec/run.hpp>

#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <set>
#include <stdexcept>
#include <thread>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("a single shard runs on the calling thread") {
    std::thread::id ran_on;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        CHECK(shard.count() == 1);
        ran_on = std::this_thread::get_id();
        co_await shard.sleep_for(1us);
    });
    CHECK(ran_on == std::this_thread::get_id());
}

TEST_CASE("each shard runs on a thread of its own, pinned if asked") {
    std::array<std::thread::id, 3> threads;
    std::array<int, 3> processors{};
    bk::run(bk::sharded{.shards = 3, .pin = true}, [&](bk::shard& shard) -> bk::awaitable<> {
        CHECK(shard.count() == 3);
        threads[static_cast<std::size_t>(shard.index())] = std::this_thread::get_id();
        cpu_set_t allowed;
        sched_getaffinity(0, sizeof allowed, &allowed);
        processors[static_cast<std::size_t>(shard.index())] = CPU_COUNT(&allowed);
        co_await shard.sleep_for(1us);
    });
    CHECK(std::set<std::thread::id>(threads.begin(), threads.end()).size() == 3);
    CHECK(processors == std::array{1, 1, 1});
}

TEST_CASE("a pinned run on the calling thread leaves the thread as it was") {
    cpu_set_t before, after;
    sched_getaffinity(0, sizeof before, &before);
    bk::run(bk::sharded{.shards = 1, .pin = true}, [](bk::shard&) -> bk::awaitable<> { co_return; });
    sched_getaffinity(0, sizeof after, &after);
    CHECK(CPU_EQUAL(&before, &after));
}

TEST_CASE("a number of shards out of range is refused") {
    const auto nothing = [](bk::shard&) -> bk::awaitable<> { co_return; };
    CHECK_THROWS_WITH_AS(bk::run(bk::sharded{0}, nothing), "shards = 0: allowed is 1 to 1024", bk::error);
    CHECK_THROWS_WITH_AS(bk::run(bk::sharded{-1}, nothing), "shards = -1: allowed is 1 to 1024", bk::error);
    CHECK_THROWS_WITH_AS(bk::run(bk::sharded{1025}, nothing), "shards = 1025: allowed is 1 to 1024", bk::error);
}

TEST_CASE("the exception of one shard ends all") {
    CHECK_THROWS_WITH(bk::run(bk::sharded{2},
                              [](bk::shard& shard) -> bk::awaitable<> {
                                  if (shard.index() == 1) throw std::runtime_error("one of two");
                                  co_await shard.sleep_for(1h);
                              }),
                      "one of two");
}

TEST_CASE("a virtual day passes at once") {
    bk::run(bk::virtual_time{}, [](bk::shard& shard) -> bk::awaitable<> {
        co_await shard.sleep_for(24h);
        CHECK(shard.now() == bk::time_point(24h));
    });
}

TEST_CASE("an interrupt ends a run, and the program's own handler is back afterwards") {
    static volatile std::sig_atomic_t own_handler_called = 0;
    struct sigaction own {
    }, before{}, after{};
    own.sa_handler = [](int) { own_handler_called = 1; };
    sigaction(SIGINT, &own, &before);
    const auto interrupted = [](int shards) {
        return [shards](bk::shard& shard) -> bk::awaitable<> {
            if (shard.index() == shards - 1) kill(getpid(), SIGINT);
            co_await shard.sleep_for(1h);
        };
    };
    bk::run(bk::single_threaded{}, interrupted(1));
    bk::run(bk::sharded{2}, interrupted(2));
    sigaction(SIGINT, &before, &after);
    CHECK(own_handler_called == 0);
    CHECK((after.sa_handler == own.sa_handler));
}

TEST_CASE("an interrupt reaches a virtual run that never ends") {
    bk::run(bk::virtual_time{}, [](bk::shard& shard) -> bk::awaitable<> {
        co_await shard.sleep_for(1s);
        kill(getpid(), SIGTERM);
        for (;;) co_await shard.sleep_for(1s);
    });
}

TEST_CASE("each shard's use of the processor is told") {
    bk::shard_group group(bk::sharded{2});
    const auto usage = bk::run_group(group, false, [](bk::shard& shard) -> bk::awaitable<> {
        const bk::time_point end = shard.now() + 20ms;
        while (shard.index() == 1 && shard.now() < end) {
        }
        co_return;
    });
    REQUIRE(usage.size() == 2);
    CHECK(usage[1].cpu() > usage[0].cpu());
    CHECK(usage[1].cpu() > 1ms);
}
