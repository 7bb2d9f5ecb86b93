#include <benchkit/http/request_list.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using http::detail::prepared_list;
using http::detail::request_chooser;

namespace {

const http::url base = http::parse_url("url", "http://localhost:81/base");

prepared_list prepare(const http::request_list& list) {
    return {list, base, http::http_version::http_1_1, true};
}

http::request_list weighted(http::request_order order) {
    return http::request_list()
        .add(http::request("GET", "/a"), 5)
        .add(http::request("GET", "/b"), 1)
        .add(http::request("GET", "/c"), 1)
        .order(order);
}

std::string chosen(const prepared_list& list, std::uint64_t seed, std::int64_t from, std::int64_t count) {
    request_chooser chooser(list, seed);
    std::string text;
    for (std::int64_t number = from; number < from + count; ++number) {
        text.push_back("abc"[chooser.choose(number)]);
    }
    return text;
}

}  // namespace

TEST_CASE("in a cycle each request has its weight in every round, spread evenly over it") {
    const prepared_list list = prepare(weighted(http::request_order::cycle));
    const std::string round = chosen(list, 1, 1, 7);
    CHECK(round == "aaabcaa");  // a at 1/10, 3/10, 5/10, 7/10, 9/10; b and c at 1/2
    CHECK(chosen(list, 1, 8, 14) == round + round);
    CHECK(chosen(list, 9, 1, 7) == round);
}

TEST_CASE("shuffled, each round has all requests, in an order of its own that the seed fixes") {
    const prepared_list list = prepare(weighted(http::request_order::shuffle));
    std::map<std::string, int> rounds;
    for (std::int64_t round = 0; round < 200; ++round) {
        std::string text = chosen(list, 1, 1 + 7 * round, 7);
        ++rounds[text];
        std::sort(text.begin(), text.end());
        CHECK(text == "aaaaabc");
    }
    CHECK(rounds.size() > 25);  // of 42 orders
    CHECK(chosen(list, 1, 1, 70) == chosen(list, 1, 1, 70));
    CHECK(chosen(list, 1, 1, 70) != chosen(list, 2, 1, 70));
}

TEST_CASE("requests with a placeholder have another text each time, and the length that belongs to it") {
    const prepared_list list =
        prepare(http::request_list()
                    .add(http::request("GET", "/plain"))
                    .add(http::request("POST", "/x?n={seq}").header("X-Id", "<{seq}>").body("{\"n\": {seq}}")));
    CHECK(list.at(0).is_fixed());
    CHECK_FALSE(list.at(1).is_fixed());
    std::string buffer;
    std::string content;
    request_chooser chooser(list, 1);
    const auto text = [&](std::int64_t number) {
        return std::string(list.at(1).bytes(buffer, content, chooser.values(number)));
    };
    CHECK(text(7) ==
          "POST /x?n=7 HTTP/1.1\r\nX-Id: <7>\r\nHost: localhost:81\r\nUser-Agent: "
          "benchkit/" BENCHKIT_VERSION_STRING "\r\nAccept: */*\r\nContent-Length: 8\r\n\r\n{\"n\": 7}");
    CHECK(text(1234).ends_with("Content-Length: 11\r\n\r\n{\"n\": 1234}"));
    CHECK(list.at(0).bytes(buffer, content, chooser.values(1)) ==
          http::serialize(http::request("GET", "/plain"), base, http::http_version::http_1_1, true));
    CHECK(list.name(1) == "POST /x?n={seq}");
    CHECK(prepare(http::request_list().add(http::request("HEAD"))).name(0) == "HEAD /base");
}

TEST_CASE("a list that cannot be is refused") {
    CHECK(tests::refusal([] { (void)prepare(http::request_list()); }).starts_with("requests: "));
    CHECK(tests::refusal([] { (void)http::request_list().add(http::request(), 0); }) ==
          "weight = 0: allowed is 1 or more, and 1000000 over all requests of a list");
    CHECK(tests::refusal([] {
              (void)http::request_list().add(http::request(), 999'999).add(http::request(), 2);
          }).starts_with("weight = 2"));
    CHECK(tests::refusal([] {
              (void)prepare(http::request_list().add(
                  http::request("POST", "/").header("Content-Length", "5").body("{seq}")));
          }).starts_with("header = Content-Length: a body with placeholders"));
}

TEST_CASE("a large list of equal weights is dealt in its own order") {
    http::request_list list;
    for (int k = 0; k < 1'000; ++k) list.add(http::request("GET", "/" + std::to_string(k)));
    const prepared_list prepared = prepare(list);
    std::vector<std::uint32_t> expected(1'000);
    for (std::uint32_t k = 0; k < 1'000; ++k) expected[k] = k;
    CHECK(prepared.round() == expected);
}
