#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <utility>

#include <benchkit/exec/shard.hpp>

namespace benchkit::inline v0_1 {

/// A queue between coroutines of one shard that holds at most `capacity` values: who pushes into a full one
/// waits, who pops from an empty one waits, both first come first served.
template <class T>
class bounded_queue {
  public:
    /// Throws `error` unless `capacity` is at least 1.
    bounded_queue(shard& owner, std::size_t capacity) : scheduler_(owner.scheduler()), capacity_(capacity) {
        if (capacity == 0) fail_option("bounded_queue.capacity", "0", "allowed is 1 or more");
    }

    [[nodiscard]] std::size_t size() const noexcept { return values_.size(); }
    [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
    [[nodiscard]] bool closed() const noexcept { return closed_; }

    /// Puts `value` in if there is room that nobody waits for; returns whether it did. A closed queue takes
    /// nothing.
    [[nodiscard]] bool try_push(T value) {
        if (closed_ || !has_room()) return false;
        put(std::move(value));
        return true;
    }

    /// Waits for room and puts `value` in; returns false where the queue was closed.
    [[nodiscard]] awaitable<bool> push(T value) {
        if (!closed_ && !has_room()) {
            co_await wait_in(pushers_);
            --admitted_pushers_;
        }
        if (closed_) co_return false;
        put(std::move(value));
        co_return true;
    }

    /// Waits for a value and takes it out; nothing where the queue is closed and empty.
    [[nodiscard]] awaitable<std::optional<T>> pop() {
        if (values_.size() <= admitted_poppers_) {
            if (closed_) co_return std::nullopt;
            co_await wait_in(poppers_);
            --admitted_poppers_;
        }
        std::optional<T> value;
        if (!values_.empty()) {
            value.emplace(std::move(values_.front()));
            values_.pop_front();
            admit(pushers_, admitted_pushers_);
        }
        co_return value;
    }

    /// Nothing more goes in; what is in can still be popped, and everybody who waits goes on.
    void close() {
        closed_ = true;
        while (!pushers_.empty()) admit(pushers_, admitted_pushers_);
        while (!poppers_.empty()) admit(poppers_, admitted_poppers_);
    }

  private:
    [[nodiscard]] bool has_room() const noexcept { return values_.size() + admitted_pushers_ < capacity_; }

    void put(T value) {
        values_.push_back(std::move(value));
        admit(poppers_, admitted_poppers_);
    }

    // Who is admitted has its place from now on, not only once it runs: nobody overtakes.
    void admit(detail::wait_list& line, std::size_t& admitted) {
        if (line.empty()) return;
        ++admitted;
        scheduler_.wake(line.pop_front());
    }

    awaitable<> wait_in(detail::wait_list& line) {
        return detail::suspend([this, &line](detail::waiter& waiting) { scheduler_.enqueue(waiting, line); });
    }

    detail::scheduler& scheduler_;
    detail::wait_list pushers_;
    detail::wait_list poppers_;
    std::deque<T> values_;
    std::size_t capacity_;
    std::size_t admitted_pushers_ = 0;
    std::size_t admitted_poppers_ = 0;
    bool closed_ = false;
};

}  // namespace benchkit::inline v0_1
