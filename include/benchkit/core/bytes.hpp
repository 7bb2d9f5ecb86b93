#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1 {

/// Appends the last `size` (1 to 8) bytes of `value`, the most significant first.
inline void append_big_endian(std::string& bytes, std::uint64_t value, int size) {
    for (int place = size - 1; place >= 0; --place) bytes.push_back(static_cast<char>(value >> (8 * place)));
}

/// The first `size` bytes of `bytes`, which are then cut off it. Nothing, and `bytes` as it was, where it is
/// shorter.
[[nodiscard]] constexpr std::optional<std::string_view> take_bytes(std::string_view& bytes,
                                                                   std::size_t size) noexcept {
    if (bytes.size() < size) return std::nullopt;
    const std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return taken;
}

/// As `take_bytes`, for an integer of 1 to 8 bytes, the most significant first.
[[nodiscard]] constexpr std::optional<std::uint64_t> take_big_endian(std::string_view& bytes,
                                                                     std::size_t size) noexcept {
    const auto taken = take_bytes(bytes, size);
    if (!taken) return std::nullopt;
    std::uint64_t value = 0;
    for (const char byte : *taken) value = (value << 8) | static_cast<unsigned char>(byte);
    return value;
}

}  // namespace benchkit::inline v0_1
