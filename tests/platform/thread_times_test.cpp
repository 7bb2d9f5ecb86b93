#include <benchkit/platform/thread_times.hpp>

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <string>

#include <benchkit/platform/resources.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("the busiest thread is the one that used most since the first reading") {
    const bk::thread_times before{{"1/1", 100ms}, {"1/2", 50ms}, {"1/3", 900ms}};
    CHECK(bk::busiest_time(before, {{"1/1", 130ms}, {"1/2", 90ms}, {"1/3", 900ms}}) == 40ms);
    CHECK(bk::busiest_time(before, {{"1/1", 130ms}, {"2/7", 35ms}}) == 35ms);
    CHECK(bk::busiest_time(before, {}) == 0ms);
}

TEST_CASE("a thread's time is what the system says of it elsewhere, too") {
    const std::int64_t self = getpid();
    const std::string thread = std::to_string(self) + "/" + std::to_string(gettid());
    const auto earlier = bk::thread_resources().cpu();
    while (bk::thread_resources().cpu() - earlier < 20ms) {
    }
    const auto before = bk::thread_resources().cpu();
    const bk::thread_times times = bk::read_thread_times({self});
    REQUIRE(times.contains(thread));
    CHECK(times.at(thread) >=
          before - 10ms);  // rusage is scaled from ticks where the kernel does not count exactly
    CHECK(times.at(thread) <= bk::thread_resources().cpu() + 10ms);
    CHECK(bk::read_thread_times({-1}).empty());
}
