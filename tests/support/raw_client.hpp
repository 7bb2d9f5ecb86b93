#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "support/send_all.hpp"

namespace tests {

/// A connection with blocking calls, to which the bytes are just bytes.
class raw_client {
  public:
    /// To a port of this machine.
    explicit raw_client(int port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        open(reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    /// To a Unix socket.
    explicit raw_client(const std::string& path) : socket_(socket(AF_UNIX, SOCK_STREAM, 0)) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        path.copy(address.sun_path, sizeof address.sun_path - 1);
        open(reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    raw_client(const raw_client&) = delete;
    raw_client& operator=(const raw_client&) = delete;
    ~raw_client() { close(socket_); }

    [[nodiscard]] bool is_connected() const { return connected_; }

    /// Whether all was taken. Of a connection that has been reset the next read tells, too.
    bool write(std::string_view bytes) const { return send_all(socket_, bytes); }

    /// Sends the last bytes and the end of our side together.
    void write_last(std::string_view bytes) const {
        const int on = 1;
        setsockopt(socket_, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
        write(bytes);
        shutdown(socket_, SHUT_WR);
    }

    /// Up to and with `end`; what there is, where the peer closes before.
    std::string read_until(std::string_view end) {
        std::size_t found = std::string::npos;
        while ((found = received_.find(end)) == std::string::npos && read_more()) {
        }
        return take(found == std::string::npos ? received_.size() : found + end.size());
    }

    /// So many bytes; what there is, where the peer closes before.
    std::string read(std::size_t size) {
        while (received_.size() < size && read_more()) {
        }
        return take(std::min(size, received_.size()));
    }

    /// All until the peer closes.
    std::string read_all() {
        while (read_more()) {
        }
        return std::exchange(received_, {});
    }

    /// Whether the last read ended with a reset.
    [[nodiscard]] bool is_reset() const { return is_reset_; }

  private:
    void open(const sockaddr* address, socklen_t size) { connected_ = connect(socket_, address, size) == 0; }

    bool read_more() {
        char bytes[4096];
        const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
        is_reset_ = size < 0 && errno == ECONNRESET;
        if (size > 0) received_.append(bytes, static_cast<std::size_t>(size));
        return size > 0;
    }

    std::string take(std::size_t size) {
        std::string taken = received_.substr(0, size);
        received_.erase(0, size);
        return taken;
    }

    int socket_;
    bool connected_ = false;
    bool is_reset_ = false;
    std::string received_;
};

/// Sends a request to a port of this machine and returns all that comes back until the server closes.
inline std::string ask(int port, std::string_view request) {
    raw_client client(port);
    client.write(request);
    return client.is_connected() ? client.read_all() : std::string();
}

}  // namespace tests
