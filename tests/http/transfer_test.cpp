#include <benchkit/http/transfer.hpp>

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

namespace bk = benchkit;
namespace http = benchkit::http;

TEST_CASE("each attempt at a socket says what came of it") {
    asio::io_context context(1);
    std::array<int, 2> ends{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) == 0);
    http::stream_socket near(context.get_executor(), asio::generic::stream_protocol(AF_UNIX, 0), ends[0]);
    near.non_blocking(true);
    http::detail::socket_input input(near.native_handle());
    std::array<char, 8> buffer{};

    CHECK(http::detail::read_socket(input, buffer).status == http::transfer_status::needs_input);
    REQUIRE(::send(ends[1], "abc", 3, 0) == 3);
    const http::transfer got = http::detail::read_socket(input, buffer);
    CHECK(got.status == http::transfer_status::done);
    CHECK(std::string(buffer.data(), got.size) == "abc");

    const std::string much(std::size_t{1} << 20, 'x');
    http::transfer put = http::detail::write_socket(near, much);
    CHECK(put.status == http::transfer_status::done);
    while (put.status == http::transfer_status::done) put = http::detail::write_socket(near, much);
    CHECK(put.status == http::transfer_status::needs_output);

    ::shutdown(ends[1], SHUT_WR);
    CHECK(http::detail::read_socket(input, buffer).status == http::transfer_status::closed);
    ::close(ends[1]);
    put = http::detail::write_socket(near, "x");
    CHECK(put.status == http::transfer_status::failed);
    CHECK(put.error.value() == EPIPE);
}
