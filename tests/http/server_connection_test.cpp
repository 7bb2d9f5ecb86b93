#include <benchkit/http/server_connection.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/exec/run.hpp>
#include <benchkit/exec/wait_group.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// What the other end of a served connection saw, and when the connection was done.
struct seen {
    std::string bytes;
    bool reset = false;
    std::chrono::nanoseconds served{};  // from the first byte to the end of serve()
};

// A served connection and its client, both on one shard.
class bench {
  public:
    bench(bk::shard& owner, http::detail::server_state& state)
        : shard_(owner), state_(state), client_(owner.executor()), ended_(owner) {}

    bk::awaitable<> connect() {
        asio::basic_socket_acceptor<asio::ip::tcp, bk::executor_type> acceptor(
            shard_.executor(), asio::ip::tcp::endpoint(asio::ip::address_v4::loopback(), 0));
        http::stream_socket accepted(shard_.executor());
        client_.open(asio::ip::tcp::v4());
        co_await client_.async_connect(acceptor.local_endpoint(), bk::use_awaitable);
        co_await acceptor.async_accept(accepted, bk::use_awaitable);
        shard_.spawn([this, socket = std::move(accepted)]() mutable { return serve(std::move(socket)); });
    }

    bk::awaitable<> write(std::string_view bytes) {
        while (!bytes.empty()) {
            const std::size_t taken =
                co_await client_.async_send(asio::buffer(bytes.data(), bytes.size()), bk::use_awaitable);
            bytes.remove_prefix(taken);
        }
    }

    // Reads until the peer ends its side.
    bk::awaitable<> read_all(seen& into) {
        std::array<char, 4096> buffer{};
        asio::error_code error;
        while (!error) {
            const std::size_t size = co_await client_.async_receive(
                asio::buffer(buffer), asio::redirect_error(bk::use_awaitable, error));
            into.bytes.append(buffer.data(), size);
        }
        into.reset = error == asio::error::connection_reset;
    }

    void close_client() { client_.close(); }
    bk::awaitable<> served() { return ended_.wait(); }

  private:
    bk::awaitable<> serve(http::stream_socket socket) {
        http::detail::server_connection connection(shard_, std::move(socket), state_, 1);
        co_await connection.serve();
        ended_.set();
    }

    bk::shard& shard_;
    http::detail::server_state& state_;
    asio::basic_stream_socket<asio::ip::tcp, bk::executor_type> client_;
    bk::event ended_;
};

// Sends `request` and reads to the end. The client closes its side then, unless it `stays`.
seen converse(http::detail::server_state& state, std::string_view request, bool stays = false) {
    seen all;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        const bk::time_point start = shard.now();
        bench own(shard, state);
        co_await own.connect();
        co_await own.write(request);
        co_await own.read_all(all);
        if (!stays) own.close_client();
        co_await own.served();
        all.served = shard.now() - start;
    });
    return all;
}

// The state of a server with a few routes.
struct hello : http::detail::server_state {
    hello() : server_state(1) {
        start();
        add_routes();
    }
    [[nodiscard]] http::server_counters& counted() { return counters.front(); }

  private:
    void add_routes() {
        routes.add("/", http::reply("hello"));
        routes.add("/reset", http::reply().reset());
        routes.add("/throws", http::handler([](const http::received_request&) -> http::reply { throw 42; }));
        routes.add("/throws-later",
                   http::async_handler(
                       [](bk::shard& shard, const http::received_request&) -> bk::awaitable<http::reply> {
                           co_await shard.sleep_for(1us);
                           throw 42;
                       }));
    }
};

const std::string_view get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
const std::string_view last = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

}  // namespace

TEST_CASE("requests are answered until the client asks to close; a connection counts once") {
    hello state;
    const std::string three = std::string(get) + std::string(get) + std::string(last);
    const seen all = converse(state, three);
    std::size_t answers = 0;
    for (std::size_t at = all.bytes.find("hello"); at != std::string::npos;
         at = all.bytes.find("hello", at + 1)) {
        ++answers;
    }
    CHECK(answers == 3);
    CHECK_FALSE(all.reset);
    CHECK(state.counted().requests == 3);
    CHECK(state.counted().connections == 1);
    static_cast<void>(converse(state, last));
    CHECK(state.counted().requests == 4);
    CHECK(state.counted().connections == 2);
}

TEST_CASE("asking for the counters counts nothing, and a head that is none neither") {
    hello state;
    const std::string stats =
        "GET " + std::string(http::stats_path) + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
    CHECK(converse(state, stats).bytes.starts_with("HTTP/1.1 404 "));  // the route is the server's
    CHECK(converse(state, "nonsense\r\n\r\n").bytes.starts_with("HTTP/1.1 400 "));
    CHECK(state.counted().requests == 0);
    CHECK(state.counted().connections == 0);
}

TEST_CASE("a request that is reset counts, and ends the connection without an answer") {
    hello state;
    const seen all = converse(state, "GET /reset HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(all.reset);
    CHECK(all.bytes.empty());
    CHECK(state.counted().requests == 1);
}

TEST_CASE("whatever a route throws, it is answered with 500") {
    hello state;
    for (const char* path : {"/throws", "/throws-later"}) {
        const std::string request = "GET " + std::string(path) + " HTTP/1.1\r\nHost: x\r\n\r\n";
        const seen all = converse(state, request + std::string(last));
        CHECK(all.bytes.starts_with("HTTP/1.1 500 "));
        CHECK(all.bytes.ends_with("hello"));
    }
}

TEST_CASE("a client that does not close after the last answer is not waited for longer than 2 s") {
    hello state;
    const seen all = converse(state, last, true);
    CHECK(all.bytes.ends_with("hello"));
    CHECK(all.served >= 2s);
}

TEST_CASE("a client that closes is not waited for") {
    hello state;
    CHECK(converse(state, last).served < 2s);
}
