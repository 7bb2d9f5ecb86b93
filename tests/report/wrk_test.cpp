#include <benchkit/report/wrk.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;
namespace detail = benchkit::report::detail;
using bk::report::wrk;

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bk::distribution values(std::string unit,
                        std::initializer_list<std::pair<std::int64_t, std::int64_t>> value_and_count) {
    bk::distribution made;
    made.unit = std::move(unit);
    for (const auto& [value, count] : value_and_count) made.values.record(value, count);
    return made;
}

bk::distribution rates(std::initializer_list<std::int64_t> each) {
    bk::distribution made;
    made.unit = "operations/s";
    for (const std::int64_t rate : each) made.values.record(rate);
    return made;
}

/// A load of 2 s over 10 connections with the counts of a run of wrk.
bk::result run_of(const std::string& path, std::int64_t requests, double rate, double mebibytes) {
    bk::result made = made::http_load();
    made.parameters["url"] = "http://localhost:8088" + path;
    made.parameters["duration_seconds"] = 2.0;
    made.parameters.erase("operations");
    made.counters = {{"started", requests},
                     {"succeeded", requests},
                     {"bytes_received", static_cast<std::int64_t>(mebibytes * 1048576)}};
    made.elapsed_seconds = static_cast<double>(requests) / rate;
    return made;
}

}  // namespace

// The counts and times of runs of wrk 4.1, and what it printed of them. Of the single times no more is known
// than what it printed; these are some that have its mean, deviation, largest, share and percentiles.
TEST_CASE("what wrk printed of one thread") {
    bk::result run = run_of("/", 296'462, 148'200.32, 47.217);
    run.distributions["processing_time"] =
        values("ns", {{39'300, 291'926}, {4'375'919, 4'472}, {8'720'000, 64}});
    run.distributions["shard_rate"] =
        rates({137'730, 141'020, 141'140, 142'120, 144'210, 144'880, 149'020, 149'540, 149'650, 149'660,
               150'170, 150'800, 150'820, 153'490, 153'550, 156'010, 156'160, 156'220, 156'220, 156'220});
    CHECK(wrk(run) == R"(Running 2s test @ http://localhost:8088/
  1 threads and 10 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   106.59us  543.61us   8.72ms   98.47%
    Req/Sec   149.43k     5.82k  156.22k    55.00%
  296462 requests in 2.00s, 47.22MB read
Requests/sec: 148200.32
Transfer/sec:     23.60MB
)");
}

TEST_CASE("what wrk printed of two threads, all answers 503, with --latency") {
    bk::result run = run_of("/e", 201'743, 100'733.14, 34.441);
    run.parameters["shards"] = std::int64_t{2};
    run.counters["succeeded"] = 0;
    run.counters["failed"] = run.counters["failed.status"] = run.counters["status.503"] = 201'743;
    run.distributions["processing_time"] = values("ns", {{11'191, 90'784},
                                                         {82'000, 20'174},
                                                         {145'000, 44'383},
                                                         {230'000, 30'261},
                                                         {250'000, 10'089},
                                                         {840'625, 2'638},
                                                         {1'710'000, 1'613},
                                                         {2'500'000, 1'800},
                                                         {4'610'000, 1}});
    run.distributions["shard_rate"] =
        rates({13'950, 15'530, 21'310, 24'440, 25'710, 26'560, 26'620, 27'530, 28'470, 29'470,
               29'680, 30'370, 38'980, 42'800, 42'810, 44'860, 46'580, 47'810, 48'670, 48'810,
               51'360, 51'810, 52'180, 53'680, 56'840, 71'540, 72'290, 72'350, 72'710, 74'020,
               74'020, 74'020, 74'060, 74'060, 74'060, 74'060, 74'060, 74'060, 74'060, 74'060});
    const std::string report = wrk(run, {.latency = true});
    CHECK(report == R"(Running 2s test @ http://localhost:8088/e
  2 threads and 10 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency   139.13us  292.43us   4.61ms   97.00%
    Req/Sec    50.76k    20.57k   74.06k    35.00%
  Latency Distribution
     50%   82.00us
     75%  145.00us
     90%  230.00us
     99%    1.71ms
  201743 requests in 2.00s, 34.44MB read
  Non-2xx or 3xx responses: 201743
Requests/sec: 100733.14
Transfer/sec:     17.20MB
)");
    CHECK(wrk(bk::read_json(bk::to_json(run)), {.latency = true}) == report);
    CHECK_FALSE(contains(wrk(run), "Latency Distribution"));
    bk::report::keep_wrk_options(run, {.latency = true});
    CHECK(wrk(bk::read_json(bk::to_json(run))) == report);
}

// As src/units.c of wrk 4.1 has it: from 0.85 of a unit on, and no unit above minutes and tera.
TEST_CASE("units") {
    CHECK(detail::wrk_time(0) == "0.00us");
    CHECK(detail::wrk_time(849.99) == "849.99us");
    CHECK(detail::wrk_time(850) == "0.85ms");
    CHECK(detail::wrk_time(999'999) == "1000.00ms");
    CHECK(detail::wrk_time(1e6) == "1.00s");
    CHECK(detail::wrk_time(50.99e6) == "50.99s");
    CHECK(detail::wrk_time(51e6) == "0.85m");
    CHECK(detail::wrk_time(7.2e9) == "120.00m");
    CHECK(detail::wrk_seconds(10, 0) == "10s");
    CHECK(detail::wrk_seconds(120, 0) == "2m");
    CHECK(detail::wrk_metric(849) == "849.00");
    CHECK(detail::wrk_metric(850) == "0.85k");
    CHECK(detail::wrk_metric(2.5e6) == "2.50M");
    CHECK(detail::wrk_metric(9e15) == "9000.00T");
    CHECK(detail::wrk_bytes(870) == "870.00B");
    CHECK(detail::wrk_bytes(871) == "0.85KB");
    CHECK(detail::wrk_bytes(17.76 * 1024 * 1024 * 1024) == "17.76GB");
}

// The rows that wrk's own README shows.
TEST_CASE("rows: digits stand below digits, whatever their unit") {
    CHECK(detail::wrk_row_text("Latency", {635.91, 890, 12'920, 93.69}, detail::wrk_time) ==
          "    Latency   635.91us    0.89ms  12.92ms   93.69%\n");
    CHECK(detail::wrk_row_text("Req/Sec", {56'200, 8'070, 62'000, 86.54}, detail::wrk_metric) ==
          "    Req/Sec    56.20k     8.07k   62.00k    86.54%\n");
    CHECK(detail::wrk_row_text("Req/Sec", {97.5, 3.25, 100, 60}, detail::wrk_metric) ==
          "    Req/Sec    97.50      3.25   100.00     60.00%\n");
    CHECK(detail::wrk_row_text("Latency", {1.5e6, 2e5, 2e6, 100}, detail::wrk_time) ==
          "    Latency     1.50s   200.00ms   2.00s   100.00%\n");
}

TEST_CASE("the row of values that are all equal has no deviation, and all are near the mean") {
    const detail::wrk_row row = detail::to_wrk_row(values("ns", {{12'345'678, 50}}).values, 1e3);
    CHECK(row.mean == doctest::Approx(12'345.678));
    CHECK(row.deviation == 0);
    CHECK(row.largest == 12'345);
    CHECK(row.percent_near == 100);
}

TEST_CASE("errors: by what wrk was doing, where there were any; answers above 399 are neither 2xx nor 3xx") {
    bk::result troubled = made::troubled_load();
    troubled.distributions["shard_rate"] = rates({1'600, 1'800});
    troubled.counters["status.301"] = 7;
    troubled.counters["status.404"] = 2;
    const std::string report = wrk(troubled);
    CHECK(contains(report,
                   "  201 requests in 250.00ms, 118.95KB read\n"
                   "  Socket errors: connect 4, read 5, write 1, timeout 1\n"
                   "  Non-2xx or 3xx responses: 22\n"
                   "Requests/sec:    804.00\n"));
    CHECK_FALSE(contains(report, "Latency Distribution"));
}

TEST_CASE("with a count, the head tells how long it took; nothing measured gives zeros") {
    bk::result run = made::http_load();
    run.distributions["shard_rate"] = rates({});
    run.counters = {{"started", 0}};
    run.distributions.erase("processing_time");
    run.elapsed_seconds = 0;
    CHECK(wrk(run, {.latency = true}) == R"(Running 0s test @ http://localhost:8088/hello
  1 threads and 10 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     0.00us    0.00us   0.00us    0.00%
    Req/Sec     0.00      0.00     0.00      0.00%
  Latency Distribution
     50%    0.00us
     75%    0.00us
     90%    0.00us
     99%    0.00us
  0 requests in 0.00us, 0.00B read
Requests/sec:      0.00
Transfer/sec:       0.00B
)");
}

TEST_CASE("in an open loop the latency is the response time, and answers of a bad status have theirs") {
    bk::result run = made::http_load();
    run.distributions["shard_rate"] = rates({800, 800});
    run.distributions["response_time"] = made::times_in_ms({{10, 50}, {30, 50}});
    run.distributions["failed_time.status"] = made::times_in_ms({{20, 100}});
    CHECK(contains(wrk(run), "    Latency    20.00ms    7.09ms  30.00ms   50.00%\n"));
}

TEST_CASE("percentiles of few requests have a warning, where they are printed") {
    bk::result run = made::http_load();
    run.distributions["shard_rate"] = rates({800, 800});
    CHECK(bk::report::wrk_warnings(run).empty());
    bk::report::keep_wrk_options(run, {.latency = true});
    CHECK(bk::report::wrk_warnings(run) ==
          "warning: 200 requests are too few for the percentiles from 99 % up: fewer than 10 requests took "
          "longer.\n");
    run.distributions["processing_time"] = made::times_in_ms({{10, 1'000}});
    CHECK(bk::report::wrk_warnings(run).empty());
}

TEST_CASE("what is no load of an HTTP target, and what does not tell enough, is refused") {
    CHECK_THROWS_AS((void)wrk(bk::result()), bk::error);
    CHECK_THROWS_WITH((void)wrk(made::http_load()),
                      "A report as of wrk needs the rates of each shard, which \"hello\" does not hold: it was "
                      "measured by an older version.");
}
