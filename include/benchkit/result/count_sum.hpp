#pragma once

#include <cstdint>
#include <initializer_list>
#include <limits>

namespace benchkit::inline v0_1::detail {

/// The sum of counts; what does not fit, saturates. Counts that come from a file can be anything.
[[nodiscard]] constexpr std::int64_t sum_of(std::initializer_list<std::int64_t> counts) noexcept {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::int64_t sum = 0;
    for (const std::int64_t count : counts) {
        if (count > 0) {
            sum = sum > most - count ? most : sum + count;
        } else {
            sum = sum < least - count ? least : sum + count;
        }
    }
    return sum;
}

}  // namespace benchkit::inline v0_1::detail
