#include <benchkit/core/uint128.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::uint128;

namespace {

constexpr std::uint64_t all_ones = std::numeric_limits<std::uint64_t>::max();

}  // namespace

TEST_CASE("uint128 carries from the lower half into the upper one") {
    uint128 sum{0, all_ones};
    sum += 1;
    CHECK(sum == uint128{1, 0});
    sum += uint128{2, all_ones};
    CHECK(sum == uint128{3, all_ones});
    sum += sum;
    CHECK(sum == uint128{7, all_ones - 1});
    CHECK(uint128{0, 3} + uint128{0, 4} == uint128{0, 7});
}

TEST_CASE("uint128 is ordered by its upper half first") {
    CHECK(uint128{0, all_ones} < uint128{1, 0});
    CHECK(uint128{1, 1} > uint128{1, 0});
    CHECK(uint128{} <= uint128{0, 0});
}

TEST_CASE("multiply gives the whole product, also without a wide type of the compiler") {
    // (2^64 - 1)^2 = 2^128 - 2^65 + 1
    static_assert(bk::multiply(all_ones, all_ones) == uint128{all_ones - 1, 1});
    static_assert(bk::detail::portable_multiply(all_ones, all_ones) == uint128{all_ones - 1, 1});
    // 12345678901234567890 * 9876543210987654321 = 121932631137021795223746380111126352690
    const uint128 product = bk::multiply(12345678901234567890U, 9876543210987654321U);
    CHECK(bk::to_string(product) == "121932631137021795223746380111126352690");
    CHECK(bk::detail::portable_multiply(12345678901234567890U, 9876543210987654321U) == product);
}

TEST_CASE("divide gives quotient and remainder, also without a wide type of the compiler") {
    // 2^128 - 1 = 10^19 * 34028236692093846346 + 3374607431768211455
    for (const auto result : {bk::divide({all_ones, all_ones}, 10'000'000'000'000'000'000U),
                              bk::detail::portable_divide({all_ones, all_ones}, 10'000'000'000'000'000'000U)}) {
        CHECK(bk::to_string(result.quotient) == "34028236692093846346");
        CHECK(result.remainder == 3374607431768211455U);
    }
    const auto by_largest = bk::detail::portable_divide({all_ones - 1, all_ones}, all_ones);
    CHECK(by_largest.quotient == bk::divide({all_ones - 1, all_ones}, all_ones).quotient);
    CHECK(by_largest.remainder == bk::divide({all_ones - 1, all_ones}, all_ones).remainder);
}

TEST_CASE("uint128 is shifted across its halves") {
    constexpr uint128 value{0x0123456789ABCDEF, 0xFEDCBA9876543210};
    static_assert((value >> 0) == value);
    static_assert((value >> 4) == uint128{0x00123456789ABCDE, 0xFFEDCBA987654321});
    static_assert((value >> 64) == uint128{0, 0x0123456789ABCDEF});
    static_assert((value >> 68) == uint128{0, 0x00123456789ABCDE});
    static_assert((uint128{all_ones, 0} >> 127) == uint128{0, 1});
}

TEST_CASE("uint128 goes to decimal text and back") {
    CHECK(bk::to_string(uint128{}) == "0");
    CHECK(bk::to_string(uint128{1, 0}) == "18446744073709551616");
    CHECK(bk::to_string(uint128{all_ones, all_ones}) == "340282366920938463463374607431768211455");

    CHECK(bk::parse_uint128("0") == uint128{});
    CHECK(bk::parse_uint128("18446744073709551616") == uint128{1, 0});
    CHECK(bk::parse_uint128("340282366920938463463374607431768211455") == uint128{all_ones, all_ones});
}

TEST_CASE("parse_uint128 refuses what is no such number") {
    CHECK(!bk::parse_uint128(""));
    CHECK(!bk::parse_uint128("-1"));
    CHECK(!bk::parse_uint128("+1"));
    CHECK(!bk::parse_uint128("1.5"));
    CHECK(!bk::parse_uint128("12a"));
    CHECK(!bk::parse_uint128("340282366920938463463374607431768211456"));
    CHECK(!bk::parse_uint128("999999999999999999999999999999999999999"));
    CHECK(!bk::parse_uint128("3402823669209384634633746074317682114550"));
}

TEST_CASE("to_double rounds once, to the nearest and to even") {
    CHECK(uint128{0, 12345}.to_double() == 12345.0);
    CHECK(uint128{1, 0}.to_double() == std::ldexp(1.0, 64));
    CHECK(uint128{all_ones, all_ones}.to_double() == std::ldexp(1.0, 128));
    // Between 2^117 and 2^117 + 2^65 doubles have no value: the middle goes to even, anything above it up.
    const std::uint64_t bit_117 = std::uint64_t{1} << 53;
    CHECK(uint128{bit_117 + 1, 0}.to_double() == std::ldexp(1.0, 117));
    CHECK(uint128{bit_117 + 1, 1}.to_double() == std::ldexp(1.0, 117) + std::ldexp(1.0, 65));
    CHECK(uint128{bit_117 + 1, 1}.to_double() > uint128{bit_117, all_ones}.to_double());
}
