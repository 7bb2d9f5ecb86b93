#include <benchkit/http/server_state.hpp>

#include <doctest/doctest.h>

#include <chrono>

#include "support/scratch_folder.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

constexpr bk::time_point noon{12h};

}  // namespace

TEST_CASE("requests are numbered only where somebody asks") {
    http::detail::server_state state(2);
    CHECK(state.counters.size() == 2);
    state.start();
    CHECK_FALSE(state.is_watched);
    state.faults.reset(0.1);
    state.start();
    CHECK(state.is_watched);
    tests::scratch_folder folder;
    http::detail::server_state logged(1);
    logged.log = std::make_unique<http::request_log>(folder.file("log"), 1);
    logged.start();
    CHECK(logged.is_watched);
}

TEST_CASE("a stall counts from the first request, of each start") {
    http::detail::server_state state(1);
    state.faults.stall(http::stall::at(4s, 1s));
    for (const bk::time_point first : {noon, noon + 1h}) {
        state.start();
        CHECK(state.end_of_stalls(first + 4s) == first + 4s);  // there was no request yet
        CHECK(state.number(first) == 0);
        CHECK(state.number(first + 1s) == 1);
        CHECK(state.end_of_stalls(first + 3s) == first + 3s);
        CHECK(state.end_of_stalls(first + 4500ms) == first + 5s);
        CHECK(state.end_of_stalls(first - 1s) == first - 1s);  // of a shard that was a moment faster
    }
}
