#include <benchkit/core/bytes.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::string_literals;

TEST_CASE("integers are written with the most significant byte first") {
    std::string bytes;
    bk::append_big_endian(bytes, 0x0102030405060708, 8);
    bk::append_big_endian(bytes, 0xAABBCCDD, 4);
    bk::append_big_endian(bytes, 0xFFFF01, 1);
    CHECK(bytes == "\1\2\3\4\5\6\7\x08\xAA\xBB\xCC\xDD\x01"s);
}

TEST_CASE("integers are taken from the start") {
    const std::string bytes = "\1\2\3\4\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x09"s;
    std::string_view rest = bytes;
    CHECK(bk::take_big_endian(rest, 4) == 0x01020304U);
    CHECK(bk::take_big_endian(rest, 8) == 0xFFFFFFFFFFFFFFFFU);
    CHECK(!bk::take_big_endian(rest, 2));
    CHECK(bk::take_bytes(rest, 1) == "\x09");
    CHECK(rest.empty());
    CHECK(bk::take_bytes(rest, 0) == "");
    CHECK(!bk::take_bytes(rest, 1));
}
