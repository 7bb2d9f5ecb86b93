#include <benchkit/load/load.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <thread>

#include <benchkit/http/server.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

const auto one_second = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1s); };

bk::attribute text(const char* value) {
    return std::string(value);
}

bk::attribute number(std::int64_t value) {
    return value;
}

}  // namespace

TEST_CASE("a load of a coroutine says how it was made") {
    const std::int64_t before = std::chrono::system_clock::now().time_since_epoch() / 1ns;
    const bk::result r = bk::load(bk::virtual_time{.seed = 7}, one_second, {.clients = 2, .think_time = 500ms},
                                  {.operations = 10, .warmup = 3s, .duration = 60s, .drain = 2s});
    CHECK(r.kind == "load");
    CHECK(r.name == "operation");
    const bk::attributes expected{{"executor", text("virtual_time")},
                                  {"shards", number(1)},
                                  {"seed", number(7)},
                                  {"loop", text("closed")},
                                  {"clients", number(2)},
                                  {"think_time_seconds", 0.5},
                                  {"warmup_seconds", 3.0},
                                  {"drain_seconds", 2.0},
                                  {"operations", number(10)},
                                  {"duration_seconds", 60.0},
                                  {"simulated", true}};
    CHECK(r.parameters == expected);
    CHECK(r.started_at >= before);
    CHECK(r.started_at <= std::chrono::system_clock::now().time_since_epoch() / 1ns);
    CHECK(r.environment.contains("compiler"));
    CHECK(r.environment.contains("cpus"));
    for (const char* of_http : {"requests_sent", "bytes_received", "connections_opened", "kept_alive"}) {
        CHECK_FALSE(r.counters.contains(of_http));
    }
}

TEST_CASE("limits that are not given are not among the parameters, but for those that apply all the same") {
    const bk::result counted = bk::load(bk::virtual_time{}, one_second, {}, {.operations = 10});
    CHECK_FALSE(counted.parameters.contains("duration_seconds"));
    CHECK(counted.parameters.at("drain_seconds") == bk::attribute(10.0));
    const bk::result neither = bk::load(bk::virtual_time{}, one_second);
    CHECK_FALSE(neither.parameters.contains("operations"));
    CHECK(neither.parameters.at("duration_seconds") == bk::attribute(10.0));
    CHECK(neither.parameters.at("clients") == number(10));
    CHECK(neither.counter("succeeded") == 100);
}

TEST_CASE("a load of a target says what was asked of whom") {
    http::server server;
    server.route("/echo",
                 [](const http::received_request& request) { return http::reply(std::string(request.body)); });
    server.start();
    const http::target target{
        server.url("/"),
        http::request("POST", "/echo?a=1").body("12345"),
        {.keep_alive = false, .version = http::http_version::http_1_0, .timeout = 3s, .connect_timeout = 2s}};
    bk::load_options options{.name = "echo"};
    const bk::result r =
        bk::load(bk::sharded{2}, target, bk::closed_loop{.clients = 3}, {.operations = 20}, options);
    CHECK(r.name == "echo");
    const bk::attributes expected{{"executor", text("sharded")},
                                  {"shards", number(2)},
                                  {"seed", number(1)},
                                  {"loop", text("closed")},
                                  {"clients", number(3)},
                                  {"think_time_seconds", 0.0},
                                  {"warmup_seconds", 0.0},
                                  {"drain_seconds", 3.0},  // the timeout, unless given
                                  {"operations", number(20)},
                                  {"url", server.url("/echo?a=1")},
                                  {"host", text("127.0.0.1")},
                                  {"port", number(server.port())},
                                  {"path", text("/echo?a=1")},
                                  {"method", text("POST")},
                                  {"request_body_bytes", number(5)},
                                  {"http_version", text("1.0")},
                                  {"keep_alive", false},
                                  {"pipeline", number(1)},
                                  {"timeout_seconds", 3.0},
                                  {"connect_timeout_seconds", 2.0}};
    CHECK(r.parameters == expected);
    const bk::result unnamed = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = 1});
    CHECK(unnamed.name == "POST " + server.url("/echo?a=1"));
    CHECK(r.counter("succeeded") == 20);
    CHECK(r.counter("body_bytes_received") == 100);
    CHECK(r.counter("connections_opened") == 20);
    REQUIRE(r.children.size() == 2);
    CHECK(r.children[1].started_at == r.started_at);
}

TEST_CASE("what cannot be is refused before anything starts") {
    std::atomic<int> calls = 0;
    const auto counting = [&calls]() -> bk::awaitable<> {
        ++calls;
        co_return;
    };
    const auto refused = [&](const auto& on, bk::closed_loop loop, const bk::load_limits& limits) {
        CHECK_THROWS_AS(static_cast<void>(bk::load(on, counting, loop, limits)), bk::error);
    };
    refused(bk::single_threaded{}, {.clients = 0}, {});
    refused(bk::single_threaded{}, {.think_time = -1s}, {});
    refused(bk::single_threaded{}, {}, {.operations = 0});
    refused(bk::single_threaded{}, {}, {.duration = 0s});
    refused(bk::sharded{0}, {}, {.operations = 1});
    refused(bk::sharded{1025}, {}, {.operations = 1});
    CHECK(calls == 0);
    const http::target target{"http://127.0.0.1:1/"};
    CHECK_THROWS_WITH_AS(static_cast<void>(bk::load(bk::single_threaded{}, target, {.clients = -1})),
                         "clients = -1: allowed is 1 to 1000000", bk::error);
}

TEST_CASE("two loads at the same time do not know of each other") {
    const auto short_sleep = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(100us); };
    bk::result first, second;
    {
        const std::jthread other(
            [&] { first = bk::load(bk::sharded{2}, short_sleep, {.clients = 3}, {.operations = 500}); });
        second = bk::load(bk::single_threaded{}, short_sleep, {.clients = 2}, {.operations = 300});
    }
    CHECK(first.counter("succeeded") == 500);
    CHECK(second.counter("succeeded") == 300);
}

TEST_CASE("a load in virtual time can run inside another run") {
    bk::result inner;
    bk::run(bk::single_threaded{}, [&](bk::shard&) -> bk::awaitable<> {
        inner = bk::load(bk::virtual_time{}, one_second, {.clients = 1}, {.operations = 5});
        co_return;
    });
    CHECK(inner.elapsed_seconds == 5);
}
