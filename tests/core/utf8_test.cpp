#include <benchkit/core/utf8.hpp>

#include <cstddef>
#include <string_view>

#include <doctest/doctest.h>

namespace detail = benchkit::detail;
using namespace std::string_view_literals;

// The bounds of RFC 3629 section 4.
TEST_CASE("the length of a character is known, at the bounds of each form") {
    CHECK(detail::utf8_length("\x7F"sv) == 1);
    CHECK(detail::utf8_length("\xC2\x80"sv) == 2);
    CHECK(detail::utf8_length("\xDF\xBF"sv) == 2);
    CHECK(detail::utf8_length("\xE0\xA0\x80"sv) == 3);
    CHECK(detail::utf8_length("\xED\x9F\xBF"sv) == 3);
    CHECK(detail::utf8_length("\xEE\x80\x80"sv) == 3);
    CHECK(detail::utf8_length("\xEF\xBF\xBF"sv) == 3);
    CHECK(detail::utf8_length("\xF0\x90\x80\x80"sv) == 4);
    CHECK(detail::utf8_length("\xF4\x8F\xBF\xBF"sv) == 4);
    CHECK(detail::utf8_length("\0"sv) == 1);
}

TEST_CASE("what is no character has length 0") {
    for (const std::string_view text :
         {"\x80"sv, "\xBF"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xE0\x9F\xBF"sv, "\xED\xA0\x80"sv,
          "\xF0\x8F\xBF\xBF"sv, "\xF4\x90\x80\x80"sv, "\xF5\x80\x80\x80"sv, "\xFF"sv, "\xC3"sv, "\xE2\x82"sv,
          "\xF0\x9F\x98"sv,
          "\xC3("
          ""sv}) {
        CHECK(detail::utf8_length(text) == 0);
    }
}

TEST_CASE("what a terminal would obey or cannot show is written as its bytes") {
    CHECK(detail::printable("nginx/1.22.1"sv) == "nginx/1.22.1");
    CHECK(detail::printable("a\x1B[2Jb\n\x7F\xFF"sv) == "a\\x1b[2Jb\\x0a\\x7f\xEF\xBF\xBD");
    CHECK(detail::printable("gr\xC3\xBCn \xE2\x82"sv) == "gr\xC3\xBCn \xEF\xBF\xBD");
    CHECK(detail::printable("\0"sv) == "\\x00");
    CHECK(detail::printable(""sv).empty());
}
