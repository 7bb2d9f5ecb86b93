#include <benchkit/stats/histogram_codec.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::histogram;
using namespace std::string_literals;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

histogram of(std::initializer_list<std::int64_t> values, const bk::histogram_layout& layout) {
    histogram result(layout);
    for (const std::int64_t value : values) result.record(value);
    return result;
}

// A whole encoding around these counts, right but for what the arguments make wrong.
std::string encoding(const std::string& counts, const bk::histogram_layout& layout = {},
                     std::uint64_t cookie = 0x1c849313, std::uint64_t offset = 0,
                     std::uint64_t ratio = 0x3FF0000000000000, std::size_t extra_length = 0) {
    std::string payload;
    bk::append_big_endian(payload, cookie, 4);
    bk::append_big_endian(payload, counts.size() + extra_length, 4);
    bk::append_big_endian(payload, offset, 4);
    bk::append_big_endian(payload, static_cast<std::uint64_t>(layout.significant_digits), 4);
    bk::append_big_endian(payload, static_cast<std::uint64_t>(layout.lowest), 8);
    bk::append_big_endian(payload, static_cast<std::uint64_t>(layout.highest), 8);
    bk::append_big_endian(payload, ratio, 8);
    const std::string stream = bk::zlib_store(payload + counts);
    std::string bytes;
    bk::append_big_endian(bytes, 0x1c849314, 4);
    bk::append_big_endian(bytes, stream.size(), 4);
    return bk::base64_encode(bytes + stream);
}

std::string zigzag(std::int64_t value) {
    std::string bytes;
    bk::detail::append_zigzag(bytes, value);
    return bytes;
}

}  // namespace

TEST_CASE("signed integers have the bytes of HdrHistogram's ZigZag LEB128") {
    const std::pair<std::int64_t, std::string> vectors[] = {
        {0, "\x00"s},
        {-1, "\x01"},
        {1, "\x02"},
        {-2, "\x03"},
        {63, "\x7e"},
        {-64, "\x7f"},
        {64, "\x80\x01"},
        {-65, "\x81\x01"},
        {largest, "\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
        {smallest, "\xff\xff\xff\xff\xff\xff\xff\xff\xff"},
    };
    for (const auto& vector : vectors) {
        CAPTURE(vector.first);
        CHECK(zigzag(vector.first) == vector.second);
        std::string_view rest = vector.second;
        CHECK(bk::detail::take_zigzag(rest) == vector.first);
        CHECK(rest.empty());
        rest = std::string_view(vector.second).substr(0, vector.second.size() - 1);
        CHECK(!bk::detail::take_zigzag(rest));
    }
}

TEST_CASE("every length of a signed integer is read back") {
    for (int bit = 0; bit < 63; ++bit) {
        for (const std::int64_t value : {std::int64_t{1} << bit, -(std::int64_t{1} << bit) - 1}) {
            const std::string bytes = zigzag(value) + "next";
            std::string_view rest = bytes;
            CHECK(bk::detail::take_zigzag(rest) == value);
            CHECK(rest == "next");
        }
    }
}

// The payloads of these are hdr-histogram-js 3.0.1's, but for index offset and conversion ratio, for which that
// writes 1 and the integer 1 where others write 0 and the double 1.0; the streams are zlib's, at level 0.
TEST_CASE("the encoding is that of another implementation, byte for byte") {
    CHECK(
        bk::encode_histogram(
            of({1, 2, 2, 100, 4'097, 10'007, 10'007, 1'000'000, 3'000'000'000}, {1, 3'600'000'000, 3})) ==
        "HISTFAAAAEZ4AQE7AMT/HISTEwAAABMAAAAAAAAAAwAAAAAAAAABAAAAANaTpAA/8AAAAAAAAAACBMEBArUuAsETBPtqAue3AQLaSg"
        "op");
    CHECK(bk::encode_histogram(of({1, 2, 3, 64, 65, 100'000}, {1, 100'000, 2})) ==
          "HISTFAAAAD14AQEyAM3/HISTEwAAAAoAAAAAAAAAAgAAAAAAAAABAAAAAAABhqA/8AAAAAAAAAACAgJ3AgKBFAJvjgTC");
    CHECK(bk::encode_histogram(of({1'000, 2'000, 50'000'000}, {1'000, 3'600'000'000, 3})) ==
          "HISTFAAAADp4AQEvAND/HISTEwAAAAcAAAAAAAAAAwAAAAAAAAPoAAAAANaTpAA/8AAAAAAAAAACAALhdwKLPQbW");
    CHECK(bk::encode_histogram(histogram({1, 3'600'000'000, 3})) ==
          "HISTFAAAADR4AQEpANb/HISTEwAAAAEAAAAAAAAAAwAAAAAAAAABAAAAANaTpAA/8AAAAAAAAABVgwSI");
}

// From an encoder in Python, written for this from the format's description, with Python's zlib and base64.
TEST_CASE("the whole range and large counts are encoded") {
    histogram values;
    values.record(0);
    values.record(5, 1'000);
    values.record(10'007, 3);
    values.record(1'234'567'890'123, 70);
    values.record(largest, std::int64_t{1} << 40);
    const std::string text =
        "HISTFAAAAEh4AQE9AML/HISTEwAAABUAAAAAAAAAAwAAAAAAAAABf/////////8/"
        "8AAAAAAAAAIH0A+3QwazrgOMAYHuAoCAgICAQLwKEhE=";
    CHECK(bk::encode_histogram(values) == text);

    auto decoded = bk::decode_histogram(text);
    REQUIRE(decoded);
    CHECK(decoded->count() == (std::int64_t{1} << 40) + 1'074);
    CHECK(decoded->min() == 0);
    CHECK(decoded->max() == largest);
    CHECK(decoded->count_between(5, 5) == 1'000);
    REQUIRE(decoded->restore(values.min(), values.max(), values.sum()));
    CHECK(*decoded == values);
}

TEST_CASE("what was decoded has the ends of its buckets") {
    const auto decoded = bk::decode_histogram(
        "HISTFAAAAEZ4AQE7AMT/HISTEwAAABMAAAAAAAAAAwAAAAAAAAABAAAAANaTpAA/8AAAAAAAAAACBMEBArUuAsETBPtqAue3AQLaSg"
        "op");
    REQUIRE(decoded);
    CHECK(decoded->layout() == bk::histogram_layout{1, 3'600'000'000, 3});
    CHECK(decoded->count() == 9);
    CHECK(decoded->min() == 1);
    CHECK(decoded->max() == 3'001'024'511);  // as hdr-histogram-js has it
    CHECK(decoded->value_at_percentile(50) == 4'099);
    CHECK(decoded->value_at_percentile(75) == 10'007);
    // The middles of the buckets: 1 + 2 + 2 + 100 + 4,098 + 2 * 10,004 + 1,000,192 + 2,999,975,936
    CHECK(bk::to_string(decoded->sum()) == "3001000339");
}

TEST_CASE("an empty histogram and one of several blocks come back") {
    const auto empty = bk::decode_histogram(bk::encode_histogram(histogram{}));
    REQUIRE(empty);
    CHECK(*empty == histogram{});

    histogram many({1, largest, 5});
    for (std::int64_t value = 0; value < 200'000; ++value) many.record(value);
    const std::string text = bk::encode_histogram(many);
    CHECK(text.size() == 266'768);  // as by Python
    const auto decoded = bk::decode_histogram(text);
    REQUIRE(decoded);
    CHECK(*decoded == many);
}

TEST_CASE("empty buckets are written in either way") {
    // Two empty ones by 0 and by -1, as Java and C write a single one, then 3 values of 2.
    const auto decoded = bk::decode_histogram(encoding(zigzag(0) + zigzag(-1) + zigzag(3)));
    REQUIRE(decoded);
    CHECK(decoded->count() == 3);
    CHECK(decoded->min() == 2);
    CHECK(decoded->max() == 2);
}

TEST_CASE("what is no encoding of this version is refused") {
    const std::string good = encoding(zigzag(3));
    REQUIRE(bk::decode_histogram(good));
    CHECK(!bk::decode_histogram(""));
    CHECK(!bk::decode_histogram("HISTFAAA"));
    CHECK(!bk::decode_histogram("HISTFAAA*"));
    for (std::size_t size = 0; size < good.size(); ++size) CHECK(!bk::decode_histogram(good.substr(0, size)));
    CHECK(!bk::decode_histogram(good + "AAAA"));
    std::string other_cookie = good;
    other_cookie.front() = 'X';
    CHECK(!bk::decode_histogram(other_cookie));

    CHECK(!bk::decode_histogram(encoding(zigzag(3), {}, 0x1c849301)));  // version 1
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {}, 0x1c849313, 1)));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {}, 0x1c849313, 0, 0x3FE0000000000000)));  // halves
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {}, 0x1c849313, 0, 0x3FF0000000000000, 1)));
}

TEST_CASE("a layout that cannot be is refused") {
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {0, largest, 3})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {smallest, largest, 3})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, 1, 3})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, -1, 3})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, largest, 0})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, largest, 6})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, largest, std::numeric_limits<int>::max()})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {1, largest, -1})));
    CHECK(!bk::decode_histogram(encoding(zigzag(3), {largest / 2, largest, 3})));
}

TEST_CASE("counts that do not fit are refused") {
    const bk::histogram_layout layout{1, 1'000, 1};  // (6 + 1) * 16 = 112 buckets
    CHECK(bk::decode_histogram(encoding(zigzag(-111) + zigzag(1), layout)));
    CHECK(!bk::decode_histogram(encoding(zigzag(-112) + zigzag(1), layout)));
    CHECK(!bk::decode_histogram(encoding(zigzag(-113), layout)));
    CHECK(!bk::decode_histogram(encoding(zigzag(smallest), layout)));
    CHECK(!bk::decode_histogram(encoding(zigzag(-111) + zigzag(1) + zigzag(1), layout)));
    CHECK(bk::decode_histogram(encoding(zigzag(largest), layout)));
    CHECK(!bk::decode_histogram(encoding(zigzag(largest) + zigzag(1), layout)));
    CHECK(!bk::decode_histogram(encoding("\x80", layout)));  // ends within a count
}

TEST_CASE("no damage of an encoding does harm") {
    const std::string good = bk::encode_histogram(
        of({1, 2, 2, 100, 4'097, 10'007, 10'007, 1'000'000, 3'000'000'000}, {1, 3'600'000'000, 3}));
    const auto bytes = bk::base64_decode(good);
    REQUIRE(bytes);
    for (std::size_t place = 0; place < bytes->size(); ++place) {
        for (const int flip : {0x01, 0x10, 0x80, 0xFF}) {
            std::string damaged = *bytes;
            damaged[place] = static_cast<char>(damaged[place] ^ flip);
            const auto decoded = bk::decode_histogram(bk::base64_encode(damaged));
            // Two parts are not under the checksum: the word size in the first cookie, which readers mask, and
            // the unused bits before a stored block.
            CHECK((!decoded || place == 3 || place == 10));
        }
    }
}
