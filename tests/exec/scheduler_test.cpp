#include <benchkit/exec/scheduler.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <exception>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <asio/bind_cancellation_slot.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

// A scheduler without a shard: what it tells its loop is written down, and the test is the clock.
struct bench {
    asio::io_context context{1};
    bk::detail::scheduler scheduler;
    bk::detail::wait_list line;
    int told_ready = 0;
    std::vector<bk::time_point> told_sooner;
    std::string order;

    bench() {
        scheduler.on_ready = [this] { ++told_ready; };
        scheduler.on_sooner = [this](bk::time_point due) { told_sooner.push_back(due); };
    }
    ~bench() { scheduler.drop_all(); }

    bk::awaitable<> sleep(bk::time_point until) {
        return bk::detail::suspend(
            [this, until](bk::detail::waiter& sleeper) { scheduler.sleep(sleeper, until); });
    }
    bk::awaitable<> stand_in_line() {
        return bk::detail::suspend(
            [this](bk::detail::waiter& waiting) { static_cast<void>(scheduler.enqueue(waiting, line)); });
    }

    // Spawns a coroutine and runs it to its first wait.
    template <class Coroutine>
    void start(Coroutine coroutine) {
        asio::co_spawn(context, std::move(coroutine), [](std::exception_ptr problem) {
            if (problem) std::rethrow_exception(problem);
        });
        context.restart();
        context.poll();
    }
    void start_sleeper(char name, bk::time_point until) {
        start([this, name, until]() -> bk::awaitable<> {
            co_await sleep(until);
            order += name;
        });
    }
    void start_in_line(char name) {
        start([this, name]() -> bk::awaitable<> {
            co_await stand_in_line();
            order += name;
        });
    }
};

}  // namespace

TEST_CASE("due sleepers run by time and by arrival; who is not due sleeps on") {
    bench own;
    own.start_sleeper('a', at(3ms));
    own.start_sleeper('b', at(1ms));
    own.start_sleeper('c', at(3ms));
    own.start_sleeper('d', at(4ms));
    CHECK(own.told_sooner == std::vector{at(3ms), at(1ms)});  // told of a new first one only
    CHECK(own.scheduler.next_due() == at(1ms));
    own.scheduler.run_due(at(1ms - 1ns));
    CHECK(own.order.empty());
    own.scheduler.run_due(at(3ms));
    CHECK(own.order == "bac");
    CHECK(own.scheduler.next_due() == at(4ms));
    own.scheduler.run_due(at(4ms));
    CHECK_FALSE(own.scheduler.has_timers());
    CHECK(own.order == "bacd");
}

TEST_CASE("a woken coroutine runs in drain, never inside wake; the loop is told once") {
    bench own;
    own.start_in_line('a');
    own.start_in_line('b');
    own.scheduler.wake(own.line.pop_front());
    own.scheduler.wake(own.line.pop_front());
    CHECK(own.order.empty());
    CHECK(own.told_ready == 1);
    CHECK(own.scheduler.has_ready());
    own.scheduler.drain();
    CHECK(own.order == "ab");
    CHECK_FALSE(own.scheduler.has_ready());
}

TEST_CASE("who is woken meanwhile runs in the same drain, behind all others") {
    bench own;
    own.start([&]() -> bk::awaitable<> {
        co_await own.stand_in_line();
        own.order += 'a';
        own.scheduler.wake(own.line.pop_front());  // c, behind b
        own.order += 'A';
    });
    own.start_in_line('b');
    own.start_in_line('c');
    own.scheduler.wake(own.line.pop_front());
    own.scheduler.wake(own.line.pop_front());
    own.scheduler.drain();
    CHECK(own.order == "aAbc");
    CHECK(own.told_ready == 1);
}

TEST_CASE("of a line and a timer, the first that comes wakes, and the other is forgotten") {
    for (const bool by_timer : {false, true}) {
        bench own;
        own.start([&]() -> bk::awaitable<> {
            co_await bk::detail::suspend([&own](bk::detail::waiter& waiting) {
                if (own.scheduler.enqueue(waiting, own.line)) own.scheduler.set_timer(waiting, at(5ms));
            });
            own.order += 'a';
        });
        if (by_timer) {
            own.scheduler.run_due(at(5ms));
        } else {
            own.scheduler.wake(own.line.pop_front());
            own.scheduler.drain();
        }
        CHECK(own.order == "a");
        CHECK(own.line.empty());
        CHECK_FALSE(own.scheduler.has_timers());
    }
}

TEST_CASE("a cancellation wakes with operation_aborted, out of a line and out of a sleep") {
    for (const bool sleeping : {false, true}) {
        bench own;
        asio::cancellation_signal signal;
        const auto waiting = [&]() -> bk::awaitable<> {
            try {
                if (sleeping) co_await own.sleep(at(1h));
                co_await own.stand_in_line();
            } catch (const std::system_error& problem) {
                if (problem.code() == asio::error::operation_aborted) own.order += 'x';
            }
        };
        asio::co_spawn(own.context, waiting,
                       asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {}));
        own.context.poll();
        signal.emit(asio::cancellation_type::terminal);
        CHECK(own.order.empty());
        signal.emit(asio::cancellation_type::terminal);  // it is on its way already
        own.scheduler.drain();
        CHECK(own.order == "x");
        CHECK(own.line.empty());
        CHECK_FALSE(own.scheduler.has_timers());
    }
}

TEST_CASE("a cancellation that comes after the end of the wait finds nothing to wake") {
    bench own;
    asio::cancellation_signal signal;
    const auto waiting = [&]() -> bk::awaitable<> {
        co_await own.sleep(at(1ms));
        own.order += 'a';
        co_await asio::post(own.context, bk::use_awaitable);
        own.order += 'b';
    };
    asio::co_spawn(own.context, waiting,
                   asio::bind_cancellation_slot(signal.slot(), [](std::exception_ptr) {}));
    own.context.poll();
    own.scheduler.run_due(at(1ms));
    CHECK(own.order == "a");
    signal.emit(asio::cancellation_type::terminal);
    CHECK_FALSE(own.scheduler.has_ready());
}

TEST_CASE("drop_all gives all up, and whoever would wait afterwards") {
    bench own;
    const auto held = std::make_shared<int>(1);
    const auto hold = [&own, held](bool in_line) -> bk::awaitable<> {
        const std::shared_ptr<int> mine = held;
        if (in_line) co_await own.stand_in_line();
        co_await own.sleep(at(1h));
        own.order += '!';
    };
    own.start([&] { return hold(true); });
    own.start([&] { return hold(false); });
    own.scheduler.drop_all();
    CHECK(own.line.empty());
    CHECK_FALSE(own.scheduler.has_timers());
    own.start([&] { return hold(false); });
    own.start([&] { return hold(true); });
    own.context.restart();
    own.context.poll();
    CHECK(held.use_count() == 2);  // ours and that of `hold`
    CHECK(own.order.empty());
}

TEST_CASE("the trace hash tells the times of events and their order") {
    const auto trace = [](std::chrono::nanoseconds first, std::chrono::nanoseconds second) {
        bench own;
        own.start_sleeper('a', at(first));
        own.start_sleeper('b', at(second));
        own.scheduler.run_due(at(1h));
        return own.scheduler.trace_hash();
    };
    CHECK(bench().scheduler.trace_hash() == 0);
    CHECK(trace(1ms, 2ms) == trace(1ms, 2ms));
    CHECK(trace(1ms, 2ms) != trace(2ms, 1ms));
    CHECK(trace(1ms, 2ms) != trace(1ms, 3ms));
}
