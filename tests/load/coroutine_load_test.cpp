#include <benchkit/load/coroutine_load.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>

#include <benchkit/load/load.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

const auto ten_milliseconds = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(10ms); };
const auto one_second = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1s); };

bk::awaitable<> plain_function(bk::shard& shard) {
    co_await shard.sleep_for(10ms);
}

}  // namespace

TEST_CASE("a closed loop in virtual time is exact") {
    const bk::result r = bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 3}, {.duration = 10s});
    CHECK(r.counter("scheduled") == 3000);
    CHECK(r.counter("succeeded") == 3000);
    CHECK(r.counter("succeeded_in_span") == 3000);
    CHECK(r.elapsed_seconds == 10);
    CHECK(r.rate == 300);
    const bk::distribution& time = r.distributions.at("service_time");
    CHECK(time.values.min() == 10'000'000);
    CHECK(time.values.max() == 10'000'000);
    CHECK(r.attributes.at("ended_by") == bk::attribute("duration"));
    CHECK(r.parameters.at("simulated") == bk::attribute(true));
    REQUIRE(r.series.has_value());
    REQUIRE(r.series->points.size() == 10);
    // Three ends each 10 ms: the first interval lacks those at 0, the last one has those at the deadline.
    CHECK(r.series->points[0].succeeded == 297);
    CHECK(r.series->points[4].succeeded == 300);
    CHECK(r.series->points[9].succeeded == 303);
}

TEST_CASE("think time lies between an end and the next start") {
    const bk::result r =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 3, .think_time = 40ms}, {.duration = 10s});
    CHECK(r.counter("started") == 600);  // each client starts every 50 ms
    CHECK(r.elapsed_seconds == 10);
}

TEST_CASE("a count ends the run with its last operation") {
    const bk::result r = bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 3}, {.operations = 100});
    CHECK(r.counter("scheduled") == 100);
    CHECK(r.counter("started") == 100);
    CHECK(r.counter("succeeded") == 100);
    CHECK(r.elapsed_seconds == 0.34);  // 34 rounds of three
    CHECK(r.attributes.at("ended_by") == bk::attribute("count"));
}

TEST_CASE("a count that is reached while clients think does not wait for them") {
    const bk::result r =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 2, .think_time = 1h}, {.operations = 2});
    CHECK(r.counter("succeeded") == 2);
    CHECK(r.elapsed_seconds == 0.01);
}

TEST_CASE("of a count and a duration, the first that comes ends the run") {
    const bk::result by_count =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 1}, {.operations = 5, .duration = 10s});
    CHECK(by_count.attributes.at("ended_by") == bk::attribute("count"));
    CHECK(by_count.elapsed_seconds == 0.05);
    const bk::result by_duration =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 1}, {.operations = 5000, .duration = 1s});
    CHECK(by_duration.attributes.at("ended_by") == bk::attribute("duration"));
    CHECK(by_duration.counter("scheduled") == 5000);
    CHECK(by_duration.counter("started") == 100);
    CHECK(by_duration.counter("not_started") == 4900);
    CHECK(by_duration.elapsed_seconds == 1);
}

TEST_CASE("with neither count nor duration a run takes 10 s") {
    const bk::result r = bk::load(bk::virtual_time{}, one_second, {.clients = 1});
    CHECK(r.counter("succeeded") == 10);
    CHECK(r.elapsed_seconds == 10);
}

TEST_CASE("warm-up is counted apart, by the start, and outside the count") {
    const bk::result timed =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 1}, {.warmup = 1s, .duration = 1s});
    CHECK(timed.counter("warmup.started") == 100);
    CHECK(timed.counter("warmup.succeeded") == 100);
    CHECK(timed.counter("started") == 100);
    CHECK(timed.elapsed_seconds == 1);
    const bk::result counted =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 1}, {.operations = 7, .warmup = 1s});
    CHECK(counted.counter("warmup.succeeded") == 100);
    CHECK(counted.counter("succeeded") == 7);
    CHECK(counted.elapsed_seconds == 0.07);
}

TEST_CASE("what is in flight at the deadline has time to drain, and does not count in the rate") {
    const bk::result drained = bk::load(bk::virtual_time{}, one_second, {.clients = 1}, {.duration = 2500ms});
    CHECK(drained.counter("succeeded") == 3);
    CHECK(drained.counter("succeeded_in_span") == 2);
    CHECK(drained.rate == 2 / 2.5);
    CHECK(bk::find_number(drained.attributes, "last_end_seconds") == 3);
    CHECK(drained.counter("unfinished") == 0);
    const bk::result cut =
        bk::load(bk::virtual_time{}, one_second, {.clients = 1}, {.duration = 2500ms, .drain = 200ms});
    CHECK(cut.counter("succeeded") == 2);
    CHECK(cut.counter("unfinished") == 1);
    CHECK(!cut.attributes.contains("last_end_seconds"));
    CHECK(cut.distributions.at("unfinished_age").values.max() == 700'000'000);
}

TEST_CASE("an operation that throws has failed, by the cause it names") {
    std::atomic<int> calls = 0;
    const auto failing = [&calls]() -> bk::awaitable<> {
        switch (calls++ % 5) {
            case 0:
                throw bk::operation_failed(bk::cause::status, "status 503");
            case 1:
                throw std::runtime_error("broken");
            case 2:
                throw std::system_error(ECONNREFUSED, std::system_category());
            case 3:
                throw 42;
            default:
                co_return;
        }
    };
    for (const int shards : {1, 2}) {
        calls = 0;
        const bk::result r = bk::load(bk::sharded{shards}, failing, {.clients = 2}, {.operations = 1000});
        CHECK(r.counter("succeeded") == 200);
        CHECK(r.counter("failed") == 800);
        CHECK(r.counter("failed.status") == 200);
        CHECK(r.counter("failed.assertion") == 600);
        CHECK(r.counter("errors.connection_refused") == 200);
    }
}

TEST_CASE("ten clients on four shards are ten, all at once, and no operation is lost") {
    std::atomic<int> in_flight = 0, most = 0;
    const auto counted = [&](bk::shard& shard) -> bk::awaitable<> {
        const int now = ++in_flight;
        int seen = most;
        while (now > seen && !most.compare_exchange_weak(seen, now)) {
        }
        co_await shard.sleep_for(5ms);
        --in_flight;
    };
    const bk::result r = bk::load(bk::sharded{4}, counted, {.clients = 10}, {.operations = 203});
    CHECK(most == 10);
    CHECK(r.counter("succeeded") == 203);
    REQUIRE(r.children.size() == 4);
    std::int64_t sum = 0;
    for (const bk::result& shard : r.children) sum += shard.counter("succeeded");
    CHECK(sum == 203);
}

TEST_CASE("an operation is copied once per shard") {
    struct counting {
        std::shared_ptr<std::atomic<int>> copies = std::make_shared<std::atomic<int>>(0);
        counting() = default;
        counting(const counting& other) : copies(other.copies) { ++*copies; }
        counting(counting&&) = default;
        bk::awaitable<> operator()() const { co_return; }
    };
    const counting operation;
    CHECK(bk::load(bk::sharded{3}, operation, {.clients = 30}, {.operations = 300}).counter("succeeded") ==
          300);
    CHECK(*operation.copies == 3);
}

TEST_CASE("a plain function is an operation as a lambda is") {
    const bk::result r = bk::load(bk::virtual_time{}, plain_function, {.clients = 3}, {.duration = 1s});
    CHECK(r.counter("succeeded") == 300);
}

TEST_CASE("in virtual time, an operation that takes no time and has no count is refused") {
    const auto instant = []() -> bk::awaitable<> { co_return; };
    CHECK_THROWS_WITH_AS(
        static_cast<void>(bk::load(bk::virtual_time{}, instant, {.clients = 1}, {.duration = 1s})),
        doctest::Contains("takes no virtual time"), bk::error);
    CHECK(bk::load(bk::virtual_time{}, instant, {.clients = 1}, {.operations = 10}).counter("succeeded") == 10);
    // A count does not end the warm-up.
    CHECK_THROWS_WITH_AS(static_cast<void>(bk::load(bk::virtual_time{}, instant, {.clients = 1},
                                                    {.operations = 10, .warmup = 1s})),
                         doctest::Contains("takes no virtual time"), bk::error);
}

TEST_CASE("in virtual time, an operation that waits for what cannot come is a deadlock, not a result") {
    const auto stuck = [](bk::shard& shard) -> bk::awaitable<> {
        bk::event never(shard);
        co_await never.wait();
    };
    CHECK_THROWS_WITH_AS(
        static_cast<void>(bk::load(bk::virtual_time{}, stuck, {.clients = 1}, {.operations = 10})),
        doctest::Contains("deadlock"), bk::error);
    // A duration ends it all the same.
    const bk::result r = bk::load(bk::virtual_time{}, stuck, {.clients = 1}, {.duration = 2s, .drain = 1s});
    CHECK(r.counter("unfinished") == 1);
    CHECK(r.distributions.at("unfinished_age").values.max() == 3'000'000'000);
}

TEST_CASE("an operation that never suspends does not keep a real run from ending") {
    const auto instant = []() -> bk::awaitable<> { co_return; };
    const bk::result r = bk::load(bk::single_threaded{}, instant, {.clients = 2}, {.duration = 20ms});
    CHECK(r.counter("succeeded") > 0);
    CHECK(r.elapsed_seconds == doctest::Approx(0.02).epsilon(0.01));
}

TEST_CASE("Ctrl-C ends a run with what was measured") {
    for (const int shards : {1, 2}) {
        std::atomic<int> calls = 0;
        const auto interrupting = [&](bk::shard& shard) -> bk::awaitable<> {
            if (++calls == 20) std::raise(SIGINT);
            co_await shard.sleep_for(1ms);
        };
        const bk::result r = bk::load(bk::sharded{shards}, interrupting, {.clients = 4}, {.duration = 1h});
        CHECK(r.interrupted);
        CHECK(r.attributes.at("signal") == bk::attribute(std::int64_t{SIGINT}));
        CHECK(r.counter("succeeded") >= 10);
        CHECK(r.counter("started") == r.counter("succeeded") + r.counter("unfinished"));
        CHECK(r.elapsed_seconds < 60);
    }
}

TEST_CASE("progress is told, and at the end it is complete") {
    std::vector<bk::load_progress> told;
    bk::load_options options;
    options.on_progress = [&](const bk::load_progress& progress) { told.push_back(progress); };
    options.progress_interval = 100ms;
    const bk::result r =
        bk::load(bk::virtual_time{}, ten_milliseconds, {.clients = 1}, {.operations = 100}, options);
    CHECK(r.counter("succeeded") == 100);
    REQUIRE(told.size() >= 9);
    CHECK(told.back().succeeded == 100);
    CHECK(told.back().operations == 100);
    for (std::size_t index = 1; index < told.size(); ++index)
        CHECK(told[index].succeeded >= told[index - 1].succeeded);
}

TEST_CASE("the same seed gives the same trace, and another seed another one") {
    const auto jittered = [](bk::shard& shard) -> bk::awaitable<> {
        // Named by its start, so that no stream outlives a run.
        bk::random_stream stream = shard.random(std::to_string(shard.now().time_since_epoch().count()));
        co_await shard.sleep_for(std::chrono::nanoseconds(stream.exponential(1'000'000)));
    };
    const auto hash = [&](std::uint64_t seed, std::int64_t clients) {
        const bk::result r =
            bk::load(bk::virtual_time{.seed = seed}, jittered, {.clients = clients}, {.operations = 50});
        CHECK(r.counter("succeeded") == 50);
        return r.attributes.at("virtual.trace_hash");
    };
    CHECK(hash(1, 3) == hash(1, 3));
    CHECK(hash(1, 3) != hash(2, 3));
    CHECK(hash(1, 3) != hash(1, 4));
}
