#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1 {

/// A confidence interval: from `low` to `high`, both belong to it.
struct interval {
    double low = 0;
    double high = 0;

    friend bool operator==(const interval&, const interval&) = default;
};

/// Values far from the quartiles, by Tukey's fences: mild beyond 1.5 times the distance between the quartiles,
/// severe beyond 3 times (Tukey, Exploratory Data Analysis, 1977).
struct outlier_counts {
    std::int64_t low_severe = 0;
    std::int64_t low_mild = 0;
    std::int64_t high_mild = 0;
    std::int64_t high_severe = 0;

    friend bool operator==(const outlier_counts&, const outlier_counts&) = default;
};

/// What a set of samples looks like, in the unit of the samples. A figure that is not defined for so few
/// values is empty.
struct sample_summary {
    std::int64_t count = 0;
    std::optional<double> mean;
    std::optional<double> stddev;  ///< of the sample: divided by count - 1
    std::optional<double> min;
    std::optional<double> q1;
    std::optional<double> median;
    std::optional<double> q3;
    std::optional<double> max;
    std::optional<double> mad;  ///< median distance from the median, not scaled
    outlier_counts outliers;
    std::optional<interval> median_interval;
    std::optional<interval> mean_interval;

    friend bool operator==(const sample_summary&, const sample_summary&) = default;
};

/// What a comparison says of the new side against the base side.
enum class verdict : std::uint8_t {
    faster,     ///< the interval of the ratio lies wholly below the margin; of a ratio of rates, above it
    slower,     ///< wholly above it; of a ratio of rates, below it
    same,       ///< wholly inside it
    undecided,  ///< none of these: more evidence is needed
};

inline constexpr std::size_t verdict_count = 4;

/// The name of a verdict, as in JSON.
[[nodiscard]] constexpr std::string_view to_string(verdict value) noexcept {
    constexpr std::array<std::string_view, verdict_count> names{"faster", "slower", "same", "undecided"};
    return names[static_cast<std::size_t>(value)];
}

/// The rank sum test of Mann and Whitney (1947): the statistic and the two-sided probability of one at least
/// as extreme where both sides are alike.
struct mann_whitney_test {
    double u = 0;
    double p = 1;

    friend bool operator==(const mann_whitney_test&, const mann_whitney_test&) = default;
};

/// The shift of Hodges and Lehmann (1963): the median of all differences new - base, in the unit of the
/// samples.
struct hodges_lehmann_shift {
    double shift = 0;
    std::optional<benchkit::interval> interval;

    friend bool operator==(const hodges_lehmann_shift&, const hodges_lehmann_shift&) = default;
};

/// A new side against a base side: times as large, with what interval, and what follows from it.
struct comparison {
    std::optional<double> ratio;                 ///< new over base; empty where a sample is not positive
    std::optional<benchkit::interval> interval;  ///< of the ratio
    double confidence = 0;                       ///< of every interval here, 0 to 1
    std::optional<mann_whitney_test> mann_whitney;
    std::optional<hodges_lehmann_shift> hodges_lehmann;
    benchkit::verdict verdict = benchkit::verdict::undecided;
    std::string basis;  ///< what the evidence consists of, such as "single run"
    sample_summary base_summary;
    sample_summary new_summary;

    friend bool operator==(const comparison&, const comparison&) = default;
};

}  // namespace benchkit::inline v0_1
