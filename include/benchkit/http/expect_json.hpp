#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

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

[[nodiscard]] inline std::optional<std::string> json_fault(std::string_view content, const std::string& pointer,
                                                           const std::string& wanted) {
    // One per thread: it keeps its memory from body to body.
    thread_local simdjson::dom::parser parser;
    simdjson::dom::element document;
    simdjson::dom::element found;
    if (parser.parse(content.data(), content.size(), true).get(document) != simdjson::SUCCESS)
        return "is no JSON";
    if (document.at_pointer(pointer).get(found) != simdjson::SUCCESS) return "has nothing at " + pointer;
    const std::string value = simdjson::to_string(found);
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
