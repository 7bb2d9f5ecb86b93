#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/status.hpp>

namespace benchkit::inline v0_1::http {

/// What a server answers: status, header fields, body.
///
///     http::reply("hello")
///     http::reply(201, body).header("Content-Type", "application/json")
///
/// Server and, with a body, Content-Type (text/plain) are sent without being asked for; one given by
/// `header` replaces the default. Content-Length, Transfer-Encoding and Connection are the server's own: to
/// give them fails with a sentence, as does a field that may not be sent. There is no Date, so the same reply
/// is always the same bytes.
class reply {
  public:
    /// 200 without a body.
    reply() = default;

    /// 200 with this body.
    reply(std::string content) : body_(std::move(content)) {}
    reply(std::string_view content) : body_(content) {}
    reply(const char* content) : body_(content) {}

    /// `status`: 200 to 999.
    explicit reply(int status, std::string content = {}) : status_(status), body_(std::move(content)) {
        if (status < 200 || status > 999) {
            fail_option("status", std::to_string(status), "the status of a reply is from 200 to 999");
        }
    }

    /// Adds a field; several of one name are sent one after the other.
    reply& header(std::string_view name, std::string_view value) & {
        header_line line = detail::checked_header("header", name, value);
        for (const char* each : {"Content-Length", "Transfer-Encoding", "Connection"}) {
            if (detail::equals_ignore_case(name, each)) {
                fail_option("header", line.name,
                            "the server writes this field itself; close() ends the connection");
            }
        }
        headers_.push_back(std::move(line));
        return *this;
    }
    reply&& header(std::string_view name, std::string_view value) && { return std::move(header(name, value)); }

    /// Sets the content, which goes with its length.
    reply& body(std::string content) & {
        body_ = std::move(content);
        return *this;
    }
    reply&& body(std::string content) && { return std::move(body(std::move(content))); }

    /// The connection ends after this reply.
    reply& close() & noexcept {
        closes_ = true;
        return *this;
    }
    reply&& close() && noexcept { return std::move(close()); }

    /// The body is sent in chunks of at most 4 KiB, without its length; to a client of HTTP/1.0, which knows no
    /// chunks, with its length.
    reply& chunked() & noexcept {
        chunked_ = true;
        return *this;
    }
    reply&& chunked() && noexcept { return std::move(chunked()); }

    /// No reply: the connection is reset (a fault, for testing clients).
    reply& reset() & noexcept {
        resets_ = true;
        return *this;
    }
    reply&& reset() && noexcept { return std::move(reset()); }

    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    [[nodiscard]] bool is_chunked() const noexcept { return chunked_; }
    [[nodiscard]] bool closes() const noexcept { return closes_; }
    [[nodiscard]] bool resets() const noexcept { return resets_; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    int status_ = 200;
    bool chunked_ = false;
    bool closes_ = false;
    bool resets_ = false;
    std::vector<header_line> headers_;
    std::string body_;
};

namespace detail {

/// Whether a status can have a body: 204 and 304 have none, and no length either.
[[nodiscard]] constexpr bool has_content(int status) noexcept {
    return status != 204 && status != 304;
}

/// Appends the body in chunks (RFC 9112 section 7.1).
inline void append_chunks(std::string& out, std::string_view body) {
    constexpr std::size_t largest = 4096;
    while (!body.empty()) {
        const std::string_view chunk = body.substr(0, largest);
        std::array<char, 8> size;
        const auto end = std::to_chars(size.data(), size.data() + size.size(), chunk.size(), 16).ptr;
        out.append(size.data(), static_cast<std::size_t>(end - size.data())).append("\r\n");
        out.append(chunk).append("\r\n");
        body.remove_prefix(chunk.size());
    }
    out.append("0\r\n\r\n");
}

/// Appends the head of a reply; its arguments are those of `serialize`.
inline void append_head(const reply& source, bool keep_alive, int minor_version, std::string& out) {
    out.append("HTTP/1.1 ").append(std::to_string(source.status())).append(" ");
    out.append(reason_phrase(source.status())).append("\r\n");
    if (source.find_header("Server") == nullptr) {
        append_header(out, "Server", "benchkit/" BENCHKIT_VERSION_STRING);
    }
    const bool content = has_content(source.status());
    if (content && !source.body().empty() && source.find_header("Content-Type") == nullptr) {
        append_header(out, "Content-Type", "text/plain");
    }
    for (const header_line& each : source.headers()) append_header(out, each.name, each.value);
    if (content && source.is_chunked() && minor_version > 0) {
        append_header(out, "Transfer-Encoding", "chunked");
    } else if (content) {
        append_header(out, "Content-Length", std::to_string(source.body().size()));
    }
    if (!keep_alive || source.closes()) {
        append_header(out, "Connection", "close");
    } else if (minor_version == 0) {
        append_header(out, "Connection", "keep-alive");
    }
    out.append("\r\n");
}

}  // namespace detail

/// Appends the bytes of a reply, head and body, so that the replies to pipelined requests leave in one write.
/// The status line says HTTP/1.1 whatever the request said (RFC 9110 section 6.2).
/// `keep_alive`: the request lets the connection go on; where the reply does not close it, a client of
/// HTTP/1.0 (`minor_version` 0) is told so, else `Connection: close` is sent. `head_only`: the answer to
/// HEAD, with the Content-Length that GET would have. 204 and 304 have neither body nor length.
/// Returns the size of the head.
inline std::size_t serialize(const reply& source, bool keep_alive, int minor_version, bool head_only,
                             std::string& out) {
    const std::size_t start = out.size();
    detail::append_head(source, keep_alive, minor_version, out);
    const std::size_t head = out.size() - start;
    if (head_only || !detail::has_content(source.status())) return head;
    if (source.is_chunked() && minor_version > 0) {
        detail::append_chunks(out, source.body());
    } else {
        out.append(source.body());
    }
    return head;
}

/// The bytes of a reply, as above, on their own.
[[nodiscard]] inline std::string serialize(const reply& source, bool keep_alive, int minor_version = 1,
                                           bool head_only = false) {
    std::string text;
    serialize(source, keep_alive, minor_version, head_only, text);
    return text;
}

}  // namespace benchkit::inline v0_1::http
