#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include <benchkit/http/address_list.hpp>
#include <benchkit/http/connect_plan.hpp>
#include <benchkit/http/secure_channel.hpp>

namespace benchkit::inline v0_1::http {

/// How one shard opens connections to a target: the addresses to try, the own addresses to come from, and what
/// is needed for TLS.
class connector {
  public:
    /// `known`: what an earlier look-up has found, if there was one. `secure`: null for plain connections.
    connector(shard& owner, const connect_plan& plan, std::vector<stream_endpoint> known = {},
              std::unique_ptr<secure_connector> secure = nullptr)
        : addresses_(owner, plan, std::move(known)),
          secure_(std::move(secure)),
          reset_on_close_(plan.reset_on_close) {
        for (const std::string& source : plan.sources) {
            sources_.emplace_back(asio::ip::make_address(source), asio::ip::port_type{0});
        }
    }

    [[nodiscard]] address_list& addresses() noexcept { return addresses_; }
    /// Null where connections are plain.
    [[nodiscard]] secure_connector* secure() const noexcept { return secure_.get(); }

    /// Opens a socket that is to be connected to this address, and binds it where sources are given.
    [[nodiscard]] asio::error_code open(stream_socket& socket, const stream_endpoint& to) {
        asio::error_code error;
        socket.open(to.protocol(), error);
        if (!error) socket.non_blocking(true, error);
        if (error || to.protocol().family() == AF_UNIX) return error;
        socket.set_option(asio::ip::tcp::no_delay(true), error);
        if (!error && reset_on_close_) socket.set_option(asio::socket_base::linger(true, 0), error);
        if (!error && !sources_.empty()) error = bind(socket, to.protocol().family());
        return error;
    }

  private:
    // With late port binding (Linux 4.2): the port is chosen at connect, so that a source has all its ports for
    // each peer, not for all peers together.
    asio::error_code bind(stream_socket& socket, int family) {
        for (std::size_t tried = 0; tried < sources_.size(); ++tried) {
            const asio::ip::tcp::endpoint& source = sources_[next_++ % sources_.size()];
            if (source.protocol().family() != family) continue;
            const int on = 1;
            ::setsockopt(socket.native_handle(), IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
            asio::error_code error;
            socket.bind(stream_endpoint(source), error);
            return error;
        }
        return asio::error::address_family_not_supported;
    }

    address_list addresses_;
    std::unique_ptr<secure_connector> secure_;
    std::vector<asio::ip::tcp::endpoint> sources_;
    std::size_t next_ = 0;
    bool reset_on_close_;
};

}  // namespace benchkit::inline v0_1::http
