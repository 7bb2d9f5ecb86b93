#include <benchkit/load/load.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../http/response_cases.hpp"
#include "support/paced_server.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using benchkit_test::bad_response;
using benchkit_test::bad_responses;
using benchkit_test::good_response;
using benchkit_test::good_responses;

namespace {

const std::string follower = "HTTP/1.1 299 x\r\nContent-Length: 2\r\n\r\nhi";

// A load of one client which asks for all of these answers.
bk::result ask_for(const std::vector<tests::paced_answer>& answers, bool by_head_request) {
    const tests::paced_server server(answers);
    std::int64_t requests = 0;
    for (const tests::paced_answer& each : answers) requests += each.requests;
    const http::target target(server.url(), http::request(by_head_request ? "HEAD" : "GET", "/"),
                              {.pipeline = answers.front().requests});
    bk::result r = bk::load(bk::single_threaded{}, target, {.clients = 1}, {.operations = requests});
    CHECK(server.gave_all());
    CHECK(r.counter("scheduled") == requests);
    CHECK(r.counter("started") == requests);
    CHECK(r.counter("unfinished") == 0);
    CHECK(r.counter("requests_sent") == requests);
    CHECK(r.counter("connections_opened") == server.connections());
    return r;
}

std::vector<tests::paced_answer> in_all_ways(std::string_view message, bool ends_connection, int requests = 1) {
    std::vector<tests::paced_answer> answers;
    for (auto& pieces : tests::ways_to_send(message)) {
        answers.push_back({std::move(pieces), ends_connection, requests});
    }
    return answers;
}

bool ends_with_connection(const good_response& response) {
    return response.framing == http::body_framing::until_close;
}

void check_books(const bk::result& r, const good_response& expected, std::int64_t answers) {
    CHECK(r.counter("succeeded") == (expected.code < 400 ? answers : 0));
    CHECK(r.counter("failed.status") == (expected.code < 400 ? 0 : answers));
    CHECK(r.counter("status." + std::to_string(expected.code)) == answers);
    CHECK(r.counter("kept_alive") == (expected.keep_alive ? answers : 0));
}

std::int64_t size_of(std::string_view text, std::int64_t times) {
    return static_cast<std::int64_t>(text.size()) * times;
}

}  // namespace

TEST_CASE("a load reads every good response from a socket, however it is written, and counts it to the byte") {
    for (const good_response& expected : good_responses()) {
        INFO(std::string(expected.name));
        const auto answers = in_all_ways(expected.message, ends_with_connection(expected));
        const auto count = static_cast<std::int64_t>(answers.size());
        const bk::result r = ask_for(answers, expected.to_head_request);
        check_books(r, expected, count);
        CHECK(r.counter("failed") == r.counter("failed.status"));
        CHECK(r.counter("bytes_received") == size_of(expected.message, count));
        CHECK(r.counter("body_bytes_received") == size_of(expected.body, count));
        CHECK(r.counter("connections_opened") == (expected.keep_alive ? 1 : count));
    }
}

TEST_CASE("a load refuses every malformed response, however it is written, and goes on elsewhere") {
    for (const bad_response& expected : bad_responses()) {
        INFO(std::string(expected.name));
        const auto answers = in_all_ways(expected.message, false);
        const auto count = static_cast<std::int64_t>(answers.size());
        const bk::result r = ask_for(answers, expected.to_head_request);
        CHECK(r.counter("failed") == count);
        CHECK(r.counter("failed.malformed") == count);
        CHECK(r.counter("connections_opened") == count);
        const auto& sentence = std::get<std::string>(r.attributes.at("first_error"));
        CHECK(sentence.find(expected.reason) != std::string::npos);
    }
}

TEST_CASE("of answers to a pipeline each goes to its request, however they are written") {
    for (const good_response& expected : good_responses()) {
        if (!expected.keep_alive) continue;
        INFO(std::string(expected.name));
        const std::string three = expected.message + expected.message + expected.message;
        const auto answers = in_all_ways(three, false, 3);
        const auto count = 3 * static_cast<std::int64_t>(answers.size());
        const bk::result r = ask_for(answers, expected.to_head_request);
        check_books(r, expected, count);
        CHECK(r.counter("failed") == r.counter("failed.status"));
        CHECK(r.counter("bytes_received") == size_of(expected.message, count));
        CHECK(r.counter("body_bytes_received") == size_of(expected.body, count));
        CHECK(r.counter("connections_opened") == 1);
    }
}

TEST_CASE("behind an answer that ends the connection nothing of a pipeline is answered") {
    for (const good_response& expected : good_responses()) {
        if (expected.keep_alive) continue;
        INFO(std::string(expected.name));
        const bool ends = ends_with_connection(expected);
        const std::string rest = follower + follower;
        const bk::result r = ask_for({{{expected.message + rest}, ends, 3}}, expected.to_head_request);
        check_books(r, expected, 1);
        CHECK(r.counter("failed.connection_lost") == 2);
        CHECK(r.counter("status.299") == 0);
        const std::string body = expected.body + (ends ? rest : "");
        CHECK(r.counter("body_bytes_received") == size_of(body, 1));
    }
}

TEST_CASE("a malformed answer within a pipeline fails its own request, and takes those behind it with it") {
    for (const bad_response& expected : bad_responses()) {
        if (expected.to_head_request) continue;
        INFO(std::string(expected.name));
        const bk::result r = ask_for({{{follower + expected.message}, false, 3}}, false);
        CHECK(r.counter("succeeded") == 1);
        CHECK(r.counter("status.299") == 1);
        CHECK(r.counter("failed.malformed") == 1);
        CHECK(r.counter("failed.connection_lost") == 1);
    }
}
