#include <benchkit/report/httpress.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;
using bk::report::httpress;
using bk::report::httpress_launches;

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// `counts`: how many clients got so many answers.
bk::distribution answers(std::initializer_list<std::pair<std::int64_t, std::int64_t>> counts) {
    bk::distribution made;
    made.unit = "answers";
    for (const auto& [value, clients] : counts) made.values.record(value, clients);
    return made;
}

/// A load with the counts of a published run of httpress.
bk::result run_of(std::int64_t clients, std::int64_t requests, std::int64_t connects, std::int64_t body,
                  std::int64_t overhead, double seconds) {
    bk::result made = made::http_load();
    made.parameters["clients"] = clients;
    made.parameters["operations"] = requests;
    made.counters["started"] = made.counters["succeeded"] = requests;
    made.counters["connections_opened"] = connects;
    made.counters["body_bytes_received"] = body;
    made.counters["bytes_received"] = body + overhead;
    made.elapsed_seconds = seconds;
    made.distributions["answers_per_client"] = answers({{requests / clients, clients}});
    return made;
}

bk::result thread_of(std::int64_t connects, std::int64_t requests, std::int64_t body, std::int64_t overhead) {
    bk::result row;
    row.kind = "shard";
    row.counters = {{"connections_opened", connects},
                    {"succeeded", requests},
                    {"body_bytes_received", body},
                    {"bytes_received", body + overhead}};
    return row;
}

}  // namespace

// The counts and times of runs of httpress 1.1, and what it printed of them. It knew more digits of each time
// than it printed, so its rates are within a cut millisecond of those here: here the time is one that gives
// them.
TEST_CASE("what httpress printed of 100,000 requests, kept alive, with -q") {
    const bk::result run = run_of(100, 100'000, 100, 2'000'000, 14'700'000, 100'000 / 143'475.5);
    CHECK(httpress(run, {.quiet = true}) ==
          "TOTALS:  100 connect, 100000 requests, 100000 success, 0 fail, 100 (100) real concurrency\n"
          "TRAFFIC: 20 avg bytes, 147 avg overhead, 2000000 bytes, 14700000 overhead\n"
          "TIMING:  0.696 seconds, 143475 rps, 23398 kbps, 0.7 ms avg req time\n");
}

TEST_CASE("what it printed of 10,000 requests, each on a connection, with -q") {
    const bk::result run = run_of(100, 10'000, 10'000, 200'000, 1'420'000, 10'000 / 21'430.5);
    CHECK(httpress(run, {.quiet = true}) ==
          "TOTALS:  10000 connect, 10000 requests, 10000 success, 0 fail, 100 (100) real concurrency\n"
          "TRAFFIC: 20 avg bytes, 142 avg overhead, 200000 bytes, 1420000 overhead\n"
          "TIMING:  0.466 seconds, 21430 rps, 3390 kbps, 4.7 ms avg req time\n");
}

TEST_CASE("what it printed of two threads, without -q") {
    bk::result run = run_of(100, 20'000, 100, 400'000, 2'940'000, 20'000 / 114'161.5);
    run.children = {thread_of(50, 14'391, 287'820, 2'115'477), thread_of(50, 5'609, 112'180, 824'523)};
    CHECK(httpress(run, {}) == R"(5000 requests launched
10000 requests launched
15000 requests launched
20000 requests launched
thread 1: 50 connect, 14391 requests, 14391 success, 0 fail, 287820 bytes, 2115477 overhead
thread 2: 50 connect, 5609 requests, 5609 success, 0 fail, 112180 bytes, 824523 overhead

TOTALS:  100 connect, 20000 requests, 20000 success, 0 fail, 100 (100) real concurrency
TRAFFIC: 20 avg bytes, 147 avg overhead, 400000 bytes, 2940000 overhead
TIMING:  0.175 seconds, 114161 rps, 18618 kbps, 0.9 ms avg req time
)");
}

TEST_CASE("what it printed of 1,000 answers with the status 503: successes all") {
    bk::result run = run_of(10, 1'000, 10, 4'000, 175'000, 1'000 / 140'174.5);
    run.counters["succeeded"] = 0;
    run.counters["failed"] = run.counters["failed.status"] = run.counters["status.503"] = 1'000;
    CHECK(httpress(run, {.quiet = true}) ==
          "TOTALS:  10 connect, 1000 requests, 1000 success, 0 fail, 10 (10) real concurrency\n"
          "TRAFFIC: 4 avg bytes, 175 avg overhead, 4000 bytes, 175000 overhead\n"
          "TIMING:  0.007 seconds, 140174 rps, 24503 kbps, 0.1 ms avg req time\n");
}

TEST_CASE("failures: what has no answer; connects are also those that failed") {
    bk::result troubled = made::troubled_load();
    troubled.distributions["answers_per_client"] = answers({{0, 1}, {1, 2}, {2, 3}, {50, 4}});
    // Answered: 180 succeeded, 20 by status, 1 by assertion; 12 failed otherwise. Opened 10, failed 3.
    CHECK(contains(httpress(troubled, {.quiet = true}),
                   "TOTALS:  13 connect, 213 requests, 201 success, 12 fail, 9 (7) real concurrency\n"));
}

TEST_CASE("real concurrency in brackets counts from a tenth of an equal share on, at least two") {
    bk::result run = run_of(10, 1'000, 10, 0, 0, 1);
    run.distributions["answers_per_client"] = answers({{0, 1}, {1, 1}, {9, 2}, {10, 1}, {197, 5}});
    CHECK(contains(httpress(run), " 9 (6) real concurrency\n"));
}

TEST_CASE("launches: each quarter or 50,000, and the last; none of a few") {
    CHECK(httpress_launches(39, 0, 39) == "");
    CHECK(httpress_launches(40, 0, 40) ==
          "10 requests launched\n20 requests launched\n30 requests launched\n"
          "40 requests launched\n");
    CHECK(httpress_launches(41, 20, 41) ==
          "30 requests launched\n40 requests launched\n41 requests launched\n");
    CHECK(httpress_launches(400'000, 100'000, 199'999) == "150000 requests launched\n");
    CHECK(httpress_launches(400'000, 149'999, 150'000) == "150000 requests launched\n");
    CHECK(httpress_launches(100, 30, 30) == "");
    CHECK(httpress_launches(0, 0, 1'000) == "");
    CHECK(httpress_launches(std::int64_t{1} << 62, 0, std::int64_t{1} << 62) == "");
}

TEST_CASE("nothing was answered: no rates, no averages") {
    bk::result run = run_of(1, 1, 0, 0, 0, 0);
    run.counters["succeeded"] = 0;
    run.counters["failed"] = run.counters["failed.connect"] = 1;
    run.distributions.erase("answers_per_client");
    CHECK(httpress(run) ==
          "\nTOTALS:  1 connect, 1 requests, 0 success, 1 fail, 0 (0) real concurrency\n"
          "TRAFFIC: 0 avg bytes, 0 avg overhead, 0 bytes, 0 overhead\n"
          "TIMING:  0.000 seconds, 0 rps, 0 kbps, 0.0 ms avg req time\n");
}

TEST_CASE("a saved result gives the same report, with the option that was kept") {
    bk::result run = run_of(10, 1'000, 10, 4'000, 175'000, 0.0071234567);
    CHECK(httpress(bk::read_json(bk::to_json(run))) == httpress(run));
    CHECK(httpress(run).starts_with("250 requests launched\n"));
    bk::report::keep_httpress_options(run, {.quiet = true});
    CHECK(httpress(bk::read_json(bk::to_json(run))).starts_with("TOTALS:"));
}

TEST_CASE("what is no load of an HTTP target, and what does not tell enough, is refused") {
    CHECK_THROWS_AS((void)httpress(bk::result()), bk::error);
    CHECK_THROWS_AS((void)httpress(made::http_load()), bk::error);
}
