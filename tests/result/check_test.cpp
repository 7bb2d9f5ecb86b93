#include <benchkit/result/check.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

namespace {

std::string imbalance_with(const std::string& counter, std::int64_t value) {
    bk::result changed = made::troubled_load();
    changed.counters[counter] = value;
    return bk::find_imbalance(changed);
}

}  // namespace

TEST_CASE("books that balance pass") {
    CHECK(bk::find_imbalance(made::http_load()).empty());
    CHECK(bk::find_imbalance(made::troubled_load()).empty());
    bk::check(made::troubled_load());
}

TEST_CASE("a result without operations has no books") {
    bk::result work;
    work.kind = "work.time";
    work.counters = {{"loops", 5}};
    CHECK(bk::find_imbalance(work).empty());
    CHECK(bk::find_imbalance(bk::result{}).empty());
}

TEST_CASE("each equation is named with its figures") {
    CHECK(imbalance_with("scheduled", 235) == "scheduled is 235, but started + not_started is 214 + 20");
    CHECK(imbalance_with("unfinished", 2) ==
          "started is 214, but succeeded + failed + unfinished is 180 + 33 + 2");
    CHECK(imbalance_with("failed.timeout", 2) == "failed is 33, but the causes add up to 34");
    CHECK(imbalance_with("succeeded_in_span", 181) == "succeeded_in_span is 181, but only 180 succeeded");
    CHECK(imbalance_with("succeeded_in_span", 170) ==
          "rate is 720 per second over 0.25 s, but succeeded_in_span is 170");
}

TEST_CASE("a counter below zero or of an unknown cause is refused") {
    CHECK(imbalance_with("bytes_sent", -1) == "bytes_sent is -1, which is below zero");
    CHECK(imbalance_with("failed.bored", 0) == "failed.bored is no cause of a failure");
    CHECK(imbalance_with("warmup.failed.bored", 0) == "warmup.failed.bored is no cause of a failure");
}

TEST_CASE("the distributions hold what the counters count") {
    bk::result changed = made::troubled_load();
    changed.distributions["service_time"].values.record(1);
    CHECK(bk::find_imbalance(changed) == "service_time holds 181 values, but succeeded is 180");
    changed = made::troubled_load();
    changed.distributions.erase("failed_time.closed");
    CHECK(bk::find_imbalance(changed) == "failed_time.closed holds 0 values, but failed.closed is 1");
    changed = made::troubled_load();
    changed.distributions["processing_time"].values.record(1);
    CHECK(bk::find_imbalance(changed) ==
          "processing_time holds 202 values, but succeeded + failed.status + failed.assertion is 201");
}

TEST_CASE("in an open loop, the response times are those of all that was scheduled and not failed otherwise") {
    bk::result open = made::troubled_load();
    // 180 succeeded, 1 timed out, 1 unfinished, 20 not started.
    open.distributions["response_time"] = made::times_in_ms({{5, 202}});
    open.distributions.erase("failed_time.timeout");
    CHECK(bk::find_imbalance(open).empty());
    open.distributions["response_time"].values.record(1);
    CHECK(bk::find_imbalance(open) ==
          "response_time holds 203 values, but succeeded + failed.timeout + unfinished + not_started is 202");
}

TEST_CASE("warm-up has books of its own, where it was counted") {
    bk::result warm = made::http_load();
    warm.counters["warmup.scheduled"] = 5;
    warm.counters["warmup.started"] = 5;
    warm.counters["warmup.succeeded"] = 4;
    CHECK(bk::find_imbalance(warm) == "warmup.started is 5, but succeeded + failed + unfinished is 4 + 0 + 0");
    warm.counters["warmup.failed"] = 1;
    CHECK(bk::find_imbalance(warm) == "warmup.failed is 1, but the causes add up to 0");
    warm.counters["warmup.failed.stale"] = 1;
    CHECK(bk::find_imbalance(warm).empty());
}

TEST_CASE("the series counts no more than the counters") {
    bk::result changed = made::http_load();
    changed.series->points.push_back({1.0, 1, 0, std::nullopt, std::nullopt});
    CHECK(bk::find_imbalance(changed) == "the series adds up to 201 succeeded, but succeeded is 200");
    changed.series->points = {{0.0, 200, 1, std::nullopt, std::nullopt}};
    CHECK(bk::find_imbalance(changed) == "the series adds up to 1 failed, but failed is 0");
}

TEST_CASE("children are held to the books too") {
    bk::result parent;
    parent.children = {made::http_load(), made::http_load()};
    CHECK(bk::find_imbalance(parent).empty());
    parent.children[1].counters["failed"] = 1;
    CHECK(bk::find_imbalance(parent) ==
          "in hello, started is 200, but succeeded + failed + unfinished is 200 + 1 + 0");
}

TEST_CASE("sums that do not fit are no undefined behaviour") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK_FALSE(imbalance_with("started", most).empty());
    CHECK_FALSE(imbalance_with("failed", most).empty());
    CHECK_FALSE(imbalance_with("failed.status", most).empty());
}

#if defined(__cpp_exceptions)
TEST_CASE("a result that does not balance fails by its name") {
    bk::result wrong = made::http_load();
    wrong.counters["scheduled"] = 7;
    CHECK_THROWS_WITH_AS(
        bk::check(wrong),
        "The books of \"hello\" do not balance: scheduled is 7, but started + not_started is 200 + 0.",
        bk::error);
}
#endif
