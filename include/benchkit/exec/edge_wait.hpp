#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

#include <benchkit/exec/awaitable.hpp>

// Asio's own waiting for readability changes the epoll registration each time, which costs a system call per
// request, and takes memory for the waiting and for a coroutine of its own. What follows queues an operation of
// our own in Asio's reactor instead, which lives in the frame of the coroutine that waits. It relies on what
// Asio has inside, so it is used for the versions that it was tried with; others get the public way.
#if defined(ASIO_HAS_EPOLL) && !defined(ASIO_HAS_IO_URING_AS_DEFAULT) && ASIO_VERSION < 103900 && \
    !defined(BENCHKIT_PUBLIC_WAIT)
#define BENCHKIT_EDGE_WAIT 1
#else
#define BENCHKIT_EDGE_WAIT 0
#endif

namespace benchkit::inline v0_1::detail {

/// What a coroutine waits for.
enum class edge : std::uint8_t { input, output };

#if !BENCHKIT_EDGE_WAIT

template <class Socket>
awaitable<> public_wait(Socket& socket, edge awaited) {
    const auto kind = awaited == edge::input ? Socket::wait_read : Socket::wait_write;
    asio::error_code ignored;
    co_await socket.async_wait(kind, asio::redirect_error(use_awaitable, ignored));
}

#else

/// A way to what a socket keeps to itself.
template <class Socket>
struct socket_inside : Socket {
    static constexpr auto implementation = &socket_inside::impl_;
};

/// What `co_await` calls when the coroutine has been suspended: puts itself into the reactor's queue, and goes
/// on with the coroutine as soon as the reactor has seen an edge, without reading or writing.
template <class Socket>
class edge_wait : public asio::detail::reactor_op {
  public:
    edge_wait(Socket& socket, edge awaited)
        : reactor_op(asio::error_code(), awaited == edge::input ? &seen_input : &seen_output, &complete),
          socket_(socket),
          awaited_(awaited) {}

    asio::detail::awaitable_thread<executor_type>* operator()(
        asio::detail::awaitable_frame_base<executor_type>* frame) {
        ::new (storage_) coroutine(std::move(*frame->detach_thread()));
        auto& implementation = (socket_.*socket_inside<Socket>::implementation).get_implementation();
        auto& reactor = asio::use_service<asio::detail::reactor>(socket_.get_executor().context());
        using kind = asio::detail::reactor;
        // Output is seldom waited for: the registration is changed then, and tells what there is already.
        const bool input = awaited_ == edge::input;
        reactor.start_op(input ? kind::read_op : kind::write_op, implementation.socket_,
                         implementation.reactor_data_, this, true, input);
        return nullptr;
    }

  private:
    using coroutine = asio::detail::awaitable_thread<executor_type>;

    // Exhausted: the reactor then asks again only after another edge. Of thousands of connections none is in
    // the processor's caches any more: what the coroutine is going to need stands around its socket.
    static status seen_input(asio::detail::reactor_op* self) {
        const auto* const around = reinterpret_cast<const char*>(&static_cast<edge_wait*>(self)->socket_);
        for (std::ptrdiff_t line = -2; line < 9; ++line) __builtin_prefetch(around + 64 * line);
        return done_and_exhausted;
    }
    static status seen_output(asio::detail::reactor_op*) { return done; }

    // Without an owner the loop is being destroyed, and the coroutine with it.
    static void complete(void* owner, asio::detail::operation* base, const asio::error_code&, std::size_t) {
        auto* const held = std::launder(reinterpret_cast<coroutine*>(static_cast<edge_wait*>(base)->storage_));
        coroutine waiting(std::move(*held));
        held->~coroutine();
        if (owner != nullptr) waiting.launch();
    }

    Socket& socket_;
    edge awaited_;
    // Not std::optional: it lives only while the coroutine waits; copied is only what does not wait yet.
    alignas(coroutine) unsigned char storage_[sizeof(coroutine)];
};

#endif

/// Suspends the coroutine until the socket may have become readable, or has been closed. What was there before
/// the last wait ended is not told again: a reader reads until `would_block`, or knows that more is to come. It
/// may be told in vain. Only closing the socket ends it early. To be awaited at once.
template <class Socket>
[[nodiscard]] auto wait_for_input(Socket& socket) {
#if BENCHKIT_EDGE_WAIT
    return edge_wait<Socket>(socket, edge::input);
#else
    return public_wait(socket, edge::input);
#endif
}

/// Suspends the coroutine until the socket may have become writable or its connecting has ended, or it has been
/// closed. It may be told in vain. To be awaited at once.
template <class Socket>
[[nodiscard]] auto wait_for_output(Socket& socket) {
#if BENCHKIT_EDGE_WAIT
    return edge_wait<Socket>(socket, edge::output);
#else
    return public_wait(socket, edge::output);
#endif
}

}  // namespace benchkit::inline v0_1::detail
