#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <benchkit/http/server.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/scalars.hpp>

#include "support/program.hpp"
#include "support/scratch_folder.hpp"
#include "support/scripted_server.hpp"
#include "support/served.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// Runs `benchkit load` and returns the result that it prints.
bk::result load(std::vector<std::string> arguments, int expected_code = 0) {
    arguments.insert(arguments.begin(), {"load", "--format", "json"});
    const auto run = tests::run_program(std::move(arguments));
    CHECK(run.code == expected_code);
    bk::result measured = bk::read_json(run.out);
    bk::check(measured);
    return measured;
}

// Waits until the server has answered so many that a report of them has figures.
void wait_until_loaded(const tests::served& server) {
    while (server.requests() < 100) std::this_thread::yield();
}

}  // namespace

TEST_CASE("the books balance and equal the server's count") {
    const std::vector<std::vector<std::string>> cases{
        {"-c", "7", "-n", "10001", "-t", "2"}, {"-c", "50", "-n", "49"}, {"-d", "1s", "-t", "2"}, {"-n", "1"},
        {"-n", "300", "--no-keepalive"},
    };
    for (const auto& arguments : cases) {
        CAPTURE(arguments.back());
        const tests::served server;
        std::vector<std::string> all = arguments;
        all.push_back(server.url("/benchmark"));
        const bk::result measured = load(all);
        CHECK(measured.counter("requests_sent") == server.requests());
        CHECK(measured.counter("connections_opened") == server.stats("connections"));
        CHECK(measured.counter("started") == server.requests());
        CHECK(measured.counter("succeeded") == measured.counter("scheduled"));
        CHECK(measured.counter("body_bytes_received") == 20 * measured.counter("succeeded"));
    }
}

TEST_CASE("a server that resets after reading every hundredth request") {
    http::server server;
    std::atomic<int> answers = 0;
    server.route("/", [&](const http::received_request&) {
        return ++answers % 100 == 0 ? http::reply().reset() : http::reply("ok");
    });
    server.start();
    const bk::result measured = load({"-c", "5", "-n", "2000", "-t", "2", server.url()});
    CHECK(measured.counter("started") == 2'000);
    CHECK(measured.counter("failed") == 20);
    CHECK(measured.counter("requests_sent") == server.requests());
}

TEST_CASE("options reach the run") {
    const tests::served server;
    const bk::result measured = load({"-c",
                                      "3",
                                      "-n",
                                      "60",
                                      "-t",
                                      "2",
                                      "--timeout",
                                      "3s",
                                      "--connect-timeout",
                                      "2s",
                                      "--warmup",
                                      "50ms",
                                      "--drain",
                                      "1s",
                                      "--seed",
                                      "7",
                                      "--think-time",
                                      "1ms",
                                      "--no-keepalive",
                                      server.url("/benchmark")});
    const bk::attributes& parameters = measured.parameters;
    CHECK(bk::find_integer(parameters, "clients") == 3);
    CHECK(bk::find_integer(parameters, "operations") == 60);
    CHECK(bk::find_integer(parameters, "shards") == 2);
    CHECK(bk::find_integer(parameters, "seed") == 7);
    CHECK(bk::find_number(parameters, "timeout_seconds") == 3);
    CHECK(bk::find_number(parameters, "connect_timeout_seconds") == 2);
    CHECK(bk::find_number(parameters, "warmup_seconds") == 0.05);
    CHECK(bk::find_number(parameters, "drain_seconds") == 1);
    CHECK(bk::find_number(parameters, "think_time_seconds") == 0.001);
    CHECK(bk::find_truth(parameters, "keep_alive") == false);
    CHECK(bk::find_text(parameters, "http_version") == "1.1");
    CHECK(measured.counter("warmup.started") > 0);
    CHECK(measured.counter("succeeded") == 60);
}

TEST_CASE("the defaults are those that the help tells") {
    const tests::served server;
    const bk::attributes parameters = load({"-n", "20", server.url()}).parameters;
    CHECK(bk::find_integer(parameters, "clients") == 10);
    CHECK(bk::find_integer(parameters, "shards") == 1);
    CHECK(bk::find_integer(parameters, "seed") == 1);
    CHECK(bk::find_number(parameters, "timeout_seconds") == 10);
    CHECK(bk::find_number(parameters, "connect_timeout_seconds") == 5);
    CHECK(bk::find_number(parameters, "warmup_seconds") == 0);
    CHECK(bk::find_number(parameters, "drain_seconds") == 10);
    CHECK(bk::find_truth(parameters, "keep_alive") == true);
    CHECK(!parameters.contains("duration_seconds"));
}

TEST_CASE("a saved result gives every report again, byte for byte") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    for (const std::string format : {"text", "ab", "wrk", "json"}) {
        CAPTURE(format);
        const auto run = tests::run_program(
            {"load", "-n", "3000", "-t", "2", "--format", format, "-o", saved, server.url()});
        CHECK(run.code == 0);
        CHECK(run.out.size() > 300);
        const auto again = tests::run_program({"load", "--from", saved, "--format", format});
        CHECK(again.code == 0);
        CHECK(again.out == run.out);
        CHECK(again.err == run.err);
    }
}

TEST_CASE("in the words of wrk, with the rates of each shard, and the percentiles where they are asked for") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    const auto run = tests::run_program(
        {"load", "-d", "500ms", "-t", "2", "--format", "wrk", "--latency", "-o", saved, server.url()});
    CHECK(run.code == 0);
    std::ifstream file(saved);
    std::ostringstream text;
    text << file.rdbuf();
    const bk::result measured = bk::read_json(text.str());
    // 5 intervals of each shard; the last has an answer behind it, which was in flight at the end.
    CHECK(measured.distributions.at("shard_rate").values.count() <= 10);
    CHECK(measured.distributions.at("shard_rate").values.count() >= 8);
    const std::string start = "Running 0s test @ " + server.url() +
                              "\n  2 threads and 10 connections\n"
                              "  Thread Stats   Avg      Stdev     Max   +/- Stdev\n    Latency  ";
    CHECK(run.out.starts_with(start));
    CHECK(run.out.find("\n  " + std::to_string(measured.counter("succeeded")) + " requests in ") !=
          std::string::npos);
    CHECK(tests::run_program({"load", "--from", saved, "--format", "wrk"}).out == run.out);

    const std::size_t percentiles = run.out.find("  Latency Distribution\n     50%  ");
    REQUIRE(percentiles != std::string::npos);
    const auto plain = tests::run_program({"load", "-n", "500", "--format", "wrk", "-o", saved, server.url()});
    CHECK(plain.out.find("Latency Distribution") == std::string::npos);
    const auto more = tests::run_program({"load", "--from", saved, "--format", "wrk", "--latency"});
    CHECK(more.out.find("  Latency Distribution\n     50%  ") != std::string::npos);
    CHECK(more.err.find("500 requests are too few for the percentiles from 99 % up") != std::string::npos);
}

TEST_CASE("Ctrl-C and SIGTERM end a run at once, with a full report") {
    for (const int signal : {SIGINT, SIGTERM}) {
        for (const std::string shards : {"1", "2"}) {
            CAPTURE(signal);
            CAPTURE(shards);
            const tests::served server;
            tests::process run({"load", "-d", "60s", "-t", shards, server.url()});
            wait_until_loaded(server);
            const auto sent_at = std::chrono::steady_clock::now();
            run.send(signal);
            CHECK(run.wait() == 128 + signal);
            CHECK(std::chrono::steady_clock::now() - sent_at < 1s);
            const std::string report = run.out.all();
            CHECK(report.find("ended by interrupt") != std::string::npos);
            CHECK(report.find("service time") != std::string::npos);
            CHECK(report.find("[interrupted]") != std::string::npos);
        }
    }
}

TEST_CASE("an interrupted ab run reports too") {
    const tests::served server;
    tests::process run({"ab", "-t", "60", "-n", "100000000", "-k", server.url()});
    wait_until_loaded(server);
    run.send(SIGINT);
    CHECK(run.wait() == 130);
    CHECK(run.out.all().find("(longest request)") != std::string::npos);
}

TEST_CASE("where nothing can be measured the code is 3, the report is there and one sentence says why") {
    const std::string refused = "127.0.0.1:" + std::to_string(tests::closed_port());
    const std::vector<std::vector<std::string>> starts{
        {"load"}, {"load", "-t", "2"}, {"ab", "-n", "10", "-c", "2"}};
    for (const auto& start : starts) {
        std::vector<std::string> arguments = start;
        arguments.push_back("http://" + refused + "/");
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 3);
        CHECK(run.err == "benchkit: nothing could be measured: connect " + refused + ": Connection refused\n");
        CHECK(!run.out.empty());
    }
    const auto nowhere = tests::run_program({"load", "http://host.invalid/"});
    CHECK(nowhere.code == 3);
    CHECK(nowhere.err.starts_with("benchkit: nothing could be measured: resolve host.invalid: "));
}

TEST_CASE("a run in which every answer was a 500 was measured") {
    http::server server;
    server.route("/", http::reply(500, "no"));
    server.start();
    const bk::result measured = load({"-n", "30", server.url()});
    CHECK(measured.counter("failed.status") == 30);
    CHECK(tests::run_program({"ab", "-n", "30", server.url()}).code == 0);
}

TEST_CASE("warnings go to standard error unless --quiet, and the text has them in itself") {
    http::server server;
    std::atomic<int> answers = 0;
    server.route("/",
                 [&](const http::received_request&) { return http::reply(++answers % 2 == 0 ? 500 : 200); });
    server.start();
    const std::string warning = "benchkit: warning: 15 operations of 30 failed";
    for (const std::string format : {"ab", "json"}) {
        const auto loud = tests::run_program({"load", "-n", "30", "--format", format, server.url()});
        CHECK(loud.err.find(warning) != std::string::npos);
        const auto quiet =
            tests::run_program({"load", "-n", "30", "--quiet", "--format", format, server.url()});
        CHECK(quiet.err.empty());
    }
    const auto text = tests::run_program({"load", "-n", "30", server.url()});
    CHECK(text.err.empty());
    CHECK(text.out.find("warning: 15 operations of 30 failed") != std::string::npos);
}

TEST_CASE("a terminal gets a line of progress, which is gone at the end") {
    const tests::served server;
    const auto run =
        tests::run_program({"load", "-d", "500ms", server.url()}, tests::sink::pipe, tests::sink::terminal);
    CHECK(run.code == 0);
    CHECK(run.err.starts_with("\r"));
    CHECK(run.err.find(" of 500 ms, ") != std::string::npos);
    CHECK(run.err.find(" done, ") != std::string::npos);
    CHECK(run.err.ends_with(" \r"));
    CHECK(run.err.find('\n') == std::string::npos);
    CHECK(tests::run_program({"load", "-d", "500ms", "--quiet", server.url()}, tests::sink::pipe,
                             tests::sink::terminal)
              .err.empty());
    CHECK(tests::run_program({"load", "-d", "500ms", server.url()}).err.empty());
}

TEST_CASE("a requirement that is not met is said, with exit code 1; a saved result can be judged, too") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("saved.json");
    const auto run = tests::run_program({"load", "-n", "50", "-o", saved, "--fail-if", "p50>10s", "--fail-if",
                                         "errors>=0", "--fail-if", "p99>1h", server.url()});
    CHECK(run.code == 1);
    CHECK(run.err ==
          "benchkit: not met: errors>=0: errors is 0\n"
          "benchkit: not met: p99>1h: p99 is not available: 50 operations are too few for it\n");
    CHECK(tests::run_program({"load", "-n", "50", "--fail-if", "errors>0", server.url()}).code == 0);
    CHECK(tests::run_program({"load", "--from", saved, "--fail-if", "errors>0"}).code == 0);
    const auto again = tests::run_program({"load", "--from", saved, "--fail-if", "rate<1G"});
    CHECK(again.code == 1);
    CHECK(again.err.starts_with("benchkit: not met: rate<1G: rate is "));
}

TEST_CASE("too many errors end a run, with exit code 1 and a full report") {
    const tests::served server({"--status", "503:0.9"});
    const auto run = tests::run_program({"load", "-d", "30s", "--abort-on", "errors>50%", server.url()});
    CHECK(run.code == 1);
    CHECK(run.out.find("ended by abort-on") != std::string::npos);
    CHECK(run.err.starts_with("benchkit: the run was ended by its errors: "));
}

TEST_CASE("answers are judged by what is expected of them") {
    const tests::served server;
    const std::string url = server.url("/api/v1/sync/benchmark-hello-world");
    CHECK(tests::run_program({"load", "-n", "10", "--expect", "status=2xx", "--expect", "json:/data=ok",
                              "--fail-if", "errors>0", url})
              .code == 0);
    const auto wrong =
        tests::run_program({"load", "-n", "10", "--expect", "json:/data=bad", "--fail-if", "errors>0", url});
    CHECK(wrong.code == 1);
    CHECK(wrong.err == "benchkit: not met: errors>0: errors is 10\n");
    CHECK(wrong.out.find("assertion") != std::string::npos);
}

TEST_CASE("a rate makes an open loop, whose schedule is kept") {
    const tests::served server;
    const bk::result constant =
        load({"-r", "400", "-d", "500ms", "-c", "4", "-t", "2", "--spin", "50us", server.url()});
    CHECK(constant.counter("scheduled") == 200);
    CHECK(constant.counter("succeeded") == 200);
    CHECK(constant.find_distribution("response_time") != nullptr);
    CHECK(constant.parameters.at("loop") == bk::attribute(std::string("open")));
    CHECK(constant.parameters.at("arrivals") == bk::attribute(std::string("400")));
    CHECK(constant.parameters.at("connections") == bk::attribute(std::int64_t{4}));
    const bk::result staged = load({"-r", "stages:100x200ms,500x200ms", server.url()});
    CHECK(staged.counter("scheduled") == 120);
    const bk::result random = load({"--rate", "poisson:500", "-n", "50", server.url()});
    CHECK(random.counter("succeeded") == 50);
    tests::scratch_folder folder;
    const std::string trace = folder.file("trace");
    std::ofstream(trace) << "0\n0.1\n0.1\n0.15\n";
    CHECK(load({"-r", "trace:" + trace, server.url()}).counter("succeeded") == 4);
    CHECK(server.requests() == 200 + 120 + 50 + 4);
}

TEST_CASE("what a schedule cannot be is refused before anything starts") {
    const tests::served server;
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"-r", "0"}, "-r/--rate = 0: at column 1, \"0\" is no rate of 0.000001 to 1000000000 per second"},
        {{"-r", "stages:1x1s", "-d", "5s"}, "-d/--duration = 5.00 s: stages bring a duration of their own"},
        {{"-r", "5", "-p", "4"}, "-p/--pipeline = 4: an open loop has one request in flight"},
        {{"-r", "5", "--think-time", "1s"}, "--think-time and -r/--rate: only one of them can be given"},
        {{"-r", "ramp:1..5", "-n", "5"}, "a ramp runs over the duration of the run: give one"},
        {{"-r", "5", "-c", "1", "-t", "2"},
         "-c/--connections = 1: allowed is 2 to 1000000, at least one for each"},
        {{"-r", "poisson:x"}, "-r/--rate"},
        {{"--spin", "2s"}, "--spin = 2.00 s: allowed is 0 s to 1 s"},
    };
    for (const auto& [more, sentence] : cases) {
        CAPTURE(sentence);
        std::vector<std::string> arguments{"load", server.url()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 2);
        CHECK(run.err.find(sentence) != std::string::npos);
        CHECK(run.out.empty());
    }
    CHECK(server.requests() == 0);
}

TEST_CASE("several URLs by weight, and a file of requests in its order") {
    const tests::served server;
    const bk::result weighted =
        load({"-n", "400", "-t", "2", "--url-weight", server.url("/benchkit/stats?a=1") + "=3", server.url()});
    CHECK(weighted.counter("step.GET /benchkit/stats?a=1.succeeded") == 300);
    CHECK(weighted.counter("step.GET /.succeeded") == 100);
    tests::scratch_folder folder;
    const std::string file = folder.file("requests");
    std::ofstream(file)
        << "{\"url\": \"/\"}\n{\"method\": \"POST\", \"url\": \"/?n={seq}\", \"body\": \"{uuid}\"}\n";
    const bk::result once = load({"--requests-file", file, "--order", "sequence", server.url()});
    CHECK(once.counter("succeeded") == 2);
    const bk::result shuffled =
        load({"--requests-file", file, "--order", "shuffle", "-n", "100", "-H", "X-A: {seq}", server.url()});
    CHECK(shuffled.counter("step.GET /.succeeded") == 50);
    CHECK(load({"-n", "10", "-b", "{\"id\": {random:1..9}}", server.url("/?n={seq}")}).counter("succeeded") ==
          10);
}

TEST_CASE("lists of requests that cannot be are refused before anything starts") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string broken = folder.file("broken");
    std::ofstream(broken) << "{\"url\": \"/\"}\n{\"url\": }\n";
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--requests-file", broken}, "--requests-file = " + broken + ": line 2 is no JSON: "},
        {{"--requests-file", "/nowhere/x"}, "--requests-file = /nowhere/x: "},
        {{"--requests-file", broken, "-X", "PUT"}, "--requests-file: its requests have a method and a body"},
        {{"--requests-file", broken, "--url-weight", "/=1"}, "--url-weight and --requests-file: only one"},
        {{"--url-weight", "/a"}, "--url-weight = /a: allowed is URL=WEIGHT"},
        {{"--url-weight", "/a=0"}, "--url-weight = /a=0: the weight behind the last = is a whole number"},
        {{"--url-weight", "http://other/=1"},
         "--url-weight = http://other/: all requests of a load go to one server"},
        {{"--order", "random"}, "--order = random: allowed is cycle, shuffle or sequence"},
        {{"-b", "{sec}"}, "{sec}: is no placeholder; allowed are {seq}"},
    };
    for (const auto& [more, sentence] : cases) {
        CAPTURE(sentence);
        std::vector<std::string> arguments{"load", "-n", "10", server.url()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 2);
        CHECK(run.err.find(sentence) != std::string::npos);
    }
    CHECK(server.requests() == 0);
}

TEST_CASE("the largest rate under an objective, saved and printed again") {
    const tests::served server({"--delay", "fixed:5ms"});
    tests::scratch_folder folder;
    const std::string saved = folder.file("found.json");
    const auto run =
        tests::run_program({"load", "--find-max-rate", "--slo", "p90<100ms", "--slo", "errors<1%", "--point",
                            "200ms", "-r", "200", "-c", "4", "-o", saved, server.url()});
    CHECK(run.code == 0);
    CHECK(run.out.find("The largest rate at which p90<100ms, errors<1% holds is ") != std::string::npos);
    CHECK(tests::run_program({"load", "--from", saved}).out == run.out);
    std::ifstream file(saved);
    std::ostringstream text;
    text << file.rdbuf();
    const bk::result found = bk::read_json(text.str());
    CHECK(found.kind == "sweep");
    CHECK(found.rate.value_or(0) >= 200);
    CHECK(found.rate.value_or(0) <= 800);  // four connections of 5 ms
    bk::check(found);
    const auto missed = tests::run_program({"load", "--find-max-rate", "--slo", "p50<1ms", "--point", "200ms",
                                            "-r", "100", "--quiet", server.url()});
    CHECK(missed.code == 1);
    CHECK(missed.err.find("The objectives were missed even at ") != std::string::npos);
}

TEST_CASE("a search that cannot be is refused before anything starts") {
    const tests::served server;
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{"--find-max-rate"}, "--find-max-rate: it needs --slo"},
        {{"--slo", "p99<1s"}, "--slo: this goes with --find-max-rate"},
        {{"--find-max-rate", "--slo", "p99=1s"}, "--slo = p99=1s: allowed is a figure"},
        {{"--find-max-rate", "--slo", "p99<1s", "-n", "5"},
         "-n/--requests: this does not go with --find-max-rate"},
        {{"--find-max-rate", "--slo", "p99<1s", "--point", "0s"}, "--point = 0s: allowed is more than 0 s"},
        {{"--find-max-rate", "--slo", "p99<1s", "-r", "ramp:1..2"},
         "-r/--rate = ramp:1..2: with --find-max-rate"},
        {{"--find-max-rate", "--slo", "p99<1s", "--format", "ab"},
         "--format = ab: with --find-max-rate, allowed is"},
    };
    for (const auto& [more, sentence] : cases) {
        CAPTURE(sentence);
        std::vector<std::string> arguments{"load", server.url()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 2);
        CHECK(run.err.find(sentence) != std::string::npos);
    }
    CHECK(server.requests() == 0);
    const auto refused =
        tests::run_program({"load", "--find-max-rate", "--slo", "p99<1s", "http://127.0.0.1:9/"});
    CHECK(refused.code == 3);
    CHECK(refused.err.find("nothing could be measured: connect 127.0.0.1:9") != std::string::npos);
}

TEST_CASE("redirects are followed if asked, and are one operation with their request") {
    http::server server;
    server.route("/from",
                 [](const http::received_request&) { return http::reply(302).header("Location", "/to"); });
    server.route("/to", "there");
    server.start();
    const bk::result r = load(
        {"-n", "50", "-t", "2", "--follow-redirects", "--expect", "body-contains=there", server.url("/from")});
    CHECK(r.counter("succeeded") == 50);
    CHECK(r.counter("requests_sent") == 100);
    CHECK(r.counter("status.302") == 50);
    CHECK(r.counter("step.GET /from.succeeded") == 50);
    CHECK(load({"-n", "50", server.url("/from")}).counter("status.302") == 50);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"-p", "2"}, {"--format", "ab"}, {"-b", "{seq}"}, {"--url-weight", "/x=1"}}) {
        std::vector<std::string> arguments{"load", "-n", "5", "--follow-redirects", server.url("/from")};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 2);
        CHECK(run.err.find("--follow-redirects") != std::string::npos);
    }
}
