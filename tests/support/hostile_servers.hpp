#pragma once

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/result/cause.hpp>

#include "paced_server.hpp"

namespace tests {

/// A server that never answers in full: what it does with each connection, and what becomes of a request.
struct hostile_server {
    const char* name;
    std::function<void(peer&)> script;
    std::vector<benchkit::cause> causes;  ///< one of them; several where it does not wait for a request
    std::string reason{};                 ///< of a malformed answer, a part
    std::chrono::milliseconds patience{25};

    [[nodiscard]] bool waits_for_request() const { return causes.size() == 1; }
    [[nodiscard]] bool allows(benchkit::cause seen) const {
        return std::find(causes.begin(), causes.end(), seen) != causes.end();
    }
    [[nodiscard]] bool wastes_time() const { return allows(benchkit::cause::timeout); }
    /// For each request: short where nothing else ends it, else longer than any test may take.
    [[nodiscard]] std::chrono::milliseconds timeout() const {
        return wastes_time() ? patience : std::chrono::seconds(10);
    }
    /// The same, after each connection has answered one request in full.
    [[nodiscard]] hostile_server behind_answer() const;
};

/// The answer in full.
inline constexpr std::string_view friendly_answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

inline hostile_server hostile_server::behind_answer() const {
    hostile_server later = *this;
    later.script = [first = script](peer& client) {
        client.read_head();
        client.write(friendly_answer);
        first(client);
    };
    later.patience = std::chrono::milliseconds(100);  // the answer needs some of it
    if (!waits_for_request()) later.causes = {benchkit::cause::stale};
    return later;
}

namespace detail {

using script = std::function<void(peer&)>;

/// Reads a request, writes this, and once it has been read, does the rest.
inline script after(std::string begin, script then) {
    return [begin = std::move(begin), then = std::move(then)](peer& client) {
        client.read_head();
        const receiving_end receiver(client.descriptor());
        if (client.write(begin) && receiver.wait_until_read(begin.size())) then(client);
    };
}

// It still reads, as a request that is left unread would make a reset of it.
inline void close(peer& client) {
    shutdown(client.descriptor(), SHUT_WR);
    client.wait_for_close();
}

inline void reset(peer& client) {
    client.reset();
}

inline void stall(peer& client) {
    client.wait_for_close();
}

/// Writes this again and again until the client has closed.
inline script repeat(std::string_view part) {
    std::string much;
    while (much.size() < 8192) much.append(part);
    return [much](peer& client) {
        while (client.write(much)) {
        }
    };
}

/// Writes this again and again, about every millisecond, until the client has closed.
inline script drip(std::string_view part) {
    return [part](peer& client) {
        pollfd closing{client.descriptor(), POLLRDHUP, 0};
        while (client.write(part) && poll(&closing, 1, 1) == 0) {
        }
    };
}

}  // namespace detail

inline std::vector<hostile_server> hostile_servers() {
    using enum benchkit::cause;
    using detail::after;
    using detail::drip;
    using detail::repeat;
    const std::string ok = "HTTP/1.1 200 OK\r\n";
    const std::string length = ok + "Content-Length: 100\r\n\r\npart";
    const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    const std::string until_close = ok + "\r\n";
    const std::string interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
    const detail::script close = detail::close;
    const detail::script reset = detail::reset;
    const detail::script stall = detail::stall;
    return {
        {"closes at once", [](peer& client) { client.close(); }, {closed, receive, send}},
        {"resets at once", [](peer& client) { client.reset(); }, {connect, receive, send}},

        {"closes in the status line", after("HTTP/1.1 2", close), {closed}},
        {"closes behind the status line", after(ok, close), {closed}},
        {"closes within a field", after(ok + "Server", close), {closed}},
        {"closes within the empty line", after(ok + "\r", close), {closed}},
        {"closes behind an interim answer", after(interim, close), {closed}},
        {"closes before a body with a length", after(ok + "Content-Length: 1\r\n\r\n", close), {closed}},
        {"closes within a body with a length", after(length, close), {closed}},
        {"closes before the first chunk", after(chunked, close), {closed}},
        {"closes within a chunk size", after(chunked + "1", close), {closed}},
        {"closes within a chunk", after(chunked + "5\r\nhe", close), {closed}},
        {"closes behind a chunk", after(chunked + "2\r\nhe", close), {closed}},
        {"closes before the last chunk", after(chunked + "2\r\nhe\r\n", close), {closed}},
        {"closes behind the last chunk", after(chunked + "0\r\n", close), {closed}},
        {"closes within the trailers", after(chunked + "0\r\nDigest: a\r\n", close), {closed}},

        {"resets in the head", after(ok + "Server", reset), {receive}},
        {"resets in a body with a length", after(length, reset), {receive}},
        {"resets in a chunk", after(chunked + "5\r\nhe", reset), {receive}},
        {"resets before the last chunk", after(chunked + "2\r\nhe\r\n", reset), {receive}},
        {"resets where its close would end the body", after(until_close + "all?", reset), {receive}},

        {"answers with garbage", after("", repeat("\x16\x03\x01 garbage")), {malformed}, "control character"},
        {"answers with empty lines", after("", repeat("\r\n")), {malformed}, "HTTP/1.x"},
        {"never ends its reason", after(ok.substr(0, 15), repeat("K")), {malformed}, "longer than"},
        {"never ends a field name", after(ok, repeat("X")), {malformed}, "longer than"},
        {"never ends a field", after(ok + "X: ", repeat("x")), {malformed}, "longer than"},
        {"folds a field for ever", after(ok + "X: y", repeat("\r\n ")), {malformed}, "longer than"},
        {"never ends its head", after(ok, repeat("X: y\r\n")), {malformed}, "longer than"},
        {"never comes to the answer", after(interim, repeat(interim)), {malformed}, "longer than"},
        {"never ends a chunk size", after(chunked, repeat("0")), {malformed}, "longer than"},
        {"never ends an extension", after(chunked + "1;", repeat("x")), {malformed}, "longer than"},
        {"never ends a quoted extension",
         after(chunked + "1;a=\"", repeat("\\\"")),
         {malformed},
         "longer than"},
        {"never ends a trailer", after(chunked + "0\r\nX: ", repeat("x")), {malformed}, "longer than"},
        {"never ends its trailers", after(chunked + "0\r\n", repeat("X: y\r\n")), {malformed}, "longer than"},

        {"never ends its chunks", after(chunked, repeat("4\r\nmore\r\n")), {timeout}},
        {"never ends its body", after(until_close, repeat("more")), {timeout}},
        {"drips a head", after(ok + "X: ", drip("x")), {timeout}},
        {"drips interim answers", after("", drip("HTTP/1.1 102 x\r\n\r\n")), {timeout}},
        {"drips chunks", after(chunked, drip("1\r\nx\r\n")), {timeout}},
        {"stalls before its answer", after("", stall), {timeout}},
        {"stalls in the head", after(ok + "Server", stall), {timeout}},
        {"stalls behind an interim answer", after(interim, stall), {timeout}},
        {"stalls in a body with a length", after(length, stall), {timeout}},
        {"stalls before the last chunk", after(chunked + "2\r\nhe\r\n", stall), {timeout}},
        {"stalls where its close would end the body", after(until_close + "all?", stall), {timeout}},
    };
}

}  // namespace tests
