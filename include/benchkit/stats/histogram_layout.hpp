#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include <benchkit/core/error.hpp>

namespace benchkit::inline v0_1 {

/// Which values a histogram tells apart. The terms and the arithmetic are HdrHistogram's.
struct histogram_layout {
    std::int64_t lowest = 1;  ///< what is smaller may count as 0; 1 or more
    std::int64_t highest = std::numeric_limits<std::int64_t>::max();  ///< at least twice `lowest`
    int significant_digits = 3;  ///< decimal digits kept of a value, 1 to 5: 3 is an error of at most 0.1 %

    friend constexpr bool operator==(const histogram_layout&, const histogram_layout&) noexcept = default;
};

/// The buckets of a layout. Bucket 0 starts at 0; each power of two from a first, finer one on is cut into
/// equal buckets, so that the width of a bucket stays in proportion to its values.
class histogram_scale {
  public:
    /// Whether a layout can be had: limits as `histogram_layout` states them, and in all at most 62 bits.
    [[nodiscard]] static constexpr bool allows(const histogram_layout& layout) noexcept {
        return layout.lowest >= 1 && layout.significant_digits >= 1 && layout.significant_digits <= 5 &&
               layout.lowest <= layout.highest / 2 && unit_bits_of(layout) + half_bits_of(layout) <= 61;
    }

    /// Fails, by the name of the member to blame, where the layout is not allowed.
    constexpr explicit histogram_scale(const histogram_layout& layout) : layout_(layout) {
        require(layout);
        unit_bits_ = unit_bits_of(layout);
        half_bits_ = half_bits_of(layout);
        mask_ = ((std::uint64_t{2} << half_bits_) - 1) << unit_bits_;
        half_size_ = std::size_t{1} << half_bits_;
        offset_ = static_cast<std::size_t>(unit_bits_ + half_bits_) * half_size_;
        size_ = static_cast<std::size_t>(octaves() + 1) * half_size_;
    }

    [[nodiscard]] constexpr const histogram_layout& layout() const noexcept { return layout_; }

    /// The number of buckets.
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

    /// The bucket of a value. For a value that the layout does not hold, also for a negative one, the result is
    /// `size()` or more.
    [[nodiscard]] constexpr std::size_t index_of(std::int64_t value) const noexcept {
        const auto bits = static_cast<std::uint64_t>(value);
        const int top_bit = top_bit_of(bits | mask_);
        // That is ((top_bit - half_bits_ - unit_bits_) << half_bits_) + step, with one shift less.
        return static_cast<std::size_t>(top_bit) * half_size_ +
               static_cast<std::size_t>(bits >> (top_bit - half_bits_)) - offset_;
    }

    /// The smallest value in a bucket.
    [[nodiscard]] constexpr std::int64_t lowest_in(std::size_t index) const noexcept {
        const int octave = octave_of(index);
        const std::size_t step = index - (static_cast<std::size_t>(octave) << half_bits_);
        return static_cast<std::int64_t>(static_cast<std::uint64_t>(step) << (octave + unit_bits_));
    }

    /// How many values share a bucket.
    [[nodiscard]] constexpr std::int64_t width_of(std::size_t index) const noexcept {
        return std::int64_t{1} << (octave_of(index) + unit_bits_);
    }

    /// The largest value in a bucket.
    [[nodiscard]] constexpr std::int64_t highest_in(std::size_t index) const noexcept {
        return lowest_in(index) + (width_of(index) - 1);
    }

    /// The value in the middle of a bucket, which stands for all in it.
    [[nodiscard]] constexpr std::int64_t median_in(std::size_t index) const noexcept {
        return lowest_in(index) + width_of(index) / 2;
    }

  private:
    // The place of the highest bit that is set, from 0. One is set; the library's functions would look.
    [[nodiscard]] static constexpr int top_bit_of(std::uint64_t value) noexcept {
        return 63 ^ __builtin_clzll(value);
    }

    [[nodiscard]] static constexpr int unit_bits_of(const histogram_layout& layout) noexcept {
        return top_bit_of(static_cast<std::uint64_t>(layout.lowest));
    }

    [[nodiscard]] static constexpr int half_bits_of(const histogram_layout& layout) noexcept {
        std::uint64_t distinct = 2;
        for (int digit = 0; digit < layout.significant_digits; ++digit) distinct *= 10;
        return top_bit_of(distinct - 1);
    }

    static constexpr void require(const histogram_layout& layout) {
        if (layout.lowest < 1) fail_option("lowest", std::to_string(layout.lowest), "allowed is 1 or more");
        if (layout.significant_digits < 1 || layout.significant_digits > 5) {
            fail_option("significant_digits", std::to_string(layout.significant_digits), "allowed is 1 to 5");
        }
        if (layout.lowest > layout.highest / 2) {
            fail_option("highest", std::to_string(layout.highest),
                        "allowed is at least twice lowest, which is " + std::to_string(layout.lowest));
        }
        if (!allows(layout)) {
            fail_option("lowest", std::to_string(layout.lowest),
                        "allowed is less, so that " + std::to_string(layout.significant_digits) +
                            " significant digits of it fit into 62 bits");
        }
    }

    /// How many ranges, each twice the one before, it takes to reach the highest value.
    [[nodiscard]] constexpr int octaves() const noexcept {
        const int first_range = unit_bits_ + half_bits_;
        const int highest = top_bit_of(static_cast<std::uint64_t>(layout_.highest));
        return highest <= first_range ? 1 : highest - first_range + 1;
    }

    [[nodiscard]] constexpr int octave_of(std::size_t index) const noexcept {
        const auto octave = static_cast<int>(index >> half_bits_);
        return octave == 0 ? 0 : octave - 1;
    }

    std::uint64_t mask_ = 0;  // the bits of the first, finest range
    std::size_t half_size_ = 0;
    std::size_t offset_ = 0;
    int half_bits_ = 0;
    int unit_bits_ = 0;
    std::size_t size_ = 0;
    histogram_layout layout_;
};

}  // namespace benchkit::inline v0_1
