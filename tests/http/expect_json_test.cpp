#include <benchkit/http/expect_json.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace http = benchkit::http;

namespace {

std::string fault(std::string_view expected, std::string_view body) {
    http::expectation wanted;
    http::add_json_expectation(wanted, "--expect", expected);
    return wanted.body_fault(body).value_or("right");
}

}  // namespace

TEST_CASE("a JSON value is found by its pointer") {
    // The examples of RFC 6901 section 5.
    const std::string_view document =
        R"({"foo": ["bar", "baz"], "": 0, "a/b": 1, "m~n": 8, "c": {"d": [1, null]}})";
    CHECK(fault("json:/foo/0=bar", document) == "right");
    CHECK(fault("json:/foo/0=\"bar\"", document) == "right");
    CHECK(fault("json:/foo=[\"bar\" , \"baz\"]", document) == "right");
    CHECK(fault("json:/a~1b=1", document) == "right");
    CHECK(fault("json:/m~0n=8", document) == "right");
    CHECK(fault("json:/c/d/1=null", document) == "right");
    CHECK(fault("json:/m~0n=\"8\"", document) == "the body has 8 at /m~0n, not \"8\"");
    CHECK(fault("json:/foo/1=bar", document) == "the body has \"baz\" at /foo/1, not \"bar\"");
    CHECK(fault("json:=[1,{}]", "[1, {}]") == "right");
    CHECK(fault("json:/=0", document) == "right");
    CHECK(fault("json:/foo/2=x", document) == "the body has nothing at /foo/2");
    CHECK(fault("json:/foo/00=bar", document) == "the body has nothing at /foo/00");
    CHECK(fault("json:/foo/0/x=1", document) == "the body has nothing at /foo/0/x");
    CHECK(fault("json:/nothing=1", document) == "the body has nothing at /nothing");
    CHECK(fault("json:/a=1", "<html>") == "the body is no JSON");
    CHECK(fault("json:/a=1", "") == "the body is no JSON");
}

TEST_CASE("other expectations are known, and what is none is refused") {
    CHECK(fault("body-length=2", "ok") == "right");
    http::expectation wanted;
    for (const char* wrong : {"json:", "json:/a", "json:a=1", "colour=red"}) {
        CHECK_THROWS_AS(http::add_json_expectation(wanted, "--expect", wrong), benchkit::error);
    }
}
