#include <doctest/doctest.h>

#include <signal.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "support/program.hpp"
#include "support/scripted_server.hpp"
#include "support/served.hpp"

namespace {

// The number before a word, such as 20 of "20 success".
long long figure(const std::string& report, const std::string& word) {
    const std::size_t end = report.find(word);
    REQUIRE(end != std::string::npos);
    const std::size_t begin = report.find_last_not_of("0123456789", end - 1);
    return std::stoll(report.substr(begin + 1));
}

}  // namespace

TEST_CASE("the six published lines, with smaller counts: nothing fails and saved ones give the same text") {
    const tests::served server{{"--route", "/hello=<p>Hello, world!</p>"}};
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    struct line {
        std::vector<std::string> arguments;
        long long connections;
        long long requests;
        bool keeps;
    };
    const std::vector<line> lines{
        {{"-c", "100", "-n", "10000", "-t", "16", "-k", "-q"}, 100, 10'000, true},
        {{"-c", "100", "-n", "2000", "-t", "12", "-q"}, 100, 2'000, false},
        {{"-c", "1000", "-n", "10000", "-t", "16", "-k", "-q"}, 1'000, 10'000, true},
        {{"-c", "1000", "-n", "2000", "-t", "16", "-q"}, 1'000, 2'000, false},
        {{"-c", "2000", "-n", "10000", "-t", "16", "-k", "-q"}, 2'000, 10'000, true},
        {{"-c", "2000", "-n", "2000", "-t", "16", "-q"}, 2'000, 2'000, false},
    };
    for (const line& each : lines) {
        const std::int64_t before = server.requests();
        std::vector<std::string> arguments{"httpress", "-o", saved};
        arguments.insert(arguments.end(), each.arguments.begin(), each.arguments.end());
        arguments.push_back(server.url("/hello"));
        const auto run = tests::run_program(arguments);
        CAPTURE(run.out);
        CHECK(run.code == 0);
        CHECK(run.err.empty());
        CHECK(tests::golden("httpress-q.txt").difference(run.out) == "");
        CHECK(figure(run.out, " success") == each.requests);
        CHECK(figure(run.out, " fail") == 0);
        CHECK(figure(run.out, " avg bytes") == 20);
        CHECK(figure(run.out.substr(run.out.find("avg overhead")), " bytes, ") == 20 * each.requests);
        const long long connects = figure(run.out, " connect,");
        CHECK(connects <= (each.keeps ? each.connections : each.requests));
        CHECK(figure(run.out, " (") <= each.connections);
        CHECK(server.requests() - before == each.requests);
        CHECK(tests::run_program({"httpress", "--from", saved}).out == run.out);
        CHECK(tests::run_program({"load", "--from", saved, "--format", "httpress"}).out == run.out);
    }
}

TEST_CASE("without -q the launches, the threads and an empty line stand above the totals") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    const auto run =
        tests::run_program({"httpress", "-n", "1001", "-c", "10", "-t", "2", "-k", "-o", saved, server.url()});
    CHECK(run.code == 0);
    CHECK(tests::golden("httpress-keepalive.txt").difference(run.out) == "");
    CHECK(tests::run_program({"httpress", "--from", saved}).out == run.out);
    const std::string totals = run.out.substr(run.out.find("TOTALS"));
    CHECK(tests::run_program({"httpress", "-q", "--from", saved}).out == totals);
    const std::string first = run.out.substr(run.out.find("thread 1"));
    const std::string second = run.out.substr(run.out.find("thread 2"));
    CHECK(figure(first, " success") + figure(second, " success") == 1'001);
    CHECK(figure(first, " connect") == 5);
    CHECK(figure(second, " connect") == 5);
}

TEST_CASE("launches are told while they happen, on standard output") {
    const tests::served server{{"--delay", "fixed:20ms"}};
    tests::process run({"httpress", "-n", "2000", "-c", "10", "-k", server.url()});
    CHECK(run.out.wait_for("launched").starts_with("500 requests launched\n"));
    run.send(SIGINT);
    CHECK(run.wait() == 130);
    const std::string text = run.out.all();
    CHECK(text.find("\n\nTOTALS:  10 connect, ") != std::string::npos);
    CHECK(text.find("2000 requests launched") == std::string::npos);
}

TEST_CASE("any status is a success for httpress, no answer is a failure") {
    const tests::served busy{{"--status", "503:1"}};
    const auto run = tests::run_program({"httpress", "-n", "100", "-c", "10", "-k", busy.url()});
    CHECK(run.code == 0);
    CHECK(figure(run.out, " success") == 100);
    CHECK(figure(run.out, " fail") == 0);

    const tests::served silent{{"--reset", "1"}};
    const auto lost = tests::run_program({"httpress", "-n", "100", "-c", "10", "-k", "-q", silent.url()});
    CHECK(lost.code == 3);
    CHECK(
        lost.out.starts_with("TOTALS:  100 connect, 100 requests, 0 success, 100 fail, 0 (0) real concurrency\n"
                             "TRAFFIC: 0 avg bytes, 0 avg overhead, 0 bytes, 0 overhead\n"));
    CHECK(lost.err.starts_with("benchkit: nothing could be measured: "));
}

TEST_CASE("requests are httpress's to the byte") {
    std::string head;
    std::mutex head_mutex;
    const tests::scripted_server server([&](tests::peer& client) {
        {
            const std::scoped_lock lock(head_mutex);
            head = client.read_head();
        }
        client.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
        client.wait_for_close();
    });
    const std::string authority = server.url("").substr(std::string("http://").size());
    const auto ask = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "httpress");
        arguments.push_back(server.url("/x?y=1"));
        CHECK(tests::run_program(arguments).code == 0);
        const std::scoped_lock lock(head_mutex);
        return head;
    };
    CHECK(ask({"-k"}) == "GET /x?y=1 HTTP/1.1\r\nHost: " + authority + "\r\nConnection: keep-alive\r\n\r\n");
    CHECK(ask({}) == "GET /x?y=1 HTTP/1.1\r\nHost: " + authority + "\r\nConnection: close\r\n\r\n");
}
