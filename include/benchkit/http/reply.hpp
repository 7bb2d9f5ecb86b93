#pragma once

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
/// give them fails with a sentence, as does a field that may not be sent.
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

    /// No reply: the connection is reset (a fault, for testing clients).
    reply& reset() & noexcept {
        resets_ = true;
        return *this;
    }
    reply&& reset() && noexcept { return std::move(reset()); }

    [[nodiscard]] int status() const noexcept { return status_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    [[nodiscard]] bool closes() const noexcept { return closes_; }
    [[nodiscard]] bool resets() const noexcept { return resets_; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    int status_ = 200;
    bool closes_ = false;
    bool resets_ = false;
    std::vector<header_line> headers_;
    std::string body_;
};

/// Appends the bytes of a reply, head and body, so that the replies to pipelined requests leave in one write.
/// The status line says HTTP/1.1 whatever the request said (RFC 9110 section 6.2).
/// `keep_alive`: the request lets the connection go on; where the reply does not close it, a client of
/// HTTP/1.0 (`minor_version` 0) is told so, else `Connection: close` is sent. `head_only`: the answer to
/// HEAD, with the Content-Length that GET would have. 204 and 304 have neither body nor length.
inline void serialize(const reply& source, bool keep_alive, int minor_version, bool head_only,
                      std::string& out) {
    out.append("HTTP/1.1 ").append(std::to_string(source.status())).append(" ");
    out.append(reason_phrase(source.status())).append("\r\n");
    if (source.find_header("Server") == nullptr) {
        detail::append_header(out, "Server", "benchkit/" BENCHKIT_VERSION_STRING);
    }
    const bool has_content = source.status() != 204 && source.status() != 304;
    if (has_content && !source.body().empty() && source.find_header("Content-Type") == nullptr) {
        detail::append_header(out, "Content-Type", "text/plain");
    }
    for (const header_line& each : source.headers()) detail::append_header(out, each.name, each.value);
    if (has_content) detail::append_header(out, "Content-Length", std::to_string(source.body().size()));
    if (!keep_alive || source.closes()) {
        detail::append_header(out, "Connection", "close");
    } else if (minor_version == 0) {
        detail::append_header(out, "Connection", "keep-alive");
    }
    out.append("\r\n");
    if (has_content && !head_only) out.append(source.body());
}

/// The bytes of a reply, as above, on their own.
[[nodiscard]] inline std::string serialize(const reply& source, bool keep_alive, int minor_version = 1,
                                           bool head_only = false) {
    std::string text;
    serialize(source, keep_alive, minor_version, head_only, text);
    return text;
}

}  // namespace benchkit::inline v0_1::http
