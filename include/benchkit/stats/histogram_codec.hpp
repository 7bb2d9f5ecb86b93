#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/base64.hpp>
#include <benchkit/core/bytes.hpp>
#include <benchkit/core/zlib.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1 {

// HdrHistogram's encoding, version 2. In base64: cookie, length, zlib stream. In the stream: cookie, length of
// the counts, index offset, digits, lowest, highest, conversion ratio, counts. Integers are big-endian.

namespace detail {

inline constexpr std::uint64_t compressed_cookie = 0x1c849304;
inline constexpr std::uint64_t payload_cookie = 0x1c849303;
inline constexpr std::uint64_t word_size_in_cookie = 0x10;          // what version 2 writes; readers mask it
inline constexpr std::uint64_t no_conversion = 0x3FF0000000000000;  // the bits of the double 1.0

[[nodiscard]] constexpr bool is_cookie(std::optional<std::uint64_t> word, std::uint64_t cookie) noexcept {
    return word && (*word & ~std::uint64_t{0xF0}) == cookie;
}

/// Appends a signed integer in 1 to 9 bytes: zigzag, then 7 bits per byte, the lowest first; the ninth byte
/// holds 8 bits.
inline void append_zigzag(std::string& bytes, std::int64_t value) {
    auto rest = (static_cast<std::uint64_t>(value) << 1) ^ (value < 0 ? ~std::uint64_t{0} : 0U);
    for (int byte = 0; byte < 8 && rest >= 0x80; ++byte) {
        bytes.push_back(static_cast<char>(rest | 0x80U));
        rest >>= 7;
    }
    bytes.push_back(static_cast<char>(rest));
}

/// The integer that `append_zigzag` wrote, cut off `bytes`; nothing where `bytes` ends within it.
[[nodiscard]] constexpr std::optional<std::int64_t> take_zigzag(std::string_view& bytes) noexcept {
    std::uint64_t bits = 0;
    for (int shift = 0; shift <= 56; shift += 7) {
        const auto byte = take_big_endian(bytes, 1);
        if (!byte) return std::nullopt;
        const bool last = shift == 56 || *byte < 0x80;
        bits |= (last ? *byte : *byte & 0x7FU) << shift;
        if (last) break;
    }
    return static_cast<std::int64_t>((bits >> 1) ^ ((bits & 1U) != 0 ? ~std::uint64_t{0} : 0U));
}

/// Appends the counts from bucket 0 to the last one in use. A run of empty buckets is its negative length, one
/// alone is 0.
inline void append_counts(std::string& bytes, const histogram& values) {
    const auto append_empty = [&](std::size_t run) {
        if (run > 0) append_zigzag(bytes, run == 1 ? 0 : -static_cast<std::int64_t>(run));
    };
    const histogram_scale scale(values.layout());
    std::size_t next = 0;
    for (const histogram_bucket bucket : values.buckets()) {
        const std::size_t index = scale.index_of(bucket.from);
        append_empty(index - next);
        append_zigzag(bytes, bucket.count);
        next = index + 1;
    }
    // Readers exist that take an encoding without any count for a damaged one.
    if (next == 0) append_empty(1);
}

[[nodiscard]] inline std::string encode_payload(const histogram& values) {
    std::string counts;
    append_counts(counts, values);
    std::string bytes;
    append_big_endian(bytes, payload_cookie | word_size_in_cookie, 4);
    append_big_endian(bytes, counts.size(), 4);
    append_big_endian(bytes, 0, 4);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().significant_digits), 4);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().lowest), 8);
    append_big_endian(bytes, static_cast<std::uint64_t>(values.layout().highest), 8);
    append_big_endian(bytes, no_conversion, 8);
    return bytes + counts;
}

/// Reads the part of the payload before the counts, which then remain. Nothing where it is not of version 2,
/// not of whole numbers, or of a layout that cannot be.
[[nodiscard]] inline std::optional<histogram_layout> take_layout(std::string_view& payload) {
    if (!is_cookie(take_big_endian(payload, 4), payload_cookie)) return std::nullopt;
    const auto length = take_big_endian(payload, 4);
    const auto offset = take_big_endian(payload, 4);
    const auto digits = take_big_endian(payload, 4);
    const auto lowest = take_big_endian(payload, 8);
    const auto highest = take_big_endian(payload, 8);
    const auto ratio = take_big_endian(payload, 8);
    if (!ratio || *length != payload.size() || *offset != 0 || *ratio != no_conversion || *digits > 5) {
        return std::nullopt;
    }
    const histogram_layout layout{static_cast<std::int64_t>(*lowest), static_cast<std::int64_t>(*highest),
                                  static_cast<int>(*digits)};
    return histogram_scale::allows(layout) ? std::optional(layout) : std::nullopt;
}

/// Records the counts; false where they do not fit into the histogram.
[[nodiscard]] inline bool record_counts(histogram& values, std::string_view counts) {
    const histogram_scale scale(values.layout());
    std::size_t index = 0;
    while (!counts.empty()) {
        const auto count = take_zigzag(counts);
        if (!count) return false;
        const std::size_t left = scale.size() - index;
        if (*count <= 0) {
            const std::uint64_t run = *count == 0 ? 1U : 0U - static_cast<std::uint64_t>(*count);
            if (run > left) return false;
            index += static_cast<std::size_t>(run);
            continue;
        }
        if (left == 0 || *count > std::numeric_limits<std::int64_t>::max() - values.count()) return false;
        values.record(scale.median_in(index), *count);
        ++index;
    }
    return true;
}

/// Sets the ends to those of the first and the last bucket in use, as other readers have them.
[[nodiscard]] inline bool widen_ends(histogram& values) noexcept {
    const histogram_scale scale(values.layout());
    if (values.count() == 0) return true;
    return values.restore(scale.lowest_in(scale.index_of(values.min())),
                          scale.highest_in(scale.index_of(values.max())), values.sum());
}

}  // namespace detail

/// A histogram as text that HdrHistogram's tools read: version 2 of its encoding, in base64; it always begins
/// with "HISTFAAA". Smallest, largest and sum are carried only to the width of a bucket: what needs them exact
/// keeps them beside it and gives them to `histogram::restore`.
[[nodiscard]] inline std::string encode_histogram(const histogram& values) {
    const std::string stream = zlib_store(detail::encode_payload(values));
    std::string bytes;
    append_big_endian(bytes, detail::compressed_cookie | detail::word_size_in_cookie, 4);
    append_big_endian(bytes, stream.size(), 4);
    return base64_encode(bytes + stream);
}

/// Reads what `encode_histogram` made, or another writer of the encoding, if its zlib stream is stored and not
/// compressed and its values are whole numbers. Nothing where `text` is anything else; any text is safe. The
/// smallest and the largest value are the ends of their buckets, the sum is that of the buckets' middles.
[[nodiscard]] inline std::optional<histogram> decode_histogram(std::string_view text) {
    const auto bytes = base64_decode(text);
    if (!bytes) return std::nullopt;
    std::string_view rest = *bytes;
    if (!detail::is_cookie(take_big_endian(rest, 4), detail::compressed_cookie)) return std::nullopt;
    const auto length = take_big_endian(rest, 4);
    if (!length || *length != rest.size()) return std::nullopt;
    const auto payload = zlib_read_stored(rest);
    if (!payload) return std::nullopt;
    std::string_view counts = *payload;
    const auto layout = detail::take_layout(counts);
    if (!layout) return std::nullopt;
    std::optional<histogram> values(*layout);
    if (!detail::record_counts(*values, counts) || !detail::widen_ends(*values)) return std::nullopt;
    return values;
}

}  // namespace benchkit::inline v0_1
