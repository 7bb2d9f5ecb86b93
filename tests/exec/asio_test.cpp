#include <benchkit/exec/asio.hpp>

#include <doctest/doctest.h>

#include <type_traits>

TEST_CASE("Asio stands alone, is recent enough and has coroutines under every compiler") {
    static_assert(ASIO_VERSION >= 102201);
    static_assert(ASIO_STANDALONE == 1);
#if !defined(ASIO_HAS_CO_AWAIT)
    FAIL("Asio has switched its coroutines off");
#endif
    static_assert(std::is_same_v<asio::error_code, std::error_code>);  // not Boost's
    static_assert(std::is_move_constructible_v<asio::awaitable<int>>);
}

TEST_CASE("an io_context runs what is posted to it") {
    asio::io_context context(1);
    int called = 0;
    asio::post(context, [&] { ++called; });
    CHECK(context.run() == 1);
    CHECK(called == 1);
}
