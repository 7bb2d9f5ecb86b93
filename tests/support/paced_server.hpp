#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/clock.hpp>

#include "scripted_server.hpp"

namespace tests {

/// The client's end of a connection within this process, to see when it has taken what was written to it.
class receiving_end {
  public:
    /// `socket`: the other end.
    explicit receiving_end(int socket) {
        socklen_t size = sizeof address_;
        getpeername(socket, reinterpret_cast<sockaddr*>(&address_), &size);
        for (int candidate = 0; candidate < 1024 && descriptor_ < 0; ++candidate) {
            if (is_here(candidate)) descriptor_ = candidate;
        }
        received_before_ = received();
    }

    [[nodiscard]] bool found() const { return descriptor_ >= 0; }

    /// Waits until the client has read all, and as many bytes have come since this looked first, or until it
    /// has closed its socket; false after 10 s.
    [[nodiscard]] bool wait_until_read(std::uint64_t bytes) const {
        const auto deadline = benchkit::clock::now() + std::chrono::seconds(10);
        while (is_here(descriptor_)) {
            int unread = 0;
            if (received() - received_before_ >= bytes && ioctl(descriptor_, FIONREAD, &unread) == 0 &&
                unread == 0)
                return true;
            if (benchkit::clock::now() > deadline) return false;
            sched_yield();
        }
        return true;
    }

  private:
    // Its number may be another socket's once it is closed.
    [[nodiscard]] bool is_here(int candidate) const {
        sockaddr_in name{};
        socklen_t size = sizeof name;
        return getsockname(candidate, reinterpret_cast<sockaddr*>(&name), &size) == 0 &&
               name.sin_family == AF_INET && name.sin_port == address_.sin_port &&
               name.sin_addr.s_addr == address_.sin_addr.s_addr;
    }

    // Bytes that have come, read or not.
    [[nodiscard]] std::uint64_t received() const {
        constexpr std::size_t place = 128;  // of tcpi_bytes_received, which the C library's structure lacks
        char info[place + sizeof(std::uint64_t)] = {};
        socklen_t size = sizeof info;
        getsockopt(descriptor_, IPPROTO_TCP, TCP_INFO, info, &size);
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, info + place, sizeof bytes);
        return bytes;
    }

    sockaddr_in address_{};
    int descriptor_ = -1;
    std::uint64_t received_before_ = 0;
};

/// What a server answers to one request or, of a pipeline, to several, once it has read them.
struct paced_answer {
    std::vector<std::string> pieces;  ///< each is written when the client has read the one before
    bool ends_connection = false;     ///< the server closes behind it
    int requests = 1;
};

/// A real server that gives these answers, one after another over any number of connections. It closes none
/// by itself unless an answer says so: whoever waits for its close waits for ever.
class paced_server {
  public:
    explicit paced_server(std::vector<paced_answer> answers)
        : answers_(std::move(answers)), server_([this](peer& client) { serve(client); }) {}

    [[nodiscard]] std::string url() const { return server_.url(); }
    [[nodiscard]] int connections() const { return server_.connections(); }
    /// Whether all were asked for, and each piece was read before the next was written.
    [[nodiscard]] bool gave_all() const { return next_ == answers_.size() && paced_; }

  private:
    void serve(peer& client) {
        const int on = 1;
        setsockopt(client.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        const receiving_end receiver(client.descriptor());
        if (!receiver.found()) paced_ = false;
        std::uint64_t written = 0;
        std::string unanswered;
        while (next_ < answers_.size()) {
            const paced_answer& answer = answers_[next_];
            if (!read_heads(client, unanswered, answer.requests)) return;
            ++next_;
            for (const std::string& piece : answer.pieces) {
                if (!client.write(piece)) return client.wait_for_close();
                written += piece.size();
                if (!receiver.wait_until_read(written)) paced_ = false;
            }
            if (answer.ends_connection) return;
        }
        client.wait_for_close();
    }

    static bool read_heads(const peer& client, std::string& unanswered, int count) {
        while (count > 0) {
            const std::size_t end = unanswered.find("\r\n\r\n");
            if (end != std::string::npos) {
                unanswered.erase(0, end + 4);
                --count;
                continue;
            }
            char bytes[4096];
            const ssize_t size = recv(client.descriptor(), bytes, sizeof bytes, 0);
            if (size <= 0) return false;
            unanswered.append(bytes, static_cast<std::size_t>(size));
        }
        return true;
    }

    std::vector<paced_answer> answers_;
    std::atomic<std::size_t> next_ = 0;
    std::atomic<bool> paced_ = true;
    scripted_server server_;  // last: its thread uses the rest
};

/// A message in pieces of one byte.
inline std::vector<std::string> byte_by_byte(std::string_view message) {
    std::vector<std::string> pieces;
    for (const char byte : message) pieces.emplace_back(1, byte);
    return pieces;
}

/// A message in two pieces, the first of this size.
inline std::vector<std::string> cut_at(std::string_view message, std::size_t size) {
    return {std::string(message.substr(0, size)), std::string(message.substr(size))};
}

/// A message whole, byte by byte, and in two pieces: cut in the middle, and before, within, at and behind each
/// line end.
inline std::vector<std::vector<std::string>> ways_to_send(std::string_view message) {
    std::set<std::size_t> cuts = {message.size() / 2};
    for (std::size_t end = message.find('\n'); end != std::string_view::npos;
         end = message.find('\n', end + 1)) {
        for (const std::size_t cut : {end - 1, end, end + 1, end + 2}) cuts.insert(cut);
    }
    std::vector<std::vector<std::string>> ways = {{std::string(message)}, byte_by_byte(message)};
    for (const std::size_t cut : cuts) {
        if (cut > 0 && cut < message.size()) ways.push_back(cut_at(message, cut));
    }
    return ways;
}

}  // namespace tests
