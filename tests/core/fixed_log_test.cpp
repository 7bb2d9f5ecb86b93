#include <benchkit/core/fixed_log.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <doctest/doctest.h>

namespace bk = benchkit;

namespace {

constexpr double one = 0x1p56;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

}  // namespace

TEST_CASE("the logarithm agrees with one of 60 decimal digits") {
    // The nearest integers to ln(x) * 2^56, by Python's decimal module.
    constexpr std::pair<std::uint64_t, std::int64_t> vectors[] = {
        {2, 49946518145322874},
        {3, 79163358301925545},
        {10, 165918741868749488},
        {1'000, 497756225606248465},
        {1'000'000'000, 1493268676818745395},
        {(std::uint64_t{1} << 40) + 12'345, 1997860726621956862},
        {std::uint64_t{1} << 63, 3146630643155341041},
        {std::numeric_limits<std::uint64_t>::max(), 3196577161300663915},
    };
    for (const auto& vector : vectors) {
        CAPTURE(vector.first);
        CHECK(std::abs(bk::fixed_log(vector.first) - vector.second) <= 1);
    }
    static_assert(bk::fixed_log(1) == 0);
}

TEST_CASE("the logarithm agrees with the standard library's everywhere") {
    double worst = 0;
    std::uint64_t value = 1;
    for (int bit = 0; bit < 64; ++bit) {
        for (std::uint64_t step = 0; step < 2'000; ++step) {
            value = (std::uint64_t{1} << bit) + step * ((std::uint64_t{1} << bit) / 2'000);
            const double expected = std::log(static_cast<double>(value));
            const double found = static_cast<double>(bk::fixed_log(value)) / one;
            worst = std::max(worst, std::abs(found - expected) / std::max(expected, 1.0));
        }
    }
    CHECK(worst < 4e-16);
}

TEST_CASE("the logarithm never falls") {
    std::int64_t before = 0;
    for (std::uint64_t value = 1; value < 100'000; ++value) {
        REQUIRE(bk::fixed_log(value) >= before);
        before = bk::fixed_log(value);
    }
}

TEST_CASE("the exponential agrees with one of 60 decimal digits") {
    // 10^9 * e^x to the nearest integer, by Python's decimal module.
    constexpr std::pair<double, std::int64_t> vectors[] = {
        {0, 1'000'000'000},  {1, 2'718'281'828},       {-1, 367'879'441}, {0.5, 1'648'721'271},
        {-0.5, 606'530'660}, {10, 22'026'465'794'807}, {-20, 2},          {20.5, 799'902'177'475'505'407},
    };
    for (const auto& vector : vectors) {
        CAPTURE(vector.first);
        const auto exponent = static_cast<std::int64_t>(vector.first * one);
        // What does not come out even is cut off at 60 bits.
        CHECK(std::abs(bk::scale_by_exp(1'000'000'000, exponent) - vector.second) <= vector.second >> 56);
    }
}

TEST_CASE("the exponential undoes the logarithm") {
    for (const std::uint64_t value : {2U, 3U, 7U, 1'000U, 65'537U, 4'000'000'000U}) {
        CAPTURE(value);
        CHECK(bk::scale_by_exp(1, bk::fixed_log(value)) == static_cast<std::int64_t>(value));
        CHECK(bk::scale_by_exp(static_cast<std::int64_t>(value), -bk::fixed_log(value)) == 1);
    }
}

TEST_CASE("the exponential stays within its integers") {
    CHECK(bk::scale_by_exp(1, largest) == largest);
    CHECK(bk::scale_by_exp(1, std::numeric_limits<std::int64_t>::min()) == 0);
    CHECK(bk::scale_by_exp(largest, 0) == largest);
    CHECK(bk::scale_by_exp(largest, 1) == largest);
    CHECK(std::abs(bk::scale_by_exp(largest, static_cast<std::int64_t>(-1 * one)) - 3393088950634442637) < 64);
    CHECK(bk::scale_by_exp(0, 5) == 0);
    CHECK(bk::scale_by_exp(-1, 5) == 0);
    // e^-44 of the largest integer is 0.72, e^-45 of it 0.26.
    CHECK(bk::scale_by_exp(largest, static_cast<std::int64_t>(-44 * one)) == 1);
    CHECK(bk::scale_by_exp(largest, static_cast<std::int64_t>(-45 * one)) == 0);
}

TEST_CASE("a shift rounds to the nearest and saturates") {
    using bk::detail::shift_rounded;
    static_assert(shift_rounded({0, 5}, 1) == 3);
    static_assert(shift_rounded({0, 4}, 3) == 1);
    static_assert(shift_rounded({0, 3}, 3) == 0);
    static_assert(shift_rounded({1, 0}, 64) == 1);
    static_assert(shift_rounded({0, std::uint64_t{1} << 63}, 64) == 1);
    static_assert(shift_rounded({std::uint64_t{1} << 63, 0}, 127) == 1);
    static_assert(shift_rounded({~std::uint64_t{0}, 0}, 127) == 2);
    static_assert(shift_rounded({~std::uint64_t{0}, 0}, 128) == 1);
    static_assert(shift_rounded({~std::uint64_t{0}, ~std::uint64_t{0}}, 64) == largest);
    static_assert(shift_rounded({1, 0}, 1) == largest);
}
