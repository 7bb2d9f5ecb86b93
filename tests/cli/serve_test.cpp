#include <doctest/doctest.h>

#include <unistd.h>

#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/file_text.hpp"
#include "support/program.hpp"
#include "support/served.hpp"

TEST_CASE("the built-in routes answer what the seeds answer") {
    const tests::served server;
    for (const char* path : {"/", "/benchmark"})
        CHECK(server.get(path).ends_with("\r\n\r\n<p>Hello, world!</p>"));
    const std::string answer = server.get("/api/v1/sync/benchmark-hello-world");
    CHECK(answer.starts_with("HTTP/1.1 200 "));
    CHECK(answer.find("Content-Type: application/json\r\n") != std::string::npos);
    CHECK(answer.ends_with("\r\n\r\n{\"data\":\"ok\"}"));
    CHECK(server.get("/other").starts_with("HTTP/1.1 404 "));
    CHECK(server.requests() == 4);
    CHECK(server.stats("connections") == 4);
}

TEST_CASE("routes of one's own, on several threads") {
    const tests::served server(
        {"--shards", "2", "--route", "/a=1=2", "--route", "/empty=", "--route", "/=mine"});
    CHECK(server.get("/a").ends_with("\r\n\r\n1=2"));
    CHECK(server.get("/empty").ends_with("Content-Length: 0\r\nConnection: close\r\n\r\n"));
    CHECK(server.get("/").ends_with("\r\n\r\nmine"));
}

TEST_CASE("Ctrl-C and SIGTERM are its ordinary end") {
    for (const int signal : {SIGINT, SIGTERM}) {
        tests::served server;
        server.program().send(signal);
        CHECK(server.program().wait() == 0);
        CHECK(server.program().err.all().empty());
    }
}

TEST_CASE("a port that is taken is refused, and the log is left as it was") {
    const tests::served server;
    const std::string port = std::to_string(server.port());
    tests::scratch_folder folder;
    const std::string log = folder.file("log");
    std::ofstream(log) << "as it was";
    CHECK(tests::run_program({"serve", "--port", port, "--log", log}).code == 2);
    CHECK(tests::file_text(log) == "as it was");
    const auto second = tests::run_program({"serve", "--port", port});
    CHECK(second.code == 2);
    CHECK(second.err == "benchkit: cannot listen on 127.0.0.1 port " + port + ": Address already in use\n");
    CHECK(second.out.empty());
}

TEST_CASE("standard output that cannot be written is said once") {
    const auto full = tests::run_program({"serve", "--port", "0"}, tests::sink::full_disk);
    CHECK(full.code == 1);
    CHECK(full.err == "benchkit: standard output could not be written\n");
}

TEST_CASE("the built-in routes have bodies of any size, in chunks if wanted") {
    const tests::served server({"--body", "10KB", "--chunked", "--route", "/a=b"});
    for (const char* path : {"/", "/api/v1/sync/benchmark-hello-world"}) {
        // To HTTP/1.0 chunks are not sent.
        CHECK(server.get(path).ends_with(std::string("\r\n\r\n").append(10'240, 'x')));
        const std::string chunked = tests::ask(
            server.port(), "GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        CHECK(chunked.find("\r\nTransfer-Encoding: chunked\r\n") != std::string::npos);
        CHECK(chunked.ends_with("x\r\n0\r\n\r\n"));
    }
    CHECK(tests::ask(server.port(), "GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
              .ends_with("\r\n\r\n1\r\nb\r\n0\r\n\r\n"));
}

TEST_CASE("what a client sees is in the log, whichever signal ends the server") {
    for (const int signal : {SIGINT, SIGTERM}) {
        tests::scratch_folder folder;
        const std::string log = folder.file("log");
        tests::served server({"--status", "503:0.3", "--status", "404:0.1", "--truncate", "0.1", "--malformed",
                              "0.1", "--reset", "0.1", "--seed", "7", "--log", log});
        std::map<std::string, int> seen;
        for (int k = 0; k < 200; ++k) {
            const std::string answer = server.get("/");
            const bool whole =
                answer.starts_with("HTTP/1.1 ") && answer.find("close\r\n\r\n") != std::string::npos;
            if (answer.empty()) {
                ++seen["reset"];
            } else if (whole && answer.starts_with("HTTP/1.1 200 ") &&
                       !answer.ends_with("<p>Hello, world!</p>")) {
                ++seen["truncated"];
            } else {
                ++seen[whole ? answer.substr(9, 3) : "malformed"];
            }
        }
        CHECK(server.requests() == 200);
        server.program().send(signal);
        CHECK(server.program().wait() == 0);
        std::istringstream lines(tests::file_text(log));
        std::string line;
        std::getline(lines, line);
        std::map<std::string, int> logged;
        while (std::getline(lines, line)) {
            std::istringstream fields(line);
            std::string field;
            for (int k = 0; k < 7; ++k) fields >> field;
            ++logged[field];
        }
        CHECK(logged == seen);
        CHECK(seen.size() == 6);
    }
}

TEST_CASE("a log that cannot be written in the end fails the run") {
    tests::served server({"--log", "/dev/full"});
    CHECK(server.get("/").ends_with("</p>"));
    server.program().send(SIGTERM);
    CHECK(server.program().wait() == 1);
    CHECK(server.program().err.all() ==
          "benchkit: --log = /dev/full: this file could not be written: No space left on device\n");
}

TEST_CASE("it listens on a Unix socket, and takes its file away") {
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    tests::process server({"serve", "--unix-socket", path});
    CHECK(server.out.wait_for("\n") == "listening on " + path + "\n");
    const auto second = tests::run_program({"serve", "--unix-socket", path});
    CHECK(second.code == 2);
    CHECK(second.err == "benchkit: cannot listen on " + path + ": somebody else listens there\n");
    server.send(SIGTERM);
    CHECK(server.wait() == 0);
    CHECK(access(path.c_str(), F_OK) != 0);
}

TEST_CASE("wrong values are refused before anything starts") {
    const auto refusal = [](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "serve");
        const auto ended = tests::run_program(std::move(arguments));
        CHECK(ended.code == 2);
        CHECK(ended.out.empty());
        return ended.err;
    };
    CHECK(refusal({"--reset", "2"}) ==
          "benchkit: --reset = 2: allowed is a share of the requests, 0 to 1, such as 0.01\n");
    CHECK(refusal({"--truncate", "1%"}).starts_with("benchkit: --truncate = 1%: allowed is a share"));
    CHECK(refusal({"--malformed", ""}).starts_with("benchkit: --malformed: allowed is a share"));
    CHECK(refusal({"--reset", "0.5", "--malformed", "0.6"}) ==
          "benchkit: --malformed = 0.6: the shares of all faults together are at most 1\n");
    for (const char* wrong : {"503", "503:", ":0.1", "503:2", "99:0.1", "503:0.1:0.1", "x:0.1"}) {
        CHECK(refusal({"--status", wrong}) ==
              "benchkit: --status = " + std::string(wrong) +
                  ": allowed is a status of 200 to 999 and its share of the requests, such as 503:0.01\n");
    }
    CHECK(refusal({"--status", "503:0.6", "--status", "404:0.6"}) ==
          "benchkit: --status = 404:0.6: the shares of all faults together are at most 1\n");
    for (const char* wrong : {"/x?y=1", "/a b=1", "x=1", "/x", "/#a=1"}) {
        CHECK(refusal({"--route", wrong}).find("allowed is a path without a query") != std::string::npos);
    }
    CHECK(refusal({"--delay", "5ms"}).starts_with("benchkit: --delay = 5ms: allowed is fixed:TIME, "));
    CHECK(refusal({"--stall", "4s"}).starts_with("benchkit: --stall = 4s: allowed is at=TIME,for=TIME"));
    CHECK(refusal({"--stall", "every=2s,for=1s", "--stall", "every=3s,for=1s"}) ==
          "benchkit: --stall = every=3s,for=1s: only one stall can be given with every=\n");
    CHECK(refusal({"--close-after", "0"}) ==
          "benchkit: --close-after = 0: allowed is 1 to 9223372036854775807\n");
    CHECK(refusal({"--body", "x"}).starts_with("benchkit: --body = x: allowed is a whole number of bytes"));
    CHECK(refusal({"--body", "1GB"}) == "benchkit: --body = 1GB: allowed is 0 to 256MB\n");
    CHECK(refusal({"--seed", "-1"}).starts_with("benchkit: --seed = -1: allowed is 0 to "));
    CHECK(refusal({"--log", "/nowhere/log"}) ==
          "benchkit: --log = /nowhere/log: this file cannot be written: No such file or directory\n");
    CHECK(refusal({"--log", "-"}) == "benchkit: --log = -: allowed is the name of a file\n");
    CHECK(refusal({"--unix-socket", "x", "--port", "0"}) ==
          "benchkit: --port: this does not go with --unix-socket\n");
    CHECK(refusal({"--unix-socket", std::string(108, 'x')})
              .ends_with("allowed is the path of a socket, of 1 to 107 bytes\n"));
}
