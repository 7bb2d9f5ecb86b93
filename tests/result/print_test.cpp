#include <benchkit/result/print.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// Whether a report breaks its own rules: blanks before a line end, more than one blank line, no last line end.
bool is_untidy(std::string_view text) {
    return contains(text, " \n") || contains(text, "\n\n\n") || !text.ends_with('\n') || text.ends_with("\n\n");
}

}  // namespace

// Derived by hand from the made result. Service times: n = 200, mean 1,750 / 200 = 8.75 ms, variance 6,337.5 /
// 200, so a deviation of 5.63 ms; ranks 100, 150, 180 and 190 are 5, 9, 14 and 14 ms. 121,800 bytes in 0.25 s
// are 475.8 KiB/s, 18,000 are 70.3 KiB/s. First bytes: mean 1,520 / 200, deviation sqrt(6,048 / 200).
TEST_CASE("the report of a load") {
    bk::result load = made::http_load();
    load.started_at += 999'999'999;  // a fraction of a second is for JSON
    std::ostringstream stream;
    stream << load;
    CHECK(stream.str() == R"(hello
GET http://localhost:8088/hello
closed loop, 10 clients, 1 shard, HTTP/1.1, keep-alive, 200 operations

rate          800.0/s succeeded
transfer      476 KiB/s received, 70.3 KiB/s sent
span          250 ms from 2026-01-31T12:00:00Z, ended by count

              service time  first byte time  connect time
mean               8.75 ms          7.60 ms       1.00 ms
deviation          5.63 ms          5.50 ms          0 ns
smallest           5.00 ms          4.00 ms       1.00 ms
50 %               5.00 ms          4.00 ms           n/a
75 %               9.00 ms          8.00 ms           n/a
90 %               14.0 ms          12.0 ms           n/a
95 %               14.0 ms          12.0 ms           n/a
99 %                   n/a              n/a           n/a
99.9 %                 n/a              n/a           n/a
largest            29.0 ms          28.0 ms       1.00 ms
count                  200              200            10

operations    200 scheduled: 200 started, 0 not started
              200 started: 200 succeeded, 0 failed, 0 unfinished
statuses      200 x 200
traffic       119 KiB received, of which 2.54 KiB are bodies; 17.6 KiB sent
connections   10 opened, 200 answers kept alive
server        nginx/1.22.1
resources     12.5 ms user and 25.0 ms system CPU in 250 ms (15 %), 5.00 MiB
              peak memory, 120 voluntary and 3 involuntary switches
machine       Abacus 2000, 2 processors, Linux 6.1.0, GCC 12.2.0
)");
}

TEST_CASE("failures, errors and diagnostics are told, the diagnostics last") {
    bk::result troubled = made::troubled_load();
    troubled.diagnostics = {{"interrupted", bk::severity::warning, "Cut short."},
                            {"skewed", bk::severity::note, "Skewed."}};
    const std::string text = bk::to_text(troubled);
    CHECK(contains(text, "span          250 ms from 2026-01-31T12:00:00Z, ended by interrupt\n"));
    CHECK(contains(text, "\nfailed after     smallest     50 %  largest  count\n"));
    CHECK(contains(text, "\nstatus            14.0 ms  14.0 ms  29.0 ms     20\n"));
    CHECK(contains(text, "\nfailures      20 status, 1 resolve, 1 connect,"));
    CHECK(contains(text, "\nerrors        1 connection_reset\n"));
    CHECK(contains(text, "\nfirst error   receive from 127.0.0.1:8088: Connection reset by peer\n"));
    CHECK(contains(text, "\nstatuses      181 x 200, 20 x 503\n"));
    CHECK(text.ends_with("\n\nwarning: Cut short. [interrupted]\nnote: Skewed. [skewed]\n"));
    CHECK_FALSE(is_untidy(text));
}

TEST_CASE("a load of coroutines has no lines of HTTP") {
    bk::result load = made::http_load();
    load.parameters = {{"loop", std::string("closed")}, {"clients", std::int64_t{1}}, {"duration_seconds", 2.0},
                       {"warmup_seconds", 1.0},         {"think_time_seconds", 0.05}, {"simulated", true}};
    load.counters = {{"scheduled", 200},
                     {"started", 200},
                     {"succeeded", 200},
                     {"warmup.started", 3},
                     {"warmup.succeeded", 3}};
    load.distributions.erase("first_byte_time");
    load.distributions.erase("connect_time");
    load.attributes.clear();
    const std::string text = bk::to_text(load);
    CHECK(contains(text,
                   "hello\nclosed loop, 1 client, 50.0 ms of think time, for 2.00 s, after 1.00 s of\nwarm-up\n"
                   "simulated: in virtual time, from a model; nothing here was measured\n\n"));
    CHECK(contains(text, "\nwarm-up       3 started: 3 succeeded, 0 failed, 0 unfinished\n"));
    for (const char* absent : {"transfer", "traffic", "connections", "statuses", "server", "first byte"}) {
        CHECK_FALSE(contains(text, absent));
    }
    CHECK_FALSE(is_untidy(text));
}

TEST_CASE("distributions have their own units, in blocks of four columns") {
    bk::result batch;
    batch.name = "produce";
    batch.kind = "batch.produce";
    for (const char* name : {"append_time", "delivery_time", "queue_time", "lag"})
        batch.distributions[name].values.record(1'500);
    batch.distributions["batch_bytes"].unit = "bytes";
    batch.distributions["batch_bytes"].values.record(2'048);
    batch.distributions["batch_records"].unit = "records";
    batch.distributions["batch_records"].values.record(1'000);
    batch.distributions["batch_records"].values.record(2'001);
    const std::string text = bk::to_text(batch);
    CHECK(contains(text,
                   "                  lag  append time  batch bytes  batch records\n"
                   "mean          1.50 us      1.50 us     2.00 KiB         1500.5\n"));
    CHECK(contains(text,
                   "              delivery time  queue time\n"
                   "mean                1.50 us     1.50 us\n"));
    CHECK_FALSE(is_untidy(text));
}

TEST_CASE("samples, comparisons and children are told") {
    bk::result work;
    work.name = "calc_pi";
    work.kind = "work.time";
    work.elapsed_seconds = 1;
    work.samples["epoch_time"] = {"ns", {3e6, 1e6, 2e6, 2.5e6}};
    work.samples["none"];
    work.samples["odd"] = {"ns", {1, std::numeric_limits<double>::quiet_NaN()}};
    bk::comparison compared;
    compared.ratio = 1.05;
    compared.interval = bk::interval{1.04, 1.0625};
    compared.confidence = 0.99;
    compared.verdict = bk::verdict::slower;
    compared.basis = "single run";
    work.comparisons = {compared, bk::comparison{}};
    work.children = {made::http_load(), bk::result{}};
    work.children[1].name = "empty row";
    work.children[1].diagnostics = {{"code", bk::severity::note, "Of the row."}};
    CHECK(bk::to_text(work) == R"(calc_pi

span          1.00 s

samples        median  smallest  largest  count
epoch_time    2.25 ms   1.00 ms  3.00 ms      4
none              n/a       n/a      n/a      0
odd               n/a       n/a      n/a      2

                 rate     50 %  99 %  largest  succeeded  failed   CPU
hello         800.0/s  5.00 ms   n/a  29.0 ms        200       0  15 %
empty row         n/a      n/a   n/a      n/a          0       0   n/a

comparison    slower: 1.050 times the base, 1.040 to 1.062 at 99 % (single run)
comparison    undecided: no ratio

note: empty row: Of the row. [code]
)");
}

TEST_CASE("a result without anything is still a report") {
    CHECK(bk::to_text(bk::result{}) == "a result without a name\n");
}

TEST_CASE("figures that are no figures are n/a, and nothing reaches the terminal that it would obey") {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    bk::result odd = made::http_load();
    odd.elapsed_seconds = nan;
    odd.rate = std::numeric_limits<double>::infinity();
    odd.resources = bk::run_resources{nan, nan, -1, 0, 0, nan};
    odd.parameters["think_time_seconds"] = nan;
    odd.attributes["http.server"] = std::string("evil\x1B[2J\n");
    odd.samples["s"].values = {nan};
    bk::comparison compared;
    compared.ratio = nan;
    compared.interval = bk::interval{nan, nan};
    odd.comparisons = {compared};
    const std::string text = bk::to_text(odd);
    CHECK_FALSE(contains(text, "nan"));
    CHECK_FALSE(contains(text, "inf"));
    CHECK_FALSE(contains(text, "\x1B"));
    CHECK(contains(text, "rate          n/a succeeded\n"));
    CHECK_FALSE(is_untidy(text));
}
