#pragma once

/// The one place that includes Asio (standalone), in narrow headers.

#if !defined(ASIO_STANDALONE)
#define ASIO_STANDALONE 1
#endif

// Asio before 1.26 looks for <experimental/coroutine> under clang and then switches coroutines off, although
// the standard library has <coroutine>.
#if defined(__clang__) && !defined(ASIO_HAS_CO_AWAIT) && !defined(ASIO_DISABLE_CO_AWAIT)
#define ASIO_HAS_CO_AWAIT 1
#endif

#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/error.hpp>
#include <asio/executor_work_guard.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/io_context.hpp>
#include <asio/ip/tcp.hpp>
#include <asio/local/stream_protocol.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/system_error.hpp>
#include <asio/this_coro.hpp>
#include <asio/use_awaitable.hpp>
#include <asio/version.hpp>

#if ASIO_VERSION < 102201
#error "benchkit needs Asio 1.22.1 or later"
#endif
