#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/exec/run.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/load/load_shard.hpp>
#include <benchkit/load/load_state.hpp>
#include <benchkit/platform/resources.hpp>

namespace benchkit::inline v0_1::detail {

/// One shard's part of a load, and what its thread used. `Work` is what its clients do: it has `awaitable<>
/// run()` and `void write(result&) const`.
template <class Work>
struct load_part {
    template <class MakeWork>
    load_part(shard& owner, load_state& state, std::int64_t clients, bool stop_at_first_error,
              std::int64_t depth, const MakeWork& make_work)
        : load(owner, state, clients, stop_at_first_error, depth), work(make_work(load)) {}

    load_shard load;
    Work work;
    resource_use used;
};

/// A load while it runs: the shards, what they share, and each one's part.
template <class Work>
class load_run {
  public:
    /// `depth`: operations that a client may have in flight; `make_work(load_shard&)` makes a shard's work.
    template <executor Executor, class MakeWork>
    load_run(const Executor& description, const load_loop& loop, const load_limits& limits,
             const load_options& options, std::chrono::nanoseconds drain, const MakeWork& make_work,
             std::int64_t depth = 1)
        : limits_(limits), options_(options), group_(description), state_(group_, loop, limits, drain) {
        require_progress_interval();
        require_errors();
        for (int index = 0; index < group_.size(); ++index) {
            parts_.push_back(std::make_unique<load_part<Work>>(group_.at(index), state_,
                                                               share_of(loop.clients, index),
                                                               limits.stop_at_first_error, depth, make_work));
            if (loop.open()) follow(loop.schedule, description.seed, index);
        }
        state_.stop_shard = [this](shard& member) { part(member.index()).load.stop(); };
        state_.settle_shard = [this](shard& member) { part(member.index()).load.end_if_idle(); };
        group_.on_interrupt = [this](int) { state_.end_early(early_end::interrupt, group_.at(0).now()); };
        if constexpr (std::same_as<Executor, sharded>) pin_ = description.pin;
    }

    /// Runs to the end.
    void run() {
        const std::vector<resource_use> used = run_group(group_, pin_, [this](shard& member) {
            if (member.index() == 0 && options_.on_progress) {
                member.spawn([this, &member] { return report_progress(member); });
            }
            if (member.index() == 0 && options_.abort_on) {
                member.spawn([this, &member] { return watch_errors(member); });
            }
            return part(member.index()).work.run();
        });
        for (int index = 0; index < size(); ++index) part(index).used = used[static_cast<std::size_t>(index)];
        trace_hash_ = group_.at(0).scheduler().trace_hash();
        if (options_.on_progress) options_.on_progress(progress(group_.at(0).now()));
    }

    [[nodiscard]] const load_limits& limits() const noexcept { return limits_; }
    [[nodiscard]] load_state& state() noexcept { return state_; }
    [[nodiscard]] int size() const noexcept { return group_.size(); }
    [[nodiscard]] load_part<Work>& part(int index) noexcept { return *parts_[static_cast<std::size_t>(index)]; }
    /// The signal that interrupted the run; 0 for none.
    [[nodiscard]] int signal() const noexcept { return group_.signal(); }
    [[nodiscard]] bool simulated() noexcept { return group_.at(0).simulated(); }
    /// Of the timer events of a simulated run.
    [[nodiscard]] std::uint64_t trace_hash() const noexcept { return trace_hash_; }

  private:
    // What a shard has of a number that is dealt out over all.
    [[nodiscard]] std::int64_t share_of(std::int64_t whole, int index) const {
        return whole / group_.size() + (index < whole % group_.size() ? 1 : 0);
    }

    void follow(const arrivals& process, std::uint64_t seed, int index) {
        arrival_schedule_options options{.seed = seed, .shard = index, .shards = group_.size()};
        if (state_.deadline() != time_point::max()) options.duration = state_.deadline() - state_.start();
        std::optional<std::int64_t> limit;
        if (limits_.operations) limit = share_of(*limits_.operations, place_behind_warm_up(process, options));
        part(index).load.follow(arrival_schedule(process, options), limit);
    }

    // How many shards after that of the first measured operation this one's first comes; operations go round.
    [[nodiscard]] int place_behind_warm_up(const arrivals& process, arrival_schedule_options options) const {
        const auto place = options.shard;
        options.shard = 0;
        if (limits_.warmup <= limits_.warmup.zero() || std::holds_alternative<poisson>(process.kind())) {
            return static_cast<int>(place);
        }
        const std::int64_t shards = std::exchange(options.shards, 1);
        arrival_schedule whole(process, options);
        std::int64_t first = 0;
        for (auto at = whole.next(); at && *at < limits_.warmup; at = whole.next()) ++first;
        return static_cast<int>((place + shards - first % shards) % shards);
    }

    void require_progress_interval() const {
        const benchkit::duration interval = options_.progress_interval;
        if (!options_.on_progress || interval > interval.zero()) return;
        fail_option("progress_interval", format_duration(interval), "allowed is more than 0 s");
    }

    void require_errors() const {
        if (!options_.abort_on) return;
        const requirement& limit = *options_.abort_on;
        const bool of_errors =
            limit.figure == required_figure::errors || limit.figure == required_figure::error_share;
        if (of_errors && limit.above) return;
        fail_option("abort_on", limit.text, error_limit_forms);
    }

    awaitable<> watch_errors(shard& member) {
        const requirement limit = *options_.abort_on;
        const std::int64_t least = limit.figure == required_figure::error_share ? 10 : 1;
        for (;;) {
            co_await member.sleep_for(std::chrono::milliseconds(100));
            const load_progress sum = progress(member.now());
            const auto figure = error_figure(limit, sum.failed, sum.succeeded);
            if (sum.failed + sum.succeeded < least || !figure || !limit.fails_at(*figure)) continue;
            state_.end_early(early_end::abort_on, member.now());
        }
    }

    awaitable<> report_progress(shard& member) {
        for (;;) {
            co_await member.sleep_for(options_.progress_interval);
            options_.on_progress(progress(member.now()));
        }
    }

    [[nodiscard]] load_progress progress(time_point now) const {
        load_progress sum;
        sum.elapsed_seconds = duration(now - state_.start()).seconds();
        sum.operations = limits_.operations;
        if (state_.deadline() != time_point::max()) {
            sum.duration_seconds = duration(state_.deadline() - state_.start()).seconds();
        }
        for (const auto& each : parts_) {
            const published_counts& counts = each->load.books.published;
            sum.started += counts.started.load(std::memory_order_relaxed);
            sum.succeeded += counts.succeeded.load(std::memory_order_relaxed);
            sum.failed += counts.failed.load(std::memory_order_relaxed);
        }
        return sum;
    }

    load_limits limits_;
    load_options options_;
    shard_group group_;
    load_state state_;
    std::vector<std::unique_ptr<load_part<Work>>> parts_;
    bool pin_ = false;
    std::uint64_t trace_hash_ = 0;
};

}  // namespace benchkit::inline v0_1::detail
