#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/exec/error_name.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/http_recorder.hpp>
#include <benchkit/load/load_shard.hpp>

namespace benchkit::inline v0_1::detail {

/// How long a client waits after a connect that failed: from 1 ms, doubling to 1 s, until one succeeds.
class connect_backoff {
  public:
    [[nodiscard]] std::chrono::nanoseconds next() noexcept {
        const std::chrono::nanoseconds wait = next_;
        next_ = std::min<std::chrono::nanoseconds>(next_ * 2, std::chrono::seconds(1));
        return wait;
    }
    void reset() noexcept { next_ = std::chrono::milliseconds(1); }

  private:
    std::chrono::nanoseconds next_ = std::chrono::milliseconds(1);
};

/// One shard's HTTP clients in a closed loop: a connection each, one request at a time.
class http_load {
  public:
    /// `endpoints`: what the look-up before the run has found; empty where it has failed.
    http_load(load_shard& load, const http::target& target, const std::vector<http::stream_endpoint>& endpoints,
              std::chrono::nanoseconds think_time, bool keep_records)
        : load_(load),
          target_(target),
          think_time_(think_time),
          addresses_(load.owner(), target.address(), endpoints),
          books_(load.state().document_length, keep_records) {}

    awaitable<> run() {
        return load_.run([this](operation& own) { return client(own); });
    }

    [[nodiscard]] http_recorder& books() noexcept { return books_; }

    /// Writes what HTTP adds to the shard's result.
    void write(result& into) const {
        books_.measured.write(into.counters, "");
        if (load_.books.warm_up.started > 0) books_.warm_up.write(into.counters, "warmup.");
        write_distribution(into, "resolve_time", books_.resolve_time);
        write_distribution(into, "connect_time", books_.connect_time);
        write_distribution(into, "first_byte_time", books_.first_byte_time);
        write_distribution(into, "processing_time", books_.processing_time);
        if (!books_.server.empty()) into.attributes["http.server"] = books_.server;
        const std::int64_t length = load_.state().document_length;
        if (length >= 0) into.attributes["http.document_length"] = length;
        for (const request_record& one : books_.records) into.records.push_back(to_record(one));
    }

  private:
    // Counts what the parser tells of an answer.
    struct answer_tally {
        http_load& owner;
        http_books& books;

        void on_head(const http::response_head& head) {
            if (!owner.books_.server.empty()) return;
            if (const auto value = head.headers.find("Server")) owner.books_.server = *value;
        }
        void on_body(std::string_view piece) {
            books.body_bytes_received += static_cast<std::int64_t>(piece.size());
        }
    };

    static void write_distribution(result& into, const char* name, const histogram& values) {
        if (values.count() > 0) into.distributions[name].values = values;
    }

    [[nodiscard]] static record to_record(const request_record& one) {
        const auto microseconds = [](std::chrono::nanoseconds time) {
            return std::int64_t{time / std::chrono::microseconds(1)};
        };
        const std::chrono::nanoseconds since_1970 =
            std::chrono::system_clock::now().time_since_epoch() - (clock::now() - one.start);
        return {{"started_at_us", microseconds(since_1970)},
                {"connect_us", microseconds(one.connect)},
                {"processing_us", microseconds(one.processing)},
                {"total_us", microseconds(one.connect + one.processing)},
                {"waiting_us", microseconds(one.waiting)}};
    }

    awaitable<> client(operation& own) {
        shard& owner = load_.owner();
        const http::target_options& options = target_.options();
        const bool is_head = target_.what().is_head();
        http::connection connection(owner, addresses_, options.timeout, options.connect_timeout);
        connect_backoff backoff;
        bool connected_before = false;
        while (load_.begin(own)) {
            time_point connected_at = own.start;
            connection.begin(own.start);
            if (!connection.is_open()) {
                const http::connect_outcome outcome = co_await connection.connect(own.start);
                books_.connected(own, outcome);
                connected_at = owner.now();
                if (outcome.failure) {
                    connection.end();
                    note_failed_connect(connected_at, std::exchange(connected_before, true));
                    load_.failed(own, connected_at, describe(*outcome.failure));
                    co_await owner.sleep_for(backoff.next());
                    continue;
                }
                connected_before = true;
                load_.state().note_success(connected_at);
                backoff.reset();
            }
            answer_tally tally{*this, books_.books_of(own)};
            http::exchange_outcome outcome =
                co_await connection.exchange(target_.bytes(), is_head, tally, tally.books.traffic);
            connection.end();
            if (!options.keep_alive) {
                connection.close();
                outcome.keeps = false;
            }
            end(own, connected_at, outcome, connection.answer());
            if (think_time_ > think_time_.zero()) co_await owner.sleep_for(think_time_);
        }
    }

    void end(operation& own, time_point connected_at, const http::exchange_outcome& outcome,
             const http::response_parser& answer) {
        if (outcome.surplus) load_.books.count_error(own, "unsolicited_bytes");
        if (outcome.failure) return load_.failed(own, outcome.ended_at, describe(*outcome.failure));
        books_.answered(own, connected_at, outcome, answer);
        note_answer(outcome.ended_at);
        if (answer.status() < 400) return load_.succeeded(own, outcome.ended_at);
        load_.failed(own, outcome.ended_at, {cause::status, {}, "status " + std::to_string(answer.status())});
    }

    // The other shards need not know of each answer.
    void note_answer(time_point now) {
        if (now - noted_at_ < std::chrono::milliseconds(100)) return;
        noted_at_ = now;
        load_.state().note_success(now);
    }

    // A run to which nobody answers ends before its limits.
    void note_failed_connect(time_point now, bool connected_before) {
        load_state& state = load_.state();
        const bool all_refused = !connected_before && state.first_connect_failed();
        if (all_refused || state.hopeless(now)) load_.end_early(early_end::connect_failure, now);
    }

    [[nodiscard]] operation_failure describe(const http::failure& failure) const {
        const bool before_request =
            failure.cause == cause::connect || failure.cause == cause::ports || failure.cause == cause::resolve;
        std::string sentence = http::describe(failure);
        if (before_request) {
            sentence.insert(to_string(failure.cause).size(), " " + target_.address().host_header());
        }
        return {failure.cause, failure.error ? error_name(failure.error) : std::string(), std::move(sentence)};
    }

    load_shard& load_;
    const http::target& target_;
    std::chrono::nanoseconds think_time_;
    http::address_list addresses_;
    http_recorder books_;
    time_point noted_at_{};  // the last answer that the other shards know of
};

}  // namespace benchkit::inline v0_1::detail
