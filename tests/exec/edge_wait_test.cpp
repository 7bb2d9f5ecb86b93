#include <benchkit/exec/edge_wait.hpp>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>

#include <benchkit/exec/run.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

using tcp_socket = asio::basic_stream_socket<asio::generic::stream_protocol, bk::executor_type>;

// One end as the shard's socket, the other as a plain descriptor.
struct socket_pair {
    explicit socket_pair(bk::shard& shard) : near(shard.executor()) {
        std::array<int, 2> ends{};
        REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
        near.assign(asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
        near.non_blocking(true);
        far = ends[1];
    }
    socket_pair(const socket_pair&) = delete;
    socket_pair& operator=(const socket_pair&) = delete;
    ~socket_pair() { hang_up(); }

    void send(std::string_view bytes) const {
        REQUIRE(::send(far, bytes.data(), bytes.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(bytes.size()));
    }
    void hang_up() {
        if (far >= 0) ::close(far);
        far = -1;
    }
    // What is there; "-" for nothing yet, "." for the end.
    std::string read() {
        std::array<char, 64> buffer{};
        asio::error_code error;
        const std::size_t size = near.read_some(asio::buffer(buffer), error);
        if (error == asio::error::would_block) return "-";
        if (error == asio::error::eof) return ".";
        return error ? error.message() : std::string(buffer.data(), size);
    }

    tcp_socket near;
    int far = -1;
};

void on_a_shard(const std::function<bk::awaitable<>(bk::shard&, socket_pair&)>& body) {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        socket_pair pair(shard);
        co_await body(shard, pair);
    });
}

// Sends when everybody else waits.
void send_later(bk::shard& shard, socket_pair& pair, const std::string& bytes) {
    shard.spawn([&shard, &pair, bytes]() -> bk::awaitable<> {
        co_await shard.sleep_for(1ms);
        pair.send(bytes);
    });
}

}  // namespace

TEST_CASE("input is told, whether it comes before the wait, during it, or beside other input") {
    on_a_shard([](bk::shard& shard, socket_pair& pair) -> bk::awaitable<> {
        pair.send("before");
        co_await bk::detail::wait_for_input(pair.near);
        CHECK(pair.read() == "before");
        for (int round = 0; round < 100; ++round) {
            send_later(shard, pair, "during");
            std::string got = "-";
            while (got == "-") {
                co_await bk::detail::wait_for_input(pair.near);
                got = pair.read();
            }
            CHECK(got == "during");
        }
        // As a closed loop: the answer to what is sent before the wait comes at any moment.
        for (int round = 0; round < 1000; ++round) {
            pair.send("x");
            if (round % 3 == 0) co_await shard.yield();
            std::string got = "-";
            while (got == "-") {
                co_await bk::detail::wait_for_input(pair.near);
                got = pair.read();
            }
            CHECK(got == "x");
        }
    });
}

TEST_CASE("input that comes while nobody waits is told at the next wait") {
    on_a_shard([](bk::shard& shard, socket_pair& pair) -> bk::awaitable<> {
        co_await bk::detail::wait_for_input(pair.near);  // a new socket may be told in vain
        CHECK(pair.read() == "-");
        pair.send("unasked");
        co_await shard.sleep_for(2ms);  // the reactor sees it, and nobody waits
        co_await bk::detail::wait_for_input(pair.near);
        CHECK(pair.read() == "unasked");
    });
}

TEST_CASE("the end of the stream is told, and a socket that is closed ends the wait") {
    on_a_shard([](bk::shard& shard, socket_pair& pair) -> bk::awaitable<> {
        shard.spawn([&shard, &pair]() -> bk::awaitable<> {
            co_await shard.sleep_for(1ms);
            pair.hang_up();
        });
        std::string got = "-";
        while (got == "-") {
            co_await bk::detail::wait_for_input(pair.near);
            got = pair.read();
        }
        CHECK(got == ".");
    });
    on_a_shard([](bk::shard& shard, socket_pair& pair) -> bk::awaitable<> {
        shard.spawn([&shard, &pair]() -> bk::awaitable<> {
            co_await shard.sleep_for(1ms);
            pair.near.close();
        });
        while (pair.near.is_open()) co_await bk::detail::wait_for_input(pair.near);
        co_await bk::detail::wait_for_input(pair.near);  // a closed one ends it at once
    });
}

TEST_CASE("a run that ends while somebody waits gives the waiting up") {
    on_a_shard([](bk::shard& shard, socket_pair&) -> bk::awaitable<> {
        shard.spawn([&shard]() -> bk::awaitable<> {
            socket_pair own(shard);
            co_await bk::detail::wait_for_input(own.near);
            co_await bk::detail::wait_for_input(own.near);
            FAIL("nothing was sent");
        });
        co_await shard.sleep_for(1ms);
    });
}
