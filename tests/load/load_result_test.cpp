#include <benchkit/load/load_result.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

namespace bk = benchkit;
using bk::detail::load_result;
using bk::detail::load_run;
using bk::detail::load_shard;
using bk::detail::operation;
using namespace std::chrono_literals;

namespace {

// What one operation does: it ends by `succeeded` or `failed` itself.
using act = std::function<bk::awaitable<>(load_shard&, operation&)>;

class scripted {
  public:
    scripted(load_shard& load, act action) : load_(load), action_(std::move(action)) {}

    bk::awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }
    void write(bk::result& into) const { into.counters["scripted"] = 1; }

  private:
    bk::awaitable<> client(operation& own) {
        while (load_.begin(own)) {
            co_await action_(load_, own);
            co_await load_.owner().yield();
        }
    }

    load_shard& load_;
    act action_;
};

template <bk::executor Executor>
bk::result run(const Executor& on, bk::closed_loop loop, const bk::load_limits& limits, const act& action,
               bk::duration drain = 10s) {
    load_run<scripted> run(on, loop, limits, {}, drain,
                           [&](load_shard& load) { return scripted(load, action); });
    run.run();
    bk::result described;
    described.name = "described";
    return load_result<scripted>(run).make(std::move(described), 5s);
}

bk::awaitable<> take(load_shard& load, operation& own, std::chrono::nanoseconds time) {
    co_await load.owner().sleep_for(time);
    load.succeeded(own, load.owner().now());
}

const bk::detail::operation_failure refused{bk::cause::connect, "connection_refused", "refused"};

bool ended_by(const bk::result& r, const char* reason) {
    return r.attributes.at("ended_by") == bk::attribute(std::string(reason));
}

}  // namespace

TEST_CASE("the result has what was described, the books, and what the work writes") {
    const bk::result r = run(bk::virtual_time{}, {.clients = 2}, {.operations = 6},
                             [](load_shard& load, operation& own) { return take(load, own, 1s); });
    CHECK(r.name == "described");
    CHECK(r.kind == "load");
    CHECK(r.counter("scheduled") == 6);
    CHECK(r.counter("succeeded") == 6);
    CHECK(r.counter("scripted") == 1);
    CHECK(r.elapsed_seconds == 3);
    CHECK(r.rate == 2);
    CHECK(ended_by(r, "count"));
    CHECK(r.children.empty());
    REQUIRE(r.resources.has_value());
    CHECK(r.resources->wall_seconds == 5);
    CHECK(bk::find_imbalance(r).empty());
}

TEST_CASE("the span begins with the first measured start and ends at the deadline") {
    // Starts at 0, 700 and 1400 ms; the warm-up ends at 1 s, so the span is from 1.4 to 3 s.
    const bk::result r = run(bk::virtual_time{}, {.clients = 1}, {.warmup = 1s, .duration = 2s},
                             [](load_shard& load, operation& own) { return take(load, own, 700ms); });
    CHECK(r.elapsed_seconds == doctest::Approx(1.6));
    CHECK(r.counter("warmup.succeeded") == 2);
    CHECK(r.counter("succeeded") == 3);          // from 1.4, 2.1 and 2.8 s
    CHECK(r.counter("succeeded_in_span") == 2);  // the third ends at 3.5 s
    CHECK(*r.rate == doctest::Approx(2 / 1.6));
    CHECK(ended_by(r, "duration"));
}

TEST_CASE("a count that is reached in the drain has not ended the run") {
    const bk::result r = run(bk::virtual_time{}, {.clients = 1}, {.operations = 2, .duration = 1s},
                             [](load_shard& load, operation& own) { return take(load, own, 700ms); });
    CHECK(r.counter("succeeded") == 2);
    CHECK(r.counter("succeeded_in_span") == 1);
    CHECK(r.elapsed_seconds == 1);
    CHECK(ended_by(r, "duration"));
}

TEST_CASE("a run in which nothing was measured has no span and no rate") {
    const bk::result r = run(bk::virtual_time{}, {.clients = 1}, {.warmup = 5s, .duration = 1s},
                             [](load_shard& load, operation& own) -> bk::awaitable<> {
                                 co_await load.owner().sleep_for(1s);
                                 load.failed(own, load.owner().now(), refused);
                                 load.end_early(bk::detail::early_end::connect_failure, load.owner().now());
                             });
    CHECK(r.counter("warmup.failed.connect") == 1);
    CHECK(r.counter("started") == 0);
    CHECK(r.elapsed_seconds == 0);
    CHECK_FALSE(r.rate.has_value());
    CHECK(ended_by(r, "connect-failure"));
    CHECK(r.attributes.at("first_error") == bk::attribute(std::string("in the warm-up: refused")));
}

TEST_CASE("an early end cuts the span where it came") {
    const bk::result r = run(bk::virtual_time{}, {.clients = 1}, {.operations = 100},
                             [](load_shard& load, operation& own) -> bk::awaitable<> {
                                 co_await load.owner().sleep_for(1s);
                                 const bk::time_point now = load.owner().now();
                                 load.succeeded(own, now);
                                 if (now == bk::time_point(4s))
                                     load.end_early(bk::detail::early_end::first_error, now);
                             });
    CHECK(r.counter("succeeded") == 4);
    CHECK(r.counter("not_started") == 96);
    CHECK(r.elapsed_seconds == 4);
    CHECK(r.rate == 1);
    CHECK(ended_by(r, "first-error"));
}

TEST_CASE("what another shard completes before it hears of an early end lies within the span") {
    std::atomic<bool> second_runs = false, first_failed = false;
    const bk::result r = run(bk::sharded{2}, {.clients = 2}, {.duration = 1h},
                             [&](load_shard& load, operation& own) -> bk::awaitable<> {
                                 bk::shard& owner = load.owner();
                                 if (owner.index() == 0) {
                                     while (!second_runs) co_await owner.sleep_for(100us);
                                     load.failed(own, owner.now(), refused);
                                     load.end_early(bk::detail::early_end::first_error, owner.now());
                                     first_failed = true;
                                     co_return;
                                 }
                                 second_runs = true;
                                 while (!first_failed) {
                                 }
                                 const bk::time_point later = owner.now() + 20ms;
                                 while (owner.now() < later) {
                                 }
                                 load.succeeded(own, owner.now());
                             });
    CHECK(r.counter("failed") == 1);
    CHECK(r.counter("succeeded_in_span") == 1);
    CHECK(r.elapsed_seconds >= 0.02);
    CHECK(*r.rate <= 50);
    CHECK(ended_by(r, "first-error"));
}

TEST_CASE("the earliest error of all shards is told") {
    std::atomic<int> failed = 0;
    const bk::result r = run(bk::sharded{2}, {.clients = 2}, {.operations = 2},
                             [&](load_shard& load, operation& own) -> bk::awaitable<> {
                                 bk::shard& owner = load.owner();
                                 while (owner.index() == 0 && failed == 0) co_await owner.sleep_for(100us);
                                 const std::string sentence = "shard " + std::to_string(owner.index());
                                 load.failed(own, owner.now(), {bk::cause::assertion, {}, sentence});
                                 ++failed;
                             });
    CHECK(r.counter("failed.assertion") == 2);
    CHECK(r.attributes.at("first_error") == bk::attribute(std::string("shard 1")));
}

TEST_CASE("of several shards each has a row, and the rows add up") {
    const bk::result r = run(bk::sharded{3}, {.clients = 5}, {.operations = 100},
                             [](load_shard& load, operation& own) { return take(load, own, 10us); });
    REQUIRE(r.children.size() == 3);
    std::int64_t succeeded = 0;
    double rate = 0;
    for (const bk::result& row : r.children) {
        CHECK(row.kind == "shard");
        CHECK(row.elapsed_seconds == r.elapsed_seconds);
        CHECK(row.resources->wall_seconds == 5);
        CHECK(row.distributions.size() == 1);
        succeeded += row.counter("succeeded");
        rate += *row.rate;
    }
    CHECK(succeeded == 100);
    CHECK(rate == doctest::Approx(*r.rate));
    CHECK(r.counter("scripted") == 3);
    CHECK(r.distributions.at("service_time").values.count() == 100);
}
