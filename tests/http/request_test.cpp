#include <benchkit/http/request.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "support/refusal.hpp"

using namespace std::string_literals;
using benchkit::http::http_version;
using benchkit::http::parse_header_line;
using benchkit::http::parse_url;
using benchkit::http::request;
using benchkit::http::serialize;
using benchkit::http::url;
using tests::refusal;

namespace {

const url local = parse_url("url", "http://localhost:8088/hello?a=b");

std::string sent(const request& what, http_version version = http_version::http_1_1, bool keep_alive = true) {
    return serialize(what, local, version, keep_alive);
}

}  // namespace

TEST_CASE("the request that ab sends, byte for byte") {
    const request what = request("GET").header("User-Agent", "ApacheBench/2.3");
    CHECK(sent(what, http_version::http_1_0, true) ==
          "GET /hello?a=b HTTP/1.0\r\nConnection: Keep-Alive\r\nHost: localhost:8088\r\n"
          "User-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n");
    CHECK(sent(what, http_version::http_1_0, false) ==
          "GET /hello?a=b HTTP/1.0\r\nHost: localhost:8088\r\nUser-Agent: ApacheBench/2.3\r\nAccept: "
          "*/*\r\n\r\n");
    CHECK(sent(request(what).header("Cookie", "a=b").header("Authorization", "Basic dTpw"),
               http_version::http_1_0) ==
          "GET /hello?a=b HTTP/1.0\r\nConnection: Keep-Alive\r\nCookie: a=b\r\nAuthorization: Basic dTpw\r\n"
          "Host: localhost:8088\r\nUser-Agent: ApacheBench/2.3\r\nAccept: */*\r\n\r\n");
}

TEST_CASE("HTTP/1.1 says only that it closes") {
    CHECK(sent(request()) == "GET /hello?a=b HTTP/1.1\r\nHost: localhost:8088\r\nUser-Agent: benchkit/" +
                                 std::string(benchkit::version) + "\r\nAccept: */*\r\n\r\n");
    CHECK(sent(request(), http_version::http_1_1, false)
              .starts_with("GET /hello?a=b HTTP/1.1\r\nConnection: close\r\n"));
}

TEST_CASE("the request that httpress sends, byte for byte") {
    CHECK(sent(request().header("Connection", "keep-alive").without_defaults()) ==
          "GET /hello?a=b HTTP/1.1\r\nHost: localhost:8088\r\nConnection: keep-alive\r\n\r\n");
    CHECK(
        sent(request("PUT").without_defaults().header("B", "1").header("A", "2").header("Host", "x").body("ok"),
             http_version::http_1_1,
             false) == "PUT /hello?a=b HTTP/1.1\r\nHost: x\r\nB: 1\r\nA: 2\r\nContent-Length: 2\r\n\r\nok");
}

TEST_CASE("a target of one's own replaces that of the URL") {
    CHECK(sent(request("GET", "/x?y")).starts_with("GET /x?y HTTP/1.1\r\n"));
    CHECK(sent(request("OPTIONS", "*")).starts_with("OPTIONS * HTTP/1.1\r\n"));
    CHECK(sent(request("OPTIONS")).starts_with("OPTIONS /hello?a=b HTTP/1.1\r\n"));
}

TEST_CASE("Host names the authority of the URL (RFC 9112 section 3.2)") {
    const auto host = [](std::string_view text) {
        const std::string bytes = serialize(request(), parse_url("url", text), http_version::http_1_1, true);
        const std::size_t begin = bytes.find("Host: ") + 6;
        return bytes.substr(begin, bytes.find('\r', begin) - begin);
    };
    CHECK(host("http://example.org/") == "example.org");
    CHECK(host("http://example.org:81/") == "example.org:81");
    CHECK(host("http://[::1]:81/") == "[::1]:81");
}

TEST_CASE("a field of one's own replaces the default in its place") {
    const request what = request("POST", "/x")
                             .header("accept", "text/html")
                             .header("X-A", "1")
                             .header("HOST", "example.org")
                             .header("user-agent", "me")
                             .header("connection", "close")
                             .header("Content-Type", "text/plain")
                             .header("X-A", "2")
                             .header("Accept", "text/plain")
                             .body("abc");
    CHECK(
        sent(what) ==
        "POST /x HTTP/1.1\r\nconnection: close\r\nX-A: 1\r\nX-A: 2\r\nHOST: example.org\r\nuser-agent: me\r\n"
        "accept: text/html\r\nAccept: text/plain\r\nContent-Length: 3\r\nContent-Type: text/plain\r\n\r\nabc");
}

TEST_CASE("Content-Length goes with a body, and with methods that expect one (RFC 9110 section 8.6)") {
    const auto has_length = [](const request& what) {
        return sent(what).find("Content-Length") != std::string::npos;
    };
    for (const char* method : {"GET", "HEAD", "DELETE", "OPTIONS", "get", "post"})
        CHECK_FALSE(has_length(request(method)));
    for (const char* method : {"POST", "PUT", "PATCH"}) {
        CHECK(sent(request(method)).find("\r\nContent-Length: 0\r\n") != std::string::npos);
    }
    CHECK(sent(request("DELETE").body("x")).ends_with("\r\nContent-Length: 1\r\n\r\nx"));
    CHECK(sent(request("POST").body("a\0b"s)).ends_with("\r\nContent-Length: 3\r\n\r\na\0b"s));
}

TEST_CASE("a Content-Length of one's own must be right") {
    const request right = request("POST").body("abc").header("content-length", "3");
    CHECK(sent(right).find("content-length: 3\r\n\r\nabc") != std::string::npos);
    CHECK(sent(right).find("Content-Length") == std::string::npos);
    const request wrong = request("POST").body("abc").header("Content-Length", "4");
    CHECK(refusal([&] { sent(wrong); }) == "header = Content-Length: 4: the body has 3 bytes");
}

TEST_CASE("HEAD is known, and methods are case-sensitive") {
    CHECK(request("HEAD").is_head());
    CHECK_FALSE(request("head").is_head());
    CHECK_FALSE(request().is_head());
}

TEST_CASE("methods and targets that may not be sent are refused") {
    for (const std::string_view method : {"", "G T", "GET\r\n", "GET:", "\xc3"}) {
        CHECK(refusal([&] { request(method, "/"); }).find("a method is a word such as GET or POST") !=
              std::string::npos);
    }
    CHECK(refusal([] { request("CONNECT", "/"); }) == "method = CONNECT: this client opens no tunnels");
    CHECK(refusal([] { request("GET", "x"); }) == "path = x: a path begins with /");
    CHECK(refusal([] { request("GET", "*"); }) == "path = *: a path begins with /");
    CHECK(refusal([] { request("GET", "http://h/"); }) == "path = http://h/: a path begins with /");
    for (const std::string_view target : {"/a b", "/a\r\nX: y", "/\xc3\xa4", "/a#b"}) {
        CHECK(refusal([&] { request("GET", target); }).find("a path has no spaces") != std::string::npos);
    }
}

TEST_CASE("fields that may not be sent are refused, on one line") {
    for (const std::string_view name : {"", "a b", "a:", "a\r\n", "\xc3"}) {
        CHECK(refusal([&] { request().header(name, "x"); }).find("a header name has") != std::string::npos);
    }
    for (const std::string_view value : {"a\r\nX: y", "a\nb", "a\rb", "a\x01", "\x7f"}) {
        const std::string sentence = refusal([&] { request().header("X", value); });
        CHECK(sentence.find("a header value has no CR, LF, NUL or other control characters") !=
              std::string::npos);
        CHECK(sentence.find_first_of("\r\n") == std::string::npos);
    }
    CHECK(refusal([] { request().header("X", std::string_view("\0", 1)); }).find("\\x00") != std::string::npos);
    CHECK(refusal([] { request().header("transfer-encoding", "chunked"); }) ==
          "header = transfer-encoding: a body is sent with its length, in no transfer coding");
    CHECK(refusal([] { request().header("Host", "a").header("host", "b"); }) ==
          "header = host: a request has one Host");
    CHECK(sent(request().header("X", " \ta\tb\xc3\xa4 ")).find("\r\nX: a\tb\xc3\xa4\r\n") != std::string::npos);
}

TEST_CASE("a header line of a program's option is taken apart") {
    CHECK(parse_header_line("--header", "Accept:text/html").value == "text/html");
    CHECK(parse_header_line("--header", "X: a: b ").value == "a: b");
    CHECK(parse_header_line("--header", "X-Empty:").value.empty());
    CHECK(parse_header_line("--header", "X-Empty:").name == "X-Empty");
    CHECK(refusal([] { static_cast<void>(parse_header_line("--header", "hello")); }) ==
          "--header = hello: a header is written as \"Name: value\"");
    CHECK(refusal([] { static_cast<void>(parse_header_line("--header", "X: a\r\nY: b")); }) ==
          "--header = X: a\\x0d\\x0aY: b: a header value has no CR, LF, NUL or other control characters");
    CHECK(refusal([] {
              static_cast<void>(parse_header_line("--header", ": a"));
          }).starts_with("--header: a header name"));
}
