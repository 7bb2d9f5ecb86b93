#include <benchkit/platform/processor_time.hpp>

#include <optional>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("the first line is all processors; guests are not counted twice") {
    const auto time = bk::detail::parse_processor_time(
        "cpu  100 20 50 700 30 1 2 97 60 5\ncpu0 50 10 25 350 15 1 1 48 30 2\nintr 1 2 3\n");
    REQUIRE(time.has_value());
    CHECK(*time == bk::processor_time{1'000, 730});
}

TEST_CASE("what is no such file tells nothing") {
    CHECK_FALSE(bk::detail::parse_processor_time("").has_value());
    CHECK_FALSE(bk::detail::parse_processor_time("cpu  1 2 3\n4 5 6 7 8\n").has_value());
    CHECK_FALSE(bk::detail::parse_processor_time("cpu0 1 2 3 4 5 6 7 8\n").has_value());
}

TEST_CASE("the idle share lies between two readings") {
    CHECK(bk::idle_share(bk::processor_time{1'000, 700}, bk::processor_time{1'200, 750}) == 0.25);
    CHECK(bk::idle_share(bk::processor_time{1'000, 700}, bk::processor_time{1'200, 699}) == 0.0);
    CHECK_FALSE(bk::idle_share(bk::processor_time{1'000, 700}, bk::processor_time{1'000, 700}).has_value());
    CHECK_FALSE(bk::idle_share(std::nullopt, bk::processor_time{1, 1}).has_value());
    CHECK_FALSE(bk::idle_share(bk::processor_time{1, 1}, std::nullopt).has_value());
}

TEST_CASE("this machine tells its time") {
    const auto time = bk::machine_processor_time();
    REQUIRE(time.has_value());
    CHECK(time->idle >= 0);
    CHECK(time->all > time->idle);
}
