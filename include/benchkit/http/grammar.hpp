#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <benchkit/core/utf8.hpp>

namespace benchkit::inline v0_1::http::detail {

/// What a byte may be part of (RFC 9110 section 5.6.2, 5.5; RFC 9112 section 3.2).
enum character_class : std::uint8_t {
    token_character = 1,   // tchar: methods and field names
    field_character = 2,   // HTAB, SP, VCHAR, obs-text: field values, reason phrases, chunk extensions
    target_character = 4,  // VCHAR: request targets
    host_character = 8,    // letters, digits and -._~ : names and IPv4 addresses
};

[[nodiscard]] constexpr std::array<std::uint8_t, 256> make_character_classes() noexcept {
    std::array<std::uint8_t, 256> classes{};
    const auto mark = [&classes](std::string_view characters, std::uint8_t value) {
        for (const char each : characters) classes[static_cast<unsigned char>(each)] |= value;
    };
    for (std::size_t byte = 0x21; byte < 0x7f; ++byte) classes[byte] = field_character | target_character;
    for (std::size_t byte = 0x80; byte < 0x100; ++byte) classes[byte] = field_character;
    mark("\t ", field_character);
    constexpr std::string_view letters_and_digits =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    mark(letters_and_digits, token_character | host_character);
    mark("!#$%&'*+-.^_`|~", token_character);
    mark("-._~", host_character);
    return classes;
}

inline constexpr std::array<std::uint8_t, 256> character_classes = make_character_classes();

[[nodiscard]] constexpr bool is_character(char byte, character_class wanted) noexcept {
    return (character_classes[static_cast<unsigned char>(byte)] & wanted) != 0;
}

/// Whether there is at least one byte and all are of this class.
[[nodiscard]] constexpr bool all_characters(std::string_view text, character_class wanted) noexcept {
    for (const char byte : text) {
        if (!is_character(byte, wanted)) return false;
    }
    return !text.empty();
}

/// The first byte in [first, last) that is not of this class; four at a time, for one branch.
[[nodiscard]] inline const char* find_other(const char* first, const char* last,
                                            character_class wanted) noexcept {
    const auto of = [](char byte) { return character_classes[static_cast<unsigned char>(byte)]; };
    while (last - first >= 4 && (of(first[0]) & of(first[1]) & of(first[2]) & of(first[3]) & wanted) != 0)
        first += 4;
    while (first != last && is_character(*first, wanted)) ++first;
    return first;
}

/// The first byte in [first, last) that no field value may hold: a control character other than HTAB.
/// Eight bytes at a time, as this runs over every byte of every head.
[[nodiscard]] inline const char* find_control(const char* first, const char* last) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t high_bits = ones * 0x80U;
    while (last - first >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, first, sizeof word);
        const std::uint64_t no_delete = word ^ (ones * 0x7fU);
        const std::uint64_t below_space = (word - ones * 0x20U) & ~word;
        const std::uint64_t is_delete = (no_delete - ones) & ~no_delete;
        const std::uint64_t suspects = (below_space | is_delete) & high_bits;
        if (suspects == 0) {
            first += 8;
            continue;
        }
        // The lowest mark is exact, those above it may be borrows: step to it, and past it if it is a tab.
        if constexpr (std::endian::native == std::endian::little) first += std::countr_zero(suspects) / 8;
        if (!is_character(*first, field_character)) return first;
        ++first;
    }
    while (first != last && is_character(*first, field_character)) ++first;
    return first;
}

[[nodiscard]] constexpr char to_lower(char byte) noexcept {
    return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
}

/// Equal but for the case of ASCII letters, whatever the locale.
[[nodiscard]] constexpr bool equals_ignore_case(std::string_view left, std::string_view right) noexcept {
    if (left.size() != right.size()) return false;
    if (left == right) return true;  // the common case: the peer writes it as we do
    for (std::size_t i = 0; i < left.size(); ++i) {
        if (to_lower(left[i]) != to_lower(right[i])) return false;
    }
    return true;
}

[[nodiscard]] constexpr bool is_whitespace(char byte) noexcept {
    return byte == ' ' || byte == '\t';
}

/// Without the optional whitespace (SP, HTAB) at both ends.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    while (!text.empty() && is_whitespace(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_whitespace(text.back())) text.remove_suffix(1);
    return text;
}

/// The next element of a comma-separated list, which is taken off its front; a comma within a quoted string
/// separates nothing. Elements may be empty: RFC 9110 section 5.6.1.2 has recipients skip those.
[[nodiscard]] constexpr std::string_view take_list_element(std::string_view& list) noexcept {
    bool quoted = false;
    std::size_t end = 0;
    for (; end < list.size(); ++end) {
        const char byte = list[end];
        if (byte == '"') quoted = !quoted;
        if (byte == '\\' && quoted && end + 1 < list.size()) ++end;
        if (byte == ',' && !quoted) break;
    }
    const std::string_view element = trim(list.substr(0, end));
    list.remove_prefix(end < list.size() ? end + 1 : end);
    return element;
}

/// What sentences show of a text.
using benchkit::detail::printable;

}  // namespace benchkit::inline v0_1::http::detail
