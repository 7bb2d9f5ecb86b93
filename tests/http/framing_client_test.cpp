#include <benchkit/http/client.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/exec/run.hpp>

#include "response_cases.hpp"
#include "support/paced_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using benchkit_test::bad_response;
using benchkit_test::bad_responses;
using benchkit_test::good_response;
using benchkit_test::good_responses;

namespace {

struct seen {
    std::vector<http::response> responses;
    std::int64_t bytes_received = 0;
    int connections = 0;
};

// What a client sees of these answers, asking for one after another.
seen ask_for(const std::vector<tests::paced_answer>& answers, bool by_head_request) {
    const tests::paced_server server(answers);
    seen all;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::client client(shard, server.url());
        for (std::size_t count = 0; count < answers.size(); ++count) {
            http::request asked(by_head_request ? "HEAD" : "GET", "/");
            all.responses.push_back(co_await client.send(std::move(asked)));
        }
        all.bytes_received = client.counted().bytes_received;
    });
    CHECK(server.gave_all());
    all.connections = server.connections();
    return all;
}

std::vector<tests::paced_answer> in_all_ways(std::string_view message, bool ends_connection) {
    std::vector<tests::paced_answer> answers;
    for (auto& pieces : tests::ways_to_send(message)) answers.push_back({std::move(pieces), ends_connection});
    return answers;
}

}  // namespace

TEST_CASE("a client reads every good response from a socket, however it is written") {
    for (const good_response& expected : good_responses()) {
        INFO(std::string(expected.name));
        const bool ends = expected.framing == http::body_framing::until_close;
        const std::vector<tests::paced_answer> answers = in_all_ways(expected.message, ends);
        const seen all = ask_for(answers, expected.to_head_request);
        for (std::size_t way = 0; way < answers.size(); ++way) {
            CAPTURE(way);
            const http::response& got = all.responses[way];
            REQUIRE_MESSAGE(!got.failed().has_value(), http::describe(*got.failed()));
            CHECK(got.status() == expected.code);
            CHECK(got.body() == expected.body);
        }
        CHECK(all.bytes_received == static_cast<std::int64_t>(answers.size() * expected.message.size()));
        CHECK(all.connections == (expected.keep_alive ? 1 : static_cast<int>(answers.size())));
    }
}

TEST_CASE("a client refuses every malformed response, however it is written, and asks again elsewhere") {
    for (const bad_response& expected : bad_responses()) {
        INFO(std::string(expected.name));
        const std::vector<tests::paced_answer> answers = in_all_ways(expected.message, false);
        const seen all = ask_for(answers, expected.to_head_request);
        for (std::size_t way = 0; way < answers.size(); ++way) {
            CAPTURE(way);
            const http::response& got = all.responses[way];
            REQUIRE(got.failed().has_value());
            CHECK(got.failed()->cause == bk::cause::malformed);
            CHECK(got.failed()->reason.find(expected.reason) != std::string_view::npos);
            CHECK(got.status() == 0);
        }
        CHECK(all.connections == static_cast<int>(answers.size()));
    }
}

TEST_CASE("a client takes of two answers in one write the one that it asked for") {
    for (const good_response& expected : good_responses()) {
        if (expected.framing == http::body_framing::until_close) continue;
        INFO(std::string(expected.name));
        const tests::paced_answer twice{{expected.message + expected.message}};
        const seen all = ask_for({twice, twice}, expected.to_head_request);
        for (const http::response& got : all.responses) {
            CHECK_FALSE(got.failed().has_value());
            CHECK(got.status() == expected.code);
            CHECK(got.body() == expected.body);
        }
        CHECK(all.connections == 2);
    }
}
