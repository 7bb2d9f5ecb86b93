#include <doctest/doctest.h>

#include <csignal>
#include <string>

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

TEST_CASE("a port that is taken is refused") {
    const tests::served server;
    const std::string port = std::to_string(server.port());
    const auto second = tests::run_program({"serve", "--port", port});
    CHECK(second.code == 2);
    CHECK(second.err == "benchkit: cannot listen on 127.0.0.1 port " + port + ": Address already in use\n");
    CHECK(second.out.empty());
}
