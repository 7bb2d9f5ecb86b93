#include <benchkit/result/json_writer.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include <benchkit/stats/histogram_codec.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;

namespace {

/// Everything that a result can hold, each once.
bk::result full_result() {
    bk::result full;
    full.name = "a \"name\"";
    full.kind = "load";
    full.parameters = {{"clients", std::int64_t{10}}, {"keep_alive", true}, {"think_time_seconds", 0.0}};
    full.environment = {{"cpu", std::string("Abacus")}};
    full.attributes = {{"odd", std::numeric_limits<double>::infinity()}};
    full.started_at = 1'769'860'800'000'000'000;
    full.elapsed_seconds = 2.5;
    full.rate = 4;
    full.counters = {{"bytes_sent", 5}, {"failed", 1},      {"failed.timeout", 1}, {"scheduled", 11},
                     {"started", 11},   {"status.200", 9},  {"succeeded", 10},     {"warmup.started", 2},
                     {"zebras", 3},     {"errors.reset", 1}};
    for (int value = 1; value <= 10; ++value) full.distributions["lag"].values.record(value);
    for (int value = 0; value < 10; ++value) full.distributions["lag"].values.record(10);
    full.distributions["service_time"];
    full.samples["epoch"] = {"ns", {1, 2.5, std::numeric_limits<double>::quiet_NaN()}};
    full.series = bk::time_series{1, {{0, 9, 1, 7, std::nullopt}, {1, 1, 0, std::nullopt, std::nullopt}}};
    full.records = {{{"total_us", std::int64_t{7}}, {"status", std::string("skip")}}};
    bk::comparison compared;
    compared.ratio = 1.25;
    compared.interval = bk::interval{1.125, 1.5};
    compared.confidence = 0.99;
    compared.mann_whitney = bk::mann_whitney_test{12, 0.5};
    compared.hodges_lehmann = bk::hodges_lehmann_shift{0.25, bk::interval{0, 0.5}};
    compared.verdict = bk::verdict::slower;
    compared.basis = "single run";
    compared.base_summary = {
        5, 2.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 0.5, {0, 1, 2, 3}, bk::interval{1, 3}, bk::interval{1.5, 2.5}};
    full.comparisons = {compared, bk::comparison{}};
    full.resources = bk::run_resources{0.5, 0.25, 4096, 7, 8, 3};
    full.diagnostics = {{"skewed", bk::severity::note, "Look out."}};
    return full;
}

std::string between(const std::string& text, const std::string& from, const std::string& to) {
    const auto begin = text.find(from);
    REQUIRE(begin != std::string::npos);
    return text.substr(begin, text.find(to, begin) - begin);
}

}  // namespace

TEST_CASE("the top of the JSON: keys in the order of the schema, counters in the order of the books") {
    const std::string json = bk::to_json(full_result());
    CHECK(json.substr(0, json.find("  \"distributions\"")) == R"({
  "schema": "benchkit.result/1",
  "name": "a \"name\"",
  "kind": "load",
  "parameters": {
    "clients": 10,
    "keep_alive": true,
    "think_time_seconds": 0.0
  },
  "environment": {
    "cpu": "Abacus"
  },
  "attributes": {
    "odd": null
  },
  "started_at": "2026-01-31T12:00:00Z",
  "elapsed_seconds": 2.5,
  "rate": 4.0,
  "interrupted": false,
  "counters": {
    "scheduled": 11,
    "started": 11,
    "succeeded": 10,
    "failed": 1,
    "failed.timeout": 1,
    "errors.reset": 1,
    "status.200": 9,
    "bytes_sent": 5,
    "zebras": 3,
    "warmup.started": 2
  },
)");
}

// 1 to 10, then ten more 10s: n = 20, sum 155, mean 7.75. Percentile 50 is rank 10 of 20, where 20 * 0.5 = 10
// lie beyond it; for 75, 5 do, too few. The variance is (385 + 1000) / 20 - 7.75^2 = 9.1875.
TEST_CASE(
    "a distribution has its figures, its percentiles where they are known, its exact sum and its histogram") {
    const bk::result full = full_result();
    const std::string json = bk::to_json(full);
    CHECK(between(json, "    \"lag\"", "    \"service_time\"") == R"(    "lag": {
      "unit": "ns",
      "count": 20,
      "min": 1,
      "mean": 7.75,
      "stddev": 3.031088913245535,
      "max": 10,
      "percentiles": {"50": 10, "75": null, "90": null, "95": null, "99": null, "99.9": null, "99.99": null, "99.999": null},
      "sum": "155",
      "histogram": ")" + bk::encode_histogram(full.distributions.at("lag").values) +
                                                                      R"("
    },
)");
}

TEST_CASE("a distribution without values has no figures") {
    const std::string json = bk::to_json(full_result());
    CHECK(between(json, "    \"service_time\"", "      \"sum\"") == R"(    "service_time": {
      "unit": "ns",
      "count": 0,
      "min": null,
      "mean": null,
      "stddev": null,
      "max": null,
      "percentiles": {"50": null, "75": null, "90": null, "95": null, "99": null, "99.9": null, "99.99": null, "99.999": null},
)");
}

TEST_CASE("the rest of the JSON") {
    const std::string json = bk::to_json(full_result());
    CHECK(json.substr(json.find("  \"samples\"")) == R"(  "samples": {
    "epoch": {
      "unit": "ns",
      "values": [1.0, 2.5, null]
    }
  },
  "series": {
    "interval_seconds": 1.0,
    "points": [
      {"t": 0.0, "succeeded": 9, "failed": 1, "p50": 7, "p99": null},
      {"t": 1.0, "succeeded": 1, "failed": 0, "p50": null, "p99": null}
    ]
  },
  "records": [
    {"status": "skip", "total_us": 7}
  ],
  "comparisons": [
    {
      "ratio": 1.25,
      "interval": [1.125, 1.5],
      "confidence": 0.99,
      "mann_whitney": {"u": 12.0, "p": 0.5},
      "hodges_lehmann": {"shift": 0.25, "interval": [0.0, 0.5]},
      "verdict": "slower",
      "basis": "single run",
      "base": {"count": 5, "mean": 2.0, "stddev": 0.5, "min": 1.0, "q1": 1.5, "median": 2.0, "q3": 2.5, "max": 3.0, "mad": 0.5, "outliers": {"low_severe": 0, "low_mild": 1, "high_mild": 2, "high_severe": 3}, "median_interval": [1.0, 3.0], "mean_interval": [1.5, 2.5]},
      "new": {"count": 0, "mean": null, "stddev": null, "min": null, "q1": null, "median": null, "q3": null, "max": null, "mad": null, "outliers": {"low_severe": 0, "low_mild": 0, "high_mild": 0, "high_severe": 0}, "median_interval": null, "mean_interval": null}
    },
    {
      "ratio": null,
      "interval": null,
      "confidence": 0.0,
      "mann_whitney": null,
      "hodges_lehmann": null,
      "verdict": "undecided",
      "basis": "",
      "base": {"count": 0, "mean": null, "stddev": null, "min": null, "q1": null, "median": null, "q3": null, "max": null, "mad": null, "outliers": {"low_severe": 0, "low_mild": 0, "high_mild": 0, "high_severe": 0}, "median_interval": null, "mean_interval": null},
      "new": {"count": 0, "mean": null, "stddev": null, "min": null, "q1": null, "median": null, "q3": null, "max": null, "mad": null, "outliers": {"low_severe": 0, "low_mild": 0, "high_mild": 0, "high_severe": 0}, "median_interval": null, "mean_interval": null}
    }
  ],
  "children": [],
  "resources": {
    "user_seconds": 0.5,
    "system_seconds": 0.25,
    "max_rss_bytes": 4096,
    "voluntary_switches": 7,
    "involuntary_switches": 8,
    "wall_seconds": 3.0
  },
  "diagnostics": [
    {
      "code": "skewed",
      "severity": "note",
      "message": "Look out."
    }
  ]
}
)");
}

TEST_CASE("what a result does not have is null or empty, and a child is a whole result") {
    bk::result parent;
    parent.children.resize(1);
    parent.children[0].name = "row";
    const std::string json = bk::to_json(parent);
    CHECK(json.find("  \"rate\": null,\n") != std::string::npos);
    CHECK(json.find("  \"series\": null,\n") != std::string::npos);
    CHECK(json.find("  \"resources\": null,\n") != std::string::npos);
    CHECK(json.find("    {\n      \"schema\": \"benchkit.result/1\",\n      \"name\": \"row\",\n") !=
          std::string::npos);
}
