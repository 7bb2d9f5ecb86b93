#include <benchkit/result/result.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("what was not counted is 0, what was not recorded is not there") {
    bk::result measured;
    measured.counters["succeeded"] = 3;
    measured.distributions["lag"].values.record(1);
    CHECK(measured.counter("succeeded") == 3);
    CHECK(measured.counter("failed") == 0);
    REQUIRE(measured.find_distribution("lag") != nullptr);
    CHECK(measured.find_distribution("lag")->values.count() == 1);
    CHECK(measured.find_distribution("service_time") == nullptr);
}

TEST_CASE("a severity has the name that its JSON carries") {
    CHECK(bk::to_string(bk::severity::note) == "note");
    CHECK(bk::to_string(bk::severity::warning) == "warning");
    CHECK(bk::to_string(bk::severity::failure) == "failure");
}
