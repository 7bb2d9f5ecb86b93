#include <benchkit/result/distribution.hpp>

#include <cstdint>
#include <utility>

#include <doctest/doctest.h>

TEST_CASE("a percentile is known when at least ten values lie beyond it") {
    // n(1 - p/100) >= 10: the smallest n of each percentile that a report shows.
    const std::pair<double, std::int64_t> smallest[] = {{50, 20},         {75, 40},           {90, 100},
                                                        {95, 200},        {99, 1'000},        {99.9, 10'000},
                                                        {99.99, 100'000}, {99.999, 1'000'000}};
    for (const auto& entry : smallest) {
        CAPTURE(entry.first);
        benchkit::distribution times;
        times.values.record(7, entry.second - 1);
        CHECK_FALSE(times.percentile(entry.first).has_value());
        times.values.record(7);
        CHECK(times.percentile(entry.first) == 7);
    }
}

TEST_CASE("nothing is known of no values") {
    CHECK_FALSE(benchkit::distribution{}.percentile(50).has_value());
}
