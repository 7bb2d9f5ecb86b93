#include <doctest/doctest.h>

#include <signal.h>

#include <cstdint>
#include <regex>
#include <string>
#include <vector>

#include <benchkit/result/check.hpp>
#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/scalars.hpp>

#include "support/file_text.hpp"
#include "support/program.hpp"
#include "support/scratch_folder.hpp"
#include "support/served.hpp"

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

bool matches(const std::string& text, const std::string& pattern) {
    return std::regex_search(text, std::regex(pattern));
}

/// What a wrong command line is told, behind the program's name.
std::string refusal(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "matrix");
    const auto run = tests::run_program(std::move(arguments));
    CHECK(run.code == 2);
    CHECK(run.out.empty());
    const std::string name = "benchkit: ";
    return run.err.starts_with(name) ? run.err.substr(name.size()) : run.err;
}

}  // namespace

TEST_CASE("two servers, with and without keep-alive: the table, the books, and the saved one again") {
    const tests::served one;
    const tests::served two;
    tests::scratch_folder folder;
    const std::string saved = folder.file("matrix.json");
    const auto run =
        tests::run_program({"matrix", "--target", "one=" + one.url(), "--target", "two=" + two.url(), "-c",
                            "2,5", "--keepalive", "both", "-n", "50", "-t", "2", "--repeat", "6", "-o", saved});
    CAPTURE(run.out);
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out.starts_with("matrix of one, two\n"));
    CHECK(contains(run.out, "order         6 rounds of 4 rows, the targets of a row in turns\n"));
    CHECK(contains(run.out, "runs          48 of 48 in "));
    for (const char* row : {"1 c=2,n=50,t=2,keepalive=yes", "2 c=2,n=50,t=2,keepalive=no ",
                            "3 c=5,n=50,t=2,keepalive=yes", "4 c=5,n=50,t=2,keepalive=no "}) {
        CHECK(matches(run.out, std::string(row) + R"( +[\d.]+/[\d.]+ +[\d.]+/[\d.]+\n)"));
    }
    CHECK(matches(run.out, R"(\n4 two +[\d.]+ +[\d.]+ to [\d.]+ +96.9 %\n)"));
    CHECK(matches(run.out, R"(\n2 one +300 +0 +0 +)"));
    CHECK(contains(run.out, "lost          no request\n"));
    // Three requests ask whether there is an answer.
    CHECK(one.requests() == 4 * 300 + 3);
    CHECK(two.requests() == 4 * 300 + 3);

    CHECK(tests::run_program({"matrix", "--from", saved}).out == run.out);
    CHECK(tests::run_program({"load", "--from", saved}).out == run.out);
    const std::string text = tests::file_text(saved);
    CHECK(tests::run_program({"matrix", "--from", saved, "--format", "json"}).out == text);
    const benchkit::result whole = benchkit::read_json(text);
    benchkit::check(whole);
    REQUIRE(whole.children.size() == 4);
    REQUIRE(whole.children[3].children.size() == 2);
    const benchkit::result& target = whole.children[3].children[1];
    CHECK(target.children.size() == 6);
    for (const char* share : {"client_busy_share", "server_busy_share", "machine_idle_share"}) {
        CAPTURE(share);
        const auto found = benchkit::find_number(target.attributes, share);
        REQUIRE(found.has_value());
        CHECK(*found >= 0);
        CHECK(*found <= 1);
    }
    CHECK(tests::run_program({"load", "--from", saved, "--format", "ab"}).code == 2);
}

TEST_CASE("rows one by one, with what is left out from the other options") {
    const tests::served server;
    const auto run =
        tests::run_program({"matrix", "--target", "it=" + server.url(), "--row", "c=3,keepalive=no", "--row",
                            "n=7,t=2", "-n", "9", "--repeat", "1", "--reset-on-close"});
    CHECK(run.code == 0);
    CHECK(contains(run.out, "1 c=3,n=9,t=1,keepalive=no "));
    CHECK(contains(run.out, "2 c=10,n=7,t=2,keepalive=yes "));
    CHECK_FALSE(contains(run.out, "beside"));
}

TEST_CASE("a requirement is one of each target in each row") {
    const tests::served fine;
    const tests::served broken{{"--status", "503:0.5"}};
    const auto run =
        tests::run_program({"matrix", "--target", "fine=" + fine.url(), "--target", "broken=" + broken.url(),
                            "-n", "200", "--repeat", "1", "--fail-if", "errors>0"});
    CHECK(run.code == 1);
    CHECK(run.err.starts_with(
        "benchkit: not met by broken in c=10,n=200,t=1,keepalive=yes: errors>0: errors is "));
    CHECK_FALSE(contains(run.err, "fine"));
    CHECK(matches(run.out, R"(\nfailures +1 broken: \d+ status; the first: status 503\n)"));
}

TEST_CASE("Ctrl-C ends a matrix with a full report of what was measured") {
    const tests::served one{{"--delay", "fixed:20ms"}};
    const tests::served two{{"--delay", "fixed:20ms"}};
    tests::scratch_folder folder;
    const std::string saved = folder.file("matrix.json");
    tests::process run({"matrix", "--target", "one=" + one.url(), "--target", "two=" + two.url(), "-d", "200ms",
                        "-o", saved, "--repeat", "1000"},
                       tests::sink::pipe, tests::sink::terminal);
    CHECK(contains(run.err.wait_for("run 4 of 2,000: "), "one, c=10,d=200ms,t=1,keepalive=yes, "));
    run.send(SIGINT);
    CHECK(run.wait() == 130);
    const std::string text = run.out.all();
    CHECK(contains(text, "runs          4 of 2,000 in "));
    CHECK(contains(text, "warning: The run was interrupted by signal 2 after "));
    CHECK(tests::run_program({"matrix", "--from", saved}).out == text);
}

TEST_CASE("a target that does not answer is found before anything is measured") {
    const tests::served server;
    const auto run = tests::run_program(
        {"matrix", "--target", "it=" + server.url(), "--target", "gone=http://127.0.0.1:1/"});
    CHECK(run.code == 3);
    CHECK(run.err == "benchkit: nothing could be measured: gone: connect 127.0.0.1:1: Connection refused\n");
    CHECK(server.requests() == 3);
}

TEST_CASE("what is wrong is refused with its place, before anything starts") {
    const std::string target = "it=http://127.0.0.1:1/";
    CHECK(refusal({}) == "--target: one or more are needed, as NAME=URL; or --from FILE\n");
    CHECK(refusal({"--target", "http://127.0.0.1:1/?a=b"}) ==
          "--target = http://127.0.0.1:1/?a=b: at column 1, there is no name; allowed is NAME=URL, such as "
          "nginx=http://localhost:8080/\n");
    CHECK(refusal({"--target", "it=http//x"}).starts_with("--target = it=http//x: at column 4, "));
    CHECK(refusal({"--target", target, "--target", target}) ==
          "--target = it: this name stands for another target already\n");
    CHECK(refusal({"--target", target, "-c", "1,,2"}) ==
          "-c/--connections = 1,,2: at column 3, a missing count of 1 to 1000000 connections; allowed is a "
          "list such as "
          "100,1000,10000\n");
    CHECK(refusal({"--target", target, "--row", "c=100,n=x"})
              .starts_with("--row = c=100,n=x: at column 9, \"x\" is no "));
    CHECK(refusal({"--target", target, "--row", "c=1", "-c", "2"}) ==
          "-c/--connections = 2: this does not go with --row\n");
    CHECK(refusal({"--target", target, "--rows", "mine"}) == "--rows = mine: allowed is seed\n");
    CHECK(refusal({"--target", target, "--rows", "seed", "--scale", "x"}) ==
          "--scale = x: allowed is a number such as 0.01\n");
    CHECK(refusal({"--target", target, "--scale", "1"}) == "--scale = 1: this goes with --rows\n");
    CHECK(refusal({"--target", target, "--keepalive", "often"}) ==
          "--keepalive = often: allowed is yes, no or both\n");
    CHECK(refusal({"--target", target, "--repeat", "0"}) == "--repeat = 0: allowed is 1 to 10000\n");
    CHECK(refusal({"--target", target, "--format", "ab"}) == "--format = ab: allowed is text or json\n");
    CHECK(refusal({"--target", target, "--insecure"}).starts_with("--cacert, --insecure: these need a target"));
    CHECK(refusal({"--target", target, "-o", "/nowhere/matrix.json"})
              .starts_with("-o/--output = /nowhere/matrix.json: "));
}

TEST_CASE("--from takes a matrix alone") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("load.json");
    CHECK(tests::run_program({"load", "-n", "5", "-o", saved, server.url()}).code == 0);
    CHECK(refusal({"--from", saved}) ==
          "--from = " + saved + ": this is the result of a load; benchkit load --from prints it\n");
    CHECK(refusal({"--from", saved, "-n", "5"}) ==
          "-n/--requests: this does not go with --from, which prints a saved result\n");
}
