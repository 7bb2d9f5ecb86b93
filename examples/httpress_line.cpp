// What `httpress -c 100 -n 20000 -t 2 -k URL` measures and prints. The server is part of the program, so that
// it runs anywhere.

#include <iostream>

#include <benchkit.hpp>

namespace bk = benchkit;

int main() {
    bk::http::server server;
    server.route("/", "<p>Hello, world!</p>").start();

    const bk::http::target target{server.url("/")};
    const bk::result r =
        bk::load(bk::sharded{.shards = 2}, target, bk::closed_loop{.clients = 100}, {.operations = 20'000});
    std::cout << bk::report::httpress(r);
}
