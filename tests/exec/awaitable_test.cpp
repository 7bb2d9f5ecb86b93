#include <benchkit/exec/awaitable.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <benchkit/exec/run.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

// Somebody else's coroutines: Asio's default executor type.
asio::awaitable<std::string> their_answer() {
    asio::steady_timer timer(co_await asio::this_coro::executor, 1ms);
    co_await timer.async_wait(asio::use_awaitable);
    co_return "answer";
}

asio::awaitable<void> their_failure() {
    asio::steady_timer timer(co_await asio::this_coro::executor, 1us);
    co_await timer.async_wait(asio::use_awaitable);
    throw std::runtime_error("theirs");
}

}  // namespace

TEST_CASE("adapt runs plain Asio coroutines inside ours") {
    std::string answer;
    bk::run(bk::single_threaded{},
            [&](bk::shard&) -> bk::awaitable<> { answer = co_await bk::adapt(their_answer()); });
    CHECK(answer == "answer");
}

TEST_CASE("adapt passes exceptions through") {
    CHECK_THROWS_WITH(bk::run(bk::single_threaded{},
                              [](bk::shard&) -> bk::awaitable<> { co_await bk::adapt(their_failure()); }),
                      "theirs");
}

TEST_CASE("use_awaitable awaits Asio operations in ours") {
    static_assert(
        std::is_same_v<decltype(std::declval<asio::basic_waitable_timer<
                                    std::chrono::steady_clock, asio::wait_traits<std::chrono::steady_clock>,
                                    bk::executor_type>&>()
                                    .async_wait(bk::use_awaitable)),
                       bk::awaitable<>>);
}
