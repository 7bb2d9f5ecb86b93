#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/http/transfer.hpp>

namespace benchkit::inline v0_1::http {

/// What stands between a connected socket and HTTP where the scheme is https. `http/tls.hpp` has one on
/// OpenSSL.
class secure_channel {
  public:
    virtual ~secure_channel() = default;
    /// Goes on with the handshake; `done` when it has succeeded.
    [[nodiscard]] virtual transfer handshake() = 0;
    [[nodiscard]] virtual transfer read_some(std::span<char> buffer) = 0;
    /// Whether the peer may have sent something behind what was read last.
    [[nodiscard]] virtual bool has_more() const = 0;
    [[nodiscard]] virtual transfer write_some(std::string_view bytes) = 0;
    /// Whether the handshake took up an earlier session.
    [[nodiscard]] virtual bool resumed() const = 0;
    /// What was agreed on, such as "TLSv1.3,TLS_AES_256_GCM_SHA384".
    [[nodiscard]] virtual std::string protocol() const = 0;
    /// Tells the peer that no more is sent, as far as that goes without waiting.
    virtual void close() noexcept = 0;
};

/// Makes the channels of one shard; what they share, such as sessions, is here.
class secure_connector {
  public:
    virtual ~secure_connector() = default;
    [[nodiscard]] virtual std::unique_ptr<secure_channel> open(int descriptor) = 0;
};

/// How the peer of https URLs is verified and what we show it. One may serve many targets and shards.
class security {
  public:
    virtual ~security() = default;
    /// For the peer of this host name or address. Called once per shard, before the run's first request.
    [[nodiscard]] virtual std::unique_ptr<secure_connector> connector(const std::string& host) const = 0;
};

namespace detail {

using security_maker = std::shared_ptr<const security> (*)();

/// What https URLs get whose target names no other: set where `http/tls.hpp` is included.
inline security_maker default_security = nullptr;

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
