#include <benchkit/http/target.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

TEST_CASE("a target prepares its request once") {
    const http::target plain{"http://localhost:8088/path?q=1"};
    CHECK(plain.bytes().starts_with("GET /path?q=1 HTTP/1.1\r\nHost: localhost:8088\r\n"));
    CHECK(plain.path() == "/path?q=1");
    CHECK(plain.address().port == 8088);

    const http::target old{"http://localhost/",
                           http::request("HEAD", "/other"),
                           {.keep_alive = false, .version = http::http_version::http_1_0}};
    CHECK(old.bytes().starts_with("HEAD /other HTTP/1.0\r\nHost: localhost\r\n"));
    CHECK(old.path() == "/other");
    CHECK(old.text() == "http://localhost/other");
}

TEST_CASE("timeouts that are not positive are refused") {
    CHECK_THROWS_WITH_AS((http::target{"http://localhost/", {.timeout = 0s}}),
                         "timeout = 0 ns: allowed is more than 0 s", bk::error);
    CHECK_THROWS_AS((http::target{"http://localhost/", {.timeout = -1s}}), bk::error);
    CHECK_THROWS_WITH_AS((http::target{"http://localhost/", {.connect_timeout = 0s}}),
                         "connect_timeout = 0 ns: allowed is more than 0 s", bk::error);
}

TEST_CASE("of answers to HEAD only the status can be expected") {
    http::target target("http://localhost/", http::request("HEAD"));
    target.expect(http::expectation().status(204));
    CHECK_THROWS_WITH_AS(target.expect(http::expectation().body_contains("x")),
                         "expect: answers to HEAD have no body: only their status can be expected", bk::error);
    CHECK_THROWS_AS(target.expect(http::expectation().body_length(0)), bk::error);
}

TEST_CASE("keep-alive can be changed, and the request says so") {
    http::target target("http://localhost/");
    CHECK(target.bytes().find("Connection") == std::string::npos);
    target.keep_alive(false);
    CHECK_FALSE(target.options().keep_alive);
    CHECK(target.bytes() == http::target("http://localhost/", {.keep_alive = false}).bytes());
    CHECK(target.keep_alive(true).bytes() == http::target("http://localhost/").bytes());

    http::target pipelined("http://localhost/", {.pipeline = 2});
    CHECK_THROWS_WITH_AS(pipelined.keep_alive(false), "pipeline = 2: needs keep-alive", bk::error);
}
