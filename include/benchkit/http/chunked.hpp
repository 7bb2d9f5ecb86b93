#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <benchkit/http/framing.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http::detail {

/// Takes the chunked transfer coding off a body (RFC 9112 section 7.1), from bytes in any pieces; it stores
/// nothing. Chunk extensions and trailer fields are checked and dropped, both within limits.
///
/// Lines of the coding end with CRLF only: section 2.2 allows a lone LF for start lines and fields, so here
/// that is trailer fields. Spaces after a chunk size are passed over, as some servers pad it.
class chunked_decoder {
  public:
    static constexpr std::size_t longest_size_line = 4096;  ///< bytes of a chunk size with its extensions

    /// Before each body. `trailer_limit` is the most bytes that its trailer section may have.
    void start(std::size_t trailer_limit) noexcept {
        state_ = state::size_begin;
        remaining_ = 0;
        bytes_left_ = longest_size_line;
        trailer_limit_ = trailer_limit;
    }

    /// Calls `on_data(std::string_view)` for each piece of content, in place.
    template <class OnData>
    [[nodiscard]] parse_status consume(std::string_view input, std::size_t& consumed, OnData&& on_data) {
        std::size_t at = 0;
        while (at != input.size()) {
            if (state_ == state::data) {
                const auto length = static_cast<std::size_t>(
                    std::min<std::uint64_t>(input.size() - at, static_cast<std::uint64_t>(remaining_)));
                on_data(input.substr(at, length));
                at += length;
                remaining_ -= static_cast<std::int64_t>(length);
                if (remaining_ == 0) state_ = state::data_cr;
                continue;
            }
            const char byte = input[at++];
            const bool fits = state_ < state::trailer_begin ? on_chunk_byte(byte) : on_trailer_byte(byte);
            if (!fits) return parse_status::malformed;
            if (state_ == state::complete) {
                consumed = at;
                return parse_status::complete;
            }
        }
        consumed = at;
        return parse_status::need_more;
    }

    [[nodiscard]] const char* reason() const noexcept { return reason_; }

  private:
    enum class state : std::uint8_t {
        size_begin,   // the first digit of a chunk size
        size,         // a further one, or what ends it
        size_space,   // whitespace after it
        extension,    // chunk extensions, to the end of the line
        quoted,       // within a quoted string of these, which ends with its quote
        quoted_pair,  // the byte after a backslash there
        size_lf,      // the LF of that line
        data,         // content
        data_cr,      // the CRLF after it
        data_lf,
        trailer_begin,  // the start of a trailer line, or the end
        trailer_name,
        trailer_value,
        trailer_lf,    // the LF after a trailer field
        trailer_next,  // as trailer_begin, and the field before it may go on
        end_lf,        // the LF of the last, empty line
        complete,
    };

    [[nodiscard]] bool refuse(const char* reason) noexcept {
        reason_ = reason;
        return false;
    }

    [[nodiscard]] bool go(state next) noexcept {
        state_ = next;
        return true;
    }

    [[nodiscard]] static int hex_digit(char byte) noexcept {
        if (byte >= '0' && byte <= '9') return byte - '0';
        const char lower = to_lower(byte);
        return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
    }

    [[nodiscard]] bool on_chunk_byte(char byte) noexcept {
        switch (state_) {
            case state::size_begin:
            case state::size:
            case state::size_space:
            case state::extension:
            case state::quoted:
            case state::quoted_pair:
                return on_size_line_byte(byte);
            case state::size_lf:
                if (byte != '\n') return refuse("a chunk size line with a CR without LF");
                if (remaining_ != 0) return go(state::data);
                bytes_left_ = trailer_limit_;
                return go(state::trailer_begin);
            case state::data_cr:
                return byte == '\r' ? go(state::data_lf)
                                    : refuse("a chunk that does not end where its size says");
            default:
                if (byte != '\n') return refuse("a chunk that does not end where its size says");
                bytes_left_ = longest_size_line;
                return go(state::size_begin);
        }
    }

    [[nodiscard]] bool on_size_line_byte(char byte) noexcept {
        if (bytes_left_-- == 0) return refuse("a chunk size line that is longer than the limit");
        if (state_ == state::quoted || state_ == state::quoted_pair) return on_quoted_byte(byte);
        if (byte == '\r' && state_ != state::size_begin) return go(state::size_lf);
        if (state_ == state::extension) {
            if (byte == '"') return go(state::quoted);
            return is_character(byte, field_character) || refuse("a control character in a chunk extension");
        }
        const int digit = hex_digit(byte);
        if (digit >= 0 && state_ != state::size_space) {
            if (remaining_ > std::numeric_limits<std::int64_t>::max() >> 4) {
                return refuse("a chunk size that no chunk can have");
            }
            remaining_ = remaining_ * 16 + digit;
            return go(state::size);
        }
        if (state_ == state::size_begin) return refuse("a chunk without a size");
        if (byte == ';') return go(state::extension);
        return is_whitespace(byte) ? go(state::size_space) : refuse("a chunk size that is not a number");
    }

    // No line end belongs into a quoted string (RFC 9110 section 5.6.4), so one that is there splits the
    // message at another place for those who look for quotes and those who do not.
    [[nodiscard]] bool on_quoted_byte(char byte) noexcept {
        if (!is_character(byte, field_character)) {
            return refuse("a control character in a quoted string of a chunk extension");
        }
        if (state_ == state::quoted_pair) return go(state::quoted);
        if (byte == '\\') return go(state::quoted_pair);
        return go(byte == '"' ? state::extension : state::quoted);
    }

    [[nodiscard]] bool on_trailer_byte(char byte) noexcept {
        if (bytes_left_-- == 0) return refuse("a trailer section that is longer than the limit");
        switch (state_) {
            case state::trailer_begin:
            case state::trailer_next:
                if (byte == '\r') return go(state::end_lf);
                if (byte == '\n') return go(state::complete);
                if (state_ == state::trailer_next && is_whitespace(byte)) return go(state::trailer_value);
                return is_character(byte, token_character) ? go(state::trailer_name)
                                                           : refuse("a trailer line that is no field");
            case state::trailer_name:
                if (byte == ':') return go(state::trailer_value);
                return is_character(byte, token_character) || refuse("a trailer line that is no field");
            case state::trailer_value:
                if (byte == '\r') return go(state::trailer_lf);
                if (byte == '\n') return go(state::trailer_next);
                return is_character(byte, field_character) || refuse("a control character in a trailer field");
            case state::trailer_lf:
                return byte == '\n' ? go(state::trailer_next) : refuse("a CR without LF in a trailer field");
            default:
                return byte == '\n' ? go(state::complete) : refuse("a CR without LF after the trailer section");
        }
    }

    std::int64_t remaining_ = 0;  // of the chunk
    std::size_t bytes_left_ = 0;  // of the limit on the line, or on the trailer section
    std::size_t trailer_limit_ = 0;
    const char* reason_ = nullptr;
    state state_ = state::size_begin;
};

}  // namespace benchkit::inline v0_1::http::detail
