#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/program.hpp"

namespace tests {

/// Sends a request to a port of this machine and returns all that comes back.
inline std::string ask(int port, std::string_view request) {
    const int connection = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    std::string answer;
    char byte = 0;
    if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
        send(connection, request.data(), request.size(), MSG_NOSIGNAL) > 0) {
        while (recv(connection, &byte, 1, 0) == 1) answer.push_back(byte);
    }
    close(connection);
    return answer;
}

/// A running `benchkit serve`.
class served {
  public:
    explicit served(std::vector<std::string> more = {}) : program_(arguments(std::move(more))) {
        const std::string line = program_.out.wait_for("\n");
        const std::string start = "listening on http://127.0.0.1:";
        if (!line.starts_with(start)) throw std::runtime_error("serve says: " + line);
        port_ = std::stoi(line.substr(start.size()));
    }

    [[nodiscard]] int port() const { return port_; }
    [[nodiscard]] std::string url(const std::string& path = "/") const {
        return "http://127.0.0.1:" + std::to_string(port_) + path;
    }
    [[nodiscard]] std::string get(const std::string& path) const {
        return ask(port_, "GET " + path + " HTTP/1.0\r\n\r\n");
    }
    /// The number of this name in what the server tells of itself.
    [[nodiscard]] std::int64_t stats(const std::string& name) const {
        const std::string answer = get("/benchkit/stats");
        const std::string key = "\"" + name + "\": ";
        const std::size_t place = answer.find(key);
        if (place == std::string::npos) throw std::runtime_error("no " + name + " in " + answer);
        return std::stoll(answer.substr(place + key.size()));
    }
    [[nodiscard]] std::int64_t requests() const { return stats("requests"); }

    [[nodiscard]] process& program() { return program_; }

  private:
    static std::vector<std::string> arguments(std::vector<std::string> more) {
        std::vector<std::string> all{"serve", "--port", "0"};
        for (std::string& each : more) all.push_back(std::move(each));
        return all;
    }

    process program_;
    int port_ = 0;
};

}  // namespace tests
