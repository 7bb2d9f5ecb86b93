#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <benchkit/http/chunked.hpp>
#include <benchkit/http/framing.hpp>
#include <benchkit/http/head_reader.hpp>
#include <benchkit/http/headers.hpp>

namespace benchkit::inline v0_1::http {

/// The head of a response. Its views are valid during the call that hands it out.
struct response_head {
    int status = 0;                             ///< 200 to 999
    int minor_version = 1;                      ///< of HTTP/1.x, as sent
    std::string_view reason;                    ///< may be empty; means nothing (RFC 9112 section 4)
    header_block headers;                       ///< folded lines are unfolded
    body_framing framing = body_framing::none;  ///< how the body ends
    std::int64_t content_length = -1;  ///< as sent, also where it does not frame a body; -1: none or unusable
};

/// An incremental parser of HTTP/1.x responses by RFC 9112, for clients. It takes the bytes in any pieces
/// and stores none of the body; a head that is whole in one piece is parsed in place without a copy or an
/// allocation.
///
///     parser.start(false);                                     // before each response
///     std::size_t consumed = 0;
///     switch (parser.consume(bytes, consumed, receiver)) { ... }  // bytes after `consumed` are the next
///     answer's
///
/// What it takes and refuses:
/// - Interim responses (1xx) are passed over; 101 is malformed, as no upgrade was asked for.
/// - HEAD, 204 and 304 have no body whatever their fields say. Otherwise Transfer-Encoding goes before
///   Content-Length, and with both the connection is not kept (section 6.3). Codings of which chunked is not
///   the last end with the connection. HTTP/1.0 with Transfer-Encoding is malformed (section 6.1).
/// - Equal Content-Lengths count once; those that differ, are no number or above 2^63 - 1 are malformed.
/// - Lines may end with a lone LF; the space after the status code may be missing where the reason is; a
///   folded field is unfolded (section 5.2). A lone CR, other control characters, whitespace before a colon,
///   an empty line before the status line, a status below 100 and any version but HTTP/1.x are malformed.
/// - Chunk extensions and trailers are checked and dropped.
/// - Bounded: heads, 1xx included, and trailers by `limit` bytes each, a chunk size line by 4096.
/// The result never depends on how the bytes were split.
class response_parser {
  public:
    static constexpr std::size_t default_limit = std::size_t{64} * 1024;

    /// `limit`: the most bytes of a head together with the interim heads before it, and of a trailer section.
    explicit response_parser(std::size_t limit = default_limit) noexcept : limit_(limit) { start(false); }

    /// Before each response. `to_head_request`: it answers a HEAD request, so it has no body.
    void start(bool to_head_request) noexcept {
        state_ = state::head;
        to_head_request_ = to_head_request;
        started_ = false;
        keep_alive_ = false;
        reason_ = nullptr;
        head_bytes_ = 0;
        body_bytes_ = 0;
        start_head();
    }

    /// Takes bytes from the front of `input`; `consumed` says how many. Calls `receiver.on_head(const
    /// response_head&)` once, for the final head, then `receiver.on_body(std::string_view)` for each piece of
    /// content, without its chunking. `need_more` means that all bytes were taken; after `complete`, those
    /// that were not belong to the next response. Never answers `cut`.
    template <class Handler>
    parse_status consume(std::string_view input, std::size_t& consumed, Handler& receiver) {
        consumed = 0;
        started_ = started_ || !input.empty();
        while (state_ == state::head) {
            std::size_t used = 0;
            const parse_status status = head_.consume(input, used, *this);
            consumed += used;
            if (status == parse_status::malformed) return refuse(head_.reason());
            if (status == parse_status::need_more) return status;
            input.remove_prefix(used);
            end_head(receiver);
        }
        switch (state_) {
            case state::length:
                return take_length(input, consumed, receiver);
            case state::chunked:
                return take_chunked(input, consumed, receiver);
            case state::until_close:
                give(input, receiver);
                consumed += input.size();
                return parse_status::need_more;
            case state::complete:
                return parse_status::complete;
            default:
                return parse_status::malformed;
        }
    }

    /// The peer has closed its side: `complete` where that ends the body (or it had ended before), `cut`
    /// where the response lacks something, also if none of it has come.
    parse_status end_of_stream() noexcept {
        if (state_ == state::until_close) state_ = state::complete;
        if (state_ == state::complete) return parse_status::complete;
        return state_ == state::malformed ? parse_status::malformed : parse_status::cut;
    }

    /// Whether a byte of this response has come, of an interim one too.
    [[nodiscard]] bool started() const noexcept { return started_; }
    /// After `complete`: whether the connection can take another request (RFC 9112 section 9.3).
    [[nodiscard]] bool keep_alive() const noexcept { return keep_alive_ && state_ == state::complete; }
    /// The status code of the final head, or of the last interim one before it; 0 before any.
    [[nodiscard]] int status() const noexcept { return status_; }
    /// Bytes of content so far, without chunking.
    [[nodiscard]] std::int64_t body_bytes() const noexcept { return body_bytes_; }
    /// Bytes of the complete heads so far, interim ones included; not those of chunking and trailers.
    [[nodiscard]] std::int64_t head_bytes() const noexcept { return head_bytes_; }
    /// After `malformed`: what is wrong, as a phrase such as "two Content-Lengths that differ".
    [[nodiscard]] std::string_view reason_malformed() const noexcept {
        return reason_ != nullptr ? std::string_view(reason_) : std::string_view();
    }

  private:
    friend class detail::head_reader;  // calls the rules below

    enum class state : std::uint8_t { head, length, chunked, until_close, complete, malformed };

    static constexpr bool skips_empty_lines = false;
    static constexpr bool unfolds = true;
    static constexpr const char* not_http = "a start line that is not HTTP/1.x and a status code";

    void start_head() noexcept {
        status_ = 0;
        fields_ = {};
        head_.start(limit_ - static_cast<std::size_t>(head_bytes_));
    }

    parse_status refuse(const char* reason) noexcept {
        state_ = state::malformed;
        reason_ = reason;
        return parse_status::malformed;
    }

    // So that garbage without a line end is refused at once, not when a deadline passes.
    static const char* on_partial_start_line(std::string_view begin) noexcept {
        constexpr std::string_view prefix = "HTTP/1.";
        const std::size_t length = std::min(begin.size(), prefix.size());
        return begin.substr(0, length) == prefix.substr(0, length) ? nullptr : not_http;
    }

    // HTTP-version SP status-code SP [ reason-phrase ], of which the begin has been looked at.
    const char* on_start_line(std::string_view line) noexcept {
        if (line.size() < 12 || line[8] != ' ') return not_http;
        if (line.size() > 12 && line[12] != ' ') return not_http;
        const int minor = line[7] - '0';
        if (minor < 0 || minor > 9) return not_http;
        int code = 0;
        for (const char digit : line.substr(9, 3)) {
            if (digit < '0' || digit > '9') return not_http;
            code = code * 10 + (digit - '0');
        }
        if (code < 100) return "a status code below 100";
        if (code == 101) return "a switch of protocols that was not asked for";
        minor_version_ = minor;
        status_ = code;
        return nullptr;
    }

    const char* on_field(std::string_view name, std::string_view value) noexcept {
        fields_.add(name, value);
        return nullptr;
    }

    template <class Handler>
    void end_head(Handler& receiver) {
        head_bytes_ += static_cast<std::int64_t>(head_.size());
        if (status_ < 200) return start_head();
        const body_framing framing = find_framing();
        if (state_ == state::malformed) return;
        const std::string_view line = head_.start_line();
        const std::string_view reason = line.substr(std::min<std::size_t>(line.size(), 13));
        const std::int64_t length = fields_.content_length_error == nullptr ? fields_.content_length : -1;
        const response_head head{status_, minor_version_, reason, head_.headers(), framing, length};
        receiver.on_head(head);
    }

    // RFC 9112 section 6.3, items 1 and 3 to 8.
    body_framing find_framing() noexcept {
        // A Transfer-Encoding in HTTP/1.0 is a fault of the framing, body or none (RFC 9112 section 6.1).
        keep_alive_ =
            fields_.is_persistent(minor_version_) && !(minor_version_ == 0 && fields_.has_transfer_encoding);
        if (to_head_request_ || status_ == 204 || status_ == 304) {
            state_ = state::complete;
            return body_framing::none;
        }
        if (fields_.has_transfer_encoding) return find_transfer_coding();
        if (fields_.content_length_error != nullptr) {
            refuse(fields_.content_length_error);
            return body_framing::none;
        }
        if (fields_.content_length < 0) return until_close();
        remaining_ = fields_.content_length;
        state_ = remaining_ == 0 ? state::complete : state::length;
        return body_framing::length;
    }

    body_framing find_transfer_coding() noexcept {
        if (minor_version_ == 0) refuse("a Transfer-Encoding in HTTP/1.0");
        if (fields_.transfer_coding_error != nullptr) refuse(fields_.transfer_coding_error);
        if (state_ == state::malformed) return body_framing::none;
        if (!fields_.chunked_is_last) return until_close();
        if (fields_.content_length >= 0 || fields_.content_length_error != nullptr) keep_alive_ = false;
        chunks_.start(limit_);
        state_ = state::chunked;
        return body_framing::chunked;
    }

    body_framing until_close() noexcept {
        keep_alive_ = false;
        state_ = state::until_close;
        return body_framing::until_close;
    }

    template <class Handler>
    void give(std::string_view content, Handler& receiver) {
        if (content.empty()) return;
        body_bytes_ += static_cast<std::int64_t>(content.size());
        receiver.on_body(content);
    }

    template <class Handler>
    parse_status take_length(std::string_view input, std::size_t& consumed, Handler& receiver) {
        const auto length = static_cast<std::size_t>(
            std::min<std::uint64_t>(input.size(), static_cast<std::uint64_t>(remaining_)));
        remaining_ -= static_cast<std::int64_t>(length);
        if (remaining_ == 0) state_ = state::complete;
        consumed += length;
        give(input.substr(0, length), receiver);
        return state_ == state::complete ? parse_status::complete : parse_status::need_more;
    }

    template <class Handler>
    parse_status take_chunked(std::string_view input, std::size_t& consumed, Handler& receiver) {
        std::size_t used = 0;
        const parse_status status =
            chunks_.consume(input, used, [&](std::string_view content) { give(content, receiver); });
        consumed += used;
        if (status == parse_status::malformed) return refuse(chunks_.reason());
        if (status == parse_status::complete) state_ = state::complete;
        return status;
    }

    detail::head_reader head_;
    detail::chunked_decoder chunks_;
    detail::framing_fields fields_;
    std::size_t limit_;
    std::int64_t head_bytes_ = 0;
    std::int64_t body_bytes_ = 0;
    std::int64_t remaining_ = 0;  // of a body with Content-Length
    const char* reason_ = nullptr;
    int status_ = 0;
    int minor_version_ = 1;
    state state_ = state::head;
    bool to_head_request_ = false;
    bool started_ = false;
    bool keep_alive_ = false;
};

}  // namespace benchkit::inline v0_1::http
