#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include <benchkit/exec/awaitable.hpp>

// Asio's own waiting for readability changes the epoll registration each time, which costs a system call per
// request. What follows queues an operation of our own in Asio's reactor instead. It relies on what Asio has
// inside, so it is used for the versions that it was tried with; others get the public way.
#if defined(ASIO_HAS_EPOLL) && !defined(ASIO_HAS_IO_URING_AS_DEFAULT) && ASIO_VERSION < 103900 && \
    !defined(BENCHKIT_PUBLIC_WAIT)
#define BENCHKIT_EDGE_WAIT 1
#else
#define BENCHKIT_EDGE_WAIT 0
#endif

namespace benchkit::inline v0_1::detail {

#if BENCHKIT_EDGE_WAIT

/// Completes as soon as the reactor has seen an edge of readability since the last wait, without reading.
template <class Handler>
class edge_operation : public asio::detail::reactor_op {
  public:
    ASIO_DEFINE_HANDLER_PTR(edge_operation);

    explicit edge_operation(Handler& handler, const executor_type& executor)
        : reactor_op(asio::error_code(), &edge_operation::perform_wait, &edge_operation::complete_wait),
          handler_(std::move(handler)),
          work_(handler_, executor) {}

  private:
    // Exhausted: the reactor then asks again only after another edge.
    static status perform_wait(asio::detail::reactor_op*) { return done_and_exhausted; }

    static void complete_wait(void* owner, asio::detail::operation* base, const asio::error_code&,
                              std::size_t) {
        auto* const self = static_cast<edge_operation*>(base);
        ptr memory = {std::addressof(self->handler_), self, self};
        asio::detail::handler_work<Handler, executor_type> work(std::move(self->work_));
        Handler handler(std::move(self->handler_));
        // What the handler starts may take the memory again.
        memory.h = std::addressof(handler);
        memory.reset();
        if (owner != nullptr) work.complete(handler, handler);
    }

    Handler handler_;
    asio::detail::handler_work<Handler, executor_type> work_;
};

/// A way to what a socket keeps to itself.
template <class Socket>
struct socket_inside : Socket {
    static constexpr auto implementation = &socket_inside::impl_;
};

template <class Socket>
class edge_wait_initiation {
  public:
    explicit edge_wait_initiation(Socket& socket) : socket_(socket) {}

    template <class Handler>
    void operator()(Handler&& given) const {
        using handler_type = std::decay_t<Handler>;
        using queued = edge_operation<handler_type>;
        auto& inside = socket_.*socket_inside<Socket>::implementation;
        auto& implementation = inside.get_implementation();
        auto& reactor = asio::use_service<asio::detail::reactor>(socket_.get_executor().context());
        handler_type handler(std::forward<Handler>(given));
        typename queued::ptr memory = {std::addressof(handler), queued::ptr::allocate(handler), nullptr};
        memory.p = new (memory.v) queued(handler, socket_.get_executor());
        reactor.start_op(asio::detail::reactor::read_op, implementation.socket_, implementation.reactor_data_,
                         memory.p, true, true);
        memory.v = memory.p = nullptr;
    }

  private:
    Socket& socket_;
};

#endif

/// Suspends the coroutine until the socket may have become readable, or has been closed. What was there before
/// the last wait ended is not told again: a reader reads until `would_block`, or knows that more is to come. It
/// may be told in vain. Only closing the socket ends it early.
template <class Socket>
[[nodiscard]] awaitable<> wait_for_input(Socket& socket) {
#if BENCHKIT_EDGE_WAIT
    asio::use_awaitable_t<executor_type> token;
    return asio::async_initiate<asio::use_awaitable_t<executor_type>, void()>(
        edge_wait_initiation<Socket>(socket), token);
#else
    asio::error_code ignored;
    co_await socket.async_wait(Socket::wait_read, asio::redirect_error(use_awaitable, ignored));
#endif
}

}  // namespace benchkit::inline v0_1::detail
