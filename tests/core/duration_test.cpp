#include <benchkit/core/duration.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <type_traits>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t count_of(bk::duration value) {
    return value.count();
}
constexpr double per_second(bk::rate value) {
    return value.per_second;
}

}  // namespace

TEST_CASE("a duration is made from any standard one") {
    static_assert(count_of(20s) == 20'000'000'000);
    static_assert(count_of(0.5s) == 500'000'000);
    static_assert(count_of(-1ms) == -1'000'000);
    static_assert(count_of(7ns) == 7);
    static_assert(count_of(2h) == 7'200'000'000'000);
    static_assert(count_of(std::chrono::duration<float, std::milli>(1.5F)) == 1'500'000);
    static_assert(bk::duration().count() == 0);
    static_assert(!std::is_convertible_v<int, bk::duration>);
    CHECK(bk::duration(1500ms).seconds() == doctest::Approx(1.5));
    CHECK(bk::duration(2s) + 1ms == 2001ms);
}

TEST_CASE("a duration that does not fit saturates") {
    constexpr auto longest = std::chrono::nanoseconds::max();
    constexpr auto shortest = std::chrono::nanoseconds::min();
    CHECK(bk::duration(std::chrono::hours(10'000'000)) == longest);
    CHECK(bk::duration(std::chrono::hours(-10'000'000)) == shortest);
    CHECK(bk::duration(1e300s) == longest);
    CHECK(bk::duration(std::chrono::duration<double>(std::numeric_limits<double>::infinity())) == longest);
    CHECK(bk::duration(std::chrono::seconds::max()) == longest);
}

TEST_CASE("what is not a number is the shortest duration, which every check refuses") {
    const std::chrono::duration<double> not_a_number(std::numeric_limits<double>::quiet_NaN());
    CHECK(bk::duration(not_a_number) == std::chrono::nanoseconds::min());
}

TEST_CASE("a rate is made from any number") {
    static_assert(per_second(5'000) == 5000.0);
    static_assert(per_second(0.5) == 0.5);
    static_assert(per_second(-1) == -1.0);
    static_assert(per_second(7U) == 7.0);
    static_assert(bk::rate() == bk::rate(0));
    CHECK(bk::rate(1) != bk::rate(2));
}
