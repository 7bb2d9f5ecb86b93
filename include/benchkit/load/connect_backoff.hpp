#pragma once

#include <algorithm>
#include <chrono>

namespace benchkit::inline v0_1::detail {

/// How long a client waits after a connect that failed: from 1 ms, doubling to 1 s, until one succeeds.
class connect_backoff {
  public:
    /// Whether no connect has ended yet.
    [[nodiscard]] bool is_new() const noexcept { return next_ == next_.zero(); }
    [[nodiscard]] std::chrono::nanoseconds next() noexcept {
        if (is_new()) reset();
        const std::chrono::nanoseconds wait = next_;
        next_ = std::min<std::chrono::nanoseconds>(next_ * 2, std::chrono::seconds(1));
        return wait;
    }
    void reset() noexcept { next_ = std::chrono::milliseconds(1); }

  private:
    std::chrono::nanoseconds next_{0};
};

}  // namespace benchkit::inline v0_1::detail
