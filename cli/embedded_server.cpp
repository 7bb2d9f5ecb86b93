#include "embedded_server.hpp"

#include <utility>

namespace cli {

std::unique_ptr<benchkit::http::server> make_server(benchkit::http::server_options options) {
    using benchkit::http::reply;
    auto server = std::make_unique<benchkit::http::server>(std::move(options));
    for (const char* path : {"/", "/benchmark"}) {
        server->route(path, reply("<p>Hello, world!</p>").header("Content-Type", "text/html"));
    }
    server->route(hello_world_path, reply(R"({"data":"ok"})").header("Content-Type", "application/json"));
    return server;
}

}  // namespace cli
