#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <benchkit/core/clock.hpp>
#include <benchkit/load/books.hpp>
#include <benchkit/load/series_recorder.hpp>
#include <benchkit/load/shard_rate.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1::detail {

/// What other threads may read of a shard's counts while it runs: the measured operations.
struct alignas(64) published_counts {
    std::atomic<std::int64_t> started = 0;
    std::atomic<std::int64_t> succeeded = 0;
    std::atomic<std::int64_t> failed = 0;
};

/// One operation of one client, from its start to its end.
struct operation {
    time_point intended{};  ///< when it was to start; in a closed loop, when it started
    time_point start{};
    bool active = false;
    bool warm_up = false;
    std::uint32_t request = 0;  ///< which of a list
    bool awaited = true;        ///< its client stood idle when it came due
};

/// Why an operation failed, for the books and for people.
struct operation_failure {
    benchkit::cause cause = cause::assertion;
    std::string error_name;  ///< counted under errors.<name>; empty for none
    std::string sentence;
};

/// Counts and times the operations of one shard. A warm-up operation is counted in its own books and nowhere
/// else.
class recorder {
  public:
    /// `measure_from`: the end of the warm-up; `deadline`: the end of the span, where a duration ends it.
    recorder(time_point measure_from, time_point deadline, bool open_loop = false)
        : measure_from_(measure_from),
          deadline_(deadline),
          open_loop_(open_loop),
          series_(measure_from),
          rate_(measure_from, deadline) {}

    [[nodiscard]] bool warms_up(time_point start) const noexcept { return start < measure_from_; }

    /// In a closed loop.
    void started(operation& begun, time_point now) { started(begun, now, now); }

    /// `intended`: when it was to start.
    void started(operation& begun, time_point intended, time_point now) {
        begun.intended = intended;
        begun.start = now;
        begun.active = true;
        begun.warm_up = warms_up(intended);
        books_of(begun).started++;
        const bool awaited = std::exchange(begun.awaited, false);
        if (begun.warm_up) return;
        if (open_loop_) record_lag(begun, awaited);
        first_start_ = std::min(first_start_, now);
        published.started.store(measured.started, std::memory_order_relaxed);
    }

    void succeeded(operation& ended, time_point now) {
        operation_books& books = books_of(ended);
        ++books.succeeded;
        ended.active = false;
        if (ended.warm_up) return;
        const std::int64_t time = (now - ended.start).count();
        service_time.record(time);
        const std::int64_t told = open_loop_ ? (now - ended.intended).count() : time;
        if (open_loop_) response_time.record(told);
        rate_.completed(now);
        if (in_span(now)) {
            ++books.succeeded_in_span;
            series_.succeeded(in_series(now), told);
        }
        last_end_ = std::max(last_end_, now);
        published.succeeded.store(books.succeeded, std::memory_order_relaxed);
    }

    void failed(operation& ended, time_point now, const operation_failure& failure) {
        operation_books& books = books_of(ended);
        const auto index = static_cast<std::size_t>(failure.cause);
        ++books.failed[index];
        ended.active = false;
        count_error(ended, failure.error_name);
        note_error(ended, now, failure.sentence);
        if (ended.warm_up) return;
        if (open_loop_ && failure.cause == cause::timeout) {
            response_time.record((now - ended.intended).count());
        } else {
            failed_time[index].record((now - ended.start).count());
        }
        if (is_answer(failure.cause)) rate_.completed(now);
        if (in_span(now)) series_.failed(in_series(now));
        last_end_ = std::max(last_end_, now);
        published.failed.store(books.failed_in_all(), std::memory_order_relaxed);
    }

    /// An operation that the run's end has caught in flight.
    void unfinished(operation& caught, time_point now) {
        ++books_of(caught).unfinished;
        caught.active = false;
        if (caught.warm_up) return;
        unfinished_age.record((now - caught.start).count());
        if (open_loop_) response_time.record((now - caught.intended).count());
    }

    /// An operation of an open loop that no client was free for until `end`, the run's.
    void not_started(time_point intended, time_point end) {
        const bool warm = warms_up(intended);
        ++(warm ? warm_up : measured).not_started;
        if (!warm) response_time.record((end - intended).count());
    }

    /// Counts something that went wrong beside the operation's own end; nothing where `name` is empty.
    void count_error(const operation& during, const std::string& name) {
        if (!name.empty()) ++books_of(during).errors[name];
    }

    [[nodiscard]] bool open_loop() const noexcept { return open_loop_; }
    [[nodiscard]] time_point first_start() const noexcept { return first_start_; }
    [[nodiscard]] time_point last_end() const noexcept { return last_end_; }
    [[nodiscard]] series_recorder& series() noexcept { return series_; }
    /// Of what succeeded or was answered otherwise than wanted.
    [[nodiscard]] const histogram& rates() const noexcept { return rate_.rates(); }

    operation_books warm_up;
    operation_books measured;
    published_counts published;
    histogram service_time;
    histogram response_time;                 ///< in an open loop, as `lag` and `timer_lag`
    histogram lag;                           ///< of all that started
    histogram timer_lag;                     ///< of those whose client stood idle: the client's own lateness
    std::int64_t waited_for_connection = 0;  ///< measured operations that came due when no client was free
    std::array<histogram, cause_count> failed_time;
    histogram unfinished_age;
    std::string first_error;
    time_point first_error_at = time_point::max();

  private:
    [[nodiscard]] operation_books& books_of(const operation& one) noexcept {
        return one.warm_up ? warm_up : measured;
    }

    void record_lag(const operation& begun, bool awaited) {
        const std::int64_t late = (begun.start - begun.intended).count();
        lag.record(late);
        if (awaited) {
            timer_lag.record(late);
        } else if (late > 0) {
            ++waited_for_connection;
        }
    }

    // One of the measured operations goes before any of the warm-up, which the books do not count.
    void note_error(const operation& ended, time_point now, const std::string& sentence) {
        const time_point rank = ended.warm_up ? time_point::max() - std::chrono::nanoseconds(1) : now;
        if (rank >= first_error_at) return;
        first_error = ended.warm_up ? "in the warm-up: " + sentence : sentence;
        first_error_at = rank;
    }

    [[nodiscard]] static constexpr bool is_answer(cause failed) noexcept {
        return failed == cause::status || failed == cause::assertion;
    }

    [[nodiscard]] bool in_span(time_point ended) const noexcept { return ended <= deadline_; }

    // What ends at the very deadline belongs to the interval that ends there.
    [[nodiscard]] time_point in_series(time_point ended) const noexcept {
        return std::min(ended, deadline_ - std::chrono::nanoseconds(1));
    }

    time_point measure_from_;
    time_point deadline_;
    bool open_loop_;
    time_point first_start_ = time_point::max();
    time_point last_end_ = time_point::min();
    series_recorder series_;
    shard_rate rate_;
};

}  // namespace benchkit::inline v0_1::detail
