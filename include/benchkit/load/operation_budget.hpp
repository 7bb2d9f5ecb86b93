#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>

namespace benchkit::inline v0_1::detail {

/// The operations that are still to be started, shared by the shards of a run. A shard takes them in portions,
/// which become smaller towards the end, so that the shards end together and none is touched per operation.
class operation_budget {
  public:
    explicit operation_budget(std::optional<std::int64_t> operations)
        : left_(operations.value_or(0)), limited_(operations.has_value()) {}

    [[nodiscard]] bool limited() const noexcept { return limited_; }
    [[nodiscard]] bool empty() const noexcept { return limited_ && left_.load(std::memory_order_relaxed) <= 0; }

    /// Takes one operation for each of a shard's clients, before the run, so that every client has one as far
    /// as there are enough. Without a limit there is nothing to take.
    [[nodiscard]] std::int64_t reserve(std::int64_t clients) noexcept {
        if (!limited_) return 0;
        const std::int64_t reserved = std::min(clients, left_.load(std::memory_order_relaxed));
        left_.fetch_sub(reserved, std::memory_order_relaxed);
        return reserved;
    }

    /// Takes a portion; 0 where nothing is left.
    [[nodiscard]] std::int64_t take(int shards) noexcept {
        if (!limited_) return std::numeric_limits<std::int64_t>::max();
        std::int64_t left = left_.load(std::memory_order_relaxed);
        for (;;) {
            const std::int64_t portion =
                std::min(left, std::max<std::int64_t>(1, left / (std::int64_t{8} * shards)));
            if (portion <= 0) return 0;
            if (left_.compare_exchange_weak(left, left - portion, std::memory_order_relaxed)) return portion;
        }
    }

  private:
    std::atomic<std::int64_t> left_;
    bool limited_;
};

}  // namespace benchkit::inline v0_1::detail
