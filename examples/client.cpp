// A coroutine of one's own: it logs in, takes the token along and asks for what it is allowed to see. Nothing
// is measured here; `bk::load` takes such a coroutine as it is.

#include <iostream>
#include <string>

#include <benchkit.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

// The service: a user logs in and may then see the items.
void add_routes(http::server& server) {
    server.route("/login", [](const http::received_request& request) {
        const bool known = request.method == "POST" && request.body == "user=ada";
        return known ? http::reply("token-1") : http::reply(403, "who are you?");
    });
    server.route("/items", [](const http::received_request& request) {
        const bool allowed = request.headers.find("Authorization") == "Bearer token-1";
        return allowed ? http::reply("one, two, three") : http::reply(401, "log in first");
    });
}

bk::awaitable<> visit(bk::shard& shard, std::string url) {
    http::client client(shard, url);

    const http::response early = co_await client.get("/items");
    std::cout << early.status() << " " << early.body() << "\n";

    const http::response login = co_await client.post("/login", "user=ada");
    const std::string token = login.require(200).body();

    http::request question("GET", "/items");
    question.header("Authorization", "Bearer " + token);
    const http::response items = co_await client.send(question);
    std::cout << items.status() << " " << items.body() << "\n";
}

int main() {
    http::server server;
    add_routes(server);
    server.start();

    bk::run(bk::single_threaded{}, [&](bk::shard& shard) { return visit(shard, server.url()); });
    std::cout << server.requests() << " requests on " << server.connections() << " connection\n";
}
