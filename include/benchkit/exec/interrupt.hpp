#pragma once

#include <csignal>
#include <functional>
#include <mutex>
#include <utility>

#include <benchkit/exec/awaitable.hpp>

namespace benchkit::inline v0_1::detail {

/// Restores the program's own handling of SIGINT and SIGTERM when the last run of the process has ended:
/// Asio would leave the default action behind.
class signal_actions {
  public:
    signal_actions() {
        const std::scoped_lock lock(mutex_);
        if (users_++ > 0) return;
        sigaction(SIGINT, nullptr, &interrupt_);
        sigaction(SIGTERM, nullptr, &terminate_);
    }
    signal_actions(const signal_actions&) = delete;
    signal_actions& operator=(const signal_actions&) = delete;
    ~signal_actions() {
        const std::scoped_lock lock(mutex_);
        if (--users_ > 0) return;
        sigaction(SIGINT, &interrupt_, nullptr);
        sigaction(SIGTERM, &terminate_, nullptr);
    }

    /// A signal that the program was told to ignore (a background job's Ctrl-C) stays ignored.
    [[nodiscard]] static bool ignored(int signal) {
        const std::scoped_lock lock(mutex_);
        return (signal == SIGINT ? interrupt_ : terminate_).sa_handler == SIG_IGN;
    }

  private:
    inline static std::mutex mutex_;
    inline static int users_ = 0;
    inline static struct sigaction interrupt_ {};
    inline static struct sigaction terminate_ {};
};

/// While it lives, the first Ctrl-C or SIGTERM calls `on_signal` in the event loop of `context`; a second one
/// has the default effect.
class interrupt_handler {
  public:
    interrupt_handler(executor_type context, std::function<void(int)> on_signal)
        : signals_(context), on_signal_(std::move(on_signal)) {
        for (const int signal : {SIGINT, SIGTERM}) {
            if (!signal_actions::ignored(signal)) signals_.add(signal);
        }
        signals_.async_wait([this](const asio::error_code& error, int signal) {
            if (error) return;
            signals_.clear();
            on_signal_(signal);
        });
    }

  private:
    signal_actions actions_;
    asio::basic_signal_set<executor_type> signals_;
    std::function<void(int)> on_signal_;
};

}  // namespace benchkit::inline v0_1::detail
