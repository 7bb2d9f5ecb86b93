#include <benchkit/result/json_stream.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using benchkit::json_layout;
using benchkit::json_stream;
using namespace std::string_view_literals;

namespace {

template <class Value>
std::string text_of(const Value& value) {
    json_stream json;
    json.value(value);
    return json.take();
}

}  // namespace

TEST_CASE("objects and arrays are laid out one member a line, or on one line") {
    json_stream json;
    json.begin_object().member("a", 1).key("b").begin_array();
    json.value(true).begin_object(json_layout::one_line).member("x", 1).member("y", "z").end_object();
    json.end_array().key("empty").begin_object().end_object().key("none").begin_array().end_array();
    json.key("row").begin_array(json_layout::one_line).value(1).begin_array().value(2).value(3).end_array();
    json.end_array().end_object();
    CHECK(json.take() == R"({
  "a": 1,
  "b": [
    true,
    {"x": 1, "y": "z"}
  ],
  "empty": {},
  "none": [],
  "row": [1, [2, 3]]
})");
}

TEST_CASE("the writer is empty after its text was taken") {
    json_stream json;
    json.value(1);
    CHECK(json.take() == "1");
    CHECK(json.take().empty());
    json.value(2);
    CHECK(json.take() == "2");
}

TEST_CASE("whole numbers keep all their digits") {
    CHECK(text_of(std::numeric_limits<std::int64_t>::max()) == "9223372036854775807");
    CHECK(text_of(std::numeric_limits<std::int64_t>::min()) == "-9223372036854775808");
}

TEST_CASE("real numbers can be told from whole ones and read back as the same number") {
    CHECK(text_of(1.0) == "1.0");
    CHECK(text_of(-0.0) == "-0.0");
    CHECK(text_of(0.1) == "0.1");
    CHECK(text_of(1e22) == "1e+22");
    CHECK(text_of(123456789012.0) == "123456789012.0");
    CHECK(text_of(5e-324) == "5e-324");
    CHECK(text_of(std::numeric_limits<double>::max()) == "1.7976931348623157e+308");
}

TEST_CASE("what is not finite or not there is null") {
    CHECK(text_of(std::numeric_limits<double>::quiet_NaN()) == "null");
    CHECK(text_of(std::numeric_limits<double>::infinity()) == "null");
    CHECK(text_of(-std::numeric_limits<double>::infinity()) == "null");
    CHECK(text_of(std::optional<std::int64_t>()) == "null");
    CHECK(text_of(std::optional<std::int64_t>(7)) == "7");
}

// RFC 8259 section 7: quotation mark, reverse solidus and U+0000 to U+001F must be escaped.
TEST_CASE("strings are escaped") {
    CHECK(text_of("plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80"sv) ==
          "\"plain \xC3\xA4 \xE2\x82\xAC \xF0\x9F\x98\x80\"");
    CHECK(text_of("a\"b\\c/d"sv) == R"("a\"b\\c/d")");
    CHECK(text_of("\b\f\n\r\t"sv) == R"("\b\f\n\r\t")");
    CHECK(text_of("\0\x01\x1F\x7F"sv) == R"("\u0000\u0001\u001f\u007f")");
    json_stream json;
    json.begin_object(json_layout::one_line).member("k\n", "v").end_object();
    CHECK(json.take() == R"({"k\n": "v"})");
}

// The examples of the Unicode Standard 15, table 3-8 ("U+FFFD substitution of maximal subparts").
TEST_CASE("each malformed part of UTF-8 becomes U+FFFD") {
    const std::string u = "\xEF\xBF\xBD";
    CHECK(text_of("\x61\xF1\x80\x80\xE1\x80\xC2\x62\x80\x63\x80\xBF\x64"sv) ==
          "\"a" + u + u + u + "b" + u + "c" + u + u + "d\"");
    CHECK(text_of("\xC0\xAF\xE0\x80\xBF\xF0\x81\x82\x41"sv) == "\"" + u + u + u + u + u + u + u + u + "A\"");
    CHECK(text_of("\xED\xA0\x80\xED\xBF\xBF\xED\xAF\x41"sv) == "\"" + u + u + u + u + u + u + u + u + "A\"");
    CHECK(text_of("\xF4\x91\x92\x93\xFF\x41\x80\xBF\x42"sv) == "\"" + u + u + u + u + u + "A" + u + u + "B\"");
    CHECK(text_of("\xE1\x80\xE2\xF0\x91\x92\xF1\xBF\x41"sv) == "\"" + u + u + u + u + "A\"");
}
