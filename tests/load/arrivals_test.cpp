#include <benchkit/load/arrivals.hpp>

#include <chrono>
#include <utility>
#include <variant>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("every kind becomes an arrival process, whatever the numbers are") {
    const bk::arrivals whole = bk::constant(5'000);
    CHECK(std::get<bk::constant>(whole.kind()).rate == bk::rate(5'000));
    const bk::arrivals fraction = bk::poisson(0.5);
    CHECK(std::get<bk::poisson>(fraction.kind()).rate == bk::rate(0.5));
    const bk::arrivals wrong = bk::constant(-1);  // compiles, and is refused where it is used
    CHECK(std::get<bk::constant>(wrong.kind()).rate == bk::rate(-1));
    const bk::arrivals rising = bk::ramp(100, 5e3);
    CHECK(std::get<bk::ramp>(rising.kind()).from == bk::rate(100));
    CHECK(std::get<bk::ramp>(rising.kind()).to == bk::rate(5'000));
    CHECK(std::get<bk::constant>(bk::arrivals().kind()).rate == bk::rate(0));
}

TEST_CASE("stages are added one by one, to a temporary and to a variable") {
    const bk::arrivals at_once = bk::stages().add(100, 10s).add(1'000.5, 0.5s);
    const auto& list = std::get<bk::stages>(at_once.kind()).list();
    REQUIRE(list.size() == 2);
    CHECK(list[0].rate == bk::rate(100));
    CHECK(list[0].duration == 10s);
    CHECK(list[1].rate == bk::rate(1'000.5));
    CHECK(list[1].duration == 500ms);

    bk::stages steps;
    for (int step = 1; step <= 3; ++step) steps.add(step * 10, 1s).add(0, 1s);
    CHECK(steps.list().size() == 6);
    CHECK(bk::arrivals(steps).own_duration() == 6s);
    CHECK(steps.list().size() == 6);  // it was copied
}

TEST_CASE("copies of a trace share its list") {
    const bk::trace recorded({0ns, 1ms, 1ms}, "times.txt");
    const bk::trace copy = recorded;
    CHECK(copy.list() == recorded.list());
    CHECK(copy.list()->size() == 3);
    CHECK(copy.file() == "times.txt");
}

TEST_CASE("stages and traces have an end of their own, others have none") {
    CHECK(bk::arrivals(bk::stages().add(100, 10s).add(0, 2s)).own_duration() == 12s);
    CHECK(bk::arrivals(bk::trace({1s, 3s})).own_duration() == 3s + 1ns);
    CHECK_FALSE(bk::arrivals(bk::trace({})).own_duration().has_value());
    CHECK_FALSE(bk::arrivals(bk::constant(1)).own_duration().has_value());
    CHECK_FALSE(bk::arrivals(bk::poisson(1)).own_duration().has_value());
    CHECK_FALSE(bk::arrivals(bk::ramp(1, 2)).own_duration().has_value());
}

TEST_CASE("only a ramp needs the duration of the run") {
    CHECK(bk::arrivals(bk::ramp(1, 2)).needs_duration());
    CHECK_FALSE(bk::arrivals(bk::constant(1)).needs_duration());
    CHECK_FALSE(bk::arrivals(bk::stages().add(1, 1s)).needs_duration());
}
