#pragma once

#include <sys/socket.h>

#include <cstddef>
#include <string_view>

namespace tests {

/// Whether the peer has taken all of it.
inline bool send_all(int socket, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t taken = send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (taken <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(taken));
    }
    return true;
}

}  // namespace tests
