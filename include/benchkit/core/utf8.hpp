#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1::detail {

/// The bounds of the second byte of a character of UTF-8 that begins with `lead`, and how many bytes it has
/// (RFC 3629 section 4). Length 0: no character begins so.
struct utf8_form {
    std::size_t length = 0;
    unsigned char second_low = 0x80;
    unsigned char second_high = 0xBF;
};

[[nodiscard]] constexpr utf8_form utf8_form_of(unsigned char lead) noexcept {
    if (lead < 0x80) return {1};
    if (lead < 0xC2) return {};  // a continuation byte, or what needs no second byte
    if (lead < 0xE0) return {2};
    if (lead == 0xE0) return {3, 0xA0, 0xBF};  // shorter forms are for smaller characters
    if (lead == 0xED) return {3, 0x80, 0x9F};  // surrogates are no characters
    if (lead < 0xF0) return {3};
    if (lead == 0xF0) return {4, 0x90, 0xBF};
    if (lead < 0xF4) return {4};
    if (lead == 0xF4) return {4, 0x80, 0x8F};  // U+10FFFF is the last
    return {};
}

/// How many bytes at the start of `text`, which is not empty, can belong to one character.
[[nodiscard]] constexpr std::size_t utf8_prefix_length(std::string_view text, utf8_form form) noexcept {
    std::size_t length = 1;
    while (length < form.length && length < text.size()) {
        const auto byte = static_cast<unsigned char>(text[length]);
        const unsigned char low = length == 1 ? form.second_low : 0x80;
        const unsigned char high = length == 1 ? form.second_high : 0xBF;
        if (byte < low || byte > high) break;
        ++length;
    }
    return length;
}

/// The length in bytes of the character at the start of `text`, which is not empty; 0 where it is malformed.
[[nodiscard]] constexpr std::size_t utf8_length(std::string_view text) noexcept {
    const utf8_form form = utf8_form_of(static_cast<unsigned char>(text.front()));
    return utf8_prefix_length(text, form) == form.length ? form.length : 0;
}

/// How many bytes at the start of `text`, which is malformed there, one U+FFFD stands for: the longest part of
/// a character, as the Unicode Standard recommends (section 3.9, "maximal subparts").
[[nodiscard]] constexpr std::size_t utf8_malformed_length(std::string_view text) noexcept {
    return utf8_prefix_length(text, utf8_form_of(static_cast<unsigned char>(text.front())));
}

inline constexpr std::string_view replacement_character = "\xEF\xBF\xBD";  // U+FFFD

/// `text` for a terminal, on one line: control characters are written as \xNN, what is not UTF-8 becomes
/// U+FFFD, as in JSON.
[[nodiscard]] inline std::string printable(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = utf8_length(text);
        const auto first = static_cast<unsigned char>(text.front());
        if (length == 0) {
            shown += replacement_character;
        } else if (first < 0x20 || first == 0x7F) {
            shown.append("\\x").push_back(digits[first >> 4U]);
            shown.push_back(digits[first & 15U]);
        } else {
            shown += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? utf8_malformed_length(text) : length);
    }
    return shown;
}

}  // namespace benchkit::inline v0_1::detail
