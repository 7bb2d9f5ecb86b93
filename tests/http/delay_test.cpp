#include <benchkit/http/delay.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::vector<double> sorted_draws(const http::delay& source, std::size_t count) {
    bk::random_stream random(7, "delays");
    std::vector<double> values;
    for (std::size_t k = 0; k < count; ++k) values.push_back(static_cast<double>(source.draw(random).count()));
    std::sort(values.begin(), values.end());
    return values;
}

// The largest distance between the draws' distribution and a closed form. By Kolmogorov, of n draws it is above
// 1.95 / sqrt(n) once in a thousand times.
template <class Distribution>
double distance(const std::vector<double>& sorted, Distribution distribution) {
    const auto size = static_cast<double>(sorted.size());
    double largest = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        const double expected = distribution(sorted[k]);
        largest = std::max(largest, std::abs(expected - static_cast<double>(k) / size));
        largest = std::max(largest, std::abs(expected - static_cast<double>(k + 1) / size));
    }
    return largest;
}

constexpr std::size_t draws = 100'000;
const double most = 1.95 / std::sqrt(static_cast<double>(draws));

std::string refusal(const char* text) {
    return tests::refusal([&] { static_cast<void>(http::parse_delay("--delay", text)); });
}

}  // namespace

TEST_CASE("a fixed delay is always the same") {
    const auto values = sorted_draws(http::delay::fixed(5ms), 100);
    CHECK(values.front() == 5e6);
    CHECK(values.back() == 5e6);
}

TEST_CASE("the delays follow their distributions") {
    CHECK(distance(sorted_draws(http::delay::uniform(1ms, 9ms), draws),
                   [](double x) { return (x - 1e6) / 8e6; }) < most);
    CHECK(distance(sorted_draws(http::delay::exponential(5ms), draws),
                   [](double x) { return 1 - std::exp(-x / 5e6); }) < most);
    CHECK(distance(sorted_draws(http::delay::lognormal(5ms, 0.5), draws), [](double x) {
              return 0.5 * std::erfc(-std::log(x / 5e6) / (0.5 * std::sqrt(2.0)));
          }) < most);
}

TEST_CASE("a uniform delay includes both ends") {
    const auto values = sorted_draws(http::delay::uniform(3ns, 5ns), 1000);
    CHECK(values.front() == 3);
    CHECK(values.back() == 5);
    CHECK(sorted_draws(http::delay::uniform(4ms, 4ms), 10).back() == 4e6);
}

TEST_CASE("the text of a delay gives what its function gives") {
    const auto same = [](const char* text, const http::delay& made) {
        return sorted_draws(http::parse_delay("--delay", text), 100) == sorted_draws(made, 100);
    };
    CHECK(same("fixed:5ms", http::delay::fixed(5ms)));
    CHECK(same("fixed:0", http::delay::fixed(0ms)));
    CHECK(same("uniform:1ms..9ms", http::delay::uniform(1ms, 9ms)));
    CHECK(same("uniform:0.5s..1m", http::delay::uniform(500ms, 1min)));
    CHECK(same("exp:5ms", http::delay::exponential(5ms)));
    CHECK(same("lognormal:5ms,0.5", http::delay::lognormal(5ms, 0.5)));
}

TEST_CASE("what is no delay is refused in a sentence") {
    const std::string allowed =
        ": allowed is fixed:TIME, uniform:TIME..TIME with the shorter one first, exp:MEAN or "
        "lognormal:MEDIAN,SHAPE with a shape of 0 to 16, such as exp:5ms or lognormal:5ms,0.5";
    for (const char* wrong : {"5ms",
                              "fixed",
                              "fixed:",
                              "fixed:5",
                              "fixed:-5ms",
                              "fixed:5ms,1",
                              "uniform:5ms",
                              "uniform:9ms..1ms",
                              "uniform:1ms..",
                              "uniform:1ms-9ms",
                              "exp:x",
                              "lognormal:5ms",
                              "lognormal:5ms,",
                              "lognormal:5ms,-1",
                              "lognormal:5ms,17",
                              "lognormal:5ms,0.5x",
                              "normal:5ms",
                              "Fixed:5ms",
                              ":5ms",
                              "gauss:5ms"}) {
        CHECK(refusal(wrong) == "--delay = " + std::string(wrong) + allowed);
    }
    CHECK(refusal("") == "--delay" + allowed);
    CHECK_THROWS_AS(static_cast<void>(http::delay::fixed(-1ms)), bk::error);
    CHECK_THROWS_AS(static_cast<void>(http::delay::uniform(2ms, 1ms)), bk::error);
    CHECK_THROWS_AS(static_cast<void>(http::delay::lognormal(1ms, -0.1)), bk::error);
}
