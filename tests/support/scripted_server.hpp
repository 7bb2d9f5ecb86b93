#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "support/send_all.hpp"

namespace tests {

/// One accepted connection of a scripted server, with blocking calls.
class peer {
  public:
    explicit peer(int socket) : socket_(socket) {}
    peer(const peer&) = delete;
    peer& operator=(const peer&) = delete;
    ~peer() { close(); }

    /// Reads until the end of a request's head; empty where the client has closed.
    std::string read_head() {
        std::string head;
        char byte = 0;
        while (!head.ends_with("\r\n\r\n")) {
            if (recv(socket_, &byte, 1, 0) != 1) return {};
            head.push_back(byte);
        }
        return head;
    }

    /// Reads what is there, at least a byte; returns how much, 0 where the client has closed.
    [[nodiscard]] std::size_t read_some() const {
        char bytes[65536];
        const ssize_t size = recv(socket_, bytes, sizeof bytes, 0);
        return size > 0 ? static_cast<std::size_t>(size) : 0;
    }

    /// Writes all; false where the client has closed.
    bool write(std::string_view bytes) const { return send_all(socket_, bytes); }

    /// Closes with a reset instead of a FIN.
    void reset() {
        const linger immediately{1, 0};
        setsockopt(socket_, SOL_SOCKET, SO_LINGER, &immediately, sizeof immediately);
        close();
    }

    /// Waits until the client has closed its side.
    void wait_for_close() const {
        char byte = 0;
        while (recv(socket_, &byte, 1, 0) > 0) {
        }
    }

    [[nodiscard]] int descriptor() const { return socket_; }

    void close() {
        if (socket_ >= 0) ::close(std::exchange(socket_, -1));
    }

  private:
    int socket_;
};

/// A real server on a port of the system's choice that plays a script on each connection, one after another.
class scripted_server {
  public:
    explicit scripted_server(std::function<void(peer&)> script) : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        auto* const generic = reinterpret_cast<sockaddr*>(&address);
        if (bind(listener_, generic, size) != 0 || listen(listener_, 128) != 0)
            throw std::runtime_error("listen");
        getsockname(listener_, generic, &size);
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this, script = std::move(script)] {
            for (;;) {
                const int accepted = accept(listener_, nullptr, nullptr);
                if (accepted < 0) return;
                ++connections_;
                peer client(accepted);
                script(client);
            }
        });
    }
    scripted_server(const scripted_server&) = delete;
    scripted_server& operator=(const scripted_server&) = delete;
    ~scripted_server() {
        shutdown(listener_, SHUT_RDWR);
        thread_.join();
        close(listener_);
    }

    [[nodiscard]] std::string url(std::string_view path = "/") const {
        return "http://127.0.0.1:" + std::to_string(port_) + std::string(path);
    }
    [[nodiscard]] int connections() const { return connections_; }

  private:
    int listener_;
    int port_ = 0;
    std::atomic<int> connections_ = 0;
    std::thread thread_;
};

/// A port on which nobody listens. It stays bound to the end of the program, so that nobody else gets it.
inline int closed_port() {
    const int probe = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(probe, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(probe, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
}

}  // namespace tests
