#include <benchkit/report/ab.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;
using bk::report::ab;

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// A load of which each request took as long as the others.
bk::result even_load(std::int64_t requests, std::int64_t milliseconds) {
    bk::result even = made::http_load();
    even.parameters["operations"] = requests;
    even.counters["succeeded"] = even.counters["status.200"] = even.counters["kept_alive"] = requests;
    for (const char* name : {"service_time", "processing_time", "first_byte_time"}) {
        even.distributions[name] = made::times_in_ms({{milliseconds, requests}});
    }
    even.distributions.erase("connect_time");
    return even;
}

}  // namespace

// Derived by hand from the made result, rounded as ab does. Total: mean 1,750 / 200 = 8.75 ms, deviation
// sqrt(6,337.5 / 199) = 5.64, median between ranks 100 and 101, which are 5 and 9 ms. Processing: mean 1,740 /
// 200, deviation sqrt(6,422 / 199) = 5.68. Waiting: mean 1,520 / 200, deviation sqrt(6,048 / 199) = 5.51,
// median between 4 and 8 ms. Connect: ten of 1 ms and 190 of 0, deviation sqrt(9.5 / 199) = 0.22. Rates: 200 /
// 0.25 s; 10 * 250 ms / 200; 250 ms / 200; 121,800 / 1,024 / 0.25 s. Ranks 100, 132, 150, 160, 180, 190, 196
// and 198 of 200.
TEST_CASE("the report of ab") {
    CHECK(ab(made::http_load()) == R"(
Benchmarking localhost (be patient)


Server Software:        nginx/1.22.1
Server Hostname:        localhost
Server Port:            8088

Document Path:          /hello
Document Length:        13 bytes

Concurrency Level:      10
Time taken for tests:   0.250 seconds
Complete requests:      200
Failed requests:        0
Keep-Alive requests:    200
Total transferred:      121800 bytes
HTML transferred:       2600 bytes
Requests per second:    800.00 [#/sec] (mean)
Time per request:       12.500 [ms] (mean)
Time per request:       1.250 [ms] (mean, across all concurrent requests)
Transfer rate:          475.78 [Kbytes/sec] received

Connection Times (ms)
              min  mean[+/-sd] median   max
Connect:        0    0   0.2      0       1
Processing:     4    9   5.7      7      29
Waiting:        4    8   5.5      6      28
Total:          5    9   5.6      7      29

Percentage of the requests served within a certain time (ms)
  50%      5
  66%      9
  75%      9
  80%      9
  90%     14
  95%     14
  98%     29
  99%     29
 100%     29 (longest request)
)");
}

TEST_CASE("without spread and percentiles, few requests, no keep-alive") {
    bk::result few = even_load(100, 7);
    few.parameters["keep_alive"] = false;
    const std::string text = ab(few, {.show_percentiles = false, .show_spread = false});
    CHECK(text.starts_with("\nBenchmarking localhost (be patient).....done\n\n\nServer Software:"));
    CHECK_FALSE(contains(text, "Keep-Alive"));
    CHECK(text.ends_with(R"(
Connection Times (ms)
              min   avg   max
Connect:        0     0    0
Processing:     7     7    7
Waiting:        7     7    7
Total:          7     7    7
)"));
}

TEST_CASE("the heartbeat: more than 150 requests, or a time limit, and not quiet") {
    constexpr std::string_view with = "(be patient)\n\n\nServer";
    constexpr std::string_view without = "(be patient).....done\n\n\nServer";
    CHECK(contains(ab(even_load(151, 1)), with));
    CHECK(contains(ab(even_load(150, 1)), without));
    CHECK(contains(ab(even_load(151, 1), {.quiet = true}), without));
    bk::result timed = even_load(10, 1);
    timed.parameters.erase("operations");
    CHECK(contains(ab(timed), with));
    bk::result interrupted = even_load(150, 1);
    interrupted.interrupted = true;
    CHECK(contains(ab(interrupted), "(be patient)...\n\nServer"));
}

TEST_CASE("failures by ab's classes, and answers that are not 2xx") {
    const std::string text = ab(made::troubled_load());
    CHECK(contains(text,
                   "Complete requests:      201\n"
                   "Failed requests:        33\n"
                   "   (Connect: 4, Receive: 5, Length: 21, Exceptions: 3)\n"
                   "Non-2xx responses:      20\n"
                   "Keep-Alive requests:    200\n"));
}

// 200 answers in 0.5 s, of which the last came after the span of 0.25 s.
TEST_CASE("answers in the drain count with their time") {
    bk::result drained = made::http_load();
    drained.attributes["last_end_seconds"] = 0.5;
    const std::string text = ab(drained);
    CHECK(contains(text, "Time taken for tests:   0.500 seconds\nComplete requests:      200\n"));
    CHECK(contains(text, "Requests per second:    400.00 [#/sec] (mean)\n"));
}

TEST_CASE("the server's software is what its field says up to the first blank") {
    bk::result measured = made::http_load();
    measured.attributes["http.server"] = std::string("Apache/2.4.57 (Debian)");
    CHECK(contains(ab(measured), "Server Software:        Apache/2.4.57\n"));
}

TEST_CASE("where any length is accepted, none differs") {
    const std::string text = ab(made::troubled_load(), {.accept_any_length = true});
    CHECK(contains(text, "Document Length:        Variable\n"));
    CHECK(
        contains(text, "Failed requests:        12\n   (Connect: 4, Receive: 5, Length: 0, Exceptions: 3)\n"));
}

// 18,000 / 1,024 / 0.25 s = 70.31; 139,800 / 1,024 / 0.25 s = 546.09.
TEST_CASE("with a body, what was sent") {
    bk::result posted = made::http_load();
    posted.parameters["request_body_bytes"] = std::int64_t{5};
    const std::string text = ab(posted);
    CHECK(contains(text,
                   "Total transferred:      121800 bytes\nTotal body sent:        18000\nHTML transferred:"));
    CHECK(contains(text,
                   "Transfer rate:          475.78 [Kbytes/sec] received\n"
                   "                        70.31 kb/s sent\n"
                   "                        546.09 kb/s total\n\n"));
}

TEST_CASE("without an answer there are neither rates nor times") {
    bk::result none = made::http_load();
    none.counters = {{"failed.connect", 3}};
    none.distributions.clear();
    none.attributes.clear();
    const std::string text = ab(none);
    CHECK(contains(text, "Server Software:        \n"));
    CHECK(contains(text, "Document Length:        0 bytes\n"));
    CHECK(text.ends_with(
        "Complete requests:      0\nFailed requests:        3\n   (Connect: 3, Receive: 0, Length: 0, "
        "Exceptions: 0)\n"
        "Keep-Alive requests:    0\nTotal transferred:      0 bytes\nHTML transferred:       0 bytes\n"));
}

TEST_CASE("a single request has no percentiles") {
    const std::string text = ab(even_load(1, 3));
    CHECK(text.ends_with("Total:          3    3   0.0      3       3\n"));
}

// 0.4, 0.4, 0.4 and 1.0 ms: mean 0.55 -> 1, median 0.4 -> 0, deviation 0.3: more than twice that apart.
TEST_CASE("ab's doubts come from its rounded figures") {
    bk::result doubtful = even_load(4, 1);
    bk::histogram& total = doubtful.distributions["service_time"].values;
    total = {};
    total.record(400'000, 3);
    total.record(1'000'000);
    CHECK(contains(ab(doubtful),
                   "Total:          0    1   0.3      0       1\n"
                   "ERROR: The median and mean for the total time are more than twice the standard\n"
                   "       deviation apart. These results are NOT reliable.\n"));
    // 0, 0 and 1.6 ms: mean 0.533 -> 1, median 0, deviation 0.924: more than one, less than two.
    doubtful = even_load(3, 1);
    doubtful.distributions["processing_time"] = {};
    doubtful.distributions["processing_time"].values.record(0, 2);
    doubtful.distributions["processing_time"].values.record(1'600'000);
    CHECK(contains(ab(doubtful),
                   "WARNING: The median and mean for the processing time are not within a normal deviation\n"
                   "        These results are probably not that reliable.\n"));
    CHECK_FALSE(contains(ab(doubtful, {.show_spread = false}), "WARNING"));
}

TEST_CASE("percentiles have right ranks and the median of an odd number is its middle") {
    bk::result odd = even_load(5, 1);
    odd.distributions["service_time"] = made::times_in_ms({{10, 1}, {20, 1}, {30, 1}, {40, 1}, {50, 1}});
    const std::string text = ab(odd);
    // Ranks 3, 4, 4, 4, 5, 5, 5 and 5; ab's own index would give 30, 40, 40, 50, 50, 50, 50, 50 and a median
    // of 35.
    CHECK(contains(text, "Total:         10   30  15.8     30      50\n"));
    CHECK(contains(text, "  50%     30\n  66%     40\n  75%     40\n  80%     40\n  90%     50\n"));
}

TEST_CASE("a warning where too few requests support a percentile") {
    CHECK(bk::report::ab_warnings(even_load(1'000, 1)).empty());
    CHECK(bk::report::ab_warnings(even_load(999, 1)) ==
          "warning: 999 requests are too few for the percentiles from 99 % up: fewer than 10 requests took "
          "longer.\n");
    CHECK(contains(bk::report::ab_warnings(even_load(19, 1)), "from 50 % up"));
    CHECK(contains(bk::report::ab_warnings(even_load(20, 1)), "from 66 % up"));
    CHECK(bk::report::ab_warnings(even_load(1, 1)).empty());
}

TEST_CASE("the report of a saved result is the live one to the last byte, however often it was saved") {
    bk::result live = made::troubled_load();
    live.attributes["http.server"] = std::string("caf\xE9/1.0\r");
    bk::report::keep_ab_options(
        live, {.show_percentiles = true, .show_spread = false, .accept_any_length = true, .quiet = true});
    const std::string text = ab(live);
    CHECK(contains(text, "Variable"));
    const bk::result once = bk::read_json(bk::to_json(live));
    CHECK(ab(once) == text);
    CHECK(ab(bk::read_json(bk::to_json(once))) == text);
}
