#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// The version that a client speaks.
enum class http_version : std::uint8_t { http_1_0, http_1_1 };

/// A header field that one sends.
struct header_line {
    std::string name;
    std::string value;

    friend bool operator==(const header_line&, const header_line&) = default;
};

namespace detail {

/// Fails where this is no field that may be sent (RFC 9110 sections 5.1 and 5.5), else takes it.
[[nodiscard]] inline header_line checked_header(std::string_view option, std::string_view name,
                                                std::string_view value) {
    if (!all_characters(name, token_character)) {
        fail_option(std::string(option), printable(name),
                    "a header name has letters, digits and !#$%&'*+-.^_`|~ only");
    }
    value = trim(value);
    if (find_control(value.data(), value.data() + value.size()) != value.data() + value.size()) {
        fail_option(std::string(option), printable(name) + ": " + printable(value),
                    "a header value has no CR, LF, NUL or other control characters");
    }
    return {std::string(name), std::string(value)};
}

[[nodiscard]] inline const header_line* find_header(const std::vector<header_line>& headers,
                                                    std::string_view name) {
    for (const header_line& each : headers) {
        if (equals_ignore_case(each.name, name)) return &each;
    }
    return nullptr;
}

inline void append_header(std::string& text, std::string_view name, std::string_view value) {
    text.append(name).append(": ").append(value).append("\r\n");
}

}  // namespace detail

/// A header field from text such as "Accept: text/html", as programs take it; fails with a sentence that
/// names `option`.
[[nodiscard]] inline header_line parse_header_line(std::string_view option, std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) {
        fail_option(std::string(option), detail::printable(text), "a header is written as \"Name: value\"");
    }
    return detail::checked_header(option, text.substr(0, colon), text.substr(colon + 1));
}

/// A request to be sent: method, target, header fields, body.
///
///     http::request("POST", "/items").header("Content-Type", "application/json").body("{}")
///
/// Host, User-Agent, Accept, Connection and Content-Length are sent without being asked for; one given by
/// `header` replaces the default. What may not be sent fails at once with a sentence: a method or a header
/// name that is no token, control characters, a target with spaces or a fragment, Transfer-Encoding (bodies
/// go with their length), a second Host, the method CONNECT.
class request {
  public:
    /// GET of the path of the URL.
    request() = default;

    /// `target`: path and query, beginning with "/" ("*" with OPTIONS); empty takes those of the URL.
    explicit request(std::string_view method, std::string_view target = {}) : method_(method), target_(target) {
        if (!detail::all_characters(method, detail::token_character)) {
            fail_option("method", detail::printable(method), "a method is a word such as GET or POST");
        }
        if (method == "CONNECT") fail_option("method", "CONNECT", "this client opens no tunnels");
        check_target();
    }

    /// Adds a field; several of one name are sent one after the other.
    request& header(std::string_view name, std::string_view value) & {
        header_line line = detail::checked_header("header", name, value);
        if (detail::equals_ignore_case(name, "Transfer-Encoding")) {
            fail_option("header", line.name, "a body is sent with its length, in no transfer coding");
        }
        if (detail::equals_ignore_case(name, "Host") && find_header(name) != nullptr) {
            fail_option("header", line.name, "a request has one Host");
        }
        headers_.push_back(std::move(line));
        return *this;
    }
    request&& header(std::string_view name, std::string_view value) && {
        return std::move(header(name, value));
    }

    /// Sets the content, which goes with its length.
    request& body(std::string content) & {
        body_ = std::move(content);
        return *this;
    }
    request&& body(std::string content) && { return std::move(body(std::move(content))); }

    /// Sends no more than Host, then the fields given in their order, then those of the body: neither
    /// User-Agent, Accept nor Connection.
    request& without_defaults() & {
        has_defaults_ = false;
        return *this;
    }
    request&& without_defaults() && { return std::move(without_defaults()); }

    [[nodiscard]] bool has_defaults() const noexcept { return has_defaults_; }
    [[nodiscard]] const std::string& method() const noexcept { return method_; }
    /// Empty where the URL's is taken.
    [[nodiscard]] const std::string& target() const noexcept { return target_; }
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    /// Whether the answer has no body for the method's sake. Methods are case-sensitive.
    [[nodiscard]] bool is_head() const noexcept { return method_ == "HEAD"; }
    /// The first field of this name that was given, whatever its case; null where there is none.
    [[nodiscard]] const header_line* find_header(std::string_view name) const {
        return detail::find_header(headers_, name);
    }

  private:
    void check_target() const {
        if (target_.empty() || (target_ == "*" && method_ == "OPTIONS")) return;
        if (target_.front() != '/') fail_option("path", detail::printable(target_), "a path begins with /");
        if (!detail::all_characters(target_, detail::target_character) ||
            target_.find('#') != std::string::npos) {
            fail_option(
                "path", detail::printable(target_),
                "a path has no spaces, control characters, bytes beyond ASCII or #; percent-encode them");
        }
    }

    std::string method_ = "GET";
    std::string target_;
    std::vector<header_line> headers_;
    std::string body_;
    bool has_defaults_ = true;
};

namespace detail {

/// The fields of a request in the order in which they are sent. `take` writes those of a name that the user
/// gave, else the default.
class request_writer {
  public:
    request_writer(const request& source, std::string& text) noexcept : source_(source), text_(text) {}

    void take(std::string_view name, std::string_view default_value) {
        if (source_.find_header(name) == nullptr) {
            if (!default_value.empty()) append_header(text_, name, default_value);
            return;
        }
        for (const header_line& each : source_.headers()) {
            if (equals_ignore_case(each.name, name)) append_header(text_, each.name, each.value);
        }
    }

    void take_others() {
        for (const header_line& each : source_.headers()) {
            if (!is_placed(each.name)) append_header(text_, each.name, each.value);
        }
    }

    /// All but those which have a place of their own without the defaults.
    void take_given() {
        for (const header_line& each : source_.headers()) {
            if (!is_one_of(each.name, {"Host", "Content-Length", "Content-Type"}))
                append_header(text_, each.name, each.value);
        }
    }

    void take_content() {
        const std::string size = std::to_string(source_.body().size());
        for (const header_line& each : source_.headers()) {
            if (equals_ignore_case(each.name, "Content-Length") && each.value != size) {
                fail_option("header", "Content-Length: " + each.value, "the body has " + size + " bytes");
            }
        }
        const std::string& method = source_.method();
        const bool has_content =
            !source_.body().empty() || method == "POST" || method == "PUT" || method == "PATCH";
        take("Content-Length", has_content ? std::string_view(size) : std::string_view());
        take("Content-Type", {});
    }

  private:
    [[nodiscard]] static bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
        for (const std::string_view each : names) {
            if (equals_ignore_case(name, each)) return true;
        }
        return false;
    }

    [[nodiscard]] static bool is_placed(std::string_view name) {
        return is_one_of(name,
                         {"Connection", "Host", "User-Agent", "Accept", "Content-Length", "Content-Type"});
    }

    const request& source_;
    std::string& text_;
};

}  // namespace detail

/// The bytes of a request to this URL, head and body, prepared once and sent as often as wanted. The order
/// is that of ab: Connection, the fields given, Host, User-Agent, Accept, then those of the body.
/// Connection says what the version does not: `close` for HTTP/1.1 without keep-alive, `Keep-Alive` for
/// HTTP/1.0 with it. A body, POST, PUT and PATCH have a Content-Length.
[[nodiscard]] inline std::string serialize(const request& source, const url& to, http_version version,
                                           bool keep_alive) {
    const bool is_old = version == http_version::http_1_0;
    std::string text = source.method();
    text.append(" ").append(source.target().empty() ? to.path : source.target());
    text.append(is_old ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n");
    detail::request_writer writer(source, text);
    if (!source.has_defaults()) {
        writer.take("Host", to.host_header());
        writer.take_given();
        writer.take_content();
        return text.append("\r\n").append(source.body());
    }
    const char* const connection = is_old ? (keep_alive ? "Keep-Alive" : "") : (keep_alive ? "" : "close");
    writer.take("Connection", connection);
    writer.take_others();
    writer.take("Host", to.host_header());
    writer.take("User-Agent", "benchkit/" BENCHKIT_VERSION_STRING);
    writer.take("Accept", "*/*");
    writer.take_content();
    text.append("\r\n").append(source.body());
    return text;
}

}  // namespace benchkit::inline v0_1::http
