#pragma once

#include <chrono>

namespace benchkit::inline v0_1 {

/// The clock of all measurements: monotonic, nanoseconds since an arbitrary origin. In virtual time the same
/// type counts from 0.
struct clock {
    using duration = std::chrono::nanoseconds;
    using rep = duration::rep;
    using period = duration::period;
    using time_point = std::chrono::time_point<clock, duration>;
    static constexpr bool is_steady = true;

    [[nodiscard]] static time_point now() noexcept {
        const auto since_origin = std::chrono::steady_clock::now().time_since_epoch();
        return time_point(std::chrono::duration_cast<duration>(since_origin));
    }
};

/// A point in time of `clock`, or of the simulated clock.
using time_point = clock::time_point;

/// `start` + `length`; what lies beyond the clock's range is `time_point::max()`. `length` is not negative.
[[nodiscard]] constexpr time_point time_after(time_point start, std::chrono::nanoseconds length) noexcept {
    return length > time_point::max() - start ? time_point::max() : start + length;
}

}  // namespace benchkit::inline v0_1
