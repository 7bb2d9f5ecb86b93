#include <benchkit/http/server.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "support/raw_client.hpp"
#include "support/scripted_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::string answer_to(const http::server& server, std::string_view request) {
    return tests::ask(server.port(), request);
}

// Whether the server takes what is sent within a time; it is sent again and again meanwhile.
bool is_taken_for(std::chrono::seconds length, const tests::raw_client& client) {
    const auto end = std::chrono::steady_clock::now() + length;
    while (std::chrono::steady_clock::now() < end) {
        if (!client.write("x")) return false;
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

int count_of(std::string_view text, std::string_view part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
    return count;
}

}  // namespace

TEST_CASE("what cannot be is refused before anything starts") {
    CHECK_THROWS_WITH_AS(http::server({.port = -1}), "port = -1: allowed is 0 to 65535", bk::error);
    CHECK_THROWS_WITH_AS(http::server({.port = 65536}), "port = 65536: allowed is 0 to 65535", bk::error);
    CHECK_THROWS_WITH_AS(http::server({.address = "nowhere"}),
                         "address = nowhere: an IPv4 or IPv6 address is needed", bk::error);
    CHECK_THROWS_WITH_AS(http::server({.shards = 0}), "shards = 0: allowed is 1 to 1024", bk::error);
    CHECK_THROWS_AS(http::server().route("no-slash", "x"), bk::error);
}

TEST_CASE("a port that is taken is said") {
    http::server first;
    first.start();
    http::server second({.port = first.port()});
    CHECK_THROWS_WITH_AS(second.start(), doctest::Contains("cannot listen on 127.0.0.1 port"), bk::error);
}

TEST_CASE("a server starts once, until it is stopped") {
    http::server server;
    server.route("/", "hello");
    server.start();
    const int port = server.port();
    CHECK_THROWS_WITH_AS(server.start(), "the server has been started already", bk::error);
    CHECK(server.port() == port);
    CHECK(answer_to(server, "GET / HTTP/1.0\r\n\r\n").ends_with("hello"));
}

TEST_CASE("HTTP/1.1 keeps the connection until asked not to; HTTP/1.0 the other way round") {
    http::server server;
    server.route("/", "hello");
    server.start();
    const std::string two = answer_to(server,
                                      "GET / HTTP/1.1\r\nHost: x\r\n\r\n"
                                      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                      "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(count_of(two, "HTTP/1.1 200 OK\r\n") == 2);
    CHECK(count_of(two, "Connection: close\r\n") == 1);
    const std::string old = answer_to(server, "GET / HTTP/1.0\r\n\r\n");
    CHECK(count_of(old, "HTTP/1.1 200 OK\r\n") == 1);
    const std::string kept =
        answer_to(server, "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\nGET / HTTP/1.0\r\n\r\n");
    CHECK(count_of(kept, "HTTP/1.1 200 OK\r\n") == 2);
    CHECK(count_of(kept, "Connection: keep-alive\r\n") == 1);
    CHECK(server.requests() == 5);
    CHECK(server.connections() == 3);
}

TEST_CASE("requests may come byte by byte") {
    http::server server;
    server.route("/echo",
                 [](const http::received_request& request) { return http::reply(std::string(request.body)); });
    server.start();
    tests::raw_client client(server.port());
    for (const char byte :
         std::string("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello")) {
        client.write({&byte, 1});
    }
    CHECK(client.read_all().ends_with("\r\n\r\nhello"));
}

TEST_CASE("pipelined requests are answered in order, coroutine routes among them") {
    http::server server;
    server.route("/now", [](const http::received_request& request) {
        return http::reply("now " + std::string(request.query) + ";");
    });
    server.route("/later",
                 [](bk::shard& shard, const http::received_request& request) -> bk::awaitable<http::reply> {
                     co_await shard.sleep_for(2ms);
                     co_return http::reply("later " + std::string(request.query) + ";");
                 });
    server.start();
    std::string requests;
    for (int k = 0; k < 20; ++k) {
        requests += std::string("GET ") + (k % 3 == 0 ? "/later" : "/now") + "?" + std::to_string(k) +
                    " HTTP/1.1\r\nHost: x\r\n" + (k == 19 ? "Connection: close\r\n" : "") + "\r\n";
    }
    const std::string answers = answer_to(server, requests);
    std::size_t at = 0;
    for (int k = 0; k < 20; ++k) {
        at = answers.find(std::string(k % 3 == 0 ? "later " : "now ") + std::to_string(k) + ";", at);
        REQUIRE(at != std::string::npos);
    }
}

TEST_CASE("a client that expects 100-continue is told to go on") {
    http::server server;
    server.route("/echo",
                 [](const http::received_request& request) { return http::reply(std::string(request.body)); });
    server.start();
    tests::raw_client client(server.port());
    client.write(
        "POST /echo HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 4\r\nConnection: "
        "close\r\n\r\n");
    CHECK(client.read_until("\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n");
    client.write("body");
    CHECK(client.read_all().ends_with("\r\n\r\nbody"));
}

TEST_CASE("what is no request is answered by its status, and the connection ends") {
    http::server server;
    server.start();
    CHECK(answer_to(server, "nonsense\r\n\r\n").starts_with("HTTP/1.1 400 "));
    CHECK(answer_to(server, "GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 400 "));
    CHECK(answer_to(server, "GET / HTTP/2.0\r\nHost: x\r\n\r\n").starts_with("HTTP/1.1 505 "));
    CHECK(answer_to(server, "GET /" + std::string(100'000, 'x')).starts_with("HTTP/1.1 414 "));
    CHECK(answer_to(server, "GET /nowhere HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
              .starts_with("HTTP/1.1 404 "));
}

TEST_CASE("a route that throws answers 500 and the server goes on") {
    http::server server;
    server.route("/now",
                 [](const http::received_request&) -> http::reply { throw std::runtime_error("broken now"); });
    server.route("/later", [](bk::shard& shard, const http::received_request&) -> bk::awaitable<http::reply> {
        co_await shard.sleep_for(1us);
        throw std::runtime_error("broken later");
    });
    server.start();
    const std::string answers = answer_to(server,
                                          "GET /now HTTP/1.1\r\nHost: x\r\n\r\n"
                                          "GET /later HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(count_of(answers, "HTTP/1.1 500 ") == 2);
    CHECK(count_of(answers, "broken now") == 1);
    CHECK(count_of(answers, "broken later") == 1);
}

TEST_CASE("a reply can reset the connection instead") {
    http::server server;
    server.route("/", [](const http::received_request&) { return http::reply().reset(); });
    server.start();
    tests::raw_client client(server.port());
    client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(client.read_all().empty());
    CHECK(client.is_reset());
    CHECK(server.requests() == 1);
}

TEST_CASE("a large answer arrives whole at a slow reader") {
    http::server server;
    const std::string large(8'000'000, 'x');
    server.route("/", large);
    server.start();
    CHECK(answer_to(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
              .ends_with("\r\n\r\n" + large));
}

TEST_CASE("the counters are told, and asking for them is not counted") {
    http::server server({.shards = 2});
    server.route("/", "hello");
    server.start();
    for (int count = 0; count < 5; ++count) answer_to(server, "GET / HTTP/1.0\r\n\r\n");
    for (int count = 0; count < 2; ++count) {
        CHECK(answer_to(server, "GET /benchkit/stats HTTP/1.0\r\n\r\n")
                  .ends_with("{\"requests\": 5, \"connections\": 5}\n"));
    }
    CHECK(server.requests() == 5);
    CHECK(server.connections() == 5);
}

TEST_CASE("stopping ends connections that are open, and starting again works") {
    http::server server({.shards = 2});
    server.route("/", "hello");
    server.start();
    tests::raw_client idle(server.port()), second(server.port()), third(server.port());
    third.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(third.read_until("hello").ends_with("hello"));
    server.stop();
    CHECK(idle.read_all().empty());
    server.start();
    CHECK(answer_to(server, "GET / HTTP/1.0\r\n\r\n").ends_with("hello"));
}

TEST_CASE("a client that does not close its side is given up soon after the last reply") {
    http::server server;
    server.route("/", "hello");
    server.start();
    tests::raw_client client(server.port());
    client.write("GET / HTTP/1.0\r\n\r\n");
    CHECK(client.read_all().ends_with("hello"));
    CHECK_FALSE(is_taken_for(std::chrono::seconds(30), client));
}
