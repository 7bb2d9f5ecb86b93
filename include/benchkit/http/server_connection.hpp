#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/exec/shard.hpp>
#include <benchkit/http/reply.hpp>
#include <benchkit/http/request_parser.hpp>
#include <benchkit/http/router.hpp>

namespace benchkit::inline v0_1::http {

using tcp_socket = asio::basic_stream_socket<asio::ip::tcp, executor_type>;

/// What one shard of a server has seen; read from any thread.
struct alignas(64) server_counters {
    std::atomic<std::int64_t> requests = 0;     ///< heads parsed
    std::atomic<std::int64_t> connections = 0;  ///< on which one came
};

/// The path under which a server tells its counters; asking for it is counted nowhere.
inline constexpr std::string_view stats_path = "/benchkit/stats";

namespace detail {

/// The life of one accepted connection: requests in, replies out, in order, those to pipelined requests in
/// one write.
class server_connection {
  public:
    server_connection(shard& owner, tcp_socket socket, const router& routes, server_counters& counters)
        : shard_(owner), socket_(std::move(socket)), routes_(routes), counters_(counters) {}

    awaitable<> serve() {
        asio::error_code error;
        socket_.non_blocking(true, error);
        socket_.set_option(asio::ip::tcp::no_delay(true), error);
        while (!ended_) {
            co_await socket_.async_wait(tcp_socket::wait_read, asio::redirect_error(use_awaitable, error));
            const std::span<char> buffer = shard_.scratch();
            const std::size_t size = socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
            if (error == asio::error::would_block) continue;
            if (error) co_return;
            co_await answer_all({buffer.data(), size});
            while (!write_some(error)) {
                co_await socket_.async_wait(tcp_socket::wait_write, asio::redirect_error(use_awaitable, error));
            }
            if (error) co_return;
        }
        if (resets_) {
            reset();
        } else {
            co_await linger();
        }
    }

  private:
    // Answers every request in `input` into `out_`. A route that suspends lets others use the buffer that
    // `input` points into, so what is left of it is copied first.
    awaitable<> answer_all(std::string_view input) {
        std::string left;
        while (!input.empty() && !ended_) {
            std::size_t consumed = 0;
            const parse_status status = parser_.consume(input, consumed);
            input.remove_prefix(consumed);
            if (parser_.has_head() && !counted_) count();
            if (status == parse_status::malformed) {
                append(reply(parser_.error_status(), std::string(parser_.reason_malformed()) + "\n").close());
                ended_ = true;
            }
            if (status == parse_status::need_more && parser_.expects_continue()) {
                out_.append("HTTP/1.1 100 Continue\r\n\r\n");
            }
            if (status != parse_status::complete) co_return;
            const received_request request = parser_.get();
            const route_target* const target = routes_.find(request.path);
            const auto* const deferred = target != nullptr ? std::get_if<async_handler>(target) : nullptr;
            if (deferred == nullptr) {
                append(answer_now(target, request));
            } else {
                parser_.keep();
                left = std::string(input);
                input = left;
                const reply answer = co_await answer_later(*deferred);
                append(answer);
            }
            parser_.start();
            counted_ = false;
        }
    }

    [[nodiscard]] static reply answer_now(const route_target* target, const received_request& request) {
        if (target == nullptr) return reply(404, "no such path\n");
        if (const auto* const fixed = std::get_if<reply>(target)) return *fixed;
        try {
            return std::get<handler>(*target)(request);
        } catch (...) {
            return failed();
        }
    }

    awaitable<reply> answer_later(const async_handler& route) {
        const received_request request = parser_.get();
        try {
            co_return co_await route(shard_, request);
        } catch (...) {
            co_return failed();
        }
    }

    // The answer to what a route threw; for its catch block.
    [[nodiscard]] static reply failed() {
        try {
            throw;
        } catch (const std::exception& problem) {
            return reply(500, std::string(problem.what()) + "\n");
        } catch (...) {
            return reply(500, "an exception that is no std::exception\n");
        }
    }

    void append(const reply& answer) {
        resets_ = resets_ || answer.resets();
        ended_ = ended_ || resets_ || answer.closes() || !parser_.keep_alive();
        if (answer.resets()) return;
        const bool head_only = parser_.has_head() && parser_.get().method == "HEAD";
        serialize(answer, !ended_, parser_.minor_version(), head_only, out_);
    }

    // The first request that is not for the counters themselves makes a connection count.
    void count() {
        counted_ = true;
        if (parser_.get().path == stats_path) return;
        counters_.requests.fetch_add(1, std::memory_order_relaxed);
        if (!std::exchange(connection_counted_, true)) {
            counters_.connections.fetch_add(1, std::memory_order_relaxed);
        }
    }

    // Whether all is written, or cannot be (`error`).
    bool write_some(asio::error_code& error) {
        std::size_t written = 0;
        while (written < out_.size()) {
            const std::size_t taken =
                socket_.send(asio::buffer(out_.data() + written, out_.size() - written), 0, error);
            if (error) break;
            written += taken;
        }
        const bool full = error == asio::error::would_block;
        if (full) error.clear();
        out_.erase(0, written);
        return !full;
    }

    // Closing with a linger time of zero sends a reset.
    void reset() {
        asio::error_code ignored;
        socket_.set_option(asio::socket_base::linger(true, 0), ignored);
        socket_.close(ignored);
    }

    // Ends the waiting for a peer that does not close.
    struct linger_end final : deadline {
        explicit linger_end(tcp_socket& lingering) noexcept : socket(lingering) {}
        void expire() override {
            asio::error_code ignored;
            socket.close(ignored);
        }
        tcp_socket& socket;
    };

    // Closes our side and waits for the peer's, for 2 s and 1 MiB: closing with unread bytes would reset the
    // connection and could take the last reply with it (RFC 9112 section 9.6).
    awaitable<> linger() {
        asio::error_code error;
        socket_.shutdown(tcp_socket::shutdown_send, error);
        linger_end end(socket_);
        shard_.deadlines(std::chrono::seconds(2)).arm(end, shard_.now());
        std::size_t discarded = 0;
        while (!error && discarded < std::size_t{1024} * 1024) {
            co_await socket_.async_wait(tcp_socket::wait_read, asio::redirect_error(use_awaitable, error));
            if (error) break;
            const std::span<char> buffer = shard_.scratch();
            discarded += socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
            if (error == asio::error::would_block) error.clear();
        }
    }

    shard& shard_;
    tcp_socket socket_;
    const router& routes_;
    server_counters& counters_;
    request_parser parser_;
    std::string out_;
    bool counted_ = false;             // the current request is
    bool connection_counted_ = false;  // the connection is
    bool ended_ = false;
    bool resets_ = false;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
