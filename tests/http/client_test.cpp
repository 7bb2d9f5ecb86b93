#include <benchkit/http/client.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>

#include <benchkit/exec/run.hpp>
#include <benchkit/http/server.hpp>

#include "support/scripted_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// Runs `use(client)` against a URL, to its end.
void with_client(const std::string& url, http::target_options options,
                 const std::function<bk::awaitable<>(http::client&)>& use) {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::client client(shard, url, options);
        co_await use(client);
    });
}

bk::cause failure_of(const std::string& url, http::target_options options = {}) {
    bk::cause seen = bk::cause::canceled;
    with_client(url, options, [&](http::client& client) -> bk::awaitable<> {
        const http::response answer = co_await client.get("/");
        REQUIRE(answer.failed().has_value());
        CHECK(answer.status() == 0);
        seen = answer.failed()->cause;
    });
    return seen;
}

}  // namespace

TEST_CASE("a client gets and posts on one connection") {
    http::server server;
    server.route("/hello", "hello");
    server.route("/echo", [](const http::received_request& request) {
        return http::reply(201, std::string(request.body)).header("X-Method", request.method);
    });
    server.start();
    with_client(server.url(), {}, [](http::client& client) -> bk::awaitable<> {
        const http::response hello = co_await client.get("/hello");
        CHECK_FALSE(hello.failed().has_value());
        CHECK(hello.status() == 200);
        CHECK(hello.body() == "hello");
        CHECK(hello.header("CONTENT-LENGTH") == "5");
        const std::string large(300'000, 'x');
        const http::response echo = co_await client.post("/echo", large);
        CHECK(echo.status() == 201);
        CHECK(echo.body() == large);
        CHECK(echo.header("x-method") == "POST");
        const http::response missing = co_await client.get("/nowhere");
        CHECK(missing.status() == 404);
        const http::response head = co_await client.send(http::request("HEAD", "/hello"));
        CHECK(head.status() == 200);
        CHECK(head.body().empty());
        CHECK(head.header("Content-Length") == "5");
    });
    CHECK(server.requests() == 4);
    CHECK(server.connections() == 1);
}

TEST_CASE("without keep-alive each request has a connection") {
    http::server server;
    server.route("/", "hello");
    server.start();
    with_client(server.url(), {.keep_alive = false}, [](http::client& client) -> bk::awaitable<> {
        for (int count = 0; count < 3; ++count) {
            const http::response answer = co_await client.get("/");
            CHECK(answer.body() == "hello");
            CHECK(answer.header("Connection") == "close");
        }
    });
    CHECK(server.connections() == 3);
}

TEST_CASE("an answer of HTTP/1.0 ends with the connection") {
    tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        peer.write("HTTP/1.0 200 OK\r\n\r\nuntil the end");
    });
    with_client(server.url(), {}, [](http::client& client) -> bk::awaitable<> {
        for (int count = 0; count < 2; ++count) {
            const http::response answer = co_await client.get("/");
            CHECK(answer.body() == "until the end");
        }
    });
    CHECK(server.connections() == 2);
}

TEST_CASE("an answer and the FIN that come together are both seen") {
    tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        peer.write("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 4\r\n\r\nbody");
        peer.close();
    });
    with_client(server.url(), {}, [](http::client& client) -> bk::awaitable<> {
        const http::response answer = co_await client.get("/");
        CHECK(answer.body() == "body");
    });
}

TEST_CASE("failures have their cause") {
    CHECK(failure_of("http://127.0.0.1:" + std::to_string(tests::closed_port()) + "/") == bk::cause::connect);
    CHECK(failure_of("http://no-such-host.invalid/") == bk::cause::resolve);

    const tests::scripted_server cut([](tests::peer& peer) {
        peer.read_head();
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
    });
    CHECK(failure_of(cut.url()) == bk::cause::closed);

    const tests::scripted_server closing([](tests::peer& peer) { peer.read_head(); });
    CHECK(failure_of(closing.url()) == bk::cause::closed);

    const tests::scripted_server resetting([](tests::peer& peer) {
        peer.read_head();
        peer.reset();
    });
    CHECK(failure_of(resetting.url()) == bk::cause::receive);

    const tests::scripted_server garbage([](tests::peer& peer) {
        peer.read_head();
        peer.write("220 smtp.example ESMTP\r\n");
        peer.wait_for_close();
    });
    CHECK(failure_of(garbage.url()) == bk::cause::malformed);

    const tests::scripted_server silent([](tests::peer& peer) { peer.wait_for_close(); });
    CHECK(failure_of(silent.url(), {.timeout = 20ms}) == bk::cause::timeout);

    const tests::scripted_server endless([](tests::peer& peer) {
        peer.read_head();
        peer.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart");
        peer.wait_for_close();
    });
    CHECK(failure_of(endless.url(), {.timeout = 20ms}) == bk::cause::timeout);
}

TEST_CASE("a kept connection that dies before the next answer is stale; the next request opens another") {
    for (const bool by_reset : {false, true}) {
        tests::scripted_server server([by_reset](tests::peer& peer) {
            peer.read_head();
            peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            peer.read_head();
            if (by_reset) peer.reset();
        });
        with_client(server.url(), {}, [](http::client& client) -> bk::awaitable<> {
            for (int round = 0; round < 2; ++round) {
                const http::response first = co_await client.get("/");
                CHECK(first.body() == "ok");
                const http::response second = co_await client.get("/");
                REQUIRE(second.failed().has_value());
                CHECK(second.failed()->cause == bk::cause::stale);
            }
        });
        CHECK(server.connections() == 2);
    }
}

TEST_CASE("localhost is tried at each of its addresses") {
    http::server server;  // on 127.0.0.1 alone
    server.route("/", "hello");
    server.start();
    with_client("http://localhost:" + std::to_string(server.port()) + "/", {},
                [](http::client& client) -> bk::awaitable<> {
                    const http::response answer = co_await client.get("/");
                    CHECK(answer.status() == 200);
                });
}

TEST_CASE("require throws what a load counts") {
    http::server server;
    server.route("/", "hello");
    server.start();
    with_client(server.url(), {}, [](http::client& client) -> bk::awaitable<> {
        const http::response answer = co_await client.get("/");
        CHECK_NOTHROW(answer.require(200));
        try {
            answer.require(204);
            FAIL("no exception");
        } catch (const bk::operation_failed& failure) {
            CHECK(failure.reason() == bk::cause::status);
            CHECK(std::string(failure.what()) == "status 200 where 204 was required");
        }
    });
}
