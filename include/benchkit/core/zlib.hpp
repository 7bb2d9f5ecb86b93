#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/bytes.hpp>

namespace benchkit::inline v0_1 {

/// The Adler-32 checksum of `bytes` (RFC 1950, section 8.2).
[[nodiscard]] constexpr std::uint32_t adler32(std::string_view bytes) noexcept {
    constexpr std::uint32_t modulus = 65521;
    constexpr std::size_t safe_length = 5552;  // so many bytes of 255 do not overflow 32 bits
    std::uint32_t sum = 1;
    std::uint32_t sum_of_sums = 0;
    while (!bytes.empty()) {
        const std::size_t length = std::min(bytes.size(), safe_length);
        for (const char byte : bytes.substr(0, length)) {
            sum += static_cast<unsigned char>(byte);
            sum_of_sums += sum;
        }
        sum %= modulus;
        sum_of_sums %= modulus;
        bytes.remove_prefix(length);
    }
    return (sum_of_sums << 16) | sum;
}

/// `bytes` as a zlib stream (RFC 1950) that compresses nothing: only stored blocks (RFC 1951, section 3.2.4).
/// Every zlib reads it.
[[nodiscard]] inline std::string zlib_store(std::string_view bytes) {
    constexpr std::size_t largest_block = 65535;
    std::string stream{'\x78', '\x01'};  // deflate with a window of 32 KiB, fastest level
    std::string_view rest = bytes;
    do {
        const std::string_view block = rest.substr(0, largest_block);
        rest.remove_prefix(block.size());
        stream.push_back(rest.empty() ? '\1' : '\0');
        for (const std::size_t length : {block.size(), ~block.size()}) {
            stream.push_back(static_cast<char>(length & 0xFFU));
            stream.push_back(static_cast<char>((length >> 8) & 0xFFU));
        }
        stream.append(block);
    } while (!rest.empty());
    append_big_endian(stream, adler32(bytes), 4);
    return stream;
}

/// The bytes of a zlib stream that holds only stored blocks, as `zlib_store` makes it. Nothing where it is
/// damaged, is compressed, needs a dictionary, or where something follows it.
[[nodiscard]] inline std::optional<std::string> zlib_read_stored(std::string_view stream) {
    constexpr std::uint64_t deflate = 8;
    constexpr std::uint64_t dictionary = 0x20;
    const auto header = take_big_endian(stream, 2);
    if (!header || *header % 31 != 0 || ((*header >> 8) & 0x0FU) != deflate || (*header & dictionary) != 0) {
        return std::nullopt;
    }
    std::string bytes;
    bool last = false;
    while (!last) {
        const auto head = take_bytes(stream, 5);
        if (!head) return std::nullopt;
        const auto byte = [&](std::size_t place) { return static_cast<unsigned char>((*head)[place]); };
        // The bits between the type of the block and the next whole byte may be anything.
        if ((byte(0) & 6U) != 0) return std::nullopt;
        last = (byte(0) & 1U) != 0;
        const std::size_t length = byte(1) | static_cast<std::size_t>(byte(2)) << 8;
        const std::size_t complement = byte(3) | static_cast<std::size_t>(byte(4)) << 8;
        const auto block = take_bytes(stream, length);
        if (!block || (length ^ complement) != 0xFFFFU) return std::nullopt;
        bytes.append(*block);
    }
    const auto checksum = take_big_endian(stream, 4);
    if (!checksum || *checksum != adler32(bytes) || !stream.empty()) return std::nullopt;
    return bytes;
}

}  // namespace benchkit::inline v0_1
