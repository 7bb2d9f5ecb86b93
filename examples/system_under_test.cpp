// A service under test and its load in one program: a handler that waits for something, and a check that what
// the clients count is what the service did.

#include <atomic>
#include <chrono>
#include <iostream>
#include <string>

#include <benchkit.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

// Sells what it has, and not one more.
class shop {
  public:
    explicit shop(int stock) : stock_(stock) {}

    bk::awaitable<http::reply> order(bk::shard& shard, const http::received_request& request) {
        if (request.method != "POST") co_return http::reply(405, "orders are posted");
        if (stock_.fetch_sub(1) <= 0) co_return http::reply(409, "sold out");
        co_await shard.sleep_for(2ms);  // where a database would be asked
        ++sold_;
        co_return http::reply(201, "sold");
    }
    [[nodiscard]] int sold() const { return sold_; }

  private:
    std::atomic<int> stock_;
    std::atomic<int> sold_ = 0;
};

int main() {
    shop books(300);
    http::server server({.shards = 2});
    server.route("/order", [&](bk::shard& shard, const http::received_request& request) {
        return books.order(shard, request);
    });
    server.start();

    // 201 is right, and so is 409: being sold out is an answer, not a failure.
    http::target target(server.url("/order"), http::request("POST").body("one book"));
    target.expect(http::expectation().status(201).status(409));
    const bk::result r =
        bk::load(bk::single_threaded{}, target, bk::closed_loop{.clients = 20}, {.operations = 1'000});
    std::cout << r << "\n";

    const bool same = server.requests() == r.counter("requests_sent") &&
                      books.sold() == r.counter("status.201") &&
                      server.connections() == r.counter("connections_opened");
    std::cout << "the server saw " << server.requests() << " requests on " << server.connections()
              << " connections and sold " << books.sold() << "\n"
              << (same ? "the clients say the same\n" : "the clients say something else\n");
    return same ? 0 : 1;
}
