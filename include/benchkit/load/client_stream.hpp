#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/http/connection.hpp>
#include <benchkit/load/recorder.hpp>

namespace benchkit::inline v0_1::detail {

/// When things happened to a request in flight, besides what its operation keeps.
struct request_times {
    time_point connected_at{};  ///< when its connection was there
    time_point sent_at{};       ///< when its last byte was sent
};

/// The requests of one client on its connection: as many in flight as there are operations, the next begun as
/// soon as an answer has ended. It is the `Stream` of `http::connection::run`; what it does in the load is up
/// to `Owner` (`http_load`).
template <class Owner>
class client_stream {
  public:
    /// `repeated`: the request's bytes, once for each operation; empty where the owner chooses among several,
    /// which are sent one by one. `answers`: how many measured ones were answered.
    client_stream(Owner& owner, http::connection& connection, std::span<operation> operations,
                  std::span<request_times> times, std::string_view repeated, std::int64_t& answers)
        : owner_(owner),
          connection_(connection),
          operations_(operations),
          times_(times),
          repeated_(repeated),
          answers_(answers),
          size_(repeated.size() / operations.size()) {}

    /// Begins the next operation, if there is to be one.
    [[nodiscard]] bool begin_one() {
        const std::size_t place = place_of(in_flight_);
        if (in_flight_ == operations_.size() || !owner_.begin(operations_[place])) return false;
        times_[place].connected_at = operations_[place].start;
        if (owner_.chooses()) choose_request(operations_[place]);
        ++in_flight_;
        unsent_ += size_;
        return true;
    }

    /// Begins as many as may be in flight.
    void fill() {
        while (begin_one()) {
        }
    }

    [[nodiscard]] bool empty() const noexcept { return in_flight_ == 0; }
    [[nodiscard]] operation& oldest() noexcept { return operations_[oldest_]; }
    /// The connection is there for the oldest.
    void connected(time_point now) noexcept { times_[oldest_].connected_at = now; }

    /// The connection is lost: the oldest has failed by this, those behind it are lost with it.
    void lose(const operation_failure& failure, time_point now) {
        for (bool first = true; in_flight_ > 0; first = false) {
            operation& lost = oldest();
            remove_oldest();
            owner_.lost(lost, now,
                        first ? failure : operation_failure{cause::connection_lost, {}, failure.sentence});
        }
        sent_ = part_ = unsent_ = 0;
        body_.clear();
    }

    // What the connection asks and tells.
    [[nodiscard]] std::string_view output() const noexcept {
        return repeated_.substr(repeated_.size() - unsent_);
    }
    [[nodiscard]] std::size_t awaited() const noexcept { return sent_ + (part_ > 0 ? 1 : 0); }
    [[nodiscard]] bool sending() const noexcept { return part_ > 0; }
    [[nodiscard]] bool is_head() const noexcept { return owner_.is_head(oldest_operation()); }

    void on_sent(std::size_t size, time_point now) {
        unsent_ -= size;
        while (size > 0) {
            const std::size_t place = place_of(sent_);
            http::traffic& counted = owner_.books_of(operations_[place]).traffic;
            const std::size_t taken = std::min(size, size_ - part_);
            counted.bytes_sent += static_cast<std::int64_t>(taken);
            size -= taken;
            part_ += taken;
            if (part_ < size_) return;
            part_ = 0;
            ++sent_;
            ++counted.requests_sent;
            times_[place].sent_at = now;
        }
    }
    void on_received(std::size_t size) {
        owner_.books_of(oldest()).traffic.bytes_received += static_cast<std::int64_t>(size);
    }
    void on_head(const http::response_head& head) { owner_.on_head(head); }
    void on_body(std::string_view piece) {
        owner_.books_of(oldest()).body_bytes_received += static_cast<std::int64_t>(piece.size());
        if (owner_.needs_body()) body_.append(piece);
    }
    bool on_answer(const http::answer& ended) {
        operation& answered = oldest();
        request_times& times = times_[oldest_];
        if (sent_ == 0) times.sent_at = ended.first_byte_at;  // it was answered before it was sent
        remove_oldest();
        if (sent_ > 0) --sent_;
        if (!answered.warm_up) ++answers_;
        const bool goes_on = owner_.answered(answered, times, ended, body_);
        body_.clear();
        if (goes_on) fill();
        if (in_flight_ == 0) {
            connection_.end();
        } else {
            connection_.begin(oldest().start);
        }
        return in_flight_ > 0;
    }

  private:
    [[nodiscard]] const operation& oldest_operation() const noexcept { return operations_[oldest_]; }

    void choose_request(operation& own) {
        repeated_ = owner_.choose(own, bytes_);
        size_ = repeated_.size();
    }

    // Where the k-th behind the oldest is, k below the number of operations or, of one, 1.
    [[nodiscard]] std::size_t place_of(std::size_t k) const noexcept {
        const std::size_t place = oldest_ + k;
        return place < operations_.size() ? place : place - operations_.size();
    }

    void remove_oldest() noexcept {
        oldest_ = place_of(1);
        --in_flight_;
    }

    Owner& owner_;
    http::connection& connection_;
    std::span<operation> operations_;  // a ring: those in flight begin at `oldest_`
    std::span<request_times> times_;
    std::string_view repeated_;
    std::int64_t& answers_;
    std::string body_;   // so far, where it is to be judged
    std::string bytes_;  // of a request that has been chosen, where they differ from time to time
    std::size_t size_;   // of one request
    std::size_t oldest_ = 0;
    std::size_t in_flight_ = 0;
    std::size_t sent_ = 0;    // of those in flight, from the oldest on
    std::size_t part_ = 0;    // bytes of the next one that have been sent
    std::size_t unsent_ = 0;  // bytes; always the end of `repeated_`
};

}  // namespace benchkit::inline v0_1::detail
