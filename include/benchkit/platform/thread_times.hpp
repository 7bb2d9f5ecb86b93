#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/platform/folder.hpp>
#include <benchkit/platform/proc_file.hpp>

namespace benchkit::inline v0_1 {

/// How long each thread has been on a processor, by "process/thread".
using thread_times = std::map<std::string, std::chrono::nanoseconds>;

/// The threads of these processes; those that are gone, or may not be seen, are left out.
[[nodiscard]] inline thread_times read_thread_times(const std::vector<std::int64_t>& processes) {
    thread_times times;
    for (const std::int64_t process : processes) {
        const std::string folder = "/proc/" + std::to_string(process) + "/task/";
        for (const std::string& thread : detail::names_in(folder)) {
            // The scheduler's own count: time on a processor, time waiting for one, turns (sched-stats.rst).
            const std::string text = detail::read_proc_file((folder + thread + "/schedstat").c_str());
            std::string_view rest = text;
            const auto used = detail::take_integer(rest);
            if (used) times[std::to_string(process) + "/" + thread] = std::chrono::nanoseconds(*used);
        }
    }
    return times;
}

/// How long the busiest thread was on a processor between two readings; one that was not there before counts
/// from its beginning.
[[nodiscard]] inline std::chrono::nanoseconds busiest_time(const thread_times& before,
                                                           const thread_times& after) {
    std::chrono::nanoseconds most{0};
    for (const auto& [thread, time] : after) {
        const auto known = before.find(thread);
        most = std::max(most, known == before.end() ? time : time - known->second);
    }
    return most;
}

}  // namespace benchkit::inline v0_1
