#include <benchkit/load/list_load.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include <benchkit/http/server.hpp>
#include <benchkit/load/load.hpp>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// A server that keeps what it is asked for.
struct listening {
    http::server server;
    std::mutex mutex;
    std::multiset<std::string> asked;

    explicit listening(const std::string& path) {
        server.route(path, [this](const http::received_request& request) {
            const std::scoped_lock lock(mutex);
            asked.insert(std::string(request.target) + " " + std::string(request.body));
            return http::reply(200).body("ok");
        });
        server.route("/bad", [](const http::received_request&) { return http::reply(503); });
        server.start();
    }
};

}  // namespace

TEST_CASE("weights hold over all shards, and each request is told of by itself") {
    listening seen("/a");
    seen.server.route("/b", "content of another length");
    http::target target{seen.server.url()};
    target.requests(http::request_list()
                        .add(http::request("GET", "/a"), 6)
                        .add(http::request("GET", "/b"), 3)
                        .add(http::request("GET", "/bad")));
    for (const int shards : {1, 2}) {
        const bk::result r = bk::load(bk::sharded{.shards = shards}, target, bk::closed_loop{.clients = 7},
                                      {.operations = 1'000});
        CHECK(r.counter("succeeded") == 900);
        CHECK(r.counter("failed.status") == 100);
        CHECK(r.counter("step.GET /a.succeeded") == 600);
        CHECK(r.counter("step.GET /b.succeeded") == 300);
        CHECK(r.counter("step.GET /bad.failed") == 100);
        CHECK(r.distributions.at("step_time.GET /b").values.count() == 300);
        CHECK(r.counter("length_differs") == 0);
        CHECK(r.parameters.at("requests") == bk::attribute(std::int64_t{3}));
    }
}

TEST_CASE("a sequence is sent once, each request in its place, on any number of shards") {
    for (const int shards : {1, 3}) {
        listening seen("/x");
        http::target target{seen.server.url()};
        http::request_list list;
        for (int k = 0; k < 50; ++k) list.add(http::request("POST", "/x").body("{seq} " + std::to_string(k)));
        target.requests(std::move(list.order(http::request_order::sequence)));
        const bk::result r = bk::load(bk::sharded{.shards = shards}, target, bk::closed_loop{.clients = 4});
        CHECK(r.counter("succeeded") == 50);
        CHECK(r.attributes.at("ended_by") == bk::attribute(std::string("count")));
        std::multiset<std::string> expected;
        for (int k = 0; k < 50; ++k) expected.insert("/x " + std::to_string(k + 1) + " " + std::to_string(k));
        CHECK(seen.asked == expected);
    }
}

TEST_CASE("an open loop sends a list, too, and answers to HEAD have no body") {
    listening seen("/x");
    http::target target{seen.server.url()};
    target.requests(
        http::request_list().add(http::request("HEAD", "/x")).add(http::request("POST", "/x").body("{seq}")));
    const bk::result r =
        bk::load(bk::single_threaded{}, target, bk::open_loop{.arrivals = bk::constant(500), .connections = 2},
                 {.duration = 200ms});
    CHECK(r.counter("scheduled") == 100);
    CHECK(r.counter("succeeded") == 100);
    CHECK(r.counter("body_bytes_received") == 100);  // 50 times "ok"
    CHECK(r.counter("step.HEAD /x.succeeded") == 50);
}

TEST_CASE("what does not go with a list is refused") {
    const http::request_list list = http::request_list().add(http::request("HEAD", "/"));
    CHECK(tests::refusal([&] {
              http::target("http://localhost/", http::target_options{.pipeline = 2}).requests(list);
          }) == "pipeline = 2: a list of requests is sent one by one");
    CHECK(tests::refusal([&] {
              http::target("http://localhost/").expect(http::expectation().body_contains("x")).requests(list);
          }).starts_with("expect: "));
    http::target once("http://localhost:1/");
    once.requests(http::request_list().add(http::request()).order(http::request_order::sequence));
    CHECK(tests::refusal([&] {
              (void)bk::load(bk::single_threaded{}, once, bk::closed_loop{}, {.warmup = 1s});
          }).starts_with("warmup = 1.00 s: a sequence is sent once"));
}
