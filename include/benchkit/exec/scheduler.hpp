#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/timer_heap.hpp>
#include <benchkit/exec/waiter.hpp>

namespace benchkit::inline v0_1::detail {

/// Coroutines that wait in line for the same thing.
using wait_list = intrusive_list<waiter, queue_tag>;

/// Who of a shard's coroutines waits for what, and who may go on. It knows no loop and reads no clock: the
/// shard tells it the time, real or simulated. A woken coroutine never runs inside the call that woke it: it
/// goes to the end of the ready list, so the order of wake-ups is the order of execution.
class scheduler {
  public:
    std::function<void()> on_ready;             ///< the ready list has its first entry
    std::function<void(time_point)> on_sooner;  ///< a timer became the next one due

    /// Lets `sleeper` wait until a point in time.
    void sleep(waiter& sleeper, time_point until) {
        if (suspend(sleeper)) set_timer(sleeper, until);
    }

    /// Lets `waiting` wait at the end of a line; false where nobody may wait any more.
    bool enqueue(waiter& waiting, wait_list& line) {
        if (!suspend(waiting)) return false;
        line.push_back(waiting);
        return true;
    }

    /// Wakes one that waits at `until`, if nothing has woken it before. The end of time never comes.
    void set_timer(waiter& waiting, time_point until) {
        if (until == time_point::max()) return;
        const bool sooner = heap_.empty() || until < heap_.top().when;
        heap_.push(until, waiting);
        if (sooner && on_sooner) on_sooner(until);
    }

    /// Takes `woken` out of whatever it waits for and lets it go on, with an error if there is one.
    void wake(waiter& woken, asio::error_code error = {}) {
        heap_.remove(woken);
        woken.woken = true;
        woken.fail_with(error);
        const bool first = ready_.empty();
        ready_.push_back(woken);
        if (first && !draining_ && on_ready) on_ready();
    }

    /// Wakes all whose time has come, in the order of their times and, at equal times, of their arrival; then
    /// runs what is ready.
    void run_due(time_point now) {
        draining_ = true;
        while (!heap_.empty() && heap_.top().when <= now) {
            const timer_heap::entry due = heap_.pop();
            trace(due);
            wake(*due.sleeper);
        }
        drain();
    }

    /// Runs what is ready, and what becomes ready meanwhile. Coroutines may wake each other without end: after
    /// many of them the loop, which looks at timers and sockets, has its turn first.
    void drain() {
        draining_ = true;
        for (int left = most_at_once; left > 0 && !ready_.empty() && !stopped_; --left) {
            waiter& next = ready_.pop_front();
            next.list_hook<suspended_tag>::unlink();
            next.resume();
        }
        draining_ = false;
        if (!ready_.empty() && !stopped_ && on_ready) on_ready();
    }

    /// Nobody goes on from now on, not even who is ready.
    void stop() noexcept { stopped_ = true; }
    [[nodiscard]] bool stopped() const noexcept { return stopped_; }

    [[nodiscard]] bool has_ready() const noexcept { return !ready_.empty(); }
    [[nodiscard]] bool has_timers() const noexcept { return !heap_.empty(); }
    [[nodiscard]] time_point next_due() const noexcept { return heap_.top().when; }

    /// Gives up all that wait; whoever would wait from now on is given up at once. Their frames die with the
    /// io_context.
    void drop_all() {
        closed_ = true;
        while (!suspended_.empty()) {
            waiter& given_up = suspended_.pop_front();
            given_up.list_hook<queue_tag>::unlink();
            heap_.remove(given_up);
            given_up.drop();
        }
    }

    /// A hash over the times and the order of all timer events so far: equal for equal event traces.
    [[nodiscard]] std::uint64_t trace_hash() const noexcept { return trace_hash_; }

  private:
    static constexpr int most_at_once = 256;

    // Whether it may wait at all. A cancellation wakes it with operation_aborted.
    [[nodiscard]] bool suspend(waiter& suspended) {
        if (closed_) {
            suspended.drop();
            return false;
        }
        suspended_.push_back(suspended);
        asio::cancellation_slot cancellation = suspended.cancellation_slot();
        if (cancellation.is_connected()) {
            cancellation.assign([this, &suspended](asio::cancellation_type) {
                if (!suspended.woken) wake(suspended, asio::error::operation_aborted);
            });
        }
        return true;
    }

    void trace(const timer_heap::entry& event) noexcept {
        trace_number(static_cast<std::uint64_t>(event.when.time_since_epoch().count()));
        trace_number(event.sequence);
    }

    // Multiply and fold: each bit of each number moves the hash, and so does their order.
    void trace_number(std::uint64_t number) noexcept {
        trace_hash_ = (trace_hash_ ^ number) * 0x9e3779b97f4a7c15ULL;
        trace_hash_ ^= trace_hash_ >> 32;
    }

    timer_heap heap_;
    wait_list ready_;
    intrusive_list<waiter, suspended_tag> suspended_;
    std::uint64_t trace_hash_ = 0;
    bool draining_ = false;
    bool stopped_ = false;
    bool closed_ = false;
};

}  // namespace benchkit::inline v0_1::detail
