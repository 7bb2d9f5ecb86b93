#include <benchkit/report/text.hpp>

#include <cstddef>
#include <random>
#include <sstream>
#include <string>

#include <benchkit/report/ab.hpp>
#include <benchkit/report/ab_files.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/merge.hpp>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;

TEST_CASE("the report is what the stream prints") {
    std::ostringstream stream;
    stream << made::http_load();
    CHECK(bk::report::text(made::http_load()) == stream.str());
}

TEST_CASE("the report of a saved result is the live one to the last byte, however often it was saved") {
    bk::result live = made::troubled_load();
    live.attributes["http.server"] = std::string("caf\xE9/1.0");  // Latin-1, which JSON cannot hold
    live.diagnostics = bk::diagnose(live);
    live.children = {made::http_load()};
    live.samples["epoch"].values = {0.1, 1.0 / 3, 1e300};
    const std::string text = bk::report::text(live);
    const bk::result once = bk::read_json(bk::to_json(live));
    CHECK(bk::report::text(once) == text);
    const bk::result twice = bk::read_json(bk::to_json(once));
    CHECK(bk::report::text(twice) == text);
}

// Run with sanitizers: figures of a file can be anything.
TEST_CASE("a result with wild figures is judged, merged and reported all the same") {
    bk::result wild = made::troubled_load();
    wild.records = {{{"started_at_us", std::int64_t{1}}, {"total_us", std::int64_t{5}}}};
    const std::string good = bk::to_json(wild);
    std::mt19937 random(1);
    const auto below = [&random](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
    const std::string figures[] = {
        "9223372036854775807", "-9223372036854775808", "0", "-1", "null", "1e308", "-1e308", "1e-308"};
    int reported = 0;
    for (int round = 0; round < 2'000; ++round) {
        std::string bad = good;
        for (std::size_t change = 0; change <= below(2); ++change) {
            // A whole figure after a key gives way to another.
            const std::size_t colon = bad.find(": ", below(bad.size()));
            if (colon == std::string::npos) continue;
            const std::size_t end = bad.find_first_not_of("-+.0123456789e", colon + 2);
            if (end > colon + 2) bad.replace(colon + 2, end - colon - 2, figures[below(8)]);
        }
        bk::result read;
        try {
            read = bk::read_json(bad);
        } catch (const bk::error&) {
            continue;
        }
        ++reported;
        static_cast<void>(bk::find_imbalance(read));
        read.diagnostics = bk::diagnose(read);
        const std::string text = bk::report::text(read);
        CHECK(text.find("nan") == std::string::npos);
        CHECK(bk::report::text(bk::read_json(bk::to_json(read))) == text);
        if (read.kind == "load")
            static_cast<void>(bk::report::ab(read) + bk::report::ab_warnings(read) +
                              bk::report::ab_gnuplot(read));
        try {
            bk::result whole = read;
            bk::merge(whole, read);
        } catch (const bk::error&) {
            continue;  // an interval that is no number is no other's interval
        }
    }
    CHECK(reported > 500);
}
