#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "support/golden.hpp"
#include "support/program.hpp"
#include "support/scripted_server.hpp"
#include "support/served.hpp"

namespace {

const std::string hello_world = "/api/v1/sync/benchmark-hello-world";

// The report from the Benchmarking line on; ab's doubts of single rows, which depend on the machine, left out.
std::string report_of(const tests::outcome& run) {
    std::istringstream lines(run.out.substr(run.out.find('\n') + 1));
    std::string text;
    for (std::string line; std::getline(lines, line);) {
        const bool doubt = line.starts_with("WARNING: ") || line.starts_with("ERROR: ");
        if (doubt) std::getline(lines, line);
        if (!doubt) text += line + "\n";
    }
    return text;
}

// The number behind a label.
double figure(const std::string& report, const std::string& label, std::size_t occurrence = 0) {
    std::size_t place = report.find(label);
    for (; occurrence > 0; --occurrence) place = report.find(label, place + 1);
    REQUIRE(place != std::string::npos);
    return std::stod(report.substr(place + label.size()));
}

// That `value` is what `exact` rounds to, where `exact` was made from a time that is rounded to 0.5 ms.
void check_rounded(double value, double exact, double seconds) {
    CHECK(std::abs(value - exact) <= exact * 0.0005 / seconds + 0.006);
}

std::string content_of(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("the seed's ab line: counts, equations and, from the saved result, the same text") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    const auto run =
        tests::run_program({"ab", "-c", "10", "-n", "5000", "-k", "--output", saved, server.url(hello_world)});
    CHECK(run.code == 0);
    CHECK(run.out.starts_with("This is benchkit "));
    CHECK(tests::golden("ab-keepalive.txt").difference(report_of(run)) == "");
    CHECK(server.requests() == 5'000);

    const double seconds = figure(run.out, "Time taken for tests:");
    const double rate = figure(run.out, "Requests per second:");
    check_rounded(rate, 5'000 / seconds, seconds);
    CHECK(std::abs(figure(run.out, "Time per request:") - 10'000 / rate) <= 0.001);
    CHECK(std::abs(figure(run.out, "Time per request:", 1) - 1'000 / rate) <= 0.001);
    check_rounded(figure(run.out, "Transfer rate:"), figure(run.out, "Total transferred:") / seconds / 1024,
                  seconds);

    const std::string text = run.out.substr(run.out.find('\n') + 1);
    CHECK(tests::run_program({"load", "--from", saved, "--format", "ab"}).out == text);
    CHECK(tests::run_program({"ab", "--from", saved}).out == run.out);
}

TEST_CASE("reports have the shape of ab's, and saved ones keep the options") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string saved = folder.file("run.json");
    const std::string body = folder.file("body");
    std::ofstream(body) << "hello";
    struct one_case {
        const char* expected;
        std::vector<std::string> arguments;
        const char* path;
    };
    const std::vector<one_case> cases{
        {"ab-close.txt", {"-c", "10", "-n", "500"}, "/benchmark"},
        {"ab-404-q.txt", {"-qkc5", "-n100"}, "/nothing"},
        {"ab-S-d-l.txt", {"-kSdl", "-c", "2", "-n", "100"}, "/"},
        {"ab-post.txt", {"-kp", body, "-c2", "-n100"}, "/"},
    };
    for (const one_case& each : cases) {
        CAPTURE(each.expected);
        std::vector<std::string> arguments{"ab", "--output", saved};
        arguments.insert(arguments.end(), each.arguments.begin(), each.arguments.end());
        arguments.push_back(server.url(each.path));
        const auto run = tests::run_program(arguments);
        CHECK(run.code == 0);
        CHECK(tests::golden(each.expected).difference(report_of(run)) == "");
        CHECK(tests::run_program({"ab", "--from", saved}).out == run.out);
    }
}

TEST_CASE("progress is told on standard error, beyond 150 requests and without -q") {
    const tests::served server;
    const auto run = tests::run_program({"ab", "-n", "1000", "-k", server.url()});
    CHECK(run.err.starts_with(
        "Completed 100 requests\nCompleted 200 requests\nCompleted 300 requests\nCompleted 400 requests\n"
        "Completed 500 requests\nCompleted 600 requests\nCompleted 700 requests\nCompleted 800 requests\n"
        "Completed 900 requests\nCompleted 1000 requests\nFinished 1000 requests\n"));
    CHECK(tests::run_program({"ab", "-n", "151", "-k", server.url()})
              .err.starts_with("Completed 100 requests\nFinished 151 requests\n"));
    CHECK(tests::run_program({"ab", "-n", "150", "-k", server.url()}).err.find("Finished") ==
          std::string::npos);
    CHECK(tests::run_program({"ab", "-n", "1000", "-kq", server.url()}).err.empty());
}

TEST_CASE("requests are ab's to the byte") {
    std::string head;
    std::mutex head_mutex;
    const tests::scripted_server server([&](tests::peer& client) {
        {
            const std::scoped_lock lock(head_mutex);
            head = client.read_head();
        }
        client.write("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
        client.wait_for_close();  // a body that is not read would make the close a reset
    });
    const std::string authority = server.url("").substr(std::string("http://").size());
    const auto ask = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "ab");
        arguments.push_back(server.url("/x?y=1"));
        CHECK(tests::run_program(arguments).code == 0);
        const std::scoped_lock lock(head_mutex);
        return head;
    };
    const std::string end = "Host: " + authority + "\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n";
    CHECK(ask({}) == "GET /x?y=1 HTTP/1.0\r\n" + end + "\r\n");
    CHECK(ask({"-k"}) == "GET /x?y=1 HTTP/1.0\r\nConnection: Keep-Alive\r\n" + end + "\r\n");
    CHECK(ask({"-C", "a=b", "-A", "user:password", "-H", "X-One: 1", "-H", "X-Two:2", "-m", "DELETE"}) ==
          "DELETE /x?y=1 HTTP/1.0\r\nCookie: a=b\r\nAuthorization: Basic dXNlcjpwYXNzd29yZA==\r\n"
          "X-One: 1\r\nX-Two: 2\r\n" +
              end + "\r\n");
    CHECK(ask({"-H", "User-Agent: other"}) ==
          "GET /x?y=1 HTTP/1.0\r\nHost: " + authority + "\r\nUser-Agent: other\r\nAccept: */*\r\n\r\n");

    tests::scratch_folder folder;
    const std::string body = folder.file("body");
    std::ofstream(body) << "hello";
    CHECK(ask({"-p", body}) ==
          "POST /x?y=1 HTTP/1.0\r\n" + end + "Content-Length: 5\r\nContent-Type: text/plain\r\n\r\n");
    CHECK(ask({"-u", body, "-T", "application/json"}) ==
          "PUT /x?y=1 HTTP/1.0\r\n" + end + "Content-Length: 5\r\nContent-Type: application/json\r\n\r\n");
}

TEST_CASE("HEAD has no body") {
    const tests::served server;
    const auto run = tests::run_program({"ab", "-ik", "-n", "20", server.url()});
    CHECK(run.code == 0);
    CHECK(figure(run.out, "Complete requests:") == 20);
    CHECK(figure(run.out, "HTML transferred:") == 0);
}

TEST_CASE("a time limit stands for 50,000 requests, unless -n follows") {
    const tests::served server;
    const auto many = tests::run_program({"ab", "-n", "7", "-t", "1", "-kc2", server.url()});
    CHECK(many.code == 0);
    CHECK(figure(many.out, "Complete requests:") > 7);
    CHECK(figure(many.out, "Time taken for tests:") <= 1.05);
    const auto seven = tests::run_program({"ab", "-t", "100", "-n", "7", "-kc2", server.url()});
    CHECK(figure(seven.out, "Complete requests:") == 7);
}

TEST_CASE("-e and -g write ab's files") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string csv = folder.file("e.csv");
    const std::string tsv = folder.file("g.tsv");
    CHECK(tests::run_program({"ab", "-n", "40", "-e", csv, "-g", tsv, server.url()}).code == 0);
    const auto percentiles = lines_of(content_of(csv));
    REQUIRE(percentiles.size() == 102);
    CHECK(percentiles.front() == "Percentage served,Time in ms");
    CHECK(percentiles.back().starts_with("100,"));
    const auto records = lines_of(content_of(tsv));
    REQUIRE(records.size() == 41);
    CHECK(records.front() == "starttime\tseconds\tctime\tdtime\tttime\twait");
}

TEST_CASE("without -r the run ends at the first socket error, with a report") {
    // Every third connection is reset once its request has come.
    std::atomic<int> connections = 0;
    const tests::scripted_server server([&](tests::peer& client) {
        client.read_head();
        if (++connections % 3 == 0) return client.reset();
        client.write("HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    const auto ended = tests::run_program({"ab", "-n", "30", server.url()});
    CHECK(ended.code == 1);
    CHECK(figure(ended.out, "Complete requests:") == 2);
    CHECK(figure(ended.out, "Failed requests:") == 1);
    CHECK(ended.err.find("benchkit: the run ended at its first error, as ab's does without -r: ") !=
          std::string::npos);

    connections = 0;
    const auto whole = tests::run_program({"ab", "-r", "-n", "30", server.url()});
    CHECK(whole.code == 0);
    CHECK(figure(whole.out, "Complete requests:") == 20);
    CHECK(figure(whole.out, "Failed requests:") == 10);
    CHECK(whole.out.find("(Connect: 0, Receive: 10, Length: 0, Exceptions: 0)") != std::string::npos);
}

TEST_CASE("a kept connection that the server has closed in order is no error to end at") {
    // It answers twice on a connection and reads a third request, so that no unread byte makes the end a reset.
    const tests::scripted_server server([&](tests::peer& client) {
        for (int answers = 0; answers < 2 && !client.read_head().empty(); ++answers) {
            client.write("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nok");
        }
        client.read_head();
    });
    const auto run = tests::run_program({"ab", "-k", "-n", "30", server.url()});
    CHECK(run.code == 0);
    CHECK(figure(run.out, "Complete requests:") == 20);
}

TEST_CASE("answers of another length have failed, unless -l") {
    std::atomic<int> answers = 0;
    const tests::scripted_server server([&](tests::peer& client) {
        client.read_head();
        client.write(++answers % 2 == 0 ? "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nodd"
                                        : "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    const auto strict = tests::run_program({"ab", "-n", "10", server.url()});
    CHECK(strict.code == 0);
    CHECK(
        strict.out.find("Failed requests:        5\n   (Connect: 0, Receive: 0, Length: 5, Exceptions: 0)\n") !=
        std::string::npos);
    answers = 0;
    const auto lenient = tests::run_program({"ab", "-l", "-n", "10", server.url()});
    CHECK(lenient.out.find("Document Length:        Variable\n") != std::string::npos);
    CHECK(lenient.out.find("Failed requests:        0\n") != std::string::npos);
}
