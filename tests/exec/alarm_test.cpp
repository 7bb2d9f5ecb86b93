#include <benchkit/exec/alarm.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <vector>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

// A loop with an alarm: when it rang, those times left out that were in vain.
struct watched_alarm {
    asio::io_context loop{1};
    bk::time_point due = bk::time_point::max();
    std::vector<bk::time_point> rung;
    std::unique_ptr<bk::detail::alarm> tested = std::make_unique<bk::detail::alarm>(loop, [this] {
        const bk::time_point now = bk::clock::now();
        if (now < due) return;
        due = bk::time_point::max();
        rung.push_back(now);
        if (rung.size() == wanted) loop.stop();
    });
    std::size_t wanted = 1;

    void set(bk::time_point when) {
        due = when;
        tested->set(when);
    }
    void run() {
        const auto work = asio::make_work_guard(loop);
        loop.restart();
        loop.run();
    }
};

}  // namespace

TEST_CASE("an alarm rings when its time has come, not before") {
    watched_alarm watched;
    const bk::time_point when = bk::clock::now() + 20ms;
    watched.set(when);
    watched.run();
    REQUIRE(watched.rung.size() == 1);
    CHECK(watched.rung[0] >= when);
}

TEST_CASE("an alarm that has rung can be set again, also to the same time, and to one that has passed") {
    watched_alarm watched;
    const bk::time_point when = bk::clock::now() + 5ms;
    watched.set(when);
    watched.run();
    watched.wanted = 2;
    watched.set(when);
    watched.run();
    watched.wanted = 3;
    watched.set(bk::time_point(1s));  // long ago
    watched.run();
    CHECK(watched.rung.size() == 3);
}

TEST_CASE("the last time that was set counts") {
    watched_alarm watched;
    watched.set(bk::clock::now() + 1h);
    const bk::time_point sooner = bk::clock::now() + 5ms;
    watched.set(sooner);
    watched.run();
    CHECK(watched.rung.at(0) >= sooner);
    watched.wanted = 2;
    watched.set(bk::clock::now() + 1ms);
    const bk::time_point later = bk::clock::now() + 30ms;
    watched.set(later);
    watched.run();
    CHECK(watched.rung.at(1) >= later);
}

TEST_CASE("an alarm may go before its loop, set or rung") {
    watched_alarm set;
    set.set(bk::clock::now() + 1h);
    set.loop.poll();
    set.tested.reset();
    set.loop.poll();
    watched_alarm never_run;
    never_run.tested.reset();
}
