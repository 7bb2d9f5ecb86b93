#pragma once

#include <utility>

#include <benchkit/exec/asio.hpp>

namespace benchkit::inline v0_1 {

/// The Asio executor of a shard. All of benchkit's coroutines and sockets use this one type.
using executor_type = asio::io_context::executor_type;

/// The one coroutine type: what an experiment runs and what its parts await.
template <class T = void>
using awaitable = asio::awaitable<T, executor_type>;

/// The completion token for Asio operations inside our coroutines; plain `asio::use_awaitable` belongs to
/// another executor type and does not compile there.
inline constexpr asio::use_awaitable_t<executor_type> use_awaitable{};

/// Runs somebody else's awaitable (plain `asio::awaitable<T>`) inside one of our coroutines:
/// `co_await bk::adapt(their_awaitable())`. Exceptions pass through.
template <class T, class OtherExecutor>
awaitable<T> adapt(asio::awaitable<T, OtherExecutor> other) {
    const executor_type executor = co_await asio::this_coro::executor;
    co_return co_await asio::co_spawn(executor, std::move(other), use_awaitable);
}

}  // namespace benchkit::inline v0_1
