// The floor of an HTTP client: one thread, one epoll, edges, a send and a recv for each request. It parses
// nothing: the length of an answer is learned once, and so many bytes are an answer.
//
//   benchmark_bare_epoll_client ADDRESS PORT CONNECTIONS SECONDS      prints the number of requests

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace {

[[noreturn]] void give_up(const char* what) {
    std::perror(what);
    std::exit(1);
}

int connect_to(const char* address, const char* port) {
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
std::size_t answer_length(const char* address, const char* port, std::string_view request) {
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

struct client {
    int socket;
    std::size_t left;  // of the answer that is awaited
};

}  // namespace

int main(int count, char** arguments) {
    if (count != 5) {
        std::fputs("usage: ADDRESS PORT CONNECTIONS SECONDS\n", stderr);
        return 2;
    }
    rlimit descriptors{};
    getrlimit(RLIMIT_NOFILE, &descriptors);
    descriptors.rlim_cur = descriptors.rlim_max;
    setrlimit(RLIMIT_NOFILE, &descriptors);
    const std::string request = std::string("GET / HTTP/1.1\r\nHost: ") + arguments[1] + ":" + arguments[2] +
                                "\r\nUser-Agent: bare\r\nAccept: */*\r\n\r\n";
    const std::size_t length = answer_length(arguments[1], arguments[2], request);
    const int events = epoll_create1(0);
    std::vector<client> clients(static_cast<std::size_t>(std::atoi(arguments[3])));
    for (client& each : clients) {
        each = {connect_to(arguments[1], arguments[2]), length};
        fcntl(each.socket, F_SETFL, O_NONBLOCK);
        epoll_event event{};
        event.events = EPOLLIN | EPOLLET;
        event.data.ptr = &each;
        epoll_ctl(events, EPOLL_CTL_ADD, each.socket, &event);
    }
    for (const client& each : clients) {
        if (send(each.socket, request.data(), request.size(), 0) < 0) give_up("send");
    }
    std::int64_t requests = 0;
    std::vector<char> buffer(65536);
    std::array<epoll_event, 128> ready{};
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(std::atoi(arguments[4]));
    while (std::chrono::steady_clock::now() < end) {
        const int found = epoll_wait(events, ready.data(), static_cast<int>(ready.size()), 100);
        for (int k = 0; k < found; ++k) {
            client& each = *static_cast<client*>(ready[static_cast<std::size_t>(k)].data.ptr);
            const ssize_t size = recv(each.socket, buffer.data(), buffer.size(), 0);
            if (size < 0) continue;
            if (size == 0 || static_cast<std::size_t>(size) > each.left) give_up("recv");
            each.left -= static_cast<std::size_t>(size);
            if (each.left > 0) continue;
            ++requests;
            each.left = length;
            if (send(each.socket, request.data(), request.size(), 0) < 0) give_up("send");
        }
    }
    std::printf("%lld requests\n", static_cast<long long>(requests));
}
