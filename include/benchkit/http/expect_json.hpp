#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/number.hpp>
#include <benchkit/http/expectation.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {

/// The JSON text of a value, without whitespace; nothing where it is no JSON.
[[nodiscard]] inline std::optional<std::string> minified_json(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element element;
    if (parser.parse(simdjson::padded_string(text)).get(element) != simdjson::SUCCESS) return std::nullopt;
    return simdjson::to_string(element);
}

/// One token of a pointer: ~1 stands for / and ~0 for ~ (RFC 6901 section 4).
[[nodiscard]] inline std::string pointer_key(std::string_view token) {
    std::string key;
    for (std::size_t k = 0; k < token.size(); ++k) {
        const bool escape =
            token[k] == '~' && k + 1 < token.size() && (token[k + 1] == '0' || token[k + 1] == '1');
        key.push_back(escape ? (token[++k] == '0' ? '~' : '/') : token[k]);
    }
    return key;
}

/// The value that a pointer leads to from `at`. simdjson's own walk makes GCC 12 warn at -O3.
[[nodiscard]] inline std::optional<simdjson::dom::element> follow_pointer(simdjson::dom::element at,
                                                                          std::string_view pointer) {
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        const std::string_view token = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(token.size());
        simdjson::dom::element next;
        if (at.is_object()) {
            if (at.at_key(pointer_key(token)).get(next) != simdjson::SUCCESS) return std::nullopt;
        } else {
            const auto index = parse_integer(token);
            const bool plain = index && *index >= 0 && (token == "0" || !token.starts_with('0'));
            if (!plain || !at.is_array()) return std::nullopt;
            if (at.at(static_cast<std::size_t>(*index)).get(next) != simdjson::SUCCESS) return std::nullopt;
        }
        at = next;
    }
    return at;
}

[[nodiscard]] inline std::optional<std::string> json_fault(std::string_view content, const std::string& pointer,
                                                           const std::string& wanted) {
    // One per thread: it keeps its memory from body to body.
    thread_local simdjson::dom::parser parser;
    simdjson::dom::element document;
    if (parser.parse(content.data(), content.size(), true).get(document) != simdjson::SUCCESS)
        return "is no JSON";
    const auto found = follow_pointer(document, pointer);
    if (!found) return "has nothing at " + pointer;
    const std::string value = simdjson::to_string(*found);
    if (value == wanted) return std::nullopt;
    return "has " + value + " at " + pointer + ", not " + wanted;
}

}  // namespace detail

/// Expects a JSON body that has this value where the pointer says (RFC 6901): "" is the whole, "/a/0" the first
/// element of a. `value` is JSON, such as 1, true, "text" or {"a":1}; what is no JSON is a text. Numbers are
/// equal where they are written alike.
inline expectation& expect_json(expectation& wanted, std::string pointer, std::string_view value) {
    std::string text;
    if (auto json = detail::minified_json(value)) {
        text = std::move(*json);
    } else {
        std::string quoted = "\"";
        for (const char byte : value) {
            if (byte == '"' || byte == '\\') quoted.push_back('\\');
            quoted.push_back(byte);
        }
        text = quoted + "\"";
    }
    return wanted.body([pointer = std::move(pointer), text = std::move(text)](std::string_view content) {
        return detail::json_fault(content, pointer, text);
    });
}

/// As `add_expectation`, with "json:/pointer=value" too.
inline void add_json_expectation(expectation& wanted, std::string_view option, std::string_view text) {
    if (!text.starts_with("json:")) return add_expectation(wanted, option, text);
    const std::size_t equals = text.find('=');
    const std::string_view pointer = text.substr(5, equals == std::string_view::npos ? equals : equals - 5);
    if (equals == std::string_view::npos || !(pointer.empty() || pointer.starts_with('/'))) {
        fail_option(std::string(option), detail::printable(text), detail::expectation_forms);
    }
    expect_json(wanted, std::string(pointer), text.substr(equals + 1));
}

}  // namespace benchkit::inline v0_1::http
