#include <benchkit/http/journey.hpp>

#include <doctest/doctest.h>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;

TEST_CASE("a journey that cannot be is refused") {
    const auto nothing = [](http::session&) -> bk::awaitable<> { co_return; };
    const auto refusal = [&](const http::target& target, http::journey_options options = {}) {
        return tests::refusal([&] { (void)http::journey{target, nothing, options}; });
    };
    const http::target plain("http://localhost/");
    CHECK(refusal(plain) == "accepted");
    CHECK(refusal(plain, {.follow_redirects = 101}) == "follow_redirects = 101: allowed is 0 to 100");
    CHECK(refusal(http::target("http://localhost/", http::target_options{.pipeline = 2}))
              .starts_with("pipeline = 2"));
    http::target listed = plain;
    listed.requests(http::request_list().add(http::request()));
    CHECK(refusal(listed) == "requests: a journey has requests of its own: the target has none");
}
