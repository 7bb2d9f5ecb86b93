#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <benchkit/core/uint128.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/exact_rate.hpp>

namespace benchkit::inline v0_1::detail {

/// The times of every n-th operation of constant rates that follow each other. Operation k is where the
/// integral of the rate reaches k, rounded down to a nanosecond: at a single rate k / rate. It adds up whole
/// periods and their rests, so that it never drifts.
class stage_schedule {
  public:
    /// Of the operations `first`, `first + step`, ... of a constant rate that never ends.
    stage_schedule(const constant& kind, std::uint64_t first, std::uint64_t step) : index_(first), step_(step) {
        append(kind.rate, static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
        enter();
    }

    stage_schedule(const stages& kind, std::uint64_t first, std::uint64_t step) : index_(first), step_(step) {
        stages_.reserve(kind.list().size());
        for (const stages::stage& each : kind.list()) {
            append(each.rate, static_cast<std::uint64_t>(each.duration.count()));
        }
        enter();
    }

    /// The next operation's nanoseconds since the start of the run; nothing after the last stage.
    [[nodiscard]] std::optional<std::int64_t> next() noexcept {
        while (current_ < stages_.size()) {
            const stage_part& stage = stages_[current_];
            if (!stage.rate.zero() && time_.nanoseconds < stage.length) {
                const auto at = static_cast<std::int64_t>(stage.start + time_.nanoseconds);
                advance(stage.rate.units());
                return at;
            }
            ++current_;
            enter();
        }
        return std::nullopt;
    }

  private:
    struct stage_part {
        exact_rate rate;
        std::uint64_t start = 0;   // nanoseconds
        std::uint64_t length = 0;  // nanoseconds
        uint128 parts_before;      // of operations, in the stages before
    };

    void append(rate per_second, std::uint64_t length) {
        stage_part next{exact_rate(per_second), 0, length, {}};
        if (!stages_.empty()) {
            const stage_part& last = stages_.back();
            next.start = last.start + last.length;
            next.parts_before = last.parts_before + last.rate.parts_in(last.length);
        }
        stages_.push_back(next);
    }

    /// Finds the next operation in the stage that has begun: it is due in this one or in a later one.
    void enter() noexcept {
        if (current_ == stages_.size() || stages_[current_].rate.zero()) return;
        const stage_part& stage = stages_[current_];
        time_ = stage.rate.time_of(subtract(multiply(index_, parts_of_operation), stage.parts_before));
        period_ = stage.rate.time_of(multiply(step_, parts_of_operation));
    }

    void advance(std::uint64_t units) noexcept {
        index_ += step_;
        time_.nanoseconds += period_.nanoseconds;
        time_.rest += period_.rest;
        if (time_.rest < units) return;
        time_.rest -= units;
        ++time_.nanoseconds;
    }

    [[nodiscard]] static uint128 subtract(uint128 left, uint128 right) noexcept {
        return {left.high - right.high - (left.low < right.low ? 1U : 0U), left.low - right.low};
    }

    std::vector<stage_part> stages_;
    std::size_t current_ = 0;
    std::uint64_t index_;
    std::uint64_t step_;
    exact_time time_;    // of operation index_ since the start of the current stage
    exact_time period_;  // between two operations of ours
};

}  // namespace benchkit::inline v0_1::detail
