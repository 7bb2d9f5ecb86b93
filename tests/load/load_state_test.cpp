#include <benchkit/load/load_state.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <set>

namespace bk = benchkit;
using bk::detail::early_end;
using bk::detail::load_state;
using namespace std::chrono_literals;

namespace {

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

}  // namespace

TEST_CASE("the phases follow each other: warm-up, measuring, drain") {
    bk::shard_group group(bk::virtual_time{});  // whose clock stands at 0
    const load_state timed(group, bk::closed_loop{}, {.warmup = 2s, .duration = 5s}, 3s);
    CHECK(timed.start() == at(0s));
    CHECK(timed.measure_from() == at(2s));
    CHECK(timed.deadline() == at(7s));
    CHECK(timed.drained_by() == at(10s));
    CHECK(timed.ended_early() == early_end::none);
    CHECK_FALSE(timed.budget.limited());

    const load_state counted(group, bk::closed_loop{}, {.operations = 5, .warmup = 2s}, 3s);
    CHECK(counted.measure_from() == at(2s));
    CHECK(counted.deadline() == bk::time_point::max());
    CHECK(counted.drained_by() == bk::time_point::max());
    CHECK(counted.budget.limited());

    const load_state neither(group, bk::closed_loop{}, {}, 3s);
    CHECK(neither.deadline() == at(10s));

    const load_state endless(group, bk::closed_loop{}, {.warmup = 1s, .duration = std::chrono::hours::max()},
                             3s);
    CHECK(endless.deadline() == bk::time_point::max());
}

TEST_CASE("the first reason to end early stays, and every shard is told on its own thread") {
    bk::shard_group group(bk::sharded{3});
    load_state state(group, bk::closed_loop{}, {.duration = 1h}, 0s);
    std::set<int> told;
    state.stop_shard = [&](bk::shard& member) { told.insert(member.index()); };
    state.end_early(early_end::interrupt, at(5s));
    state.end_early(early_end::first_error, at(4s));
    CHECK(state.ended_early() == early_end::interrupt);
    CHECK(state.ended_early_at() == at(5s));
    CHECK(told.empty());
    for (int index = 0; index < 3; ++index) {
        group.at(index).post([&member = group.at(index)] { member.stop(); });
        group.at(index).run();
    }
    CHECK(told == std::set{0, 1, 2});
}

TEST_CASE("every client's first connect has failed when as many have as there are clients that start") {
    bk::shard_group group(bk::virtual_time{});
    const auto failures_needed = [&](const bk::load_limits& limits) {
        load_state state(group, bk::closed_loop{.clients = 10}, limits, 0s);
        int failures = 1;
        while (!state.first_connect_failed()) ++failures;
        return failures;
    };
    CHECK(failures_needed({.duration = 1s}) == 10);
    CHECK(failures_needed({.operations = 100}) == 10);
    CHECK(failures_needed({.operations = 3}) == 3);
    // All ten warm up, whatever is counted afterwards.
    CHECK(failures_needed({.operations = 3, .warmup = 1s}) == 10);
}

TEST_CASE("a run is hopeless when nothing has succeeded for 10 s") {
    bk::shard_group group(bk::virtual_time{});
    load_state state(group, bk::closed_loop{}, {.duration = 1h}, 0s);
    CHECK_FALSE(state.hopeless(at(10s - 1ns)));
    CHECK(state.hopeless(at(10s)));
    state.note_success(at(3s));
    CHECK_FALSE(state.hopeless(at(13s - 1ns)));
    CHECK(state.hopeless(at(13s)));
}
