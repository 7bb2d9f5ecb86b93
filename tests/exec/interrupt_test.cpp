#include <benchkit/exec/interrupt.hpp>

#include <doctest/doctest.h>

#include <csignal>
#include <vector>

using benchkit::detail::interrupt_handler;
using benchkit::detail::signal_actions;

namespace {

volatile std::sig_atomic_t own_handler_called = 0;

void own_handler(int) {
    own_handler_called = own_handler_called + 1;
}

// Sets the program's own action for a signal, and restores what was there.
class own_action {
  public:
    own_action(int signal, void (*handler)(int)) : signal_(signal) {
        struct sigaction own {};
        own.sa_handler = handler;
        sigaction(signal, &own, &before_);
    }
    own_action(const own_action&) = delete;
    own_action& operator=(const own_action&) = delete;
    ~own_action() { sigaction(signal_, &before_, nullptr); }

  private:
    int signal_;
    struct sigaction before_ {};
};

bool has_action(int signal, void (*handler)(int)) {
    struct sigaction current {};
    sigaction(signal, nullptr, &current);
    return current.sa_handler == handler;
}

}  // namespace

TEST_CASE("SIGINT and SIGTERM are told in the event loop; afterwards the program's own action is back") {
    for (const int signal : {SIGINT, SIGTERM}) {
        const own_action own(signal, own_handler);
        own_handler_called = 0;
        std::vector<int> told;
        {
            asio::io_context context(1);
            const interrupt_handler interrupts(context.get_executor(),
                                               [&](int number) { told.push_back(number); });
            std::raise(signal);
            CHECK(told.empty());
            context.run();
            CHECK(told == std::vector{signal});
        }
        CHECK(own_handler_called == 0);
        CHECK(has_action(signal, own_handler));
        std::raise(signal);
        CHECK(own_handler_called == 1);
    }
}

TEST_CASE("after the first signal, a second one has its default effect") {
    asio::io_context context(1);
    const interrupt_handler interrupts(context.get_executor(), [](int) {});
    CHECK_FALSE(has_action(SIGINT, SIG_DFL));
    std::raise(SIGINT);
    context.run();
    CHECK(has_action(SIGINT, SIG_DFL));
    CHECK(has_action(SIGTERM, SIG_DFL));
}

TEST_CASE("a signal that the program ignores stays ignored") {
    const own_action ignoring(SIGINT, SIG_IGN);
    asio::io_context context(1);
    int told = 0;
    const interrupt_handler interrupts(context.get_executor(), [&](int) { ++told; });
    CHECK(signal_actions::ignored(SIGINT));
    CHECK_FALSE(signal_actions::ignored(SIGTERM));
    CHECK(has_action(SIGINT, SIG_IGN));
    std::raise(SIGINT);
    context.poll();
    CHECK(told == 0);
}

TEST_CASE("of handlers that overlap, each is told, and the last to go restores") {
    const own_action own(SIGTERM, own_handler);
    asio::io_context context(1);
    int told = 0;
    {
        const interrupt_handler outer(context.get_executor(), [&](int) { ++told; });
        {
            const interrupt_handler inner(context.get_executor(), [&](int) { ++told; });
            std::raise(SIGTERM);
            context.run();
            CHECK(told == 2);
        }
        CHECK_FALSE(has_action(SIGTERM, own_handler));
    }
    CHECK(has_action(SIGTERM, own_handler));
}

TEST_CASE("a handler that is never told goes away without a call") {
    asio::io_context context(1);
    int told = 0;
    {
        const interrupt_handler interrupts(context.get_executor(), [&](int) { ++told; });
    }
    context.poll();
    CHECK(told == 0);
}
