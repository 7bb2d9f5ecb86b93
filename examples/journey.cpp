// A user's way through a shop as one operation: log in, look, buy. The session keeps the login's cookie, and
// each step has figures of its own.

#include <iostream>
#include <string>

#include <benchkit.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

// What it is tried with: nobody may buy who has not logged in.
void open_shop(http::server& server) {
    server.route("/login", [](const http::received_request& request) {
        if (request.method != "POST") return http::reply(405);
        return http::reply(200).header("Set-Cookie", "user=a; Path=/");
    });
    server.route("/items", "a list of items");
    server.route("/orders", [](const http::received_request& request) {
        const auto cookie = request.headers.find("Cookie");
        return http::reply(cookie && *cookie == "user=a" ? 201 : 403);
    });
    server.start();
}

void show(const bk::result& r) {
    std::cout << r.counter("succeeded") << " of " << r.counter("scheduled") << " journeys succeeded\n";
    for (const auto& [name, count] : r.counters) {
        if (name.starts_with("step.")) std::cout << "  " << name << ": " << count << "\n";
    }
    const auto reason = bk::find_text(r.attributes, "first_error");
    if (!reason.empty()) std::cout << "  the first failure: " << reason << "\n";
}

int main() {
    http::server server;
    open_shop(server);
    const http::target target(server.url());

    const auto buy = [](http::session& http) -> bk::awaitable<> {
        const auto login = co_await http.post("/login", R"({"user":"a"})");
        if (login.status() != 200) co_return http.fail("login");
        co_await http.get("/items");
        co_await http.step("buy").post("/orders", R"({"item":1})");
    };
    show(bk::load(bk::sharded{2}, http::journey{target, buy}, bk::closed_loop{.clients = 10},
                  {.operations = 500}));

    // Who forgets to log in is refused, and the journey fails although its code does not look.
    const auto forgetful = [](http::session& http) -> bk::awaitable<> {
        http.cookies().clear();
        co_await http.step("buy").post("/orders", R"({"item":1})");
    };
    show(bk::load(bk::single_threaded{}, http::journey{target, forgetful},
                  bk::open_loop{.arrivals = bk::constant(1'000)}, {.operations = 100}));
}
