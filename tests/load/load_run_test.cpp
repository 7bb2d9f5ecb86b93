#include <benchkit/load/load_run.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace bk = benchkit;
using bk::detail::load_run;
using bk::detail::load_shard;
using bk::detail::operation;
using namespace std::chrono_literals;

namespace {

// Work whose operations take a second each.
class seconds {
  public:
    explicit seconds(load_shard& load) : load_(load) {}

    bk::awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }
    void write(bk::result&) const {}

  private:
    bk::awaitable<> client(operation& own) {
        while (load_.begin(own)) {
            co_await load_.owner().sleep_for(1s);
            load_.succeeded(own, load_.owner().now());
        }
    }

    load_shard& load_;
};

const auto make_seconds = [](load_shard& load) { return seconds(load); };

// Work whose operations end when all clients of the run have started one.
class together {
  public:
    together(load_shard& load, std::atomic<std::int64_t>& started, std::int64_t clients)
        : load_(load), started_(started), clients_(clients) {}

    bk::awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }
    void write(bk::result&) const {}

  private:
    bk::awaitable<> client(operation& own) {
        if (!load_.begin(own)) co_return;
        ++started_;
        while (started_ < clients_) co_await load_.owner().sleep_for(100us);
        load_.succeeded(own, load_.owner().now());
    }

    load_shard& load_;
    std::atomic<std::int64_t>& started_;
    std::int64_t clients_;
};

std::vector<std::int64_t> clients_of_shards(int shards, std::int64_t clients) {
    std::atomic<std::int64_t> started = 0;
    load_run<together> run(bk::sharded{shards}, bk::closed_loop{.clients = clients}, {.operations = clients},
                           {}, 0s, [&](load_shard& load) { return together(load, started, clients); });
    run.run();
    std::vector<std::int64_t> counts;
    for (int index = 0; index < run.size(); ++index) {
        counts.push_back(run.part(index).load.books.measured.succeeded);
    }
    return counts;
}

}  // namespace

TEST_CASE("clients are dealt out evenly, the remainder to the first shards") {
    CHECK(clients_of_shards(1, 10) == std::vector<std::int64_t>{10});
    CHECK(clients_of_shards(4, 10) == std::vector<std::int64_t>{3, 3, 2, 2});
    CHECK(clients_of_shards(3, 1) == std::vector<std::int64_t>{1, 0, 0});
}

TEST_CASE("progress is told at its interval, and once more at the end") {
    std::vector<bk::load_progress> told;
    const bk::load_options options{
        .on_progress = [&](const bk::load_progress& progress) { told.push_back(progress); },
        .progress_interval = 700ms};
    load_run<seconds> run(bk::virtual_time{}, bk::closed_loop{.clients = 2}, {.warmup = 1s, .duration = 2s},
                          options, 0s, make_seconds);
    run.run();
    REQUIRE(told.size() == 5);  // at 0.7, 1.4, 2.1, 2.8 and 3 s
    for (int k = 0; k < 4; ++k) {
        CHECK(told[static_cast<std::size_t>(k)].elapsed_seconds == doctest::Approx(0.7 * (k + 1)));
    }
    CHECK(told[0].started == 0);  // warm-up is left out
    CHECK(told[1].started == 2);
    CHECK(told[2].succeeded == 2);
    CHECK(told[4].elapsed_seconds == 3);
    CHECK(told[4].succeeded == 4);
    CHECK(told[4].failed == 0);
    CHECK(told[4].duration_seconds == 3.0);
    CHECK_FALSE(told[4].operations.has_value());
}

TEST_CASE("an interval of progress that cannot be is refused before anything starts") {
    for (const bk::duration interval : {bk::duration(0s), bk::duration(-1s)}) {
        bk::load_options options{.on_progress = [](const bk::load_progress&) { FAIL("told"); }};
        options.progress_interval = interval;
        CHECK_THROWS_WITH_AS(load_run<seconds>(bk::virtual_time{}, bk::closed_loop{}, {.operations = 1},
                                               options, 0s, make_seconds),
                             doctest::Contains("progress_interval = "), bk::error);
    }
}

TEST_CASE("what on_progress throws ends the run and is thrown by it") {
    const bk::load_options options{
        .on_progress = [](const bk::load_progress&) { throw std::runtime_error("broken progress"); }};
    load_run<seconds> run(bk::virtual_time{}, bk::closed_loop{}, {.duration = 1h}, options, 0s, make_seconds);
    CHECK_THROWS_WITH(run.run(), "broken progress");
}

TEST_CASE("a run has a trace of its events in simulated time") {
    const auto trace = [](std::int64_t operations) {
        load_run<seconds> run(bk::virtual_time{}, bk::closed_loop{.clients = 3}, {.operations = operations}, {},
                              0s, make_seconds);
        run.run();
        CHECK(run.simulated());
        CHECK(run.signal() == 0);
        return run.trace_hash();
    };
    CHECK(trace(10) == trace(10));
    CHECK(trace(10) != trace(13));
}
