#include <benchkit/core/uint256.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using benchkit::uint256;

namespace {

constexpr std::uint64_t largest_word = std::numeric_limits<std::uint64_t>::max();

uint256 power(std::uint64_t base, int exponent) {
    uint256 result = 1;
    for (int step = 0; step < exponent; ++step) result *= base;
    return result;
}

}  // namespace

TEST_CASE("sums and differences carry over all words") {
    uint256 value = power(2, 192);
    value -= 1;
    CHECK(value == power(2, 192) - uint256(1));
    CHECK(value < power(2, 192));
    CHECK(value + uint256(1) == power(2, 192));
    CHECK(power(2, 128) - power(2, 64) ==
          uint256(largest_word) * (std::uint64_t{1} << 32) * (std::uint64_t{1} << 32));
    CHECK(uint256(0) - uint256(1) + uint256(1) == uint256(0));  // modulo 2^256
    CHECK(power(2, 255) + power(2, 255) == uint256(0));
}

TEST_CASE("a borrow goes through words that are equal") {
    const uint256 left = power(2, 128) + power(2, 64);
    const uint256 right = power(2, 64) + uint256(1);
    CHECK(left - right + right == left);
    CHECK(left - right == power(2, 128) - uint256(1));
}

TEST_CASE("products carry over all words") {
    // (2^64 - 1)^2 = 2^128 - 2 * 2^64 + 1
    CHECK(uint256(largest_word) * largest_word == power(2, 128) - power(2, 65) + uint256(1));
    // 10^38 * 10^19 * 10^19 = 10^76, and 10^4 in nineteen steps is the same
    CHECK(power(10'000'000'000'000'000'000U, 4) == power(10'000, 19));
    CHECK(power(3, 40) * 0 == uint256(0));
}

TEST_CASE("values compare by their highest word first") {
    CHECK(power(2, 64) > uint256(largest_word));
    CHECK(power(2, 192) > power(2, 128) * largest_word);
    CHECK(uint256(7) == uint256(7));
    CHECK(uint256(7) < uint256(8));
}

TEST_CASE("the double is near") {
    CHECK(uint256(0).to_double() == 0);
    CHECK(uint256(12'345).to_double() == 12'345);
    CHECK(power(2, 200).to_double() == 0x1p200);
    CHECK(power(10, 60).to_double() == doctest::Approx(1e60).epsilon(1e-15));
}
