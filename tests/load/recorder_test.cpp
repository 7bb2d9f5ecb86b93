#include <benchkit/load/recorder.hpp>

#include <doctest/doctest.h>

#include <chrono>

namespace bk = benchkit;
using bk::detail::operation;
using bk::detail::recorder;
using namespace std::chrono_literals;

namespace {

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

// Warm-up until 1 s, measuring until 3 s.
recorder two_seconds() {
    return {at(1s), at(3s)};
}

bk::detail::operation_failure failure_of(bk::cause cause, const char* error_name, const char* sentence) {
    return {cause, error_name, sentence};
}

}  // namespace

TEST_CASE("an operation belongs to the phase in which it starts") {
    recorder books = two_seconds();
    operation early, late;
    books.started(early, at(1s - 1ns));
    books.started(late, at(1s));
    CHECK(early.active);
    CHECK(early.warm_up);
    CHECK_FALSE(late.warm_up);
    books.succeeded(early, at(2s));
    books.succeeded(late, at(2500ms));
    CHECK_FALSE(early.active);
    CHECK(books.warm_up.started == 1);
    CHECK(books.warm_up.succeeded == 1);
    CHECK(books.warm_up.succeeded_in_span == 0);
    CHECK(books.measured.started == 1);
    CHECK(books.measured.succeeded == 1);
    CHECK(books.service_time.count() == 1);
    CHECK(books.service_time.max() == 1'500'000'000);
    CHECK(books.first_start() == at(1s));
    CHECK(books.last_end() == at(2500ms));
}

TEST_CASE("the span includes its deadline; what ends later has succeeded outside of it") {
    recorder books = two_seconds();
    operation own;
    for (const bk::time_point end : {at(3s - 1ns), at(3s), at(3s + 1ns)}) {
        books.started(own, at(2s));
        books.succeeded(own, end);
    }
    CHECK(books.measured.succeeded == 3);
    CHECK(books.measured.succeeded_in_span == 2);
    CHECK(books.service_time.count() == 3);
    const bk::time_series series = books.series().finish();
    REQUIRE(series.points.size() == 2);
    CHECK(series.points[0].succeeded == 0);
    CHECK(series.points[1].succeeded == 2);  // that at the deadline too: there is no third interval
}

TEST_CASE("a failure is counted by cause and error, timed apart, and the first one is kept") {
    recorder books = two_seconds();
    operation own;
    books.started(own, at(1s));
    books.failed(own, at(1s + 5ms), failure_of(bk::cause::connect, "connection_refused", "first"));
    books.started(own, at(1s + 6ms));
    books.failed(own, at(1s + 8ms), failure_of(bk::cause::status, "", "second"));
    CHECK_FALSE(own.active);
    CHECK(books.measured.failed[static_cast<std::size_t>(bk::cause::connect)] == 1);
    CHECK(books.measured.failed[static_cast<std::size_t>(bk::cause::status)] == 1);
    CHECK(books.measured.failed_in_all() == 2);
    CHECK(books.measured.errors == std::map<std::string, std::int64_t>{{"connection_refused", 1}});
    CHECK(books.failed_time[static_cast<std::size_t>(bk::cause::connect)].max() == 5'000'000);
    CHECK(books.failed_time[static_cast<std::size_t>(bk::cause::status)].max() == 2'000'000);
    CHECK(books.service_time.count() == 0);
    CHECK(books.first_error == "first");
    CHECK(books.first_error_at == at(1s + 5ms));
    CHECK(books.last_end() == at(1s + 8ms));
    CHECK(books.series().finish().points.at(0).failed == 2);
}

TEST_CASE("failures of the warm-up have books of their own and no times") {
    recorder books = two_seconds();
    operation own;
    books.started(own, at(0s));
    books.failed(own, at(2s), failure_of(bk::cause::timeout, "", "slow"));
    CHECK(books.warm_up.failed_in_all() == 1);
    CHECK(books.measured.failed_in_all() == 0);
    CHECK(books.failed_time[static_cast<std::size_t>(bk::cause::timeout)].count() == 0);
    CHECK(books.first_start() == bk::time_point::max());
    CHECK(books.last_end() == bk::time_point::min());
    CHECK(books.series().finish().points.empty());
}

TEST_CASE("what is unfinished is counted with its age") {
    recorder books = two_seconds();
    operation early, late;
    books.started(early, at(0s));
    books.started(late, at(2s));
    books.unfinished(early, at(4s));
    books.unfinished(late, at(4s));
    CHECK_FALSE(late.active);
    CHECK(books.warm_up.unfinished == 1);
    CHECK(books.measured.unfinished == 1);
    CHECK(books.unfinished_age.count() == 1);
    CHECK(books.unfinished_age.min() == 2'000'000'000);
}

TEST_CASE("what was answered counts in the shard's rate; what was not, and the warm-up, do not") {
    recorder books = two_seconds();
    operation own;
    const auto end_all_at = [&](bk::time_point start) {
        books.started(own, start);
        books.succeeded(own, start + 1ms);
        for (const bk::cause each : {bk::cause::status, bk::cause::assertion, bk::cause::timeout}) {
            books.started(own, start);
            books.failed(own, start + 1ms, failure_of(each, "", "x"));
        }
    };
    for (const auto start : {0ms, 1000ms, 1100ms}) end_all_at(at(start));
    CHECK(books.rates().count() == 1);
    CHECK(books.rates().max() == 30);
}

TEST_CASE("other threads see the measured counts") {
    recorder books = two_seconds();
    operation own;
    books.started(own, at(0s));
    books.succeeded(own, at(1ms));
    CHECK(books.published.started == 0);
    for (int count = 0; count < 3; ++count) {
        books.started(own, at(1s));
        books.succeeded(own, at(2s));
    }
    books.started(own, at(1s));
    books.failed(own, at(2s), failure_of(bk::cause::closed, "", "x"));
    CHECK(books.published.started == 4);
    CHECK(books.published.succeeded == 3);
    CHECK(books.published.failed == 1);
}

TEST_CASE("an error beside an operation's own end is counted in its phase; no name, no count") {
    recorder books = two_seconds();
    operation early, late;
    books.started(early, at(0s));
    books.started(late, at(1s));
    books.count_error(early, "unsolicited_bytes");
    books.count_error(late, "unsolicited_bytes");
    books.count_error(late, "");
    CHECK(books.warm_up.errors.at("unsolicited_bytes") == 1);
    CHECK(books.measured.errors.at("unsolicited_bytes") == 1);
    CHECK(books.measured.errors.size() == 1);
}

TEST_CASE("without a deadline everything lies in the span") {
    recorder books(at(0s), bk::time_point::max());
    operation own;
    books.started(own, at(0s));
    books.succeeded(own, at(24h * 365 * 100));
    CHECK(books.measured.succeeded_in_span == 1);
}

TEST_CASE("an open loop counts and times from the intended start") {
    recorder books(bk::time_point(10s), bk::time_point(20s), true);
    operation early;
    books.started(early, bk::time_point(9s), bk::time_point(11s));  // it was to start in the warm-up
    books.succeeded(early, bk::time_point(12s));
    CHECK(books.warm_up.succeeded == 1);
    CHECK(books.response_time.count() == 0);
    CHECK(books.lag.count() == 0);

    operation awaited;
    books.started(awaited, bk::time_point(10s), bk::time_point(10s + 1ms));
    books.succeeded(awaited, bk::time_point(10s + 3ms));
    CHECK(books.service_time.max() == 2'000'000);
    CHECK(books.response_time.max() == 3'000'000);
    CHECK(books.timer_lag.max() == 1'000'000);
    CHECK(books.waited_for_connection == 0);
    // Its client was busy when this came due.
    books.started(awaited, bk::time_point(10s + 2ms), bk::time_point(10s + 3ms));
    books.failed(awaited, bk::time_point(10s + 5ms), {bk::cause::timeout, {}, "timeout"});
    CHECK(books.waited_for_connection == 1);
    CHECK(books.timer_lag.count() == 1);
    CHECK(books.lag.count() == 2);
    CHECK(books.response_time.count() == 2);
    CHECK(books.failed_time[static_cast<std::size_t>(bk::cause::timeout)].count() == 0);
    books.started(awaited, bk::time_point(11s), bk::time_point(11s));
    books.failed(awaited, bk::time_point(12s), {bk::cause::closed, {}, "closed"});
    CHECK(books.response_time.count() == 2);
    books.started(awaited, bk::time_point(12s), bk::time_point(12s));
    books.unfinished(awaited, bk::time_point(20s));
    books.not_started(bk::time_point(19s), bk::time_point(20s));
    books.not_started(bk::time_point(9s), bk::time_point(20s));
    CHECK(books.measured.not_started == 1);
    CHECK(books.warm_up.not_started == 1);
    CHECK(books.response_time.count() == 4);
    CHECK(books.response_time.count_between(7'990'000'000, INT64_MAX) == 1);
}
