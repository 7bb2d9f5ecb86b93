#pragma once

#include <sched.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <benchkit/exec/executors.hpp>
#include <benchkit/exec/interrupt.hpp>
#include <benchkit/exec/shard.hpp>
#include <benchkit/platform/resources.hpp>

namespace benchkit::inline v0_1 {

/// The shards of one run, and how they reach each other.
class shard_group {
  public:
    /// As many shards as the executor describes; none runs yet.
    template <executor Executor>
    explicit shard_group(const Executor& description) {
        const int count = shard_count(description);
        for (int index = 0; index < count; ++index) {
            shard_options options{.index = index, .count = count, .seed = description.seed};
            if constexpr (real_executor<Executor>) {
                options.spin = description.spin;
            } else {
                options.simulated = true;
            }
            shards_.push_back(std::make_unique<shard>(options));
        }
    }

    [[nodiscard]] int size() const noexcept { return static_cast<int>(shards_.size()); }
    [[nodiscard]] shard& at(int index) noexcept { return *shards_[static_cast<std::size_t>(index)]; }

    /// Runs `function(shard&)` on every shard's thread, some time soon. Callable from any thread.
    template <class Function>
    void post_all(const Function& function) {
        for (const auto& member : shards_) {
            member->post([&shard = *member, function] { function(shard); });
        }
    }

    /// Ends the run at once: every shard's loop returns.
    void stop() {
        post_all([](shard& member) { member.stop(); });
    }

    /// What to do on Ctrl-C or SIGTERM, called on some thread; unless set, the run is stopped.
    std::function<void(int signal)> on_interrupt = [this](int) { stop(); };

    /// The signal that interrupted the run; 0 for none.
    [[nodiscard]] int signal() const noexcept { return signal_; }

    void interrupt(int signal) {
        signal_ = signal;
        on_interrupt(signal);
    }

  private:
    std::vector<std::unique_ptr<shard>> shards_;
    std::atomic<int> signal_ = 0;
};

namespace detail {

/// While it lives, the calling thread runs on the k-th processor, counted around, of those that it may use.
class pinned_thread {
  public:
    explicit pinned_thread(int k) {
        if (sched_getaffinity(0, sizeof allowed_, &allowed_) != 0) return;
        int left = k % CPU_COUNT(&allowed_);
        for (std::size_t processor = 0; processor < CPU_SETSIZE && !pinned_; ++processor) {
            if (!CPU_ISSET(processor, &allowed_) || left-- > 0) continue;
            cpu_set_t one;
            CPU_ZERO(&one);
            CPU_SET(processor, &one);
            pinned_ = sched_setaffinity(0, sizeof one, &one) == 0;
        }
    }
    pinned_thread(const pinned_thread&) = delete;
    pinned_thread& operator=(const pinned_thread&) = delete;
    ~pinned_thread() {
        if (pinned_) sched_setaffinity(0, sizeof allowed_, &allowed_);
    }

  private:
    cpu_set_t allowed_;
    bool pinned_ = false;
};

/// One shard's part of a run: runs `main(shard)` until it ends, or until the loop is stopped.
template <class Main>
resource_use run_shard(shard& member, const Main& main) {
    const resource_use before = thread_resources();
    member.spawn([&]() -> awaitable<> {
        co_await main(member);
        member.stop();
    });
    member.run();
    return thread_resources() - before;
}

/// Runs `run_one(index)` on a thread for each shard; the calling thread waits and looks after signals.
template <class RunOne>
void run_on_threads(shard_group& group, const RunOne& run_one) {
    asio::io_context control(1);
    const auto work = asio::make_work_guard(control);
    const interrupt_handler interrupts(control.get_executor(), [&](int signal) { group.interrupt(signal); });
    int running = group.size();
    std::vector<std::jthread> threads;
    try {
        for (int index = 0; index < group.size(); ++index) {
            threads.emplace_back([&, index] {
                run_one(index);
                asio::post(control, [&] {
                    if (--running == 0) control.stop();
                });
            });
        }
    } catch (const std::system_error&) {
        group.stop();  // the system gives no more threads: those that run must end before they are joined
        throw;
    }
    control.run();
}

/// Gives up what still waits, before anything that it refers to goes.
struct shutdown_at_end {
    shard_group& group;
    ~shutdown_at_end() {
        for (int index = 0; index < group.size(); ++index) group.at(index).shutdown();
    }
};

}  // namespace detail

/// Runs `main(shard&)`, which returns an awaitable, on every shard of a group, each on a thread of its own
/// (a single shard on the calling thread), until all have ended. What still waits then is given up. Returns
/// what each shard's thread used. The first exception of any shard ends the run and is thrown here.
template <class Main>
std::vector<resource_use> run_group(shard_group& group, bool pin, const Main& main) {
    std::vector<resource_use> usage(static_cast<std::size_t>(group.size()));
    const detail::shutdown_at_end shutdown{group};
    std::exception_ptr problem;
    std::mutex problem_mutex;
    const auto run_one = [&](int index) {
        try {
            std::optional<detail::pinned_thread> pinned;
            if (pin) pinned.emplace(index);
            usage[static_cast<std::size_t>(index)] = detail::run_shard(group.at(index), main);
        } catch (...) {
            const std::scoped_lock lock(problem_mutex);
            if (!problem) problem = std::current_exception();
            group.stop();
        }
    };
    if (group.size() == 1) {
        const detail::interrupt_handler interrupts(group.at(0).executor(),
                                                   [&](int signal) { group.interrupt(signal); });
        run_one(0);
    } else {
        detail::run_on_threads(group, run_one);
    }
    if (problem) std::rethrow_exception(problem);
    return usage;
}

/// Runs `main(shard&)` on the shards that an executor describes; see `run_group`. For coroutines of one's own:
/// `bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(1s); })`.
template <executor Executor, class Main>
void run(const Executor& description, const Main& main) {
    shard_group group(description);
    bool pin = false;
    if constexpr (std::same_as<Executor, sharded>) pin = description.pin;
    run_group(group, pin, main);
}

}  // namespace benchkit::inline v0_1
