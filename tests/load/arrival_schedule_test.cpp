#include <benchkit/load/arrival_schedule.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

using times = std::vector<std::chrono::nanoseconds>;

times all_of(const bk::arrivals& process, const bk::arrival_schedule_options& options = {}) {
    times all;
    bk::arrival_schedule schedule(process, options);
    while (const auto at = schedule.next()) all.push_back(*at);
    CHECK_FALSE(schedule.next().has_value());
    return all;
}

std::size_t count_of(bk::rate rate, bk::duration length) {
    return all_of(bk::constant(rate), {.duration = length}).size();
}

/// The processes whose operations are dealt out to the shards.
std::vector<bk::arrivals> dealt_out() {
    return {bk::constant(333.3),
            bk::constant(0.7),
            bk::ramp(10, 500.5),
            bk::ramp(500.5, 0),
            bk::stages().add(100.3, 1s).add(0, 500ms).add(77, 3s),
            bk::trace({0ns, 1ms, 1ms, 2s, 4s, 5s, 11s})};
}

}  // namespace

TEST_CASE("a constant rate has as many operations as rate x duration, a fraction rounded up") {
    CHECK(count_of(5'000, 10s) == 50'000);
    CHECK(count_of(2'000, 1h) == 7'200'000);
    CHECK(count_of(0.3, 10s) == 3);
    CHECK(count_of(0.3, 10s + 1ns) == 4);
    CHECK(count_of(0.3, 24h) == 25'920);
    CHECK(count_of(0.1, 9s) == 1);
    CHECK(count_of(16'100.5, 10s) == 161'005);
    CHECK(count_of(1000.0 / 3, 3s) == 1'000);   // 999.9999999999999
    CHECK(count_of(333.34, 3s) == 1'001);       // 1000.02
    CHECK(count_of(7, 1'428'571'429ns) == 11);  // 10.000000003
    CHECK(count_of(7, 1'428'571'428ns) == 10);  // 9.999999996
    CHECK(count_of(1e9, 1us) == 1'000);
}

TEST_CASE("a duration ends every process, and at the duration nothing starts") {
    CHECK(all_of(bk::constant(2), {.duration = 1s}) == times{0s, 500ms});
    CHECK(all_of(bk::constant(2), {.duration = 1s + 1ns}) == times{0s, 500ms, 1s});
    CHECK(all_of(bk::stages().add(2, 10s), {.duration = 1s}) == times{0s, 500ms});
    CHECK(all_of(bk::trace({1s, 2s, 3s}), {.duration = 3s}) == times{1s, 2s});
    const bk::arrivals recorded = bk::trace({1s, 2s, 3s});
    CHECK(all_of(recorded, {.duration = recorded.own_duration()}) == times{1s, 2s, 3s});
    const times random = all_of(bk::poisson(1'000), {.duration = 1s});
    CHECK(random.back() < 1s);
    CHECK(random.size() > 900);  // 1,000 on average, with a deviation of 32
    CHECK(random.size() < 1'100);
}

TEST_CASE("a ramp runs over the duration") {
    CHECK(all_of(bk::ramp(0, 8), {.duration = 1s}) == times{0s, 500ms, 707'106'781ns, 866'025'403ns});
    CHECK(all_of(bk::ramp(8, 0), {.duration = 1s}) == times{0s, 133'974'596ns, 292'893'218ns, 500ms});
    CHECK_THROWS_WITH_AS(bk::arrival_schedule(bk::ramp(0, 8)),
                         "arrivals = ramp:0..8: a ramp runs over the duration of the run: give one", bk::error);
}

TEST_CASE("all shards together have what one has, and operation k belongs to shard k mod n") {
    for (const bk::arrivals& process : dealt_out()) {
        CAPTURE(bk::format_arrivals(process));
        const times whole = all_of(process, {.duration = 10s});
        for (const std::int64_t shards : {1, 2, 3, 7, 16}) {
            CAPTURE(shards);
            for (std::int64_t shard = 0; shard < shards; ++shard) {
                times expected;
                for (auto index = static_cast<std::size_t>(shard); index < whole.size();
                     index += static_cast<std::size_t>(shards)) {
                    expected.push_back(whole[index]);
                }
                CHECK(all_of(process, {.shard = shard, .shards = shards, .duration = 10s}) == expected);
            }
        }
    }
}

TEST_CASE("a schedule never goes back") {
    std::vector<bk::arrivals> processes = dealt_out();
    processes.emplace_back(bk::poisson(2'000));
    for (const bk::arrivals& process : processes) {
        CAPTURE(bk::format_arrivals(process));
        const times all = all_of(process, {.duration = 10s});
        CHECK(std::is_sorted(all.begin(), all.end()));
        CHECK(all.front() >= 0s);
        CHECK(all.back() < 10s);
    }
}

TEST_CASE("the seed and the shard decide a Poisson process, and nothing else does") {
    const bk::arrivals process = bk::poisson(1'000);
    const auto one = all_of(process, {.seed = 7, .shard = 1, .shards = 2, .duration = 1s});
    CHECK(all_of(process, {.seed = 7, .shard = 1, .shards = 2, .duration = 1s}) == one);
    CHECK(all_of(process, {.seed = 8, .shard = 1, .shards = 2, .duration = 1s}) != one);
    CHECK(all_of(process, {.seed = 7, .shard = 0, .shards = 2, .duration = 1s}) != one);
    // A longer run begins as the shorter one.
    const auto longer = all_of(process, {.seed = 7, .shard = 1, .shards = 2, .duration = 2s});
    CHECK(times(longer.begin(), longer.begin() + static_cast<std::ptrdiff_t>(one.size())) == one);
}

TEST_CASE("a trace outlives its description") {
    std::optional<bk::arrivals> process = bk::trace({1s, 2s});
    bk::arrival_schedule schedule(*process);
    process.reset();
    CHECK(schedule.next() == 1s);
    CHECK(schedule.next() == 2s);
    CHECK_FALSE(schedule.next().has_value());
}

TEST_CASE("options that cannot be are refused with their sentences") {
    const bk::arrivals process = bk::constant(1);
    CHECK_THROWS_WITH_AS(bk::arrival_schedule(process, {.shards = 0}), "shards = 0: allowed is 1 to 1048576",
                         bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(process, {.shards = 1'048'577}), bk::error);
    CHECK_THROWS_WITH_AS(bk::arrival_schedule(process, {.shard = 2, .shards = 2}),
                         "shard = 2: allowed is 0 to 1", bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(process, {.shard = -1}), bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(process, {.duration = 0s}), bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(process, {.duration = -1s}), bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(bk::arrivals{}), bk::error);
    CHECK_THROWS_AS(bk::arrival_schedule(bk::poisson(-1)), bk::error);
}
