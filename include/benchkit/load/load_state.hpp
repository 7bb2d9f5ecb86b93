#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/run.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/load_loop.hpp>
#include <benchkit/load/operation_budget.hpp>

namespace benchkit::inline v0_1::detail {

/// What ended a run before its limits did.
enum class early_end : int { none, interrupt, connect_failure, first_error, abort_on, memory };

/// How many clients of a loop ever start: no more than there are operations, but all of them warm up.
[[nodiscard]] inline std::int64_t starting_clients(const load_loop& loop, const load_limits& limits) {
    if (!limits.operations || limits.warmup > limits.warmup.zero()) return loop.clients;
    return std::min(loop.clients, *limits.operations);
}

/// What the shards of one load share. Written rarely: at connects that fail, and when the run ends early.
class load_state {
  public:
    load_state(shard_group& group, const load_loop& loop, const load_limits& limits,
               std::chrono::nanoseconds drain)
        : budget(loop.open() ? std::nullopt : limits.operations),
          group_(group),
          clients_(starting_clients(loop, limits)),
          start_(group.at(0).now()),
          measure_from_(time_after(start_, limits.warmup)),
          deadline_(end_of_measuring(measure_from_, loop, limits)),
          open_loop_(loop.open()),
          ends_itself_(loop.ends_itself()),
          drain_(drain) {}

    [[nodiscard]] time_point start() const noexcept { return start_; }
    [[nodiscard]] time_point measure_from() const noexcept { return measure_from_; }
    /// The end of the span where a duration ends it, else the end of time.
    [[nodiscard]] time_point deadline() const noexcept { return deadline_; }
    [[nodiscard]] time_point drained_by() const noexcept { return time_after(deadline_, drain_); }

    [[nodiscard]] bool open_loop() const noexcept { return open_loop_; }
    /// Whether its last operation ends the run, as that of a count does.
    [[nodiscard]] bool ends_itself() const noexcept { return ends_itself_; }

    [[nodiscard]] early_end ended_early() const noexcept { return ended_early_; }
    [[nodiscard]] time_point ended_early_at() const noexcept {
        return time_point(clock::duration(ended_early_at_));
    }

    /// Ends the run now; the first reason stays. `stop_shard` is called on every shard's thread.
    void end_early(early_end reason, time_point now) {
        early_end none = early_end::none;
        if (!ended_early_.compare_exchange_strong(none, reason)) return;
        ended_early_at_ = now.time_since_epoch().count();
        group_.post_all(stop_shard);
    }

    /// The last operation has been taken; `settle_shard` is called on every shard's thread, once in a run.
    void note_all_taken() {
        if (!all_taken_.exchange(true)) group_.post_all(settle_shard);
    }

    /// A client's first connect has failed; returns whether that of every client has.
    [[nodiscard]] bool first_connect_failed() noexcept { return ++first_connects_failed_ >= clients_; }

    /// A connect has succeeded, or an answer has come.
    void note_success(time_point now) noexcept {
        last_success_.store(now.time_since_epoch().count(), std::memory_order_relaxed);
    }

    /// Whether nothing has succeeded for 10 s, though it was tried.
    [[nodiscard]] bool hopeless(time_point now) const noexcept {
        const auto last_success = time_point(clock::duration(last_success_.load(std::memory_order_relaxed)));
        return now - std::max(start_, last_success) >= std::chrono::seconds(10);
    }

    operation_budget budget;
    std::function<void(shard&)> stop_shard;          ///< how a shard's part of the run is stopped
    std::function<void(shard&)> settle_shard;        ///< how it ends where nothing is left for it to do
    std::atomic<std::int64_t> requests_taken = 0;    ///< of a list
    std::atomic<std::int64_t> document_length = -1;  ///< body bytes of the first answer

  private:
    static time_point end_of_measuring(time_point measure_from, const load_loop& loop,
                                       const load_limits& limits) {
        if (limits.duration) return time_after(measure_from, *limits.duration);
        const bool counted = limits.operations || loop.ends_itself();
        return counted ? time_point::max() : time_after(measure_from, default_duration);
    }

    shard_group& group_;
    std::int64_t clients_;
    time_point start_;
    time_point measure_from_;
    time_point deadline_;
    bool open_loop_;
    bool ends_itself_;
    std::chrono::nanoseconds drain_;
    std::atomic<early_end> ended_early_ = early_end::none;
    std::atomic<std::int64_t> ended_early_at_ = 0;
    std::atomic<bool> all_taken_ = false;
    std::atomic<std::int64_t> first_connects_failed_ = 0;
    std::atomic<std::int64_t> last_success_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace benchkit::inline v0_1::detail
