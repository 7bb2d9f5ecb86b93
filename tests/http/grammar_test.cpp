#include <benchkit/http/grammar.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace benchkit::http::detail;

TEST_CASE("token characters are those of RFC 9110 section 5.6.2") {
    const std::string_view tchar =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    for (int byte = 0; byte < 256; ++byte) {
        const char each = static_cast<char>(byte);
        CAPTURE(byte);
        CHECK(is_character(each, token_character) == (tchar.find(each) != std::string_view::npos));
        CHECK(is_character(each, field_character) == (byte == 9 || (byte >= 32 && byte != 127)));
        CHECK(is_character(each, target_character) == (byte > 32 && byte < 127));
    }
    CHECK(all_characters("GET", token_character));
    CHECK_FALSE(all_characters("", token_character));
    CHECK_FALSE(all_characters("G T", token_character));
}

TEST_CASE("a control character is found wherever it stands, among any neighbours") {
    for (const char neighbour : {'a', ' ', '\t', '\x80', '\xff', '~'}) {
        for (int byte = 0; byte < 256; ++byte) {
            const char each = static_cast<char>(byte);
            const bool is_control = byte != 9 && (byte < 32 || byte == 127);
            for (std::size_t at = 0; at < 20; ++at) {
                std::string text(20, neighbour);
                text[at] = each;
                const char* const last = text.data() + text.size();
                const char* const expected = is_control ? text.data() + at : last;
                REQUIRE(find_control(text.data(), last) == expected);
            }
        }
    }
    std::string two(16, 'a');
    two[5] = '\x7f';
    two[4] = '\n';
    CHECK(find_control(two.data(), two.data() + two.size()) == two.data() + 4);
    CHECK(find_control(two.data(), two.data()) == two.data());
}

TEST_CASE("the first byte of another class is found wherever it stands") {
    for (std::size_t size = 0; size < 12; ++size) {
        const std::string good(size, 'a');
        CHECK(find_other(good.data(), good.data() + size, token_character) == good.data() + size);
        for (std::size_t at = 0; at < size; ++at) {
            std::string text = good;
            text[at] = ':';
            CHECK(find_other(text.data(), text.data() + size, token_character) == text.data() + at);
        }
    }
}

TEST_CASE("case is ignored for ASCII letters alone") {
    CHECK(equals_ignore_case("Content-Length", "cONTENT-lENGTH"));
    CHECK_FALSE(equals_ignore_case("Content-Length", "Content-Lengt"));
    CHECK_FALSE(equals_ignore_case("a-b", "a\rb"));
    CHECK_FALSE(equals_ignore_case("@", "`"));
    CHECK_FALSE(equals_ignore_case("[", "{"));
    CHECK_FALSE(equals_ignore_case("\xc4", "\xe4"));
}

TEST_CASE("trim takes spaces and tabs off both ends") {
    CHECK(trim(" \t a b\t ") == "a b");
    CHECK(trim(" \t ").empty());
    CHECK(trim("\va") == "\va");
}

TEST_CASE("list elements are taken one by one") {
    std::string_view list = " a , ,b;c=\"d,\\\",e\" ,\"f";
    CHECK(take_list_element(list) == "a");
    CHECK(take_list_element(list).empty());
    CHECK(take_list_element(list) == "b;c=\"d,\\\",e\"");
    CHECK(take_list_element(list) == "\"f");
    CHECK(list.empty());
    std::string_view backslash = "\"a\\";
    CHECK(take_list_element(backslash) == "\"a\\");
    CHECK(backslash.empty());
}
