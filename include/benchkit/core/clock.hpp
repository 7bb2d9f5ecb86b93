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
        return time_point(std::chrono::duration_cast<duration>(std::chrono::steady_clock::now().time_since_epoch()));
    }
};

using time_point = clock::time_point;

}  // namespace benchkit::inline v0_1
