#include <benchkit/http/requests_file.hpp>

#include <doctest/doctest.h>

#include <string>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

const http::url base = http::parse_url("url", "http://localhost:81/");

http::request_list read(const std::string& text) {
    return http::parse_requests("--requests-file", "list", text, base);
}

std::string refusal_of(const std::string& text) {
    return tests::refusal([&] { (void)read(text); });
}

}  // namespace

TEST_CASE("each line is a request, with the method that its body asks for unless it has one") {
    const http::request_list list = read(
        "{\"url\": \"/a\"}\n"
        "\n"
        "{\"method\": \"PUT\", \"url\": \"http://localhost:81/b?c=1\", \"headers\": {\"X-A\": \"1\", \"X-B\": "
        "\"2\"}, "
        "\"body\": \"t\\u00e4xt\", \"weight\": 3}\r\n"
        "{\"url\": \"/c\", \"body\": {\"n\": [1, {}]}}");
    REQUIRE(list.entries().size() == 3);
    CHECK(list.entries()[0].what.method() == "GET");
    CHECK(list.entries()[0].what.target() == "/a");
    CHECK(list.entries()[0].weight == 1);
    const http::request& second = list.entries()[1].what;
    CHECK(second.method() == "PUT");
    CHECK(second.target() == "/b?c=1");
    CHECK(second.headers() == std::vector<http::header_line>{{"X-A", "1"}, {"X-B", "2"}});
    CHECK(second.body() == "t\xc3\xa4xt");
    CHECK(list.entries()[1].weight == 3);
    CHECK(list.entries()[2].what.method() == "POST");
    CHECK(list.entries()[2].what.body() == "{\"n\":[1,{}]}");
    CHECK(list.round() == 5);
}

TEST_CASE("a broken line is refused with its number") {
    CHECK(refusal_of("") == "--requests-file = list: it has no requests");
    CHECK(refusal_of("{\"url\": \"/\"}\n\n{\"url\": \"/\"")
              .starts_with("--requests-file = list: line 3 is no JSON: "));
    CHECK(refusal_of("[1]") == "--requests-file = list: line 1 is no JSON object");
    CHECK(refusal_of("{}") == "--requests-file = list: line 1 has no \"url\"");
    CHECK(refusal_of("{\"url\": 5}") == "--requests-file = list: line 1 has \"url\" that is no text");
    CHECK(refusal_of("{\"url\": \"/\", \"x\": 5}") ==
          "--requests-file = list: line 1 has \"x\", and allowed are method, url, headers, body and weight");
    CHECK(refusal_of("{\"url\": \"/\", \"headers\": []}") ==
          "--requests-file = list: line 1 has \"headers\" that are no object");
    CHECK(refusal_of("{\"url\": \"/\", \"headers\": {\"a\": 1}}") ==
          "--requests-file = list: line 1 has \"a\" that is no text");
    CHECK(refusal_of("{\"url\": \"/\", \"headers\": {\"a b\": \"\"}}")
              .starts_with("--requests-file = list: line 1 header = a b"));
    CHECK(refusal_of("{\"url\": \"/\", \"weight\": 1.5}") ==
          "--requests-file = list: line 1 has a \"weight\" that is no whole number");
    CHECK(
        refusal_of("{\"url\": \"/\", \"weight\": 0}").starts_with("--requests-file = list: line 1 weight = 0"));
    CHECK(refusal_of("{\"url\": \"/ x\"}").starts_with("--requests-file = list: line 1 path = / x"));
    CHECK(refusal_of("{\"url\": \"/\", \"method\": \"A B\"}")
              .starts_with("--requests-file = list: line 1 method = A B"));
    CHECK(
        refusal_of("{\"url\": \"http://other/\"}") ==
        "--requests-file = list: line 1 url = http://other/: all requests of a load go to one server, that of "
        "http://localhost:81/");
}
