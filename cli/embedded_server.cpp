#include "embedded_server.hpp"

#include <utility>

namespace cli {

namespace {

benchkit::http::reply make_reply(const char* body, const char* type, const seed_replies& replies) {
    benchkit::http::reply made(replies.body.value_or(body));
    made.header("Content-Type", type);
    if (replies.chunked) made.chunked();
    return made;
}

}  // namespace

std::unique_ptr<benchkit::http::server> make_server(benchkit::http::server_options options,
                                                    const seed_replies& replies) {
    auto server = std::make_unique<benchkit::http::server>(std::move(options));
    for (const char* path : {"/", "/benchmark"}) {
        server->route(path, make_reply("<p>Hello, world!</p>", "text/html", replies));
    }
    server->route(hello_world_path, make_reply(R"({"data":"ok"})", "application/json", replies));
    return server;
}

}  // namespace cli
