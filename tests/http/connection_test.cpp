#include <benchkit/http/connection.hpp>

#include <doctest/doctest.h>
#include <netinet/tcp.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

#include <benchkit/exec/run.hpp>
#include <benchkit/load/load.hpp>

#include "support/scripted_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

const std::string_view request = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const std::string_view answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

struct collector {
    void on_head(const http::response_head& head) { status = head.status; }
    void on_body(std::string_view piece) { body.append(piece); }
    int status = 0;
    std::string body;
};

// One connection on a shard of its own, and what went over it.
struct bench {
    bk::shard& shard;
    http::connector connector;
    http::connection connection;
    http::traffic counted;
    collector collected;

    bench(bk::shard& owner, const std::string& url, std::chrono::nanoseconds timeout,
          std::chrono::nanoseconds connect_timeout)
        : shard(owner),
          connector(owner, http::parse_url("url", url)),
          connection(owner, connector, timeout, connect_timeout) {}

    bk::awaitable<http::connect_outcome> connect() {
        const bk::time_point start = shard.now();
        connection.begin(start);
        http::connect_outcome outcome;
        co_await connection.connect(start, outcome);
        co_return outcome;
    }

    // Sends a request on the connection, which it opens when need be.
    bk::awaitable<http::exchange_outcome> exchange(std::string_view bytes = request) {
        const bk::time_point start = shard.now();
        connection.begin(start);
        if (!connection.is_open()) {
            http::connect_outcome connected;
            co_await connection.connect(start, connected);
            REQUIRE_FALSE(connected.failure.has_value());
        }
        collected = {};
        const http::exchange_outcome outcome = co_await connection.exchange(bytes, false, collected, counted);
        connection.end();
        co_return outcome;
    }
};

void with_connection(const std::string& url, const std::function<bk::awaitable<>(bench&)>& use,
                     std::chrono::nanoseconds timeout = 10s, std::chrono::nanoseconds connect_timeout = 5s) {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        bench own(shard, url, timeout, connect_timeout);
        co_await use(own);
    });
}

// Answers each request with the same bytes, in one piece or byte by byte.
std::function<void(tests::peer&)> answering(std::string_view bytes, bool byte_by_byte = false) {
    return [bytes, byte_by_byte](tests::peer& peer) {
        while (!peer.read_head().empty()) {
            if (!byte_by_byte) peer.write(bytes);
            for (std::size_t at = 0; byte_by_byte && at < bytes.size(); ++at) peer.write(bytes.substr(at, 1));
        }
    };
}

}  // namespace

TEST_CASE("what goes over a connection is counted to the byte, and its events are in order") {
    for (const bool byte_by_byte : {false, true}) {
        const tests::scripted_server server(answering(answer, byte_by_byte));
        with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
            CHECK_FALSE(own.connection.is_open());
            const bk::time_point before = own.shard.now();
            for (std::int64_t count = 1; count <= 3; ++count) {
                const http::exchange_outcome outcome = co_await own.exchange();
                CHECK_FALSE(outcome.failure.has_value());
                CHECK(outcome.keeps);
                CHECK_FALSE(outcome.surplus);
                CHECK(before <= outcome.sent_at);
                CHECK(outcome.sent_at <= outcome.first_byte_at);
                CHECK(outcome.first_byte_at <= outcome.ended_at);
                CHECK(own.collected.status == 200);
                CHECK(own.collected.body == "ok");
                CHECK(own.counted.requests_sent == count);
                CHECK(own.counted.bytes_sent == count * static_cast<std::int64_t>(request.size()));
                CHECK(own.counted.bytes_received == count * static_cast<std::int64_t>(answer.size()));
            }
        });
        CHECK(server.connections() == 1);
    }
}

TEST_CASE("a request that the kernel takes in pieces is sent whole") {
    constexpr std::size_t size = 20'000'000;
    const tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        std::size_t left = size;
        while (left > 0) {
            const std::size_t read = peer.read_some();
            if (read == 0) return;
            left -= read;
        }
        peer.write(answer);
    });
    with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
        const std::string bytes = std::string(request) + std::string(size, 'x');
        const http::exchange_outcome outcome = co_await own.exchange(bytes);
        CHECK_FALSE(outcome.failure.has_value());
        CHECK(own.counted.bytes_sent == static_cast<std::int64_t>(bytes.size()));
        CHECK(own.counted.requests_sent == 1);
    });
}

TEST_CASE("a refused connect has its cause and the system's error, and leaves nothing open") {
    const std::string url = "http://127.0.0.1:" + std::to_string(tests::closed_port()) + "/";
    with_connection(url, [](bench& own) -> bk::awaitable<> {
        const http::connect_outcome outcome = co_await own.connect();
        REQUIRE(outcome.failure.has_value());
        CHECK(outcome.failure->cause == bk::cause::connect);
        CHECK(outcome.failure->error == asio::error_code(asio::error::connection_refused));
        CHECK(outcome.resolve_time.has_value());
        CHECK_FALSE(own.connection.is_open());
        const http::connect_outcome again = co_await own.connect();
        CHECK_FALSE(again.resolve_time.has_value());  // the addresses are known
    });
}

TEST_CASE("a peer that closes: stale where the connection had answered before, else closed") {
    const tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        peer.write(answer);
        peer.read_head();
    });
    with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
        for (int round = 0; round < 2; ++round) {
            const http::exchange_outcome first = co_await own.exchange();
            CHECK(first.keeps);
            const http::exchange_outcome second = co_await own.exchange();
            REQUIRE(second.failure.has_value());
            CHECK(second.failure->cause == bk::cause::stale);
            CHECK_FALSE(second.keeps);
            CHECK_FALSE(own.connection.is_open());
        }
    });
    const tests::scripted_server closing([](tests::peer& peer) { peer.read_head(); });
    with_connection(closing.url(), [](bench& own) -> bk::awaitable<> {
        const http::exchange_outcome outcome = co_await own.exchange();
        REQUIRE(outcome.failure.has_value());
        CHECK(outcome.failure->cause == bk::cause::closed);
    });
}

TEST_CASE("a stale connection is one that died before the first byte of the answer") {
    const tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        peer.write(answer);
        peer.read_head();
        peer.write("HTTP/1.1 200");
    });
    with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
        static_cast<void>(co_await own.exchange());
        const http::exchange_outcome second = co_await own.exchange();
        REQUIRE(second.failure.has_value());
        CHECK(second.failure->cause == bk::cause::closed);
    });
}

TEST_CASE("an answer that is there before its request is malformed, and the request is not sent") {
    std::atomic<bool> asked = false;
    std::atomic<bool> written = false;
    const tests::scripted_server server([&](tests::peer& peer) {
        peer.read_head();
        peer.write(answer);
        asked.wait(false);
        peer.write(answer);  // on the loopback it is there when this returns
        written = true;
        peer.wait_for_close();
    });
    with_connection(server.url(), [&](bench& own) -> bk::awaitable<> {
        const http::exchange_outcome first = co_await own.exchange();
        CHECK(first.keeps);
        asked = true;
        asked.notify_all();
        while (!written) co_await own.shard.sleep_for(1ms);
        const http::exchange_outcome second = co_await own.exchange();
        REQUIRE(second.failure.has_value());
        CHECK(http::describe(*second.failure) == "malformed: an answer that came before its request");
        CHECK(own.counted.requests_sent == 1);
        CHECK_FALSE(own.connection.is_open());
    });
}

TEST_CASE(
    "a peer that closes its side in one segment with an answer is asked nothing more on that connection") {
    const tests::scripted_server server([](tests::peer& peer) {
        peer.read_head();
        const int on = 1;
        setsockopt(peer.descriptor(), IPPROTO_TCP, TCP_CORK, &on, sizeof on);
        peer.write(answer);
        shutdown(peer.descriptor(), SHUT_WR);
        peer.wait_for_close();  // and still reads
    });
    with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
        CHECK_FALSE((co_await own.exchange()).keeps);
        CHECK_FALSE(own.connection.is_open());
        CHECK_FALSE((co_await own.exchange()).failure.has_value());
    });
    const bk::result r =
        bk::load(bk::single_threaded{}, http::target{server.url()}, {.clients = 1}, {.operations = 20});
    CHECK(r.counter("succeeded") == 20);
    CHECK(r.counter("connections_opened") == 20);
}

TEST_CASE("bytes that belong to no answer end the connection") {
    const std::string twice = std::string(answer) + std::string(answer);
    const tests::scripted_server server(answering(twice));
    with_connection(server.url(), [](bench& own) -> bk::awaitable<> {
        const http::exchange_outcome outcome = co_await own.exchange();
        CHECK_FALSE(outcome.failure.has_value());
        CHECK(outcome.surplus);
        CHECK_FALSE(outcome.keeps);
        CHECK_FALSE(own.connection.is_open());
        CHECK(own.collected.body == "ok");
    });
}

TEST_CASE("a request that takes too long fails no sooner than its timeout; the connection opens again") {
    const tests::scripted_server server([count = 0](tests::peer& peer) mutable {
        if (++count == 1) return peer.wait_for_close();
        while (!peer.read_head().empty()) peer.write(answer);
    });
    with_connection(
        server.url(),
        [](bench& own) -> bk::awaitable<> {
            const bk::time_point start = own.shard.now();
            const http::exchange_outcome late = co_await own.exchange();
            REQUIRE(late.failure.has_value());
            CHECK(late.failure->cause == bk::cause::timeout);
            CHECK(late.ended_at - start >= 30ms);
            CHECK_FALSE(own.connection.is_open());
            const http::exchange_outcome next = co_await own.exchange();
            CHECK_FALSE(next.failure.has_value());
        },
        30ms);
}

TEST_CASE("the deadline of a request that was answered does not end the next one") {
    const std::chrono::nanoseconds timeout = 500ms;
    for (const auto connect_timeout : {2 * timeout, timeout}) {  // of its own, and the same as the request's
        std::atomic<bool> released = false;
        const tests::scripted_server server([&](tests::peer& peer) {
            peer.read_head();
            peer.write(answer);
            peer.read_head();
            released.wait(false);
            peer.write(answer);
            peer.wait_for_close();
        });
        with_connection(
            server.url(),
            [&](bench& own) -> bk::awaitable<> {
                static_cast<void>(co_await own.exchange());
                co_await own.shard.sleep_for(timeout * 8 / 10);
                own.shard.spawn([&]() -> bk::awaitable<> {
                    co_await own.shard.sleep_for(timeout * 4 / 10);  // past the first deadline, not the second
                    released = true;
                    released.notify_one();
                });
                const http::exchange_outcome second = co_await own.exchange();
                CHECK_FALSE(second.failure.has_value());
            },
            timeout, connect_timeout);
        CHECK(server.connections() == 1);
    }
}
