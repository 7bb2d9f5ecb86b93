#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace benchkit::inline v0_1 {

/// The shortest decimal text that reads back as the same double, the same in every locale: "0.1", "5",
/// "1e+22". What is not finite gives "nan", "inf" or "-inf".
[[nodiscard]] inline std::string format_number(double value) {
    std::array<char, 32> buffer;  // the longest such text has 24 characters
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return std::string(buffer.data(), written.ptr);
}

/// `value` with `digits` digits after the point (0 to 30), rounded to the nearest as printf does, the same in
/// every locale. What rounds to zero has no sign.
[[nodiscard]] inline std::string format_fixed(double value, int digits) {
    std::array<char, 352> buffer;  // a sign, 309 digits, a point and 30 digits fit
    const auto written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                       std::chars_format::fixed, std::clamp(digits, 0, 30));
    const std::string_view text(buffer.data(), static_cast<std::size_t>(written.ptr - buffer.data()));
    const bool zero = text.find_first_not_of("-0.") == std::string_view::npos;
    return std::string(zero && text.starts_with('-') ? text.substr(1) : text);
}

/// The number at the start of `text`, which is then cut off `text`. Nothing, and `text` as it was, where no
/// finite number stands there. It takes the decimal forms of C, in every locale: "10", "-0.5", "1e6".
[[nodiscard]] inline std::optional<double> take_number(std::string_view& text) noexcept {
    double value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || !std::isfinite(value)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(read.ptr - text.data()));
    return value;
}

/// The finite number that makes up the whole of `text`.
[[nodiscard]] inline std::optional<double> parse_number(std::string_view text) noexcept {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
}

/// The integer that makes up the whole of `text`: decimal digits, perhaps after a minus sign.
[[nodiscard]] inline std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
    std::int64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, value);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
    return value;
}

}  // namespace benchkit::inline v0_1
