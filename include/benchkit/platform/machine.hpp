#pragma once

#include <stdlib.h>
#include <sys/utsname.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/clock.hpp>
#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

/// Where and how a program runs: what a reader needs to judge its figures.
struct machine {
    std::string host;
    std::string cpu;         ///< the processor's model, or the board's where only that is known
    std::int64_t cpus = 1;   ///< processors on which this process may run
    std::string kernel;      ///< such as "Linux 6.1.0"
    std::string compiler;    ///< such as "GCC 12.2.0"
    std::string flags;       ///< of the build, as far as the compiler tells; see `build_flags`
    bool optimized = false;  ///< built with -O1 or more
    std::chrono::nanoseconds clock_resolution{1};  ///< the smallest step that the clock was seen to make
    std::optional<double> load_average;            ///< processes that run or want to, mean of the last minute
};

namespace detail {

/// The processor's model from the text of /proc/cpuinfo; the keys differ from processor to processor.
[[nodiscard]] inline std::string cpu_model(std::string_view cpuinfo) {
    for (const std::string_view key : {"model name", "Model", "Hardware", "cpu model", "uarch", "cpu"}) {
        const std::string_view value = proc_field(cpuinfo, key);
        if (!value.empty()) return std::string(value);
    }
    return {};
}

[[nodiscard]] inline std::string find_cpu_model(const char* architecture) {
    std::string model = cpu_model(read_proc_file("/proc/cpuinfo"));
    if (model.empty()) model = trimmed(read_proc_file("/sys/firmware/devicetree/base/model"));
    return model.empty() ? std::string(architecture) : model;
}

[[nodiscard]] inline std::int64_t usable_cpus() noexcept {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof(set), &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
    return std::max(1L, sysconf(_SC_NPROCESSORS_ONLN));
}

/// The smallest step between two readings that differ. The cost of a reading is part of it: a shorter time
/// cannot be told from it.
[[nodiscard]] inline std::chrono::nanoseconds observed_clock_step() noexcept {
    constexpr int steps = 50;
    constexpr std::chrono::milliseconds patience(20);
    const clock::time_point first = clock::now();
    clock::time_point last = first;
    std::chrono::nanoseconds smallest = std::chrono::nanoseconds::max();
    for (int seen = 0; seen < steps && (last - first < patience || seen == 0);) {
        const clock::time_point now = clock::now();
        if (now == last) continue;
        smallest = std::min<std::chrono::nanoseconds>(smallest, now - last);
        last = now;
        ++seen;
    }
    return smallest;
}

}  // namespace detail

/// The compiler that builds this program.
[[nodiscard]] inline std::string compiler_name() {
#if defined(__clang__)
    return "clang " + std::to_string(__clang_major__) + '.' + std::to_string(__clang_minor__) + '.' +
           std::to_string(__clang_patchlevel__);
#elif defined(__GNUC__)
    return "GCC " + std::to_string(__GNUC__) + '.' + std::to_string(__GNUC_MINOR__) + '.' +
           std::to_string(__GNUC_PATCHLEVEL__);
#else
    return "unknown";
#endif
}

/// True where this program is built with -O1 or more.
[[nodiscard]] constexpr bool is_optimized() noexcept {
#if defined(__OPTIMIZE__)
    return true;
#else
    return false;
#endif
}

/// The flags of the build that matter to its speed: `BENCHKIT_BUILD_FLAGS`, a string, where the build defines
/// it; otherwise those that leave a trace in the predefined macros (which do not tell -O1 to -O3 apart).
[[nodiscard]] inline std::string build_flags() {
#if defined(BENCHKIT_BUILD_FLAGS)
    return BENCHKIT_BUILD_FLAGS;
#else
    std::string flags;
#if defined(__OPTIMIZE_SIZE__)
    flags += "-Os";
#else
    flags += is_optimized() ? "-O" : "-O0";
#endif
#if defined(NDEBUG)
    flags += " -DNDEBUG";
#endif
#if defined(__SANITIZE_ADDRESS__)
    flags += " -fsanitize=address";
#endif
#if defined(__SANITIZE_THREAD__)
    flags += " -fsanitize=thread";
#endif
#if defined(__clang__)
#if __has_feature(address_sanitizer)
    flags += " -fsanitize=address";
#endif
#if __has_feature(thread_sanitizer)
    flags += " -fsanitize=thread";
#endif
#endif
#if !defined(__cpp_exceptions)
    flags += " -fno-exceptions";
#endif
    return flags;
#endif
}

/// Asks the system for the facts of this machine and this build. Takes less than 0.1 s.
[[nodiscard]] inline machine describe_machine() {
    machine facts;
    utsname names{};
    uname(&names);
    facts.host = names.nodename;
    facts.kernel = std::string(names.sysname) + ' ' + names.release;
    facts.cpu = detail::find_cpu_model(names.machine);
    facts.cpus = detail::usable_cpus();
    facts.compiler = compiler_name();
    facts.flags = build_flags();
    facts.optimized = is_optimized();
    facts.clock_resolution = detail::observed_clock_step();
    double average = 0;
    if (getloadavg(&average, 1) == 1) facts.load_average = average;
    return facts;
}

}  // namespace benchkit::inline v0_1
