#include <benchkit/http/faults.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <utility>

namespace bk = benchkit;
namespace http = benchkit::http;
using http::fault;
using namespace std::chrono_literals;

namespace {

std::map<std::pair<fault, int>, double> counts(const http::faults& wrong, std::int64_t requests) {
    std::map<std::pair<fault, int>, double> found;
    for (std::int64_t k = 0; k < requests; ++k) {
        const http::request_fate fate = wrong.fate(k);
        ++found[{fate.what, fate.status}];
    }
    return found;
}

}  // namespace

TEST_CASE("nothing is wrong unless asked for") {
    const http::faults none;
    CHECK_FALSE(none.any());
    CHECK_FALSE(http::faults().reset(0).seed(5).any());
    CHECK(counts(none, 1000) == std::map<std::pair<fault, int>, double>{{{fault::none, 0}, 1000}});
    CHECK(none.fate(0).delay == 0ns);
    CHECK(none.end_of_stalls(3s) == 3s);
}

TEST_CASE("each fault takes its share of the requests, and no request meets two") {
    http::faults wrong;
    wrong.status(503, 0.01).status(404, 0.02).reset(0.03).truncate(0.04).malformed(0.05);
    CHECK(wrong.any());
    constexpr double requests = 100'000;
    auto found = counts(wrong, static_cast<std::int64_t>(requests));
    const auto is_share = [&](fault what, int status, double share) {
        // Four standard deviations of a binomial count.
        return std::abs(found[{what, status}] - requests * share) <
               4 * std::sqrt(requests * share * (1 - share));
    };
    CHECK(is_share(fault::status, 503, 0.01));
    CHECK(is_share(fault::status, 404, 0.02));
    CHECK(is_share(fault::reset, 0, 0.03));
    CHECK(is_share(fault::truncate, 0, 0.04));
    CHECK(is_share(fault::malformed, 0, 0.05));
    CHECK(is_share(fault::none, 0, 0.85));
    CHECK(found.size() == 6);
}

TEST_CASE("certain faults happen to every request") {
    CHECK(counts(http::faults().reset(1), 1000).at({fault::reset, 0}) == 1000);
    http::faults halves;
    halves.truncate(0.5).malformed(0.5);
    CHECK_FALSE(counts(halves, 1000).contains({fault::none, 0}));
}

TEST_CASE("the seed and the number of a request decide what it meets") {
    const auto made = [](std::uint64_t seed) {
        return http::faults().reset(0.5).delay(http::delay::exponential(1ms)).seed(seed);
    };
    int equal = 0;
    for (std::int64_t k = 0; k < 1000; ++k) {
        CHECK(made(1).fate(k).what == made(1).fate(k).what);
        CHECK(made(1).fate(k).delay == made(1).fate(k).delay);
        equal += made(1).fate(k).what == made(2).fate(k).what ? 1 : 0;
    }
    CHECK(std::abs(equal - 500) < 64);  // four standard deviations
}

TEST_CASE("a delay does not change which requests meet a fault") {
    http::faults plain, delayed;
    plain.reset(0.3);
    delayed.reset(0.3).delay(http::delay::exponential(5ms));
    for (std::int64_t k = 0; k < 1000; ++k) CHECK(plain.fate(k).what == delayed.fate(k).what);
}

TEST_CASE("an answer leaves when all stalls have ended") {
    http::faults wrong;
    wrong.stall(http::stall::at(4s, 1s)).stall(http::stall::at(5s, 2s)).stall(http::stall::every(7s, 1s));
    CHECK(wrong.any());
    CHECK(wrong.end_of_stalls(3s) == 3s);
    CHECK(wrong.end_of_stalls(4s) == 8s);
    CHECK(wrong.end_of_stalls(14s) == 15s);
    CHECK_THROWS_WITH_AS(wrong.stall(http::stall::every(9s, 1s)),
                         "stall: only one of a server's stalls can come again and again", bk::error);
}

TEST_CASE("what cannot be is refused by name") {
    http::faults wrong;
    CHECK_THROWS_WITH_AS(wrong.reset(1.5), "reset = 1.5: a share of the requests is from 0 to 1", bk::error);
    CHECK_THROWS_WITH_AS(wrong.malformed(-0.1), "malformed = -0.1: a share of the requests is from 0 to 1",
                         bk::error);
    CHECK_THROWS_AS(wrong.truncate(std::nan("")), bk::error);
    CHECK_THROWS_WITH_AS(wrong.status(100, 0.1), "status = 100: the status of a fault is from 200 to 999",
                         bk::error);
    CHECK_THROWS_WITH_AS(wrong.close_after(-1), "close_after = -1: allowed is 0 or more", bk::error);
    wrong.reset(0.6);
    CHECK_THROWS_WITH_AS(wrong.truncate(0.5), "truncate = 0.5: the shares of all faults together are at most 1",
                         bk::error);
    wrong.reset(0.1).truncate(0.9);  // a second share replaces the first
}
