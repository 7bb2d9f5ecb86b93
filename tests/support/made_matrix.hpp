#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/load/matrix_result.hpp>
#include <benchkit/load/matrix_runs.hpp>
#include <benchkit/result/result.hpp>

#include "made_results.hpp"

namespace made {

/// A run of 200 requests at this rate.
inline benchkit::result run_at(double rate) {
    benchkit::result run = http_load();
    run.rate = rate;
    run.elapsed_seconds = 200 / rate;
    run.environment.clear();
    run.series.reset();
    return run;
}

inline std::vector<benchkit::result> runs_at(const std::vector<double>& rates, double idle) {
    std::vector<benchkit::result> runs;
    for (const double rate : rates) {
        runs.push_back(run_at(rate));
        runs.back().attributes["machine_idle_share"] = idle;
        runs.back().attributes["server_busy_share"] = 0.7;
    }
    return runs;
}

inline void add(benchkit::detail::matrix_runs& into, std::vector<benchkit::result> runs) {
    for (benchkit::result& run : runs) into.add(std::move(run));
}

/// An interrupted run with failures.
inline benchkit::result troubled_run() {
    benchkit::result run = troubled_load();
    run.environment.clear();
    run.series.reset();
    run.attributes["machine_idle_share"] = 0.4;
    return run;
}

/// Two rows of the published comparison, as published where it tells: five rounds, of which the last one of the
/// last row was interrupted. One row kept the machine busy, the other did not.
inline benchkit::result matrix() {
    benchkit::result described;
    described.name = "drogon, nginx";
    described.parameters = {{"repeats", std::int64_t{5}}, {"runs", std::int64_t{20}}};
    described.environment = http_load().environment;
    described.attributes = {
        {"runs", std::int64_t{20}}, {"ended_by", std::string("interrupt")}, {"signal", std::int64_t{2}}};
    described.interrupted = true;
    described.started_at = 1'769'860'800'000'000'000;  // 2026-01-31T12:00:00Z
    described.elapsed_seconds = 90;
    std::vector<std::vector<benchkit::detail::matrix_runs>> runs(2);
    for (auto& row : runs) {
        row.push_back({"drogon", {{"url", std::string("http://10.0.0.1/")}}});
        row.push_back({"nginx", {{"url", std::string("http://10.0.0.2/")}}});
    }
    add(runs[0][0], runs_at({561'000, 558'000, 552'000, 560'000, 555'000}, 0.01));
    add(runs[0][1], runs_at({330'000, 329'500, 329'000, 329'800, 329'200}, 0.04));
    add(runs[1][0], runs_at({140'000, 138'000, 135'000, 137'000, 139'000}, 0.3));
    add(runs[1][1], runs_at({49'000, 31'000, 40'000, 45'000}, 0.4));
    runs[1][1].add(troubled_run());
    return benchkit::detail::make_matrix(
        std::move(described),
        {{.clients = 100, .operations = 1'000'000, .shards = 16, .keep_alive = true},
         {.clients = 100, .operations = 1'000'000, .shards = 12, .keep_alive = false}},
        std::move(runs));
}

}  // namespace made
