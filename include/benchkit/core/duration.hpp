#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace benchkit::inline v0_1 {

namespace detail {

/// Nanoseconds of any standard duration; what does not fit, saturates; NaN becomes the smallest value, so
/// that every later check refuses it.
template <class Rep, class Period>
[[nodiscard]] constexpr std::chrono::nanoseconds saturated_nanoseconds(
    std::chrono::duration<Rep, Period> value) noexcept {
    constexpr double limit = 9.2e18;
    const double nanoseconds = std::chrono::duration<double, std::nano>(value).count();
    if (nanoseconds >= limit) return std::chrono::nanoseconds::max();
    if (!(nanoseconds > -limit)) return std::chrono::nanoseconds::min();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(value);
}

}  // namespace detail

/// A length of time in whole nanoseconds, made from any standard duration (`20s`, `0.5s`, `-1ms`). The
/// functions that take one refuse a value that makes no sense, by name.
struct duration : std::chrono::nanoseconds {
    constexpr duration() noexcept : std::chrono::nanoseconds(0) {}

    template <class Rep, class Period>
    constexpr duration(std::chrono::duration<Rep, Period> value) noexcept
        : std::chrono::nanoseconds(detail::saturated_nanoseconds(value)) {}

    /// The length in seconds.
    [[nodiscard]] constexpr double seconds() const noexcept { return static_cast<double>(count()) / 1e9; }
};

/// A number of operations per second, made from any number. The functions that take one refuse what is not
/// a positive finite number, by name.
struct rate {
    double per_second = 0;

    constexpr rate() noexcept = default;

    template <class Number>
    requires std::is_arithmetic_v<Number>
    constexpr rate(Number value) noexcept : per_second(static_cast<double>(value)) {}

    friend constexpr bool operator==(const rate&, const rate&) noexcept = default;
};

}  // namespace benchkit::inline v0_1
