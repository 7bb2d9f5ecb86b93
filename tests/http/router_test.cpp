#include <benchkit/http/router.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <variant>

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

std::string body_of(const http::route_target* target) {
    REQUIRE(target != nullptr);
    const auto* const fixed = std::get_if<http::prepared_reply>(target);
    return fixed != nullptr ? fixed->source().body() : "a function";
}

}  // namespace

TEST_CASE("a path matches as a whole, byte by byte") {
    http::router routes;
    routes.add("/", http::reply("root"));
    routes.add("/items", http::reply("items"));
    routes.add("/items/1", http::reply("one"));
    CHECK(body_of(routes.find("/")) == "root");
    CHECK(body_of(routes.find("/items")) == "items");
    CHECK(body_of(routes.find("/items/1")) == "one");
    for (const char* unknown : {"", "/item", "/items/", "/items/12", "/Items", "items", "//"}) {
        CHECK(routes.find(unknown) == nullptr);
    }
    CHECK(http::router().find("/") == nullptr);
}

TEST_CASE("a second target for a path replaces the first, of whatever kind") {
    http::router routes;
    routes.add("/x", http::reply("first"));
    routes.add("/x", http::handler([](const http::received_request&) { return http::reply("second"); }));
    REQUIRE(routes.find("/x") != nullptr);
    REQUIRE(std::holds_alternative<http::handler>(*routes.find("/x")));
    CHECK(std::get<http::handler>(*routes.find("/x"))({}).body() == "second");
    routes.add("/x",
               http::async_handler([](bk::shard&, const http::received_request&) -> bk::awaitable<http::reply> {
                   co_return http::reply("third");
               }));
    CHECK(std::holds_alternative<http::async_handler>(*routes.find("/x")));
    routes.add("/x", http::reply("fourth"));
    CHECK(body_of(routes.find("/x")) == "fourth");
}

TEST_CASE("a path that does not begin with a slash is refused by name") {
    http::router routes;
    CHECK_THROWS_WITH_AS(routes.add("", http::reply("x")), doctest::Contains("a path begins with /"),
                         bk::error);
    CHECK_THROWS_WITH_AS(routes.add("items", http::reply("x")), "route = items: a path begins with /",
                         bk::error);
    CHECK(routes.find("items") == nullptr);
}
