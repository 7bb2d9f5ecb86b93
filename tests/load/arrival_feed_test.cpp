#include <benchkit/load/arrival_feed.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <benchkit/exec/run.hpp>

namespace bk = benchkit;
using bk::detail::arrival_feed;
using namespace std::chrono_literals;

namespace {

bk::arrival_schedule schedule_of(const bk::arrivals& process) {
    return bk::arrival_schedule(process);
}

using taken = std::vector<std::pair<int, std::chrono::nanoseconds>>;  // by which client, when

// A client that takes what is due and is busy with it for `busy`, until nothing is left.
bk::awaitable<> client(bk::shard& owner, arrival_feed& feed, int number, bk::duration busy, taken& list) {
    while (!feed.finished()) {
        if (feed.take(owner.now())) {
            list.emplace_back(number, owner.now().time_since_epoch());
            co_await owner.sleep_for(busy);
        } else {
            co_await feed.wait();
        }
    }
}

taken run_clients(const bk::arrivals& process, std::int64_t limit, int clients, bk::duration busy) {
    taken list;
    bk::run(bk::virtual_time{}, [&](bk::shard& owner) -> bk::awaitable<> {
        arrival_feed feed(owner, schedule_of(process), bk::time_point{}, bk::time_point{}, limit, true);
        for (int number = 0; number < clients; ++number) {
            owner.spawn([&, number] { return client(owner, feed, number, busy, list); });
        }
        co_await owner.sleep_for(1h);
    });
    return list;
}

}  // namespace

TEST_CASE("idle clients take operations in turn, each when it is due") {
    // At 0 nobody stands in line yet; from then on who was idle longest is next.
    CHECK(run_clients(bk::constant(1), 5, 3, 100ms) == taken{{0, 0s}, {1, 1s}, {2, 2s}, {0, 3s}, {1, 4s}});
}

TEST_CASE("operations that are due at once are taken at once, by as many as are idle") {
    CHECK(run_clients(bk::trace({1s, 1s, 1s, 1s}), 4, 3, 100ms) ==
          taken{{0, 1s}, {1, 1s}, {2, 1s}, {0, 1100ms}});
}

TEST_CASE("who is busy takes what has come due meanwhile as soon as it can") {
    CHECK(run_clients(bk::constant(1), 4, 1, 1500ms) == taken{{0, 0s}, {0, 1500ms}, {0, 3s}, {0, 4500ms}});
}

TEST_CASE("a feed has so many measured operations, and all of the warm-up") {
    bk::shard owner({.simulated = true});
    arrival_feed feed(owner, schedule_of(bk::constant(1)), bk::time_point{10s}, bk::time_point{12s}, 3, true);
    const bk::time_point late{1h};
    CHECK_FALSE(feed.take(bk::time_point{9s}).has_value());
    for (const auto due : {10s, 11s, 12s, 13s, 14s}) {
        CHECK_FALSE(feed.finished());
        CHECK(feed.take(late) == bk::time_point{due});
    }
    CHECK(feed.finished());
    CHECK_FALSE(feed.take(late).has_value());
    arrival_feed nothing(owner, schedule_of(bk::constant(1)), bk::time_point{}, bk::time_point{}, 0, true);
    CHECK(nothing.finished());
}

TEST_CASE("a schedule that has ended is finished, unless the run lasts longer") {
    for (const bool lasts : {false, true}) {
        bk::shard owner({.simulated = true});
        arrival_feed feed(owner, schedule_of(bk::trace({0s})), bk::time_point{}, bk::time_point{}, std::nullopt,
                          lasts);
        CHECK_FALSE(feed.finished());
        CHECK(feed.take(bk::time_point{}) == bk::time_point{});
        CHECK_FALSE(feed.take(bk::time_point{1h}).has_value());
        CHECK(feed.finished() == !lasts);
    }
}

TEST_CASE("at the end a feed tells what was due before it and was not taken") {
    bk::shard owner({.simulated = true});
    arrival_feed feed(owner, schedule_of(bk::constant(2)), bk::time_point{}, bk::time_point{}, std::nullopt,
                      true);
    CHECK(feed.take(bk::time_point{}).has_value());
    std::vector<bk::time_point> left;
    feed.close(bk::time_point{2s}, [&](bk::time_point intended) { left.push_back(intended); });
    CHECK(left == std::vector{bk::time_point{500ms}, bk::time_point{1s}, bk::time_point{1500ms}});
    CHECK_FALSE(feed.take(bk::time_point{1h}).has_value());
}
