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
#include <benchkit/http/router.hpp>
#include <benchkit/http/server_connection.hpp>

namespace benchkit::inline v0_1::http {

/// Where a server listens, and on how many threads it answers.
struct server_options {
    std::string address = "127.0.0.1";  ///< an IPv4 or IPv6 address of this machine
    int port = 0;                       ///< 0 to 65535; 0 lets the system choose
    int shards = 1;                     ///< threads, 1 to 1024
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
    /// Throws `error` for an address, a port or a number of shards that cannot be.
    explicit server(server_options options = {}) : options_(std::move(options)) {
        if (options_.port < 0 || options_.port > 65535) {
            fail_option("port", std::to_string(options_.port), "allowed is 0 to 65535");
        }
        asio::error_code error;
        const asio::ip::address address = asio::ip::make_address(options_.address, error);
        if (error) fail_option("address", options_.address, "an IPv4 or IPv6 address is needed");
        endpoint_ = {address, static_cast<asio::ip::port_type>(options_.port)};
        counters_ = std::vector<server_counters>(
            static_cast<std::size_t>(shard_count(sharded{.shards = options_.shards})));
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
            routes_.add(std::move(path), async_handler(std::move(target)));
        } else if constexpr (std::is_constructible_v<handler, Target>) {
            routes_.add(std::move(path), handler(std::move(target)));
        } else {
            static_assert(std::is_constructible_v<reply, Target>,
                          "a route is a reply, a function of the request, or a coroutine of shard and request");
            routes_.add(std::move(path), reply(std::move(target)));
        }
        return *this;
    }

    /// Listens, and answers on its own threads until `stop()`. Throws `error` where it cannot listen, and where
    /// it does already.
    void start() {
        if (group_) fail("the server has been started already");
        group_ = std::make_unique<shard_group>(sharded{.shards = options_.shards});
        acceptor_ = std::make_unique<acceptor>(group_->at(0).executor());
        listen();
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
        acceptor_.reset();
        // The first shard goes first: it holds the socket that waits to be accepted for another.
        for (int index = 0; index < group_->size(); ++index) group_->at(index).shutdown();
        group_.reset();
    }

    /// The port it listens on; after `start()`.
    [[nodiscard]] int port() const noexcept { return endpoint_.port(); }

    /// The URL of a path on this server; after `start()`.
    [[nodiscard]] std::string url(std::string_view path = "/") const {
        const std::string address = endpoint_.address().to_string();
        const std::string host = endpoint_.address().is_v6() ? "[" + address + "]" : address;
        return "http://" + host + ":" + std::to_string(port()) + std::string(path);
    }

    /// Requests whose head has been parsed, without those for `/benchkit/stats`.
    [[nodiscard]] std::int64_t requests() const noexcept { return total(&server_counters::requests); }
    /// Connections on which such a request came.
    [[nodiscard]] std::int64_t connections() const noexcept { return total(&server_counters::connections); }

  private:
    using acceptor = asio::basic_socket_acceptor<asio::ip::tcp, executor_type>;

    void listen() {
        asio::error_code error;
        acceptor_->open(endpoint_.protocol(), error);
        if (!error) acceptor_->set_option(asio::socket_base::reuse_address(true), error);
        if (!error) acceptor_->bind(endpoint_, error);
        if (!error) acceptor_->listen(asio::socket_base::max_listen_connections, error);
        if (error) {
            const std::string where = options_.address + " port " + std::to_string(options_.port);
            stop();
            fail("cannot listen on " + where + ": " + error.message());
        }
        endpoint_ = acceptor_->local_endpoint();
    }

    // Accepts on the first shard and deals the connections out in turn.
    awaitable<> accept_all() {
        for (int next = 0;; next = (next + 1) % group_->size()) {
            asio::error_code error;
            shard& owner = group_->at(next);
            tcp_socket socket(owner.executor());
            co_await acceptor_->async_accept(socket, asio::redirect_error(use_awaitable, error));
            if (!error) {
                owner.post([this, &owner, accepted = std::move(socket)]() mutable {
                    serve(owner, std::move(accepted));
                });
            } else {
                // Out of descriptors, most likely: some will be free again soon.
                co_await group_->at(0).sleep_for(std::chrono::milliseconds(10));
            }
        }
    }

    void serve(shard& owner, tcp_socket socket) {
        auto connection = std::make_unique<detail::server_connection>(
            owner, std::move(socket), routes_, counters_[static_cast<std::size_t>(owner.index())]);
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
        for (const server_counters& counters : counters_)
            sum += (counters.*member).load(std::memory_order_relaxed);
        return sum;
    }

    server_options options_;
    asio::ip::tcp::endpoint endpoint_;
    router routes_;
    std::vector<server_counters> counters_;
    std::unique_ptr<shard_group> group_;
    std::unique_ptr<acceptor> acceptor_;
    std::vector<std::jthread> threads_;
};

}  // namespace benchkit::inline v0_1::http
