#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/platform/folder.hpp>
#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// The next word of `text`, which is moved behind it.
[[nodiscard]] inline std::string_view take_word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    return word;
}

/// The socket of a line of /proc/net/tcp that listens on this port, by its inode (proc(5)).
[[nodiscard]] inline std::optional<std::string> listening_inode(std::string_view line, int port) {
    constexpr std::string_view listens = "0A";
    std::array<std::string_view, 10>
        words;  // number, local, remote, state, queues, timer, retries, user, time, inode
    for (std::string_view& word : words) word = take_word(line);
    const std::string_view digits = words[1].substr(std::min(words[1].find(':') + 1, words[1].size()));
    int found = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), found, 16);
    if (read.ec != std::errc() || found != port || words[3] != listens || words[9].empty()) return std::nullopt;
    return std::string(words[9]);
}

/// The links of descriptors of sockets that listen on this port: "socket:[1178]".
[[nodiscard]] inline std::vector<std::string> listening_links(std::string_view table, int port) {
    std::vector<std::string> links;
    while (!table.empty()) {
        const std::size_t end = std::min(table.find('\n'), table.size());
        if (const auto inode = listening_inode(table.substr(0, end), port))
            links.push_back("socket:[" + *inode + "]");
        table.remove_prefix(std::min(end + 1, table.size()));
    }
    return links;
}

/// Whether the process of this folder of /proc has a descriptor of one of these.
[[nodiscard]] inline bool has_link(const std::string& process, const std::vector<std::string>& links) {
    const std::string folder = process + "/fd/";
    for (const std::string& descriptor : names_in(folder)) {
        std::array<char, 64> target;  // longer ones are no sockets
        const ssize_t size = readlink((folder + descriptor).c_str(), target.data(), target.size());
        if (size <= 0) continue;
        const std::string_view link(target.data(), static_cast<std::size_t>(size));
        if (std::find(links.begin(), links.end(), link) != links.end()) return true;
    }
    return false;
}

}  // namespace detail

/// The processes of this machine that listen on a TCP port, as far as this one may look into them.
[[nodiscard]] inline std::vector<std::int64_t> find_listening_processes(int port) {
    std::vector<std::string> links;
    for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
        // What listens comes first, so it is in the part that is read.
        const std::vector<std::string> some = detail::listening_links(detail::read_proc_file(table), port);
        links.insert(links.end(), some.begin(), some.end());
    }
    std::vector<std::int64_t> found;
    if (links.empty()) return found;
    for (const std::string& name : detail::names_in("/proc")) {
        const auto process = parse_integer(name);
        if (process && detail::has_link("/proc/" + name, links)) found.push_back(*process);
    }
    return found;
}

/// Whether an IPv4 or IPv6 address is one of this machine: then it can be bound to.
[[nodiscard]] inline bool is_own_address(const sockaddr* address, std::size_t size) noexcept {
    sockaddr_storage any_port{};
    if (size > sizeof any_port || (address->sa_family != AF_INET && address->sa_family != AF_INET6))
        return false;
    std::memcpy(&any_port, address, size);
    // The port stands at the same place in both.
    const in_port_t none = 0;
    std::memcpy(reinterpret_cast<char*>(&any_port) + offsetof(sockaddr_in, sin_port), &none, sizeof none);
    const int probe = ::socket(address->sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (probe < 0) return false;
    const bool bound =
        ::bind(probe, reinterpret_cast<const sockaddr*>(&any_port), static_cast<socklen_t>(size)) == 0;
    ::close(probe);
    return bound;
}

}  // namespace benchkit::inline v0_1
