#include <benchkit/load/matrix_order.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using order = std::vector<std::size_t>;

TEST_CASE("two targets: AB BA BA AB, which a steady drift does not favour") {
    const std::vector<order> expected{{0, 1}, {1, 0}, {1, 0}, {0, 1}};
    for (std::int64_t round = 0; round < 12; ++round) {
        CHECK(bk::matrix_order(2, round) == expected[static_cast<std::size_t>(round % 4)]);
    }
}

TEST_CASE("three targets: turned around, then turned around backwards") {
    const std::vector<order> expected{{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}};
    for (std::int64_t round = 0; round < 12; ++round) {
        CHECK(bk::matrix_order(3, round) == expected[static_cast<std::size_t>(round % 6)]);
    }
}

TEST_CASE("each target is in each place equally often, and as often before a neighbour as behind it") {
    for (std::size_t targets = 1; targets <= 7; ++targets) {
        const auto rounds = static_cast<std::int64_t>(2 * targets);
        std::map<std::pair<std::size_t, std::size_t>, int> in_place;
        std::map<std::pair<std::size_t, std::size_t>, int> follows;
        for (std::int64_t round = 0; round < rounds; ++round) {
            const order now = bk::matrix_order(targets, round);
            REQUIRE(now.size() == targets);
            for (std::size_t place = 0; place < targets; ++place) {
                ++in_place[{now[place], place}];
                if (place > 0) ++follows[{now[place - 1], now[place]}];
            }
        }
        for (std::size_t target = 0; target < targets; ++target) {
            for (std::size_t place = 0; place < targets; ++place) CHECK(in_place[{target, place}] == 2);
        }
        for (const auto& [pair, times] : std::map(follows)) CHECK(follows[{pair.second, pair.first}] == times);
    }
}

TEST_CASE("after any number of rounds, none was first more than once more often than another") {
    for (std::size_t targets = 1; targets <= 5; ++targets) {
        std::vector<int> first(targets);
        for (std::int64_t round = 0; round < 40; ++round) {
            ++first[bk::matrix_order(targets, round).front()];
            const auto [least, most] = std::minmax_element(first.begin(), first.end());
            CHECK(*most - *least <= 1);
        }
    }
    CHECK(bk::matrix_order(0, 3).empty());
}
