#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/exec/shard.hpp>
#include <benchkit/exec/wait_group.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// A stream socket that is connected to a peer.
using stream_socket = asio::basic_stream_socket<asio::generic::stream_protocol, executor_type>;
using stream_endpoint = asio::generic::stream_protocol::endpoint;

namespace detail {

/// One look-up of a host by the system. It cannot be interrupted, so it may outlive who asked for it.
struct host_lookup {
    host_lookup(shard& owner, std::string looked_up_host, std::string service_or_port)
        : resolver(owner.executor()),
          host(std::move(looked_up_host)),
          service(std::move(service_or_port)),
          done(owner) {}

    awaitable<> run() {
        const auto found =
            co_await resolver.async_resolve(host, service, asio::ip::tcp::resolver::numeric_service,
                                            asio::redirect_error(use_awaitable, error));
        for (const auto& entry : found) endpoints.emplace_back(entry.endpoint());
        if (!error && endpoints.empty()) error = asio::error::no_data;
        done.set();
    }

    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver;
    std::string host;
    std::string service;
    event done;
    std::vector<stream_endpoint> endpoints;
    asio::error_code error;
};

}  // namespace detail

/// Looks a URL's host up on the calling thread, which waits for it: before a run, so that no operation's time
/// holds the look-up. Empty where there is no address; the run then tells why.
[[nodiscard]] inline std::vector<stream_endpoint> look_up(const url& address) {
    asio::io_context context(1);
    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver(context.get_executor());
    asio::error_code error;
    std::vector<stream_endpoint> endpoints;
    for (const auto& entry : resolver.resolve(address.host, std::to_string(address.port),
                                              asio::ip::tcp::resolver::numeric_service, error)) {
        endpoints.emplace_back(entry.endpoint());
    }
    return endpoints;
}

/// The addresses of a URL's host, resolved once per shard. A name may have several: they are tried in turn,
/// beginning with the one that took the last connection.
class address_list {
  public:
    /// `known`: what an earlier look-up has found, if there was one.
    address_list(shard& owner, const url& address, std::vector<stream_endpoint> known = {})
        : shard_(owner),
          host_(address.host),
          service_(std::to_string(address.port)),
          endpoints_(std::move(known)) {}

    [[nodiscard]] bool resolved() const noexcept { return !endpoints_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return endpoints_.size(); }

    /// Looks the host up, if that has not been done, and waits for it until `limit`; who comes while it is
    /// being looked up waits for the same answer. `timed_out` where none came in time.
    [[nodiscard]] awaitable<asio::error_code> resolve(time_point limit) {
        if (resolved()) co_return asio::error_code();
        if (!lookup_) start_lookup();
        const std::shared_ptr<detail::host_lookup> lookup = lookup_;
        const bool in_time = co_await lookup->done.wait_until(limit);
        if (!in_time) co_return asio::error::timed_out;
        if (lookup_ == lookup) lookup_.reset();  // a later one asks anew, if this one failed
        if (!resolved()) endpoints_ = lookup->endpoints;
        co_return lookup->error;
    }

    /// The k-th address to try, k from 0 to size() - 1.
    [[nodiscard]] const stream_endpoint& candidate(std::size_t k) const noexcept {
        return endpoints_[(first_ + k) % endpoints_.size()];
    }

    /// The k-th address took a connection: it is tried first from now on.
    void prefer(std::size_t k) noexcept { first_ = (first_ + k) % endpoints_.size(); }

  private:
    void start_lookup() {
        lookup_ = std::make_shared<detail::host_lookup>(shard_, host_, service_);
        shard_.spawn([lookup = lookup_] { return lookup->run(); });
    }

    shard& shard_;
    std::string host_;
    std::string service_;
    std::vector<stream_endpoint> endpoints_;
    std::shared_ptr<detail::host_lookup> lookup_;
    std::size_t first_ = 0;
};

}  // namespace benchkit::inline v0_1::http
