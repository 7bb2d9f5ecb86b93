#include <benchkit/result/diagnostics.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

namespace {

/// A load that has nothing to say against itself: 2,000 operations of 1 to 1.999 ms.
bk::result sound_load() {
    bk::result sound = made::http_load();
    sound.distributions = {};
    for (int step = 0; step < 2'000; ++step)
        sound.distributions["service_time"].values.record(made::ms + step * 500);
    sound.counters["started"] = sound.counters["scheduled"] = sound.counters["succeeded"] = 2'000;
    sound.parameters["operations"] = std::int64_t{2'000};
    return sound;
}

const bk::diagnostic* find(const std::vector<bk::diagnostic>& all, std::string_view code) {
    const auto found =
        std::find_if(all.begin(), all.end(), [code](const auto& one) { return one.code == code; });
    return found == all.end() ? nullptr : &*found;
}

/// The message of a code; empty where the result does not say it.
std::string message_of(const bk::result& measured, std::string_view code) {
    const auto all = bk::diagnose(measured);
    const bk::diagnostic* found = find(all, code);
    return found == nullptr ? std::string() : found->message;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

}  // namespace

TEST_CASE("a sound result says nothing against itself") {
    CHECK(bk::diagnose(sound_load()).empty());
    CHECK(bk::diagnose(bk::result{}).empty());
}

TEST_CASE("client-saturated: more than nine tenths of each shard's processor") {
    bk::result busy = sound_load();
    busy.resources = bk::run_resources{0.5, 0.4, 0, 0, 0, 1.0};
    CHECK(message_of(busy, "client-saturated").empty());
    busy.resources->user_seconds = 0.55;
    CHECK(contains(message_of(busy, "client-saturated"), "used 95 % of its processor"));
    busy.parameters["shards"] = std::int64_t{2};
    CHECK(message_of(busy, "client-saturated").empty());
    busy.resources->user_seconds = 1.5;
    CHECK(contains(message_of(busy, "client-saturated"), "used 95 % of its 2 processors"));
    busy.kind = "work.time";  // work is meant to use its processor
    CHECK(message_of(busy, "client-saturated").empty());
}

TEST_CASE("client-saturated: one shard that is busy is enough") {
    bk::result uneven = sound_load();
    uneven.parameters["shards"] = std::int64_t{2};
    uneven.resources = bk::run_resources{1.0, 0, 0, 0, 0, 1.0};
    uneven.children.resize(2);
    for (bk::result& child : uneven.children) child.kind = "shard";
    uneven.children[0].resources = bk::run_resources{0.05, 0, 0, 0, 0, 1.0};
    uneven.children[1].name = "shard 1";
    uneven.children[1].resources = bk::run_resources{0.5, 0.45, 0, 0, 0, 1.0};
    CHECK(
        contains(message_of(uneven, "client-saturated"), "Of the client, shard 1 used 95 % of its processor"));
}

TEST_CASE("client-saturated: without the wall time, the span takes its place") {
    bk::result busy = sound_load();
    busy.resources = bk::run_resources{0.24, 0, 0, 0, 0, 0};
    CHECK_FALSE(message_of(busy, "client-saturated").empty());
}

TEST_CASE("too-few-samples: the 99th percentile takes 1,000") {
    bk::result few = sound_load();
    few.distributions["service_time"] = made::times_in_ms({{1, 999}});
    CHECK(contains(message_of(few, "too-few-samples"), "999 operations are too few for the 99th percentile"));
    CHECK_FALSE(contains(message_of(few, "too-few-samples"), "median"));
    few.distributions["service_time"] = made::times_in_ms({{1, 1'000}});
    CHECK(message_of(few, "too-few-samples").empty());
    few.distributions["service_time"] = made::times_in_ms({{1, 19}});
    CHECK(contains(message_of(few, "too-few-samples"), "median, which takes 20"));
}

TEST_CASE("fewer-connections: fewer than clients, although there were operations for each") {
    bk::result fewer = sound_load();
    fewer.counters["connections_opened"] = 9;
    CHECK(contains(message_of(fewer, "fewer-connections"), "Only 9 connections were opened for 10 clients"));
    fewer.counters["warmup.connections_opened"] = 1;
    CHECK(message_of(fewer, "fewer-connections").empty());
    fewer.counters["warmup.connections_opened"] = 0;
    fewer.parameters["operations"] = std::int64_t{9};
    CHECK(message_of(fewer, "fewer-connections").empty());
    fewer.parameters.erase("operations");
    CHECK_FALSE(message_of(fewer, "fewer-connections").empty());
    fewer.counters.erase("connections_opened");  // no HTTP
    CHECK(message_of(fewer, "fewer-connections").empty());
}

TEST_CASE("coarse-clock: above a microsecond or a twentieth of the median") {
    bk::result coarse = sound_load();
    coarse.environment["clock_resolution_ns"] = std::int64_t{1'000};
    CHECK(message_of(coarse, "coarse-clock").empty());
    coarse.environment["clock_resolution_ns"] = std::int64_t{4'000'000};
    CHECK(contains(message_of(coarse, "coarse-clock"), "smallest step is 4.00 ms, the median time 1.50 ms"));
    bk::result quick = sound_load();
    quick.distributions["service_time"] = {};
    quick.distributions["service_time"].values.record(490, 2'000);
    CHECK_FALSE(message_of(quick, "coarse-clock").empty());  // 25 ns of 490 ns
    quick.environment["clock_resolution_ns"] = std::int64_t{24};
    CHECK(message_of(quick, "coarse-clock").empty());
}

TEST_CASE("debug-build: not optimized, or with a sanitizer") {
    bk::result slow = sound_load();
    slow.environment["flags"] = std::string("-O -fsanitize=address");
    CHECK(contains(message_of(slow, "debug-build"), "with a sanitizer"));
    slow.environment["optimized"] = false;
    CHECK(contains(message_of(slow, "debug-build"), "without optimization"));
}

TEST_CASE("noisy-machine: taken off the processor often, or busy before the run") {
    bk::result noisy = sound_load();
    noisy.resources = bk::run_resources{0, 0, 0, 0, 100, 1.0};
    CHECK(message_of(noisy, "noisy-machine").empty());
    noisy.resources->involuntary_switches = 250;
    CHECK(contains(message_of(noisy, "noisy-machine"), "250 times a second,"));
    CHECK(find(bk::diagnose(noisy), "noisy-machine")->severity == bk::severity::note);
    noisy.parameters["shards"] = std::int64_t{4};
    CHECK(message_of(noisy, "noisy-machine").empty());
    noisy.resources = bk::run_resources{0, 0, 0, 0, 19, 0.001};  // too few to mean anything
    CHECK(message_of(noisy, "noisy-machine").empty());
    noisy.environment["load_average"] = 2.0;
    CHECK(message_of(noisy, "noisy-machine").empty());
    noisy.environment["load_average"] = 2.5;
    CHECK(contains(message_of(noisy, "noisy-machine"), "a load average of 2.50 on 2 processors"));
    CHECK(find(bk::diagnose(noisy), "noisy-machine")->severity == bk::severity::warning);
}

TEST_CASE("skewed: mean and median differ by more than half of the median") {
    bk::result skewed = sound_load();
    // Median 2 ms; mean (1,000 * 2 + 990 * 4) / 1,990 = 2.995 ms.
    skewed.distributions["service_time"] = made::times_in_ms({{2, 1'000}, {4, 990}});
    CHECK(message_of(skewed, "skewed").empty());
    // Mean (1,000 * 2 + 990 * 5) / 1,990 = 3.49 ms.
    skewed.distributions["service_time"] = made::times_in_ms({{2, 1'000}, {5, 990}});
    CHECK(contains(message_of(skewed, "skewed"), "Mean (3.49 ms) and median (2.00 ms)"));
}

TEST_CASE("closed-loop-blind: a stall hides the operations that were not sent") {
    bk::result stalled = sound_load();
    // While 5 clients waited 101 ms, each would have sent (101 - 1) / 1 = 100 more: 500.
    stalled.distributions["service_time"] = made::times_in_ms({{1, 1'995}, {101, 5}});
    const std::string message = message_of(stalled, "closed-loop-blind");
    CHECK(contains(message, "The longest service time (101 ms) is 101 times the 99th percentile"));
    CHECK(contains(message, "about 50"));
    CHECK(find(bk::diagnose(stalled), "closed-loop-blind")->severity == bk::severity::warning);
    // With 9 ms of thinking after each, a tenth.
    stalled.parameters["think_time_seconds"] = 0.009;
    CHECK(contains(message_of(stalled, "closed-loop-blind"), "about 50 operations"));
    stalled.parameters["loop"] = std::string("open");
    CHECK(message_of(stalled, "closed-loop-blind").empty());
}

TEST_CASE("closed-loop-blind: few hidden operations are a note, fewer than ten nothing") {
    bk::result stalled = sound_load();
    stalled.distributions["service_time"] = made::times_in_ms({{1, 9'999}, {51, 1}});
    const auto all = bk::diagnose(stalled);
    REQUIRE(find(all, "closed-loop-blind") != nullptr);
    CHECK(find(all, "closed-loop-blind")->severity == bk::severity::note);
    stalled.distributions["service_time"] = made::times_in_ms({{1, 9'999}, {10, 1}});
    CHECK(message_of(stalled, "closed-loop-blind").empty());
}

TEST_CASE("failures: the share, the commonest causes and the first error") {
    const bk::result troubled = made::troubled_load();
    const auto all = bk::diagnose(troubled);
    REQUIRE(find(all, "failures") != nullptr);
    CHECK(find(all, "failures")->severity == bk::severity::warning);
    CHECK(find(all, "failures")->message ==
          "33 operations of 214 failed (15 %): 20 status, 1 resolve, 1 connect. The first error: receive from "
          "127.0.0.1:8088: Connection reset by peer. The times of failed operations are not among the service "
          "times.");
}

TEST_CASE("failures: where nothing succeeded, the result is a failure") {
    bk::result dead = sound_load();
    dead.counters["succeeded"] = 0;
    dead.counters["failed"] = dead.counters["failed.connect"] = 2'000;
    dead.attributes["ended_by"] = std::string("connect-failure");
    dead.attributes["first_error"] = std::string("connect to 127.0.0.1:1: Connection refused");
    const auto all = bk::diagnose(dead);
    REQUIRE(all.size() >= 2);
    CHECK(all[0].code == "connect-failure");
    CHECK(all[0].severity == bk::severity::failure);
    CHECK(contains(all[0].message, "(connect to 127.0.0.1:1: Connection refused)"));
    CHECK(all[1].code == "failures");
    CHECK(all[1].severity == bk::severity::failure);
    CHECK(contains(all[1].message, "2,000 operations of 2,000 failed (100 %): 2,000 connect."));
}

TEST_CASE("interrupted, limits and what was unfinished") {
    bk::result cut = made::troubled_load();
    CHECK(contains(message_of(cut, "interrupted"), "interrupted by signal 2 after 250 ms"));
    CHECK(contains(message_of(cut, "port-limit"), "1 operation found no free local port"));
    CHECK(contains(message_of(cut, "drain-unfinished"),
                   "1 operation was still going on when the run was interrupted. It counts as started"));
    cut.counters["errors.too_many_files_open"] = 7;
    CHECK(contains(message_of(cut, "descriptor-limit"), "7 connections had no descriptor left"));
    cut.interrupted = false;
    cut.parameters["drain_seconds"] = 10.0;
    cut.counters["unfinished"] = 3;
    CHECK(message_of(cut, "interrupted").empty());
    CHECK(contains(message_of(cut, "drain-unfinished"),
                   "3 operations were still without an end when the drain was over after 10.0 s. They count"));
    cut.distributions["unfinished_age"] = made::times_in_ms({{10'000, 2}, {10'500, 1}});
    CHECK(contains(message_of(cut, "drain-unfinished"), "after 10.0 s, the oldest 10.5 s old. They count"));
    cut.parameters["drain_seconds"] = 0.0;
    CHECK(
        contains(message_of(cut, "drain-unfinished"),
                 "3 operations were still going on at the end of the span, after which there was no drain, "));
}

TEST_CASE("a simulated run is not judged by the machine that computed it") {
    bk::result simulated = sound_load();
    simulated.parameters["simulated"] = true;
    simulated.environment["optimized"] = false;
    simulated.environment["load_average"] = 9.0;
    simulated.environment["clock_resolution_ns"] = std::int64_t{4'000'000};
    simulated.resources = bk::run_resources{9, 9, 0, 0, 900, 1.0};
    simulated.counters["connections_opened"] = 0;
    CHECK(bk::diagnose(simulated).empty());
}

TEST_CASE("the worst comes first") {
    const auto all = bk::diagnose(made::troubled_load());
    REQUIRE(all.size() > 2);
    CHECK(std::is_sorted(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.severity > b.severity; }));
}

TEST_CASE("memory-limit: a run that ended for want of memory says so") {
    bk::result measured;
    measured.attributes["ended_by"] = std::string("memory");
    CHECK(contains(message_of(measured, "memory-limit"), "not enough memory"));
    CHECK(find(bk::diagnose(measured), "memory-limit")->severity == bk::severity::failure);
}
