#include <benchkit/load/stage_schedule.hpp>

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::stage_schedule;
using namespace std::chrono_literals;

namespace {

/// Checks single operations of a constant rate: each is found as the first of a schedule that begins with it.
struct expected_operation {
    std::uint64_t index;
    std::int64_t at;
};

void check_operations(bk::rate rate, std::initializer_list<expected_operation> operations) {
    CAPTURE(rate.per_second);
    for (const expected_operation& each : operations) {
        CAPTURE(each.index);
        // As stepping from the start has it, with one step.
        stage_schedule stepped(bk::constant(rate), 0, each.index);
        CHECK(stepped.next() == 0);
        CHECK(stepped.next() == each.at);
    }
}

}  // namespace

// The expected times are k * 10^9 / rate in Python's fractions, the rate from its shortest decimal form,
// rounded down.
TEST_CASE("operation k of a constant rate is at k / rate, also after years") {
    check_operations(0.3, {{1, 3'333'333'333},
                           {3, 10'000'000'000},
                           {1'000, 3'333'333'333'333},
                           {3'000, 10'000'000'000'000},
                           {1'000'000, 3'333'333'333'333'333}});
    check_operations(1000.0 / 3, {{1, 3'000'000}, {3, 9'000'000}, {1'000, 3'000'000'000}});
    check_operations(7, {{1, 142'857'142}, {2, 285'714'285}, {7, 1'000'000'000}});
    check_operations(
        1e-6, {{1, 1'000'000'000'000'000}, {2, 2'000'000'000'000'000}, {9'000, 9'000'000'000'000'000'000}});
    check_operations(
        1.2345678901234567e-6,
        {{1, 810'000'007'290'000}, {2, 1'620'000'014'580'000}, {9'000, 7'290'000'065'610'001'122}});
    check_operations(123456789.123, {{1, 8}, {2, 16}});
}

TEST_CASE("adding up periods does not drift") {
    // 333.3333333333333 per second for 8 hours and more: operation 10^7 is at 30000 s plus 3 ns.
    stage_schedule thirds(bk::constant(1000.0 / 3), 0, 1);
    for (std::int64_t index = 0; index < 10'000'000; ++index) {
        // k * 10^22 / 3333333333333333 = 3000000 k + k / 1111111111111111
        const std::int64_t expected = 3'000'000 * index;
        if (thirds.next() != expected) {
            FAIL("operation ", index, " is not at ", expected);
        }
    }
    CHECK(thirds.next() == 30'000'000'000'000);
    // A rate that divides nothing: k * 10^9 / 1009.
    stage_schedule prime(bk::constant(1'009), 0, 1);
    for (std::int64_t index = 0; index < 5'000'000; ++index) {
        if (prime.next() != index * 1'000'000'000 / 1'009) FAIL("operation ", index);
    }
}

TEST_CASE("a constant rate of one operation in a nanosecond, and the end of time") {
    stage_schedule fastest(bk::constant(1e9), 0, 1);
    for (std::int64_t index = 0; index < 1'000; ++index) CHECK(fastest.next() == index);
    stage_schedule slowest(bk::constant(1e-6), 9'000, 1'000);
    CHECK(slowest.next() == 9'000'000'000'000'000'000);
    CHECK_FALSE(slowest.next().has_value());
    CHECK_FALSE(slowest.next().has_value());
}

TEST_CASE("stages follow each other without a gap") {
    stage_schedule steps(bk::stages().add(100, 10s).add(1'000, 30s), 0, 1);
    for (std::int64_t index = 0; index < 1'000; ++index) REQUIRE(steps.next() == index * 10'000'000);
    for (std::int64_t index = 0; index < 30'000; ++index) {
        REQUIRE(steps.next() == 10'000'000'000 + index * 1'000'000);
    }
    CHECK_FALSE(steps.next().has_value());
    CHECK_FALSE(steps.next().has_value());
}

TEST_CASE("a fraction of an operation is carried over the seam") {
    // 0.25 in the first second, then one per second: the integral reaches 1 at 1.75 s, 2 at 2.75 s.
    stage_schedule carried(bk::stages().add(0.25, 1s).add(1, 2s), 0, 1);
    CHECK(carried.next() == 0);
    CHECK(carried.next() == 1'750'000'000);
    CHECK(carried.next() == 2'750'000'000);
    CHECK_FALSE(carried.next().has_value());
    // Ten stages of a tenth: the next operation would be at the very end.
    bk::stages tenths;
    for (int stage = 0; stage < 10; ++stage) tenths.add(0.1, 1s);
    stage_schedule one(tenths, 0, 1);
    CHECK(one.next() == 0);
    CHECK_FALSE(one.next().has_value());
    // With an eleventh it is at its start.
    tenths.add(0.1, 1s);
    stage_schedule two(tenths, 0, 1);
    CHECK(two.next() == 0);
    CHECK(two.next() == 10'000'000'000);
    CHECK_FALSE(two.next().has_value());
}

TEST_CASE("stages too short for an operation add up") {
    // 1,000 stages of 1 ms, alternately at 1 and 3 per second: the integral reaches 1 at 0.5 s.
    bk::stages slices;
    for (int slice = 0; slice < 1'000; ++slice) slices.add(slice % 2 == 0 ? 1 : 3, 1ms);
    stage_schedule few(slices, 0, 1);
    CHECK(few.next() == 0);
    CHECK(few.next() == 500'000'000);
    CHECK_FALSE(few.next().has_value());
}

TEST_CASE("a stage of rate 0 is a pause") {
    stage_schedule paused(bk::stages().add(0, 1s).add(2, 1s).add(0, 5s).add(2, 1s).add(0, 1s), 0, 1);
    CHECK(paused.next() == 1'000'000'000);
    CHECK(paused.next() == 1'500'000'000);
    CHECK(paused.next() == 7'000'000'000);
    CHECK(paused.next() == 7'500'000'000);
    CHECK_FALSE(paused.next().has_value());
}

TEST_CASE("every third operation of stages is every third of all") {
    const bk::stages kind = bk::stages().add(0.7, 1s).add(1.3, 700ms).add(0, 1s).add(333.3, 333ms).add(9, 2s);
    std::vector<std::int64_t> all;
    stage_schedule whole(kind, 0, 1);
    while (const auto at = whole.next()) all.push_back(*at);
    // 0.7 + 0.91 + 110.9889 + 18 = 130.5989 operations
    CHECK(all.size() == 131);
    for (std::uint64_t shard = 0; shard < 3; ++shard) {
        stage_schedule part(kind, shard, 3);
        for (std::size_t index = shard; index < all.size(); index += 3) CHECK(part.next() == all[index]);
        CHECK_FALSE(part.next().has_value());
    }
}
