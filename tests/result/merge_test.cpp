#include <benchkit/result/merge.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <benchkit/result/check.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

TEST_CASE("two shards merge into what one would have counted") {
    const bk::result whole = bk::merged(std::vector<bk::result>{made::http_load(), made::troubled_load()});
    CHECK(whole.name == "hello");
    CHECK(whole.kind == "load");
    CHECK(whole.counter("scheduled") == 434);
    CHECK(whole.counter("succeeded") == 380);
    CHECK(whole.counter("failed.timeout") == 1);
    CHECK(whole.rate == 380 / 0.25);
    CHECK(whole.interrupted);
    CHECK(bk::find_imbalance(whole).empty());
    CHECK(whole.distributions.at("service_time").values ==
          made::times_in_ms({{5, 200}, {9, 120}, {14, 50}, {29, 10}}).values);
}

TEST_CASE("each parameter, fact and attribute is of the first that has it") {
    bk::result first;
    first.parameters = {{"clients", std::int64_t{3}}};
    bk::result second = made::http_load();
    second.attributes["ended_by"] = std::string("duration");
    bk::merge(first, second);
    CHECK(std::get<std::int64_t>(first.parameters.at("clients")) == 3);
    CHECK(std::get<std::string>(first.parameters.at("path")) == "/hello");
    CHECK(std::get<std::string>(first.attributes.at("ended_by")) == "duration");
    bk::merge(first, made::troubled_load());
    CHECK(std::get<std::string>(first.attributes.at("ended_by")) == "duration");
}

TEST_CASE("the run began with its first part and lasted as long as its longest") {
    bk::result early = made::http_load();
    bk::result late = made::http_load();
    late.started_at += 5;
    late.elapsed_seconds = 0.5;
    bk::merge(late, early);
    CHECK(late.started_at == early.started_at);
    CHECK(late.elapsed_seconds == 0.5);
    bk::merge(late, bk::result{});  // which does not know when it began
    CHECK(late.started_at == early.started_at);
    CHECK(late.rate == 800);  // 400 in the longer of both spans
}

TEST_CASE("rates add where the operations of the span are not counted") {
    bk::result left;
    left.rate = 10;
    bk::result right;
    right.rate = 2.5;
    bk::merge(left, right);
    CHECK(left.rate == 12.5);
    bk::merge(left, bk::result{});
    CHECK(left.rate == 12.5);
}

TEST_CASE("resources add, of peak memory and wall time the larger counts") {
    bk::result left;
    left.resources = bk::run_resources{1, 2, 100, 3, 4, 10};
    bk::result right;
    right.resources = bk::run_resources{0.5, 0.25, 200, 30, 40, 9};
    bk::merge(left, right);
    bk::merge(left, bk::result{});
    CHECK(left.resources->user_seconds == 1.5);
    CHECK(left.resources->system_seconds == 2.25);
    CHECK(left.resources->max_rss_bytes == 200);
    CHECK(left.resources->voluntary_switches == 33);
    CHECK(left.resources->involuntary_switches == 44);
    CHECK(left.resources->wall_seconds == 10);
}

TEST_CASE("series add by interval; percentiles remain where one part alone has values") {
    bk::result left;
    left.series = bk::time_series{1, {{0, 10, 1, 7, 9}, {2, 0, 1, std::nullopt, std::nullopt}}};
    bk::result right;
    right.series = bk::time_series{1, {{0, 5, 0, 8, 9}, {1, 4, 0, 6, 6}, {2, 3, 0, 5, std::nullopt}}};
    bk::merge(left, right);
    REQUIRE(left.series->points.size() == 3);
    const auto& points = left.series->points;
    CHECK(points[0].succeeded == 15);
    CHECK(points[0].failed == 1);
    CHECK_FALSE(points[0].p50.has_value());
    CHECK_FALSE(points[0].p99.has_value());
    CHECK(points[1].t == 1);
    CHECK(points[1].p50 == 6);
    CHECK(points[2].succeeded == 3);
    CHECK(points[2].failed == 1);
    CHECK(points[2].p50 == 5);
}

TEST_CASE("what is kept one by one is appended, diagnostics are for the whole to judge") {
    bk::result left = made::http_load();
    left.samples["s"].values = {1, 2};
    left.records = {{{"a", true}}};
    left.diagnostics = {{"skewed", bk::severity::note, ""}};
    left.children.resize(1);
    bk::result right = left;
    right.samples["t"].values = {3};
    bk::merge(left, right);
    CHECK(left.samples.at("s").values == std::vector<double>{1, 2, 1, 2});
    CHECK(left.samples.at("t").values == std::vector<double>{3});
    CHECK(left.records.size() == 2);
    CHECK(left.children.size() == 2);
    CHECK(left.diagnostics.empty());
}

TEST_CASE("counts that do not fit saturate") {
    bk::result left;
    left.counters["bytes_sent"] = std::numeric_limits<std::int64_t>::max();
    bk::result right;
    right.counters["bytes_sent"] = 1;
    bk::merge(left, right);
    CHECK(left.counter("bytes_sent") == std::numeric_limits<std::int64_t>::max());
}

#if defined(__cpp_exceptions)
TEST_CASE("what is in different units or intervals does not merge") {
    bk::result left;
    left.distributions["lag"].unit = "ns";
    left.samples["s"].unit = "ns";
    left.series = bk::time_series{1, {}};
    bk::result right;
    right.distributions["lag"].unit = "us";
    CHECK_THROWS_WITH_AS(
        bk::merge(left, right),
        "The distributions lag of two results cannot be merged: one is in ns, the other in us.", bk::error);
    right = {};
    right.samples["s"].unit = "us";
    CHECK_THROWS_AS(bk::merge(left, right), bk::error);
    right = {};
    right.series = bk::time_series{2, {}};
    CHECK_THROWS_AS(bk::merge(left, right), bk::error);
}
#endif
