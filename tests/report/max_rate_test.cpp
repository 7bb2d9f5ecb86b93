#include <benchkit/report/max_rate.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include <benchkit/report/text.hpp>

namespace bk = benchkit;

namespace {

bk::result run_at(double rate, std::int64_t response_ns, const std::string& reason) {
    bk::result run;
    run.parameters["offered_rate"] = rate;
    run.rate = rate;
    run.attributes["verdict"] = std::string(reason.empty() ? "held" : "broken");
    if (!reason.empty()) run.attributes["reason"] = reason;
    run.counters["not_started"] = 0;
    run.distributions["response_time"].values.record(response_ns, 2'000);
    return run;
}

}  // namespace

TEST_CASE("the report of a search has the curve by rates, and the answer") {
    bk::result sweep;
    sweep.name = "the largest rate of http://localhost/";
    sweep.kind = "sweep";
    sweep.parameters["slo"] = std::string("p99<10ms");
    sweep.parameters["arrivals"] = std::string("constant");
    sweep.parameters["connections"] = std::int64_t{10};
    sweep.parameters["point_seconds"] = 5.0;
    sweep.parameters["confirmations"] = std::int64_t{3};
    sweep.attributes["max_rate"] = 200.0;
    sweep.attributes["broken_rate"] = 400.0;
    sweep.children = {run_at(400, 20'000'000, "p99<10ms: p99 is 20.0 ms"), run_at(200, 1'000'000, "")};
    sweep.diagnostics.push_back({"lower-bound", bk::severity::warning, "It may be more."});
    const std::string expected =
        "the largest rate of http://localhost/\n"
        "open loop, constant arrivals, 10 connections, points of 5.00 s, each confirmed 3\n"
        "times\n"
        "\n"
        "offered    achieved     50 %     99 %  failed  not started                           verdict\n"
        "200.0/s     200.0/s  1.00 ms  1.00 ms       0            0                              held\n"
        "400.0/s     400.0/s  20.0 ms  20.0 ms       0            0  broken: p99<10ms: p99 is 20.0 ms\n"
        "\n"
        "The largest rate at which p99<10ms holds is 200.0/s; at 400.0/s it does not.\n"
        "\n"
        "warning: It may be more. [lower-bound]\n";
    CHECK(bk::report::max_rate(sweep) == expected);
    CHECK(bk::report::text(sweep) == expected);
    sweep.attributes.clear();
    CHECK(bk::report::max_rate(sweep).find("No rate was found at which p99<10ms holds.") != std::string::npos);
}
