#include <benchkit/exec/waiter.hpp>

#include <doctest/doctest.h>

#include <exception>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

namespace bk = benchkit;
using bk::detail::waiter;

namespace {

// Starts a coroutine that waits, and runs until it does.
template <class Coroutine>
void start(asio::io_context& context, Coroutine coroutine) {
    asio::co_spawn(context, std::move(coroutine), [](std::exception_ptr problem) {
        if (problem) std::rethrow_exception(problem);
    });
    context.poll();
}

bk::awaitable<> wait_as(waiter*& waiting) {
    return bk::detail::suspend([&waiting](waiter& own) { waiting = &own; });
}

}  // namespace

TEST_CASE("a suspended coroutine goes on inside resume, where it stopped") {
    asio::io_context context(1);
    waiter* waiting = nullptr;
    int step = 0;
    start(context, [&]() -> bk::awaitable<> {
        step = 1;
        co_await wait_as(waiting);
        step = 2;
        co_await wait_as(waiting);
        step = 3;
    });
    CHECK(step == 1);
    REQUIRE(waiting != nullptr);
    std::exchange(waiting, nullptr)->resume();
    CHECK(step == 2);
    REQUIRE(waiting != nullptr);
    waiting->resume();
    CHECK(step == 3);
}

TEST_CASE("an error is thrown where the coroutine waits") {
    asio::io_context context(1);
    waiter* waiting = nullptr;
    std::optional<std::error_code> thrown;
    start(context, [&]() -> bk::awaitable<> {
        try {
            co_await wait_as(waiting);
        } catch (const std::system_error& problem) {
            thrown = problem.code();
        }
    });
    REQUIRE(waiting != nullptr);
    waiting->fail_with(asio::error::operation_aborted);
    waiting->resume();
    CHECK(thrown == std::error_code(asio::error::operation_aborted));
}

TEST_CASE("a coroutine that is given up ends with its frames, and never goes on") {
    asio::io_context context(1);
    waiter* waiting = nullptr;
    const auto held = std::make_shared<int>(1);
    bool went_on = false;
    start(context, [&, held]() -> bk::awaitable<> {
        const std::shared_ptr<int> own = held;
        co_await wait_as(waiting);
        went_on = true;
    });
    CHECK(held.use_count() > 1);
    REQUIRE(waiting != nullptr);
    waiting->drop();
    context.restart();
    context.poll();
    CHECK(held.use_count() == 1);
    CHECK_FALSE(went_on);
}

TEST_CASE("a copy waits for nothing") {
    waiter original;
    original.timed = true;
    original.woken = true;
    const waiter copy = original;
    CHECK_FALSE(copy.timed);
    CHECK_FALSE(copy.woken);
}
