#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/http/chunked.hpp>
#include <benchkit/http/framing.hpp>
#include <benchkit/http/head_reader.hpp>
#include <benchkit/http/headers.hpp>

namespace benchkit::inline v0_1::http {

/// A request as a server received it. Its views are valid until the parser is given other bytes or started.
struct received_request {
    std::string_view method;  ///< as sent; methods are case-sensitive
    std::string_view target;  ///< as sent
    std::string_view path;    ///< of the target, without its query; of an absolute one, without scheme and host
    std::string_view query;   ///< after the "?"; empty where there is none
    int minor_version = 1;    ///< of HTTP/1.x, as sent
    header_block headers;
    std::string_view body;  ///< without its chunking
};

/// The most that a request may have, in bytes.
struct request_limits {
    std::size_t head = std::size_t{64} * 1024;  ///< request line and header fields; also a trailer section
    std::size_t body = std::size_t{16} * 1024 * 1024;  ///< content
};

/// An incremental parser of HTTP/1.x requests by RFC 9112, for servers. It takes the bytes in any pieces,
/// leaves those of the next request alone, and collects the body up to a limit. A head that is whole in one
/// piece is parsed in place.
///
/// What cannot be answered otherwise is `malformed`, with the status to answer before closing:
/// - 400: a request line or field that breaks the grammar; no Host in HTTP/1.1, two Hosts, or one that is no
///   host; a folded field; Content-Lengths that differ or are no number; Transfer-Encoding in HTTP/1.0, or
///   with a last coding that is not chunked.
/// - 413, 414, 431: content, request line, head longer than the limit.
/// - 501: a transfer coding besides chunked; the method CONNECT. Other methods are the caller's to judge.
/// - 505: a version other than HTTP/1.x.
/// Empty lines before the request line are passed over. With both Transfer-Encoding and Content-Length the
/// former counts and the connection is not kept (section 6.1). Lines may end with a lone LF.
class request_parser {
  public:
    explicit request_parser(request_limits limits = {}) noexcept : limits_(limits) { start(); }

    /// Before each request.
    void start() noexcept {
        state_ = state::head;
        started_ = false;
        has_head_ = false;
        keep_alive_ = false;
        expects_continue_ = false;
        hosts_ = 0;
        error_status_ = 0;
        reason_ = nullptr;
        fields_ = {};
        head_.start(limits_.head);
        if (body_.capacity() > kept_capacity) body_ = std::string();
        body_.clear();
    }

    /// Takes bytes from the front of `input`; `consumed` says how many. `need_more` means that all were
    /// taken; after `complete`, those that were not belong to the next request.
    parse_status consume(std::string_view input, std::size_t& consumed) {
        consumed = 0;
        started_ = started_ || !input.empty();
        if (state_ == state::head) {
            const parse_status status = head_.consume(input, consumed, *this);
            if (status == parse_status::need_more) return status;
            if (status == parse_status::malformed) return refuse_head();
            input.remove_prefix(consumed);
            end_head();
        }
        parse_status status = parse_status::complete;
        if (state_ == state::malformed) status = parse_status::malformed;
        if (state_ == state::length) status = take_length(input, consumed);
        if (state_ == state::chunked) status = take_chunked(input, consumed);
        if (status == parse_status::need_more) head_.keep();
        if (status == parse_status::complete) state_ = state::complete;
        return status;
    }

    /// After `complete`; also once the head is there, then with the part of the body that has come.
    [[nodiscard]] received_request get() const noexcept {
        const std::string_view line = head_.start_line();
        received_request request;
        request.method = line.substr(0, method_size_);
        request.target = line.substr(method_size_ + 1, target_size_);
        request.path = path_and_query(request.target);
        const std::size_t mark = request.path.find('?');
        if (mark != std::string_view::npos) {
            request.query = request.path.substr(mark + 1);
            request.path = request.path.substr(0, mark);
        }
        if (request.path.empty()) request.path = "/";
        request.minor_version = minor_version_;
        request.headers = head_.headers();
        request.body = body_;
        return request;
    }

    /// Lets what `get()` tells outlive the bytes that were given, until the next `start`.
    void keep() { head_.keep(); }

    /// Whether the head is there and well-formed; also where the body is not.
    [[nodiscard]] bool has_head() const noexcept { return has_head_; }
    /// Whether a byte of this request has come.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// Whether the head is there and the body is not, and the client waits for `100 Continue` to send it.
    [[nodiscard]] bool expects_continue() const noexcept {
        return expects_continue_ && body_.empty() && (state_ == state::length || state_ == state::chunked);
    }
    /// After `complete`: whether the client lets the connection go on (RFC 9112 section 9.3).
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_ && state_ == state::complete; }
    /// The minor version of the request line; 1 before there is one.
    [[nodiscard]] int minor_version() const noexcept { return minor_version_; }
    /// After `malformed`: the status to answer, and what is wrong, as a phrase.
    [[nodiscard]] int error_status() const noexcept { return error_status_; }
    [[nodiscard]] std::string_view reason_malformed() const noexcept {
        return reason_ != nullptr ? std::string_view(reason_) : std::string_view();
    }

  private:
    friend class detail::head_reader;  // calls the rules below

    enum class state : std::uint8_t { head, length, chunked, complete, malformed };

    static constexpr bool skips_empty_lines = true;
    static constexpr bool unfolds = false;
    static constexpr std::size_t kept_capacity = 64 * 1024;  // a larger body buffer is not kept

    parse_status refuse(int status, const char* reason) noexcept {
        state_ = state::malformed;
        error_status_ = status;
        reason_ = reason;
        return parse_status::malformed;
    }

    // The head reader refused: by its own rules, by the rules below (which have set the status), or by length.
    parse_status refuse_head() noexcept {
        if (error_status_ == 0 && head_.too_long()) error_status_ = head_.in_start_line() ? 414 : 431;
        return refuse(error_status_ == 0 ? 400 : error_status_, head_.reason());
    }

    static const char* on_partial_start_line(std::string_view begin) noexcept {
        const bool begins_well = begin.empty() || detail::is_character(begin.front(), detail::token_character);
        return begins_well ? nullptr : "a request line that does not begin with a method";
    }

    // method SP request-target SP HTTP-version
    const char* on_start_line(std::string_view line) noexcept {
        const std::size_t first = line.find(' ');
        const std::size_t last = line.rfind(' ');
        if (first == std::string_view::npos || first == last) return "a request line without its three parts";
        method_size_ = first;
        target_size_ = last - first - 1;
        if (!detail::all_characters(line.substr(0, first), detail::token_character)) {
            return "a method that is no token";
        }
        if (const char* const wrong = on_version(line.substr(last + 1))) return wrong;
        return on_target(line.substr(0, first), line.substr(first + 1, target_size_));
    }

    const char* on_version(std::string_view version) noexcept {
        const auto is_digit = [](char byte) { return byte >= '0' && byte <= '9'; };
        if (version.size() != 8 || !version.starts_with("HTTP/") || version[6] != '.' ||
            !is_digit(version[5]) || !is_digit(version[7])) {
            return "a request line that does not end with an HTTP version";
        }
        if (version[5] != '1') {
            error_status_ = 505;
            return "a version other than HTTP/1.x";
        }
        minor_version_ = version[7] - '0';
        return nullptr;
    }

    // RFC 9112 section 3.2: origin-form, absolute-form, or the asterisk of OPTIONS.
    const char* on_target(std::string_view method, std::string_view target) noexcept {
        if (method == "CONNECT") {
            error_status_ = 501;
            return "the method CONNECT";
        }
        constexpr const char* wrong = "a request target that is neither a path nor a URL";
        if (!detail::all_characters(target, detail::target_character)) return wrong;
        if (target.find('#') != std::string_view::npos) return "a request target with a fragment";
        if (target == "*") return method == "OPTIONS" ? nullptr : wrong;
        return target.front() == '/' || is_absolute(target) ? nullptr : wrong;
    }

    // "http://" or "https://", whatever its case, and a host.
    [[nodiscard]] static bool is_absolute(std::string_view target) noexcept {
        const std::size_t end = target.find("://");
        if (end == std::string_view::npos) return false;
        const std::string_view scheme = target.substr(0, end);
        const bool known =
            detail::equals_ignore_case(scheme, "http") || detail::equals_ignore_case(scheme, "https");
        target.remove_prefix(end + 3);
        return known && !target.empty() && target.find_first_of("/?") != 0;
    }

    [[nodiscard]] static std::string_view path_and_query(std::string_view target) noexcept {
        if (target.empty() || target.front() == '/' || target == "*") return target;
        const std::size_t host = target.find("://") + 3;
        const std::size_t end = target.find_first_of("/?", host);
        return end == std::string_view::npos ? std::string_view() : target.substr(end);
    }

    const char* on_field(std::string_view name, std::string_view value) noexcept {
        if (name.size() == 4 && detail::equals_ignore_case(name, "Host")) return on_host(value);
        if (name.size() == 6 && detail::equals_ignore_case(name, "Expect")) {
            expects_continue_ = detail::equals_ignore_case(value, "100-continue");
        }
        fields_.add(name, value);
        return nullptr;
    }

    // Host = uri-host [ ":" port ]; it may be empty.
    const char* on_host(std::string_view value) noexcept {
        if (++hosts_ > 1) return "two Hosts";
        const auto is_wrong = [](char byte) {
            return !detail::is_character(byte, detail::target_character) ||
                   std::string_view("/?#@\\\"<>^`{|}").find(byte) != std::string_view::npos;
        };
        return std::any_of(value.begin(), value.end(), is_wrong) ? "a Host that is no host" : nullptr;
    }

    void end_head() noexcept {
        if (hosts_ == 0 && minor_version_ >= 1) {
            refuse(400, "no Host");
            return;
        }
        keep_alive_ = fields_.is_persistent(minor_version_);
        expects_continue_ = expects_continue_ && minor_version_ >= 1;
        fields_.has_transfer_encoding ? find_transfer_coding() : find_length();
        has_head_ = state_ != state::malformed;
    }

    void find_transfer_coding() noexcept {
        if (minor_version_ == 0) {
            refuse(400, "a Transfer-Encoding in HTTP/1.0");
        } else if (fields_.transfer_coding_error != nullptr) {
            refuse(400, fields_.transfer_coding_error);
        } else if (!fields_.chunked_is_last) {
            refuse(400, "a Transfer-Encoding whose last coding is not chunked");
        } else if (fields_.has_other_coding) {
            refuse(501, "a transfer coding other than chunked");
        } else {
            if (fields_.content_length >= 0 || fields_.content_length_error != nullptr) keep_alive_ = false;
            chunks_.start(limits_.head);
            state_ = state::chunked;
        }
    }

    void find_length() noexcept {
        if (fields_.content_length_error != nullptr) {
            refuse(400, fields_.content_length_error);
        } else if (fields_.content_length <= 0) {
            state_ = state::complete;
        } else if (static_cast<std::uint64_t>(fields_.content_length) > limits_.body) {
            refuse(413, "content that is longer than the limit");
        } else {
            state_ = state::length;
        }
    }

    parse_status take_length(std::string_view input, std::size_t& consumed) {
        const auto size = static_cast<std::size_t>(fields_.content_length);
        const std::string_view content = input.substr(0, size - body_.size());
        body_.append(content);
        consumed += content.size();
        return body_.size() == size ? parse_status::complete : parse_status::need_more;
    }

    parse_status take_chunked(std::string_view input, std::size_t& consumed) {
        std::size_t used = 0;
        bool fits = true;
        const parse_status status = chunks_.consume(input, used, [&](std::string_view content) {
            fits = fits && content.size() <= limits_.body - body_.size();
            if (fits) body_.append(content);
        });
        consumed += used;
        if (!fits) return refuse(413, "content that is longer than the limit");
        return status == parse_status::malformed ? refuse(400, chunks_.reason()) : status;
    }

    detail::head_reader head_;
    detail::chunked_decoder chunks_;
    detail::framing_fields fields_;
    std::string body_;
    request_limits limits_;
    std::size_t method_size_ = 0;
    std::size_t target_size_ = 0;
    const char* reason_ = nullptr;
    int minor_version_ = 1;
    int error_status_ = 0;
    int hosts_ = 0;
    state state_ = state::head;
    bool started_ = false;
    bool has_head_ = false;
    bool keep_alive_ = false;
    bool expects_continue_ = false;
};

}  // namespace benchkit::inline v0_1::http
