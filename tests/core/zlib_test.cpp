#include <benchkit/core/zlib.hpp>

#include <cstddef>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::string_literals;

TEST_CASE("Adler-32 gives the known sums") {
    static_assert(bk::adler32("") == 1);
    static_assert(bk::adler32("Wikipedia") == 0x11E60398);
    static_assert(bk::adler32("abc") == 0x024D0127);
    // By zlib itself: a million times the largest byte.
    CHECK(bk::adler32(std::string(1'000'000, '\xFF')) == 0x3843E1BE);
}

TEST_CASE("a stored stream has the bytes that zlib makes at level 0") {
    CHECK(bk::zlib_store("") == "\x78\x01\x01\x00\x00\xFF\xFF\x00\x00\x00\x01"s);
    CHECK(bk::zlib_store("abc") == "\x78\x01\x01\x03\x00\xFC\xFF\x61\x62\x63\x02\x4D\x01\x27"s);
}

TEST_CASE("long bytes are cut into blocks") {
    for (const std::size_t size : {std::size_t{65'534}, std::size_t{65'535}, std::size_t{65'536},
                                   std::size_t{131'070}, std::size_t{300'000}}) {
        CAPTURE(size);
        std::string bytes;
        for (std::size_t place = 0; place < size; ++place) bytes.push_back(static_cast<char>(place * 7));
        const std::string stream = bk::zlib_store(bytes);
        CHECK(stream.size() == size + 2 + (size + 65'534) / 65'535 * 5 + 4);
        CHECK(bk::zlib_read_stored(stream) == bytes);
    }
}

TEST_CASE("what is no stored stream is refused") {
    const std::string good = bk::zlib_store("abc");
    for (std::size_t size = 0; size < good.size(); ++size) CHECK(!bk::zlib_read_stored(good.substr(0, size)));
    CHECK(!bk::zlib_read_stored(good + "x"));
    for (std::size_t place = 0; place < good.size(); ++place) {
        std::string damaged = good;
        damaged[place] = static_cast<char>(damaged[place] ^ 0x02);
        CAPTURE(place);
        CHECK(!bk::zlib_read_stored(damaged));
    }
    // "abc" as zlib compresses it: a block of fixed codes.
    CHECK(!bk::zlib_read_stored("\x78\x9C\x4B\x4C\x4A\x06\x00\x02\x4D\x01\x27"s));
    // A header that asks for a dictionary.
    CHECK(!bk::zlib_read_stored("\x78\x20\x00\x00\x00\x01\x01\x00\x00\xFF\xFF\x00\x00\x00\x01"s));
}
