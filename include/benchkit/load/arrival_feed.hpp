#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>

#include <benchkit/exec/shard.hpp>
#include <benchkit/load/arrival_schedule.hpp>

namespace benchkit::inline v0_1::detail {

/// The schedule of one shard, as it feeds whichever of its clients is free. Idle clients stand in line; only
/// the first of them waits for the next operation to come due, so there is one timer however many they are.
class arrival_feed {
  public:
    /// `start`: of the run. Of the operations that are intended to start at `measure_from` or later there are
    /// `limit`; all that the schedule has unless it is given. `lasts`: the run goes on behind the last of them,
    /// until its deadline.
    arrival_feed(shard& owner, arrival_schedule schedule, time_point start, time_point measure_from,
                 std::optional<std::int64_t> limit, bool lasts)
        : scheduler_(owner.scheduler()),
          schedule_(std::move(schedule)),
          start_(start),
          measure_from_(measure_from),
          left_(limit),
          lasts_(lasts) {
        advance();
    }

    /// Whether nothing comes any more, and the run need not last for it.
    [[nodiscard]] bool finished() const noexcept { return !next_ && (!lasts_ || left_ == 0); }

    /// Takes the next operation, if it is due, and returns its intended start.
    [[nodiscard]] std::optional<time_point> take(time_point now) {
        if (!next_ || *next_ > now) return std::nullopt;
        const time_point intended = *next_;
        advance();
        call_first(now);
        return intended;
    }

    /// Tells `tell(intended)` of each operation that was due before `end` and that nobody took. Nobody is
    /// called any more.
    template <class Tell>
    void close(time_point end, const Tell& tell) {
        for (; next_ && *next_ < end; advance()) tell(*next_);
        next_.reset();
    }

    /// Whether a client stands idle.
    [[nodiscard]] bool somebody_waits() const noexcept { return !idle_.empty(); }

    /// Suspends a client until an operation may be due. It may be told in vain.
    [[nodiscard]] awaitable<> wait() {
        return suspend([this](waiter& client) {
            if (scheduler_.enqueue(client, idle_)) watch_for_next();
        });
    }

  private:
    void advance() {
        next_.reset();
        const std::optional<std::chrono::nanoseconds> since_start = schedule_.next();
        if (!since_start) return;
        const time_point intended = start_ + *since_start;
        if (left_ && intended >= measure_from_ && (*left_)-- == 0) {
            left_ = 0;
            return;
        }
        next_ = intended;
    }

    // The first in line goes at once where the next operation is already due.
    void call_first(time_point now) {
        if (idle_.empty() || !next_) return;
        if (*next_ <= now) {
            scheduler_.wake(idle_.pop_front());
        } else {
            watch_for_next();
        }
    }

    // Who stands first may still have the timer of an operation that another client has taken meanwhile: then
    // it is woken too early and stands in line again.
    void watch_for_next() {
        if (next_ && !idle_.front().timed) scheduler_.set_timer(idle_.front(), *next_);
    }

    scheduler& scheduler_;
    arrival_schedule schedule_;
    time_point start_;
    time_point measure_from_;
    std::optional<std::int64_t> left_;  // of the measured operations behind the next one
    bool lasts_;
    std::optional<time_point> next_;
    wait_list idle_;
};

}  // namespace benchkit::inline v0_1::detail
