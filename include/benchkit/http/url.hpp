#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

/// The parts of an `http` or `https` URL (RFC 9110 section 4.2, RFC 3986).
struct url {
    std::string scheme = "http";
    std::string host;  ///< a name or an address; an IPv6 address without its brackets
    std::uint16_t port = 80;
    std::string path = "/";  ///< with the query, as it is sent: begins with "/"
    bool ipv6 = false;       ///< host is an IPv6 address

    [[nodiscard]] bool is_secure() const noexcept { return scheme == "https"; }

    /// The value of the Host field: brackets around an IPv6 address, the port where it is not the scheme's own.
    [[nodiscard]] std::string host_header() const {
        std::string text = ipv6 ? "[" + host + "]" : host;
        if (port != (is_secure() ? 443 : 80)) text.append(":").append(std::to_string(port));
        return text;
    }

    /// The whole URL, without what was dropped from it.
    [[nodiscard]] std::string text() const { return scheme + "://" + host_header() + path; }

    friend bool operator==(const url&, const url&) = default;
};

namespace detail {

/// One URL being taken apart; each step refuses by name what is wrong.
class url_reader {
  public:
    url_reader(std::string_view option_name, std::string_view text) noexcept
        : option_(option_name), text_(text) {}

    [[nodiscard]] url read() {
        if (text_.empty()) refuse("a URL such as http://localhost:8080/path is needed");
        for (const char byte : text_) {
            if (!is_character(byte, target_character)) {
                refuse("a URL has no spaces, control characters or bytes beyond ASCII; percent-encode them");
            }
        }
        std::string_view rest = text_;
        read_scheme(rest);
        rest = rest.substr(0, rest.find('#'));
        const std::size_t end = rest.find_first_of("/?");
        read_authority(rest.substr(0, end));
        if (end == std::string_view::npos) return url_;
        if (rest[end] == '/') url_.path.clear();
        url_.path += rest.substr(end);
        return url_;
    }

    /// HOST:PORT alone.
    [[nodiscard]] url read_peer() {
        read_authority(text_);
        if (text_.empty() || text_.back() == ']' || text_.find(':') == std::string_view::npos) {
            refuse("a host and a port such as localhost:8080 are needed");
        }
        return url_;
    }

  private:
    [[noreturn]] void refuse(const char* allowed) const {
        fail_option(std::string(option_), printable(text_), allowed);
    }

    void read_scheme(std::string_view& rest) {
        const std::size_t end = rest.find("://");
        if (end == std::string_view::npos) refuse("a URL begins with http://");
        const std::string_view scheme = rest.substr(0, end);
        if (equals_ignore_case(scheme, "https")) {
            url_.scheme = "https";
            url_.port = 443;
        } else if (!equals_ignore_case(scheme, "http")) {
            refuse("this scheme is unknown; a URL begins with http:// or https://");
        }
        rest.remove_prefix(end + 3);
    }

    // [ userinfo "@" ] host [ ":" port ]
    void read_authority(std::string_view authority) {
        if (authority.find('@') != std::string_view::npos) {
            refuse("a user or password in the URL is not supported; send a header Authorization instead");
        }
        if (std::count(authority.begin(), authority.end(), ':') > 1 &&
            authority.find_first_not_of("0123456789abcdefABCDEF.:") == std::string_view::npos) {
            refuse("an IPv6 address stands in brackets, as in http://[::1]:8080/");
        }
        const bool literal = authority.starts_with('[');
        const std::size_t end = literal ? authority.find(']') : authority.find(':');
        if (literal && end == std::string_view::npos) refuse("the ] after an IPv6 address is missing");
        const std::string_view host = authority.substr(literal ? 1 : 0, literal ? end - 1 : end);
        literal ? read_ipv6(host) : read_name(host);
        if (end == std::string_view::npos) return;
        authority.remove_prefix(literal ? end + 1 : end);
        if (authority.empty()) return;
        if (authority.front() != ':') refuse("after the ] of an IPv6 address only a port or a path may follow");
        read_port(authority.substr(1));
    }

    void read_ipv6(std::string_view host) {
        if (host.find('%') != std::string_view::npos) refuse("a zone in an IPv6 address is not supported");
        url_.host = host;
        url_.ipv6 = true;
        in6_addr address{};
        if (inet_pton(AF_INET6, url_.host.c_str(), &address) != 1) refuse("this is no IPv6 address");
    }

    void read_name(std::string_view host) {
        if (host.empty()) refuse("the host is missing");
        if (!all_characters(host, host_character)) {
            refuse("a host name has letters, digits and -._~ only");
        }
        url_.host = host;
    }

    void read_port(std::string_view text) {
        if (text.empty()) refuse("the port after : is missing");
        std::uint16_t port = 0;
        const char* const last = text.data() + text.size();
        const auto [end, problem] = std::from_chars(text.data(), last, port);
        if (problem != std::errc() || end != last || port == 0) refuse("a port is a number from 1 to 65535");
        url_.port = port;
    }

    std::string_view option_;
    std::string_view text_;
    url url_;
};

}  // namespace detail

/// Takes a URL apart; fails with one sentence that names `option_name` and what is wrong. The schemes
/// are `http` and `https`, with the default ports 80 and 443; an empty path becomes "/", a fragment is dropped.
[[nodiscard]] inline url parse_url(std::string_view option_name, std::string_view text) {
    return detail::url_reader(option_name, text).read();
}

/// Takes HOST:PORT apart, as `parse_url` does.
[[nodiscard]] inline url parse_peer(std::string_view option_name, std::string_view text) {
    return detail::url_reader(option_name, text).read_peer();
}

}  // namespace benchkit::inline v0_1::http
