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

TEST_CASE("the form for URIs names keys with an equals sign") {
    // The examples of RFC 6901 section 6, and one with "=".
    const std::string_view document = R"({"c%d": 2, "e^f": 3, " ": 7, "a=b": 1, "a": "b=1"})";
    CHECK(fault("json:#/c%25d=2", document) == "right");
    CHECK(fault("json:#/e%5Ef=3", document) == "right");
    CHECK(fault("json:#/%20=7", document) == "right");
    CHECK(fault("json:#/a%3Db=1", document) == "right");
    CHECK(fault("json:#/a%3db=2", document) == "the body has 1 at /a=b, not 2");
    CHECK(fault("json:#=1", "1") == "right");
    // The first "=" ends the pointer, and others are the value's.
    CHECK(fault("json:/a=b=1", document) == "right");
    CHECK(fault("json:/c%25d=2", document) == "the body has nothing at /c%25d");
}

TEST_CASE("a value that is no JSON is a text, whatever is in it") {
    CHECK(fault("json:/a=\x01\n\x7f\"\\", R"({"a": "\u0001\n\u007f\"\\"})") == "right");
    CHECK(fault("json:/a=x\ny", R"({"a": 1})") == "the body has 1 at /a, not \"x\\ny\"");
    CHECK(fault("json:/\n=1", "{}") == "the body has nothing at /\\x0a");
    CHECK(fault("json:/a=gr\xc3\xbcn", "{\"a\": \"gr\xc3\xbcn\"}") == "right");
    http::expectation wanted;
    CHECK_THROWS_WITH_AS(http::expect_json(wanted, "/a", "\xff"),
                         "json = \xEF\xBF\xBD: a value in UTF-8 is needed", benchkit::error);
}

TEST_CASE("other expectations are known, and what is none is refused") {
    CHECK(fault("body-length=2", "ok") == "right");
    http::expectation wanted;
    for (const char* wrong : {"json:/~2=1", "json:/a~=1", "json:#/%7E=1", "json:", "json:/a", "json:a=1",
                              "json:#a=1", "json:#/%3=1", "json:#/%zz=1", "colour=red"}) {
        CHECK_THROWS_AS(http::add_json_expectation(wanted, "--expect", wrong), benchkit::error);
    }
}
