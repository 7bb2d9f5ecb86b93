#include <benchkit/load/ramp_schedule.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::ramp_schedule;
using namespace std::chrono_literals;

namespace {

struct expected_operation {
    std::uint64_t index;
    std::optional<std::int64_t> at;
};

void check_operations(bk::ramp kind, bk::duration length,
                      std::initializer_list<expected_operation> operations) {
    CAPTURE(kind.from.per_second);
    CAPTURE(kind.to.per_second);
    for (const expected_operation& each : operations) {
        CAPTURE(each.index);
        CHECK(ramp_schedule(kind, length, each.index, 1).next() == each.at);
    }
}

std::vector<std::int64_t> all_of(bk::ramp kind, bk::duration length) {
    std::vector<std::int64_t> all;
    ramp_schedule schedule(kind, length, 0, 1);
    while (const auto at = schedule.next()) all.push_back(*at);
    return all;
}

}  // namespace

// The expected times are the largest whole nanoseconds at which the integral of the rate is at most k, found by
// bisection in Python's fractions.
TEST_CASE("operation k of a ramp is where the integral of the rate reaches k") {
    check_operations(
        {100, 5'000}, 10s,
        {{0, 0}, {1, 9'766'316}, {2, 19'105'683}, {100, 466'599'050}, {25'499, 9'999'799'998}, {25'500, {}}});
    check_operations(
        {5'000, 100}, 10s,
        {{0, 0}, {1, 200'001}, {2, 400'007}, {100, 20'019'638}, {25'499, 9'990'233'683}, {25'500, {}}});
    check_operations({1000.0 / 3, 0.1}, 1h,
                     {{0, 0},
                      {1, 3'000'001},
                      {2, 6'000'004},
                      {600'000, 3'538'707'783'262},
                      {600'179, 3'596'308'156'654},
                      {600'180, {}}});
}

TEST_CASE("a ramp from 0 begins at the start, a ramp to 0 ends where less than an operation is left") {
    // From 0 to 10 in 10 s: k = t^2 / 2.
    check_operations({0, 10}, 10s,
                     {{0, 0}, {1, 1'414'213'562}, {2, 2'000'000'000}, {49, 9'899'494'936}, {50, {}}});
    check_operations(
        {10, 0}, 10s,
        {{0, 0}, {1, 100'505'063}, {2, 202'041'028}, {48, 8'000'000'000}, {49, 8'585'786'437}, {50, {}}});
}

TEST_CASE("the widest and the longest ramps are as exact") {
    check_operations({1e-6, 1e9}, 24h,
                     {{0, 0},
                      {1, 13'145'341},
                      {10'000'000'000'000, 41'569'219'381'652},
                      {43'199'999'999'999, 86'399'999'999'998},
                      {43'200'000'000'000, 86'399'999'999'999}});
    check_operations({1e9, 1.2345678901234567e-6}, 9'000'000'000s,
                     {{0, 0},
                      {1, 1},
                      {100'000'000'000'000'000, 100'561'815'485'204'460},
                      {4'000'000'000'000'000'000, 5'999'999'999'999'992'592},
                      {4'499'999'999'999'999'999, 8'999'999'683'743'787'298},
                      {4'500'000'000'000'000'000, 8'999'999'683'772'246'517}});
}

TEST_CASE("a level ramp is a constant rate") {
    ramp_schedule level(bk::ramp(1'009, 1'009), 100s, 0, 1);
    for (std::int64_t index = 0; index < 100'900; ++index) {
        if (level.next() != index * 1'000'000'000 / 1'009) FAIL("operation ", index);
    }
    CHECK_FALSE(level.next().has_value());
    CHECK_FALSE(level.next().has_value());
}

TEST_CASE("a ramp has as many operations as the integral of its rate, a fraction rounded up") {
    CHECK(all_of({100, 5'000}, 10s).size() == 25'500);
    CHECK(all_of({100.5, 0}, 10s).size() == 503);  // 502.5
    CHECK(all_of({0, 0.001}, 1s).size() == 1);
    CHECK(all_of({0, 3}, 1s).size() == 2);  // 1.5
}

TEST_CASE("every nanosecond of a ramp is where it must be, by the integral in whole numbers") {
    // From 100 to 300 per second in 10 s, t in ns: the integral is t / 10^7 + t^2 / 10^17, so k is at the
    // largest t with t (10^10 + t) <= k 10^17.
    std::uint64_t index = 0;
    for (const std::int64_t each : all_of({100, 300}, 10s)) {
        const auto at = static_cast<std::uint64_t>(each);
        const bk::uint128 reached = bk::multiply(index, 100'000'000'000'000'000);
        const bool not_late = bk::multiply(at, 10'000'000'000 + at) <= reached;
        const bool not_early = bk::multiply(at + 1, 10'000'000'001 + at) > reached;
        if (!not_late || !not_early) FAIL("operation ", index, " is at ", at);
        ++index;
    }
    CHECK(index == 2'000);
}

TEST_CASE("every fourth operation of a ramp is every fourth of all") {
    for (const bk::ramp& kind : {bk::ramp(3, 47.5), bk::ramp(47.5, 3), bk::ramp(0, 20)}) {
        const auto all = all_of(kind, 10s);
        for (std::uint64_t shard = 0; shard < 4; ++shard) {
            ramp_schedule part(kind, 10s, shard, 4);
            for (std::size_t index = shard; index < all.size(); index += 4) CHECK(part.next() == all[index]);
            CHECK_FALSE(part.next().has_value());
        }
    }
}
