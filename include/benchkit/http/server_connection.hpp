#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/exec/edge_wait.hpp>
#include <benchkit/exec/shard.hpp>
#include <benchkit/http/garbage.hpp>
#include <benchkit/http/reply.hpp>
#include <benchkit/http/request_parser.hpp>
#include <benchkit/http/server_state.hpp>
#include <benchkit/http/socket_input.hpp>
#include <benchkit/http/stream_socket.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {

/// The life of one accepted connection: requests in, replies out, in order, those to pipelined requests in
/// one write. What a server's faults have in store for a request is done here.
class server_connection {
  public:
    /// `number` is that of the connection, from 1.
    server_connection(shard& owner, stream_socket socket, server_state& state, std::int64_t number)
        : shard_(owner),
          socket_(std::move(socket)),
          state_(state),
          counters_(state.counters[static_cast<std::size_t>(owner.index())]),
          number_(number) {}
    server_connection(const server_connection&) = delete;
    server_connection& operator=(const server_connection&) = delete;
    ~server_connection() { log_outcome("unanswered", true); }

    awaitable<> serve() {
        asio::error_code error;
        socket_.non_blocking(true, error);
        socket_.set_option(asio::ip::tcp::no_delay(true), error);  // not on a Unix socket, which has no delay
        socket_input received(socket_.native_handle());
        while (!ended_) {
            if (!received.has_more()) {
                co_await benchkit::detail::wait_for_input(socket_);
            } else {
                co_await shard_.yield();  // a fast peer stops nobody else
            }
            const std::span<char> buffer = shard_.scratch();
            const std::size_t size = received.read(buffer, error);
            if (error == asio::error::would_block) continue;
            if (error) co_return;
            std::string_view input(buffer.data(), size);
            if (!answer(input)) co_await answer_later(input);
            while (!write_some(error)) {
                co_await benchkit::detail::wait_for_output(socket_);
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
    // Answers every request in `input`, and takes it from its front. False where it must suspend first: for the
    // request that is complete (`is_ready_`), or to send what does not wait for more (`direct_`).
    bool answer(std::string_view& input) {
        while (!input.empty() && !ended_) {
            if (!direct_.empty()) return false;
            std::size_t consumed = 0;
            const parse_status status = parser_.consume(input, consumed);
            input.remove_prefix(consumed);
            if (!is_counted_ && parser_.has_head()) count(parser_.get());
            if (status == parse_status::malformed) return refuse();
            if (status == parse_status::need_more) {
                if (parser_.expects_continue()) out_.append("HTTP/1.1 100 Continue\r\n\r\n");
                return true;
            }
            if (must_wait()) {
                is_ready_ = true;
                return false;
            }
            answer_now(input.empty());
        }
        return true;
    }

    // The same for what must suspend. Others may use the buffer that `input` points into meanwhile, so it is
    // copied first.
    awaitable<> answer_later(std::string_view input) {
        const std::string copy(input);
        std::string_view left = copy;
        do {
            if (is_ready_) parser_.keep();
            asio::error_code error;
            while (!write_some(error)) {  // what was answered before does not wait for what comes now
                co_await benchkit::detail::wait_for_output(socket_);
            }
            if (error) co_return;  // the next write finds it again, and ends the connection
            if (!std::exchange(is_ready_, false)) continue;
            if (due_ > shard_.now()) co_await shard_.sleep_until(due_);
            const auto* const route = deferred_route();
            if (route == nullptr) {
                answer_now(left.empty());
            } else {
                const reply reply = co_await ask(*route);
                append(reply);
            }
        } while (!answer(left));
    }

    // Whether the request that is complete cannot be answered at once.
    [[nodiscard]] bool must_wait() {
        const received_request request = parser_.get();
        target_ = state_.routes.find(request.path);
        due_ = {};
        if (is_numbered_) {
            const time_point now = shard_.now();
            due_ = state_.end_of_stalls(time_after(now, fate_.delay));
            if (due_ > now) return true;
        }
        return deferred_route() != nullptr;
    }

    // Null where the request is answered by no coroutine.
    [[nodiscard]] const async_handler* deferred_route() const noexcept {
        const bool asks = fate_.what == fault::none || fate_.what == fault::truncate;
        return target_ != nullptr && asks ? std::get_if<async_handler>(target_) : nullptr;
    }

    // `is_last`: nothing more has come that could be answered in the same write.
    void answer_now(bool is_last) {
        const auto* const fixed = target_ != nullptr ? std::get_if<prepared_reply>(target_) : nullptr;
        if (fate_.what == fault::status) {
            append(reply(fate_.status, std::string(reason_phrase(fate_.status)) + "\n"));
        } else if (fate_.what == fault::reset) {
            append(reply().reset());
        } else if (fate_.what == fault::malformed) {
            out_.append(garbage(fate_.variant));
            end_request("malformed", true);
        } else if (fixed != nullptr) {
            append_fixed(*fixed, is_last);
        } else if (target_ == nullptr) {
            append(reply(404, "no such path\n"));
        } else {
            append(ask(std::get<handler>(*target_)));
        }
    }

    [[nodiscard]] reply ask(const handler& route) const {
        try {
            return route(parser_.get());
        } catch (...) {
            return failed();
        }
    }

    awaitable<reply> ask(const async_handler& route) {
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

    // Always true, as what `answer` returns.
    bool refuse() {
        fate_ = {};
        append(reply(parser_.error_status(), std::string(parser_.reason_malformed()) + "\n").close());
        return true;
    }

    // The bytes are there already in the form that is asked for nearly always. Where they are the only ones, or
    // many, they are sent from where they are.
    void append_fixed(const prepared_reply& fixed, bool is_last) {
        const bool is_usual = parser_.keep_alive() && parser_.minor_version() > 0 &&
                              fate_.what == fault::none && !fixed.source().closes() && !fixed.source().resets();
        if (!is_usual) return append(fixed.source());
        const std::string_view bytes = parser_.get().method == "HEAD" ? fixed.head() : fixed.message();
        if (out_.empty() && (is_last || bytes.size() >= large)) {
            direct_ = bytes;
        } else {
            out_.append(bytes);
        }
        end_request(fixed.source().status(), false);
    }

    void append(const reply& answer) {
        if (answer.resets()) {
            resets_ = true;
            return end_request("reset", true);
        }
        const bool goes_on = !answer.closes() && parser_.keep_alive();
        const bool head_only = parser_.has_head() && parser_.get().method == "HEAD";
        const std::size_t start = out_.size();
        const std::size_t head = serialize(answer, goes_on, parser_.minor_version(), head_only, out_);
        if (fate_.what != fault::truncate) return end_request(answer.status(), !goes_on);
        const std::size_t body = out_.size() - start - head;
        out_.resize(body > 0 ? start + head + body / 2 : start + head / 2);
        end_request("truncated", true);
    }

    // A head has been parsed. The first one that does not ask for the counters makes a connection count.
    void count(const received_request& request) {
        is_counted_ = true;
        is_numbered_ = false;
        fate_ = {};
        if (request.path == stats_path) return;
        counters_.requests.fetch_add(1, std::memory_order_relaxed);
        if (requests_++ == 0) counters_.connections.fetch_add(1, std::memory_order_relaxed);
        if (state_.is_watched) admit(request);
    }

    void admit(const received_request& request) {
        is_numbered_ = true;
        admitted_at_ = shard_.now();
        request_number_ = state_.number(admitted_at_);
        fate_ = state_.faults.fate(request_number_);
        if (!state_.log) return;
        method_.assign(request.method);
        path_.assign(request.path);
    }

    void end_request(int status, bool ends) {
        if (is_numbered_ && ++answers_ == state_.faults.closes_after()) ends = true;
        if (is_numbered_ && state_.log) log_outcome(std::to_string(status), ends);
        start_request(ends);
    }

    void end_request(std::string_view what_was_done, bool ends) {
        log_outcome(what_was_done, ends);
        start_request(ends);
    }

    void start_request(bool ends) noexcept {
        ended_ = ended_ || ends;
        parser_.start();
        is_counted_ = false;
        is_numbered_ = false;
        fate_ = {};
    }

    void log_outcome(std::string_view outcome, bool ends) {
        if (!is_numbered_ || !state_.log) return;
        state_.log->add(shard_.index(), {.number = request_number_ + 1,
                                         .connection = number_,
                                         .on_connection = requests_,
                                         .at = admitted_at_,
                                         .answered_at = shard_.now(),
                                         .method = method_,
                                         .path = path_,
                                         .outcome = outcome,
                                         .connection_is = ends ? "closed" : "kept"});
    }

    // Whether all is written, or cannot be (`error`).
    bool write_some(asio::error_code& error) {
        std::string_view left = direct_.empty() ? std::string_view(out_) : direct_;
        while (!left.empty()) {
            const std::size_t taken = socket_.send(asio::buffer(left.data(), left.size()), 0, error);
            if (error) break;
            left.remove_prefix(taken);
        }
        const bool full = error == asio::error::would_block;
        if (full) error.clear();
        if (direct_.empty()) {
            out_.erase(0, out_.size() - left.size());
        } else {
            direct_ = left;
        }
        return !full;
    }

    // Closing with a linger time of zero sends a reset; a Unix socket, which knows none, is closed.
    void reset() {
        asio::error_code ignored;
        socket_.set_option(asio::socket_base::linger(true, 0), ignored);
        socket_.close(ignored);
    }

    // Ends the waiting for a peer that does not close.
    struct linger_end final : deadline {
        explicit linger_end(stream_socket& lingering) noexcept : socket(lingering) {}
        void expire() override {
            asio::error_code ignored;
            socket.close(ignored);
        }
        stream_socket& socket;
    };

    // Closes our side and waits for the peer's, for 2 s and 1 MiB: closing with unread bytes would reset the
    // connection and could take the last reply with it (RFC 9112 section 9.6).
    awaitable<> linger() {
        asio::error_code error;
        socket_.shutdown(stream_socket::shutdown_send, error);
        linger_end end(socket_);
        shard_.deadlines(std::chrono::seconds(2)).arm(end, shard_.now());
        std::size_t discarded = 0;
        while (!error && discarded < std::size_t{1024} * 1024) {
            co_await socket_.async_wait(stream_socket::wait_read, asio::redirect_error(use_awaitable, error));
            if (error) break;
            const std::span<char> buffer = shard_.scratch();
            discarded += socket_.read_some(asio::buffer(buffer.data(), buffer.size()), error);
            if (error == asio::error::would_block) error.clear();
        }
    }

    static constexpr std::size_t large = std::size_t{16} * 1024;  // not copied

    shard& shard_;
    stream_socket socket_;
    server_state& state_;
    server_counters& counters_;
    request_parser parser_;
    std::string out_;          // answers that have not been sent
    std::string_view direct_;  // or one of a fixed reply: then `out_` is empty
    const route_target* target_ = nullptr;
    time_point due_{};
    request_fate fate_;
    time_point admitted_at_{};
    std::string method_;  // of a logged request, which may outlive its bytes
    std::string path_;
    std::int64_t number_;
    std::int64_t request_number_ = 0;  // among all of the server, from 0
    std::int64_t requests_ = 0;        // on this connection
    std::int64_t answers_ = 0;
    bool is_counted_ = false;   // the current request has a head
    bool is_numbered_ = false;  // and meets faults or is logged
    bool is_ready_ = false;     // it is complete, and waits
    bool ended_ = false;
    bool resets_ = false;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
