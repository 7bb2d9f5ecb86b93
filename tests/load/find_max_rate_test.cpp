#include <benchkit/load/find_max_rate.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <benchkit/http/server.hpp>
#include <benchkit/result/check.hpp>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

const auto one_millisecond = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1ms); };

bk::rate_search search_for(const char* slo) {
    return {.slo = {bk::parse_slo("slo", slo)}};
}

// A run of so many operations whose response times are all the same.
bk::result made_run(bk::rate rate, std::int64_t response_ns) {
    bk::result run;
    run.kind = "load";
    run.rate = rate.per_second;
    run.counters["scheduled"] = run.counters["started"] = run.counters["succeeded"] = 10'000;
    run.distributions["response_time"].values.record(response_ns, 10'000);
    return run;
}

template <class Measure>
bk::result search(const bk::rate_search& wanted, const Measure& measure) {
    return bk::detail::max_rate_search(wanted, measure).run({});
}

double number(const bk::result& found, const char* name) {
    return bk::find_number(found.attributes, name).value_or(-1);
}

}  // namespace

TEST_CASE("in virtual time, ten connections of 1 ms hold 10,000 operations a second, and not more") {
    bk::rate_search wanted = search_for("p99<20ms");
    wanted.precision = 0.01;
    const bk::result found = bk::find_max_rate(bk::virtual_time{}, one_millisecond, wanted);
    CHECK(found.kind == "sweep");
    CHECK(found.rate.value_or(0) <= 10'000);
    CHECK(found.rate.value_or(0) >= 9'900);
    CHECK(number(found, "broken_rate") > 10'000);
    CHECK(number(found, "broken_rate") <= 10'100);
    // Each rate that held did so three times.
    std::multiset<double> held;
    for (const bk::result& run : found.children) {
        if (bk::find_text(run.attributes, "verdict") == "held") {
            held.insert(*bk::find_number(run.parameters, "offered_rate"));
        }
    }
    for (const double rate : held) CHECK(held.count(rate) == 3);
    bk::check(found);
}

TEST_CASE("the search doubles, then halves the gap, to the precision") {
    std::vector<double> rates;
    const auto measure = [&](bk::rate rate, bk::duration, int) {
        rates.push_back(rate.per_second);
        return made_run(rate, rate.per_second > 700 ? 20'000'000 : 1'000'000);
    };
    bk::rate_search wanted = search_for("p99<10ms");
    wanted.start = 100;
    wanted.confirmations = 1;
    wanted.precision = 0.1;
    const bk::result found = search(wanted, measure);
    // 700 lies within; 800 - 600, 700 holds: 700 - 800, 750 does not: 700 - 750 is within a tenth.
    CHECK(rates == std::vector<double>{100, 200, 400, 800, 600, 700, 750});
    CHECK(found.rate == 700);
    CHECK(number(found, "broken_rate") == 750);
    CHECK(bk::find_text(found.children[3].attributes, "reason") == "p99<10ms: p99 is 20.0 ms");
}

TEST_CASE("one broken run of several is forgiven, two are not") {
    for (const int broken_runs : {1, 2}) {
        int at_200 = 0;
        const auto measure = [&](bk::rate rate, bk::duration, int) {
            const bool bad = rate.per_second > 300 || (rate.per_second == 200 && at_200++ < broken_runs);
            return made_run(rate, bad ? 20'000'000 : 1'000'000);
        };
        bk::rate_search wanted = search_for("p99<10ms");
        wanted.start = 200;
        wanted.precision = 1;
        const bk::result found = search(wanted, measure);
        CHECK(found.rate == (broken_runs == 1 ? 200 : 100));
    }
}

TEST_CASE(
    "objectives that the lowest rate misses are said to be missed, and a schedule that is not kept breaks") {
    bk::rate_search wanted = search_for("p99<10ms");
    wanted.start = 160;
    const bk::result missed =
        search(wanted, [](bk::rate rate, bk::duration, int) { return made_run(rate, 20'000'000); });
    CHECK_FALSE(missed.rate.has_value());
    REQUIRE(missed.diagnostics.size() == 1);
    CHECK(missed.diagnostics[0].code == "slo-missed");
    CHECK(missed.diagnostics[0].message.find("even at " + bk::format_rate(10)) != std::string::npos);
    const bk::result late = search(wanted, [](bk::rate rate, bk::duration, int) {
        bk::result run = made_run(rate, 1'000'000);
        if (rate.per_second > 320) {
            run.counters["started"] = run.counters["succeeded"] = 9'899;
            run.counters["not_started"] = 101;
        }
        return run;
    });
    CHECK(late.rate.value_or(0) <= 320);
    CHECK(late.rate.value_or(0) >= 320 / 1.02);
}

TEST_CASE("a point is long enough for its percentile, and starts where it is") {
    std::vector<std::pair<double, double>> points;
    const auto measure = [&](bk::rate rate, bk::duration length, int) {
        points.emplace_back(rate.per_second, length.seconds());
        return made_run(rate, rate.per_second > 150 ? 20'000'000 : 1'000'000);
    };
    bk::rate_search wanted = search_for("p99.9<10ms");
    (void)search(wanted, measure);
    CHECK(points.front().first == 2'000);  // 10,000 operations in 5 s
    for (const auto& [rate, seconds] : points) {
        CHECK(rate * seconds >= 10'000);
        CHECK(seconds >= 5);
    }
}

TEST_CASE("a client that was itself too slow makes the answer a lower bound") {
    const auto measure = [](bk::rate rate, bk::duration, int) {
        bk::result run = made_run(rate, rate.per_second > 300 ? 20'000'000 : 1'000'000);
        if (rate.per_second > 300) run.diagnostics.push_back({"late-client", bk::severity::warning, "late"});
        return run;
    };
    const bk::result found = search(search_for("p99<10ms"), measure);
    REQUIRE(found.diagnostics.size() == 1);
    CHECK(found.diagnostics[0].code == "lower-bound");
}

TEST_CASE("a run that is interrupted ends the search with what was found") {
    const auto measure = [](bk::rate rate, bk::duration, int run) {
        bk::result one = made_run(rate, 1'000'000);
        one.interrupted = run == 7;
        return one;
    };
    bk::rate_search wanted = search_for("p99<10ms");
    wanted.start = 100;
    const bk::result found = search(wanted, measure);
    CHECK(found.interrupted);
    CHECK(found.children.size() == 8);
    CHECK(found.rate == 200);
}

TEST_CASE("a real server of 1 ms holds nearly what ten connections get in a closed loop") {
    http::server server;
    http::faults faults;
    faults.delay(http::delay::fixed(1ms));
    server.route("/", "hello").faults(faults);
    server.start();
    const http::target target{server.url()};
    bk::rate_search wanted = search_for("p99<20ms");
    wanted.point = 500ms;
    wanted.confirmations = 1;
    wanted.start = 1'000;
    double ratio = 0;
    // On a busy machine both may be held up; that the two agree once is enough.
    for (int attempt = 0; attempt < 4 && std::abs(ratio - 1) > 0.05; ++attempt) {
        const bk::result closed = bk::load(bk::single_threaded{}, target, {.clients = 10}, {.duration = 1s});
        const bk::result found = bk::find_max_rate(bk::single_threaded{}, target, wanted);
        ratio = found.rate.value_or(0) / closed.rate.value_or(1);
    }
    CHECK(ratio == doctest::Approx(1).epsilon(0.05));
}

TEST_CASE("what cannot be searched for is refused") {
    const auto refusal = [](const bk::rate_search& wanted) {
        return tests::refusal([&] { (void)bk::find_max_rate(bk::virtual_time{}, one_millisecond, wanted); });
    };
    CHECK(refusal({}) == "slo: one or more are needed, such as p99<10ms");
    bk::rate_search wanted = search_for("p99<10ms");
    wanted.point = 0s;
    CHECK(refusal(wanted).starts_with("point = 0"));
    wanted = search_for("p99<10ms");
    wanted.precision = 0;
    CHECK(refusal(wanted).starts_with("precision = 0"));
    wanted = search_for("p99<10ms");
    wanted.confirmations = 0;
    CHECK(refusal(wanted).starts_with("confirmations = 0"));
    wanted = search_for("p99<10ms");
    wanted.connections = 0;
    CHECK(refusal(wanted).starts_with("connections = 0"));
    wanted = search_for("p99<10ms");
    wanted.start = -1;
    CHECK(refusal(wanted).starts_with("arrivals = "));
}
