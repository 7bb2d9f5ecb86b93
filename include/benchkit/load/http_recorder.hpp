#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <benchkit/http/connection.hpp>
#include <benchkit/http/response_parser.hpp>
#include <benchkit/load/recorder.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::detail {

/// What HTTP adds to the books of one phase.
struct http_books {
    http::traffic traffic;
    std::int64_t body_bytes_received = 0;
    std::int64_t connections_opened = 0;
    std::int64_t tls_resumed = 0;     ///< connections that took up an earlier TLS session
    std::int64_t kept_alive = 0;      ///< answers after which the connection could take another request
    std::int64_t length_differs = 0;  ///< answers whose body is not as long as the first one's
    std::vector<std::int64_t> statuses = std::vector<std::int64_t>(1000);

    void write(counters& into, const std::string& prefix) const {
        into[prefix + "requests_sent"] = traffic.requests_sent;
        into[prefix + "bytes_sent"] = traffic.bytes_sent;
        into[prefix + "bytes_received"] = traffic.bytes_received;
        into[prefix + "body_bytes_received"] = body_bytes_received;
        into[prefix + "connections_opened"] = connections_opened;
        if (tls_resumed > 0) into[prefix + "tls_resumed"] = tls_resumed;
        into[prefix + "kept_alive"] = kept_alive;
        into[prefix + "length_differs"] = length_differs;
        for (std::size_t status = 0; status < statuses.size(); ++status) {
            if (statuses[status] > 0) into[prefix + "status." + std::to_string(status)] = statuses[status];
        }
    }
};

/// The times of one answered request, as records keep them; nanoseconds.
struct request_record {
    time_point start;
    std::chrono::nanoseconds connect;
    std::chrono::nanoseconds processing;
    std::chrono::nanoseconds waiting;
};

/// Counts and times what HTTP adds to the operations of one shard.
class http_recorder {
  public:
    /// `document_length` is shared by the shards of a run: the body length of the first answer, -1 before it.
    /// `same_document`: all answers should be as long as the first.
    http_recorder(std::atomic<std::int64_t>& document_length, bool keep_records, bool same_document = true)
        : document_length_(document_length), keep_records_(keep_records), same_document_(same_document) {}

    [[nodiscard]] http_books& books_of(const operation& one) noexcept {
        return one.warm_up ? warm_up : measured;
    }

    void connected(const operation& during, const http::connect_outcome& outcome) {
        if (!outcome.failure) ++books_of(during).connections_opened;
        if (outcome.resumed) ++books_of(during).tls_resumed;
        if (during.warm_up) return;
        if (outcome.resolve_time) resolve_time.record(outcome.resolve_time->count());
        if (outcome.failure) return;
        connect_time.record(outcome.connect_time.count());
        if (outcome.tls_time) tls_time.record(outcome.tls_time->count());
    }

    /// A complete answer, whatever its status. `connected_at`: when the connection was there; `sent_at`: when
    /// the last byte of the request was sent; `kept`: the connection takes another request.
    void answered(const operation& during, time_point connected_at, time_point sent_at,
                  const http::answer& ended, bool kept) {
        http_books& books = books_of(during);
        if (kept) ++books.kept_alive;
        ++books.statuses[static_cast<std::size_t>(ended.parsed.status())];
        if (during.warm_up) return;
        if (same_document_) compare_length(ended.parsed.body_bytes());
        const std::chrono::nanoseconds processing = ended.ended_at - connected_at;
        const std::chrono::nanoseconds waiting = ended.first_byte_at - sent_at;
        processing_time.record(processing.count());
        first_byte_time.record(waiting.count());
        const std::chrono::nanoseconds remainder = ended.ended_at - ended.first_byte_at;
        if (remainder > remainder.zero()) remainder_time.record(remainder.count());
        if (keep_records_) records.push_back({during.start, connected_at - during.start, processing, waiting});
    }

    http_books warm_up;
    http_books measured;
    histogram resolve_time;
    histogram connect_time;
    histogram tls_time;
    histogram first_byte_time;
    histogram processing_time;
    histogram remainder_time;  ///< of answers that took more than one read
    std::vector<request_record> records;
    std::string protocol;  ///< what TLS has agreed on, on the first connection
    std::string server;    ///< the Server field of the first answer that had one

  private:
    void compare_length(std::int64_t length) {
        if (expected_length_ < 0) {
            std::int64_t none = -1;
            document_length_.compare_exchange_strong(none, length);
            expected_length_ = document_length_;
        }
        if (length != expected_length_) ++measured.length_differs;
    }

    std::atomic<std::int64_t>& document_length_;
    std::int64_t expected_length_ = -1;
    bool keep_records_;
    bool same_document_;
};

}  // namespace benchkit::inline v0_1::detail
