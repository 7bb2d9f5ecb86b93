#include <benchkit/load/series_recorder.hpp>

#include <doctest/doctest.h>

#include <chrono>

namespace bk = benchkit;
using bk::detail::series_recorder;
using namespace std::chrono_literals;

TEST_CASE("operations count in the second in which they end, gaps included") {
    series_recorder recorder(bk::time_point(10s));
    recorder.succeeded(bk::time_point(10s), 5);
    recorder.succeeded(bk::time_point(11s - 1ns), 7);
    recorder.failed(bk::time_point(11s));
    recorder.succeeded(bk::time_point(13s + 500ms), 9);
    const bk::time_series series = recorder.finish();
    CHECK(series.interval_seconds == 1);
    REQUIRE(series.points.size() == 4);
    CHECK(series.points[0].succeeded == 2);
    CHECK(series.points[0].p50 == 5);
    CHECK(series.points[0].p99 == 7);
    CHECK(series.points[1].failed == 1);
    CHECK(series.points[1].succeeded == 0);
    CHECK_FALSE(series.points[1].p50.has_value());
    CHECK(series.points[2].succeeded + series.points[2].failed == 0);
    CHECK(series.points[3].t == 3);
    CHECK(series.points[3].p50 == 9);
}

TEST_CASE("an empty series has no points") {
    series_recorder recorder(bk::time_point(0s));
    CHECK(recorder.finish().points.empty());
}

TEST_CASE("shards merge exactly, as if one had seen all") {
    series_recorder one(bk::time_point(0s)), other(bk::time_point(0s)), both(bk::time_point(0s));
    for (int k = 0; k < 3000; ++k) {
        const bk::time_point ended(1ms * k);
        const std::int64_t time = 1000 + 17 * (k % 101);
        (k % 3 == 0 ? one : other).succeeded(ended, time);
        both.succeeded(ended, time);
    }
    one.merge(other);
    const bk::time_series merged = one.finish();
    const bk::time_series expected = both.finish();
    REQUIRE(merged.points.size() == expected.points.size());
    for (std::size_t index = 0; index < merged.points.size(); ++index) {
        CHECK(merged.points[index].succeeded == expected.points[index].succeeded);
        CHECK(merged.points[index].p50 == expected.points[index].p50);
        CHECK(merged.points[index].p99 == expected.points[index].p99);
    }
}

TEST_CASE("a long series doubles its intervals and loses nothing") {
    series_recorder recorder(bk::time_point(0s)), second(bk::time_point(0s));
    for (int hour = 0; hour < 72; ++hour) recorder.succeeded(bk::time_point(1h * hour + 1s), 10);
    second.succeeded(bk::time_point(5s), 10);
    recorder.merge(second);
    const bk::time_series series = recorder.finish();
    CHECK(series.interval_seconds == 4);
    CHECK(series.points.size() <= 86'400);
    std::int64_t sum = 0;
    for (const bk::series_point& point : series.points) sum += point.succeeded;
    CHECK(sum == 73);
    CHECK(series.points[0].succeeded == 1);
    CHECK(series.points[1].succeeded == 1);
}
