#include <benchkit/load/journey_load.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <benchkit/http/server.hpp>
#include <benchkit/load/load.hpp>
#include <benchkit/result/print.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// Logs in with a cookie, has items, and is broken at one place.
struct shop {
    http::server server;

    shop() {
        server.route("/login", [](const http::received_request&) {
            return http::reply(200).header("Set-Cookie", "user=a; Path=/");
        });
        server.route("/items", [](const http::received_request& request) {
            const auto cookie = request.headers.find("Cookie");
            return http::reply(cookie && *cookie == "user=a" ? 200 : 401).body("items");
        });
        server.route("/bad", [](const http::received_request&) { return http::reply(503); });
        server.start();
    }
};

const auto visit = [](http::session& http) -> bk::awaitable<> {
    const auto login = co_await http.post("/login", "a");
    if (login.status() != 200) co_return http.fail("login");
    co_await http.get("/items");
};

}  // namespace

TEST_CASE("a journey is one operation, and its steps have their own figures, over all shards") {
    shop peer;
    const http::journey journey{http::target(peer.server.url()), visit};
    for (const int shards : {1, 2}) {
        const bk::result r = bk::load(bk::sharded{.shards = shards}, journey, bk::closed_loop{.clients = 6},
                                      {.operations = 300});
        CHECK(r.counter("succeeded") == 300);
        CHECK(r.counter("requests_sent") == 600);
        CHECK(r.counter("status.200") == 600);
        CHECK(r.counter("connections_opened") == 6);
        CHECK(r.counter("kept_alive") == 600);
        CHECK(r.counter("body_bytes_received") == 1'500);
        CHECK(r.counter("step.POST /login.succeeded") == 300);
        CHECK(r.counter("step.GET /items.succeeded") == 300);
        CHECK(r.distributions.at("step_time.GET /items").values.count() == 300);
        // A journey takes as long as its steps at least.
        CHECK(r.distributions.at("service_time").values.mean() >=
              r.distributions.at("step_time.GET /items").values.mean());
        CHECK(bk::to_text(r).find("\nstep ") != std::string::npos);
    }
}

TEST_CASE("in an open loop, too, a warm-up left out") {
    shop peer;
    const bk::result r = bk::load(bk::single_threaded{}, http::journey{http::target(peer.server.url()), visit},
                                  bk::open_loop{.arrivals = bk::constant(200), .connections = 3},
                                  {.warmup = 100ms, .duration = 250ms});
    CHECK(r.counter("scheduled") == 50);
    CHECK(r.counter("succeeded") == 50);
    CHECK(r.counter("warmup.succeeded") == 20);
    CHECK(r.counter("step.GET /items.succeeded") == 50);
    CHECK(r.counter("requests_sent") == 100);
    CHECK(r.find_distribution("response_time") != nullptr);
}

TEST_CASE("whatever goes wrong in a journey is counted under its cause") {
    shop peer;
    const http::target target(peer.server.url());
    const auto count = [&](const auto& way) {
        return bk::load(bk::single_threaded{}, http::journey{target, way}, bk::closed_loop{.clients = 2},
                        {.operations = 10});
    };
    const bk::result status = count([](http::session& http) -> bk::awaitable<> { co_await http.get("/bad"); });
    CHECK(status.counter("failed.status") == 10);
    CHECK(status.counter("step.GET /bad.failed") == 10);
    CHECK(status.attributes.at("first_error") == bk::attribute(std::string("status 503")));
    const bk::result reason = count([](http::session& http) -> bk::awaitable<> {
        http.fail("mine");
        co_return;
    });
    CHECK(reason.counter("failed.assertion") == 10);
    const bk::result thrown = count([](http::session& http) -> bk::awaitable<> {
        co_await http.get("/items");
        throw std::runtime_error("broken");
    });
    CHECK(thrown.counter("failed.status") == 10);  // without a login, which came first
    const bk::result nothing = count([](http::session&) -> bk::awaitable<> { co_return; });
    CHECK(nothing.counter("succeeded") == 10);
}

TEST_CASE("a server that nobody answers at ends the run, as that of any load") {
    const auto one = [](http::session& http) -> bk::awaitable<> { co_await http.get("/"); };
    const bk::result r =
        bk::load(bk::single_threaded{}, http::journey{http::target("http://127.0.0.1:9/"), one},
                 bk::closed_loop{.clients = 3}, {.duration = 1h});
    CHECK(r.attributes.at("ended_by") == bk::attribute(std::string("connect-failure")));
    CHECK(r.counter("failed.connect") == 3);
    CHECK(r.counter("errors.connection_refused") == 3);
}
