#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/waiter.hpp>

namespace benchkit::inline v0_1::detail {

/// Who waits until when: ordered by time, then by the order of arrival.
class timer_heap {
  public:
    struct entry {
        time_point when;
        std::uint64_t sequence;
        waiter* sleeper;
    };

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] const entry& top() const noexcept { return entries_.front(); }

    void push(time_point when, waiter& sleeper) {
        sleeper.timed = true;
        entries_.push_back({when, next_sequence_++, &sleeper});
        std::push_heap(entries_.begin(), entries_.end(), later);
    }

    entry pop() {
        std::pop_heap(entries_.begin(), entries_.end(), later);
        const entry popped = entries_.back();
        entries_.pop_back();
        popped.sleeper->timed = false;
        return popped;
    }

    /// Takes one sleeper out before its time; linear, for it is rare.
    void remove(waiter& sleeper) {
        if (!sleeper.timed) return;
        std::erase_if(entries_, [&](const entry& candidate) { return candidate.sleeper == &sleeper; });
        std::make_heap(entries_.begin(), entries_.end(), later);
        sleeper.timed = false;
    }

  private:
    static bool later(const entry& left, const entry& right) noexcept {
        return left.when != right.when ? left.when > right.when : left.sequence > right.sequence;
    }

    std::vector<entry> entries_;
    std::uint64_t next_sequence_ = 0;
};

}  // namespace benchkit::inline v0_1::detail
