#include <benchkit/load/http_load.hpp>

#include <doctest/doctest.h>
#include <netinet/tcp.h>

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <benchkit/http/server.hpp>
#include <benchkit/load/load.hpp>

#include "support/scripted_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// The books against what the server saw: equal, but for requests that were never answered.
void check_against(const bk::result& r, const http::server& server) {
    const std::int64_t sent = r.counter("requests_sent") + r.counter("warmup.requests_sent");
    CHECK(sent >= server.requests());
    CHECK(sent - server.requests() <= r.counter("failed") + r.counter("unfinished"));
    std::int64_t statuses = 0;
    for (const auto& [name, count] : r.counters) {
        if (name.starts_with("status.")) statuses += count;
    }
    CHECK(statuses == r.counter("succeeded") + r.counter("failed.status"));
}

struct hello_server : http::server {
    explicit hello_server(int shards = 1) : http::server({.shards = shards}) {
        route("/", "<p>Hello, world!</p>");
        start();
    }
};

}  // namespace

TEST_CASE("the books balance and equal the server's count, whatever clients, counts and shards") {
    struct run {
        std::int64_t clients;
        std::int64_t operations;
        int shards;
    };
    for (const run each : {run{7, 10'001, 2}, run{50, 49, 1}, run{50, 49, 2}, run{1, 1, 1}, run{3, 100, 4}}) {
        CAPTURE(each.clients);
        CAPTURE(each.operations);
        hello_server server;
        const http::target target{server.url()};
        const bk::result r = bk::load(bk::sharded{each.shards}, target, {.clients = each.clients},
                                      {.operations = each.operations});
        CHECK(r.counter("scheduled") == each.operations);
        CHECK(r.counter("succeeded") == each.operations);
        CHECK(r.counter("failed") == 0);
        CHECK(r.counter("requests_sent") == server.requests());
        CHECK(r.counter("requests_sent") == each.operations);
        CHECK(r.counter("status.200") == each.operations);
        CHECK(r.counter("kept_alive") == each.operations);
        CHECK(r.counter("body_bytes_received") == 20 * each.operations);
        CHECK(r.counter("connections_opened") == std::min(each.clients, each.operations));
        CHECK(server.connections() == r.counter("connections_opened"));
        CHECK(r.attributes.at("http.document_length") == bk::attribute(std::int64_t{20}));
        CHECK(r.attributes.at("ended_by") == bk::attribute("count"));
    }
}

TEST_CASE("a duration ends a run on its deadline") {
    hello_server server(2);
    const http::target target{server.url()};
    const bk::result r = bk::load(bk::sharded{2}, target, {.clients = 5}, {.duration = 300ms});
    CHECK(r.counter("succeeded") > 0);
    CHECK(r.counter("failed") == 0);
    check_against(r, server);
    CHECK(r.elapsed_seconds == doctest::Approx(0.3).epsilon(0.2));
    CHECK(*r.rate == doctest::Approx(static_cast<double>(r.counter("succeeded_in_span")) / r.elapsed_seconds));
}

TEST_CASE("warm-up requests are sent and counted apart") {
    hello_server server;
    const http::target target{server.url()};
    const bk::result r =
        bk::load(bk::single_threaded{}, target, {.clients = 2}, {.operations = 50, .warmup = 50ms});
    CHECK(r.counter("succeeded") == 50);
    CHECK(r.counter("warmup.succeeded") > 0);
    CHECK(r.counter("requests_sent") == 50);
    CHECK(r.counter("requests_sent") + r.counter("warmup.requests_sent") == server.requests());
    CHECK(r.distributions.at("service_time").values.count() == 50);
}

TEST_CASE("without keep-alive each request has a connection of its own") {
    hello_server server;
    const http::target target{server.url(), {.keep_alive = false}};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 3}, {.operations = 200});
    CHECK(r.counter("succeeded") == 200);
    CHECK(r.counter("connections_opened") == 200);
    CHECK(server.connections() == 200);
    CHECK(r.counter("kept_alive") == 0);
    CHECK(r.distributions.at("connect_time").values.count() == 200);
    // Connecting is part of the operation.
    CHECK(r.distributions.at("resolve_time").values.count() == 1);  // once, before the run
    CHECK(r.distributions.at("service_time").values.mean() >=
          r.distributions.at("processing_time").values.mean());
}

TEST_CASE("without keep-alive no connection stays usable, although the server would keep it") {
    const tests::scripted_server keeping([](tests::peer& peer) {
        while (!peer.read_head().empty()) peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
    });
    const http::target target{keeping.url(), {.keep_alive = false}};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = 10});
    CHECK(r.counter("succeeded") == 10);
    CHECK(r.counter("connections_opened") == 10);
    CHECK(r.counter("kept_alive") == 0);
}

TEST_CASE("answers on kept connections keep a run from being hopeless, on whatever shard") {
    hello_server server;
    const http::target target{server.url()};
    const std::vector<http::stream_endpoint> endpoints = http::look_up(target.address());
    using bk::detail::http_load;
    bk::detail::load_run<http_load> run(
        bk::single_threaded{}, bk::closed_loop{.clients = 1}, {.duration = 400ms}, {}, 1s,
        [&](bk::detail::load_shard& part) { return http_load(part, target, endpoints, 0s, false); });
    run.run();
    // The only connect was at the start; 10 s after it, those answers are younger than 10 s.
    CHECK_FALSE(run.state().hopeless(run.state().start() + 10s + 100ms));
    CHECK(run.state().hopeless(run.state().start() + 11s));
}

TEST_CASE("a server that resets after reading every hundredth request") {
    for (const int shards : {1, 2}) {
        std::atomic<int> seen = 0;
        http::server server;
        server.route("/", [&](const http::received_request&) {
            return ++seen % 100 == 0 ? http::reply().reset() : http::reply("ok");
        });
        server.start();
        const http::target target{server.url()};
        const bk::result r = bk::load(bk::sharded{shards}, target, {.clients = 7}, {.operations = 5000});
        CHECK(r.counter("scheduled") == 5000);
        CHECK(r.counter("started") == 5000);
        CHECK(r.counter("failed") == 50);
        // A reset before the first byte of an answer: stale on a connection that had answered, else receive.
        CHECK(r.counter("failed.stale") + r.counter("failed.receive") == 50);
        CHECK(r.counter("errors.connection_reset") == 50);
        CHECK(r.counter("requests_sent") == 5000);
        CHECK(server.requests() == 5000);
        check_against(r, server);
    }
}

TEST_CASE("a status of 400 or more has failed, and was measured") {
    hello_server server;
    const http::target target{server.url("/nowhere")};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 2}, {.operations = 40});
    CHECK(r.counter("failed.status") == 40);
    CHECK(r.counter("status.404") == 40);
    CHECK(r.distributions.at("failed_time.status").values.count() == 40);
    CHECK(r.distributions.at("processing_time").values.count() == 40);
    CHECK(r.attributes.at("first_error") == bk::attribute("status 404"));
}

TEST_CASE("bodies that differ in length from the first are counted") {
    std::atomic<int> seen = 0;
    http::server server;
    server.route("/", [&](const http::received_request&) {
        return http::reply(std::string(seen++ % 4 == 3 ? 2 : 1, 'x'));
    });
    server.start();
    const http::target target{server.url()};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = 100});
    CHECK(r.counter("succeeded") == 100);
    CHECK(r.counter("length_differs") == 25);
    CHECK(r.attributes.at("http.document_length") == bk::attribute(std::int64_t{1}));
}

TEST_CASE("HEAD has no body, and POST sends one") {
    http::server server;
    std::atomic<int> posts = 0;
    server.route("/", [&](const http::received_request& request) {
        if (request.method == "POST" && request.body == "payload") ++posts;
        return http::reply("answer");
    });
    server.start();
    const http::target head{server.url(), http::request("HEAD")};
    const bk::result heads = bk::load(bk::single_threaded{}, head, {.clients = 1}, {.operations = 10});
    CHECK(heads.counter("succeeded") == 10);
    CHECK(heads.counter("body_bytes_received") == 0);
    const http::target post{server.url(), http::request("POST").body("payload")};
    const bk::result posted = bk::load(bk::single_threaded{}, post, {.clients = 1}, {.operations = 10});
    CHECK(posted.counter("succeeded") == 10);
    CHECK(posts == 10);
    CHECK(posted.counter("bytes_sent") == 10 * static_cast<std::int64_t>(post.bytes().size()));
}

TEST_CASE("a server that never answers ends in timeouts, no shorter than the timeout") {
    const tests::scripted_server silent([](tests::peer& peer) { peer.wait_for_close(); });
    const http::target target{silent.url(), {.timeout = 20ms}};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = 3});
    CHECK(r.counter("failed.timeout") == 3);
    CHECK(r.distributions.at("failed_time.timeout").values.min() >= 20'000'000);
    CHECK(r.counter("connections_opened") == 3);
    CHECK(r.counter("requests_sent") == 3);
}

TEST_CASE("a refused connection ends the run once every client has tried") {
    const std::string url = "http://127.0.0.1:" + std::to_string(tests::closed_port()) + "/";
    for (const int shards : {1, 2}) {
        const http::target target{url};
        const bk::result r = bk::load(bk::sharded{shards}, target, {.clients = 4}, {.operations = 5000});
        CHECK(r.counter("scheduled") == 5000);
        CHECK(r.counter("failed.connect") == r.counter("started"));
        CHECK(r.counter("started") >= 4);
        CHECK(r.counter("started") < 100);
        CHECK(r.counter("errors.connection_refused") == r.counter("started"));
        CHECK(r.attributes.at("ended_by") == bk::attribute("connect-failure"));
        REQUIRE_FALSE(r.diagnostics.empty());
        CHECK(r.diagnostics[0].code == "connect-failure");
    }
}

TEST_CASE("a name without an address ends the run likewise") {
    const http::target target{"http://no-such-host.invalid/"};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 2}, {.duration = 1h});
    CHECK(r.counter("failed.resolve") == r.counter("started"));
    CHECK(r.attributes.at("ended_by") == bk::attribute("connect-failure"));
}

TEST_CASE("a run can end at its first error") {
    std::atomic<int> seen = 0;
    http::server server;
    server.route("/", [&](const http::received_request&) {
        return ++seen == 50 ? http::reply().reset() : http::reply("ok");
    });
    server.start();
    const http::target target{server.url()};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1},
                                  {.operations = 5000, .stop_at_first_error = true});
    CHECK(r.counter("succeeded") == 49);
    CHECK(r.counter("failed") == 1);
    CHECK(r.counter("not_started") == 4950);
    CHECK(r.attributes.at("ended_by") == bk::attribute("first-error"));
}

TEST_CASE("requests that the end catches in flight are counted as sent and unfinished") {
    http::server server;
    server.route("/", [](bk::shard& shard, const http::received_request&) -> bk::awaitable<http::reply> {
        co_await shard.sleep_for(1h);
        co_return http::reply("late");
    });
    server.start();
    const http::target target{server.url()};
    const bk::result r =
        bk::load(bk::single_threaded{}, target, {.clients = 3}, {.duration = 50ms, .drain = 0s});
    CHECK(r.counter("started") == 3);
    CHECK(r.counter("unfinished") == 3);
    CHECK(r.counter("requests_sent") == 3);
    CHECK(server.requests() == 3);
    CHECK(r.distributions.at("unfinished_age").values.count() == 3);
}

TEST_CASE("records keep the times of each answered request") {
    hello_server server;
    const http::target target{server.url()};
    bk::load_options options;
    options.keep_records = true;
    const bk::result r = bk::load(bk::sharded{2}, target, {.clients = 2}, {.operations = 25}, options);
    REQUIRE(r.records.size() == 25);
    for (const bk::record& one : r.records) {
        const auto value = [&](const char* name) { return std::get<std::int64_t>(one.at(name)); };
        CHECK(value("started_at_us") > 1'700'000'000'000'000);
        CHECK(value("total_us") >= value("processing_us"));
        CHECK(value("processing_us") >= value("waiting_us"));
    }
}

TEST_CASE("more clients than descriptors allow are refused before anything starts") {
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_max > 1'000'000) return;  // as many clients as are allowed at all can be had here
    const http::target target{"http://127.0.0.1:1/"};
    CHECK_THROWS_WITH_AS(
        static_cast<void>(bk::load(bk::single_threaded{}, target, {.clients = 1'000'000}, {.duration = 1s})),
        doctest::Contains("clients = 1000000: needs "), bk::error);
}

TEST_CASE("a peer that sends faster than is read stops neither timeouts nor the end of the run") {
    const tests::scripted_server flood([](tests::peer& peer) {
        peer.read_head();
        if (!peer.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")) return;
        std::string chunks;
        for (int count = 0; count < 20'000; ++count) chunks += "1\r\nx\r\n";
        while (peer.write(chunks)) {
        }
    });
    const http::target target{flood.url(), {.timeout = 100ms}};
    const bk::time_point before = bk::clock::now();
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = 2});
    CHECK(r.counter("failed.timeout") == 2);
    CHECK(bk::clock::now() - before < 20s);  // without end before
}

TEST_CASE("the first error told is one of the measured operations, if there is one") {
    using bk::detail::operation;
    bk::detail::recorder recorder(bk::time_point(1s), bk::time_point(2s));
    operation warming, measured;
    recorder.started(warming, bk::time_point(0s));
    recorder.failed(warming, bk::time_point(500ms), {bk::cause::closed, {}, "closed"});
    CHECK(recorder.first_error == "in the warm-up: closed");
    recorder.started(measured, bk::time_point(1s));
    recorder.failed(measured, bk::time_point(1500ms), {bk::cause::status, {}, "status 500"});
    CHECK(recorder.first_error == "status 500");
}

TEST_CASE("pipelined requests are each an operation of its own, and the books equal the server's count") {
    for (const std::int64_t depth : {2, 7, 64}) {
        for (const std::int64_t operations : {1, 5, 3'001}) {
            CAPTURE(depth);
            CAPTURE(operations);
            hello_server server;
            const http::target target{server.url(), {.pipeline = depth}};
            const bk::result r = bk::load(bk::sharded{2}, target, {.clients = 3}, {.operations = operations});
            CHECK(r.counter("succeeded") == operations);
            CHECK(r.counter("requests_sent") == operations);
            CHECK(server.requests() == operations);
            CHECK(r.counter("connections_opened") <= 3);
            CHECK(r.distributions.at("service_time").values.count() == operations);
        }
    }
}

TEST_CASE("a connection that closes behind an answer takes the pipelined requests behind it with it") {
    http::server server;
    server.route("/", http::reply("bye").close());
    server.start();
    const http::target target{server.url(), {.pipeline = 4}};
    const bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 2}, {.operations = 80});
    CHECK(r.counter("succeeded") + r.counter("failed") == 80);
    CHECK(r.counter("succeeded") == server.requests());
    CHECK(r.counter("failed.connection_lost") == r.counter("failed"));
    CHECK(r.counter("failed") > 0);
}

TEST_CASE("a connection goes where the target says, from where it says") {
    hello_server server;
    http::target elsewhere{"http://example.invalid/"};
    elsewhere.connect_to("127.0.0.1:" + std::to_string(server.port())).sources({"127.0.0.2", "127.0.0.3"});
    const bk::result r = bk::load(bk::single_threaded{}, elsewhere, {.clients = 4}, {.operations = 20});
    CHECK(r.counter("succeeded") == 20);
    CHECK(r.parameters.at("connect_to") == bk::attribute("127.0.0.1:" + std::to_string(server.port())));
    CHECK(r.parameters.at("sources") == bk::attribute(std::int64_t{2}));
    const http::target six{server.url(), {.family = http::address_family::ipv6}};
    const bk::result none = bk::load(bk::single_threaded{}, six, {.clients = 1}, {.operations = 1});
    CHECK(none.counter("failed.resolve") == 1);
}

TEST_CASE("a pipeline needs keep-alive and has no time to think") {
    CHECK_THROWS_WITH_AS((http::target{"http://h/", {.keep_alive = false, .pipeline = 2}}),
                         "pipeline = 2: needs keep-alive", bk::error);
    CHECK_THROWS_WITH_AS((http::target{"http://h/", {.pipeline = 0}}), "pipeline = 0: allowed is 1 to 1024",
                         bk::error);
    CHECK_THROWS_AS(
        (void)bk::load(bk::single_threaded{}, http::target{"http://h/", {.pipeline = 2}}, {.think_time = 1s}),
        bk::error);
}

TEST_CASE("an answer that is not as expected fails, by its status or as an assertion") {
    http::server server;
    server.route("/", R"({"data":"ok"})").route("/busy", http::reply(503, "busy"));
    server.start();
    const auto measure = [&](const char* path, const http::expectation& expected, std::int64_t depth) {
        http::target target{server.url(path), {.pipeline = depth}};
        target.expect(expected);
        return bk::load(bk::single_threaded{}, target, {.clients = 2}, {.operations = 20});
    };
    for (const std::int64_t depth : {1, 4}) {
        CAPTURE(depth);
        CHECK(measure("/", http::expectation().status(200).body_contains("ok").body_length(13), depth)
                  .counter("succeeded") == 20);
        CHECK(measure("/busy", http::expectation().status(503), depth).counter("succeeded") == 20);
        CHECK(measure("/", http::expectation().status(404), depth).counter("failed.status") == 20);
        const bk::result wrong = measure("/", http::expectation().body_length(12), depth);
        CHECK(wrong.counter("failed.assertion") == 20);
        CHECK(wrong.attributes.at("first_error") ==
              bk::attribute(std::string("assertion: the body has 13 bytes, not 12")));
    }
}

TEST_CASE("the answers of each client are told, whatever they say; of the warm-up none") {
    http::server server;
    server.route("/", "ok").route("/busy", http::reply(503, "busy"));
    server.start();
    for (const char* path : {"/", "/busy"}) {
        const http::target target{server.url(path), {.pipeline = 2}};
        const bk::result r = bk::load(bk::sharded{.shards = 2}, target, {.clients = 5},
                                      {.operations = 100, .warmup = std::chrono::milliseconds(20)});
        CHECK(r.counter("warmup.started") > 0);
        const bk::distribution& answers = r.distributions.at("answers_per_client");
        CHECK(answers.unit == "answers");
        CHECK(answers.values.count() == 5);
        CHECK(answers.values.sum() == bk::uint128{0, 100});
        CHECK(r.children.at(0).find_distribution("answers_per_client") == nullptr);
    }
}

TEST_CASE("a server that waits for acknowledgements between the pieces of an answer is found out") {
    for (const bool at_once : {false, true}) {
        CAPTURE(at_once);
        tests::scripted_server server([at_once](tests::peer& peer) {
            const int on = at_once ? 1 : 0;  // without it, Nagle's algorithm
            setsockopt(peer.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
            while (!peer.read_head().empty()) {
                peer.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
                peer.write("ok");
            }
        });
        const bk::result r = bk::load(bk::single_threaded{}, bk::http::target{server.url()},
                                      bk::closed_loop{.clients = 1}, {.operations = 60});
        CHECK(r.counter("succeeded") == 60);
        const bool said = std::any_of(r.diagnostics.begin(), r.diagnostics.end(),
                                      [](const bk::diagnostic& one) { return one.code == "delayed-ack"; });
        CHECK(said == !at_once);
    }
}
