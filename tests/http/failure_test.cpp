#include <benchkit/http/failure.hpp>

#include <doctest/doctest.h>

namespace http = benchkit::http;

TEST_CASE("a failure is told as a sentence, as far as there is something to tell") {
    const asio::error_code refused(ECONNREFUSED, asio::error::get_system_category());
    CHECK(http::describe({benchkit::cause::connect, refused, {}}) == "connect: Connection refused");
    CHECK(http::describe({benchkit::cause::tls, {}, "certificate has expired"}) ==
          "tls: certificate has expired");
    CHECK(http::describe({benchkit::cause::malformed, {}, "no status line"}) == "malformed: no status line");
    CHECK(http::describe({benchkit::cause::timeout, {}, {}}) == "timeout");
}
