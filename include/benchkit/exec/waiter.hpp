#pragma once

#include <new>
#include <utility>

#include <benchkit/exec/awaitable.hpp>
#include <benchkit/exec/intrusive_list.hpp>

namespace benchkit::inline v0_1::detail {

struct suspended_tag;
struct queue_tag;

/// A coroutine that waits for a timer, an event or a place in a queue. It lives in the frame of the
/// coroutine that waits, so waiting allocates nothing.
class waiter : public list_hook<suspended_tag>, public list_hook<queue_tag> {
  public:
    using handler =
        asio::async_result<asio::use_awaitable_t<executor_type>, void(asio::error_code)>::handler_type;

    waiter() noexcept = default;
    // Copied only before it waits: a copy waits for nothing.
    waiter(const waiter&) noexcept : waiter() {}
    waiter& operator=(const waiter&) = delete;
    ~waiter() = default;

    bool timed = false;  ///< stands in the timer heap
    bool woken = false;  ///< is on its way: no cancellation reaches it any more

    void hold(handler&& continuation) { ::new (storage_) handler(std::move(continuation)); }
    [[nodiscard]] asio::cancellation_slot cancellation_slot() noexcept {
        return held().get_cancellation_slot();
    }
    void fail_with(asio::error_code error) noexcept { error_ = error; }

    /// Runs the coroutine until it waits again or ends; `*this` may be gone afterwards.
    void resume() {
        handler continuation = take();
        continuation(error_);
    }

    /// Gives the coroutine up: a handler that is posted here owns its frame from now on.
    void drop() { const handler continuation = take(); }

  private:
    handler& held() noexcept { return *std::launder(reinterpret_cast<handler*>(storage_)); }

    handler take() noexcept {
        handler taken = std::move(held());
        held().~handler();
        return taken;
    }

    // Not std::optional: it lives only between hold() and take(), and GCC 12 warns of its moves.
    alignas(handler) unsigned char storage_[sizeof(handler)];
    asio::error_code error_;
};

/// What `asio::async_initiate` keeps in the coroutine's frame: the waiter, and how it is put to wait.
template <class Arm>
class suspension {
  public:
    explicit suspension(Arm arm) : arm_(arm) {}

    void operator()(waiter::handler&& continuation) && {
        waiter_.hold(std::move(continuation));
        arm_(waiter_);
    }

  private:
    Arm arm_;
    waiter waiter_;
};

/// Suspends the coroutine that awaits the answer; `arm(waiter&)` puts it to wait.
template <class Arm>
awaitable<> suspend(Arm arm) {
    asio::use_awaitable_t<executor_type> token;
    return asio::async_initiate<asio::use_awaitable_t<executor_type>, void(asio::error_code)>(
        suspension<Arm>(arm), token);
}

}  // namespace benchkit::inline v0_1::detail
