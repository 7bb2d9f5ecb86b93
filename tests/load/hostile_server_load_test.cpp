#include <benchkit/load/load.hpp>

#include <doctest/doctest.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "support/hostile_servers.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// The books of a load are checked as it ends.
bk::result measure(const std::string& url, const tests::hostile_server& hostile, std::int64_t operations,
                   std::int64_t pipeline) {
    const http::target target{url, {.timeout = hostile.timeout(), .pipeline = pipeline}};
    return bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = operations});
}

std::int64_t failed_as_allowed(const bk::result& r, const tests::hostile_server& hostile) {
    std::int64_t sum = 0;
    for (const bk::cause each : hostile.causes) sum += r.counter("failed." + std::string(to_string(each)));
    return sum;
}

std::string first_error(const bk::result& r) {
    return std::get<std::string>(r.attributes.at("first_error"));
}

}  // namespace

TEST_CASE("what a hostile server does fails each request of a load by its cause, and nothing hangs") {
    for (const tests::hostile_server& hostile : tests::hostile_servers()) {
        INFO(std::string(hostile.name));
        const tests::scripted_server server(hostile.script);
        const bk::result r = measure(server.url(), hostile, 2, 1);
        CHECK(r.counter("succeeded") == 0);
        CHECK(r.counter("unfinished") == 0);
        CHECK(r.counter("failed") == failed_as_allowed(r, hostile));
        CHECK(first_error(r).find(hostile.reason) != std::string::npos);
        if (hostile.waits_for_request())
            CHECK(r.counter("failed") == 2);  // else it may seem that nobody is there
    }
}

TEST_CASE("of pipelined requests to a hostile server the oldest has the cause, the others are lost") {
    for (const tests::hostile_server& hostile : tests::hostile_servers()) {
        if (!hostile.waits_for_request()) continue;
        INFO(std::string(hostile.name));
        const tests::scripted_server server(hostile.script);
        const bk::result r = measure(server.url(), hostile, 6, 3);
        CHECK(r.counter("succeeded") == 0);
        CHECK(failed_as_allowed(r, hostile) == 2);
        CHECK(r.counter("failed.connection_lost") == 4);
        CHECK(r.counter("connections_opened") == 2);
    }
}

TEST_CASE(
    "after an answer in full, what a hostile server does fails by the same cause, or as stale before it") {
    for (const tests::hostile_server& plain : tests::hostile_servers()) {
        if (!plain.waits_for_request()) continue;  // it may be seen with the answer, and then nothing is sent
        INFO(std::string(plain.name));
        const tests::hostile_server hostile = plain.behind_answer();
        const std::int64_t rounds = hostile.wastes_time() ? 1 : 2;
        const tests::scripted_server server(hostile.script);
        const bk::result r = measure(server.url(), hostile, 2 * rounds, 1);
        CHECK(r.counter("succeeded") == rounds);
        CHECK(failed_as_allowed(r, hostile) == rounds);
        CHECK(r.counter("status.200") == rounds);
        CHECK(r.counter("connections_opened") == rounds);
    }
}

TEST_CASE("more than an answer's length succeeds, is told, and is nobody's answer") {
    const tests::scripted_server server([](tests::peer& client) {
        std::string longer(tests::friendly_answer);
        longer += "more";
        while (!client.read_head().empty()) client.write(longer);
    });
    const bk::result r =
        bk::load(bk::single_threaded{}, http::target{server.url()}, {.clients = 1}, {.operations = 3});
    CHECK(r.counter("succeeded") == 3);
    CHECK(r.counter("errors.unsolicited_bytes") == 3);
    CHECK(r.counter("body_bytes_received") == 6);
    CHECK(r.counter("connections_opened") == 3);
    CHECK(r.counter("kept_alive") == 0);
}

TEST_CASE(
    "an answer that comes while a client thinks is malformed as the next one's, whose request is not sent") {
    std::atomic<int> came_unasked = 0;
    const tests::scripted_server server([&](tests::peer& client) {
        client.read_head();
        const tests::receiving_end receiver(client.descriptor());
        client.write(tests::friendly_answer);
        if (!receiver.wait_until_read(tests::friendly_answer.size())) return;
        client.write(tests::friendly_answer);
        char byte = 0;
        if (recv(client.descriptor(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0) ++came_unasked;
        client.wait_for_close();
    });
    bk::result r;
    do {  // again where the server was too slow
        r = bk::load(bk::single_threaded{}, http::target{server.url()}, {.clients = 1, .think_time = 100ms},
                     {.operations = 2});
    } while (came_unasked == 0);
    CHECK(r.counter("succeeded") == 1);
    CHECK(r.counter("failed.malformed") == 1);
    CHECK(r.counter("requests_sent") == 1);
    CHECK(first_error(r).find("before its request") != std::string::npos);
}
