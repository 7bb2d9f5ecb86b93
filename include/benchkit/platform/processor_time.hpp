#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

/// What all processors of the machine together have done since it started, in the system's own units of time:
/// read it twice and compare.
struct processor_time {
    std::int64_t all = 0;
    std::int64_t idle = 0;  ///< nothing to do, or waiting for a disk

    friend bool operator==(const processor_time&, const processor_time&) noexcept = default;
};

namespace detail {

/// Takes /proc/stat: proc(5).
[[nodiscard]] inline std::optional<processor_time> parse_processor_time(std::string_view text) {
    constexpr int kinds = 8;  // user, nice, system, idle, iowait, irq, softirq, steal; guests are within user
    if (!text.starts_with("cpu ")) return std::nullopt;
    text = text.substr(4, text.find('\n') - 4);
    processor_time time;
    for (int kind = 0; kind < kinds; ++kind) {
        const auto ticks = take_integer(text);
        if (!ticks) return std::nullopt;
        time.all += *ticks;
        if (kind == 3 || kind == 4) time.idle += *ticks;
    }
    return time;
}

}  // namespace detail

/// What the machine's processors have done; nothing where the system does not tell.
[[nodiscard]] inline std::optional<processor_time> machine_processor_time() {
    return detail::parse_processor_time(detail::read_proc_file("/proc/stat"));
}

/// The share of the time between two readings in which processors were idle, 0 to 1; nothing where either is
/// missing or no time lies between.
[[nodiscard]] inline std::optional<double> idle_share(const std::optional<processor_time>& before,
                                                      const std::optional<processor_time>& after) {
    if (!before || !after || after->all <= before->all) return std::nullopt;
    // The counter of idle time may step back by a tick (proc(5)).
    const std::int64_t idle = after->idle > before->idle ? after->idle - before->idle : 0;
    return static_cast<double>(idle) / static_cast<double>(after->all - before->all);
}

}  // namespace benchkit::inline v0_1
