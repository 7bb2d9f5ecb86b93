#pragma once

#include <sys/un.h>

#include <cstddef>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http::detail {

/// The longest path that a Unix socket can have, in bytes.
inline constexpr std::size_t longest_unix_path = sizeof(sockaddr_un::sun_path) - 1;

/// Fails by the name of `option` where `path` cannot be that of a Unix socket.
inline void check_unix_path(std::string_view option, std::string_view path) {
    if (!path.empty() && path.size() <= longest_unix_path && path.find('\0') == std::string_view::npos) return;
    fail_option(std::string(option), printable(path),
                "allowed is the path of a socket, of 1 to " + std::to_string(longest_unix_path) + " bytes");
}

}  // namespace benchkit::inline v0_1::http::detail
