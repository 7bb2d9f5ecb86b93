// What an open loop promises: its response times are the truth, whatever the target does.

#include <benchkit/load/load.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include <benchkit/http/server.hpp>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::int64_t ns(bk::duration time) {
    return time.count();
}

// How many responses took longer.
std::int64_t longer_than(const bk::result& r, bk::duration x) {
    return r.distributions.at("response_time").values.count_between(ns(x) + 1, INT64_MAX);
}

const bk::distribution& responses(const bk::result& r) {
    return r.distributions.at("response_time");
}

bool says(const bk::result& r, const std::string& code) {
    return std::any_of(r.diagnostics.begin(), r.diagnostics.end(),
                       [&](const bk::diagnostic& one) { return one.code == code; });
}

// A server of one place: each operation takes `service` of it, in the order of their coming, and none begins in
// the stall.
struct stalling_server {
    bk::duration service;
    bk::duration stall_from;
    bk::duration stall_until;
    std::shared_ptr<bk::time_point> free = std::make_shared<bk::time_point>();

    bk::awaitable<> operator()(bk::shard& shard) const {
        bk::time_point begin = std::max(shard.now(), *free);
        if (begin >= bk::time_point(stall_from) && begin < bk::time_point(stall_until)) {
            begin = bk::time_point(stall_until);
        }
        *free = begin + service;
        co_await shard.sleep_until(*free);
    }
};

}  // namespace

TEST_CASE("in virtual time the response times behind a stall are exact, however many connections there are") {
    // Rate 1,000/s, capacity 100,000/s, a stall of 1 s in a run of 10 s. The k-th operation of the stall has
    // waited S - k/rate when it ends, and k + 1 services are behind it. So response > x for all k with
    // k (1/rate - 1/capacity) < S - x + 1/capacity, of which there are (S - x) rate / (1 - rho), rounded up.
    for (const std::int64_t connections : {10, 2'000}) {
        CAPTURE(connections);
        const bk::result r = bk::load(
            bk::virtual_time{}, stalling_server{10us, 4s, 5s},
            bk::open_loop{.arrivals = bk::constant(1'000), .connections = connections}, {.duration = 10s});
        CHECK(r.counter("scheduled") == 10'000);
        CHECK(r.counter("succeeded") == 10'000);
        CHECK(responses(r).values.max() == ns(1s + 10us));
        for (const bk::duration x : {1ms, 100ms, 250ms, 500ms, 750ms, 990ms}) {
            const std::int64_t wait = ns(1s) - ns(x) + ns(10us);
            const std::int64_t step = ns(1ms) - ns(10us);
            const std::int64_t exact = (wait + step - 1) / step;
            CAPTURE(x);
            // Buckets of three digits: what shares one with x may stand on either side of it.
            CHECK(std::abs(longer_than(r, x) - exact) <= std::max<std::int64_t>(1, ns(x) / 1000 / step + 1));
            const double formula = (1 - bk::duration(x).seconds()) / (1 - 0.01) / 10;
            CHECK(static_cast<double>(exact) / 10'000 == doctest::Approx(formula).epsilon(0.02));
        }
        CHECK(says(r, "busy-connections") == (connections == 10));
    }
}

TEST_CASE("the closed loop of the same sees one slow operation for each client, and says what it cannot see") {
    const bk::result r =
        bk::load(bk::virtual_time{}, stalling_server{10us, 4s, 5s}, {.clients = 10}, {.duration = 10s});
    const bk::histogram& times = r.distributions.at("service_time").values;
    CHECK(times.count_between(ns(500ms), INT64_MAX) == 10);
    CHECK(r.find_distribution("response_time") == nullptr);
    CHECK(says(r, "closed-loop-blind"));
}

TEST_CASE("a real stall is in the response times, on one shard and on two") {
    for (const int shards : {1, 2}) {
        CAPTURE(shards);
        http::server server;
        http::faults faults;
        faults.stall(http::parse_stall("stall", "at=1s,for=1s"));
        server.route("/", "hello");
        server.start();
        const bk::sharded cores{.shards = shards};
        // The capacity of this machine, in this build; a warm-up of the server, too.
        const bk::result full =
            bk::load(cores, http::target{server.url()}, {.clients = 10}, {.operations = 2'000});
        REQUIRE(full.counter("succeeded") == 2'000);
        const double capacity = full.rate.value_or(0);
        const double rate = std::min(200.0, std::floor(capacity / 60));
        const double rho = rate / capacity;
        server.stop();

        http::server stalling;
        stalling.route("/", "hello").faults(faults);
        stalling.start();
        const bk::result r =
            bk::load(cores, http::target{stalling.url()},
                     bk::open_loop{.arrivals = bk::constant(rate), .connections = 300}, {.duration = 4s});
        stalling.stop();
        const double scheduled = 4 * rate;
        CHECK(static_cast<double>(r.counter("scheduled")) == scheduled);
        CHECK(static_cast<double>(r.counter("succeeded")) == scheduled);
        REQUIRE(rho <= 0.02);
        for (const bk::duration x : {100ms, 300ms, 500ms, 700ms}) {
            CAPTURE(x);
            const double expected = (1 - x.seconds()) / ((1 - rho) * 4) * scheduled;
            // To 2 %, and to the one operation by which the stall may begin earlier or later.
            CHECK(std::abs(static_cast<double>(longer_than(r, x)) - expected) <= 0.02 * expected + 1);
        }
        REQUIRE(r.series.has_value());
        CHECK(r.series->points.size() == 4);
        CHECK(r.series->points[2].p99.value_or(0) > ns(500ms));  // of responses, not of service
        CHECK(responses(r).values.max() >= ns(950ms));
    }
}

TEST_CASE("a schedule is kept to the operation, whatever the server does") {
    http::server silent;
    http::faults faults;
    faults.delay(http::delay::fixed(1h));
    silent.route("/", "hello").faults(faults);
    silent.start();
    for (const int shards : {1, 2}) {
        const bk::result r = bk::load(bk::sharded{.shards = shards}, http::target{silent.url()},
                                      bk::open_loop{.arrivals = bk::constant(123.4), .connections = 4},
                                      {.duration = 500ms, .drain = 100ms});
        CHECK(r.counter("scheduled") == 62);  // 61.7, rounded up
        CHECK(r.counter("started") == 4);
        CHECK(r.counter("unfinished") == 4);
        CHECK(r.counter("not_started") == 58);
        CHECK(responses(r).values.count() == 62);
        // Those in flight are as old as the end of the drain, those not started as the end of the run.
        CHECK(responses(r).values.max() >= ns(600ms));
        CHECK(r.elapsed_seconds == doctest::Approx(0.5));
        CHECK(says(r, "busy-connections"));
    }
    silent.stop();
}

TEST_CASE("what has timed out stands in the tail with no less than its timeout") {
    http::server silent;
    http::faults faults;
    faults.delay(http::delay::fixed(1h));
    silent.route("/", "hello").faults(faults);
    silent.start();
    const bk::result r = bk::load(bk::single_threaded{}, http::target{silent.url(), {.timeout = 50ms}},
                                  bk::open_loop{.arrivals = bk::constant(100), .connections = 2},
                                  {.duration = 500ms, .drain = 1s});
    silent.stop();
    const std::int64_t timed_out = r.counter("failed.timeout");
    CHECK(timed_out >= 10);
    CHECK(r.counter("scheduled") == 50);
    CHECK(r.counter("failed") == timed_out);
    CHECK(responses(r).values.count() == 50);
    CHECK(responses(r).values.count_between(ns(50ms) * 999 / 1000, INT64_MAX) >= timed_out);
    CHECK(r.find_distribution("failed_time.timeout") == nullptr);
}

TEST_CASE("a count ends an open loop, exactly and over all shards; the warm-up takes nothing from it") {
    const auto instant = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1ms); };
    for (const int shards : {1, 3}) {
        const bk::result r = bk::load(bk::sharded{.shards = shards}, instant,
                                      bk::open_loop{.arrivals = bk::constant(1'000), .connections = 6},
                                      {.operations = 100, .warmup = 50ms});
        CHECK(r.counter("scheduled") == 100);
        CHECK(r.counter("succeeded") == 100);
        CHECK(r.counter("warmup.succeeded") == 50);
        CHECK(r.attributes.at("ended_by") == bk::attribute("count"));
    }
    const bk::result few = bk::load(bk::sharded{.shards = 3}, instant,
                                    bk::open_loop{.arrivals = bk::poisson(1'000)}, {.operations = 2});
    CHECK(few.counter("succeeded") == 2);
}

TEST_CASE("stages and traces bring their own end, and begin with the warm-up") {
    const auto instant = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1ms); };
    const bk::result staged =
        bk::load(bk::virtual_time{}, instant, bk::open_loop{.arrivals = bk::stages().add(10, 2s).add(100, 3s)},
                 {.warmup = 1s});
    CHECK(staged.counter("warmup.succeeded") == 10);
    CHECK(staged.counter("succeeded") == 310);
    CHECK(staged.elapsed_seconds == 4);
    const bk::result traced =
        bk::load(bk::virtual_time{}, instant, bk::open_loop{.arrivals = bk::trace({0s, 1s, 1s, 7s})});
    CHECK(traced.counter("scheduled") == 4);
    CHECK(traced.counter("succeeded") == 4);
    CHECK(traced.elapsed_seconds == 7.001);
    CHECK(traced.attributes.at("ended_by") == bk::attribute("count"));
    // Dealt out over shards, a warm-up in front: each is there once.
    const bk::result dealt = bk::load(
        bk::sharded{3}, instant, bk::open_loop{.arrivals = bk::trace({0s, 0s, 9ms, 10ms, 11ms, 12ms, 13ms})},
        {.operations = 4, .warmup = 8ms});
    CHECK(dealt.counter("warmup.succeeded") == 2);
    CHECK(dealt.counter("succeeded") == 4);
    const bk::result rising =
        bk::load(bk::virtual_time{}, instant, bk::open_loop{.arrivals = bk::ramp(0, 100)}, {.duration = 10s});
    CHECK(rising.counter("scheduled") == 500);
}

TEST_CASE("waiting for a connection is part of the response, not of the service") {
    const auto one_second = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1s); };
    const bk::result cut = bk::load(bk::virtual_time{}, one_second,
                                    bk::open_loop{.arrivals = bk::trace({0s, 100ms, 100ms}), .connections = 1},
                                    {.duration = 1500ms, .drain = 10s});
    CHECK(cut.distributions.at("service_time").values.max() == ns(1s));
    CHECK(cut.counter("succeeded") == 2);  // at 0 and 1 s; nothing starts after the end
    CHECK(cut.counter("not_started") == 1);
    const bk::result longer =
        bk::load(bk::virtual_time{}, one_second,
                 bk::open_loop{.arrivals = bk::trace({0s, 100ms, 100ms, 5s}), .connections = 1});
    CHECK(longer.counter("succeeded") == 4);
    CHECK(longer.counter("waited_for_connection") == 2);
    CHECK(responses(longer).values.count_between(ns(2s) * 99 / 100, ns(3s)) == 1);  // 1 s + 1.9 s
    CHECK(longer.distributions.at("lag").values.max() == ns(1900ms));
    CHECK(longer.distributions.at("timer_lag").values.max() == 0);
    CHECK(longer.distributions.at("timer_lag").values.count() == 2);
}

TEST_CASE("a client that cannot keep up says so") {
    const auto busy = [](bk::shard& shard) -> bk::awaitable<> {
        const bk::time_point until = shard.now() + 2ms;
        while (shard.now() < until) {
        }
        co_return;
    };
    const bk::result saturated = bk::load(bk::single_threaded{}, busy,
                                          bk::open_loop{.arrivals = bk::constant(1'000), .connections = 100},
                                          {.duration = 1s, .drain = 0s});
    CHECK(saturated.counter("scheduled") == 1'000);
    CHECK(saturated.counter("not_started") > 200);
    REQUIRE(saturated.resources.has_value());
    // Where other programs take the processor away, it is not used up by the client.
    const bk::run_resources& used = *saturated.resources;
    CHECK(says(saturated, "client-saturated") ==
          (used.user_seconds + used.system_seconds > 0.9 * used.wall_seconds));
    CHECK(says(saturated, "late-client"));
    // It sleeps where it should not, so that other operations start late though connections are idle.
    const auto blocking = [](bk::shard&) -> bk::awaitable<> {
        std::this_thread::sleep_for(15ms);
        co_return;
    };
    const bk::result late = bk::load(bk::single_threaded{}, blocking,
                                     bk::open_loop{.arrivals = bk::trace({0s, 10ms, 12ms, 400ms})});
    CHECK(late.counter("succeeded") + late.counter("unfinished") + late.counter("not_started") == 4);
    CHECK(says(late, "late-client"));
    CHECK_FALSE(says(late, "client-saturated"));
}

TEST_CASE("an open loop that ends early has scheduled what was due until then") {
    const auto breaks = [](bk::shard& shard) -> bk::awaitable<> {
        co_await shard.sleep_for(1ms);
        if (shard.now() >= bk::time_point(5s)) throw bk::operation_failed(bk::cause::connection_lost, "lost");
    };
    const bk::result r =
        bk::load(bk::virtual_time{}, breaks, bk::open_loop{.arrivals = bk::constant(10), .connections = 10},
                 {.duration = 1h, .stop_at_first_error = true});
    CHECK(r.attributes.at("ended_by") == bk::attribute("first-error"));
    CHECK(r.counter("scheduled") == 51);
    CHECK(r.counter("succeeded") == 50);
    CHECK(r.counter("failed") == 1);
    CHECK(r.elapsed_seconds == doctest::Approx(5.001));
}

TEST_CASE("what does not go with an open loop is refused") {
    const bk::open_loop loop{.arrivals = bk::constant(5)};
    const http::target piped("http://127.0.0.1:1/", http::target_options{.pipeline = 4});
    CHECK(tests::refusal([&] {
              (void)bk::load(bk::single_threaded{}, piped, loop);
          }).starts_with("pipeline = 4: an open loop has one request in flight"));
    const auto instant = [](bk::shard&) -> bk::awaitable<> { co_return; };
    CHECK(tests::refusal([&] {
              (void)bk::load(bk::single_threaded{}, instant, bk::open_loop{.arrivals = bk::ramp(1, 2)},
                             {.operations = 5});
          }).find("a ramp runs over the duration") != std::string::npos);
    CHECK(tests::refusal([&] {
              (void)bk::load(bk::single_threaded{.spin = 2s}, instant, loop);
          }).starts_with("spin = "));
}
