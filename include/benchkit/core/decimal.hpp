#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace benchkit::inline v0_1 {

/// 10^`exponent`, for 0 to 19.
[[nodiscard]] constexpr std::uint64_t power_of_ten(int exponent) noexcept {
    std::uint64_t power = 1;
    for (int step = 0; step < exponent; ++step) power *= 10;
    return power;
}

/// The decimal fraction digits / 10^places.
struct decimal {
    std::uint64_t digits = 0;
    int places = 0;  ///< 0 or more

    friend constexpr bool operator==(const decimal&, const decimal&) noexcept = default;
};

/// The decimal fraction that a double stands for: of those that read back as it, the one with the fewest
/// digits, at most 17. So 0.1 is a tenth, which a double cannot hold. Nothing for what is negative, not finite,
/// or 10^17 and more.
[[nodiscard]] inline std::optional<decimal> to_decimal(double value) noexcept {
    if (!(value >= 0) || value >= 1e17) return std::nullopt;
    std::array<char, 32> text;  // such as "1.2345678901234567e-300"
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
    decimal result;
    int behind_point = 0;
    const char* character = text.data();
    bool fraction = false;
    for (; character != written.ptr && *character != 'e'; ++character) {
        if (*character == '-') continue;  // of -0
        if (*character == '.') {
            fraction = true;
            continue;
        }
        result.digits = result.digits * 10 + static_cast<std::uint64_t>(*character - '0');
        if (fraction) ++behind_point;
    }
    if (character != written.ptr) ++character;                       // the e
    if (character != written.ptr && *character == '+') ++character;  // from_chars takes no plus sign
    int exponent = 0;
    std::from_chars(character, written.ptr, exponent);
    result.places = behind_point - exponent;
    if (result.places < 0) {
        result.digits *= power_of_ten(-result.places);
        result.places = 0;
    }
    return result;
}

}  // namespace benchkit::inline v0_1
