#include <benchkit/result/judge_open_loop.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::judged_result;

namespace {

constexpr std::int64_t ms = 1'000'000;

bk::result open_loop(std::int64_t response, std::int64_t late, std::int64_t late_count) {
    bk::result measured;
    measured.counters["scheduled"] = 10'000;
    measured.distributions["response_time"].values.record(response, 10'000);
    measured.distributions["timer_lag"].values.record(10'000, 10'000 - late_count);
    measured.distributions["timer_lag"].values.record(late, late_count);
    return measured;
}

std::string code_of(const bk::detail::maybe_diagnostic& found) {
    return found ? found->code : std::string();
}

}  // namespace

TEST_CASE("late-client: the 99th percentile of its lateness is a millisecond and a tenth of the responses'") {
    const auto judged = [](const bk::result& measured) {
        return code_of(bk::detail::judge_late_client(judged_result(measured)));
    };
    CHECK(judged(open_loop(5 * ms, 2 * ms, 200)) == "late-client");
    CHECK(judged(open_loop(5 * ms, 2 * ms, 50)).empty());    // half of a percent
    CHECK(judged(open_loop(50 * ms, 2 * ms, 200)).empty());  // a 25th of what it is part of
    CHECK(judged(open_loop(2 * ms, ms / 2, 200)).empty());   // half a millisecond
    bk::result simulated = open_loop(5 * ms, 2 * ms, 200);
    simulated.parameters["simulated"] = true;
    CHECK(judged(simulated).empty());
    CHECK(judged(bk::result()).empty());
}

TEST_CASE("busy-connections: a hundredth found none free, or was not started") {
    const auto judged = [](std::int64_t waited, std::int64_t never) {
        bk::result measured = open_loop(ms, 0, 0);
        measured.counters["waited_for_connection"] = waited;
        measured.counters["not_started"] = never;
        return bk::detail::judge_busy_connections(judged_result(measured));
    };
    CHECK(code_of(judged(100, 0)) == "busy-connections");
    CHECK(code_of(judged(99, 0)).empty());
    CHECK(code_of(judged(0, 99)).empty());
    CHECK(code_of(judged(1, 99)) == "busy-connections");
    REQUIRE(judged(0, 100).has_value());
    CHECK(judged(0, 100)->message.starts_with("100 operations had not started at the end. "));
    CHECK(judged(2'500, 0)->message.starts_with("2,500 operations (25 %) came due"));
    CHECK_FALSE(bk::detail::judge_busy_connections(judged_result(bk::result())).has_value());
}
