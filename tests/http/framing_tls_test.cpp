#include <benchkit/http/tls.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include <benchkit/exec/run.hpp>
#include <benchkit/http/client.hpp>

#include "response_cases.hpp"
#include "support/tls_peer.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using benchkit_test::bad_response;
using benchkit_test::bad_responses;
using benchkit_test::good_response;
using benchkit_test::good_responses;

namespace {

// What a client gets from a server that gives this answer to each request, asking twice.
std::vector<http::response> get_twice(tests::tls_manner manner, bool by_head_request) {
    static const tests::certificate own = tests::make_certificate({});
    static const auto unverified = http::tls({.verify = false});
    manner.shown = own;
    const tests::tls_server server(std::move(manner));
    std::vector<http::response> answers;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::target target(server.url("127.0.0.1"));
        target.secured_by(unverified);
        http::client client(shard, target);
        for (int count = 0; count < 2; ++count) {
            http::request asked(by_head_request ? "HEAD" : "GET", "/");
            answers.push_back(co_await client.send(std::move(asked)));
        }
    });
    return answers;
}

}  // namespace

TEST_CASE("a client reads every good response over TLS, in one record and in one for each byte") {
    for (const good_response& expected : good_responses()) {
        const bool ends = expected.framing == http::body_framing::until_close;
        for (const bool record_per_byte : {false, true}) {
            INFO(std::string(expected.name));
            CAPTURE(record_per_byte);
            const auto answers = get_twice({.shown = {},
                                            .answer = expected.message,
                                            .answers = ends ? 1 : 2,
                                            .record_per_byte = record_per_byte},
                                           expected.to_head_request);
            for (const http::response& got : answers) {
                REQUIRE_MESSAGE(!got.failed().has_value(), http::describe(*got.failed()));
                CHECK(got.status() == expected.code);
                CHECK(got.body() == expected.body);
            }
        }
    }
}

TEST_CASE("a client refuses every malformed response over TLS, and a framed one that is cut") {
    for (const bad_response& expected : bad_responses()) {
        INFO(std::string(expected.name));
        for (const http::response& got :
             get_twice({.shown = {}, .answer = expected.message, .record_per_byte = true},
                       expected.to_head_request)) {
            REQUIRE(got.failed().has_value());
            CHECK(got.failed()->cause == bk::cause::malformed);
            CHECK(got.failed()->reason.find(expected.reason) != std::string_view::npos);
        }
    }
    for (const good_response& whole : good_responses()) {
        if (whole.framing == http::body_framing::until_close) continue;
        INFO(std::string(whole.name));
        for (const bool notice : {false, true}) {
            const std::string cut = whole.message.substr(0, whole.message.size() - 1);
            for (const http::response& got : get_twice(
                     {.shown = {}, .notice = notice, .answer = cut, .answers = 1}, whole.to_head_request)) {
                REQUIRE(got.failed().has_value());
                CHECK(got.failed()->cause == bk::cause::closed);
            }
        }
    }
}
