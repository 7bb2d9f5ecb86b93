#include <benchkit/result/judge_figures.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::judged_result;

TEST_CASE("the share of a processor is CPU time over wall time, known only where both are") {
    bk::result measured;
    CHECK_FALSE(bk::detail::cpu_share(measured, 2).has_value());
    measured.resources = bk::run_resources{};
    measured.resources->user_seconds = 0.5;
    measured.resources->system_seconds = 1;
    CHECK(bk::detail::cpu_share(measured, 2) == 0.75);
    CHECK_FALSE(bk::detail::cpu_share(measured, 0).has_value());
}

TEST_CASE("switches count per second and shard, and few of them not at all") {
    bk::result measured;
    measured.resources = bk::run_resources{};
    measured.resources->wall_seconds = 2;
    measured.parameters["shards"] = std::int64_t{4};
    measured.resources->involuntary_switches = 19;
    CHECK(bk::detail::switches_per_second(judged_result(measured)) == 0);
    measured.resources->involuntary_switches = 800;
    CHECK(bk::detail::switches_per_second(judged_result(measured)) == 100);
    CHECK_FALSE(bk::detail::judge_noise(judged_result(measured)).has_value());  // the threshold itself is none
    measured.resources->involuntary_switches = 808;
    CHECK(bk::detail::judge_noise(judged_result(measured)).has_value());
}

TEST_CASE("what a stall hid is what its length would have held at the pace of the median") {
    bk::histogram times;
    times.record(1'000, 1'000);
    times.record(100'000, 3);
    // Each of the three waited 99 medians longer than usual; with a think time of one median, half as many.
    CHECK(bk::detail::hidden_operations(times, 10'000, 1'000, 0) == doctest::Approx(3 * 99).epsilon(0.001));
    CHECK(bk::detail::hidden_operations(times, 10'000, 1'000, 1'000) ==
          doctest::Approx(1.5 * 99).epsilon(0.001));
    CHECK(bk::detail::hidden_operations(times, 200'000, 1'000, 0) == 0);
    CHECK(bk::detail::hidden_operations(bk::histogram(), 0, 0, 0) == 0);
}

TEST_CASE("what is not known is not judged") {
    const bk::result empty;
    const judged_result judged(empty);
    for (const auto judge : {bk::detail::judge_saturation, bk::detail::judge_noise, bk::detail::judge_build,
                             bk::detail::judge_clock, bk::detail::judge_sample_size, bk::detail::judge_skew,
                             bk::detail::judge_blindness, bk::detail::judge_delayed_ack}) {
        CHECK_FALSE(judge(judged).has_value());
    }
}

TEST_CASE(
    "delayed-ack: answers that end 40 ms after their first byte, and hardly any about as late otherwise") {
    constexpr std::int64_t ms = 1'000'000;
    const auto judged = [](std::int64_t answers, std::int64_t delayed, std::int64_t others) {
        bk::result measured;
        measured.distributions["first_byte_time"].values.record(ms, answers);
        measured.distributions["remainder_time"].values.record(41 * ms, delayed);
        measured.distributions["remainder_time"].values.record(30 * ms, others);
        const auto found = bk::detail::judge_delayed_ack(judged_result(measured));
        return found ? found->message : std::string();
    };
    CHECK(judged(1'000, 500, 0).starts_with("500 answers (50 %) ended about 40 ms after their first byte"));
    CHECK(judged(1'000, 10, 0) != "");
    CHECK(judged(1'001, 10, 0) == "");  // less than 1 %
    CHECK(judged(500, 9, 0) == "");     // too few
    CHECK(judged(1'000, 400, 100) != "");
    CHECK(judged(1'000, 400, 101) == "");  // a slow server, whose times lie around 40 ms too
}
