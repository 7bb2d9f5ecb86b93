#include <benchkit/platform/resources.hpp>

#include <time.h>

#include <chrono>
#include <cstddef>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

std::chrono::nanoseconds cpu_clock(clockid_t which) {
    timespec time{};
    clock_gettime(which, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

void burn(std::chrono::nanoseconds cpu_time) {
    const auto end = cpu_clock(CLOCK_THREAD_CPUTIME_ID) + cpu_time;
    while (cpu_clock(CLOCK_THREAD_CPUTIME_ID) < end) {
    }
}

}  // namespace

TEST_CASE("the CPU time of a thread is what its own clock says") {
    const auto before = bk::thread_resources();
    burn(60ms);
    const auto used = bk::thread_resources() - before;
    CHECK(used.cpu() >= 55ms);
    // The clock is read after the resources: it can only be later.
    CHECK(bk::thread_resources().cpu() <= cpu_clock(CLOCK_THREAD_CPUTIME_ID) + 5ms);
}

#if defined(__linux__)
TEST_CASE("what was used since the last tick is in it") {
    for (int round = 0; round < 10; ++round) {
        const auto before = bk::thread_resources();
        burn(1ms);
        const auto used = (bk::thread_resources() - before).cpu();
        CHECK(used >= 990us);
        CHECK(used < 3ms);
    }
}
#endif

#if defined(RUSAGE_THREAD)
TEST_CASE("a thread's use is its own, the process's is everybody's, ended threads included") {
    const auto thread_before = bk::thread_resources();
    const auto process_before = bk::process_resources();
    std::thread other([] { burn(60ms); });
    other.join();
    CHECK((bk::process_resources() - process_before).cpu() >= 55ms);
    CHECK((bk::thread_resources() - thread_before).cpu() < 50ms);
}

TEST_CASE("a thread that waits gives the processor up") {
    bk::resource_use used;
    std::thread waiting([&used] {
        const auto before = bk::thread_resources();
        for (int i = 0; i < 3; ++i) std::this_thread::sleep_for(1ms);
        used = bk::thread_resources() - before;
    });
    waiting.join();
    CHECK(used.voluntary_switches >= 3);
}
#endif

TEST_CASE("peak memory covers what was touched and does not fall again") {
    constexpr std::size_t size = std::size_t{48} << 20U;
    {
        std::vector<char> touched(size, 'x');
        CHECK(bk::peak_memory_bytes() >= static_cast<std::int64_t>(size));
        CHECK(touched[size / 2] == 'x');
    }
    CHECK(bk::peak_memory_bytes() >= static_cast<std::int64_t>(size));
}

TEST_CASE("uses add and subtract member by member") {
    const bk::resource_use small{1ms, 2ms, 3, 4};
    const bk::resource_use large{10ms, 20ms, 30, 40};
    CHECK(large + small == bk::resource_use{11ms, 22ms, 33, 44});
    CHECK(large - small == bk::resource_use{9ms, 18ms, 27, 36});
    CHECK(large.cpu() == 30ms);
}
