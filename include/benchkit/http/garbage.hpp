#pragma once

#include <cstdint>
#include <string>

#include <benchkit/core/random.hpp>

namespace benchkit::inline v0_1::http {

/// Bytes that look like an answer to a careless client and are none to one that keeps to RFC 9112: a text, a
/// status that is no number, two lengths that differ, or noise. `variant` chooses.
[[nodiscard]] inline std::string garbage(std::uint64_t variant) {
    switch (variant % 4) {
        case 0:
            return "This is not HTTP.\r\n\r\n";
        case 1:
            return "HTTP/1.1 two hundred\r\nContent-Length: 0\r\n\r\n";
        case 2:
            return "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello!";
        default:
            break;
    }
    // The first byte is none with which a status line could begin.
    splitmix64 noise(variant);
    std::string bytes = "\x80";
    for (int count = 0; count < 64; ++count) bytes.push_back(static_cast<char>(noise.next() >> 56));
    return bytes + "\r\n\r\n";
}

}  // namespace benchkit::inline v0_1::http
