#include <benchkit/http/redirect.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

namespace http = benchkit::http;

namespace {

const http::url base = http::parse_url("url", "http://a:8080/");

std::string leads_to(const std::string& location, const std::string& path = "/b/c/d?q") {
    return http::detail::path_of_location(location, path, base).value_or("elsewhere");
}

}  // namespace

// RFC 3986 section 5.4, as far as it stays on one host; its base has the path /b/c/d;p and the query q.
TEST_CASE("references are resolved as RFC 3986 shows it") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"g", "/b/c/g"},      {"./g", "/b/c/g"},        {"g/", "/b/c/g/"},
        {"/g", "/g"},         {"?y", "/b/c/d;p?y"},     {"g?y", "/b/c/g?y"},
        {"#s", "/b/c/d;p?q"}, {"g#s", "/b/c/g"},        {";x", "/b/c/;x"},
        {"", "/b/c/d;p?q"},   {".", "/b/c/"},           {"./", "/b/c/"},
        {"..", "/b/"},        {"../", "/b/"},           {"../g", "/b/g"},
        {"../..", "/"},       {"../../g", "/g"},        {"../../../g", "/g"},
        {"/./g", "/g"},       {"/../g", "/g"},          {"g.", "/b/c/g."},
        {"..g", "/b/c/..g"},  {"./g/.", "/b/c/g/"},     {"g/./h", "/b/c/g/h"},
        {"g/../h", "/b/c/h"}, {"g;x=1/../y", "/b/c/y"}, {"g?y/../x", "/b/c/g?y/../x"},
    };
    for (const auto& [reference, target] : cases) {
        CAPTURE(reference);
        CHECK(leads_to(reference, "/b/c/d;p?q") == target);
    }
}

TEST_CASE("a whole URL counts where it leads to the same scheme, host and port") {
    CHECK(leads_to("http://a:8080/x?y#z") == "/x?y");
    CHECK(leads_to("http://A:8080") == "/");
    CHECK(leads_to("//a:8080/x") == "/x");
    for (const char* other : {"http://a/x", "http://b:8080/x", "https://a:8080/x", "//b/x", "ftp://a:8080/x",
                              "mailto:a@b", "http://"}) {
        CAPTURE(other);
        CHECK(leads_to(other) == "elsewhere");
    }
}

TEST_CASE("301, 302 and 303 become a GET, 307 and 308 keep method and body (RFC 9110 section 15.4)") {
    const http::request post =
        http::request("POST", "/x").header("Content-Type", "text/plain").header("X-A", "1").body("content");
    for (const int status : {301, 302, 303}) {
        const auto next = http::redirected(post, "/x", status, "/y", base);
        REQUIRE(next.has_value());
        CHECK(next->method() == "GET");
        CHECK(next->target() == "/y");
        CHECK(next->body().empty());
        CHECK(next->headers() == std::vector<http::header_line>{{"X-A", "1"}});
        CHECK(http::redirected(http::request("HEAD", "/x"), "/x", status, "/y", base)->method() == "HEAD");
    }
    for (const int status : {307, 308}) {
        const auto next = http::redirected(post, "/x", status, "/y", base);
        REQUIRE(next.has_value());
        CHECK(next->method() == "POST");
        CHECK(next->body() == "content");
        CHECK(next->headers().size() == 2);
    }
    for (const int status : {200, 201, 300, 304, 305, 404}) {
        CHECK_FALSE(http::redirected(post, "/x", status, "/y", base).has_value());
    }
    CHECK_FALSE(http::redirected(post, "/x", 302, "http://b/", base).has_value());
    CHECK_FALSE(http::redirected(post, "/x", 302, "/a b", base).has_value());
}
