#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1 {

/// A named set of measured values: a histogram and its unit.
struct distribution {
    std::string unit = "ns";
    histogram values;

    /// Percentile `p` (0 to 100) of the values, or nothing where too few values lie beyond it to know it:
    /// available when n(1 - p/100) >= 10.
    [[nodiscard]] std::optional<std::int64_t> percentile(double p) const {
        const auto beyond = static_cast<double>(values.count()) * (1.0 - p / 100.0);
        // One value more or less changes this by 1e-5 for a percentile of 99.999; rounding, by 1e-10.
        if (beyond < 10.0 - 1e-7) return std::nullopt;
        return values.value_at_percentile(p);
    }
};

}  // namespace benchkit::inline v0_1
