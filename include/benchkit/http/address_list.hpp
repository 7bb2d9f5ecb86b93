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

/// The addresses of a URL's host, resolved once per shard. A name may have several: they are tried in turn,
/// beginning with the one that took the last connection.
class address_list {
  public:
    address_list(shard& owner, const url& address)
        : shard_(owner),
          resolver_(owner.executor()),
          host_(address.host),
          service_(std::to_string(address.port)) {}

    [[nodiscard]] bool resolved() const noexcept { return !endpoints_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return endpoints_.size(); }

    /// Looks the host up, if that has not been done; who comes while another looks waits for its answer.
    [[nodiscard]] awaitable<asio::error_code> resolve() {
        if (resolved()) co_return asio::error_code();
        if (looking_up_) {
            const std::shared_ptr<event> looked_up = looking_up_;
            co_await looked_up->wait();
            co_return last_error_;
        }
        looking_up_ = std::make_shared<event>(shard_);
        last_error_.clear();
        const auto found =
            co_await resolver_.async_resolve(host_, service_, asio::ip::tcp::resolver::numeric_service,
                                             asio::redirect_error(use_awaitable, last_error_));
        for (const auto& entry : found) endpoints_.emplace_back(entry.endpoint());
        if (!last_error_ && endpoints_.empty()) last_error_ = asio::error::no_data;
        std::exchange(looking_up_, nullptr)->set();
        co_return last_error_;
    }

    /// The k-th address to try, k from 0 to size() - 1.
    [[nodiscard]] const stream_endpoint& candidate(std::size_t k) const noexcept {
        return endpoints_[(first_ + k) % endpoints_.size()];
    }

    /// The k-th address took a connection: it is tried first from now on.
    void prefer(std::size_t k) noexcept { first_ = (first_ + k) % endpoints_.size(); }

  private:
    shard& shard_;
    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver_;
    std::string host_;
    std::string service_;
    std::vector<stream_endpoint> endpoints_;
    std::shared_ptr<event> looking_up_;
    asio::error_code last_error_;
    std::size_t first_ = 0;
};

}  // namespace benchkit::inline v0_1::http
