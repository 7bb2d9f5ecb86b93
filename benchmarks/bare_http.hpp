#pragma once

// What the floors share: a connection, and the length of an answer, which is all that they know of it.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace bare {

[[noreturn]] inline void give_up(const char* what) {
    std::perror(what);
    std::exit(1);
}

inline int connect_to(const char* address, const char* port) {
    const int made = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in peer{};
    peer.sin_family = AF_INET;
    peer.sin_port = htons(static_cast<std::uint16_t>(std::atoi(port)));
    if (made < 0 || inet_pton(AF_INET, address, &peer.sin_addr) != 1) give_up("socket");
    if (connect(made, reinterpret_cast<const sockaddr*>(&peer), sizeof peer) != 0) give_up("connect");
    const int on = 1;
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return made;
}

// The bytes of one answer, read on a connection of its own.
inline std::size_t answer_length(const char* address, const char* port, std::string_view request) {
    const int probe = connect_to(address, port);
    if (send(probe, request.data(), request.size(), 0) < 0) give_up("send");
    std::string text;
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t size = recv(probe, buffer.data(), buffer.size(), 0);
        if (size <= 0) give_up("recv");
        text.append(buffer.data(), static_cast<std::size_t>(size));
        const std::size_t head = text.find("\r\n\r\n");
        const std::size_t length = text.find("Content-Length: ");
        if (head == std::string::npos || length == std::string::npos) continue;
        const std::size_t whole = head + 4 + static_cast<std::size_t>(std::atoll(text.c_str() + length + 16));
        if (text.size() < whole) continue;
        close(probe);
        return whole;
    }
}

inline std::string request_to(const std::string& address, const std::string& port) {
    return "GET / HTTP/1.1\r\nHost: " + address + ":" + port + "\r\nUser-Agent: bare\r\nAccept: */*\r\n\r\n";
}

/// Watches a descriptor for edges of input; `tag` is what they bring.
inline void watch(int events, int descriptor, void* tag) {
    fcntl(descriptor, F_SETFL, O_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.ptr = tag;
    epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

}  // namespace bare
