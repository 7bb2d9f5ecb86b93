#include <benchkit/http/connect_plan.hpp>

#include <doctest/doctest.h>

namespace http = benchkit::http;

TEST_CASE("a URL is a plan: its own host and port, from anywhere") {
    const http::connect_plan plan = http::parse_url("url", "http://[::1]:8080/path");
    CHECK(plan.host == "::1");
    CHECK(plan.port == 8080);
    CHECK(plan.unix_socket.empty());
    CHECK(plan.sources.empty());
    CHECK(plan.family == http::address_family::any);
    CHECK_FALSE(plan.reset_on_close);
}

TEST_CASE("people are told where a connection really goes") {
    http::connect_plan plan = http::parse_url("url", "http://[::1]:8080/path");
    CHECK(plan.peer() == "[::1]:8080");
    plan.host = "localhost";
    CHECK(plan.peer() == "localhost:8080");
    plan.unix_socket = "/run/server.sock";
    CHECK(plan.peer() == "/run/server.sock");
}
