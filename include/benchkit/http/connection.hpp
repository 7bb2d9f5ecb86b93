#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/edge_wait.hpp>
#include <benchkit/exec/shard.hpp>
#include <benchkit/exec/wait_group.hpp>
#include <benchkit/http/connector.hpp>
#include <benchkit/http/failure.hpp>
#include <benchkit/http/response_parser.hpp>

namespace benchkit::inline v0_1::http {

/// What went over connections so far; counted as it happens, so that it is right whenever a run is cut off.
struct traffic {
    std::int64_t requests_sent = 0;  ///< the kernel took the last byte
    std::int64_t bytes_sent = 0;     ///< of HTTP, without what TLS adds
    std::int64_t bytes_received = 0;
};

/// What came of connecting.
struct connect_outcome {
    std::optional<http::failure> failure;
    std::optional<std::chrono::nanoseconds> resolve_time;  ///< where a name was looked up
    std::chrono::nanoseconds connect_time{0};              ///< over all addresses tried
    std::optional<std::chrono::nanoseconds> tls_time;      ///< of the handshake, where there is one
    bool resumed = false;                                  ///< it took up an earlier session
};

/// A complete answer, while it is told; what it points to is gone afterwards.
struct answer {
    const response_parser& parsed;  ///< its status and its sizes
    time_point first_byte_at;
    time_point ended_at;
    bool keeps;    ///< the connection takes another request
    bool surplus;  ///< bytes came behind it that belong to no answer
};

/// What came of one request: the failure, or an answer.
struct exchange_outcome {
    std::optional<http::failure> failure;
    bool keeps = false;          ///< the connection takes another request
    bool surplus = false;        ///< bytes came that belong to no answer
    time_point sent_at{};        ///< last byte sent
    time_point first_byte_at{};  ///< first byte of the answer
    time_point ended_at{};       ///< answer complete, or failed
};

/// A connection to a target, and the one place where requests are sent and answers read: for `client` and for
/// the load alike. Requests in flight share one deadline with the connecting; it closes the socket.
class connection {
  public:
    connection(shard& owner, http::connector& peer, std::chrono::nanoseconds timeout,
               std::chrono::nanoseconds connect_timeout)
        : shard_(owner),
          connector_(peer),
          timeouts_(owner.deadlines(timeout)),
          connect_timeouts_(owner.deadlines(connect_timeout)),
          socket_(owner.executor()) {}

    [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }
    /// What TLS has agreed on with the peer; empty where none is spoken.
    [[nodiscard]] std::string protocol() const {
        return channel_ == nullptr ? std::string() : channel_->protocol();
    }

    /// Starts the time that a request may take; `start` is its actual start. Of several in flight, the
    /// oldest's.
    void begin(time_point start) {
        timeout_.passed = false;
        timeout_.start = start;
        timeout_.active = true;
        if (!timeout_.armed()) timeouts_.arm(timeout_, start);
    }

    /// No request is in flight any more.
    void end() noexcept { timeout_.active = false; }

    void close() noexcept {
        if (channel_ != nullptr && socket_.is_open()) channel_->close();
        channel_.reset();
        close_socket();
        used_ = false;
    }

    /// Connects: looks the name up if need be, tries its addresses in turn, and shakes hands where TLS is
    /// spoken. What came of it is in `outcome`.
    [[nodiscard]] awaitable<> connect(time_point start, connect_outcome& outcome) {
        connect_deadline limit(*this);
        connect_timed_out_ = false;
        connect_timeouts_.arm(limit, start);
        address_list& addresses = connector_.addresses();
        if (!addresses.resolved()) {
            const time_point due = time_after(start, connect_timeouts_.timeout());
            const asio::error_code error = co_await addresses.resolve(due);
            outcome.resolve_time = shard_.now() - start;
            if (error) outcome.failure = {cause::resolve, error, {}};
        }
        time_point begun = shard_.now();
        const std::size_t first = addresses.first();
        for (std::size_t k = 0; k < addresses.size(); ++k) {
            asio::error_code error = begin_connect(addresses.at(first + k));
            while (error == asio::error::in_progress) {
                co_await benchkit::detail::wait_for_output(socket_);
                error = connected();
            }
            outcome.failure = connect_failure(error);
            if (!error) {
                addresses.prefer(first + k);
                input_ = detail::socket_input(socket_.native_handle());
            }
            if (!error || timed_out()) break;
        }
        outcome.connect_time = shard_.now() - begun;
        if (!outcome.failure && connector_.secure() != nullptr) {
            begun = shard_.now();
            co_await shake_hands(outcome);
            outcome.tls_time = shard_.now() - begun;
        }
        if (outcome.failure) close();
    }

    /// Sends the requests of a stream and reads their answers, until it wants no more, or nothing more can come
    /// over the connection, which is closed then. `failure()` tells why, where it was no answer's wish.
    ///
    /// `Stream` has
    ///   std::string_view output()              what is to be sent
    ///   void on_sent(std::size_t, time_point)  so much of it has been
    ///   void on_received(std::size_t)          bytes, before what they mean
    ///   void on_head(const response_head&), void on_body(std::string_view)   as for `response_parser`
    ///   std::size_t awaited()   requests of which something was sent and whose answer has not ended
    ///   bool sending()     one of these has been sent in part
    ///   bool is_head()     they are HEAD requests
    ///   bool on_answer(const answer&)   the oldest's answer has ended; whether it wants to go on
    template <class Stream>
    [[nodiscard]] awaitable<> run(Stream& stream) {
        failure_.reset();
        keeps_ = true;
        parser_.start(stream.is_head());
        progress came = look_first(stream);
        while (came != progress::ended) {
            const progress sent = send(stream);
            if (sent == progress::ended) break;
            if (came == progress::more) {
                co_await shard_.yield();
            } else if (sent == progress::blocked || came == progress::blocked) {
                co_await wait_for_either();
            } else {
                co_await benchkit::detail::wait_for_input(socket_);
            }
            came = receive(stream);
        }
        if (failure_ || !keeps_) close();
    }

    /// After `run`: why it ended before the stream wanted it to.
    [[nodiscard]] const std::optional<http::failure>& failure() const noexcept { return failure_; }

    /// Sends a request and reads its answer; `receiver` is told of head and body as by `response_parser`.
    /// `counted` is kept up to date meanwhile. The connection is closed unless it can take another request.
    template <class Handler>
    [[nodiscard]] awaitable<exchange_outcome> exchange(std::string_view request, bool is_head,
                                                       Handler& receiver, traffic& counted) {
        single_request<Handler> stream(request, is_head, receiver, counted);
        co_await run(stream);
        if (failure_) {
            stream.outcome.failure = failure_;
            stream.outcome.ended_at = shard_.now();
        }
        co_return stream.outcome;
    }

  private:
    // Close the socket when the time has passed, which ends what the coroutine waits for.
    struct connect_deadline final : deadline {
        explicit connect_deadline(connection& closed_connection) noexcept : owner(closed_connection) {}
        void expire() override {
            owner.connect_timed_out_ = true;
            owner.close_socket();
        }
        connection& owner;
    };
    // Stays armed from request to request: only when it falls due it looks whether the request in flight then
    // is a later one.
    struct request_deadline final : deadline {
        explicit request_deadline(connection& closed_connection) noexcept : owner(closed_connection) {}
        void expire() override {
            if (!active) return;
            if (time_after(start, owner.timeouts_.timeout()) > owner.shard_.now()) {
                return owner.timeouts_.arm(*this, start);
            }
            passed = true;
            owner.close_socket();
        }
        connection& owner;
        time_point start{};
        bool active = false;
        bool passed = false;
    };

    // The stream of one request.
    template <class Handler>
    struct single_request {
        single_request(std::string_view request, bool head, Handler& told, traffic& kept)
            : left(request), head_request(head), receiver(told), counted(kept) {}

        [[nodiscard]] std::string_view output() const { return left; }
        void on_sent(std::size_t size, time_point now) {
            left.remove_prefix(size);
            counted.bytes_sent += static_cast<std::int64_t>(size);
            if (!left.empty()) return;
            ++counted.requests_sent;
            outcome.sent_at = now;
        }
        void on_received(std::size_t size) { counted.bytes_received += static_cast<std::int64_t>(size); }
        void on_head(const response_head& head) { receiver.on_head(head); }
        void on_body(std::string_view piece) { receiver.on_body(piece); }
        [[nodiscard]] std::size_t awaited() const { return 1; }
        [[nodiscard]] bool sending() const { return !left.empty(); }
        [[nodiscard]] bool is_head() const { return head_request; }
        bool on_answer(const answer& ended) {
            if (sending()) outcome.sent_at = ended.first_byte_at;
            outcome.keeps = ended.keeps;
            outcome.surplus = ended.surplus;
            outcome.first_byte_at = ended.first_byte_at;
            outcome.ended_at = ended.ended_at;
            return false;
        }

        std::string_view left;
        bool head_request;
        Handler& receiver;
        traffic& counted;
        exchange_outcome outcome;
    };

    void close_socket() noexcept {
        asio::error_code ignored;
        socket_.close(ignored);
    }

    [[nodiscard]] bool timed_out() const noexcept { return timeout_.passed || connect_timed_out_; }

    // Starts to connect: `in_progress` where it has not ended at once.
    [[nodiscard]] asio::error_code begin_connect(const stream_endpoint& endpoint) {
        close_socket();
        if (timed_out()) return asio::error::timed_out;
        asio::error_code error = connector_.open(socket_, endpoint);
        if (error) return error;
        if (::connect(socket_.native_handle(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0) {
            error.assign(errno, asio::error::get_system_category());
        }
        return error == asio::error::interrupted ? asio::error_code(asio::error::in_progress) : error;
    }

    // What has come of it so far.
    [[nodiscard]] asio::error_code connected() {
        if (timed_out()) return asio::error::timed_out;
        if (!socket_.is_open()) return asio::error::bad_descriptor;
        pollfd asked{socket_.native_handle(), POLLOUT, 0};
        if (::poll(&asked, 1, 0) == 0) return asio::error::in_progress;
        int told = 0;
        socklen_t size = sizeof told;
        if (::getsockopt(socket_.native_handle(), SOL_SOCKET, SO_ERROR, &told, &size) != 0) told = errno;
        return {told, asio::error::get_system_category()};
    }

    awaitable<> shake_hands(connect_outcome& outcome) {
        channel_ = connector_.secure()->open(socket_.native_handle());
        for (;;) {
            outcome.failure = handshake_cut_off();
            if (outcome.failure) co_return;
            const transfer step = channel_->handshake();
            if (step.status == transfer_status::needs_input) {
                co_await benchkit::detail::wait_for_input(socket_);
            } else if (step.status == transfer_status::needs_output) {
                co_await benchkit::detail::wait_for_output(socket_);
            } else {
                if (step.status != transfer_status::done) outcome.failure = handshake_failure(step);
                outcome.resumed = !outcome.failure && channel_->resumed();
                co_return;
            }
        }
    }

    [[nodiscard]] std::optional<http::failure> handshake_cut_off() const {
        if (timeout_.passed) return http::failure{cause::timeout, {}, {}};
        if (connect_timed_out_) return http::failure{cause::tls, asio::error::timed_out, {}};
        if (!socket_.is_open()) return http::failure{cause::tls, asio::error::bad_descriptor, {}};
        return std::nullopt;
    }

    [[nodiscard]] static http::failure handshake_failure(const transfer& step) {
        const bool said = step.error || !step.reason.empty();
        return {cause::tls, step.error, said ? step.reason : "the peer closed the connection in the handshake"};
    }

    [[nodiscard]] std::optional<http::failure> connect_failure(const asio::error_code& error) const {
        if (!error) return std::nullopt;
        if (timeout_.passed) return http::failure{cause::timeout, {}, {}};
        const auto& system = asio::error::get_system_category();
        const bool ports =
            error == asio::error_code(EADDRNOTAVAIL, system) || error == asio::error_code(EADDRINUSE, system);
        return http::failure{ports ? cause::ports : cause::connect, error, {}};
    }

    // A reused connection may have been closed by the peer while it was idle: then nothing of the answer came.
    [[nodiscard]] http::failure broken(cause otherwise, const transfer& attempt) const {
        if (timeout_.passed) return {cause::timeout, {}, {}};
        if (used_ && !parser_.started()) return {cause::stale, attempt.error, {}};
        const bool said_by_tls = attempt.status == transfer_status::failed && !attempt.reason.empty();
        return {said_by_tls ? cause::tls : otherwise, attempt.error, attempt.reason};
    }

    // `wait`: for input. `more`: input may be there. `blocked`: for either direction. `ended`: nothing more.
    enum class progress : std::uint8_t { wait, more, blocked, ended };

    // A peer may send faster than we read: after as many reads, deadlines, signals and the other connections of
    // the shard have their turn.
    static constexpr int most_reads_at_once = 8;

    // The socket is known by its number, which may be another's once it has been closed.
    [[nodiscard]] transfer read(std::span<char> buffer) {
        if (!socket_.is_open()) return closed_here();
        return channel_ == nullptr ? detail::read_socket(input_, buffer) : channel_->read_some(buffer);
    }
    // Whether something may stand behind what was read last, of which no edge tells.
    [[nodiscard]] bool may_have_more() const {
        return channel_ == nullptr ? input_.has_more() : channel_->has_more();
    }
    [[nodiscard]] transfer write(std::string_view bytes) {
        if (channel_ == nullptr) return detail::write_socket(socket_, bytes);
        return socket_.is_open() ? channel_->write_some(bytes) : closed_here();
    }
    [[nodiscard]] static transfer closed_here() {
        return {transfer_status::failed, 0, asio::error::bad_descriptor};
    }

    // What came while nothing was asked: an answer without a request can only be taken for another's.
    template <class Stream>
    progress look_first(Stream& stream) {
        const transfer got = read(shard_.scratch());
        if (got.status == transfer_status::needs_input || got.status == transfer_status::needs_output) {
            return progress::wait;
        }
        if (got.status == transfer_status::done) {
            stream.on_received(got.size);
            failure_ = http::failure{cause::malformed, {}, "an answer that came before its request"};
        } else {
            failure_ = broken(got.status == transfer_status::failed ? cause::receive : cause::closed, got);
        }
        return progress::ended;
    }

    template <class Stream>
    progress send(Stream& stream) {
        while (!stream.output().empty()) {
            const transfer put = write(stream.output());
            if (put.status == transfer_status::needs_output || put.status == transfer_status::needs_input) {
                return progress::blocked;
            }
            if (put.status != transfer_status::done) {
                failure_ = broken(cause::send, put);
                return progress::ended;
            }
            stream.on_sent(put.size, shard_.now());
        }
        return progress::wait;
    }

    // Reads until all that is awaited is there or the socket is empty: data and FIN may come in one edge.
    template <class Stream>
    progress receive(Stream& stream) {
        const std::span<char> buffer = shard_.scratch();
        for (int left = most_reads_at_once; left > 0; --left) {
            const transfer got = read(buffer);
            if (got.status == transfer_status::needs_input) return progress::wait;
            if (got.status == transfer_status::needs_output) return progress::blocked;
            const time_point now = shard_.now();
            if (got.status != transfer_status::done) return end_of_input(stream, got, now);
            stream.on_received(got.size);
            const progress after = take(stream, {buffer.data(), got.size}, now);
            if (after != progress::more) return after;
            if (!may_have_more()) return progress::wait;
        }
        return progress::more;
    }

    // Behind the last answer that is awaited. The peer's FIN may have come in one edge with it; then nothing
    // would tell of it again, however long the next request waits.
    enum class behind : std::uint8_t { nothing, bytes, end };

    template <class Stream>
    [[nodiscard]] behind look_behind(Stream& stream) {
        if (!may_have_more()) return behind::nothing;
        const transfer got = read(shard_.scratch());
        if (got.status == transfer_status::needs_input || got.status == transfer_status::needs_output) {
            return behind::nothing;
        }
        if (got.status != transfer_status::done) return behind::end;
        stream.on_received(got.size);
        return behind::bytes;
    }

    template <class Stream>
    progress end_of_input(Stream& stream, const transfer& got, time_point now) {
        const bool in_order = got.status == transfer_status::closed;
        if (in_order && parser_.end_of_stream() == parse_status::complete) {
            deliver(stream, now, false, false);
        } else {
            failure_ = broken(got.status == transfer_status::failed ? cause::receive : cause::closed, got);
        }
        return progress::ended;
    }

    template <class Stream>
    progress take(Stream& stream, std::string_view input, time_point now) {
        while (!input.empty()) {
            if (!parser_.started()) first_byte_at_ = now;
            std::size_t consumed = 0;
            const parse_status status = parser_.consume(input, consumed, stream);
            input.remove_prefix(consumed);
            if (status == parse_status::need_more) return progress::more;
            if (status != parse_status::complete) {
                failure_ = http::failure{cause::malformed, {}, parser_.reason_malformed()};
                return progress::ended;
            }
            const bool last = stream.awaited() == 1;
            behind left = input.empty() ? behind::nothing : behind::bytes;
            if (last && input.empty()) left = look_behind(stream);
            const bool surplus = last && left == behind::bytes;
            const bool ended = last && left != behind::nothing;
            const bool keeps = parser_.keep_alive() && !ended && !(last && stream.sending());
            if (!deliver(stream, now, keeps, surplus)) return progress::ended;
            parser_.start(stream.is_head());
        }
        return stream.awaited() > 0 ? progress::more : progress::wait;
    }

    // Whether more is to come over this connection.
    template <class Stream>
    bool deliver(Stream& stream, time_point now, bool keeps, bool surplus) {
        keeps_ = keeps;
        used_ = true;
        const bool goes_on = stream.on_answer(answer{parser_, first_byte_at_, now, keeps, surplus});
        return goes_on && keeps;
    }

    // A peer that answers while it is still sent to, or that stops to read, must not stop us both.
    awaitable<> wait_for_either() {
        event first(shard_);
        wait_group both(shard_);
        both.add(2);
        const auto ended = [&first, &both](const asio::error_code&) {
            first.set();
            both.done();
        };
        socket_.async_wait(stream_socket::wait_write, ended);
        socket_.async_wait(stream_socket::wait_read, ended);
        co_await first.wait();
        asio::error_code ignored;
        socket_.cancel(ignored);
        co_await both.wait();
    }

    shard& shard_;
    http::connector& connector_;
    deadline_queue& timeouts_;
    deadline_queue& connect_timeouts_;
    request_deadline timeout_{*this};
    stream_socket socket_;
    detail::socket_input input_;
    std::unique_ptr<secure_channel> channel_;
    response_parser parser_;
    time_point first_byte_at_{};
    std::optional<http::failure> failure_;
    bool keeps_ = false;
    bool used_ = false;  // has answered a request before
    bool connect_timed_out_ = false;
};

}  // namespace benchkit::inline v0_1::http
