#pragma once

#include <memory>
#include <optional>
#include <string>

#include <benchkit/http/server.hpp>

namespace cli {

/// The path of the seeds' function, whose answer has 13 bytes.
inline constexpr const char* hello_world_path = "/api/v1/sync/benchmark-hello-world";

/// How the routes of the seeds answer.
struct seed_replies {
    std::optional<std::string> body = {};  ///< instead of the bodies of the seeds
    bool chunked = false;
};

/// The server that `serve` and `demo` run, with the routes of the seeds; not started yet.
[[nodiscard]] std::unique_ptr<benchkit::http::server> make_server(benchkit::http::server_options options,
                                                                  const seed_replies& replies = {});

}  // namespace cli
