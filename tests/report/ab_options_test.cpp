#include <benchkit/report/ab_options.hpp>

#include <string>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

namespace report = benchkit::report;

TEST_CASE("without options kept, ab's defaults hold") {
    const report::ab_options options = report::kept_ab_options(benchkit::result{});
    CHECK(options.show_percentiles);
    CHECK(options.show_spread);
    CHECK_FALSE(options.accept_any_length);
    CHECK_FALSE(options.quiet);
}

TEST_CASE("options are kept with a result, also in its file") {
    benchkit::result measured;
    report::keep_ab_options(
        measured, {.show_percentiles = false, .show_spread = false, .accept_any_length = true, .quiet = true});
    const report::ab_options options =
        report::kept_ab_options(benchkit::read_json(benchkit::to_json(measured)));
    CHECK_FALSE(options.show_percentiles);
    CHECK_FALSE(options.show_spread);
    CHECK(options.accept_any_length);
    CHECK(options.quiet);
}
