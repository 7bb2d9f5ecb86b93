// What `ab -c 10 -n 5000 -k URL` measures and prints. The server is part of the program, so that it runs
// anywhere.

#include <iostream>

#include <benchkit.hpp>

namespace bk = benchkit;

int main() {
    bk::http::server server;
    server.route("/api/v1/sync/benchmark-hello-world", R"({"data":"ok"})").start();

    const bk::http::target target{server.url("/api/v1/sync/benchmark-hello-world")};
    const bk::result r =
        bk::load(bk::single_threaded{}, target, bk::closed_loop{.clients = 10}, {.operations = 5'000});
    std::cout << bk::report::ab(r);
}
