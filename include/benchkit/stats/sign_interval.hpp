#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>

namespace benchkit::inline v0_1 {

/// Which of n sorted values enclose the median of what they are drawn from: the `low`-th and the `high`-th,
/// counted from 1; and with which confidence, 0 to 1.
struct sign_ranks {
    std::int64_t low = 0;
    std::int64_t high = 0;
    double confidence = 0;

    friend bool operator==(const sign_ranks&, const sign_ranks&) = default;
};

/// An interval of a median; both ends belong to it.
struct sign_interval {
    double low = 0;
    double high = 0;
    double confidence = 0;  ///< 0 to 1

    friend bool operator==(const sign_interval&, const sign_interval&) = default;
};

namespace detail {

/// Of `count` fair coins, the probabilities of 0 to count / 2 heads. Reckoned from the middle outwards,
/// relative to it, so that nothing is too small for a double where it matters.
[[nodiscard]] inline std::vector<double> fair_coin_probabilities(std::int64_t count) {
    const std::int64_t middle = count / 2;
    std::vector<double> weights(static_cast<std::size_t>(middle) + 1, 1.0);
    double sum = count % 2 == 0 ? 1.0 : 2.0;
    for (std::int64_t heads = middle; heads > 0; --heads) {
        const auto place = static_cast<std::size_t>(heads);
        weights[place - 1] =
            weights[place] * static_cast<double>(heads) / static_cast<double>(count - heads + 1);
        sum += 2.0 * weights[place - 1];
    }
    for (double& weight : weights) weight /= sum;
    return weights;
}

}  // namespace detail

/// The narrowest pair of ranks, as far from both ends, that encloses the median with at least the wanted
/// confidence, whatever the distribution: how many of n values lie below their median is binomial. Where n is
/// too small for it, the smallest and the largest value with the confidence that they have: of 5 values 93.75 %
/// instead of 95 %. Nothing below 2 values. Fails by the name "confidence" where `wanted` is not 0 to 1.
/// Source: W. J. Conover, Practical Nonparametric Statistics, 3rd edition, section 3.2.
[[nodiscard]] inline std::optional<sign_ranks> find_sign_ranks(std::int64_t count, double wanted = 0.95) {
    if (!(wanted >= 0 && wanted <= 1)) {
        fail_option("confidence", format_number(wanted), "allowed is 0 to 1");
    }
    if (count < 2) return std::nullopt;
    const std::vector<double> probabilities = detail::fair_coin_probabilities(count);
    std::int64_t rank = 1;
    double below = probabilities.front();  // the probability that fewer than `rank` values lie below the median
    while (rank < count / 2) {
        const double next = below + probabilities[static_cast<std::size_t>(rank)];
        if (1.0 - 2.0 * next < wanted) break;
        below = next;
        ++rank;
    }
    return sign_ranks{rank, count + 1 - rank, 1.0 - 2.0 * below};
}

/// The interval of the median of what `values` are drawn from, by `find_sign_ranks`. Nothing of fewer than 2
/// values, or where one is not finite.
[[nodiscard]] inline std::optional<sign_interval> find_sign_interval(std::vector<double> values,
                                                                     double wanted = 0.95) {
    const auto ranks = find_sign_ranks(static_cast<std::int64_t>(values.size()), wanted);
    const bool finite = std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (!ranks || !finite) return std::nullopt;
    std::sort(values.begin(), values.end());
    return sign_interval{values[static_cast<std::size_t>(ranks->low - 1)],
                         values[static_cast<std::size_t>(ranks->high - 1)], ranks->confidence};
}

}  // namespace benchkit::inline v0_1
