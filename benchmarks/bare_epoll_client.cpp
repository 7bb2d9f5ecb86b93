// The floor of an HTTP client: one thread, one epoll, edges, a send and a recv for each request. It parses
// nothing: the length of an answer is learned once, and so many bytes are an answer.
//
//   benchmark_bare_epoll_client ADDRESS PORT CONNECTIONS SECONDS      prints the number of requests

#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "bare_http.hpp"

namespace {

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
    const std::string request = bare::request_to(arguments[1], arguments[2]);
    const std::size_t length = bare::answer_length(arguments[1], arguments[2], request);
    const int events = epoll_create1(0);
    std::vector<client> clients(static_cast<std::size_t>(std::atoi(arguments[3])));
    for (client& each : clients) {
        each = {bare::connect_to(arguments[1], arguments[2]), length};
        bare::watch(events, each.socket, &each);
    }
    for (const client& each : clients) {
        if (send(each.socket, request.data(), request.size(), 0) < 0) bare::give_up("send");
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
            if (size == 0 || static_cast<std::size_t>(size) > each.left) bare::give_up("recv");
            each.left -= static_cast<std::size_t>(size);
            if (each.left > 0) continue;
            ++requests;
            each.left = length;
            if (send(each.socket, request.data(), request.size(), 0) < 0) bare::give_up("send");
        }
    }
    std::printf("%lld requests\n", static_cast<long long>(requests));
}
