#include <benchkit/http/stream_socket.hpp>

#include <doctest/doctest.h>
#include <sys/socket.h>

namespace http = benchkit::http;

TEST_CASE("an endpoint is of any stream protocol, and a socket takes it") {
    asio::io_context context(1);
    const http::stream_endpoint tcp(asio::ip::tcp::endpoint(asio::ip::make_address("::1"), 80));
    const http::stream_endpoint local(asio::local::stream_protocol::endpoint("/run/socket"));
    for (const auto& [endpoint, family] : {std::pair{tcp, AF_INET6}, std::pair{local, AF_UNIX}}) {
        CHECK(endpoint.protocol().family() == family);
        http::stream_socket socket(context.get_executor());
        socket.open(endpoint.protocol());
        CHECK(socket.is_open());
    }
}
