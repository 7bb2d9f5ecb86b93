#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include <benchkit/http/framing.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/headers.hpp>

namespace benchkit::inline v0_1::http::detail {

/// Reads the head of one message, start line to empty line, from bytes in any pieces. A head that is whole
/// in one piece is read in place, with no copy and no allocation; of one that is split, the pieces are
/// gathered in a buffer of the reader's own, each byte looked at once.
///
/// `Rules` has
///   static constexpr bool skips_empty_lines   before the start line (RFC 9112 section 2.2, for servers)
///   static constexpr bool unfolds             obs-fold is replaced by spaces, else refused (section 5.2)
///   const char* on_partial_start_line(std::string_view begin)   of what there is so far, then of all
///   const char* on_start_line(std::string_view line)
///   const char* on_field(std::string_view name, std::string_view value)
/// Each function returns null or what is wrong; its views are valid during the call only.
///
/// A line ends with CRLF or with LF alone (section 2.2 lets a recipient take both); a CR anywhere else, any
/// other control character, whitespace before the colon or before the first field, and a line without a
/// colon are refused.
class head_reader {
  public:
    /// Before each head. `limit` is the most bytes that it may have.
    void start(std::size_t limit) noexcept {
        if (spill_.capacity() > kept_capacity) spill_ = std::string();
        spill_.clear();
        limit_ = limit;
        line_ = cursor_ = colon_ = fields_ = end_ = 0;
        in_fields_ = too_long_ = false;
    }

    template <class Rules>
    [[nodiscard]] parse_status consume(std::string_view input, std::size_t& consumed, Rules& rules) {
        const std::size_t before = spill_.size();
        input = input.substr(0, limit_ - before);
        if (before != 0) spill_.append(input);
        text_ = before != 0 ? std::string_view(spill_) : input;
        const parse_status status = scan(rules);
        if (status == parse_status::complete) consumed = end_ - before;
        if (status == parse_status::need_more) {
            if (text_.size() >= limit_) {
                too_long_ = true;
                return refuse("a head that is longer than the limit");
            }
            if (spill_.empty()) spill_.assign(text_);
            consumed = input.size();
        }
        return status;
    }

    /// After `complete`, until the bytes that were given go away (or, after `keep`, until `start`).
    [[nodiscard]] std::string_view start_line() const noexcept {
        return text().substr(start_line_, start_line_size_);
    }
    [[nodiscard]] header_block headers() const noexcept {
        return header_block(text().substr(fields_, end_of_fields_ - fields_));
    }
    /// Bytes of the head, the empty line included.
    [[nodiscard]] std::size_t size() const noexcept { return end_; }

    /// Copies a head that was read in place, so that it outlives the bytes that were given.
    void keep() {
        if (spill_.empty()) spill_.assign(text_.substr(0, end_));
    }

    /// After `malformed`: what is wrong; whether it is the length, and whether the start line has no end.
    [[nodiscard]] bool in_start_line() const noexcept { return !in_fields_; }
    [[nodiscard]] bool too_long() const noexcept { return too_long_; }
    [[nodiscard]] const char* reason() const noexcept { return reason_; }

  private:
    static constexpr std::size_t kept_capacity = 4096;  // a larger buffer is not kept for the next head

    // The bytes of the head: those gathered, or those that were given.
    [[nodiscard]] std::string_view text() const noexcept {
        return spill_.empty() ? text_ : std::string_view(spill_);
    }

    [[nodiscard]] parse_status refuse(const char* reason) noexcept {
        reason_ = reason;
        return parse_status::malformed;
    }

    template <class Rules>
    [[nodiscard]] parse_status scan(Rules& rules) {
        while (!in_fields_) {
            const parse_status status = scan_start_line(rules);
            if (status != parse_status::complete) return status;
        }
        while (true) {
            if (line_ == text_.size()) return parse_status::need_more;
            if (text_[line_] == '\r' || text_[line_] == '\n') return scan_empty_line();
            const parse_status status = scan_field(rules);
            if (status != parse_status::complete) return status;
        }
    }

    // Moves the cursor to the end of the line's text; `next` is the start of the next line.
    [[nodiscard]] parse_status scan_line_end(std::size_t& next) noexcept {
        const char* const first = text_.data();
        const char* const last = first + text_.size();
        const char* const found = find_control(first + cursor_, last);
        cursor_ = static_cast<std::size_t>(found - first);
        next = cursor_ + 1;
        if (found == last) return parse_status::need_more;
        if (*found == '\n') return parse_status::complete;
        if (*found != '\r') return refuse("a control character in the head");
        if (found + 1 == last) return parse_status::need_more;
        ++next;
        return found[1] == '\n' ? parse_status::complete : refuse("a CR without LF in the head");
    }

    template <class Rules>
    [[nodiscard]] parse_status scan_start_line(Rules& rules) {
        std::size_t next = 0;
        const parse_status status = scan_line_end(next);
        const std::string_view line = text_.substr(line_, cursor_ - line_);
        if (const char* const wrong = rules.on_partial_start_line(line)) return refuse(wrong);
        if (status != parse_status::complete) return status;
        if (Rules::skips_empty_lines && line.empty()) {
            line_ = cursor_ = next;
            return parse_status::complete;
        }
        if (const char* const wrong = rules.on_start_line(line)) return refuse(wrong);
        start_line_ = line_;
        start_line_size_ = line.size();
        line_ = cursor_ = fields_ = next;
        in_fields_ = true;
        return parse_status::complete;
    }

    [[nodiscard]] parse_status scan_empty_line() noexcept {
        std::size_t next = 0;
        const parse_status status = scan_line_end(next);
        if (status != parse_status::complete) return status;
        end_of_fields_ = line_;
        end_ = next;
        return status;
    }

    // One field line with its continuations. The field has ended only when the first byte of the next line
    // is there and is no whitespace.
    template <class Rules>
    [[nodiscard]] parse_status scan_field(Rules& rules) {
        if (colon_ == 0) {
            const parse_status status = scan_name();
            if (status != parse_status::complete) return status;
        }
        std::size_t next = 0;
        while (true) {
            const parse_status status = scan_line_end(next);
            if (status != parse_status::complete) return status;
            if (next == text_.size()) return parse_status::need_more;
            if (!is_whitespace(text_[next])) break;
            if (!Rules::unfolds) return refuse("a header field folded over two lines");
            unfold(next);
        }
        const std::string_view name = text_.substr(line_, colon_ - line_);
        const std::string_view value = trim(text_.substr(colon_ + 1, cursor_ - colon_ - 1));
        if (const char* const wrong = rules.on_field(name, value)) return refuse(wrong);
        line_ = cursor_ = next;
        colon_ = 0;
        return parse_status::complete;
    }

    [[nodiscard]] parse_status scan_name() noexcept {
        const char* const last = text_.data() + text_.size();
        const char* found = text_.data() + cursor_;
        found = find_other(found, last, token_character);
        cursor_ = static_cast<std::size_t>(found - text_.data());
        if (found == last) return parse_status::need_more;
        if (*found != ':') {
            if (!is_whitespace(*found)) return refuse("a header line that is no field");
            return refuse(cursor_ == line_ ? "whitespace before the first header field"
                                           : "whitespace between a field name and its colon");
        }
        if (cursor_ == line_) return refuse("a header field without a name");
        colon_ = cursor_++;
        return parse_status::complete;
    }

    // Replaces the line end before `next` by spaces, in a copy.
    void unfold(std::size_t next) {
        if (spill_.empty()) {
            spill_.assign(text_);
            text_ = spill_;
        }
        for (; cursor_ != next; ++cursor_) spill_[cursor_] = ' ';
    }

    std::string spill_;      // a head that is not whole in one piece
    std::string_view text_;  // what is being looked at: the input, or spill_
    std::size_t limit_ = 0;
    std::size_t line_ = 0;    // start of the line being read
    std::size_t cursor_ = 0;  // all before it was looked at
    std::size_t colon_ = 0;   // of the field being read; 0 while in its name
    std::size_t start_line_ = 0;
    std::size_t start_line_size_ = 0;
    std::size_t fields_ = 0;  // start of the header fields
    std::size_t end_of_fields_ = 0;
    std::size_t end_ = 0;  // end of the head
    const char* reason_ = nullptr;
    bool in_fields_ = false;
    bool too_long_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail
