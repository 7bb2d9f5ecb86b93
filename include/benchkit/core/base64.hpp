#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1 {

namespace detail {

inline constexpr std::string_view base64_alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
inline constexpr std::uint8_t base64_no_digit = 64;

/// The value of each character as a digit.
inline constexpr auto base64_values = [] {
    std::array<std::uint8_t, 256> values{};
    values.fill(base64_no_digit);
    for (std::size_t digit = 0; digit < base64_alphabet.size(); ++digit) {
        values[static_cast<unsigned char>(base64_alphabet[digit])] = static_cast<std::uint8_t>(digit);
    }
    return values;
}();

}  // namespace detail

/// `bytes` as base64 text with padding and without line breaks (RFC 4648, section 4).
[[nodiscard]] inline std::string base64_encode(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t start = 0; start < bytes.size(); start += 3) {
        const std::string_view group = bytes.substr(start, 3);
        std::uint32_t bits = 0;
        for (std::size_t place = 0; place < 3; ++place) {
            bits = (bits << 8) | (place < group.size() ? static_cast<unsigned char>(group[place]) : 0U);
        }
        for (std::size_t place = 0; place < 4; ++place) {
            const bool padding = place > group.size();
            text.push_back(padding ? '=' : detail::base64_alphabet[(bits >> (18 - 6 * place)) & 63U]);
        }
    }
    return text;
}

/// The bytes that `text` encodes. Nothing where it is no canonical base64 with padding: another character,
/// a wrong length, or bits set that encode nothing.
[[nodiscard]] inline std::optional<std::string> base64_decode(std::string_view text) {
    if (text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t bits = 0;
    int waiting = 0;  // bits that do not make a byte yet
    for (const char character : text.substr(0, text.size() - padding)) {
        const std::uint8_t digit = detail::base64_values[static_cast<unsigned char>(character)];
        if (digit == detail::base64_no_digit) return std::nullopt;
        bits = ((bits << 6) | digit) & 0xFFFFU;
        waiting += 6;
        if (waiting < 8) continue;
        waiting -= 8;
        bytes.push_back(static_cast<char>(bits >> waiting));
    }
    if ((bits & ((1U << waiting) - 1)) != 0) return std::nullopt;
    return bytes;
}

}  // namespace benchkit::inline v0_1
