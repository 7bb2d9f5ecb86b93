#include <benchkit/load/parse_matrix_row.hpp>

#include <chrono>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

const std::string allowed = "; allowed is a list such as c=100,n=1000000,t=16,keepalive=no, perhaps with d=10s";

/// What is said of a text, without what is allowed.
std::string refusal(std::string_view text) {
    try {
        (void)bk::parse_matrix_row("--row", text);
    } catch (const bk::error& problem) {
        CHECK(problem.option() == "--row");
        CHECK(problem.value() == text);
        std::string sentence = problem.allowed();
        CHECK(sentence.ends_with(allowed));
        sentence.resize(sentence.size() - allowed.size());
        return sentence;
    }
    return "nothing";
}

}  // namespace

TEST_CASE("all fields, in any order") {
    const auto row = bk::parse_matrix_row("--row", "keepalive=no,t=12,n=1M,c=100");
    CHECK(row == bk::matrix_row{.clients = 100, .operations = 1'000'000, .shards = 12, .keep_alive = false});
    CHECK(bk::parse_matrix_row("--row", "c=10k,d=1.5s").duration == 1'500ms);
    CHECK(bk::parse_matrix_row("--row", "c=10k,d=1.5s").clients == 10'000);
}

TEST_CASE("what is left out is as in the row that is given") {
    const bk::matrix_row otherwise{.clients = 7, .operations = 70, .shards = 3, .keep_alive = false};
    const auto row = bk::parse_matrix_row("--row", "n=80", otherwise);
    CHECK(row == bk::matrix_row{.clients = 7, .operations = 80, .shards = 3, .keep_alive = false});
}

TEST_CASE("a row survives its text") {
    for (const char* text : {"c=100,n=1000000,t=16,keepalive=yes", "c=1,d=1500ms,t=1,keepalive=no",
                             "c=1000000,n=1,d=1ns,t=1024,keepalive=yes"}) {
        CHECK(bk::format_matrix_row(bk::parse_matrix_row("--row", text)) == text);
    }
}

TEST_CASE("a refusal says where and what") {
    CHECK(refusal("") == "at column 1, a missing field NAME=VALUE");
    CHECK(refusal("c=100,") == "at column 7, a missing field NAME=VALUE");
    CHECK(refusal("c=100,,t=1") == "at column 7, a missing field NAME=VALUE");
    CHECK(refusal("c=100,n") == "at column 7, \"n\" is no field NAME=VALUE");
    CHECK(refusal("c=100,x=1") == "at column 7, \"x\" is no field of a row: c, n, d, t or keepalive");
    CHECK(refusal("c=100,=1") == "at column 7, a missing field of a row: c, n, d, t or keepalive");
    CHECK(refusal("c=0") == "at column 3, \"0\" is no count of 1 to 1000000 connections");
    CHECK(refusal("c=1000001") == "at column 3, \"1000001\" is no count of 1 to 1000000 connections");
    CHECK(refusal("c=") == "at column 3, a missing count of 1 to 1000000 connections");
    CHECK(refusal("c=1,n=many") == "at column 7, \"many\" is no count of requests, 1 or more");
    CHECK(refusal("c=1,n=-5") == "at column 7, \"-5\" is no count of requests, 1 or more");
    CHECK(refusal("c=1,t=1025") == "at column 7, \"1025\" is no count of 1 to 1024 threads");
    CHECK(refusal("c=1,d=10") ==
          "at column 7, \"10\" is no time above 0 with a unit, such as 500ms, 10s or 1m");
    CHECK(refusal("c=1,d=0s") ==
          "at column 7, \"0s\" is no time above 0 with a unit, such as 500ms, 10s or 1m");
    CHECK(refusal("c=1,keepalive=maybe") == "at column 15, \"maybe\" is no yes or no");
    CHECK(refusal("c=1,n=5,c=2") == "at column 9, \"c\" is no field that was not there before");
}
