#include <benchkit/report/ab_figures.hpp>

#include <cstdint>
#include <string>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace bk = benchkit;
namespace detail = benchkit::report::detail;

// ab: (us + 500) / 1000.
TEST_CASE("milliseconds are rounded half up") {
    CHECK(detail::ab_milliseconds(0) == 0);
    CHECK(detail::ab_milliseconds(499) == 0);
    CHECK(detail::ab_milliseconds(500) == 1);
    CHECK(detail::ab_milliseconds(1'499) == 1);
    CHECK(detail::ab_milliseconds(1'500) == 2);
}

TEST_CASE("the value of a rank, and the median of odd and even numbers") {
    bk::histogram values;
    CHECK(detail::median_of(values) == 0);
    for (const std::int64_t value : {30, 10, 20}) values.record(value);
    CHECK(detail::value_at_rank(values, 1) == 10);
    CHECK(detail::value_at_rank(values, 3) == 30);
    CHECK(detail::median_of(values) == 20);
    values.record(26);
    CHECK(detail::median_of(values) == 23);
    bk::histogram one;
    one.record(123'456'789);
    CHECK(detail::median_of(one) == 123'456'789);
}

// 2, 4, 4, 4, 5, 5, 7, 9 ms: squared distances from 5 add up to 32; sqrt(32 / 7) = 2.138.
TEST_CASE("the deviation is that of a sample") {
    const auto times = made::times_in_ms({{2, 1}, {4, 3}, {5, 2}, {7, 1}, {9, 1}});
    CHECK(detail::sample_deviation(times.values) == doctest::Approx(2.138e6).epsilon(0.001));
    CHECK(detail::sample_deviation(made::times_in_ms({{9, 1}}).values) == 0);
    CHECK(detail::sample_deviation(bk::histogram()) == 0);
}

TEST_CASE("a request on a connection that was there already connected in no time") {
    const bk::histogram connect = detail::ab_connect(made::http_load());
    CHECK(connect.count() == 200);
    CHECK(connect.count_between(0, 0) == 190);
    CHECK(connect.max() == made::ms);
}

TEST_CASE("more connects than answers are all shown") {
    bk::result measured = made::http_load();
    measured.counters["succeeded"] = 3;
    CHECK(detail::ab_connect(measured).count() == 10);
}

TEST_CASE("answers of any status are complete, and their times are in the total") {
    const bk::result troubled = made::troubled_load();
    CHECK(detail::ab_complete(troubled) == 201);
    CHECK(detail::ab_total(troubled) == made::times_in_ms({{5, 100}, {9, 61}, {14, 30}, {29, 10}}).values);
    CHECK(detail::count_non_2xx(troubled) == 20);
}

TEST_CASE("each cause of a failure is in one of ab's classes") {
    const detail::ab_failures failures = detail::count_ab_failures(made::troubled_load(), false);
    CHECK(failures.connect == 4);     // resolve, connect, tls, ports
    CHECK(failures.receive == 5);     // receive, stale, closed, timeout, connection_lost
    CHECK(failures.exceptions == 3);  // send, malformed, canceled
    CHECK(failures.length == 21);
    CHECK(failures.all() == 33);
    CHECK(detail::count_ab_failures(made::troubled_load(), true).all() == 12);
}

TEST_CASE("statuses 1xx, 3xx, 4xx and 5xx are not 2xx") {
    bk::result measured;
    measured.counters = {{"status.101", 1}, {"status.200", 2},  {"status.299", 4},
                         {"status.304", 8}, {"status.404", 16}, {"status.500", 32}};
    CHECK(detail::count_non_2xx(measured) == 57);
}

#if defined(__cpp_exceptions)
TEST_CASE("what is no load of an HTTP target has no such report") {
    bk::result work;
    work.name = "calc_pi";
    work.kind = "work.time";
    CHECK_THROWS_WITH_AS(
        detail::require_http_load(work, "ab"),
        "A report as of ab needs the load of an HTTP target: \"calc_pi\" is of kind \"work.time\".", bk::error);
}
#endif
