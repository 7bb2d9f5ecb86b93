// The floor of an open loop: one thread, one timerfd, one epoll. Requests are sent at equal distances over
// whichever connection has been free longest, and wait where none is. It parses nothing.
//
//   benchmark_bare_timer_client ADDRESS PORT CONNECTIONS RATE SECONDS
//
// prints the number of requests, the 99th percentile of the lag and the median response time, both in
// nanoseconds.

#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

#include "bare_http.hpp"

namespace {

std::int64_t now() {
    return std::chrono::steady_clock::now().time_since_epoch().count();
}

struct client {
    int socket;
    std::size_t left;  // of the answer that is awaited
    std::int64_t intended = 0;
};

std::int64_t percentile(std::vector<std::int64_t>& values, std::size_t hundredths) {
    if (values.empty()) return 0;
    const auto place = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) * hundredths / 100);
    std::nth_element(values.begin(), place, values.end());
    return *place;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 6) {
        std::fputs("usage: ADDRESS PORT CONNECTIONS RATE SECONDS\n", stderr);
        return 2;
    }
    const std::string request = bare::request_to(arguments[1], arguments[2]);
    const std::size_t length = bare::answer_length(arguments[1], arguments[2], request);
    const std::int64_t gap = 1'000'000'000 / std::atoll(arguments[4]);
    const std::int64_t wanted = std::atoll(arguments[4]) * std::atoll(arguments[5]);
    const int events = epoll_create1(0);
    const int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    bare::watch(events, timer, nullptr);
    std::vector<client> clients(static_cast<std::size_t>(std::atoi(arguments[3])));
    std::deque<client*> idle;
    for (client& each : clients) {
        each = {bare::connect_to(arguments[1], arguments[2]), length};
        bare::watch(events, each.socket, &each);
        idle.push_back(&each);
    }
    std::vector<std::int64_t> lags;
    std::vector<std::int64_t> responses;
    lags.reserve(static_cast<std::size_t>(wanted));
    responses.reserve(static_cast<std::size_t>(wanted));
    const std::int64_t start = now() + 1'000'000;
    std::int64_t sent = 0;
    const auto set_timer = [&] {
        const std::int64_t due = start + sent * gap;
        const itimerspec time{{}, {due / 1'000'000'000, due % 1'000'000'000}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &time, nullptr);
    };
    const auto send_due = [&] {
        for (;;) {
            if (sent == wanted || idle.empty()) return;
            const std::int64_t due = start + sent * gap;
            const std::int64_t time = now();
            if (due > time) return set_timer();
            client& free = *idle.front();
            idle.pop_front();
            free.intended = due;
            lags.push_back(time - due);
            ++sent;
            if (send(free.socket, request.data(), request.size(), 0) < 0) bare::give_up("send");
        }
    };
    set_timer();
    std::vector<char> buffer(65536);
    std::array<epoll_event, 128> ready{};
    while (responses.size() < static_cast<std::size_t>(wanted)) {
        const int found = epoll_wait(events, ready.data(), static_cast<int>(ready.size()), -1);
        for (int k = 0; k < found; ++k) {
            auto* const each = static_cast<client*>(ready[static_cast<std::size_t>(k)].data.ptr);
            if (each == nullptr) continue;
            const ssize_t size = recv(each->socket, buffer.data(), buffer.size(), 0);
            if (size < 0) continue;
            if (size == 0 || static_cast<std::size_t>(size) > each->left) bare::give_up("recv");
            each->left -= static_cast<std::size_t>(size);
            if (each->left > 0) continue;
            responses.push_back(now() - each->intended);
            each->left = length;
            idle.push_back(each);
        }
        send_due();
    }
    std::printf("%zu requests\n%lld lag\n%lld response\n", responses.size(),
                static_cast<long long>(percentile(lags, 99)),
                static_cast<long long>(percentile(responses, 50)));
}
