#include <benchkit/report/ab_files.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

namespace {

bk::record answered(std::int64_t start, std::int64_t connect, std::int64_t processing, std::int64_t total,
                    std::int64_t waiting) {
    return {{"started_at_us", start},
            {"connect_us", connect},
            {"processing_us", processing},
            {"total_us", total},
            {"waiting_us", waiting}};
}

}  // namespace

TEST_CASE("the times of 0 to 100 percent of the requests") {
    bk::result load = made::http_load();
    load.distributions["service_time"] = {};
    // 1 to 200 us, each once: p percent are rank 2p.
    for (std::int64_t us = 1; us <= 200; ++us) load.distributions["service_time"].values.record(us * 1'000);
    const std::string csv = bk::report::ab_csv(load);
    CHECK(csv.starts_with("Percentage served,Time in ms\n0,0.001\n1,0.002\n2,0.004\n3,0.006\n"));
    CHECK(csv.find("\n50,0.100\n") != std::string::npos);
    CHECK(csv.ends_with("\n99,0.198\n100,0.200\n"));
    CHECK(std::count(csv.begin(), csv.end(), '\n') == 102);
}

TEST_CASE("without an answer there is no such file") {
    bk::result none = made::http_load();
    none.distributions.clear();
    CHECK(bk::report::ab_csv(none).empty());
}

// 1,796,072,166 s is Mon Nov 30 20:56:06 UTC 2026, 1,704,067,200 s Mon Jan 1 00:00:00 UTC 2024.
TEST_CASE("a line for each answered request, in the order of their total times") {
    bk::result load = made::http_load();
    load.records = {answered(1'796'072'166'900'000, 400, 2'500, 2'900, 2'400),
                    answered(1'704'067'200'000'000, 600, 499, 1'099, 300),
                    answered(1'704'067'200'000'001, 0, 1'099, 1'099, 1'600)};
    CHECK(bk::report::ab_gnuplot(load) ==
          "starttime\tseconds\tctime\tdtime\tttime\twait\n"
          "Mon Jan 01 00:00:00 2024\t1704067200\t1\t0\t1\t0\n"
          "Mon Jan 01 00:00:00 2024\t1704067200\t0\t1\t1\t2\n"
          "Mon Nov 30 20:56:06 2026\t1796072166\t0\t3\t3\t2\n");
    CHECK(bk::report::ab_gnuplot(bk::read_json(bk::to_json(load))) == bk::report::ab_gnuplot(load));
}

TEST_CASE("records that cannot be are no undefined behaviour") {
    bk::result load = made::http_load();
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
    load.records = {answered(most, most, most, most, most), answered(least, least, least, least, least), {}};
    const std::string table = bk::report::ab_gnuplot(load);
    CHECK(std::count(table.begin(), table.end(), '\n') == 4);
    CHECK(table.find("Thu Jan 01 00:00:00 1970\t0\t0\t0\t0\t0\n") != std::string::npos);
}
