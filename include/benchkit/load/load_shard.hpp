#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchkit/exec/shard.hpp>
#include <benchkit/exec/wait_group.hpp>
#include <benchkit/load/arrival_feed.hpp>
#include <benchkit/load/load_state.hpp>
#include <benchkit/load/recorder.hpp>

namespace benchkit::inline v0_1::detail {

/// One shard's part of a load: who may start an operation and when all is over.
class load_shard {
  public:
    /// `depth`: how many operations a client may have in flight.
    load_shard(shard& owner, load_state& state, std::int64_t clients, bool stop_at_first_error,
               std::int64_t depth = 1)
        : books(state.measure_from(), state.deadline(), state.open_loop()),
          shard_(owner),
          state_(state),
          operations_(static_cast<std::size_t>(clients * depth)),
          depth_(static_cast<std::size_t>(depth)),
          clients_left_(clients),
          claimed_(state.budget.reserve(clients)),
          over_(owner),
          stop_at_first_error_(stop_at_first_error) {}

    [[nodiscard]] shard& owner() noexcept { return shard_; }
    [[nodiscard]] load_state& state() noexcept { return state_; }
    /// Those of all clients: of each, `depth` that stand together.
    [[nodiscard]] std::span<const operation> operations() const noexcept { return operations_; }

    /// Operations start by this schedule, of the measured ones no more than `limit`: an open loop. Before the
    /// run.
    void follow(arrival_schedule schedule, std::optional<std::int64_t> limit) {
        feed_.emplace(shard_, std::move(schedule), state_.start(), state_.measure_from(), limit,
                      state_.deadline() != time_point::max());
    }

    /// Starts `begun` now, unless the run is over for its client or, in an open loop, nothing is due.
    [[nodiscard]] bool begin(operation& begun) {
        const time_point now = shard_.now();
        if (closing_ || now >= state_.deadline()) return false;
        if (feed_) return begin_due(begun, now);
        if (!books.warms_up(now) && !claim()) return false;
        ++in_flight_;
        books.started(begun, now);
        return true;
    }

    /// Whether a client for which nothing is due is to wait: never in a closed loop.
    [[nodiscard]] bool more_to_come() const noexcept { return feed_ && !closing_ && !feed_->finished(); }

    /// Suspends the client of `own` until an operation may be due. It may be told in vain.
    [[nodiscard]] awaitable<> arrival(operation& own) {
        own.awaited = true;
        return feed_->wait();
    }

    void succeeded(operation& ended, time_point now) {
        books.succeeded(ended, now);
        leave_flight();
    }

    void failed(operation& ended, time_point now, const operation_failure& failure) {
        books.failed(ended, now, failure);
        if (stop_at_first_error_ && is_error(failure)) end_early(early_end::first_error, now);
        leave_flight();
    }

    /// Runs `client(operation&)` or `client(std::span<operation>)` for each client, until all is over or time
    /// has run out; what is in flight then is unfinished.
    template <class Client>
    awaitable<> run(Client client) {
        start_clients(client);
        if (!operations_.empty()) co_await wait_for_end();
        close();
        if (feed_) count_not_started();
        const time_point now = shard_.now();
        for (operation& each : operations_) {
            if (each.active) end_in_flight(each, now);
        }
    }

    /// Ends the whole run: this part at once, those of the other shards as soon as they hear of it.
    void end_early(early_end reason, time_point now) {
        state_.end_early(reason, now);
        stop();
    }

    /// A client's connect has failed; `first`: it had not tried before. A run to which nobody answers ends
    /// before its limits.
    void connect_failed(time_point now, bool first) {
        const bool all_refused = first && state_.first_connect_failed();
        if (all_refused || state_.hopeless(now)) end_early(early_end::connect_failure, now);
    }

    /// Ends this part at once.
    void stop() {
        close();
        over_.set();
    }

    /// Ends this part where nothing is in flight and nothing can start any more; its clients may be thinking.
    void end_if_idle() {
        const bool nothing_left = feed_ ? feed_->finished() : claimed_ == 0 && state_.budget.empty();
        if (in_flight_ == 0 && (closing_ || nothing_left)) over_.set();
    }

    recorder books;

  private:
    // An answer is none, whatever it says; nor is a kept connection that the peer has closed in order.
    [[nodiscard]] static bool is_error(const operation_failure& failure) {
        if (failure.cause == cause::status || failure.cause == cause::assertion) return false;
        return failure.cause != cause::stale || !failure.error_name.empty();
    }

    // Where there is no memory for all of them, what there is is given back, and the run ends with a report.
    template <class Client>
    void start_clients(const Client& client) {
        std::size_t first = 0;
        shard_.spare_memory(operations_.size() / depth_);
        try {
            for (; first < operations_.size(); first += depth_) {
                const std::span<operation> own(operations_.data() + first, depth_);
                shard_.spawn([&client, own] { return start_client(client, own); }, [this] { client_ended(); });
            }
        } catch (const std::bad_alloc&) {
            shard_.use_spare_memory();
            clients_left_ -= static_cast<std::int64_t>((operations_.size() - first) / depth_);
            end_early(early_end::memory, shard_.now());
        }
    }

    template <class Client>
    [[nodiscard]] static awaitable<> start_client(const Client& client, std::span<operation> own) {
        if constexpr (std::is_invocable_v<const Client&, operation&>) {
            return client(own.front());
        } else {
            return client(own);
        }
    }

    // Where another client stands idle, nobody was busy when the operation came due.
    bool begin_due(operation& begun, time_point now) {
        const bool others_wait = feed_->somebody_waits();
        const std::optional<time_point> intended = feed_->take(now);
        if (!intended) return false;
        begun.awaited = begun.awaited || others_wait;
        ++in_flight_;
        books.started(begun, *intended, now);
        return true;
    }

    void close() {
        if (!std::exchange(closing_, true)) closed_at_ = std::min(shard_.now(), state_.deadline());
    }

    // What was due before the end and found no client.
    void count_not_started() {
        feed_->close(closed_at_, [this](time_point intended) { books.not_started(intended, closed_at_); });
    }

    void client_ended() {
        if (--clients_left_ == 0) over_.set();
    }

    awaitable<> wait_for_end() {
        const bool over = co_await over_.wait_until(state_.deadline());
        if (over) co_return;
        close();
        if (in_flight_ > 0) co_await over_.wait_until(state_.drained_by());
    }

    void end_in_flight(operation& caught, time_point now) {
        if (state_.ended_early() != early_end::abort_on) return books.unfinished(caught, now);
        books.failed(caught, now,
                     {cause::canceled, {}, "canceled: there were more errors than the run was to have"});
    }

    // Takes one operation from the budget. Who takes the last one tells the other shards.
    [[nodiscard]] bool claim() {
        if (claimed_ == 0) {
            claimed_ = state_.budget.take(shard_.count());
            if (state_.budget.empty()) state_.note_all_taken();
        }
        if (claimed_ == 0) return false;
        --claimed_;
        return true;
    }

    void leave_flight() {
        --in_flight_;
        end_if_idle();
    }

    shard& shard_;
    load_state& state_;
    std::vector<operation> operations_;
    std::size_t depth_;
    std::int64_t clients_left_;
    std::int64_t in_flight_ = 0;
    std::int64_t claimed_;  // operations taken from the budget and not yet started
    event over_;
    bool closing_ = false;
    time_point closed_at_{};
    std::optional<arrival_feed> feed_;  // in an open loop
    bool stop_at_first_error_;
};

}  // namespace benchkit::inline v0_1::detail
