#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// The kinds of IP addresses.
enum class address_family : std::uint8_t { any, ipv4, ipv6 };

/// Where the connections to a target go, and from where they come.
struct connect_plan {
    connect_plan() = default;
    /// To the URL's own host and port, from any address.
    connect_plan(const url& address) : host(address.host), port(address.port) {}  // NOLINT: a URL is a plan

    /// Where it leads, for people: the path of the Unix socket, else host and port.
    [[nodiscard]] std::string peer() const {
        if (!unix_socket.empty()) return unix_socket;
        const bool bracketed = host.find(':') != std::string::npos;
        return (bracketed ? "[" + host + "]" : host) + ":" + std::to_string(port);
    }

    std::string host;
    std::uint16_t port = 80;
    std::string unix_socket;           ///< the path of a Unix socket, in the place of host and port
    std::vector<std::string> sources;  ///< own addresses, taken in turn; empty: the system chooses
    address_family family = address_family::any;
    bool reset_on_close = false;  ///< close with a reset, which leaves no port in TIME_WAIT
};

}  // namespace benchkit::inline v0_1::http
