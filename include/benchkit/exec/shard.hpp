#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/exec/alarm.hpp>
#include <benchkit/exec/awaitable.hpp>
#include <benchkit/exec/deadline_queue.hpp>
#include <benchkit/exec/scheduler.hpp>

namespace benchkit::inline v0_1 {

/// What a shard is told when it is made.
struct shard_options {
    int index = 0;           ///< 0 to count - 1
    int count = 1;           ///< shards of the run
    std::uint64_t seed = 1;  ///< of all random streams of the run
    bool simulated = false;  ///< the clock is simulated: time moves only when nothing else can
    /// The last stretch before a timer, through which the loop keeps asking instead of falling asleep.
    std::chrono::nanoseconds spin{0};
};

/// A thread with its own event loop, sharing nothing with the other shards of a run: what a coroutine gets
/// to sleep, to tell the time and to spawn others. It is the same in real and in virtual time. All member
/// functions are for the shard's own thread, but for `post`.
class shard {
  public:
    explicit shard(shard_options options = {}) : options_(options) {
        scheduler_.on_ready = [this] { schedule_drain(); };
        if (options_.simulated) return;
        alarm_ = std::make_unique<detail::alarm>(*context_, [this] { on_timer(); });
        scheduler_.on_sooner = [this](time_point due) { alarm_->set(due - options_.spin); };
    }
    shard(const shard&) = delete;
    shard& operator=(const shard&) = delete;
    ~shard() { shutdown(); }

    [[nodiscard]] int index() const noexcept { return options_.index; }
    [[nodiscard]] int count() const noexcept { return options_.count; }
    [[nodiscard]] bool simulated() const noexcept { return options_.simulated; }

    /// The time: of the monotonic clock, or simulated (nanoseconds since the run's start).
    [[nodiscard]] time_point now() const noexcept { return options_.simulated ? simulated_now_ : clock::now(); }

    /// Suspends the coroutine until `when`; at once where that has passed, but never without letting those
    /// run that are ready.
    [[nodiscard]] awaitable<> sleep_until(time_point when) {
        return detail::suspend([this, when](detail::waiter& sleeper) { scheduler_.sleep(sleeper, when); });
    }

    /// Suspends the coroutine for `length`; a negative one counts as zero.
    [[nodiscard]] awaitable<> sleep_for(std::chrono::nanoseconds length) {
        return sleep_until(time_after(now(), length < length.zero() ? length.zero() : length));
    }

    /// Lets the event loop and everybody who is ready go first.
    [[nodiscard]] awaitable<> yield() { return asio::post(executor(), use_awaitable); }

    /// The seed of the run's random streams.
    [[nodiscard]] std::uint64_t seed() const noexcept { return options_.seed; }

    /// A random stream of this shard, by name: equal for equal seed, shard index and name.
    [[nodiscard]] random_stream random(std::string_view stream_name) const {
        return {options_.seed, stream_name, static_cast<std::uint64_t>(options_.index)};
    }

    /// The Asio executor, for sockets and Asio's own operations.
    [[nodiscard]] executor_type executor() noexcept { return context_->get_executor(); }

    /// Memory for reading from sockets, shared by all coroutines of the shard: its content is valid until the
    /// coroutine that filled it suspends.
    [[nodiscard]] std::span<char> scratch() noexcept { return scratch_; }

    /// Runs `body()`, which returns an awaitable, beside its caller, and `ended()` when it has ended. What it
    /// throws ends the run.
    template <class Body, class Ended>
    void spawn(Body body, Ended ended) {
        asio::co_spawn(*context_, std::move(body),
                       [this, ended = std::move(ended)](std::exception_ptr problem) {
                           if (problem) return give_up(problem);
                           ended();
                       });
    }
    template <class Body>
    void spawn(Body body) {
        spawn(std::move(body), [] {});
    }

    /// The deadlines of this length; one sweeper looks after them.
    [[nodiscard]] deadline_queue& deadlines(std::chrono::nanoseconds timeout) {
        for (const auto& queue : deadline_queues_) {
            if (queue->timeout() == timeout) return *queue;
        }
        deadline_queues_.push_back(std::make_unique<deadline_queue>(
            timeout, [this](deadline_queue& queue) { spawn([this, &queue] { return sweep(queue); }); }));
        return *deadline_queues_.back();
    }

    /// Runs `function` on this shard's thread; callable from any thread while the run lasts.
    template <class Function>
    void post(Function function) {
        asio::post(*context_, std::move(function));
    }

    /// Runs the loop until `stop()`. Throws what a spawned coroutine threw, and `error` where in virtual time
    /// every coroutine waits for something that can no longer come.
    void run() {
        const auto work = asio::make_work_guard(*context_);
        if (options_.simulated) {
            run_simulated();
        } else {
            context_->run();
        }
        if (problem_) std::rethrow_exception(std::exchange(problem_, nullptr));
    }

    /// Ends `run()`: nobody goes on from now on, and what still waits is given up by `shutdown()`.
    void stop() {
        scheduler_.stop();
        context_->stop();
    }

    /// Gives up all coroutines that still wait, and destroys their frames.
    void shutdown() {
        if (!context_) return;
        scheduler_.drop_all();
        alarm_.reset();
        context_.reset();
    }

    /// Ends the run with this exception.
    void give_up(std::exception_ptr problem) {
        spare_memory_.reset();
        if (!problem_) problem_ = std::move(problem);
        stop();
    }

    /// Keeps memory for the end of a run that has no more: giving up a coroutine takes some. It takes room, but
    /// no pages.
    void spare_memory(std::size_t coroutines) {
        spare_memory_.reset(new char[std::size_t{512} * 1024 + coroutines * 256]);
    }
    /// Gives it back.
    void use_spare_memory() noexcept { spare_memory_.reset(); }

    [[nodiscard]] detail::scheduler& scheduler() noexcept { return scheduler_; }

  private:
    void schedule_drain() {
        asio::post(*context_, [this] { scheduler_.drain(); });
    }

    void on_timer() {
        if (spinning_) return;
        const time_point now = clock::now();
        scheduler_.run_due(now);
        if (!scheduler_.has_timers()) return;
        const time_point due = scheduler_.next_due();
        if (due - options_.spin > now) return alarm_->set(due - options_.spin);
        spinning_ = true;
        asio::post(*context_, [this] {
            spinning_ = false;
            on_timer();
        });
    }

    awaitable<> sweep(deadline_queue& queue) {
        for (std::optional<time_point> next = queue.sweep(now()); next; next = queue.sweep(now())) {
            co_await sleep_until(*next);
        }
    }

    // Lets all run that is runnable, Asio's own operations included; only then time moves, to the next timer.
    // A timer may lie in the past: time never goes back.
    void run_simulated() {
        while (!scheduler_.stopped()) {
            context_->poll();
            if (scheduler_.stopped()) return;
            if (!scheduler_.has_timers()) {
                fail("virtual time: a deadlock: every coroutine waits for something that can no longer come");
            }
            simulated_now_ = std::max(simulated_now_, scheduler_.next_due());
            asio::post(*context_, [this] { scheduler_.run_due(simulated_now_); });
        }
    }

    shard_options options_;
    std::unique_ptr<asio::io_context> context_ = std::make_unique<asio::io_context>(1);
    std::unique_ptr<detail::alarm> alarm_;  // none in simulated time
    bool spinning_ = false;
    detail::scheduler scheduler_;
    std::vector<std::unique_ptr<deadline_queue>> deadline_queues_;
    std::vector<char> scratch_ = std::vector<char>(std::size_t{64} * 1024);
    time_point simulated_now_{};
    std::exception_ptr problem_;
    std::unique_ptr<char[]> spare_memory_;
};

}  // namespace benchkit::inline v0_1
