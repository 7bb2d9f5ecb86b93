#include <benchkit/exec/deadline_queue.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

struct noted : bk::deadline {
    noted(std::vector<int>& expired_ids, int own_id) : expired(expired_ids), id(own_id) {}
    void expire() override {
        CHECK_FALSE(armed());
        expired.push_back(id);
        if (on_expire) on_expire();
    }
    std::vector<int>& expired;
    int id;
    std::function<void()> on_expire;
};

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

struct counted_queue {
    int sweepers = 0;
    bk::deadline_queue queue{10ms, [this](bk::deadline_queue&) { ++sweepers; }};
};

}  // namespace

TEST_CASE("what is due expires once, in order; the sweep says when to come again") {
    std::vector<int> expired;
    noted first(expired, 1), second(expired, 2), third(expired, 3);
    counted_queue counted;
    bk::deadline_queue& queue = counted.queue;
    queue.arm(first, at(0ms));
    queue.arm(second, at(1ms));
    queue.arm(third, at(1ms));
    CHECK(first.due() == at(10ms));
    CHECK(queue.sweep(at(10ms - 1ns)) == at(10ms));
    CHECK(expired.empty());
    CHECK(queue.sweep(at(10ms)) == at(11ms));
    CHECK(expired == std::vector{1});
    CHECK(queue.sweep(at(1h)) == std::nullopt);
    CHECK(expired == std::vector{1, 2, 3});
    CHECK(queue.sweep(at(2h)) == std::nullopt);
    CHECK(expired.size() == 3);
}

TEST_CASE("a deadline that was met does not expire, nor does its next use early") {
    std::vector<int> expired;
    noted first(expired, 1), second(expired, 2);
    counted_queue counted;
    counted.queue.arm(first, at(0ms));
    counted.queue.arm(second, at(0ms));
    first.disarm();
    first.disarm();
    CHECK_FALSE(first.armed());
    counted.queue.arm(first, at(5ms));
    CHECK(counted.queue.sweep(at(10ms)) == at(15ms));
    CHECK(expired == std::vector{2});
    // Armed again without having been disarmed: only the later time counts.
    counted.queue.arm(first, at(7ms));
    CHECK(counted.queue.sweep(at(16ms)) == at(17ms));
    CHECK(expired == std::vector{2});
}

TEST_CASE("a sweeper is started with the first deadline, and again after it has ended") {
    std::vector<int> expired;
    noted first(expired, 1), second(expired, 2);
    counted_queue counted;
    CHECK(counted.sweepers == 0);
    counted.queue.arm(first, at(0ms));
    counted.queue.arm(second, at(0ms));
    CHECK(counted.sweepers == 1);
    first.disarm();
    second.disarm();
    counted.queue.arm(first, at(1ms));  // the sweeper has not been told to end
    CHECK(counted.sweepers == 1);
    CHECK(counted.queue.sweep(at(20ms)) == std::nullopt);
    counted.queue.arm(first, at(20ms));
    CHECK(counted.sweepers == 2);
}

TEST_CASE("expiring may arm and disarm others") {
    std::vector<int> expired;
    noted first(expired, 1), second(expired, 2), third(expired, 3);
    counted_queue counted;
    first.on_expire = [&] {
        second.disarm();
        counted.queue.arm(first, at(10ms));
    };
    counted.queue.arm(first, at(0ms));
    counted.queue.arm(second, at(0ms));
    counted.queue.arm(third, at(0ms));
    CHECK(counted.queue.sweep(at(10ms)) == at(20ms));
    CHECK(expired == std::vector{1, 3});
    CHECK(counted.sweepers == 1);
}

TEST_CASE("a deadline that goes away is forgotten") {
    std::vector<int> expired;
    counted_queue counted;
    {
        noted gone(expired, 1);
        counted.queue.arm(gone, at(0ms));
    }
    CHECK(counted.queue.sweep(at(1h)) == std::nullopt);
    CHECK(expired.empty());
}

TEST_CASE("a timeout beyond the clock's range never passes") {
    std::vector<int> expired;
    noted never(expired, 1);
    bk::deadline_queue queue(std::chrono::nanoseconds::max(), [](bk::deadline_queue&) {});
    queue.arm(never, at(5s));
    CHECK(never.due() == bk::time_point::max());
    CHECK(queue.sweep(at(24h * 365 * 200)) == bk::time_point::max());
    CHECK(expired.empty());
}
