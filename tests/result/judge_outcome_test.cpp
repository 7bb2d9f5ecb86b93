#include <benchkit/result/judge_outcome.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::judged_result;

TEST_CASE("what went well is not judged") {
    bk::result measured;
    measured.counters = {{"scheduled", 10}, {"started", 10}, {"succeeded", 10}, {"connections_opened", 3}};
    measured.parameters["clients"] = std::int64_t{3};
    const judged_result judged(measured);
    for (const auto judge :
         {bk::detail::judge_connecting, bk::detail::judge_failures, bk::detail::judge_descriptors,
          bk::detail::judge_ports, bk::detail::judge_interrupt, bk::detail::judge_connections,
          bk::detail::judge_drain}) {
        CHECK_FALSE(judge(judged).has_value());
    }
}

TEST_CASE("connections of the warm-up count; no more are expected than clients or operations") {
    bk::result measured;
    measured.parameters["clients"] = std::int64_t{10};
    measured.counters["connections_opened"] = 4;
    CHECK(bk::detail::judge_connections(judged_result(measured)).has_value());
    measured.counters["warmup.connections_opened"] = 6;
    CHECK_FALSE(bk::detail::judge_connections(judged_result(measured)).has_value());
    measured.counters["warmup.connections_opened"] = 0;
    measured.parameters["operations"] = std::int64_t{4};
    CHECK_FALSE(bk::detail::judge_connections(judged_result(measured)).has_value());
}

TEST_CASE("descriptors that were refused add up, of the process and of the system") {
    bk::result measured;
    measured.counters["errors.too_many_files_open"] = 2;
    measured.counters["errors.too_many_files_open_in_system"] = 3;
    const auto said = bk::detail::judge_descriptors(judged_result(measured));
    REQUIRE(said.has_value());
    CHECK(said->message.starts_with("5 connections had no descriptor left."));
}

TEST_CASE("a run without a drain notes what was going on; one with a drain warns") {
    bk::result measured;
    measured.counters["unfinished"] = 1;
    measured.parameters["drain_seconds"] = 0.0;
    CHECK(bk::detail::judge_drain(judged_result(measured))->severity == bk::severity::note);
    measured.parameters["drain_seconds"] = 2.5;
    CHECK(bk::detail::judge_drain(judged_result(measured))->severity == bk::severity::warning);
    measured.interrupted = true;
    CHECK(bk::detail::judge_drain(judged_result(measured))->severity == bk::severity::note);
}
