#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

#include <benchkit/exec/error_name.hpp>
#include <benchkit/load/load_shard.hpp>
#include <benchkit/result/operation_failed.hpp>

namespace benchkit::inline v0_1::detail {

template <class Function>
concept takes_shard = std::is_invocable_v<const Function&, shard&>;

template <class Function>
concept takes_nothing = std::is_invocable_v<const Function&>;

/// The coroutine of one's own as an operation: `function(shard&)` or `function()`.
template <class Function>
[[nodiscard]] awaitable<> call_operation(const Function& function, shard& owner) {
    if constexpr (takes_shard<Function>) {
        return function(owner);
    } else {
        return function();
    }
}

/// One shard's clients that perform a user's coroutine.
template <class Function>
class coroutine_load {
  public:
    coroutine_load(load_shard& load, Function function, std::chrono::nanoseconds think_time)
        : load_(load), function_(std::move(function)), think_time_(think_time) {}

    awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }

    void write(result&) const {}

  private:
    awaitable<> client(operation& own) {
        shard& owner = load_.owner();
        for (;;) {
            while (!load_.begin(own)) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(own);
            }
            const std::optional<operation_failure> failure = co_await perform();
            const time_point now = owner.now();
            require_progress(own, now);
            failure ? load_.failed(own, now, *failure) : load_.succeeded(own, now);
            // A coroutine that never suspends would keep all others, and the run's end, waiting.
            co_await owner.yield();
            if (think_time_ > think_time_.zero()) co_await owner.sleep_for(think_time_);
        }
    }

    awaitable<std::optional<operation_failure>> perform() {
        std::optional<operation_failure> failure;
        try {
            co_await call_operation(function_, load_.owner());
        } catch (const operation_failed& problem) {
            failure = operation_failure{problem.reason(), {}, problem.what()};
        } catch (const std::system_error& problem) {
            failure = operation_failure{cause::assertion, error_name(problem.code()), problem.what()};
        } catch (const std::exception& problem) {
            failure = operation_failure{cause::assertion, {}, problem.what()};
        } catch (...) {
            failure = operation_failure{cause::assertion, {}, "an exception that is no std::exception"};
        }
        co_return failure;
    }

    // In virtual time, operations that take none would go on for ever at one instant.
    void require_progress(const operation& own, time_point now) {
        if (!load_.owner().simulated() || load_.state().open_loop()) return;
        const bool endless = own.warm_up || !load_.state().budget.limited();
        const bool stands = now == own.start && think_time_ <= think_time_.zero() && endless;
        instant_operations_ = stands ? instant_operations_ + 1 : 0;
        if (instant_operations_ > 1'000'000) {
            fail(
                "virtual time: the operation takes no virtual time, so no duration ends it: let it sleep, or "
                "give a number of operations and no warm-up");
        }
    }

    load_shard& load_;
    const Function function_;
    std::chrono::nanoseconds think_time_;
    std::int64_t instant_operations_ = 0;
};

}  // namespace benchkit::inline v0_1::detail
