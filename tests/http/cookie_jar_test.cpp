#include <benchkit/http/cookie_jar.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <optional>
#include <string>

namespace http = benchkit::http;
using namespace std::chrono_literals;
using std::chrono::sys_days;

namespace {

const http::cookie_jar::time now = sys_days(std::chrono::year(2026) / 1 / 1);

// The Cookie field for a path, after one Set-Cookie field of the answer to another.
std::string sent(const std::string& set, const std::string& asked = "/", const std::string& next = "/",
                 bool secure = false) {
    http::cookie_jar jar("www.example.com");
    jar.take(set, asked, now);
    return jar.field_for(next, secure, now);
}

std::optional<http::cookie_jar::time> date(const char* text) {
    return http::detail::cookie_date::parse(text);
}

}  // namespace

// RFC 6265 section 3.1 has these examples.
TEST_CASE("a cookie comes back as RFC 6265 shows it") {
    CHECK(sent("SID=31d4d96e407aad42") == "SID=31d4d96e407aad42");
    CHECK(sent("SID=31d4d96e407aad42; Path=/; Domain=example.com") == "SID=31d4d96e407aad42");
    http::cookie_jar jar("www.example.com");
    jar.take("SID=31d4d96e407aad42; Path=/; Secure; HttpOnly", "/", now);
    jar.take("lang=en-US; Path=/; Domain=example.com", "/", now);
    CHECK(jar.field_for("/", true, now) == "SID=31d4d96e407aad42; lang=en-US");
    CHECK(jar.field_for("/", false, now) == "lang=en-US");
    jar.take("lang=; Expires=Sun, 06 Nov 1994 08:49:37 GMT", "/", now);
    CHECK(jar.field_for("/", true, now) == "SID=31d4d96e407aad42");
    jar.take("lang=en-US; Expires=Wed, 09 Jun 2027 10:18:14 GMT", "/", now);
    CHECK(jar.field_for("/", true, now) == "SID=31d4d96e407aad42; lang=en-US");
}

TEST_CASE("names and values are trimmed, and what is no cookie is left out (5.2)") {
    CHECK(sent("  a  =  b c  ; x") == "a=b c");
    CHECK(sent("a=b=c") == "a=b=c");
    CHECK(sent("a=\"b\"") == "a=\"b\"");
    CHECK(sent("a=") == "a=");
    CHECK(sent("abc").empty());
    CHECK(sent("=b").empty());
    CHECK(sent("").empty());
}

TEST_CASE("a path is the cookie's own or that of the request, and matches whole segments (5.1.4)") {
    CHECK(sent("a=b", "/x/y", "/x/z") == "a=b");
    CHECK(sent("a=b", "/x/y?q=/z/", "/x/") == "a=b");
    CHECK(sent("a=b", "/x/y", "/x") == "a=b");
    CHECK(sent("a=b", "/x/y", "/").empty());
    CHECK(sent("a=b", "/x/y", "/xy").empty());
    CHECK(sent("a=b", "/x", "/y") == "a=b");
    CHECK(sent("a=b; Path=/foo", "/", "/foo/bar?q") == "a=b");
    CHECK(sent("a=b; Path=/foo", "/", "/foobar").empty());
    CHECK(sent("a=b; Path=/foo/", "/", "/foo/bar") == "a=b");
    CHECK(sent("a=b; path=foo", "/", "/") == "a=b");  // no path: the default
}

TEST_CASE("a domain that is not the host's leaves the cookie out (5.3)") {
    CHECK(sent("a=b; Domain=.example.com") == "a=b");
    CHECK(sent("a=b; Domain=WWW.EXAMPLE.COM") == "a=b");
    CHECK(sent("a=b; Domain=other.com").empty());
    CHECK(sent("a=b; Domain=sub.www.example.com").empty());
    CHECK(sent("a=b; Domain=ample.com").empty());
    http::cookie_jar address("127.0.0.1");
    address.take("a=b; Domain=0.0.1", "/", now);
    CHECK(address.size() == 0);
}

TEST_CASE("Max-Age goes before Expires, and an age of 0 or less ends a cookie") {
    CHECK(sent("a=b; Max-Age=10") == "a=b");
    CHECK(sent("a=b; Max-Age=0").empty());
    CHECK(sent("a=b; Max-Age=-5").empty());
    CHECK(sent("a=b; Max-Age=10; Expires=Thu, 01 Jan 1970 00:00:00 GMT") == "a=b");
    CHECK(sent("a=b; Max-Age=x; Expires=Thu, 01 Jan 1970 00:00:00 GMT").empty());
    CHECK(sent("a=b; Max-Age=; Expires=Thu, 01 Jan 1970 00:00:00 GMT").empty());
    CHECK(sent("a=b; Max-Age=99999999999999999999") == "a=b");
    http::cookie_jar jar("h");
    jar.take("a=b; Max-Age=10", "/", now);
    CHECK(jar.field_for("/", false, now + 9s) == "a=b");
    CHECK(jar.field_for("/", false, now + 10s).empty());
}

TEST_CASE(
    "longer paths come first, then who was there first, and a cookie of the same name and path is replaced") {
    http::cookie_jar jar("h");
    jar.take("a=1; Path=/", "/", now);
    jar.take("b=2; Path=/", "/", now);
    jar.take("a=3; Path=/x", "/", now);
    jar.take("a=4; Path=/", "/", now);
    CHECK(jar.field_for("/x", false, now) == "a=3; a=4; b=2");
    CHECK(jar.size() == 3);
    jar.clear();
    CHECK(jar.field_for("/x", false, now).empty());
}

// The three formats of RFC 9110 section 5.6.7, and what RFC 6265 section 5.1.1 refuses.
TEST_CASE("dates are read in any of their forms") {
    const auto expected = sys_days(std::chrono::year(1994) / 11 / 6) + 8h + 49min + 37s;
    CHECK(date("Sun, 06 Nov 1994 08:49:37 GMT") == expected);
    CHECK(date("Sunday, 06-Nov-94 08:49:37 GMT") == expected);
    CHECK(date("Sun Nov  6 08:49:37 1994") == expected);
    CHECK(date("06 Nov 69 08:49:37") == sys_days(std::chrono::year(2069) / 11 / 6) + 8h + 49min + 37s);
    for (const char* wrong : {"", "06 Nov 1994", "06 Nov 1994 24:00:00", "31 Feb 1994 00:00:00",
                              "00 Nov 1994 00:00:00", "06 Foo 1994 00:00:00", "06 Nov 1600 00:00:00"}) {
        CAPTURE(wrong);
        CHECK_FALSE(date(wrong).has_value());
    }
}
