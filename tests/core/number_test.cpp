#include <benchkit/core/number.hpp>

#include <cstdint>
#include <limits>
#include <string_view>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("format_number is the shortest text that reads back") {
    CHECK(bk::format_number(0.1) == "0.1");
    CHECK(bk::format_number(5) == "5");
    CHECK(bk::format_number(-2.5) == "-2.5");
    CHECK(bk::format_number(1065.17) == "1065.17");
    CHECK(bk::format_number(1e22) == "1e+22");
    CHECK(bk::format_number(1.0 / 3.0) == "0.3333333333333333");
    for (const double value : {std::numeric_limits<double>::min(), std::numeric_limits<double>::max(),
                               std::numeric_limits<double>::denorm_min(), -2.2250738585072014e-308}) {
        CHECK(bk::parse_number(bk::format_number(value)) == value);
    }
    CHECK(bk::format_number(std::numeric_limits<double>::infinity()) == "inf");
}

TEST_CASE("format_fixed rounds as printf does") {
    CHECK(bk::format_fixed(9.388, 3) == "9.388");
    CHECK(bk::format_fixed(1065.174, 2) == "1065.17");
    CHECK(bk::format_fixed(0.125, 2) == "0.12");  // the middle, exactly: to even
    CHECK(bk::format_fixed(0.375, 2) == "0.38");
    CHECK(bk::format_fixed(2.5, 0) == "2");
    CHECK(bk::format_fixed(99.999, 2) == "100.00");
    CHECK(bk::format_fixed(-1.005, 1) == "-1.0");
    CHECK(bk::format_fixed(std::numeric_limits<double>::max(), 30).size() == 309 + 1 + 30);
}

TEST_CASE("format_fixed gives zero no sign") {
    CHECK(bk::format_fixed(-0.001, 2) == "0.00");
    CHECK(bk::format_fixed(-0.0, 0) == "0");
    CHECK(bk::format_fixed(-0.006, 2) == "-0.01");
}

TEST_CASE("parse_number takes the whole text or nothing") {
    CHECK(bk::parse_number("10") == 10.0);
    CHECK(bk::parse_number("-0.5") == -0.5);
    CHECK(bk::parse_number("1e6") == 1e6);
    for (const std::string_view text : {"", " 1", "1 ", "1,5", "0x10", "nan", "inf", "1e999", "ten", "+1"}) {
        CAPTURE(text);
        CHECK(!bk::parse_number(text));
    }
}

TEST_CASE("take_number leaves what follows the number") {
    std::string_view text = "2.5ms";
    CHECK(bk::take_number(text) == 2.5);
    CHECK(text == "ms");
    CHECK(!bk::take_number(text));
    CHECK(text == "ms");
}

TEST_CASE("parse_integer takes the whole range of 64 bits") {
    CHECK(bk::parse_integer("0") == 0);
    CHECK(bk::parse_integer("-12") == -12);
    CHECK(bk::parse_integer("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    CHECK(bk::parse_integer("-9223372036854775808") == std::numeric_limits<std::int64_t>::min());
    for (const std::string_view text :
         {"", "-", "9223372036854775808", "1.0", "1e3", " 1", "1 ", "+1", "0x1"}) {
        CAPTURE(text);
        CHECK(!bk::parse_integer(text));
    }
}
