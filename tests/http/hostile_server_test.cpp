#include <benchkit/http/client.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include <benchkit/exec/run.hpp>

#include "support/hostile_servers.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

void check_failure(const http::response& answer, const tests::hostile_server& hostile) {
    CHECK(answer.status() == 0);
    REQUIRE(answer.failed().has_value());
    const std::string sentence = http::describe(*answer.failed());
    CAPTURE(sentence);
    CHECK(hostile.allows(answer.failed()->cause));
    CHECK(answer.failed()->reason.find(hostile.reason) != std::string_view::npos);
}

}  // namespace

TEST_CASE("what a hostile server does fails the client's request by its cause, and nothing hangs") {
    for (const tests::hostile_server& hostile : tests::hostile_servers()) {
        INFO(std::string(hostile.name));
        const tests::scripted_server server(hostile.script);
        bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
            http::client client(shard, server.url(), {.timeout = hostile.timeout()});
            for (int count = 0; count < 2; ++count) {  // the second finds nothing of the first
                const bk::time_point start = shard.now();
                const http::response answer = co_await client.get("/");
                check_failure(answer, hostile);
                if (hostile.wastes_time()) CHECK(shard.now() - start >= hostile.timeout());
            }
        });
        CHECK(server.connections() <= 2);  // one that timed out may not have been accepted yet
    }
}

TEST_CASE(
    "after an answer in full, what a hostile server does fails by the same cause, or as stale before it") {
    for (const tests::hostile_server& plain : tests::hostile_servers()) {
        if (!plain.waits_for_request()) continue;  // it may be seen with the answer, and then nothing is sent
        INFO(std::string(plain.name));
        const tests::hostile_server hostile = plain.behind_answer();
        const int rounds = hostile.wastes_time() ? 1 : 2;
        const tests::scripted_server server(hostile.script);
        bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
            http::client client(shard, server.url(), {.timeout = hostile.timeout()});
            for (int count = 0; count < rounds; ++count) {
                const http::response friendly = co_await client.get("/");
                REQUIRE_FALSE(friendly.failed().has_value());
                CHECK(friendly.body() == "ok");
                const http::response answer = co_await client.get("/");
                check_failure(answer, hostile);
            }
        });
        CHECK(server.connections() == rounds);
    }
}
