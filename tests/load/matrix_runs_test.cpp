#include <benchkit/load/matrix_runs.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/result/check.hpp>

#include <doctest/doctest.h>

#include "../support/made_matrix.hpp"

namespace bk = benchkit;
using bk::detail::find_bottleneck;

namespace {

bool says(const bk::result& judged, const char* code) {
    return std::any_of(judged.diagnostics.begin(), judged.diagnostics.end(),
                       [code](const bk::diagnostic& one) { return one.code == code; });
}

}  // namespace

TEST_CASE("a target in a row is its runs as one load") {
    const bk::result target = made::matrix().children[0].children[0];
    CHECK(target.kind == "load");
    CHECK(target.counter("scheduled") == 5 * 200);
    CHECK(target.counter("succeeded") == 5 * 200);
    CHECK(target.find_distribution("service_time")->values.count() == 5 * 200);
    const double seconds = 200 / 561e3 + 200 / 558e3 + 200 / 552e3 + 200 / 560e3 + 200 / 555e3;
    CHECK(target.elapsed_seconds == doctest::Approx(seconds));
    CHECK(*target.rate == doctest::Approx(1'000 / seconds));
    CHECK(target.samples.at("rate").values == std::vector<double>{561e3, 558e3, 552e3, 560e3, 555e3});
    CHECK(target.resources->wall_seconds == doctest::Approx(5 * 0.25));
    CHECK(target.resources->user_seconds == doctest::Approx(5 * 0.0125));
    CHECK(bk::find_number(target.attributes, "client_busy_share") == doctest::Approx(0.15));
    CHECK(bk::find_number(target.attributes, "machine_idle_share") == doctest::Approx(0.01));
    CHECK(target.comparisons.empty());
}

TEST_CASE("who had no time left") {
    CHECK(find_bottleneck({.client = 0.95, .server = 0.95, .idle = 0.0}) == "client");
    CHECK(find_bottleneck({.client = 0.85, .server = 0.95, .idle = 0.0}) == "server");
    CHECK(find_bottleneck({.client = 0.5, .server = 0.5, .idle = 0.04}) == "machine");
    CHECK(find_bottleneck({.client = 0.5, .server = 0.5, .idle = 0.06}) == "server");
    CHECK(find_bottleneck({}) == "server");
    const bk::result whole = made::matrix();
    CHECK(bk::find_text(whole.children[0].children[1].attributes, "bottleneck") == "machine");
    CHECK(says(whole.children[0].children[1], "machine-saturated"));
    CHECK(bk::find_text(whole.children[1].children[0].attributes, "bottleneck") == "server");
    CHECK_FALSE(says(whole.children[1].children[0], "machine-saturated"));
}

TEST_CASE("the whole has all distributions, a single run the times of its operations") {
    bk::detail::matrix_runs runs("it", {});
    runs.add(made::run_at(100));
    runs.add(made::troubled_run());
    CHECK(runs.count() == 2);
    const bk::result whole = std::move(runs).finish({});
    for (const char* name : {"service_time", "connect_time", "first_byte_time", "failed_time.status"}) {
        CHECK(whole.find_distribution(name) != nullptr);
    }
    REQUIRE(whole.children.size() == 2);
    CHECK(whole.children[1].find_distribution("service_time") != nullptr);
    CHECK(whole.children[1].find_distribution("failed_time.status") != nullptr);
    CHECK(whole.children[1].find_distribution("connect_time") == nullptr);
    bk::check(whole);
}

TEST_CASE("runs whose series have other intervals are one load all the same") {
    bk::detail::matrix_runs runs("it", {});
    for (const double interval : {1.0, 2.0}) {
        bk::result run = made::run_at(100);
        run.series = bk::time_series{interval, {}};
        runs.add(run);
    }
    const bk::result whole = std::move(runs).finish({});
    CHECK_FALSE(whole.series.has_value());
    CHECK(whole.children[1].series->interval_seconds == 2.0);
}
