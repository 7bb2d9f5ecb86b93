#include <benchkit/load/exact_rate.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::exact_rate;
using bk::detail::parts_of_operation;

TEST_CASE("a rate is the decimal fraction that its double stands for") {
    CHECK(exact_rate(5'000).units() == 5'000'000'000'000);
    CHECK(exact_rate(5'000).places() == 0);
    CHECK(exact_rate(0.1).units() == 100'000'000);
    CHECK(exact_rate(1e9).units() == 1'000'000'000'000'000'000);
    CHECK(exact_rate(1000.0 / 3).units() == 3'333'333'333'333'333);
    CHECK(exact_rate(1000.0 / 3).places() == 4);
    CHECK(exact_rate(1.2345678901234567e-6).places() == 13);
    CHECK(exact_rate(0).zero());
    CHECK_FALSE(exact_rate(1e-6).zero());
}

TEST_CASE("the time of an operation has the rest that is no whole nanosecond") {
    const auto third = exact_rate(0.3).time_of({0, parts_of_operation});  // 3333333333 1/3 ns
    CHECK(third.nanoseconds == 3'333'333'333);
    CHECK(third.rest * 3 == exact_rate(0.3).units());
    const auto whole = exact_rate(0.1).time_of({0, parts_of_operation});
    CHECK(whole.nanoseconds == 10'000'000'000);
    CHECK(whole.rest == 0);
    const auto longest = exact_rate(1e-6).time_of(bk::multiply(std::uint64_t{1} << 20, parts_of_operation));
    CHECK(longest.nanoseconds == static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

TEST_CASE("the parts that come in a time are exact, or rounded down") {
    CHECK(exact_rate(0.1).parts_in(10'000'000'000) == bk::uint128{0, parts_of_operation});
    CHECK(exact_rate(0.1).parts_in(1) == bk::uint128{0, 100'000'000});  // 10^-10 of an operation
    // 333.3333333333333 per second in a nanosecond: 333333333333.3333 parts
    CHECK(exact_rate(1000.0 / 3).parts_in(1) == bk::uint128{0, 333'333'333'333});
    CHECK(exact_rate(1e9).parts_in(9'000'000'000'000'000'000) ==
          bk::multiply(9'000'000'000'000'000'000, parts_of_operation));
}
