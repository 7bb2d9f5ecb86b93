#include <benchkit/http/connector.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include <benchkit/exec/run.hpp>

#include "support/scripted_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

http::connect_plan plan_from(std::vector<std::string> sources) {
    http::connect_plan plan;
    plan.host = "127.0.0.1";
    plan.sources = std::move(sources);
    return plan;
}

std::string own_address(const http::stream_socket& socket) {
    const auto endpoint = socket.local_endpoint();
    asio::ip::tcp::endpoint address;
    std::memcpy(address.data(), endpoint.data(), endpoint.size());
    return address.address().to_string();
}

const http::stream_endpoint loopback(asio::ip::tcp::endpoint(asio::ip::make_address("127.0.0.1"), 80));

}  // namespace

TEST_CASE("sockets come from the sources in turn, those of the other family left out") {
    bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> {
        http::connector connector(shard, plan_from({"127.0.0.2", "::1", "127.0.0.3"}));
        CHECK(connector.secure() == nullptr);
        for (const char* expected : {"127.0.0.2", "127.0.0.3", "127.0.0.2"}) {
            http::stream_socket socket(shard.executor());
            CHECK_FALSE(connector.open(socket, loopback));
            CHECK(own_address(socket) == expected);
        }
        co_return;
    });
}

TEST_CASE("a source that is not ours, or of no fitting family, is an error") {
    bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> {
        http::stream_socket socket(shard.executor());
        http::connector foreign(shard, plan_from({"192.0.2.1"}));  // RFC 5737: nobody's
        CHECK(foreign.open(socket, loopback).value() == EADDRNOTAVAIL);
        http::stream_socket other(shard.executor());
        http::connector six(shard, plan_from({"::1"}));
        CHECK(six.open(other, loopback) == asio::error::address_family_not_supported);
        co_return;
    });
}

TEST_CASE("a socket sends at once, does not block, and closes with a reset where that is asked for") {
    bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> {
        for (const bool reset : {false, true}) {
            http::connect_plan plan = plan_from({});
            plan.reset_on_close = reset;
            http::connector connector(shard, plan);
            http::stream_socket socket(shard.executor());
            CHECK_FALSE(connector.open(socket, loopback));
            asio::ip::tcp::no_delay no_delay;
            socket.get_option(no_delay);
            CHECK(no_delay.value());
            asio::socket_base::linger linger;
            socket.get_option(linger);
            CHECK(linger.enabled() == reset);
            CHECK(socket.non_blocking());
        }
        co_return;
    });
}
