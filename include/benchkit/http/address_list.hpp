#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/exec/shard.hpp>
#include <benchkit/exec/wait_group.hpp>
#include <benchkit/http/connect_plan.hpp>
#include <benchkit/http/stream_socket.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {

inline void add_wanted(std::vector<stream_endpoint>& list, const asio::ip::tcp::endpoint& found,
                       address_family family) {
    if (family == address_family::ipv4 && !found.address().is_v4()) return;
    if (family == address_family::ipv6 && !found.address().is_v6()) return;
    list.emplace_back(found);
}

/// One look-up of a host by the system. It cannot be interrupted, so it may outlive who asked for it.
struct host_lookup {
    host_lookup(shard& owner, const connect_plan& asked)
        : resolver(owner.executor()), plan(asked), done(owner) {}

    awaitable<> run() {
        const auto found = co_await resolver.async_resolve(plan.host, std::to_string(plan.port),
                                                           asio::ip::tcp::resolver::numeric_service,
                                                           asio::redirect_error(use_awaitable, error));
        for (const auto& entry : found) add_wanted(endpoints, entry.endpoint(), plan.family);
        if (!error && endpoints.empty()) error = asio::error::no_data;
        done.set();
    }

    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver;
    connect_plan plan;
    event done;
    std::vector<stream_endpoint> endpoints;
    asio::error_code error;
};

}  // namespace detail

/// Looks a host up on the calling thread, which waits for it: before a run, so that no operation's time holds
/// the look-up. Empty where there is no address; the run then tells why. A Unix socket is its own address.
[[nodiscard]] inline std::vector<stream_endpoint> look_up(const connect_plan& plan) {
    std::vector<stream_endpoint> endpoints;
    if (!plan.unix_socket.empty()) {
        endpoints.emplace_back(asio::local::stream_protocol::endpoint(plan.unix_socket));
        return endpoints;
    }
    asio::io_context context(1);
    asio::ip::basic_resolver<asio::ip::tcp, executor_type> resolver(context.get_executor());
    asio::error_code error;
    for (const auto& entry : resolver.resolve(plan.host, std::to_string(plan.port),
                                              asio::ip::tcp::resolver::numeric_service, error)) {
        detail::add_wanted(endpoints, entry.endpoint(), plan.family);
    }
    return endpoints;
}

/// The addresses of a URL's host, resolved once per shard. A name may have several: they are tried in turn,
/// beginning with the one that took the last connection. Several may try at the same time, so each keeps where
/// it has begun.
class address_list {
  public:
    /// `known`: what an earlier look-up has found, if there was one.
    address_list(shard& owner, connect_plan plan, std::vector<stream_endpoint> known = {})
        : shard_(owner), plan_(std::move(plan)), endpoints_(std::move(known)) {
        if (endpoints_.empty() && !plan_.unix_socket.empty()) endpoints_ = look_up(plan_);
    }

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

    /// The place of the address to begin with; those behind it are the next ones, as if in a ring.
    [[nodiscard]] std::size_t first() const noexcept { return first_; }
    /// The address at a place.
    [[nodiscard]] const stream_endpoint& at(std::size_t place) const noexcept {
        return endpoints_[place % endpoints_.size()];
    }

    /// The address at this place took a connection: it is tried first from now on.
    void prefer(std::size_t place) noexcept { first_ = place % endpoints_.size(); }

  private:
    void start_lookup() {
        lookup_ = std::make_shared<detail::host_lookup>(shard_, plan_);
        shard_.spawn([lookup = lookup_] { return lookup->run(); });
    }

    shard& shard_;
    connect_plan plan_;
    std::vector<stream_endpoint> endpoints_;
    std::shared_ptr<detail::host_lookup> lookup_;
    std::size_t first_ = 0;
};

}  // namespace benchkit::inline v0_1::http
