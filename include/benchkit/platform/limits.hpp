#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/platform/folder.hpp>
#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

/// How many descriptors the process may have open at once: every connection is one.
struct descriptor_limit {
    std::int64_t soft = 0;  ///< what holds now
    std::int64_t hard = 0;  ///< how far `raise_descriptor_limit` can go
};

/// The local ports that the system gives to connections, both ends included.
struct port_range {
    int first = 0;
    int last = 0;

    [[nodiscard]] int count() const noexcept { return last - first + 1; }
};

namespace detail {

[[nodiscard]] inline std::int64_t from_rlim(rlim_t value) noexcept {
    constexpr auto most = std::numeric_limits<std::int64_t>::max();
    if (value == RLIM_INFINITY || value > static_cast<rlim_t>(most)) return most;
    return static_cast<std::int64_t>(value);
}

[[nodiscard]] inline std::optional<port_range> parse_port_range(std::string_view text) {
    const auto first = take_integer(text);
    const auto last = take_integer(text);
    if (!first || !last || *first < 1 || *last > 65'535 || *first > *last) return std::nullopt;
    return port_range{static_cast<int>(*first), static_cast<int>(*last)};
}

/// Counts by asking for each possible descriptor: slow, for systems without a folder of them.
[[nodiscard]] inline std::int64_t probe_open_descriptors(std::int64_t limit) noexcept {
    constexpr std::int64_t most = 1 << 20;
    std::int64_t open = 0;
    for (int descriptor = 0; descriptor < std::min(limit, most); ++descriptor) {
        if (fcntl(descriptor, F_GETFD) != -1) ++open;
    }
    return open;
}

}  // namespace detail

/// The descriptor limits of this process (getrlimit(2)). Infinity is the largest number.
[[nodiscard]] inline descriptor_limit descriptor_limits() noexcept {
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return {};
    return {detail::from_rlim(limit.rlim_cur), detail::from_rlim(limit.rlim_max)};
}

/// Raises the soft limit to `wanted` descriptors, or as far as the hard limit allows. Returns the soft limit
/// that then holds; it never becomes lower. The caller compares: less than `wanted` means that it is not to be
/// had.
inline std::int64_t raise_descriptor_limit(std::int64_t wanted) noexcept {
    const descriptor_limit before = descriptor_limits();
    if (wanted <= before.soft) return before.soft;
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return before.soft;
    limit.rlim_cur = wanted >= before.hard ? limit.rlim_max : static_cast<rlim_t>(wanted);
    setrlimit(RLIMIT_NOFILE, &limit);
    return descriptor_limits().soft;
}

/// How many descriptors the process has open now.
[[nodiscard]] inline std::int64_t open_descriptors() {
    const std::vector<std::string> names = detail::names_in("/proc/self/fd");
    if (names.empty()) return detail::probe_open_descriptors(descriptor_limits().soft);
    return static_cast<std::int64_t>(names.size()) - 1;  // the folder's own descriptor is listed too
}

/// The range of local ports for connections; nothing where the system does not tell. To one address and port,
/// no more connections can be open from one local address at once.
[[nodiscard]] inline std::optional<port_range> ephemeral_ports() {
    return detail::parse_port_range(detail::read_proc_file("/proc/sys/net/ipv4/ip_local_port_range"));
}

}  // namespace benchkit::inline v0_1
