#include <benchkit/load/matrix_row.hpp>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../support/refusal.hpp"

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("the published rows are those of the six httpress lines") {
    // httpress -c 100 -n 1000000 -t 16 -k -q URL and so on; without -k, no keep-alive.
    const std::vector<std::string> published{
        "c=100,n=1000000,t=16,keepalive=yes",   "c=100,n=1000000,t=12,keepalive=no",
        "c=1000,n=1000000,t=16,keepalive=yes",  "c=1000,n=1000000,t=16,keepalive=no",
        "c=10000,n=4000000,t=16,keepalive=yes", "c=10000,n=1000000,t=16,keepalive=no",
    };
    const auto rows = bk::published_matrix_rows();
    REQUIRE(rows.size() == published.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        CHECK(bk::format_matrix_row(rows[row]) == published[row]);
}

TEST_CASE("a scale changes their requests, and leaves one for each client") {
    const auto rows = bk::published_matrix_rows(0.01);
    CHECK(bk::format_matrix_row(rows[1]) == "c=100,n=10000,t=12,keepalive=no");
    CHECK(bk::format_matrix_row(rows[4]) == "c=10000,n=40000,t=16,keepalive=yes");
    CHECK(bk::format_matrix_row(rows[5]) == "c=10000,n=10000,t=16,keepalive=no");
    CHECK(bk::published_matrix_rows(2).front().operations == 2'000'000);
    CHECK(tests::refusal([] { (void)bk::published_matrix_rows(0.005); }) ==
          "scale = 0.005: this leaves 5000 requests for the 10000 clients of a row; allowed is 0.01 or more");
    CHECK(tests::refusal([] { (void)bk::published_matrix_rows(0); }) ==
          "scale = 0: allowed is a number above 0, at most 1000");
    CHECK(tests::refusal([] { (void)bk::published_matrix_rows(1'001); }).starts_with("scale = 1001: "));
}

TEST_CASE("a time is part of a row's name, to the nanosecond") {
    CHECK(bk::format_matrix_row({.duration = 1.5s}) == "c=10,d=1500ms,t=1,keepalive=yes");
    CHECK(bk::format_matrix_row({.duration = 10s}) == "c=10,d=10s,t=1,keepalive=yes");
    CHECK(bk::format_matrix_row({.duration = 3us}) == "c=10,d=3us,t=1,keepalive=yes");
    CHECK(bk::format_matrix_row({.duration = 1ns}) == "c=10,d=1ns,t=1,keepalive=yes");
    CHECK(bk::format_matrix_row({}) == "c=10,t=1,keepalive=yes");
}

TEST_CASE("what cannot be is refused by its name") {
    CHECK(tests::refusal([] { bk::validate(bk::matrix_row{.clients = 0}); }) ==
          "clients = 0: allowed is 1 to 1000000");
    CHECK(tests::refusal([] { bk::validate(bk::matrix_row{.operations = 0}); }) ==
          "operations = 0: allowed is 1 or more");
    CHECK(tests::refusal([] { bk::validate(bk::matrix_row{.duration = 0s}); }) ==
          "duration = 0 ns: allowed is more than 0 s");
    CHECK(tests::refusal([] { bk::validate(bk::matrix_row{.shards = 1'025}); }) ==
          "shards = 1025: allowed is 1 to 1024");
    CHECK(tests::refusal([] { bk::validate(bk::matrix_row{}); }) == "accepted");
}
