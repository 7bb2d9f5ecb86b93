#include <benchkit/result/text_layout.hpp>

#include <string>

#include <doctest/doctest.h>

namespace detail = benchkit::detail;

TEST_CASE("a line is wrapped at 80 columns, behind its label") {
    std::string page;
    detail::append_line(page, "failures", "one two");
    detail::append_line(page, "nothing", "");
    // 14 columns of label and 66 of words: eleven words of six letters with their blanks are 76, nine are 62.
    std::string words;
    for (int word = 0; word < 11; ++word) words += "abcdef ";
    detail::append_line(page, "words", words);
    CHECK(page ==
          "failures      one two\n"
          "words         abcdef abcdef abcdef abcdef abcdef abcdef abcdef abcdef abcdef\n"
          "              abcdef abcdef\n");
}

TEST_CASE("a word that fits nowhere stands on a line of its own, whole") {
    std::string page;
    detail::append_wrapped(page, "a " + std::string(90, 'x') + " b", 2);
    CHECK(page == "a\n  " + std::string(90, 'x') + "\n  b\n");
}

TEST_CASE("columns are as wide as their widest cell, in characters, and no line ends with blanks") {
    detail::text_table table;
    table.add_row({"", "left", "right"});
    table.add_row({"long title", "1", "2"});
    table.add_row({"x", "12345", ""});
    table.add_row({"\xC3\xA4", "\xE2\x82\xAC", "3"});
    CHECK(table.text(4) ==
          "             left  right\n"
          "long title      1      2\n"
          "x           12345\n"
          "\xC3\xA4               \xE2\x82\xAC      3\n");
}
