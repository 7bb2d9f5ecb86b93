#include <benchkit/http/stall.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::string refusal(const char* text) {
    return tests::refusal([&] { static_cast<void>(http::parse_stall("--stall", text)); });
}

}  // namespace

TEST_CASE("a stall holds back what is due in it, until its end") {
    for (const http::stall& once : {http::stall::at(4s, 1s), http::parse_stall("--stall", "at=4s,for=1s")}) {
        CHECK_FALSE(once.repeats());
        CHECK(once.end_of(0s) == 0s);
        CHECK(once.end_of(4s - 1ns) == 4s - 1ns);
        CHECK(once.end_of(4s) == 5s);
        CHECK(once.end_of(5s - 1ns) == 5s);
        CHECK(once.end_of(5s) == 5s);
        CHECK(once.end_of(14s) == 14s);
    }
    CHECK(http::stall::at(0s, 1s).end_of(0s) == 1s);
}

TEST_CASE("a stall that repeats begins at each multiple of its period, not at 0") {
    for (const http::stall& again :
         {http::stall::every(10s, 1s), http::parse_stall("--stall", "every=10s,for=1s")}) {
        CHECK(again.repeats());
        CHECK(again.end_of(0s) == 0s);
        CHECK(again.end_of(10s - 1ns) == 10s - 1ns);
        for (const auto start : {10s, 20s, 1'000'000s}) {
            CHECK(again.end_of(start) == start + 1s);
            CHECK(again.end_of(start + 500ms) == start + 1s);
            CHECK(again.end_of(start + 1s) == start + 1s);
        }
    }
}

TEST_CASE("what is no stall is refused in a sentence") {
    const std::string allowed =
        ": allowed is at=TIME,for=TIME or every=TIME,for=TIME with a shorter time behind for, such as "
        "at=4s,for=1s or every=10s,for=1s";
    for (const char* wrong :
         {"4s", "at=4s", "at=4,for=1s", "at=4s,for=0", "at=4s,for=", "at=-4s,for=1s", "at=4s;for=1s",
          "every=1s,for=1s", "every=0,for=1s", "for=1s,at=4s", "at=4s,for=400000h", "AT=4s,for=1s"}) {
        CHECK(refusal(wrong) == "--stall = " + std::string(wrong) + allowed);
    }
    CHECK(refusal("") == "--stall" + allowed);
    CHECK_THROWS_AS(static_cast<void>(http::stall::at(-1s, 1s)), bk::error);
    CHECK_THROWS_AS(static_cast<void>(http::stall::at(1s, 0s)), bk::error);
    CHECK_THROWS_AS(static_cast<void>(http::stall::every(1s, 1s)), bk::error);
}
