#include <benchkit/result/json_syntax.hpp>

#include <cstddef>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using benchkit::find_json_flaw;
using benchkit::line_and_column;
using namespace std::string_view_literals;

TEST_CASE("JSON has no flaw") {
    for (const std::string_view text :
         {"0"sv, "-0.5e+10"sv, "1E-2"sv, "true"sv, "false"sv, "null"sv, "\"\""sv, "[]"sv, "{}"sv,
          " \t\r\n[ 1 , 2 ]\n"sv, R"({"a": {"b": [null, "c\n\"\u00e4\ud83d\ude00"]}, "a": 1})"sv,
          "\"\xC3\xA4\x7F\""sv}) {
        CAPTURE(text);
        CHECK_FALSE(find_json_flaw(text).has_value());
    }
}

TEST_CASE("the first flaw is found where it stands, with what is expected there") {
    struct flawed {
        std::string_view text;
        std::size_t offset;
        std::string_view expected;
    };
    for (const flawed& sample : {
             flawed{"", 0, "a value"},
             flawed{"  ", 2, "a value"},
             flawed{"nul", 0, "a value"},
             flawed{"NaN", 0, "a value"},
             flawed{"[1,]", 3, "a value"},
             flawed{"[1 2]", 3, "',' or ']'"},
             flawed{"[1", 2, "',' or ']'"},
             flawed{"{\"a\":1", 6, "',' or '}'"},
             flawed{"{\"a\" 1}", 5, "':'"},
             flawed{"{a:1}", 1, "a key in quotes"},
             flawed{"{\"a\":1,}", 7, "a key in quotes"},
             flawed{"01", 1, "the end of the text"},
             flawed{"1.", 2, "a digit"},
             flawed{"-", 1, "a digit"},
             flawed{"1e", 2, "a digit"},
             flawed{".5", 0, "a value"},
             flawed{"+1", 0, "a value"},
             flawed{"\"abc", 4, "the end of a string"},
             flawed{"\"a\nb\"", 2, "no control character in a string"},
             flawed{"\"\\x\"", 1, "a known escape"},
             flawed{"\"\\", 1, "a known escape"},
             flawed{"\"\\u12g4\"", 1, "four hexadecimal digits"},
             flawed{"\"\\u12", 1, "four hexadecimal digits"},
             flawed{"\"\\ud800x\"", 7, "the second half of a surrogate pair"},
             flawed{"\"\\udc00\"", 1, "a surrogate pair in order"},
             flawed{"\"\xFF\"", 1, "UTF-8"},
             flawed{"{} {}", 3, "the end of the text"},
         }) {
        CAPTURE(sample.text);
        const auto flaw = find_json_flaw(sample.text);
        REQUIRE(flaw.has_value());
        CHECK(flaw->offset == sample.offset);
        CHECK(flaw->expected == sample.expected);
    }
}

TEST_CASE("deep nesting is a flaw, no overflow of the stack") {
    CHECK_FALSE(find_json_flaw(std::string(1'000, '[') + std::string(1'000, ']')).has_value());
    const auto flaw = find_json_flaw(std::string(1'000'000, '['));
    REQUIRE(flaw.has_value());
    CHECK(flaw->expected == "no deeper nesting");
}

TEST_CASE("lines and columns count from 1") {
    CHECK(line_and_column("abc", 0) == "line 1, column 1");
    CHECK(line_and_column("abc\ndef\n", 5) == "line 2, column 2");
    CHECK(line_and_column("abc\ndef\n", 8) == "line 3, column 1");
}
