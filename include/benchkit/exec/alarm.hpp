#pragma once

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <system_error>
#include <utility>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/awaitable.hpp>
#include <benchkit/exec/edge_wait.hpp>

namespace benchkit::inline v0_1::detail {

#if BENCHKIT_EDGE_WAIT

/// Calls a function on the loop's thread at a point in time. Asio's own timer sets its descriptor twice for
/// each time that it fires; this one has a descriptor of its own, of which an edge tells, and sets it once.
class alarm {
  public:
    /// `rings` may also be called in vain: it looks itself what is due. Throws `std::system_error` where there
    /// is no descriptor left.
    alarm(asio::io_context& context, std::function<void()> rings)
        : reactor_(asio::use_service<asio::detail::reactor>(context)),
          descriptor_(::timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC)),
          rings_(std::move(rings)),
          watch_(new watch(*this)) {
        reactor_.init_task();
        const int failed = descriptor_ < 0 ? errno : reactor_.register_descriptor(descriptor_, registration_);
        if (failed != 0) {
            delete watch_;
            if (descriptor_ >= 0) ::close(descriptor_);
            throw std::system_error(failed, std::system_category(), "timerfd");
        }
        watch_->start();
    }
    alarm(const alarm&) = delete;
    alarm& operator=(const alarm&) = delete;
    // The watch is left to the loop, which lets go of it when it is next run or destroyed.
    ~alarm() {
        watch_->owner = nullptr;
        reactor_.deregister_descriptor(descriptor_, registration_, false);
        reactor_.cleanup_descriptor_data(registration_);
        ::close(descriptor_);
    }

    /// Rings at `due`, at once where that has passed, and no longer when it was to ring before.
    void set(time_point due) {
        if (due == due_) return;
        due_ = due;
        const std::int64_t nanoseconds = std::max<std::int64_t>(1, due.time_since_epoch().count());
        itimerspec time{};
        time.it_value.tv_sec = nanoseconds / 1'000'000'000;
        time.it_value.tv_nsec = nanoseconds % 1'000'000'000;
        ::timerfd_settime(descriptor_, TFD_TIMER_ABSTIME, &time, nullptr);
    }

  private:
    // What waits in the reactor's queue for the next edge.
    struct watch final : asio::detail::reactor_op {
        explicit watch(alarm& watched) : reactor_op(asio::error_code(), &seen, &complete), owner(&watched) {}

        void start() {
            owner->reactor_.start_op(asio::detail::reactor::read_op, owner->descriptor_, owner->registration_,
                                     this, true, true);
        }
        static status seen(asio::detail::reactor_op*) { return done_and_exhausted; }
        static void complete(void* loop, asio::detail::operation* base, const asio::error_code&, std::size_t) {
            auto* const self = static_cast<watch*>(base);
            if (loop == nullptr || self->owner == nullptr) {
                delete self;
                return;
            }
            alarm& rung = *self->owner;
            rung.due_ = time_point::max();
            self->start();
            rung.rings_();
        }

        alarm* owner;
    };

    asio::detail::reactor& reactor_;
    int descriptor_;
    asio::detail::reactor::per_descriptor_data registration_{};
    time_point due_ = time_point::max();
    std::function<void()> rings_;
    watch* watch_;
};

#else

/// Calls a function on the loop's thread at a point in time.
class alarm {
  public:
    /// `rings` may also be called in vain: it looks itself what is due.
    alarm(asio::io_context& context, std::function<void()> rings) : timer_(context), rings_(std::move(rings)) {}

    /// Rings at `due`, at once where that has passed, and no longer when it was to ring before.
    void set(time_point due) {
        if (due == due_) return;
        due_ = due;
        timer_.expires_at(std::chrono::steady_clock::time_point(due.time_since_epoch()));
        timer_.async_wait([this](const asio::error_code& error) {
            if (error) return;
            due_ = time_point::max();
            rings_();
        });
    }

  private:
    asio::basic_waitable_timer<std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                               executor_type>
        timer_;
    time_point due_ = time_point::max();
    std::function<void()> rings_;
};

#endif

}  // namespace benchkit::inline v0_1::detail
