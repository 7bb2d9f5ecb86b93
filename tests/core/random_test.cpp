#include <benchkit/core/random.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

namespace bk = benchkit;
using bk::random_stream;

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr int many = 400'000;

// The first integers of a stream folded into one number.
template <class Draw>
std::uint64_t digest(Draw draw) {
    std::uint64_t folded = 0;
    for (int count = 0; count < 20'000; ++count) folded = folded * 31 + static_cast<std::uint64_t>(draw());
    return folded;
}

struct moments {
    double mean = 0;
    double variance = 0;
    double skew = 0;
    double kurtosis = 0;
};

moments moments_of(const std::vector<double>& values) {
    moments found;
    const auto size = static_cast<double>(values.size());
    for (const double value : values) found.mean += value / size;
    for (const double value : values) found.variance += (value - found.mean) * (value - found.mean) / size;
    for (const double value : values) {
        const double z = (value - found.mean) / std::sqrt(found.variance);
        found.skew += z * z * z / size;
        found.kurtosis += z * z * z * z / size;
    }
    return found;
}

// The largest distance between the distribution of `values` and the closed form (Kolmogorov and Smirnov).
template <class Distribution>
double distance_to(std::vector<double> values, Distribution expected) {
    std::sort(values.begin(), values.end());
    const auto size = static_cast<double>(values.size());
    double distance = 0;
    for (std::size_t rank = 0; rank < values.size(); ++rank) {
        const double share = expected(values[rank]);
        distance = std::max(distance, std::abs(share - static_cast<double>(rank) / size));
        distance = std::max(distance, std::abs(static_cast<double>(rank + 1) / size - share));
    }
    return distance;
}

double normal_share(double z) {
    return std::erfc(-z / std::sqrt(2.0)) / 2;
}

// In one of 10,000 seeds the distance of a right stream is larger.
const double allowed_distance = 2.23 / std::sqrt(static_cast<double>(many));

}  // namespace

TEST_CASE("splitmix64 gives the reference values of seed 1234567") {
    bk::splitmix64 generator(1234567);
    constexpr std::uint64_t reference[] = {6457827717110365317U, 3203168211198807973U, 9817491932198370423U,
                                           4593380528125082431U, 16408922859458223821U};
    for (const std::uint64_t expected : reference) {
        CHECK(generator.next() == expected);
    }
}

TEST_CASE("xoshiro256++ gives the reference values of the state 1, 2, 3, 4") {
    bk::xoshiro256_plus_plus generator({1, 2, 3, 4});
    constexpr std::uint64_t reference[] = {
        41943041U,
        58720359U,
        3588806011781223U,
        3591011842654386U,
        9228616714210784205U,
        9973669472204895162U,
        14011001112246962877U,
        12406186145184390807U,
        15849039046786891736U,
        10450023813501588000U,
    };
    for (const std::uint64_t expected : reference) {
        CHECK(generator.next() == expected);
    }
}

// Here and in the next test the expected values are from a second implementation, in Python, with integers of
// any size and with logarithms and exponentials of 60 decimal digits.
TEST_CASE("a stream is fixed by seed, name and index") {
    random_stream arrivals(1, "arrivals");
    CHECK(arrivals.next() == 821428591181837954U);
    CHECK(arrivals.next() == 7261444037563354474U);
    CHECK(arrivals.next() == 16612696229568977893U);
    CHECK(random_stream(1, "arrivals", 1).next() == 1789044951964967075U);
    CHECK(random_stream(42, 7).next() == 8490709108215338692U);
    CHECK(random_stream(42, "", 7).next() == 8490709108215338692U);

    CHECK(random_stream(2, "arrivals").next() != random_stream(1, "arrivals").next());
    CHECK(random_stream(1, "think").next() != random_stream(1, "arrivals").next());
    static_assert(random_stream(1, "arrivals").next() == 821428591181837954U);
}

TEST_CASE("variates are the same as with real numbers, to the last integer") {
    random_stream exponentials(1, "exp");
    for (const std::int64_t expected : {1397897, 3026607, 208749, 2024280, 69171, 2664385, 290795, 135048}) {
        CHECK(exponentials.exponential(1'000'000) == expected);
    }
    random_stream normals(1, "norm");
    for (const std::int64_t expected : {931054, 1413743, 854438, 1145533, 1312120, 1032186, 1076618, 646943}) {
        CHECK(normals.normal(1'000'000, 250'000) == expected);
    }
    random_stream lognormals(1, "logn");
    for (const std::int64_t expected : {910578, 1075655, 1127010, 717026, 726711, 583588, 498507, 915447}) {
        CHECK(lognormals.lognormal(1'000'000, 0.5) == expected);
    }
    random_stream stream(3, "exp");
    CHECK(digest([&] { return stream.exponential(1'000'000'000); }) == 10398661632347501802U);
    stream = random_stream(3, "norm");
    CHECK(digest([&] { return stream.normal(1'000'000'000, 100'000'000); }) == 11736368892071150190U);
    stream = random_stream(3, "logn");
    CHECK(digest([&] { return stream.lognormal(1'000'000'000, 0.75); }) == 11760632189507836546U);
}

TEST_CASE("below reaches each integer as often as any other") {
    random_stream stream(1, "below");
    std::array<int, 7> seen{};
    for (int count = 0; count < 70'000; ++count) ++seen[static_cast<std::size_t>(stream.below(7))];
    double chi_squared = 0;
    for (const int times : seen) chi_squared += (times - 10'000.0) * (times - 10'000.0) / 10'000.0;
    CHECK(chi_squared < 27.9);  // 6 degrees of freedom, one of 10,000 seeds
    CHECK(stream.below(0) == 0);
    CHECK(stream.below(1) == 0);

    // 3 * 2^62: a remainder of next() would fall into the lowest third twice as often.
    int low = 0;
    for (int count = 0; count < 30'000; ++count) {
        const std::uint64_t value = stream.below(std::uint64_t{3} << 62);
        REQUIRE(value < std::uint64_t{3} << 62);
        low += value < (std::uint64_t{1} << 62) ? 1 : 0;
    }
    CHECK(low == doctest::Approx(10'000).epsilon(0.032));  // 4 deviations
}

TEST_CASE("uniform01 lies in [0, 1) and is uniform") {
    random_stream stream(1, "uniform");
    std::vector<double> values;
    for (int count = 0; count < many; ++count) values.push_back(stream.uniform01());
    CHECK(*std::min_element(values.begin(), values.end()) >= 0.0);
    CHECK(*std::max_element(values.begin(), values.end()) < 1.0);
    CHECK(distance_to(values, [](double value) { return value; }) < allowed_distance);
}

TEST_CASE("chance is true as often as it should be") {
    random_stream stream(1, "chance");
    int hits = 0;
    for (int count = 0; count < many; ++count) hits += stream.chance(0.01) ? 1 : 0;
    CHECK(hits == doctest::Approx(0.01 * many).epsilon(0.063));  // 4 deviations
    for (int count = 0; count < 1'000; ++count) {
        CHECK(!stream.chance(0));
        CHECK(!stream.chance(-1));
        CHECK(!stream.chance(std::nan("")));
        CHECK(stream.chance(1));
        CHECK(stream.chance(2));
    }
}

TEST_CASE("exponential has mean and deviation m, and its distribution") {
    random_stream stream(1, "exponential");
    constexpr double mean = 1e6;
    std::vector<double> values;
    for (int count = 0; count < many; ++count) {
        values.push_back(static_cast<double>(stream.exponential(1'000'000)));
    }
    const moments found = moments_of(values);
    // 4 standard errors: 4 m/sqrt(n), and for the variance 4 m^2 sqrt(8/n)
    CHECK(found.mean == doctest::Approx(mean).epsilon(0.0064));
    CHECK(found.variance == doctest::Approx(mean * mean).epsilon(0.018));
    CHECK(distance_to(values, [](double value) { return 1 - std::exp(-value / mean); }) < allowed_distance);
}

TEST_CASE("normal has its moments and its distribution") {
    random_stream stream(1, "normal");
    std::vector<double> values;
    for (int count = 0; count < many; ++count) {
        values.push_back(static_cast<double>(stream.normal(-5'000'000, 1'000'000)));
    }
    const moments found = moments_of(values);
    // 4 standard errors: s/sqrt(n), s^2 sqrt(2/n), sqrt(6/n), sqrt(24/n)
    CHECK(std::abs(found.mean + 5e6) < 4 * 1e6 / std::sqrt(many));
    CHECK(std::abs(found.variance / 1e12 - 1) < 4 * std::sqrt(2.0 / many));
    CHECK(std::abs(found.skew) < 4 * std::sqrt(6.0 / many));
    CHECK(std::abs(found.kurtosis - 3) < 4 * std::sqrt(24.0 / many));
    const auto expected = [](double value) { return normal_share((value + 5e6) / 1e6); };
    CHECK(distance_to(values, expected) < allowed_distance);
}

TEST_CASE("lognormal has its median, its mean and its distribution") {
    random_stream stream(1, "lognormal");
    std::vector<double> values;
    for (int count = 0; count < many; ++count) {
        values.push_back(static_cast<double>(stream.lognormal(1'000'000, 0.5)));
    }
    // The mean is m e^(s^2/2), the deviation that times sqrt(e^(s^2) - 1): 4 standard errors.
    const double mean = 1e6 * std::exp(0.125);
    CHECK(moments_of(values).mean ==
          doctest::Approx(mean).epsilon(4 * std::sqrt(std::expm1(0.25)) / std::sqrt(many)));
    const auto expected = [](double value) { return normal_share(std::log(value / 1e6) / 0.5); };
    CHECK(distance_to(values, expected) < allowed_distance);
}

TEST_CASE("variates stay within their integers") {
    random_stream stream(1, "limits");
    for (int count = 0; count < 10'000; ++count) {
        CHECK(stream.exponential(0) == 0);
        CHECK(stream.exponential(-1) == 0);
        CHECK(stream.exponential(largest) >= 0);
        CHECK(stream.normal(5, 0) == 5);
        CHECK(stream.normal(5, -1) == 5);
        (void)stream.normal(largest, largest);
        (void)stream.normal(std::numeric_limits<std::int64_t>::min(), largest);
        CHECK(stream.lognormal(largest, 16) >= 0);
        CHECK(stream.lognormal(1'000, 1e9) >= 0);
        CHECK(stream.lognormal(1'000, 0) == 1'000);
        CHECK(stream.lognormal(-5, 1) == 0);
    }
}
