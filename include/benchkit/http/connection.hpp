#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/shard.hpp>
#include <benchkit/http/address_list.hpp>
#include <benchkit/http/response_parser.hpp>
#include <benchkit/result/cause.hpp>

namespace benchkit::inline v0_1::http {

/// Why something on a connection failed: the cause, the system's error where there is one, and for a malformed
/// answer what is wrong with it. Views of string literals.
struct failure {
    benchkit::cause cause = benchkit::cause::receive;
    asio::error_code error;
    std::string_view reason;
};

/// A sentence for a failure, such as "connect: Connection refused".
[[nodiscard]] inline std::string describe(const failure& failed) {
    std::string sentence(to_string(failed.cause));
    if (failed.error) sentence.append(": ").append(failed.error.message());
    if (!failed.reason.empty()) sentence.append(": ").append(failed.reason);
    return sentence;
}

/// What went over connections so far; counted as it happens, so that it is right whenever a run is cut off.
struct traffic {
    std::int64_t requests_sent = 0;  ///< the kernel took the last byte
    std::int64_t bytes_sent = 0;
    std::int64_t bytes_received = 0;
};

/// What came of connecting.
struct connect_outcome {
    std::optional<http::failure> failure;
    std::optional<std::chrono::nanoseconds> resolve_time;  ///< where a name was looked up
    std::chrono::nanoseconds connect_time{0};              ///< over all addresses tried
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
/// the load alike. A request and its connecting share one deadline, which closes the socket.
class connection {
  public:
    connection(shard& owner, address_list& addresses, std::chrono::nanoseconds timeout,
               std::chrono::nanoseconds connect_timeout)
        : shard_(owner),
          addresses_(addresses),
          timeouts_(owner.deadlines(timeout)),
          connect_timeouts_(owner.deadlines(connect_timeout)),
          socket_(owner.executor()) {}

    [[nodiscard]] bool is_open() const noexcept { return socket_.is_open(); }

    /// Starts the time that a request may take; `start` is its actual start.
    void begin(time_point start) {
        timeout_.passed = false;
        timeouts_.arm(timeout_, start);
    }

    /// The request has ended, well or not.
    void end() noexcept { timeout_.disarm(); }

    void close() noexcept {
        asio::error_code ignored;
        socket_.close(ignored);
        used_ = false;
    }

    /// Connects: looks the name up if need be, and tries its addresses in turn.
    [[nodiscard]] awaitable<connect_outcome> connect(time_point start) {
        connect_outcome outcome;
        connect_timeout_.passed = false;
        connect_timeouts_.arm(connect_timeout_, start);
        if (!addresses_.resolved()) {
            const asio::error_code error =
                co_await addresses_.resolve(time_after(start, connect_timeouts_.timeout()));
            outcome.resolve_time = shard_.now() - start;
            if (error) outcome.failure = {cause::resolve, error, {}};
        }
        const time_point resolved_at = shard_.now();
        for (std::size_t k = 0; k < addresses_.size(); ++k) {
            const asio::error_code error = co_await try_address(addresses_.candidate(k));
            outcome.failure = connect_failure(error);
            if (!error) addresses_.prefer(k);
            if (!error || timed_out()) break;
        }
        connect_timeout_.disarm();
        outcome.connect_time = shard_.now() - resolved_at;
        if (outcome.failure) close();
        co_return outcome;
    }

    /// Sends a request and reads its answer; `handler` is told of head and body as by `response_parser`.
    /// `counted` is kept up to date meanwhile. The connection is closed unless it can take another request.
    template <class Handler>
    [[nodiscard]] awaitable<exchange_outcome> exchange(std::string_view request, bool is_head, Handler& handler,
                                                       traffic& counted) {
        exchange_outcome outcome;
        asio::error_code error;
        parser_.start(is_head);
        while (send_some(request, outcome, counted) == progress::wait) {
            co_await socket_.async_wait(stream_socket::wait_write, asio::redirect_error(use_awaitable, error));
        }
        if (!outcome.failure) {
            outcome.sent_at = shard_.now();
            progress came = progress::wait;
            while (came != progress::ended) {
                if (came == progress::more) {
                    co_await shard_.yield();
                } else {
                    co_await socket_.async_wait(stream_socket::wait_read,
                                                asio::redirect_error(use_awaitable, error));
                }
                came = receive_some(handler, outcome, counted);
            }
        }
        outcome.ended_at = shard_.now();
        outcome.keeps = !outcome.failure && parser_.keep_alive() && !outcome.surplus;
        if (!outcome.keeps) close();
        used_ = outcome.keeps;
        co_return outcome;
    }

    /// The parser of the last answer: its status, its sizes.
    [[nodiscard]] const response_parser& answer() const noexcept { return parser_; }

  private:
    // Closes the socket when its time has passed, which ends what the coroutine waits for.
    struct closing_deadline final : deadline {
        explicit closing_deadline(connection& closed_connection) noexcept : owner(closed_connection) {}
        void expire() override {
            passed = true;
            owner.close_socket();
        }
        connection& owner;
        bool passed = false;
    };

    void close_socket() noexcept {
        asio::error_code ignored;
        socket_.close(ignored);
    }

    [[nodiscard]] bool timed_out() const noexcept { return timeout_.passed || connect_timeout_.passed; }

    awaitable<asio::error_code> try_address(const stream_endpoint& endpoint) {
        asio::error_code error;
        socket_.close(error);
        if (timed_out()) co_return asio::error::timed_out;
        socket_.open(endpoint.protocol(), error);
        if (!error) co_await socket_.async_connect(endpoint, asio::redirect_error(use_awaitable, error));
        if (timed_out()) co_return asio::error::timed_out;
        if (!error) socket_.non_blocking(true, error);
        if (!error) socket_.set_option(asio::ip::tcp::no_delay(true), error);
        co_return error;
    }

    [[nodiscard]] std::optional<failure> connect_failure(const asio::error_code& error) const {
        if (!error) return std::nullopt;
        if (timeout_.passed) return failure{cause::timeout, {}, {}};
        const bool ports = error == asio::error_code(EADDRNOTAVAIL, asio::error::get_system_category());
        return failure{ports ? cause::ports : cause::connect, error, {}};
    }

    // A reused connection may have been closed by the peer while it was idle: then nothing of the answer came.
    [[nodiscard]] failure broken(cause otherwise, const asio::error_code& error) const {
        if (timeout_.passed) return {cause::timeout, {}, {}};
        return {used_ && !parser_.started() ? cause::stale : otherwise, error, {}};
    }

    enum class progress : std::uint8_t { wait, more, ended };

    // A peer may send faster than we read: after as many reads, deadlines, signals and the other connections of
    // the shard have their turn.
    static constexpr int most_reads_at_once = 8;

    // Gives the kernel as much of the request as it takes; what has been given is cut off.
    progress send_some(std::string_view& request, exchange_outcome& outcome, traffic& counted) {
        while (!request.empty()) {
            asio::error_code error;
            const std::size_t taken = socket_.send(asio::buffer(request.data(), request.size()), 0, error);
            if (error == asio::error::would_block) return progress::wait;
            if (error) {
                outcome.failure = broken(cause::send, error);
                return progress::ended;
            }
            counted.bytes_sent += static_cast<std::int64_t>(taken);
            request.remove_prefix(taken);
        }
        ++counted.requests_sent;
        return progress::ended;
    }

    // Reads until the answer is complete or the socket is empty. Data and FIN may come in one edge, so only an
    // empty socket is waited for.
    template <class Handler>
    progress receive_some(Handler& handler, exchange_outcome& outcome, traffic& counted) {
        const std::span<char> buffer = shard_.scratch();
        for (int left = most_reads_at_once; left > 0; --left) {
            asio::error_code error;
            const std::size_t size = socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
            if (error == asio::error::would_block) return progress::wait;
            if (error == asio::error::eof) {
                if (parser_.end_of_stream() != parse_status::complete)
                    outcome.failure = broken(cause::closed, {});
                return progress::ended;
            }
            if (error) {
                outcome.failure = broken(cause::receive, error);
                return progress::ended;
            }
            if (!parser_.started()) outcome.first_byte_at = shard_.now();
            counted.bytes_received += static_cast<std::int64_t>(size);
            std::size_t consumed = 0;
            const parse_status status = parser_.consume({buffer.data(), size}, consumed, handler);
            if (status == parse_status::need_more) continue;
            if (status == parse_status::malformed) {
                outcome.failure = failure{cause::malformed, {}, parser_.reason_malformed()};
            }
            outcome.surplus = status == parse_status::complete && consumed < size;
            return progress::ended;
        }
        return progress::more;
    }

    shard& shard_;
    address_list& addresses_;
    deadline_queue& timeouts_;
    deadline_queue& connect_timeouts_;
    closing_deadline timeout_{*this};
    closing_deadline connect_timeout_{*this};
    stream_socket socket_;
    response_parser parser_;
    bool used_ = false;  // has answered a request before
};

}  // namespace benchkit::inline v0_1::http
