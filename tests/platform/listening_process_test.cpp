#include <benchkit/platform/listening_process.hpp>

#include <arpa/inet.h>

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;

namespace {

/// A socket that listens, or is only bound, on a port that the system has chosen.
class socket_on_loopback {
  public:
    explicit socket_on_loopback(bool listens) : descriptor_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof where;
        REQUIRE(::bind(descriptor_, reinterpret_cast<const sockaddr*>(&where), size) == 0);
        if (listens) REQUIRE(::listen(descriptor_, 1) == 0);
        REQUIRE(::getsockname(descriptor_, reinterpret_cast<sockaddr*>(&where), &size) == 0);
        port_ = ntohs(where.sin_port);
    }
    socket_on_loopback(const socket_on_loopback&) = delete;
    socket_on_loopback& operator=(const socket_on_loopback&) = delete;
    ~socket_on_loopback() { ::close(descriptor_); }

    [[nodiscard]] int port() const { return port_; }

  private:
    int descriptor_;
    int port_ = 0;
};

bool is_own(const char* text) {
    sockaddr_in6 six{};
    sockaddr_in four{};
    six.sin6_family = AF_INET6;
    four.sin_family = AF_INET;
    four.sin_port = htons(1);  // not ours to bind to, and not looked at
    if (inet_pton(AF_INET, text, &four.sin_addr) == 1) {
        return bk::is_own_address(reinterpret_cast<const sockaddr*>(&four), sizeof four);
    }
    REQUIRE(inet_pton(AF_INET6, text, &six.sin6_addr) == 1);
    return bk::is_own_address(reinterpret_cast<const sockaddr*>(&six), sizeof six);
}

}  // namespace

TEST_CASE("of the system's table, what listens on the port") {
    // Of proc(5): 0A is TCP_LISTEN, 01 TCP_ESTABLISHED; 1F90 is 8080.
    const std::string table =
        "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
        "   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1178 1 0 "
        "100\n"
        "   1: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1179 1 0 "
        "100\n"
        "   2: 0100007F:1F90 0100007F:8001 01 00000000:00000000 00:00000000 00000000     0        0 1180 1 0 "
        "100\n"
        "  10: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1181 1 0 "
        "100";
    CHECK(bk::detail::listening_links(table, 8080) ==
          std::vector<std::string>{"socket:[1178]", "socket:[1181]"});
    CHECK(bk::detail::listening_links(table, 8082).empty());
    CHECK(bk::detail::listening_links("nonsense\n\n0: x", 8080).empty());
}

TEST_CASE("this process is found where it listens, and not where it does not") {
    const socket_on_loopback listening(true);
    const socket_on_loopback bound(false);
    CHECK(bk::find_listening_processes(listening.port()) == std::vector<std::int64_t>{getpid()});
    CHECK(bk::find_listening_processes(bound.port()).empty());
}

TEST_CASE("addresses of this machine") {
    CHECK(is_own("127.0.0.1"));
    CHECK(is_own("127.1.2.3"));
    CHECK_FALSE(is_own("192.0.2.1"));  // for documentation, RFC 5737
    CHECK_FALSE(is_own("2001:db8::1"));
    sockaddr local{};
    local.sa_family = AF_UNIX;
    CHECK_FALSE(bk::is_own_address(&local, sizeof local));
}
