#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/program.hpp"
#include "support/raw_client.hpp"

namespace tests {

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
