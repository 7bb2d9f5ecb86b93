#include <benchkit/result/judged_result.hpp>

#include <cstdint>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::detail::judged_result;

TEST_CASE("an empty result is one shard's, without times and without a wall") {
    const bk::result empty;
    const judged_result judged(empty);
    CHECK(&judged.measured == &empty);
    CHECK(judged.main == nullptr);
    CHECK(judged.shards == 1);
    CHECK(judged.wall_seconds == 0);
    CHECK_FALSE(judged.simulated);
    CHECK(judged.counter("started") == 0);
}

TEST_CASE("the main times are response times, else service times, and never none") {
    bk::result measured;
    measured.distributions["service_time"];
    CHECK(judged_result(measured).main == nullptr);  // there, but empty
    measured.distributions["service_time"].values.record(5);
    CHECK(judged_result(measured).main == &measured.distributions["service_time"]);
    measured.distributions["response_time"].values.record(7);
    CHECK(judged_result(measured).main == &measured.distributions["response_time"]);
}

TEST_CASE("the wall is that of the resources, else the span") {
    bk::result measured;
    measured.elapsed_seconds = 3;
    CHECK(judged_result(measured).wall_seconds == 3);
    measured.resources = bk::run_resources{};
    CHECK(judged_result(measured).wall_seconds == 3);
    measured.resources->wall_seconds = 4;
    CHECK(judged_result(measured).wall_seconds == 4);
}

TEST_CASE("shards and simulation are parameters; less than one shard there is not") {
    bk::result measured;
    measured.parameters["shards"] = std::int64_t{4};
    measured.parameters["simulated"] = true;
    CHECK(judged_result(measured).shards == 4);
    CHECK(judged_result(measured).simulated);
    measured.parameters["shards"] = std::int64_t{-1};
    CHECK(judged_result(measured).shards == 1);
}
