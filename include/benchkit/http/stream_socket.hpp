#pragma once

#include <benchkit/exec/awaitable.hpp>

namespace benchkit::inline v0_1::http {

/// A stream socket that is connected to a peer: over TCP or on a Unix socket, of a client or of a server.
using stream_socket = asio::basic_stream_socket<asio::generic::stream_protocol, executor_type>;
using stream_endpoint = asio::generic::stream_protocol::endpoint;

}  // namespace benchkit::inline v0_1::http
