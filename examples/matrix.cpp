// Two versions of a service, compared: loaded in turns, with and without keep-alive, and the ratio of their
// rates with an interval. The new version waits for half a millisecond before it answers.

#include <chrono>
#include <iostream>

#include <benchkit.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

int main() {
    bk::http::server before;
    before.route("/", "hello").start();
    bk::http::server after;
    after.route("/", "hello").faults(bk::http::faults().delay(bk::http::delay::fixed(500us))).start();

    const bk::result r = bk::matrix(
        {{"before", bk::http::target(before.url("/"))}, {"after", bk::http::target(after.url("/"))}},
        {{.clients = 4, .operations = 2'000}, {.clients = 4, .operations = 500, .keep_alive = false}},
        {.repeats = 6});
    std::cout << bk::report::matrix(r);
}
