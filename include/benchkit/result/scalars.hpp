#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

/// The scalar of this name where it is a whole number; nothing otherwise.
[[nodiscard]] inline std::optional<std::int64_t> find_integer(const attributes& scalars,
                                                              std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* integer = std::get_if<std::int64_t>(&found->second);
    return integer == nullptr ? std::nullopt : std::optional(*integer);
}

/// The scalar of this name where it is a finite number, whole or not; nothing otherwise.
[[nodiscard]] inline std::optional<double> find_number(const attributes& scalars, std::string_view name) {
    if (const auto integer = find_integer(scalars, name)) return static_cast<double>(*integer);
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* number = std::get_if<double>(&found->second);
    return number == nullptr || !std::isfinite(*number) ? std::nullopt : std::optional(*number);
}

/// The scalar of this name where it is a text; an empty text otherwise.
[[nodiscard]] inline std::string find_text(const attributes& scalars, std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return {};
    const auto* text = std::get_if<std::string>(&found->second);
    return text == nullptr ? std::string() : *text;
}

/// The scalar of this name where it is true or false; nothing otherwise.
[[nodiscard]] inline std::optional<bool> find_truth(const attributes& scalars, std::string_view name) {
    const auto found = scalars.find(name);
    if (found == scalars.end()) return std::nullopt;
    const auto* truth = std::get_if<bool>(&found->second);
    return truth == nullptr ? std::nullopt : std::optional(*truth);
}

/// The clients of a load, which are the connections of an open loop; 0 where it does not say.
[[nodiscard]] inline std::int64_t client_count(const result& load) {
    const auto clients = find_integer(load.parameters, "clients");
    return clients ? *clients : find_integer(load.parameters, "connections").value_or(0);
}

}  // namespace benchkit::inline v0_1
