#pragma once

#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

/// What a thread or a process has used since it began: read it twice and subtract.
struct resource_use {
    std::chrono::nanoseconds user{0};       ///< CPU time in the program, to the microsecond
    std::chrono::nanoseconds system{0};     ///< CPU time in the kernel on its behalf
    std::int64_t voluntary_switches = 0;    ///< times it gave the processor up, to wait
    std::int64_t involuntary_switches = 0;  ///< times it was taken off the processor for somebody else

    /// CPU time in all.
    [[nodiscard]] std::chrono::nanoseconds cpu() const noexcept { return user + system; }

    resource_use& operator+=(const resource_use& other) noexcept {
        user += other.user;
        system += other.system;
        voluntary_switches += other.voluntary_switches;
        involuntary_switches += other.involuntary_switches;
        return *this;
    }

    resource_use& operator-=(const resource_use& other) noexcept {
        user -= other.user;
        system -= other.system;
        voluntary_switches -= other.voluntary_switches;
        involuntary_switches -= other.involuntary_switches;
        return *this;
    }

    friend resource_use operator+(resource_use left, const resource_use& right) noexcept {
        return left += right;
    }
    friend resource_use operator-(resource_use left, const resource_use& right) noexcept {
        return left -= right;
    }
    friend bool operator==(const resource_use&, const resource_use&) noexcept = default;
};

namespace detail {

[[nodiscard]] inline std::chrono::nanoseconds to_nanoseconds(const timeval& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

[[nodiscard]] inline resource_use to_resource_use(const rusage& usage) noexcept {
    return {to_nanoseconds(usage.ru_utime), to_nanoseconds(usage.ru_stime), usage.ru_nvcsw, usage.ru_nivcsw};
}

/// Linux adds what a thread uses to its account at each tick, some ms apart, and whenever its CPU clock is
/// read: only then is the time since the last tick in what getrusage tells.
inline void settle_cpu_time(clockid_t clock) noexcept {
    timespec ignored{};
    clock_gettime(clock, &ignored);
}

}  // namespace detail

/// What the whole process has used, all its threads, ended ones included (getrusage(2)).
[[nodiscard]] inline resource_use process_resources() noexcept {
    detail::settle_cpu_time(CLOCK_PROCESS_CPUTIME_ID);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return detail::to_resource_use(usage);
}

/// What the calling thread has used. Where the system cannot tell threads apart, what the process has used.
[[nodiscard]] inline resource_use thread_resources() noexcept {
    detail::settle_cpu_time(CLOCK_THREAD_CPUTIME_ID);
    rusage usage{};
#if defined(RUSAGE_THREAD)
    getrusage(RUSAGE_THREAD, &usage);
#else
    getrusage(RUSAGE_SELF, &usage);
#endif
    return detail::to_resource_use(usage);
}

/// Peak resident memory of the process in bytes.
[[nodiscard]] inline std::int64_t peak_memory_bytes() {
    // VmHWM belongs to this program alone; ru_maxrss of Linux keeps the peak of whoever started it by exec.
    const std::string status = detail::read_proc_file("/proc/self/status");
    std::string_view peak = detail::proc_field(status, "VmHWM");
    if (const auto kibibytes = detail::take_integer(peak)) return *kibibytes * 1024;
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
    return usage.ru_maxrss;
#else
    return std::int64_t{usage.ru_maxrss} * 1024;
#endif
}

}  // namespace benchkit::inline v0_1
