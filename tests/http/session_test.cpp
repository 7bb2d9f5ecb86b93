#include <benchkit/http/session.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <benchkit/exec/run.hpp>
#include <benchkit/http/server.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

// A server that redirects, sets a cookie and tells what it gets.
struct test_server {
    http::server server;

    test_server() {
        server.route("/echo", [](const http::received_request& request) {
            const auto cookie = request.headers.find("Cookie");
            std::string text(request.method);
            text.append(" ").append(request.body).append(" ").append(cookie ? *cookie : "none");
            return http::reply(200).body(text);
        });
        server.route("/set", [](const http::received_request&) {
            return http::reply(302).header("Location", "/echo").header("Set-Cookie", "a=b; Path=/");
        });
        server.route("/same",
                     [](const http::received_request&) { return http::reply(307).header("Location", "echo"); });
        server.route("/loop", [](const http::received_request&) {
            return http::reply(302).header("Location", "/loop");
        });
        server.route("/bad", [](const http::received_request&) { return http::reply(500); });
        server.start();
    }
};

struct noted_step {
    std::string name;
    int status;
    bool succeeded;

    friend bool operator==(const noted_step&, const noted_step&) = default;
};

// Runs `journey(session&)` and returns its steps.
template <class Journey>
std::vector<noted_step> steps_of(const http::target& target, std::int64_t redirects, const Journey& journey) {
    std::vector<noted_step> steps;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::session session(shard, target, redirects);
        session.on_step = [&](const http::step_outcome& step) {
            steps.push_back({std::string(step.name), step.status, step.succeeded});
        };
        co_await journey(session);
    });
    return steps;
}

}  // namespace

TEST_CASE("redirects are followed if asked, cookies kept, and a step is named by its first request") {
    test_server peer;
    const http::target target(peer.server.url());
    const auto steps = steps_of(target, 5, [](http::session& http) -> bk::awaitable<> {
        const http::response followed = co_await http.post("/set", "x");
        CHECK(followed.body() == "GET  a=b");
        const http::response kept = co_await http.step("again").post("/same", "y");
        CHECK(kept.body() == "POST y a=b");
        const http::response own = co_await http.send(http::request("GET", "/echo").header("Cookie", "own=1"));
        CHECK(own.body() == "GET  own=1");
        CHECK_FALSE(http.failure().has_value());
    });
    CHECK(steps ==
          std::vector<noted_step>{{"POST /set", 200, true}, {"again", 200, true}, {"GET /echo", 200, true}});
    (void)steps_of(target, 0, [](http::session& http) -> bk::awaitable<> {
        const http::response answer = co_await http.get("/set");
        CHECK(answer.status() == 302);
        CHECK(http.cookies().size() == 1);
    });
}

TEST_CASE(
    "too many redirects, a status, a check and a reason of one's own fail the journey, the first of them") {
    test_server peer;
    const http::target target(peer.server.url());
    const auto failure_of = [&](const auto& journey) {
        http::journey_failure failure;
        (void)steps_of(target, 3, [&](http::session& http) -> bk::awaitable<> {
            co_await journey(http);
            REQUIRE(http.failure().has_value());
            failure = *http.failure();
            http.begin();
            CHECK_FALSE(http.failure().has_value());
        });
        return std::string(to_string(failure.cause)) + ": " + failure.sentence;
    };
    CHECK(failure_of([](http::session& http) -> bk::awaitable<> { (void)co_await http.get("/loop"); }) ==
          "assertion: assertion: more than 3 redirects");
    CHECK(failure_of([](http::session& http) -> bk::awaitable<> {
              (void)co_await http.get("/bad");
              http.fail("later");
          }) == "status: status 500");
    CHECK(failure_of([](http::session& http) -> bk::awaitable<> {
              http.fail("mine");
              co_return;
          }) == "assertion: assertion: mine");
    CHECK(failure_of([](http::session& http) -> bk::awaitable<> {
              (void)co_await http.expect(http::expectation().body_contains("nothing")).get("/echo");
          }).starts_with("assertion: assertion: "));
    const auto endless = steps_of(target, 3, [](http::session& http) -> bk::awaitable<> {
        (void)co_await http.get("/loop");
        (void)co_await http.get("/echo");  // a later step is none the worse for it
    });
    CHECK(endless == std::vector<noted_step>{{"GET /loop", 302, false}, {"GET /echo", 200, true}});
    const auto steps = steps_of(target, 0, [](http::session& http) -> bk::awaitable<> {
        (void)co_await http.expect(http::expectation().status(500)).get("/bad");
        CHECK_FALSE(http.failure().has_value());
        (void)co_await http.get("/bad");  // it holds for one answer
    });
    CHECK(steps == std::vector<noted_step>{{"GET /bad", 500, true}, {"GET /bad", 500, false}});
}

TEST_CASE("a request without an answer ends the journey with its cause") {
    const http::target nobody("http://127.0.0.1:9/");
    std::string caught;
    const auto steps = steps_of(nobody, 0, [&](http::session& http) -> bk::awaitable<> {
        try {
            (void)co_await http.get("/");
        } catch (const bk::operation_failed& problem) {
            caught = to_string(problem.reason());
        }
        CHECK(http.failure()->error_name == "connection_refused");
    });
    CHECK(caught == "connect");
    CHECK(steps == std::vector<noted_step>{{"GET /", 0, false}});
}
