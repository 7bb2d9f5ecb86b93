#pragma once

#include <chrono>
#include <cstdint>
#include <exception>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/exec/run.hpp>
#include <benchkit/http/faults.hpp>
#include <benchkit/http/listener.hpp>
#include <benchkit/http/request_log.hpp>
#include <benchkit/http/router.hpp>
#include <benchkit/http/server_connection.hpp>
#include <benchkit/http/server_state.hpp>
#include <benchkit/http/unix_path.hpp>

namespace benchkit::inline v0_1::http {

/// Where a server listens, and on how many threads it answers.
struct server_options {
    std::string address = "127.0.0.1";  ///< an IPv4 or IPv6 address of this machine
    int port = 0;                       ///< 0 to 65535; 0 lets the system choose
    int shards = 1;                     ///< threads, 1 to 1024
    std::string unix_path = {};         ///< of a Unix socket to listen on, instead of address and port
};

/// An embedded HTTP/1.1 server on threads of its own: the counterpart for demos, examples and tests, and the
/// stand-in for a dependency.
///
///     http::server server;
///     server.route("/", "hello").route("/echo", [](const http::received_request& request) {
///         return http::reply(std::string(request.body));
///     });
///     server.start();
///     ... server.url("/") ...
class server {
  public:
    /// Throws `error` for an address, a port, a path or a number of shards that cannot be.
    explicit server(server_options options = {})
        : options_(std::move(options)), state_(shard_count(sharded{.shards = options_.shards})) {
        if (!options_.unix_path.empty()) detail::check_unix_path("unix_path", options_.unix_path);
        if (options_.port < 0 || options_.port > 65535) {
            fail_option("port", std::to_string(options_.port), "allowed is 0 to 65535");
        }
        asio::error_code error;
        const asio::ip::address address = asio::ip::make_address(options_.address, error);
        if (error) fail_option("address", options_.address, "an IPv4 or IPv6 address is needed");
        endpoint_ = {address, static_cast<asio::ip::port_type>(options_.port)};
        route(std::string(stats_path), [this](const received_request&) { return stats(); });
    }
    server(const server&) = delete;
    server& operator=(const server&) = delete;
    ~server() { stop(); }

    /// Answers a path: with a reply that is always the same, by a function of the request, or by a coroutine of
    /// the shard and the request. Before `start()`.
    template <class Target>
    server& route(std::string path, Target target) {
        if constexpr (std::is_constructible_v<async_handler, Target>) {
            state_.routes.add(std::move(path), async_handler(std::move(target)));
        } else if constexpr (std::is_constructible_v<handler, Target>) {
            state_.routes.add(std::move(path), handler(std::move(target)));
        } else {
            static_assert(std::is_constructible_v<reply, Target>,
                          "a route is a reply, a function of the request, or a coroutine of shard and request");
            state_.routes.add(std::move(path), reply(std::move(target)));
        }
        return *this;
    }

    /// Does wrong what these faults say, from the next `start()` on. Before it.
    server& faults(http::faults wrong) {
        state_.faults = std::move(wrong);
        return *this;
    }

    /// Writes a line for each request into this file; see `request_log`. Throws `error` where it cannot be
    /// written. Before `start()`, which empties the file.
    server& log(const std::string& path) {
        state_.log = std::make_unique<request_log>(path, options_.shards);
        return *this;
    }

    /// What has kept lines from the log, as the system says it; empty where all are there. After `stop()`.
    [[nodiscard]] std::string log_problem() const { return state_.log ? state_.log->problem() : std::string(); }

    /// Listens, and answers on its own threads until `stop()`. Throws `error` where it cannot listen, and where
    /// it does already.
    void start() {
        if (group_) fail("the server has been started already");
        group_ = std::make_unique<shard_group>(sharded{.shards = options_.shards});
        state_.start();
        listen();
        if (state_.log) state_.log->begin();
        group_->at(0).spawn([this] { return accept_all(); });
        for (int index = 0; index < group_->size(); ++index) {
            threads_.emplace_back([this, index] { group_->at(index).run(); });
        }
    }

    /// Ends all connections and threads. Safe to call twice.
    void stop() {
        if (!group_) return;
        group_->stop();
        threads_.clear();
        listener_.reset();
        // The first shard goes first: it holds the socket that waits to be accepted for another.
        for (int index = 0; index < group_->size(); ++index) group_->at(index).shutdown();
        group_.reset();
        if (state_.log) state_.log->flush();
    }

    /// The port it listens on; after `start()`. 0 for a Unix socket.
    [[nodiscard]] int port() const noexcept { return endpoint_.port(); }

    /// The URL of a path on this server; after `start()`. On a Unix socket its host is "localhost", which says
    /// nothing about where to connect.
    [[nodiscard]] std::string url(std::string_view path = "/") const {
        if (!options_.unix_path.empty()) return "http://localhost" + std::string(path);
        const std::string address = endpoint_.address().to_string();
        const std::string host = endpoint_.address().is_v6() ? "[" + address + "]" : address;
        return "http://" + host + ":" + std::to_string(port()) + std::string(path);
    }

    /// Requests whose head has been parsed, without those for `/benchkit/stats`.
    [[nodiscard]] std::int64_t requests() const noexcept { return total(&server_counters::requests); }
    /// Connections on which such a request came.
    [[nodiscard]] std::int64_t connections() const noexcept { return total(&server_counters::connections); }

  private:
    void listen() {
        const executor_type executor = group_->at(0).executor();
        try {
            if (options_.unix_path.empty()) {
                listener_ = std::make_unique<detail::listener>(executor, endpoint_);
                endpoint_.port(static_cast<asio::ip::port_type>(listener_->port()));
            } else {
                listener_ = std::make_unique<detail::listener>(executor, options_.unix_path);
            }
        } catch (...) {
            stop();
            throw;
        }
    }

    // Accepts on the first shard and deals the connections out in turn.
    awaitable<> accept_all() {
        std::int64_t number = 0;
        for (int next = 0;; next = (next + 1) % group_->size()) {
            asio::error_code error;
            shard& owner = group_->at(next);
            stream_socket socket(owner.executor());
            co_await listener_->socket().async_accept(socket, asio::redirect_error(use_awaitable, error));
            if (!error) {
                ++number;
                owner.post([this, &owner, number, accepted = std::move(socket)]() mutable {
                    serve(owner, std::move(accepted), number);
                });
            } else {
                // Out of descriptors, most likely: some will be free again soon.
                co_await group_->at(0).sleep_for(std::chrono::milliseconds(10));
            }
        }
    }

    void serve(shard& owner, stream_socket socket, std::int64_t number) {
        auto connection = std::make_unique<detail::server_connection>(owner, std::move(socket), state_, number);
        owner.spawn([connection = std::move(connection)]() -> awaitable<> {
            // Whatever goes wrong on one connection ends that connection alone.
            try {
                co_await connection->serve();
            } catch (...) {
            }
        });
    }

    [[nodiscard]] reply stats() const {
        const std::string text = "{\"requests\": " + std::to_string(requests()) +
                                 ", \"connections\": " + std::to_string(connections()) + "}\n";
        return reply(text).header("Content-Type", "application/json");
    }

    [[nodiscard]] std::int64_t total(std::atomic<std::int64_t> server_counters::*member) const noexcept {
        std::int64_t sum = 0;
        for (const server_counters& counters : state_.counters)
            sum += (counters.*member).load(std::memory_order_relaxed);
        return sum;
    }

    server_options options_;
    asio::ip::tcp::endpoint endpoint_;
    detail::server_state state_;
    std::unique_ptr<shard_group> group_;
    std::unique_ptr<detail::listener> listener_;
    std::vector<std::jthread> threads_;
};

}  // namespace benchkit::inline v0_1::http
