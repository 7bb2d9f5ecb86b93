#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

namespace benchkit::inline v0_1 {

/// The median, between the middle two values where their number is even; nothing of no values, or where one is
/// not finite.
[[nodiscard]] inline std::optional<double> median_of(std::vector<double> values) {
    const bool finite = std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
    if (values.empty() || !finite) return std::nullopt;
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    if (values.size() % 2 == 1) return values[middle];
    return values[middle - 1] + (values[middle] - values[middle - 1]) / 2;
}

}  // namespace benchkit::inline v0_1
