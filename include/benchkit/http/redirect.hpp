#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/http/grammar.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {

/// A path without "." and ".." (RFC 3986 section 5.2.4). `path` begins with "/" and has no query.
[[nodiscard]] inline std::string without_dots(std::string_view path) {
    std::string kept;
    while (!path.empty()) {
        path.remove_prefix(1);  // the slash
        const std::string_view segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        if (segment == "..") kept.erase(kept.rfind('/') == std::string::npos ? 0 : kept.rfind('/'));
        if (segment != "." && segment != "..") {
            kept.append("/").append(segment);
        } else if (path.empty()) {
            kept += '/';
        }
    }
    return kept.empty() ? "/" : kept;
}

/// The path and query that a reference leads to from `path` (RFC 3986 section 5.2.2), on the same host.
[[nodiscard]] inline std::string resolved_path(std::string_view reference, std::string_view path) {
    const std::string_view base = path.substr(0, path.find('?'));
    if (reference.empty()) return std::string(path);
    if (reference.starts_with('?')) return std::string(base).append(reference);
    const std::string_view plain = reference.substr(0, reference.find('?'));
    const std::string_view query = reference.substr(plain.size());
    std::string merged;
    if (!plain.starts_with('/')) merged = base.substr(0, base.rfind('/') + 1);
    return without_dots(merged.append(plain)).append(query);
}

/// Where a Location leads: a path of the same scheme, host and port, without fragment; nothing where it leads
/// elsewhere, or is no reference.
[[nodiscard]] inline std::optional<std::string> path_of_location(std::string_view location,
                                                                 std::string_view path, const url& base) {
    location = location.substr(0, location.find('#'));
    std::string whole(location);
    if (location.starts_with("//")) whole.insert(0, base.scheme + ":");
    const std::size_t colon = location.find(':');
    const bool absolute =
        location.starts_with("//") || (colon != std::string_view::npos && location.find_first_of("/?") > colon);
    try {
        if (!absolute) return resolved_path(location, path);
        const url other = parse_url("location", whole);
        const bool same =
            other.scheme == base.scheme && equals_ignore_case(other.host, base.host) && other.port == base.port;
        return same ? std::optional(other.path) : std::nullopt;
    } catch (const error&) {
        return std::nullopt;
    }
}

}  // namespace detail

/// The request that follows an answer with this status and Location: 301, 302 and 303 become a GET (a HEAD
/// stays one), 307 and 308 keep method and body (RFC 9110 section 15.4). Nothing where the answer is no
/// redirect, or leads to another host.
[[nodiscard]] inline std::optional<request> redirected(const request& asked, std::string_view path, int status,
                                                       std::string_view location, const url& base) {
    const bool keeps = status == 307 || status == 308;
    if (!keeps && status != 301 && status != 302 && status != 303) return std::nullopt;
    const auto target = detail::path_of_location(location, path, base);
    if (!target || !detail::all_characters(*target, detail::target_character)) return std::nullopt;
    const bool changed = !keeps && asked.method() != "GET" && asked.method() != "HEAD";
    request next(changed ? "GET" : asked.method(), *target);
    for (const header_line& each : asked.headers()) {
        const bool of_body = detail::equals_ignore_case(each.name, "Content-Type") ||
                             detail::equals_ignore_case(each.name, "Content-Length");
        if (!changed || !of_body) next.header(each.name, each.value);
    }
    if (!changed) next.body(asked.body());
    return next;
}

}  // namespace benchkit::inline v0_1::http
