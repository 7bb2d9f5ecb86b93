#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <utility>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/intrusive_list.hpp>

namespace benchkit::inline v0_1 {

struct deadline_tag;

/// Something that must happen before a point in time; `expire()` is called when it did not.
class deadline : public detail::list_hook<deadline_tag> {
  public:
    deadline() noexcept = default;
    deadline(const deadline&) = delete;
    deadline& operator=(const deadline&) = delete;

    /// Takes the deadline back: it was met.
    void disarm() noexcept { unlink(); }
    [[nodiscard]] bool armed() const noexcept { return linked(); }
    [[nodiscard]] time_point due() const noexcept { return due_; }

    /// Called on the shard's thread, after the deadline has been disarmed.
    virtual void expire() = 0;

  protected:
    ~deadline() = default;

  private:
    friend class deadline_queue;
    time_point due_{};
};

/// The deadlines of one timeout on one shard. Since all have the same length, they fall due in the order of
/// their starts: arming and disarming relink a list, and one sweeper looks at its front.
class deadline_queue {
  public:
    /// `start_sweeper` is called when a deadline is armed and no sweeper runs.
    deadline_queue(std::chrono::nanoseconds timeout, std::function<void(deadline_queue&)> start_sweeper)
        : timeout_(timeout), start_sweeper_(std::move(start_sweeper)) {}

    [[nodiscard]] std::chrono::nanoseconds timeout() const noexcept { return timeout_; }

    /// Arms `item` for `start` plus the timeout. Costs a step for each deadline that was armed before and has a
    /// later start: those of most are now.
    void arm(deadline& item, time_point start) {
        item.due_ = time_after(start, timeout_);
        deadlines_.insert_sorted(item, [](const deadline& a, const deadline& b) { return a.due_ < b.due_; });
        if (!std::exchange(swept_, true)) start_sweeper_(*this);
    }

    /// Expires all that is due; returns when to come again, or nothing where no deadline is left: then the
    /// sweeper ends.
    [[nodiscard]] std::optional<time_point> sweep(time_point now) {
        while (!deadlines_.empty() && deadlines_.front().due() <= now) deadlines_.pop_front().expire();
        if (!deadlines_.empty()) return deadlines_.front().due();
        swept_ = false;
        return std::nullopt;
    }

  private:
    std::chrono::nanoseconds timeout_;
    std::function<void(deadline_queue&)> start_sweeper_;
    detail::intrusive_list<deadline, deadline_tag> deadlines_;
    bool swept_ = false;
};

}  // namespace benchkit::inline v0_1
