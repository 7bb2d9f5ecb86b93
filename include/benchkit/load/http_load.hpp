#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/exec/error_name.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/client_stream.hpp>
#include <benchkit/load/connect_backoff.hpp>
#include <benchkit/load/http_recorder.hpp>
#include <benchkit/load/list_load.hpp>
#include <benchkit/load/load_shard.hpp>

namespace benchkit::inline v0_1::detail {

/// One shard's HTTP clients: a connection each, with one request at a time or a pipeline.
class http_load {
  public:
    /// `endpoints`: what the look-up before the run has found; empty where it has failed.
    http_load(load_shard& load, const http::target& target, const std::vector<http::stream_endpoint>& endpoints,
              std::chrono::nanoseconds think_time, bool keep_records)
        : load_(load),
          target_(target),
          think_time_(think_time),
          connector_(load.owner(), target.plan(), endpoints, target.make_secure()),
          books_(load.state().document_length, keep_records, target.list() == nullptr),
          times_(load.operations().size()) {
        if (target.list() != nullptr) {
            chosen_.emplace(load, *target.list());
            return;
        }
        for (std::int64_t k = 0; k < target.options().pipeline; ++k) requests_ += target.bytes();
    }

    awaitable<> run() {
        return load_.run([this](std::span<operation> own) { return client(own); });
    }

    [[nodiscard]] http_recorder& books() noexcept { return books_; }

    /// Writes what HTTP adds to the shard's result.
    void write(result& into) const {
        books_.measured.write(into.counters, "");
        if (load_.books.warm_up.started > 0) books_.warm_up.write(into.counters, "warmup.");
        write_distribution(into, "resolve_time", books_.resolve_time);
        write_distribution(into, "connect_time", books_.connect_time);
        write_distribution(into, "tls_time", books_.tls_time);
        write_distribution(into, "first_byte_time", books_.first_byte_time);
        write_distribution(into, "processing_time", books_.processing_time);
        write_distribution(into, "remainder_time", books_.remainder_time);
        write_answers(into);
        if (chosen_) chosen_->write(into);
        if (!books_.protocol.empty()) into.attributes["tls.protocol"] = books_.protocol;
        if (!books_.server.empty()) into.attributes["http.server"] = books_.server;
        const std::int64_t length = load_.state().document_length;
        if (length >= 0) into.attributes["http.document_length"] = length;
        for (const request_record& one : books_.records) into.records.push_back(to_record(one));
    }

    // What a client's stream asks and tells.
    [[nodiscard]] bool begin(operation& next) { return load_.begin(next); }
    [[nodiscard]] bool needs_body() const noexcept { return target_.expected().needs_body(); }
    [[nodiscard]] bool chooses() const noexcept { return chosen_.has_value(); }
    [[nodiscard]] std::string_view choose(operation& own, std::string& buffer) {
        return chosen_->choose(own, buffer);
    }
    [[nodiscard]] bool is_head(const operation& own) const noexcept {
        return chosen_ ? chosen_->is_head(own) : target_.what().is_head();
    }
    [[nodiscard]] http_books& books_of(const operation& one) noexcept { return books_.books_of(one); }
    void on_head(const http::response_head& head) {
        if (!books_.server.empty()) return;
        if (const auto value = head.headers.find("Server")) books_.server = *value;
    }
    void lost(operation& own, time_point now, const operation_failure& failure) { fail(own, now, failure); }

    /// An answer has ended; whether the client goes on at once, on the same connection. `body`: where it is
    /// needed.
    [[nodiscard]] bool answered(operation& own, const request_times& times, const http::answer& ended,
                                std::string_view body) {
        const bool kept = ended.keeps && target_.options().keep_alive;
        if (ended.surplus) load_.books.count_error(own, "unsolicited_bytes");
        books_.answered(own, times.connected_at, times.sent_at, ended, kept);
        note_answer(ended.ended_at);
        const int status = ended.parsed.status();
        if (!target_.expected().accepts_status(status)) {
            fail(own, ended.ended_at, {cause::status, {}, "status " + std::to_string(status)});
        } else if (auto wrong = needs_body() ? target_.expected().body_fault(body) : std::nullopt) {
            fail(own, ended.ended_at, {cause::assertion, {}, "assertion: " + *wrong});
        } else {
            if (chosen_) chosen_->succeeded(own, ended.ended_at);
            load_.succeeded(own, ended.ended_at);
        }
        return kept && think_time_ <= think_time_.zero();
    }

  private:
    void fail(operation& own, time_point now, const operation_failure& failure) {
        if (chosen_) chosen_->failed(own);
        load_.failed(own, now, failure);
    }

    static void write_distribution(result& into, const char* name, const histogram& values) {
        if (values.count() > 0) into.distributions[name].values = values;
    }

    void write_answers(result& into) const {
        if (answers_.empty()) return;
        distribution& per_client = into.distributions["answers_per_client"];
        per_client.unit = "answers";
        for (const std::int64_t count : answers_) per_client.values.record(count);
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

    using stream = client_stream<http_load>;

    awaitable<> client(std::span<operation> own) {
        http::connection connection(load_.owner(), connector_, target_.options().timeout,
                                    target_.options().connect_timeout);
        stream requests(*this, connection, own, times_of(own), requests_, answers_.emplace_back(0));
        connect_backoff backoff;
        for (;;) {
            while (!requests.begin_one()) {
                if (!load_.more_to_come()) co_return;
                co_await load_.arrival(requests.oldest());
            }
            connection.begin(requests.oldest().start);
            if (!connection.is_open()) {
                http::connect_outcome outcome;
                co_await connection.connect(requests.oldest().start, outcome);
                if (!take_connect(connection, requests, outcome, backoff.is_new())) {
                    co_await load_.owner().sleep_for(backoff.next());
                    continue;
                }
                backoff.reset();
            }
            requests.fill();
            co_await connection.run(requests);
            end_run(connection, requests);
            if (think_time_ > think_time_.zero()) co_await load_.owner().sleep_for(think_time_);
        }
    }

    [[nodiscard]] std::span<request_times> times_of(std::span<const operation> own) {
        const auto first = own.data() - load_.operations().data();
        return std::span(times_).subspan(static_cast<std::size_t>(first), own.size());
    }

    // Whether there is a connection now. `first`: the client had not tried to connect before.
    [[nodiscard]] bool take_connect(http::connection& connection, stream& requests,
                                    const http::connect_outcome& outcome, bool first) {
        const time_point now = load_.owner().now();
        books_.connected(requests.oldest(), outcome);
        requests.connected(now);
        if (outcome.failure) {
            connection.end();
            load_.connect_failed(now, first);
            requests.lose(describe(*outcome.failure), now);
            return false;
        }
        if (books_.protocol.empty()) books_.protocol = connection.protocol();
        load_.state().note_success(now);
        return true;
    }

    void end_run(http::connection& connection, stream& requests) {
        connection.end();
        if (!target_.options().keep_alive) connection.close();
        if (!requests.empty()) requests.lose(why_lost(connection), load_.owner().now());
    }

    // Without a failure, the peer has closed behind an answer: the requests behind it are lost.
    [[nodiscard]] operation_failure why_lost(const http::connection& connection) const {
        if (connection.failure()) return describe(*connection.failure());
        return {cause::connection_lost, {}, "connection_lost: the peer closed it behind an answer"};
    }

    // The other shards need not know of each answer.
    void note_answer(time_point now) {
        if (now - noted_at_ < std::chrono::milliseconds(100)) return;
        noted_at_ = now;
        load_.state().note_success(now);
    }

    [[nodiscard]] operation_failure describe(const http::failure& failure) const {
        const bool before_request = failure.cause == cause::connect || failure.cause == cause::ports ||
                                    failure.cause == cause::resolve || failure.cause == cause::tls;
        std::string sentence = http::describe(failure);
        if (before_request) {
            sentence.insert(to_string(failure.cause).size(), " " + where_it_failed(failure.cause));
        }
        return {failure.cause, failure.error ? error_name(failure.error) : std::string(), std::move(sentence)};
    }

    // The name that was looked up, else the peer; a certificate is one for the URL's host, wherever it lives.
    [[nodiscard]] std::string where_it_failed(cause failed) const {
        const http::connect_plan& plan = target_.plan();
        if (failed == cause::resolve) return plan.host;
        if (failed != cause::tls || plan.host == target_.address().host) return plan.peer();
        return target_.address().host + " at " + plan.peer();
    }

    load_shard& load_;
    const http::target& target_;
    std::chrono::nanoseconds think_time_;
    http::connector connector_;
    std::string requests_;  // the request's bytes, once for each that may be in flight; empty for a list
    std::optional<list_load> chosen_;
    http_recorder books_;
    std::vector<request_times> times_;  // of each operation of the shard
    std::deque<std::int64_t> answers_;  // to measured requests, of each client; they stay where they are
    time_point noted_at_{};             // the last answer that the other shards know of
};

}  // namespace benchkit::inline v0_1::detail
