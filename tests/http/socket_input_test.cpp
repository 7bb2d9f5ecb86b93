#include <benchkit/http/socket_input.hpp>

#include <doctest/doctest.h>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <string_view>

using benchkit::http::detail::socket_input;

namespace {

struct tcp_pair {
    tcp_pair() {
        const int listener = socket(AF_INET, SOCK_STREAM, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(bind(listener, generic, size) == 0);
        REQUIRE(listen(listener, 1) == 0);
        getsockname(listener, generic, &size);
        peer = socket(AF_INET, SOCK_STREAM, 0);
        REQUIRE(connect(peer, generic, size) == 0);
        ours = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
        close(listener);
    }
    tcp_pair(const tcp_pair&) = delete;
    tcp_pair& operator=(const tcp_pair&) = delete;
    ~tcp_pair() {
        close(peer);
        close(ours);
    }
    // Until this much, or the peer's end, has come.
    void wait(short events) const {
        pollfd one{ours, events, 0};
        REQUIRE(poll(&one, 1, 10'000) == 1);
    }
    void send(std::string_view bytes) const {
        REQUIRE(::send(peer, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()));
    }

    int peer = -1;
    int ours = -1;
};

}  // namespace

TEST_CASE("what was all is known to be all") {
    const tcp_pair pair;
    socket_input input(pair.ours);
    CHECK_FALSE(input.has_more());
    std::array<char, 8> buffer{};
    asio::error_code error;
    CHECK(input.read(buffer, error) == 0);
    CHECK(error == asio::error::would_block);
    CHECK_FALSE(input.has_more());
    pair.send("hello");
    pair.wait(POLLIN);
    CHECK(input.read(buffer, error) == 5);
    CHECK_FALSE(error);
    CHECK(std::string_view(buffer.data(), 5) == "hello");
    CHECK_FALSE(input.has_more());
}

TEST_CASE("what is left is told, be it bytes or the peer's end") {
    const tcp_pair pair;
    socket_input input(pair.ours);
    std::array<char, 8> buffer{};
    asio::error_code error;
    const int on = 1;
    setsockopt(pair.peer, IPPROTO_TCP, TCP_CORK, &on, sizeof on);  // the end goes with the last bytes
    pair.send("hello, world");
    shutdown(pair.peer, SHUT_WR);
    pair.wait(POLLRDHUP);
    CHECK(input.read(buffer, error) == 8);
    CHECK(input.has_more());
    CHECK(input.read(buffer, error) == 4);
    CHECK(input.has_more());
    CHECK(input.read(buffer, error) == 0);
    CHECK(error == asio::error::eof);
    CHECK_FALSE(input.has_more());
}

TEST_CASE("of a socket that does not tell, there may always be more") {
    int pair[2] = {-1, -1};
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair) == 0);
    socket_input input(pair[0]);
    std::array<char, 8> buffer{};
    asio::error_code error;
    REQUIRE(send(pair[1], "hello", 5, 0) == 5);
    CHECK(input.read(buffer, error) == 5);
    CHECK(input.has_more());
    CHECK(input.read(buffer, error) == 0);
    CHECK(error == asio::error::would_block);
    CHECK_FALSE(input.has_more());
    close(pair[1]);
    CHECK(input.read(buffer, error) == 0);
    CHECK(error == asio::error::eof);
    close(pair[0]);
}
