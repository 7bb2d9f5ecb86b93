#include <benchkit/result/json_reader.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"
#include "support/refusal.hpp"

namespace bk = benchkit;
using namespace std::string_view_literals;

namespace {

const std::string head = R"({"schema": "benchkit.result/1", "name": "n", "kind": "k", )";

std::string refusal_of(std::string_view text) {
    return tests::refusal([&] { static_cast<void>(bk::read_json(text)); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto place = text.find(from);
    REQUIRE(place != std::string::npos);
    return text.replace(place, from.size(), to);
}

/// A result with every part, scalars of every type and every odd value.
bk::result rich_result() {
    bk::result rich = made::troubled_load();
    rich.attributes["nan"] = std::numeric_limits<double>::quiet_NaN();
    rich.attributes["whole"] = std::numeric_limits<std::int64_t>::min();
    rich.attributes["real"] = 3.0;
    rich.attributes["latin"] = std::string("caf\xE9 \x01");
    rich.started_at += 123'456'789;
    rich.samples["epoch"] = {"us", {1, 0.1, std::numeric_limits<double>::infinity()}};
    rich.records = {{{"total_us", std::int64_t{1}}}, {{"skipped", true}}};
    bk::comparison compared;
    compared.ratio = 0.9;
    compared.interval = bk::interval{0.8, 1.0};
    compared.mann_whitney = bk::mann_whitney_test{4, 0.03};
    compared.hodges_lehmann = bk::hodges_lehmann_shift{-1, std::nullopt};
    compared.verdict = bk::verdict::faster;
    compared.basis = "process runs";
    compared.new_summary.count = 3;
    compared.new_summary.outliers.high_mild = 1;
    compared.new_summary.median = 5;
    compared.new_summary.mean_interval = bk::interval{4, 6};
    rich.comparisons = {compared};
    rich.diagnostics = {{"skewed", bk::severity::warning, "Sentence."}};
    rich.distributions["empty"];
    rich.distributions["batch_bytes"].unit = "bytes";
    rich.distributions["batch_bytes"].values.record(std::numeric_limits<std::int64_t>::max(), 5);
    rich.children = {made::http_load(), bk::result{}};
    return rich;
}

}  // namespace

TEST_CASE("what is read back is what was written") {
    const bk::result rich = rich_result();
    const bk::result restored = bk::read_json(bk::to_json(rich));
    CHECK(restored.name == rich.name);
    CHECK(restored.kind == rich.kind);
    CHECK(restored.parameters == rich.parameters);
    CHECK(restored.environment == rich.environment);
    CHECK(restored.counters == rich.counters);
    CHECK(restored.started_at == rich.started_at);
    CHECK(restored.elapsed_seconds == rich.elapsed_seconds);
    CHECK(restored.rate == rich.rate);
    CHECK(restored.interrupted);
    CHECK(std::get<std::int64_t>(restored.attributes.at("whole")) == std::numeric_limits<std::int64_t>::min());
    CHECK(std::get<double>(restored.attributes.at("real")) == 3.0);
    CHECK(std::isnan(std::get<double>(restored.attributes.at("nan"))));
    REQUIRE(restored.distributions.size() == rich.distributions.size());
    for (const auto& entry : rich.distributions) {
        CAPTURE(entry.first);
        CHECK(restored.distributions.at(entry.first).unit == entry.second.unit);
        CHECK(restored.distributions.at(entry.first).values == entry.second.values);
    }
    CHECK(restored.samples.at("epoch").unit == "us");
    CHECK(restored.samples.at("epoch").values[1] == 0.1);
    CHECK(std::isnan(restored.samples.at("epoch").values[2]));
    CHECK(restored.series->points.at(0).p99 == rich.series->points.at(0).p99);
    CHECK(restored.records == rich.records);
    CHECK(restored.comparisons == rich.comparisons);
    CHECK(restored.resources->wall_seconds == rich.resources->wall_seconds);
    CHECK(restored.resources->max_rss_bytes == rich.resources->max_rss_bytes);
    CHECK(restored.diagnostics.at(0).severity == bk::severity::warning);
    REQUIRE(restored.children.size() == 2);
    CHECK(restored.children[0].counters == rich.children[0].counters);
}

TEST_CASE("a second round trip changes nothing more") {
    const std::string first = bk::to_json(rich_result());
    CHECK(bk::to_json(bk::read_json(first)) == first);
}

TEST_CASE("a file with only schema, name, kind and samples is enough") {
    const bk::result small = bk::read_json(R"({"schema": "benchkit.result/1", "name": "n", "kind": "work.time",
        "samples": {"epoch_time": {"unit": "ns", "values": [1, 2.5, -3e2, 18446744073709551615]}}})");
    CHECK(small.name == "n");
    CHECK(small.kind == "work.time");
    CHECK(small.samples.at("epoch_time").values == std::vector<double>{1, 2.5, -300, 18446744073709551615.0});
    CHECK_FALSE(small.resources.has_value());
    CHECK(small.distributions.empty());
}

TEST_CASE("unknown keys are skipped at every level, and null is the same as absent") {
    const bk::result read =
        bk::read_json(head + R"("new": {"deep": [1, {}]}, "rate": null, "series": null, "counters": null,
        "distributions": {}, "comparisons": null, "resources": {"user_seconds": 1, "energy": 5}, "records": [{}],
        "series": {"interval_seconds": 2, "points": [{"t": 0, "p75": 3}]}, "samples": {"s": {"note": 1}}})");
    CHECK_FALSE(read.rate.has_value());
    CHECK(read.resources->user_seconds == 1);
    CHECK(read.records.size() == 1);
    CHECK(read.series->interval_seconds == 2);
    CHECK(read.samples.at("s").values.empty());
}

TEST_CASE("what is not JSON is refused with its place") {
    CHECK(refusal_of("") ==
          "This is no result that can be read: it is not JSON at line 1, column 1, where a value is expected.");
    CHECK(refusal_of("{\"schema\": \"benchkit.result/1\",\n  \"name\" 5}") ==
          "This is no result that can be read: it is not JSON at line 2, column 10, where ':' is expected.");
    CHECK(refusal_of("{\"a\": 1") ==
          "This is no result that can be read: it is not JSON at line 1, column 8, where ',' or '}' is "
          "expected.");
    CHECK(refusal_of("\"\xFF\"").find("where UTF-8 is expected") != std::string::npos);
    CHECK(refusal_of(R"({"a": 1e999})") != "accepted");
    CHECK(refusal_of(std::string(100'000, '[')) != "accepted");
}

TEST_CASE("what is no result is refused by what it lacks") {
    CHECK(refusal_of("[1]") == "This is no result that can be read: the file has to be an object.");
    CHECK(refusal_of("{}") ==
          "This is no result that can be read: the file has to have \"schema\": \"benchkit.result/1\".");
    CHECK(refusal_of("null") == refusal_of("{}"));
    CHECK(refusal_of(R"({"schema": "benchkit.result/2", "counters": "new shape"})") ==
          "This is no result that can be read: the file has to have \"schema\": \"benchkit.result/1\", not "
          "\"benchkit.result/2\".");
    CHECK(refusal_of(R"({"schema": 1})") == "This is no result that can be read: schema has to be a string.");
    CHECK(refusal_of(R"({"schema": "benchkit.result/1", "name": "n"})") ==
          "This is no result that can be read: the file has to have a name and a kind.");
}

TEST_CASE("a wrong type is refused with its path") {
    const std::pair<std::string, std::string> wrong[] = {
        {R"("counters": {"failed": "3"})", "counters.failed has to be a whole number of 64 bits"},
        {R"("counters": {"failed": 1.5})", "counters.failed has to be a whole number of 64 bits"},
        {R"("counters": {"failed": 9223372036854775808})",
         "counters.failed has to be a whole number of 64 bits"},
        {R"("counters": [])", "counters has to be an object"},
        {R"("records": {})", "records has to be an array"},
        {R"("records": [{}, {"a": [1]}])", "records[1].a has to be a string, a number, true, false or null"},
        {R"("interrupted": 1)", "interrupted has to be true or false"},
        {R"("started_at": "yesterday")", "started_at has to be a time such as 2026-01-31T12:00:00Z"},
        {R"("samples": {"s": {"values": [1, "2"]}})", "samples.s.values[1] has to be a number or null"},
        {R"("diagnostics": [{"severity": "fatal"}])",
         "diagnostics[0].severity has to be note, warning or failure"},
        {R"("comparisons": [{"verdict": "maybe"}])",
         "comparisons[0].verdict has to be faster, slower, same or undecided"},
        {R"("comparisons": [{"interval": [1]}])",
         "comparisons[0].interval has to be two numbers, from low to high"},
        {R"("children": [{"schema": "benchkit.result/1", "name": "c", "kind": "k", "rate": "fast"}])",
         "children[0].rate has to be a number or null"},
        {R"("children": [{}])", "children[0] has to have \"schema\": \"benchkit.result/1\""},
    };
    for (const auto& [part, problem] : wrong) {
        CHECK(refusal_of(head + part + "}") == "This is no result that can be read: " + problem + ".");
    }
}

TEST_CASE("a distribution that contradicts itself is refused") {
    const std::string good = bk::to_json(made::http_load());
    const std::string begin = "This is no result that can be read: distributions.connect_time";
    // Ten times 1 ms.
    CHECK(refusal_of(replaced(good, "\"count\": 10,", "\"count\": 11,")) ==
          begin + " has another count than its histogram.");
    const std::string contradiction = begin + " has a min, max or sum that contradicts its histogram.";
    CHECK(refusal_of(replaced(good, "\"min\": 1000000,", "\"min\": 5,")) == contradiction);
    CHECK(refusal_of(replaced(good, "\"max\": 1000000,", "\"max\": 2000000,")) == contradiction);
    CHECK(refusal_of(replaced(good, "\"sum\": \"10000000\"", "\"sum\": \"99000000\"")) == contradiction);
    CHECK(refusal_of(replaced(good, "\"sum\": \"10000000\"", "\"sum\": \"-1\"")) ==
          begin + ".sum has to be a whole number of 128 bits, as a string.");
    CHECK(refusal_of(replaced(good, "\"histogram\": \"HIST", "\"histogram\": \"TSIH")) ==
          begin + " has to have a histogram in the base64 form of HdrHistogram V2.");
    CHECK(refusal_of(head + R"("distributions": {"lag": {"count": 1}}})") ==
          "This is no result that can be read: distributions.lag has to have a histogram in the base64 form of "
          "HdrHistogram V2.");
}

TEST_CASE("mutated files are read or refused, and what is read can be written and read again") {
    const std::string good = bk::to_json(rich_result());
    std::mt19937 random(1);
    const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
    int refused = 0;
    for (int round = 0; round < 2'000; ++round) {
        std::string bad = good;
        for (std::size_t change = 0; change <= below(3); ++change) {
            switch (below(4)) {
                case 0:
                    bad[below(bad.size())] = static_cast<char>(below(256));
                    break;
                case 1:
                    bad.erase(below(bad.size()), 1 + below(50));
                    break;
                case 2:
                    bad.insert(below(bad.size()), bad.substr(below(bad.size()), 1 + below(50)));
                    break;
                default:
                    bad.resize(1 + below(bad.size()));
                    break;
            }
        }
        const std::string refusal = refusal_of(bad);
        if (refusal != "accepted") {
            ++refused;
            CHECK(refusal.starts_with("This is no result that can be read: "));
            continue;
        }
        const std::string again = bk::to_json(bk::read_json(bad));
        CHECK(bk::to_json(bk::read_json(again)) == again);
    }
    CHECK(refused > 1'000);
}
