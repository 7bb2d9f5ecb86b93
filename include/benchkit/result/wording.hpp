#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/result/result.hpp>

/// Phrases that diagnostics and the text report share.
namespace benchkit::inline v0_1::detail {

/// A share of 0 to 1: "12 %", "1.5 %".
[[nodiscard]] inline std::string percent(double share) {
    if (share > 0 && share < 0.0005) return "less than 0.1 %";
    return format_fixed(100.0 * share, share < 0.0995 ? 1 : 0) + " %";
}

/// A length of time; "n/a" of what is not finite.
[[nodiscard]] inline std::string time_text(double nanoseconds) {
    if (!std::isfinite(nanoseconds)) return "n/a";
    return format_duration(std::chrono::nanoseconds(std::llround(std::clamp(nanoseconds, -9.2e18, 9.2e18))));
}

[[nodiscard]] inline std::string time_text(std::int64_t nanoseconds) {
    return format_duration(std::chrono::nanoseconds(nanoseconds));
}

/// "1 client", "10 clients".
[[nodiscard]] inline std::string counted(std::int64_t count, std::string_view one, std::string_view many) {
    return format_count(count).append(" ").append(count == 1 ? one : many);
}

/// "1 operation", "5,000 operations".
[[nodiscard]] inline std::string operations_text(std::int64_t count) {
    return counted(count, "operation", "operations");
}

/// "3 timeout, 2 status": the causes of failures, the commonest first.
[[nodiscard]] inline std::string failures_text(const result& measured, std::size_t most = cause_count) {
    std::vector<std::pair<std::int64_t, std::string_view>> causes;
    for (std::size_t index = 0; index < cause_count; ++index) {
        const std::string_view name = to_string(static_cast<cause>(index));
        const std::int64_t count = measured.counter("failed." + std::string(name));
        if (count > 0) causes.emplace_back(count, name);
    }
    std::stable_sort(causes.begin(), causes.end(),
                     [](const auto& left, const auto& right) { return left.first > right.first; });
    std::string text;
    for (std::size_t index = 0; index < causes.size() && index < most; ++index) {
        if (index > 0) text += ", ";
        text.append(format_count(causes[index].first)).append(" ").append(causes[index].second);
    }
    return text;
}

}  // namespace benchkit::inline v0_1::detail
