#pragma once

#include <simdjson.h>

#include <charconv>
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

/// A text as simdjson writes it. Fails where it is no UTF-8, which no JSON has.
[[nodiscard]] inline std::string json_text(std::string_view value) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string quoted = "\"";
    for (const char byte : value) {
        const auto code = static_cast<unsigned char>(byte);
        if (code < 0x20) {
            quoted.append("\\u00").push_back(digits[code >> 4U]);
            quoted.push_back(digits[code & 15U]);
            continue;
        }
        if (byte == '"' || byte == '\\') quoted.push_back('\\');
        quoted.push_back(byte);
    }
    const auto written = minified_json(quoted.append("\""));
    if (!written) fail_option("json", printable(value), "a value in UTF-8 is needed");
    return *written;
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

/// A pointer out of "/a/0" or its form for URIs, "#/a/0", in which %3D stands for "=" (RFC 6901 sections 5 and
/// 6).
[[nodiscard]] inline std::optional<std::string> plain_pointer(std::string_view text) {
    const bool encoded = text.starts_with('#');
    if (encoded) text.remove_prefix(1);
    if (!text.empty() && !text.starts_with('/')) return std::nullopt;
    std::string pointer;
    while (!text.empty()) {
        const bool escape = encoded && text.front() == '%';
        char byte = text.front();
        if (escape) {
            const std::string_view digits = text.substr(1, 2);
            unsigned code = 0;
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16);
            if (digits.size() < 2 || read.ptr != digits.data() + 2) return std::nullopt;
            byte = static_cast<char>(code);
        }
        pointer.push_back(byte);
        text.remove_prefix(escape ? 3 : 1);
    }
    for (std::size_t tilde = pointer.find('~'); tilde != std::string::npos;
         tilde = pointer.find('~', tilde + 1)) {
        const char behind = tilde + 1 < pointer.size() ? pointer[tilde + 1] : '\0';
        if (behind != '0' && behind != '1') return std::nullopt;
    }
    return pointer;
}

[[nodiscard]] inline std::optional<std::string> json_fault(std::string_view content, const std::string& pointer,
                                                           const std::string& wanted) {
    // One per thread: it keeps its memory from body to body.
    thread_local simdjson::dom::parser parser;
    simdjson::dom::element document;
    if (parser.parse(content.data(), content.size(), true).get(document) != simdjson::SUCCESS)
        return "is no JSON";
    const auto found = follow_pointer(document, pointer);
    if (!found) return "has nothing at " + printable(pointer);
    const std::string value = simdjson::to_string(*found);
    if (value == wanted) return std::nullopt;
    return "has " + value + " at " + printable(pointer) + ", not " + wanted;
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
        text = detail::json_text(value);
    }
    return wanted.body([pointer = std::move(pointer), text = std::move(text)](std::string_view content) {
        return detail::json_fault(content, pointer, text);
    });
}

/// As `add_expectation`, with "json:/pointer=value" too. The pointer ends at the first "="; for keys with one
/// there is the form for URIs (RFC 6901 section 6), in which %3D stands for it: "json:#/a%3Db=value".
inline void add_json_expectation(expectation& wanted, std::string_view option, std::string_view text) {
    if (!text.starts_with("json:")) return add_expectation(wanted, option, text);
    const std::size_t equals = text.find('=');
    const std::string_view pointer = text.substr(5, equals == std::string_view::npos ? equals : equals - 5);
    const auto plain = detail::plain_pointer(pointer);
    if (equals == std::string_view::npos || !plain) {
        fail_option(std::string(option), detail::printable(text), detail::expectation_forms);
    }
    expect_json(wanted, *plain, text.substr(equals + 1));
}

}  // namespace benchkit::inline v0_1::http
