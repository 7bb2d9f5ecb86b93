#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/core/utf8.hpp>

namespace benchkit::inline v0_1 {

/// How an object or array is laid out: one member a line, or all of them on the line on which it begins.
enum class json_layout : std::uint8_t { lines, one_line };

/// Writes JSON as it is told, in one pass and without a tree: begin, keys and values, end. Commas, line ends
/// and indentation are its own. The caller keeps the grammar: a key before each value of an object, an end for
/// each begin.
///
/// The text is the same in every locale and on every machine. A number that is not finite is `null`. Strings
/// are escaped; bytes that are not UTF-8 become U+FFFD.
class json_stream {
  public:
    json_stream() = default;

    json_stream& begin_object(json_layout layout = json_layout::lines) { return begin('{', layout); }
    json_stream& end_object() { return end('}'); }
    json_stream& begin_array(json_layout layout = json_layout::lines) { return begin('[', layout); }
    json_stream& end_array() { return end(']'); }

    /// The key of the value that comes next.
    json_stream& key(std::string_view name) {
        separate();
        append_string(name);
        text_ += ": ";
        after_key_ = true;
        return *this;
    }

    json_stream& value(std::string_view string) {
        separate();
        append_string(string);
        return *this;
    }
    json_stream& value(const char* string) { return value(std::string_view(string)); }
    json_stream& value(bool truth) { return raw(truth ? "true" : "false"); }
    json_stream& value(std::int64_t number) { return raw(std::to_string(number)); }
    json_stream& value(int number) { return value(std::int64_t{number}); }

    /// A real number always has a point or an exponent, so that a reader can tell it from a whole one.
    json_stream& value(double number) {
        if (!std::isfinite(number)) return null();
        const std::string digits = format_number(number);
        const bool whole = digits.find_first_of(".e") == std::string::npos;
        return raw(whole ? digits + ".0" : digits);
    }

    json_stream& null() { return raw("null"); }

    /// The value, or `null` where there is none.
    template <class Value>
    json_stream& value(const std::optional<Value>& maybe) {
        return maybe ? value(*maybe) : null();
    }

    /// A key with its value.
    template <class Value>
    json_stream& member(std::string_view name, const Value& content) {
        return key(name).value(content);
    }

    /// What was written; the writer is empty afterwards.
    [[nodiscard]] std::string take() {
        std::string text = std::move(text_);
        *this = json_stream();
        return text;
    }

  private:
    struct scope {
        bool one_line = false;
        bool empty = true;
    };

    json_stream& begin(char bracket, json_layout layout) {
        separate();
        text_ += bracket;
        const bool inside_line = !scopes_.empty() && scopes_.back().one_line;
        scopes_.push_back({inside_line || layout == json_layout::one_line, true});
        return *this;
    }

    json_stream& end(char bracket) {
        const scope ended = scopes_.back();
        scopes_.pop_back();
        if (!ended.empty && !ended.one_line) new_line();
        text_ += bracket;
        return *this;
    }

    json_stream& raw(std::string_view token) {
        separate();
        text_ += token;
        return *this;
    }

    /// What stands between the last thing written and the next.
    void separate() {
        if (after_key_ || scopes_.empty()) {
            after_key_ = false;
            return;
        }
        scope& current = scopes_.back();
        if (!current.empty) text_ += current.one_line ? ", " : ",";
        if (!current.one_line) new_line();
        current.empty = false;
    }

    void new_line() {
        text_ += '\n';
        text_.append(2 * scopes_.size(), ' ');
    }

    void append_string(std::string_view string) {
        text_ += '"';
        while (!string.empty()) {
            const std::size_t length = detail::utf8_length(string);
            if (length == 0) {
                text_ += detail::replacement_character;
                string.remove_prefix(detail::utf8_malformed_length(string));
                continue;
            }
            if (length == 1) {
                append_ascii(string.front());
            } else {
                text_ += string.substr(0, length);
            }
            string.remove_prefix(length);
        }
        text_ += '"';
    }

    void append_ascii(char character) {
        constexpr std::string_view hexadecimal = "0123456789abcdef";
        const auto code = static_cast<unsigned char>(character);
        switch (character) {
            case '"':
                text_ += "\\\"";
                return;
            case '\\':
                text_ += "\\\\";
                return;
            case '\b':
                text_ += "\\b";
                return;
            case '\f':
                text_ += "\\f";
                return;
            case '\n':
                text_ += "\\n";
                return;
            case '\r':
                text_ += "\\r";
                return;
            case '\t':
                text_ += "\\t";
                return;
            default:
                break;
        }
        if (code >= 0x20 && code != 0x7F) {
            text_ += character;
            return;
        }
        text_ += "\\u00";
        text_ += hexadecimal[code >> 4U];
        text_ += hexadecimal[code & 0xFU];
    }

    std::string text_;
    std::vector<scope> scopes_;
    bool after_key_ = false;
};

}  // namespace benchkit::inline v0_1
