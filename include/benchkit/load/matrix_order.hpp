#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace benchkit::inline v0_1 {

/// In which order a round of a matrix takes its targets, by their places: the one that is first moves on by one
/// from round to round, and every other turn around them goes backwards. Of two targets that is AB BA BA AB. So
/// over `targets` rounds each is in each place once, and over twice as many each comes as often before its
/// neighbours as behind them.
[[nodiscard]] inline std::vector<std::size_t> matrix_order(std::size_t targets, std::int64_t round) {
    std::vector<std::size_t> order(targets);
    const auto turn = static_cast<std::size_t>(round);
    for (std::size_t place = 0; place < targets; ++place) order[place] = (place + turn) % targets;
    if (targets > 0 && turn / targets % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace benchkit::inline v0_1
