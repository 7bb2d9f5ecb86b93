#include <benchkit/result/timestamp.hpp>

#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

using benchkit::format_timestamp;
using benchkit::parse_timestamp;

namespace {

constexpr std::int64_t second = 1'000'000'000;

}  // namespace

// The seconds are those of `date -u -d TEXT +%s`.
TEST_CASE("moments are written as ISO 8601 and read back") {
    const std::pair<std::int64_t, std::string_view> moments[] = {
        {0, "1970-01-01T00:00:00Z"},
        {1'769'860'800 * second, "2026-01-31T12:00:00Z"},
        {951'782'400 * second, "2000-02-29T00:00:00Z"},
        {4'107'542'399 * second, "2100-02-28T23:59:59Z"},
        {-1 * second, "1969-12-31T23:59:59Z"},
        {1'234'567'890 * second + 5, "2009-02-13T23:31:30.000000005Z"},
        {-1, "1969-12-31T23:59:59.999999999Z"},
    };
    for (const auto& [moment, text] : moments) {
        CHECK(format_timestamp(moment) == text);
        CHECK(parse_timestamp(text) == moment);
    }
}

TEST_CASE("a fraction may have one to nine digits") {
    CHECK(parse_timestamp("1970-01-01T00:00:01.5Z") == second + 500'000'000);
    CHECK(parse_timestamp("1970-01-01T00:00:01.000001Z") == second + 1'000);
    CHECK(parse_timestamp("1970-01-01T00:00:01.123456789Z") == second + 123'456'789);
}

TEST_CASE("the ends of the range are written") {
    CHECK(format_timestamp(std::numeric_limits<std::int64_t>::max()) == "2262-04-11T23:47:16.854775807Z");
    CHECK(format_timestamp(std::numeric_limits<std::int64_t>::min()) == "1677-09-21T00:12:43.145224192Z");
}

TEST_CASE("what is no moment is refused") {
    for (const std::string_view text : {"",
                                        "Z",
                                        "2026-01-31",
                                        "2026-01-31T12:00:00",
                                        "2026-01-31T12:00:00+01:00",
                                        "2026-02-29T12:00:00Z",
                                        "2026-13-01T12:00:00Z",
                                        "2026-00-01T12:00:00Z",
                                        "2026-01-31T24:00:00Z",
                                        "2026-01-31T12:60:00Z",
                                        "2026-01-31T12:00:60Z",
                                        "2026-01-31 12:00:00Z",
                                        "2026/01/31T12:00:00Z",
                                        "2026-01-31T12:00:00.Z",
                                        "2026-01-31T12:00:00.1234567890Z",
                                        "2026-01-31T12:00:00.12x4Z",
                                        "-026-01-31T12:00:00Z",
                                        "1677-01-01T00:00:00Z",
                                        "2262-01-01T00:00:00Z",
                                        "2026-01-31T12:00:00ZZ"}) {
        CAPTURE(text);
        CHECK_FALSE(parse_timestamp(text).has_value());
    }
}
