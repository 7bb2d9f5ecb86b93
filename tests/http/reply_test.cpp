#include <benchkit/http/reply.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "response_feed.hpp"
#include "support/refusal.hpp"

using benchkit::http::body_framing;
using benchkit::http::parse_status;
using benchkit::http::reply;
using benchkit::http::serialize;
using benchkit_test::feed_whole;
using benchkit_test::response_outcome;
using tests::refusal;

namespace {

const std::string server = "Server: benchkit/" + std::string(benchkit::version) + "\r\n";

}  // namespace

TEST_CASE("a reply is head and body in one string") {
    CHECK(serialize(reply("<p>Hello, world!</p>"), true) ==
          "HTTP/1.1 200 OK\r\n" + server +
              "Content-Type: text/plain\r\nContent-Length: 20\r\n\r\n<p>Hello, world!</p>");
    CHECK(serialize(reply(201, "{}").header("Content-Type", "application/json").header("X", "y"), true) ==
          "HTTP/1.1 201 Created\r\n" + server +
              "Content-Type: application/json\r\nX: y\r\nContent-Length: 2\r\n\r\n{}");
    CHECK(serialize(reply(), true) == "HTTP/1.1 200 OK\r\n" + server + "Content-Length: 0\r\n\r\n");
    CHECK(serialize(reply(299), true).starts_with("HTTP/1.1 299 \r\n"));
    CHECK(serialize(reply().header("server", "x"), true) ==
          "HTTP/1.1 200 OK\r\nserver: x\r\nContent-Length: 0\r\n\r\n");
}

TEST_CASE("replies to pipelined requests append to one another") {
    std::string out;
    serialize(reply("a"), true, 1, false, out);
    serialize(reply("b"), true, 1, false, out);
    CHECK(out == serialize(reply("a"), true) + serialize(reply("b"), true));
}

TEST_CASE("Connection says what the version does not") {
    const auto connection = [](const reply& what, bool keep_alive, int minor_version) {
        const std::string bytes = serialize(what, keep_alive, minor_version);
        const std::size_t begin = bytes.find("\r\nConnection: ");
        return begin == std::string::npos ? ""
                                          : bytes.substr(begin + 14, bytes.find('\r', begin + 2) - begin - 14);
    };
    CHECK(connection(reply(), true, 1).empty());
    CHECK(connection(reply(), false, 1) == "close");
    CHECK(connection(reply(), true, 0) == "keep-alive");
    CHECK(connection(reply(), false, 0) == "close");
    CHECK(connection(reply().close(), true, 1) == "close");
    CHECK(connection(reply().close(), true, 0) == "close");
    CHECK(reply().close().closes());
    CHECK_FALSE(reply().resets());
    CHECK(reply().reset().resets());
}

TEST_CASE("HEAD, 204 and 304 have no body") {
    CHECK(serialize(reply("abc"), true, 1, true) ==
          "HTTP/1.1 200 OK\r\n" + server + "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\n");
    CHECK(serialize(reply(204, "abc"), true) == "HTTP/1.1 204 No Content\r\n" + server + "\r\n");
    CHECK(serialize(reply(304, "abc"), true) == "HTTP/1.1 304 Not Modified\r\n" + server + "\r\n");
}

TEST_CASE("our parser reads what our server writes") {
    for (const bool keep_alive : {false, true}) {
        for (const bool head_only : {false, true}) {
            for (const int status : {200, 204, 205, 304, 404, 500}) {
                const std::string bytes = serialize(reply(status, "abc"), keep_alive, 1, head_only);
                const response_outcome outcome = feed_whole(bytes, head_only);
                CHECK(outcome.status == parse_status::complete);
                CHECK(outcome.code == status);
                CHECK(outcome.keep_alive == keep_alive);
                CHECK(outcome.framing != body_framing::until_close);
                const bool has_body = !head_only && status != 204 && status != 304;
                CHECK(outcome.body == (has_body ? "abc" : ""));
            }
        }
    }
}

TEST_CASE("what a reply may not say is refused") {
    CHECK(refusal([] { reply(199); }) == "status = 199: the status of a reply is from 200 to 999");
    CHECK(refusal([] { reply(1000); }) == "status = 1000: the status of a reply is from 200 to 999");
    CHECK(refusal([] { reply().header("X", "a\r\nY: b"); }).find("control characters") != std::string::npos);
    for (const char* name : {"content-length", "Transfer-Encoding", "CONNECTION"}) {
        CHECK(refusal([&] { reply().header(name, "1"); }).find("writes this field itself") !=
              std::string::npos);
    }
}

TEST_CASE("a chunked reply has no length, for HTTP/1.0 it has nothing else") {
    CHECK(serialize(reply("hello").chunked(), true) ==
          "HTTP/1.1 200 OK\r\n" + server +
              "Content-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    CHECK(serialize(reply().chunked(), true).ends_with("chunked\r\n\r\n0\r\n\r\n"));
    CHECK(serialize(reply("hello").chunked(), true, 0).find("Content-Length: 5\r\n") != std::string::npos);
    CHECK(serialize(reply("hello").chunked(), true, 0).ends_with("\r\n\r\nhello"));
    CHECK(serialize(reply("hello").chunked(), true, 1, true).ends_with("chunked\r\n\r\n"));
    const std::string body(10'000, 'x');
    const std::string bytes = serialize(reply(body).chunked(), true);
    CHECK(bytes.find("\r\n\r\n1000\r\n") != std::string::npos);
    CHECK(bytes.find("x\r\n710\r\nx") != std::string::npos);  // 10,000 - 2 * 4,096 is 0x710
    const response_outcome outcome = feed_whole(bytes);
    CHECK(outcome.status == parse_status::complete);
    CHECK(outcome.body == body);
}
