#include <benchkit/result/count_sum.hpp>

#include <cstdint>
#include <limits>

#include <doctest/doctest.h>

using benchkit::detail::sum_of;

TEST_CASE("counts add up, and saturate where they do not fit") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    CHECK(sum_of({}) == 0);
    CHECK(sum_of({1, 2, 3}) == 6);
    CHECK(sum_of({5, -7}) == -2);
    CHECK(sum_of({most, 0}) == most);
    CHECK(sum_of({most, 1}) == most);
    CHECK(sum_of({most - 1, 1}) == most);
    CHECK(sum_of({least, -1}) == least);
    CHECK(sum_of({least, 1}) == least + 1);
}
