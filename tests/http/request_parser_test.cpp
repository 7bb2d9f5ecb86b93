#include <benchkit/http/request_parser.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "request_feed.hpp"

using benchkit::http::parse_status;
using benchkit::http::request_limits;
using benchkit::http::request_parser;
using benchkit_test::request_feed;
using benchkit_test::request_outcome;

namespace {

request_outcome feed_whole(std::string_view bytes, request_limits limits = {}) {
    request_feed feed(limits);
    feed.give(bytes);
    return feed.finish();
}

// The same bytes in two pieces at every place, and byte by byte.
std::vector<std::vector<std::string_view>> splits_of(std::string_view bytes) {
    std::vector<std::vector<std::string_view>> splits;
    for (std::size_t at = 0; at <= bytes.size(); ++at)
        splits.push_back({bytes.substr(0, at), bytes.substr(at)});
    splits.emplace_back();
    for (std::size_t at = 0; at < bytes.size(); ++at) splits.back().push_back(bytes.substr(at, 1));
    return splits;
}

struct good_request {
    const char* name;
    std::string message;
    const char* path;
    const char* query;
    std::string body;
    bool keep_alive;
};

struct bad_request {
    const char* name;
    std::string message;
    int status;
    const char* reason;
};

const std::string host = "Host: h\r\n";

std::vector<good_request> good_requests() {
    const std::string get = "GET / HTTP/1.1\r\n";
    const std::string post = "POST /x HTTP/1.1\r\n" + host;
    return {
        {"the smallest of HTTP/1.1", get + host + "\r\n", "/", "", "", true},
        {"the smallest of HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", "/", "", "", false},
        {"what ab sends",
         "GET /hello HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: localhost:8088\r\n"
         "User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n",
         "/hello", "", "", true},
        {"a query", "GET /a/b?c=d?e HTTP/1.1\r\n" + host + "\r\n", "/a/b", "c=d?e", "", true},
        {"an empty query", "GET /a? HTTP/1.1\r\n" + host + "\r\n", "/a", "", "", true},
        {"absolute-form, which servers must take (RFC 9112 section 3.2.2)",
         "GET HTTP://example.org:81/a?b HTTP/1.1\r\nHost: example.org:81\r\n\r\n", "/a", "b", "", true},
        {"absolute-form without a path", "GET http://h HTTP/1.1\r\n" + host + "\r\n", "/", "", "", true},
        {"absolute-form with a query alone", "GET http://h?a HTTP/1.1\r\n" + host + "\r\n", "/", "a", "", true},
        {"a path that holds a URL", "GET /http://x/?y HTTP/1.1\r\n" + host + "\r\n", "/http://x/", "y", "",
         true},
        {"asterisk-form of OPTIONS", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n", "*", "", "", true},
        {"a method that is not known", "FROB / HTTP/1.1\r\n" + host + "\r\n", "/", "", "", true},
        {"a method in lower case", "get / HTTP/1.1\r\n" + host + "\r\n", "/", "", "", true},
        {"a higher minor version", "GET / HTTP/1.9\r\n" + host + "\r\n", "/", "", "", true},
        {"empty lines before it, section 2.2", "\r\n\r\n" + get + host + "\r\n", "/", "", "", true},
        {"lines that end with LF", "GET / HTTP/1.1\nHost: h\n\n", "/", "", "", true},
        {"an empty Host", get + "Host:\r\n\r\n", "/", "", "", true},
        {"a Host that is an IPv6 address", get + "Host: [::1]:80\r\n\r\n", "/", "", "", true},
        {"close", get + host + "Connection: close\r\n\r\n", "/", "", "", false},
        {"close in a list", get + host + "Connection: keep-alive, Close\r\n\r\n", "/", "", "", false},
        {"keep-alive of HTTP/1.0 in a list", "GET / HTTP/1.0\r\nConnection: x,Keep-Alive\r\n\r\n", "/", "", "",
         true},
        {"a field with the word in its value", "GET / HTTP/1.0\r\nX: Connection: Keep-Alive\r\n\r\n", "/", "",
         "", false},
        {"a body", post + "Content-Length: 3\r\n\r\nabc", "/x", "", "abc", true},
        {"a body of zero bytes", post + "Content-Length: 0\r\n\r\n", "/x", "", "", true},
        {"POST without a length has no body", post + "\r\n", "/x", "", "", true},
        {"a body with GET", get + host + "Content-Length: 3\r\n\r\nabc", "/", "", "abc", true},
        {"equal lengths", post + "Content-Length: 3\r\nContent-Length: 3,3\r\n\r\nabc", "/x", "", "abc", true},
        {"a body that looks like a request", post + "Content-Length: 18\r\n\r\nGET / HTTP/1.1\r\n\r\n", "/x",
         "", "GET / HTTP/1.1\r\n\r\n", true},
        {"chunks", post + "Transfer-Encoding: chunked\r\n\r\n2;a=b\r\nab\r\n1\r\nc\r\n0\r\nX: y\r\n\r\n", "/x",
         "", "abc", true},
        {"both: chunked counts and the connection goes, section 6.1",
         post + "Content-Length: 9\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "/x", "", "a",
         false},
    };
}

std::vector<bad_request> bad_requests() {
    const std::string get = "GET / HTTP/1.1\r\n";
    const std::string post = "POST / HTTP/1.1\r\n" + host;
    return {
        {"nothing but spaces", "   \r\n", 400, "method"},
        {"a TLS hello", "\x16\x03\x01", 400, "control character"},
        {"one word", "GET\r\n", 400, "three parts"},
        {"two words, as of HTTP/0.9", "GET /\r\n", 400, "three parts"},
        {"a space before the method", " GET / HTTP/1.1\r\n", 400, "method"},
        {"two spaces", "GET  / HTTP/1.1\r\n", 400, "target"},
        {"a space at the end", "GET / HTTP/1.1 \r\n", 400, "version"},
        {"a space in the target", "GET /a b HTTP/1.1\r\n", 400, "target"},
        {"a tab in the target", "GET /a\tb HTTP/1.1\r\n", 400, "target"},
        {"a byte beyond ASCII in the target", "GET /\xc3 HTTP/1.1\r\n", 400, "target"},
        {"a fragment", "GET /#a HTTP/1.1\r\n", 400, "fragment"},
        {"a target without a slash", "GET x HTTP/1.1\r\n", 400, "target"},
        {"an asterisk with GET", "GET * HTTP/1.1\r\n", 400, "target"},
        {"an unknown scheme", "GET ftp://h/ HTTP/1.1\r\n", 400, "target"},
        {"a URL without a host", "GET http:///x HTTP/1.1\r\n", 400, "target"},
        {"a method that is no token", "G:T / HTTP/1.1\r\n", 400, "method"},
        {"a method with a tab", "GET\t/ HTTP/1.1\r\n", 400, "three parts"},
        {"HTTP in lower case", "GET / http/1.1\r\n", 400, "version"},
        {"a version with two digits", "GET / HTTP/1.10\r\n", 400, "version"},
        {"a version without its dot", "GET / HTTP/1,1\r\n", 400, "version"},
        {"HTTP/2's preface", "PRI * HTTP/2.0\r\n", 505, "version"},
        {"HTTP/0.9 in words", "GET / HTTP/0.9\r\n", 505, "version"},
        {"CONNECT", "CONNECT h:80 HTTP/1.1\r\n", 501, "CONNECT"},

        {"no Host in HTTP/1.1, section 3.2", get + "\r\n", 400, "no Host"},
        {"two Hosts", get + host + host + "\r\n", 400, "two Hosts"},
        {"two Hosts in HTTP/1.0", "GET / HTTP/1.0\r\n" + host + host + "\r\n", 400, "two Hosts"},
        {"a Host with a path", get + "Host: h/x\r\n\r\n", 400, "no host"},
        {"a Host with a space", get + "Host: a b\r\n\r\n", 400, "no host"},
        {"a Host with a user", get + "Host: a@b\r\n\r\n", 400, "no host"},
        {"whitespace before a colon, section 5.1", get + "Host : h\r\n\r\n", 400, "colon"},
        {"a folded field, section 5.2", get + host + "X: a\r\n b\r\n\r\n", 400, "folded"},
        {"whitespace before the first field", get + " " + host + "\r\n", 400, "first header field"},
        {"a CR within a value", get + "Host: h\rX: y\r\n\r\n", 400, "CR without LF"},
        {"a line without a colon", get + "hello\r\n\r\n", 400, "no field"},
        {"a zero byte", get + std::string("X: \0\r\n\r\n", 8), 400, "control character"},

        {"lengths that differ", post + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400, "differ"},
        {"a length that is no number", post + "Content-Length: +1\r\n\r\na", 400, "not a number"},
        {"2^64 + 1, which wraps to 1", post + "Content-Length: 18446744073709551617\r\n\r\na", 400,
         "no message"},
        {"a Transfer-Encoding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
         400, "HTTP/1.0"},
        {"chunked is not last, section 6.3", post + "Transfer-Encoding: chunked, gzip\r\n\r\n", 400,
         "not chunked"},
        {"identity", post + "Transfer-Encoding: identity\r\n\r\n", 400, "not chunked"},
        {"an empty Transfer-Encoding", post + "Transfer-Encoding:\r\n\r\n", 400, "not chunked"},
        {"chunked twice", post + "Transfer-Encoding: chunked, chunked\r\n\r\n", 400, "twice"},
        {"a coding that is not known, section 6.1", post + "Transfer-Encoding: gzip, chunked\r\n\r\n", 501,
         "other than chunked"},
        {"a chunk size that is no number", post + "Transfer-Encoding: chunked\r\n\r\nx\r\n", 400, "size"},
        {"a chunk that is too long", post + "Transfer-Encoding: chunked\r\n\r\n1\r\nab\r\n", 400,
         "does not end"},
    };
}

}  // namespace

TEST_CASE("every good request is understood, however it is split") {
    for (const good_request& expected : good_requests()) {
        INFO(std::string(expected.name));
        const request_outcome whole = feed_whole(expected.message);
        CHECK(whole.status == parse_status::complete);
        CHECK(whole.path == expected.path);
        CHECK(whole.query == expected.query);
        CHECK(whole.body == expected.body);
        CHECK(whole.keep_alive == expected.keep_alive);
        CHECK(whole.error_status == 0);
        CHECK(whole.reason.empty());
        for (const auto& pieces : splits_of(expected.message)) {
            request_feed feed;
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.consumed() == expected.message.size());
            REQUIRE(feed.finish() == whole);
        }
        const std::string pipelined = expected.message + "GET /next HTTP/1.1\r\nHost: h\r\n\r\n";
        for (const auto& pieces : splits_of(pipelined)) {
            request_feed feed;
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.consumed() == expected.message.size());
            REQUIRE(feed.finish() == whole);
        }
    }
}

TEST_CASE("a bad request is refused with the status to answer, however it is split") {
    for (const bad_request& expected : bad_requests()) {
        INFO(std::string(expected.name));
        const request_outcome whole = feed_whole(expected.message);
        CHECK(whole.status == parse_status::malformed);
        CHECK(whole.error_status == expected.status);
        CHECK(whole.reason.find(expected.reason) != std::string::npos);
        CAPTURE(whole.reason);
        for (const auto& pieces : splits_of(expected.message)) {
            request_feed feed;
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.finish() == whole);
        }
    }
}

TEST_CASE("the head is told as it was sent") {
    const request_outcome outcome =
        feed_whole("POST /a?b HTTP/1.0\r\nX-One:  1 \r\nx-two:\r\nContent-Length: 2\r\n\r\nhi");
    CHECK(outcome.method == "POST");
    CHECK(outcome.target == "/a?b");
    CHECK(outcome.minor_version == 0);
    CHECK(outcome.headers == "X-One=1;x-two=;Content-Length=2;");
    CHECK(outcome.body == "hi");
}

TEST_CASE("what is longer than its limit is refused by its own status") {
    const request_limits limits{.head = 70, .body = 4};
    const std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
    const auto status_of = [&](const std::string& bytes) {
        const request_outcome whole = feed_whole(bytes, limits);
        request_feed feed(limits);
        for (std::size_t at = 0; at < bytes.size(); ++at) feed.give(std::string_view(bytes).substr(at, 1));
        CHECK(feed.finish() == whole);
        return whole.error_status;
    };
    CHECK(status_of("GET /" + std::string(70, 'x') + " HTTP/1.1\r\nHost: h\r\n\r\n") == 414);
    CHECK(status_of("GET / HTTP/1.1\r\nHost: h\r\nX: " + std::string(70, 'x') + "\r\n\r\n") == 431);
    CHECK(status_of(post + "Content-Length: 4\r\n\r\nabcd") == 0);
    CHECK(status_of(post + "Content-Length: 5\r\n\r\n") == 413);
    CHECK(status_of(post + "Content-Length: 9223372036854775807\r\n\r\n") == 413);
    CHECK(status_of(post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\n0\r\n\r\n") == 0);
    CHECK(status_of(post + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n") == 413);
    CHECK(status_of(post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: " + std::string(70, 'x') + "\r\n\r\n") ==
          400);
}

TEST_CASE("a client that expects 100 Continue is known, until its body comes (RFC 9110 section 10.1.1)") {
    const std::string head = "POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n";
    request_feed feed;
    feed.give(head.substr(0, 20));
    CHECK_FALSE(feed.parser().expects_continue());
    feed.give(head.substr(20));
    CHECK(feed.parser().expects_continue());
    CHECK(feed.parser().get().path == "/");
    feed.give("a");
    CHECK_FALSE(feed.parser().expects_continue());
    feed.give("bc");
    CHECK_FALSE(feed.parser().expects_continue());
    CHECK(feed.finish().body == "abc");
    request_feed old;
    old.give("POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
    CHECK_FALSE(old.parser().expects_continue());
    request_feed empty;
    empty.give("POST / HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\n\r\n");
    CHECK_FALSE(empty.parser().expects_continue());
}

TEST_CASE("one parser reads pipelined requests, with and without bodies") {
    const std::string bytes =
        "GET /1 HTTP/1.1\r\nHost: h\r\n\r\n\r\nPOST /2 HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\nhi"
        "POST /3 HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n!\r\n0\r\n\r\nGET /4 "
        "HTTP/1.0\r\n\r\n";
    request_parser parser;
    std::string_view rest = bytes;
    std::string seen;
    for (int i = 0; i < 4; ++i) {
        std::size_t consumed = 0;
        CHECK_FALSE(parser.started());
        REQUIRE(parser.consume(rest, consumed) == parse_status::complete);
        CHECK(parser.started());
        CHECK(parser.keep_alive() == (i != 3));
        seen.append(parser.get().path).append("=").append(parser.get().body).append(";");
        rest.remove_prefix(consumed);
        parser.start();
    }
    CHECK(rest.empty());
    CHECK(seen == "/1=;/2=hi;/3=!;/4=;");
}

TEST_CASE("what is kept outlives the bytes that were given") {
    std::string bytes = "POST /a?b HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\n\r\nx";
    request_parser parser;
    std::size_t consumed = 0;
    CHECK_FALSE(parser.has_head());
    CHECK(parser.consume(bytes, consumed) == parse_status::complete);
    CHECK(parser.has_head());
    parser.keep();
    bytes.assign(bytes.size(), '?');
    CHECK(parser.get().method == "POST");
    CHECK(parser.get().target == "/a?b");
    CHECK(parser.get().headers.find("host") == "h");
    CHECK(parser.get().body == "x");
    parser.start();
    CHECK_FALSE(parser.has_head());
    CHECK(parser.consume("GET / HTTP/1.1\r\n\r\n", consumed) == parse_status::malformed);
    CHECK_FALSE(parser.has_head());
}

TEST_CASE("a parser that has ended stays so until it is started") {
    request_parser parser;
    std::size_t consumed = 0;
    CHECK(parser.consume("GET / HTTP/1.0\r\n\r\nx", consumed) == parse_status::complete);
    CHECK(consumed == 18);
    CHECK(parser.consume("GET", consumed) == parse_status::complete);
    CHECK(consumed == 0);
    parser.start();
    CHECK(parser.consume("?", consumed) == parse_status::malformed);
    CHECK(parser.consume("GET / HTTP/1.0\r\n\r\n", consumed) == parse_status::malformed);
    parser.start();
    CHECK(parser.consume("GET / HTTP/1.0\r\n\r\n", consumed) == parse_status::complete);
}
