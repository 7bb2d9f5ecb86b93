#pragma once

#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <benchkit/exec/error_name.hpp>
#include <benchkit/http/journey.hpp>
#include <benchkit/load/connect_backoff.hpp>
#include <benchkit/load/http_recorder.hpp>
#include <benchkit/load/load_shard.hpp>
#include <benchkit/load/step_books.hpp>
#include <benchkit/result/operation_failed.hpp>

namespace benchkit::inline v0_1::detail {

/// One shard's clients that go on journeys, each with a session of its own.
template <class Function>
class journey_load {
  public:
    journey_load(load_shard& load, const http::journey<Function>& taken, std::chrono::nanoseconds think_time)
        : load_(load),
          target_(taken.to()),
          function_(taken.function()),
          options_(taken.options()),
          think_time_(think_time) {}

    awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }

    void write(result& into) const {
        measured_.write(into.counters, "");
        if (load_.books.warm_up.started > 0) warm_up_.write(into.counters, "warmup.");
        for (const auto& [name, books] : steps_) books.write(into, name);
    }

  private:
    awaitable<> client(operation& own) {
        shard& owner = load_.owner();
        http::session session(owner, target_, options_.follow_redirects);
        session.on_answer = [this, &own](const http::response& answer) {
            ++books_of(own).statuses[static_cast<std::size_t>(answer.status())];
            books_of(own).body_bytes_received += static_cast<std::int64_t>(answer.body().size());
        };
        session.on_step = [this, &own](const http::step_outcome& step) { note(own, step); };
        connect_backoff backoff;
        for (;;) {
            while (!load_.begin(own)) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(own);
            }
            const bool first = backoff.is_new();
            const http::client_counts before = session.client().counts();
            const std::optional<operation_failure> failure = co_await perform(session);
            add(books_of(own), before, session.client().counts());
            const time_point now = owner.now();
            const bool connected = !failure || !is_of_connecting(failure->cause);
            if (!connected) load_.connect_failed(now, first);
            if (connected) load_.state().note_success(now);
            failure ? load_.failed(own, now, *failure) : load_.succeeded(own, now);
            if (connected) backoff.reset();
            // A journey that asks for nothing would keep all others, and the run's end, waiting.
            co_await owner.yield();
            if (!connected) co_await owner.sleep_for(backoff.next());
            if (think_time_ > think_time_.zero()) co_await owner.sleep_for(think_time_);
        }
    }

    awaitable<std::optional<operation_failure>> perform(http::session& session) {
        session.begin();
        std::optional<operation_failure> failure;
        try {
            co_await function_(session);
        } catch (const operation_failed& problem) {
            failure = operation_failure{problem.reason(), {}, problem.what()};
        } catch (const std::system_error& problem) {
            failure = operation_failure{cause::assertion, error_name(problem.code()), problem.what()};
        } catch (const std::exception& problem) {
            failure = operation_failure{cause::assertion, {}, problem.what()};
        } catch (...) {
            failure = operation_failure{cause::assertion, {}, "an exception that is no std::exception"};
        }
        // What the session has seen comes first, also where the code did not look.
        if (const auto& seen = session.failure()) {
            failure = operation_failure{seen->cause, seen->error_name, seen->sentence};
        }
        co_return failure;
    }

    [[nodiscard]] static bool is_of_connecting(cause failed) noexcept {
        return failed == cause::connect || failed == cause::resolve || failed == cause::ports ||
               failed == cause::tls;
    }

    [[nodiscard]] http_books& books_of(const operation& own) noexcept {
        return own.warm_up ? warm_up_ : measured_;
    }

    static void add(http_books& into, const http::client_counts& before, const http::client_counts& after) {
        into.traffic.requests_sent += after.traffic.requests_sent - before.traffic.requests_sent;
        into.traffic.bytes_sent += after.traffic.bytes_sent - before.traffic.bytes_sent;
        into.traffic.bytes_received += after.traffic.bytes_received - before.traffic.bytes_received;
        into.connections_opened += after.connections_opened - before.connections_opened;
        into.kept_alive += after.kept_alive - before.kept_alive;
    }

    void note(const operation& own, const http::step_outcome& step) {
        if (own.warm_up) return;
        auto found = steps_.find(step.name);
        if (found == steps_.end()) found = steps_.emplace(std::string(step.name), step_books()).first;
        if (step.succeeded) {
            found->second.times.record((step.end - step.start).count());
        } else {
            ++found->second.failed;
        }
    }

    load_shard& load_;
    const http::target& target_;
    const Function function_;
    http::journey_options options_;
    std::chrono::nanoseconds think_time_;
    http_books warm_up_;
    http_books measured_;
    std::map<std::string, step_books, std::less<>> steps_;
};

}  // namespace benchkit::inline v0_1::detail
