#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/utf8.hpp>

namespace benchkit::inline v0_1 {

/// The first place where a text is not JSON.
struct json_flaw {
    std::size_t offset = 0;  ///< bytes before it
    std::string expected;    ///< what would have to stand there, such as "a value"
};

namespace detail {

/// Walks through JSON (RFC 8259) up to the first flaw. It is slow and keeps nothing: it runs only on what the
/// real parser has refused, to tell where.
class json_walk {
  public:
    static constexpr int deepest = 1024;

    explicit json_walk(std::string_view text) : text_(text) {}

    [[nodiscard]] std::optional<json_flaw> run() {
        value(0);
        skip_blanks();
        if (!flaw_ && at_ < text_.size()) expect("the end of the text");
        return flaw_;
    }

  private:
    void expect(std::string_view what) {
        if (!flaw_) flaw_ = json_flaw{at_, std::string(what)};
    }

    [[nodiscard]] char next() const { return at_ < text_.size() ? text_[at_] : '\0'; }

    void skip_blanks() { at_ = std::min(text_.size(), text_.find_first_not_of(" \t\r\n", at_)); }

    bool take(char character) {
        skip_blanks();
        if (next() != character) return false;
        ++at_;
        return true;
    }

    void value(int depth) {
        skip_blanks();
        if (depth > deepest) return expect("no deeper nesting");
        switch (next()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return string();
            case 't':
                return literal("true");
            case 'f':
                return literal("false");
            case 'n':
                return literal("null");
            default:
                return number();
        }
    }

    void object(int depth) {
        ++at_;
        if (take('}')) return;
        do {
            skip_blanks();
            if (next() != '"') return expect("a key in quotes");
            string();
            if (!flaw_ && !take(':')) expect("':'");
            if (!flaw_) value(depth + 1);
        } while (!flaw_ && take(','));
        if (!flaw_ && !take('}')) expect("',' or '}'");
    }

    void array(int depth) {
        ++at_;
        if (take(']')) return;
        do {
            value(depth + 1);
        } while (!flaw_ && take(','));
        if (!flaw_ && !take(']')) expect("',' or ']'");
    }

    void literal(std::string_view word) {
        if (text_.substr(at_, word.size()) != word) return expect("a value");
        at_ += word.size();
    }

    bool digits() {
        const std::size_t before = at_;
        while (next() >= '0' && next() <= '9') ++at_;
        return at_ > before;
    }

    void number() {
        const std::size_t before = at_;
        if (next() == '-') ++at_;
        const bool zero = next() == '0';
        if (zero) ++at_;
        if (!zero && !digits()) return expect(at_ == before ? "a value" : "a digit");
        if (next() == '.') {
            ++at_;
            if (!digits()) return expect("a digit");
        }
        if (next() != 'e' && next() != 'E') return;
        ++at_;
        if (next() == '+' || next() == '-') ++at_;
        if (!digits()) expect("a digit");
    }

    void string() {
        ++at_;
        while (!flaw_ && at_ < text_.size() && text_[at_] != '"') character();
        if (!flaw_ && at_ == text_.size()) expect("the end of a string");
        if (!flaw_) ++at_;
    }

    void character() {
        const auto code = static_cast<unsigned char>(text_[at_]);
        if (code < 0x20) return expect("no control character in a string");
        if (code == '\\') return escape();
        const std::size_t length = utf8_length(text_.substr(at_));
        if (length == 0) return expect("UTF-8");
        at_ += length;
    }

    void escape() {
        const std::string_view rest = text_.substr(at_ + 1, 1);
        if (rest != "u") {
            if (rest.empty() || std::string_view("\"\\/bfnrt").find(rest) == std::string_view::npos) {
                return expect("a known escape");
            }
            at_ += 2;
            return;
        }
        const auto code = code_unit();
        if (!code) return expect("four hexadecimal digits");
        if (*code >= 0xDC00 && *code <= 0xDFFF) return expect("a surrogate pair in order");
        at_ += 6;
        if (*code < 0xD800 || *code > 0xDBFF) return;
        const auto low = code_unit();
        if (!low || *low < 0xDC00 || *low > 0xDFFF) return expect("the second half of a surrogate pair");
        at_ += 6;
    }

    /// The number of an escape such as \u00e4 here; nothing where there is none.
    [[nodiscard]] std::optional<unsigned> code_unit() const {
        constexpr std::string_view hexadecimal = "0123456789abcdef0123456789ABCDEF";
        const std::string_view escape = text_.substr(std::min(at_, text_.size()), 6);
        if (escape.size() < 6 || !escape.starts_with("\\u")) return std::nullopt;
        unsigned code = 0;
        for (const char digit : escape.substr(2)) {
            const std::size_t place = hexadecimal.find(digit);
            if (place == std::string_view::npos) return std::nullopt;
            code = code * 16 + static_cast<unsigned>(place % 16);
        }
        return code;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::optional<json_flaw> flaw_;
};

}  // namespace detail

/// The first flaw of a text that should be JSON; nothing where it is JSON.
[[nodiscard]] inline std::optional<json_flaw> find_json_flaw(std::string_view text) {
    return detail::json_walk(text).run();
}

/// "line 3, column 14" of an offset into a text, both from 1, columns in bytes.
[[nodiscard]] inline std::string line_and_column(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t last_end = before.rfind('\n');
    const std::size_t column = before.size() - (last_end == std::string_view::npos ? 0 : last_end + 1);
    return "line " + std::to_string(lines + 1) + ", column " + std::to_string(column + 1);
}

}  // namespace benchkit::inline v0_1
