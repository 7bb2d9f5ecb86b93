#pragma once

#include <cstdint>

#include <benchkit/exec/shard.hpp>

namespace benchkit::inline v0_1 {

/// Something that happens once: coroutines of one shard wait for it.
class event {
  public:
    explicit event(shard& owner) noexcept : scheduler_(owner.scheduler()) {}

    [[nodiscard]] bool is_set() const noexcept { return set_; }

    /// It has happened: all that wait go on.
    void set() {
        set_ = true;
        while (!waiting_.empty()) scheduler_.wake(waiting_.pop_front());
    }

    /// Waits until it has happened.
    [[nodiscard]] awaitable<> wait() {
        while (!set_) co_await enqueue();
    }

    /// Waits until it has happened or `limit` has come; returns whether it has happened.
    [[nodiscard]] awaitable<bool> wait_until(time_point limit) {
        if (!set_) co_await enqueue_until(limit);
        co_return set_;
    }

  private:
    awaitable<> enqueue() {
        return detail::suspend([this](detail::waiter& waiting) { scheduler_.enqueue(waiting, waiting_); });
    }

    awaitable<> enqueue_until(time_point limit) {
        return detail::suspend([this, limit](detail::waiter& waiting) {
            if (scheduler_.enqueue(waiting, waiting_)) scheduler_.set_timer(waiting, limit);
        });
    }

    detail::scheduler& scheduler_;
    detail::wait_list waiting_;
    bool set_ = false;
};

/// Waits for a number of coroutines of one shard to end.
class wait_group {
  public:
    explicit wait_group(shard& owner) noexcept : all_done_(owner) {}

    /// `more` coroutines are to be waited for; not after the last one was done.
    void add(std::int64_t more = 1) noexcept { left_ += more; }

    /// One of them has ended.
    void done() {
        if (--left_ == 0) all_done_.set();
    }

    /// Waits until as many are done as were added; at once where none was.
    [[nodiscard]] awaitable<> wait() {
        if (left_ > 0) co_await all_done_.wait();
    }

  private:
    event all_done_;
    std::int64_t left_ = 0;
};

}  // namespace benchkit::inline v0_1
