#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/request_list.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// The path and query of a URL that leads to the same server as `base`, or a path as it is. Fails by the name
/// of `option` where it leads elsewhere.
[[nodiscard]] inline std::string path_of_url(std::string_view option, std::string_view text, const url& base) {
    if (text.starts_with('/')) return std::string(text);
    const url other = parse_url(option, text);
    if (other.is_secure() == base.is_secure() && other.host == base.host && other.port == base.port) {
        return other.path;
    }
    fail_option(std::string(option), detail::printable(text),
                "all requests of a load go to one server, that of " + base.text());
}

namespace detail {

/// Reads the lines of a file of requests.
class requests_reader {
  public:
    requests_reader(std::string_view option, std::string_view file, const url& base)
        : option_(option), file_(file), base_(base) {}

    /// Adds the request of one line; blank lines have none.
    void read_line(std::string_view line, std::int64_t number, request_list& into) {
        if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
        line_ = number;
        // The document lives until the parser reads the next one.
        simdjson::dom::element root;
        const auto problem = parser_.parse(simdjson::padded_string(line)).get(root);
        if (problem != simdjson::SUCCESS) refuse(std::string("is no JSON: ").append(error_message(problem)));
        simdjson::dom::object fields;
        if (root.get(fields) != simdjson::SUCCESS) refuse("is no JSON object");
        try {
            add(fields, into);
        } catch (const error& refused) {
            if (refused.option() == option_) throw;
            refuse(refused.what());
        }
    }

  private:
    struct parts {
        std::string method;
        std::string url;
        std::string body;
        bool has_body = false;
        std::int64_t weight = 1;
        simdjson::dom::object headers;
        bool has_headers = false;
    };

    void add(simdjson::dom::object fields, request_list& into) {
        parts read;
        for (const auto field : fields) take(field.key, field.value, read);
        if (read.url.empty()) refuse("has no \"url\"");
        if (read.method.empty()) read.method = read.has_body ? "POST" : "GET";
        request made(read.method, path_of_url("url", read.url, base_));
        if (read.has_headers) add_headers(read.headers, made);
        if (read.has_body) made.body(std::move(read.body));
        into.add(std::move(made), read.weight);
    }

    void take(std::string_view key, simdjson::dom::element value, parts& into) {
        if (key == "method") {
            into.method = text_of(key, value);
        } else if (key == "url") {
            into.url = text_of(key, value);
        } else if (key == "body") {
            into.has_body = true;
            into.body = value.is_string() ? text_of(key, value) : std::string(simdjson::minify(value));
        } else if (key == "headers") {
            if (value.get(into.headers) != simdjson::SUCCESS) refuse("has \"headers\" that are no object");
            into.has_headers = true;
        } else if (key == "weight") {
            if (value.get(into.weight) != simdjson::SUCCESS) refuse("has a \"weight\" that is no whole number");
        } else {
            refuse("has \"" + printable(key) + "\", and allowed are method, url, headers, body and weight");
        }
    }

    void add_headers(simdjson::dom::object headers, request& made) {
        for (const auto field : headers) {
            made.header(std::string(field.key), text_of(field.key, field.value));
        }
    }

    [[nodiscard]] std::string text_of(std::string_view key, simdjson::dom::element value) const {
        std::string_view text;
        if (value.get(text) == simdjson::SUCCESS) return std::string(text);
        refuse("has \"" + printable(key) + "\" that is no text");
    }

    [[noreturn]] void refuse(const std::string& problem) const {
        std::string sentence = "line ";
        sentence.append(std::to_string(line_)).append(" ").append(problem);
        fail_option(option_, file_, std::move(sentence));
    }

    std::string option_;
    std::string file_;
    const url& base_;
    std::int64_t line_ = 0;
    simdjson::dom::parser parser_;
};

}  // namespace detail

/// Reads requests, a JSON object on each line: `{"method": "POST", "url": "/x", "headers": {"Accept": "*/*"},
/// "body":
/// "...", "weight": 3}`. Only the URL is needed, a path or one of the server of `base`; the method is GET, with
/// a body POST. A body that is no text is sent as the JSON that it is. `file`: what `text` was read from. Fails
/// by the name of `option`, with the number of the line.
[[nodiscard]] inline request_list parse_requests(std::string_view option, std::string_view file,
                                                 std::string_view text, const url& base) {
    request_list list;
    detail::requests_reader reader(option, file, base);
    for (std::int64_t number = 1; !text.empty(); ++number) {
        const std::string_view line = text.substr(0, text.find('\n'));
        reader.read_line(line, number, list);
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    if (list.entries().empty()) fail_option(std::string(option), std::string(file), "it has no requests");
    return list;
}

}  // namespace benchkit::inline v0_1::http
