#pragma once

#include <memory>

#include <benchkit/http/server.hpp>

namespace cli {

/// The path of the seeds' function, whose answer has 13 bytes.
inline constexpr const char* hello_world_path = "/api/v1/sync/benchmark-hello-world";

/// The server that `serve` and `demo` run, with the routes of the seeds; not started yet.
[[nodiscard]] std::unique_ptr<benchkit::http::server> make_server(benchkit::http::server_options options);

}  // namespace cli
