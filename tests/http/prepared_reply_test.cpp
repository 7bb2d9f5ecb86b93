#include <benchkit/http/prepared_reply.hpp>

#include <doctest/doctest.h>

#include <string>

namespace http = benchkit::http;

TEST_CASE("the bytes of a prepared reply are those of the reply") {
    const http::reply source = http::reply("hello").header("X", "y");
    const http::prepared_reply prepared(source);
    CHECK(prepared.message() == http::serialize(source, true));
    CHECK(prepared.head() == http::serialize(source, true, 1, true));
    CHECK(prepared.source().body() == "hello");
}

TEST_CASE("a copy has bytes of its own") {
    http::prepared_reply copy{http::reply("other")};
    {
        const http::prepared_reply prepared{http::reply(404, "hello")};
        copy = prepared;
    }
    CHECK(copy.message().ends_with("\r\n\r\nhello"));
    CHECK(copy.head().starts_with("HTTP/1.1 404 "));
}
