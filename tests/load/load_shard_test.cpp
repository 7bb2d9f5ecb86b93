#include <benchkit/load/load_shard.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

namespace bk = benchkit;
using bk::detail::early_end;
using bk::detail::load_shard;
using bk::detail::load_state;
using bk::detail::operation;
using namespace std::chrono_literals;

namespace {

// The parts of a load on the shards of an executor, each with one client of the test's own.
template <bk::executor Executor>
struct parts {
    bk::shard_group group;
    load_state state;
    std::vector<std::unique_ptr<load_shard>> shards;

    parts(const Executor& description, const bk::load_limits& limits, bk::duration drain,
          std::int64_t clients_each = 1, bool stop_at_first_error = false)
        : group(description),
          state(group, bk::closed_loop{.clients = clients_each * group.size()}, limits, drain) {
        for (int index = 0; index < group.size(); ++index) {
            shards.push_back(
                std::make_unique<load_shard>(group.at(index), state, clients_each, stop_at_first_error));
        }
        state.stop_shard = [this](bk::shard& member) { at(member).stop(); };
        state.settle_shard = [this](bk::shard& member) { at(member).end_if_idle(); };
    }

    load_shard& at(const bk::shard& member) { return *shards[static_cast<std::size_t>(member.index())]; }

    // Runs `client(load_shard&, operation&)` for each client to the end.
    template <class Client>
    void run(const Client& client) {
        bk::run_group(group, false, [this, &client](bk::shard& member) {
            load_shard& load = at(member);
            return load.run([&load, &client](operation& own) { return client(load, own); });
        });
    }
};

const bk::detail::operation_failure refused{bk::cause::connect, "connection_refused", "refused"};

}  // namespace

TEST_CASE("each client performs operations until the deadline, and what is in flight may end") {
    parts load(bk::virtual_time{}, {.duration = 1s}, 10s, 3);
    load.run([](load_shard& own_load, operation& own) -> bk::awaitable<> {
        while (own_load.begin(own)) {
            co_await own_load.owner().sleep_for(300ms);
            own_load.succeeded(own, own_load.owner().now());
        }
    });
    const bk::detail::recorder& books = load.shards[0]->books;
    CHECK(books.measured.started == 12);  // at 0, 300, 600 and 900 ms
    CHECK(books.measured.succeeded == 12);
    CHECK(books.measured.succeeded_in_span == 9);
    CHECK(books.last_end() == bk::time_point(1200ms));
    CHECK(load.group.at(0).now() == bk::time_point(1200ms));  // the drain ends with the last of them
}

TEST_CASE("what ends at the very end of the drain is unfinished, and is not counted again") {
    parts load(bk::virtual_time{}, {.duration = 1s}, 1s);
    load.run([](load_shard& own_load, operation& own) -> bk::awaitable<> {
        co_await own_load.owner().sleep_for(900ms);
        while (own_load.begin(own)) {
            // The last sleep begins after the drain, and both end at 2 s: the drain comes first.
            co_await own_load.owner().sleep_for(600ms);
            co_await own_load.owner().sleep_for(500ms);
            own_load.succeeded(own, own_load.owner().now());
        }
    });
    const bk::detail::recorder& books = load.shards[0]->books;
    CHECK(books.measured.started == 1);
    CHECK(books.measured.unfinished == 1);
    CHECK(books.measured.succeeded == 0);
    CHECK(books.unfinished_age.max() == 1'100'000'000);
}

TEST_CASE("a count ends the run with its last operation, although clients think") {
    parts load(bk::virtual_time{}, {.operations = 5}, 10s, 2);
    load.run([](load_shard& own_load, operation& own) -> bk::awaitable<> {
        while (own_load.begin(own)) {
            co_await own_load.owner().sleep_for(1s);
            own_load.succeeded(own, own_load.owner().now());
            co_await own_load.owner().sleep_for(9s);
        }
    });
    CHECK(load.shards[0]->books.measured.succeeded == 5);
    CHECK(load.group.at(0).now() == bk::time_point(21s));
}

TEST_CASE("a shard whose clients think ends when another one has taken the last operation") {
    parts load(bk::sharded{2}, {.operations = 3}, 10s);  // one for each client, and one for who comes first
    std::atomic<bool> first_thinks = false;
    load.run([&](load_shard& own_load, operation& own) -> bk::awaitable<> {
        bk::shard& owner = own_load.owner();
        while (owner.index() == 1 && !first_thinks) co_await owner.sleep_for(100us);
        while (own_load.begin(own)) {
            own_load.succeeded(own, owner.now());
            first_thinks = true;
            if (owner.index() == 0) co_await owner.sleep_for(1h);
        }
    });
    CHECK(load.shards[0]->books.measured.succeeded == 1);
    CHECK(load.shards[1]->books.measured.succeeded == 2);
    CHECK(load.group.signal() == 0);  // nobody had to interrupt it
}

TEST_CASE("warm-up operations take nothing from the count") {
    parts load(bk::virtual_time{}, {.operations = 2, .warmup = 1s}, 10s);
    load.run([](load_shard& own_load, operation& own) -> bk::awaitable<> {
        while (own_load.begin(own)) {
            co_await own_load.owner().sleep_for(300ms);
            own_load.succeeded(own, own_load.owner().now());
        }
    });
    const bk::detail::recorder& books = load.shards[0]->books;
    CHECK(books.warm_up.succeeded == 4);
    CHECK(books.measured.succeeded == 2);
    CHECK(books.first_start() == bk::time_point(1200ms));
    CHECK(books.last_end() == bk::time_point(1800ms));
}

TEST_CASE("the first error ends the run at once where that is asked for") {
    parts load(bk::virtual_time{}, {.duration = 1h}, 10s, 3, true);
    load.run([&](load_shard& own_load, operation& own) -> bk::awaitable<> {
        while (own_load.begin(own)) {
            co_await own_load.owner().sleep_for(1s);
            const bk::time_point now = own_load.owner().now();
            if (now == bk::time_point(5s)) {
                own_load.failed(own, now, refused);
            } else {
                own_load.succeeded(own, now);
            }
            co_await own_load.owner().sleep_for(1s);
        }
    });
    const bk::detail::recorder& books = load.shards[0]->books;
    CHECK(load.state.ended_early() == early_end::first_error);
    CHECK(load.state.ended_early_at() == bk::time_point(5s));
    CHECK(load.group.at(0).now() == bk::time_point(5s));
    CHECK(books.measured.started == 9);  // at 0, 2 and 4 s
    CHECK(books.measured.succeeded == 6);
    CHECK(books.measured.succeeded + books.measured.failed_in_all() + books.measured.unfinished == 9);
}

TEST_CASE("a status or a check of the user's own is no such error") {
    parts load(bk::virtual_time{}, {.operations = 4}, 10s, 1, true);
    load.run([&](load_shard& own_load, operation& own) -> bk::awaitable<> {
        bool status = false;
        while (own_load.begin(own)) {
            co_await own_load.owner().sleep_for(1s);
            status = !status;
            own_load.failed(own, own_load.owner().now(),
                            {status ? bk::cause::status : bk::cause::assertion, {}, "not as wanted"});
        }
    });
    CHECK(load.shards[0]->books.measured.failed_in_all() == 4);
    CHECK(load.state.ended_early() == early_end::none);
}

TEST_CASE("a run that is ended before it begins starts nothing") {
    parts load(bk::sharded{2}, {.duration = 1h}, 10s, 5);
    load.state.end_early(early_end::interrupt, load.state.start());
    load.run([&](load_shard& own_load, operation& own) -> bk::awaitable<> {
        while (own_load.begin(own)) co_await own_load.owner().sleep_for(1h);
    });
    for (const auto& each : load.shards) {
        CHECK(each->books.measured.started == 0);
        CHECK(each->books.measured.unfinished == 0);
    }
}

TEST_CASE("a part without clients ends at once") {
    parts load(bk::virtual_time{}, {.duration = 1h}, 10s, 0);
    load.run([](load_shard&, operation&) -> bk::awaitable<> { co_return; });
    CHECK(load.group.at(0).now() == bk::time_point(0s));
}
