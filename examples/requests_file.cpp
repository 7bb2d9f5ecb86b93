// A file of requests: each line a JSON object, with weights and placeholders, sent to a shop in a shuffled
// order. What came of each request is told by itself.

#include <iostream>
#include <string>

#include <benchkit.hpp>
#include <benchkit/http/requests_file.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

// What `benchkit load --requests-file shop.jsonl --order shuffle URL` would read.
constexpr const char* shop = R"({"url": "/items", "weight": 7}
{"url": "/items/{random:1..500}", "weight": 2}
{"method": "POST", "url": "/orders", "headers": {"Content-Type": "application/json", "X-Order": "{uuid}"}, "body": "{\"order\": {seq}}"}
)";

int main() {
    http::server server;
    server.route("/items", "a list of items");
    for (int item = 1; item <= 500; ++item) server.route("/items/" + std::to_string(item), "an item");
    server.route("/orders", [](const http::received_request& request) {
        const bool right = request.method == "POST" && request.body.starts_with("{\"order\": ");
        return http::reply(right ? 201 : 400);
    });
    server.start();

    http::target target(server.url());
    target.requests(
        http::parse_requests("shop", "shop.jsonl", shop, target.address()).order(http::request_order::shuffle));
    const bk::result r =
        bk::load(bk::sharded{2}, target, bk::closed_loop{.clients = 10}, {.operations = 10'000});

    std::cout << r.counter("succeeded") << " of " << r.counter("scheduled") << " succeeded\n";
    for (const auto& [name, count] : r.counters) {
        if (name.starts_with("step.")) std::cout << name << ": " << count << "\n";
    }
    std::cout << "created: " << r.counter("status.201") << "\n";
}
