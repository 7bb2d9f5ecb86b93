#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <span>

#include <benchkit/exec/asio.hpp>

namespace benchkit::inline v0_1::http::detail {

/// Reads what a non-blocking socket has, and knows without asking again whether that was all: an edge of
/// readability is told once, and data and the peer's end can come with the same one. TCP says so beside the
/// data (TCP_INQ; with the peer's end since Linux 5.1). Of other sockets there may always be something left.
class socket_input {
  public:
    socket_input() noexcept = default;  ///< of no socket
    explicit socket_input(int socket) noexcept : socket_(socket) {
#if defined(TCP_INQ)
        const int on = 1;
        tells_ = setsockopt(socket_, IPPROTO_TCP, TCP_INQ, &on, sizeof on) == 0;
#endif
    }

    /// Reads once; 0 with an `error`, which is `eof` at the peer's end.
    std::size_t read(std::span<char> buffer, asio::error_code& error) noexcept {
        iovec part{buffer.data(), buffer.size()};
        msghdr message{};
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> told;
        message.msg_control = told.data();
        message.msg_controllen = tells_ ? told.size() : 0;
        ssize_t size = 0;
        do {
            size = recvmsg(socket_, &message, 0);
        } while (size < 0 && errno == EINTR);
        has_more_ = size > 0 && has_left(message);
        if (size > 0) {
            error.clear();
        } else if (size == 0) {
            error = asio::error::eof;
        } else {
            error.assign(errno, asio::error::get_system_category());
        }
        return size > 0 ? static_cast<std::size_t>(size) : 0;
    }

    /// Whether there may be something behind what was read last: then the next edge may never come.
    [[nodiscard]] bool has_more() const noexcept {
        return has_more_;
    }

  private:
    [[nodiscard]] bool has_left([[maybe_unused]] msghdr& message) const noexcept {
#if defined(TCP_INQ)
        const cmsghdr* const told = tells_ ? CMSG_FIRSTHDR(&message) : nullptr;
        if (told != nullptr && told->cmsg_level == IPPROTO_TCP && told->cmsg_type == TCP_CM_INQ) {
            int bytes = 0;
            std::memcpy(&bytes, CMSG_DATA(told), sizeof bytes);
            return bytes != 0;
        }
#endif
        return true;
    }

    int socket_ = -1;
    bool tells_ = false;
    bool has_more_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail
