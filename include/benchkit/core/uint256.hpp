#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>

#include <benchkit/core/uint128.hpp>

namespace benchkit::inline v0_1 {

/// An unsigned integer of 256 bits, for products that stay exact. Arithmetic is modulo 2^256.
class uint256 {
  public:
    constexpr uint256() noexcept = default;
    constexpr uint256(std::uint64_t value) noexcept : words_{value, 0, 0, 0} {}

    constexpr uint256& operator+=(const uint256& value) noexcept {
        std::uint64_t carry = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            uint128 sum{0, words_[word]};
            sum += value.words_[word];
            sum += carry;
            words_[word] = sum.low;
            carry = sum.high;
        }
        return *this;
    }

    constexpr uint256& operator-=(const uint256& value) noexcept {
        std::uint64_t borrow = 0;
        for (std::size_t word = 0; word < words_.size(); ++word) {
            const std::uint64_t before = words_[word];
            const std::uint64_t without = before - value.words_[word];
            words_[word] = without - borrow;
            borrow = (before < value.words_[word] || without < borrow) ? 1 : 0;
        }
        return *this;
    }

    constexpr uint256& operator*=(std::uint64_t factor) noexcept {
        std::uint64_t carry = 0;
        for (std::uint64_t& word : words_) {
            uint128 product = multiply(word, factor);
            product += carry;
            word = product.low;
            carry = product.high;
        }
        return *this;
    }

    friend constexpr uint256 operator+(uint256 left, const uint256& right) noexcept { return left += right; }
    friend constexpr uint256 operator-(uint256 left, const uint256& right) noexcept { return left -= right; }
    friend constexpr uint256 operator*(uint256 left, std::uint64_t right) noexcept { return left *= right; }

    friend constexpr bool operator==(const uint256&, const uint256&) noexcept = default;

    friend constexpr std::strong_ordering operator<=>(const uint256& left, const uint256& right) noexcept {
        for (std::size_t word = left.words_.size(); word-- > 0;) {
            if (left.words_[word] != right.words_[word]) return left.words_[word] <=> right.words_[word];
        }
        return std::strong_ordering::equal;
    }

    /// A double near the value: relatively at most 2^-50 off.
    [[nodiscard]] constexpr double to_double() const noexcept {
        double value = 0;
        for (std::size_t word = words_.size(); word-- > 0;) {
            value = value * 0x1p64 + static_cast<double>(words_[word]);
        }
        return value;
    }

  private:
    std::array<std::uint64_t, 4> words_{};  // the least first
};

}  // namespace benchkit::inline v0_1
