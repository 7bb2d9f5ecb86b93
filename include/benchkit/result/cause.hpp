#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace benchkit::inline v0_1 {

/// Why an operation failed: exactly one cause each, counted as `failed.<name>` (docs/terms.md, "The books").
enum class cause : std::uint8_t {
    resolve,          ///< the host's name has no address
    connect,          ///< no address accepted the connection
    tls,              ///< the TLS handshake or a certificate
    send,             ///< an error while sending
    receive,          ///< an error while receiving, such as a reset
    closed,           ///< the peer closed in mid-answer, or before it on a new connection
    timeout,          ///< no complete answer in time
    malformed,        ///< an answer that breaks the protocol
    status,           ///< a status of 400 or more
    assertion,        ///< an expectation of the user's, or an exception from their code
    stale,            ///< a reused connection died before the first byte of the answer
    connection_lost,  ///< behind another request on a pipelined connection that died
    ports,            ///< no local port or address was left
    canceled,         ///< ended by the user's code, or by `abort_on`
};

inline constexpr std::size_t cause_count = 14;

/// The name of a cause, as in `failed.<name>`.
[[nodiscard]] constexpr std::string_view to_string(cause value) noexcept {
    constexpr std::array<std::string_view, cause_count> names{
        "resolve",   "connect", "tls",       "send",  "receive",         "closed", "timeout",
        "malformed", "status",  "assertion", "stale", "connection_lost", "ports",  "canceled"};
    return names[static_cast<std::size_t>(value)];
}

}  // namespace benchkit::inline v0_1
