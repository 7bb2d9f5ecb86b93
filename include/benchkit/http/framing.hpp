#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

/// What a parser says after it has been given bytes.
enum class parse_status : std::uint8_t {
    need_more,  ///< all bytes were taken, the message goes on
    complete,   ///< the message has ended; bytes after it were left alone
    malformed,  ///< the message breaks the protocol; the connection is of no use any more
    cut,        ///< the peer closed the connection within the message (or before it)
};

/// How the end of a body is found (RFC 9112 section 6.3).
enum class body_framing : std::uint8_t {
    none,         ///< there is no body: HEAD, 204, 304
    length,       ///< Content-Length
    chunked,      ///< Transfer-Encoding with chunked as its last coding
    until_close,  ///< it ends where the connection does
};

namespace detail {

/// What the header fields of one message say about where its body ends and whether the connection is kept:
/// Content-Length, Transfer-Encoding and Connection, each as a list over all of its lines.
struct framing_fields {
    std::int64_t content_length = -1;             // -1: none
    const char* content_length_error = nullptr;   // why it cannot be used
    const char* transfer_coding_error = nullptr;  // the same for the codings
    bool has_transfer_encoding = false;
    bool chunked_is_last = false;
    bool has_other_coding = false;  // a coding besides chunked
    bool close = false;             // Connection: close
    bool keep_alive = false;        // Connection: keep-alive

    void add(std::string_view name, std::string_view value) noexcept {
        switch (name.size()) {  // most names end here
            case 10:
                if (equals_ignore_case(name, "Connection")) add_connection(value);
                break;
            case 14:
                if (equals_ignore_case(name, "Content-Length")) add_content_length(value);
                break;
            case 17:
                if (equals_ignore_case(name, "Transfer-Encoding")) add_transfer_encoding(value);
                break;
            default:
                break;
        }
    }

    /// RFC 9112 section 9.3: close wins; without it HTTP/1.1 stays and HTTP/1.0 only says so.
    [[nodiscard]] bool is_persistent(int minor_version) const noexcept {
        return !close && (minor_version >= 1 || keep_alive);
    }

  private:
    void add_connection(std::string_view list) noexcept {
        while (!list.empty()) {
            const std::string_view option = take_list_element(list);
            if (equals_ignore_case(option, "close")) close = true;
            if (equals_ignore_case(option, "keep-alive")) keep_alive = true;
        }
    }

    /// Equal lengths count as one, in one line or in several (RFC 9112 section 6.3, item 5).
    void add_content_length(std::string_view list) noexcept {
        bool found = false;
        while (!list.empty()) {
            const std::string_view number = take_list_element(list);
            if (number.empty()) continue;
            found = true;
            add_one_length(number);
        }
        if (!found) content_length_error = "a Content-Length without a number";
    }

    void add_one_length(std::string_view number) noexcept {
        std::int64_t length = 0;
        for (const char digit : number) {
            if (digit < '0' || digit > '9') {
                content_length_error = "a Content-Length that is not a number";
                return;
            }
            const std::int64_t value = digit - '0';
            if (length > (std::numeric_limits<std::int64_t>::max() - value) / 10) {
                content_length_error = "a Content-Length that no message can have";
                return;
            }
            length = length * 10 + value;
        }
        if (content_length >= 0 && content_length != length)
            content_length_error = "two Content-Lengths that differ";
        content_length = length;
    }

    void add_transfer_encoding(std::string_view list) noexcept {
        has_transfer_encoding = true;
        while (!list.empty()) {
            const std::string_view coding = take_list_element(list);
            if (coding.empty()) continue;
            const std::string_view name = trim(coding.substr(0, coding.find(';')));
            if (!equals_ignore_case(name, "chunked")) {
                has_other_coding = true;
                chunked_is_last = false;
                continue;
            }
            // RFC 9112 section 7: chunked has no parameters; section 6.1: it is applied once.
            if (name.size() != coding.size())
                transfer_coding_error = "a chunked transfer coding with parameters";
            if (seen_chunked_) transfer_coding_error = "a body that is chunked twice";
            seen_chunked_ = true;
            chunked_is_last = true;
        }
    }

    bool seen_chunked_ = false;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
