#include <benchkit/core/units.hpp>

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "support/refusal.hpp"

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

std::int64_t nanoseconds(std::string_view text) {
    return bk::parse_duration("--timeout", text).count();
}

}  // namespace

TEST_CASE("parse_duration reads every unit") {
    CHECK(nanoseconds("250ns") == 250);
    CHECK(nanoseconds("3us") == 3'000);
    CHECK(nanoseconds("500ms") == 500'000'000);
    CHECK(nanoseconds("2s") == 2'000'000'000);
    CHECK(nanoseconds("1m") == 60'000'000'000);
    CHECK(nanoseconds("1min") == 60'000'000'000);
    CHECK(nanoseconds("1h") == 3'600'000'000'000);
    CHECK(nanoseconds("0.5s") == 500'000'000);
    CHECK(nanoseconds("1.50 min") == 90'000'000'000);
    CHECK(nanoseconds("0.1s") == 100'000'000);
    CHECK(nanoseconds("0") == 0);
    CHECK(nanoseconds("0s") == 0);
}

TEST_CASE("parse_duration refuses what is no length of time") {
    for (const std::string_view text : {"", "10", "s", "-1s", "-0s", "1 d", "1  s", "1s ", " 1s", "1s2",
                                        "1e999s", "nan s", "infs", "1,5s", "1S", "400000000h", "0x1s"}) {
        CAPTURE(text);
        CHECK_THROWS_AS(nanoseconds(text), bk::error);
    }
}

TEST_CASE("a refusal names the option, the value and what is allowed") {
    try {
        (void)bk::parse_duration("--timeout", "10");
        FAIL("10 has no unit");
    } catch (const bk::error& problem) {
        CHECK(problem.option() == "--timeout");
        CHECK(problem.value() == "10");
        CHECK(std::string(problem.what()) ==
              "--timeout = 10: allowed is a number with a unit, such as 500ms, 2s, 1m or 1h");
    }
}

TEST_CASE("what is only too much is refused as such") {
    for (const std::string_view text : {"1e30s", "99999999999h", "1e999s", "2540401h"}) {
        CAPTURE(text);
        CHECK(tests::refusal([&] { (void)bk::parse_duration("-d", text); }) ==
              "-d = " + std::string(text) +
                  ": this is too long: allowed is at most 2540400h, which are 290 years");
    }
    CHECK(tests::refusal([] { (void)bk::parse_duration("-d", "2540400h"); }) == "accepted");
    CHECK(tests::refusal([] { (void)bk::parse_duration("-d", "1e-999s"); }).find("with a unit") !=
          std::string::npos);
    for (const std::string_view text : {"1e30", "9223372036854775808", "10000000000G"}) {
        CAPTURE(text);
        CHECK(tests::refusal([&] { (void)bk::parse_count("-n", text); }) ==
              "-n = " + std::string(text) + ": this is too much: allowed is at most 9223372036854775807");
    }
    CHECK(tests::refusal([] { (void)bk::parse_byte_size("-b", "9000000000GB"); }) ==
          "-b = 9000000000GB: this is too much: allowed is at most 9223372036854775807 bytes");
}

TEST_CASE("parse_rate reads a positive number") {
    CHECK(bk::parse_rate("-r", "5000").per_second == 5000);
    CHECK(bk::parse_rate("-r", "2.5k").per_second == 2500);
    CHECK(bk::parse_rate("-r", "1M/s").per_second == 1e6);
    CHECK(bk::parse_rate("-r", "0.1").per_second == 0.1);
    CHECK(bk::parse_rate("-r", "16.1k").per_second == 16'100);  // 16.1 * 1000 is 16100.000000000002
    CHECK(bk::parse_rate("-r", "1e3k").per_second == 1e6);
    for (const std::string_view text : {"", "0", "-1", "k", "5x", "inf", "nan", "1e308G", "/s", "5/m"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)bk::parse_rate("-r", text), bk::error);
    }
}

TEST_CASE("parse_byte_size counts in powers of 1024") {
    CHECK(bk::parse_byte_size("--buffer", "0") == 0);
    CHECK(bk::parse_byte_size("--buffer", "4096") == 4096);
    CHECK(bk::parse_byte_size("--buffer", "4096B") == 4096);
    CHECK(bk::parse_byte_size("--buffer", "1KB") == 1024);
    CHECK(bk::parse_byte_size("--buffer", "1KiB") == 1024);
    CHECK(bk::parse_byte_size("--buffer", "64MB") == std::int64_t{64} << 20);
    CHECK(bk::parse_byte_size("--buffer", "1.5 MiB") == 1'572'864);
    CHECK(bk::parse_byte_size("--buffer", "1GB") == std::int64_t{1} << 30);
    CHECK(bk::parse_byte_size("--buffer", "2TiB") == std::int64_t{2} << 40);
    CHECK(bk::parse_byte_size("--buffer", "9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    for (const std::string_view text : {"", "-1", "-1KB", "0.3B", "1.5", "1mb", "MB", "9e18KB", "1e300GB"}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)bk::parse_byte_size("--buffer", text), bk::error);
    }
}

TEST_CASE("parse_count reads whole numbers") {
    CHECK(bk::parse_count("-n", "0") == 0);
    CHECK(bk::parse_count("-n", "5000") == 5000);
    CHECK(bk::parse_count("-n", "10k") == 10'000);
    CHECK(bk::parse_count("-n", "1.5M") == 1'500'000);
    CHECK(bk::parse_count("-n", "1e6") == 1'000'000);
    CHECK(bk::parse_count("-n", "9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    for (const std::string_view text :
         {"", "-5", "1.5", "0.0001k", "ten", "9223372036854775808", "1e30", "5 "}) {
        CAPTURE(text);
        CHECK_THROWS_AS((void)bk::parse_count("-n", text), bk::error);
    }
}

TEST_CASE("format_duration prints three digits in the fitting unit") {
    CHECK(bk::format_duration(0ns) == "0 ns");
    CHECK(bk::format_duration(523ns) == "523 ns");
    CHECK(bk::format_duration(999ns) == "999 ns");
    CHECK(bk::format_duration(1us) == "1.00 us");
    CHECK(bk::format_duration(12'345ns) == "12.3 us");
    CHECK(bk::format_duration(999'400ns) == "999 us");
    CHECK(bk::format_duration(999'500ns) == "1.00 ms");
    CHECK(bk::format_duration(9'995us) == "10.0 ms");
    CHECK(bk::format_duration(4'694ms) == "4.69 s");
    CHECK(bk::format_duration(150s) == "2.50 min");
    CHECK(bk::format_duration(36h) == "36.0 h");
    CHECK(bk::format_duration(-12'345ns) == "-12.3 us");
    CHECK(nanoseconds(bk::format_duration(90s)) == 90'000'000'000);
}

TEST_CASE("format_byte_size prints three digits in powers of 1024") {
    CHECK(bk::format_byte_size(0) == "0 B");
    CHECK(bk::format_byte_size(1023) == "1023 B");
    CHECK(bk::format_byte_size(1024) == "1.00 KiB");
    CHECK(bk::format_byte_size(3'045'525) == "2.90 MiB");
    CHECK(bk::format_byte_size(std::int64_t{64} << 20) == "64.0 MiB");
    CHECK(bk::format_byte_size(std::int64_t{5} << 50) == "5120 TiB");
    CHECK(bk::format_byte_size(-2048) == "-2.00 KiB");
}

TEST_CASE("find_rate also takes 0, and nothing else that is no rate") {
    REQUIRE(bk::find_rate("0"));
    CHECK(bk::find_rate("0")->per_second == 0);
    CHECK(bk::find_rate("2.5k/s") == bk::rate(2'500));
    for (const std::string_view text : {"", "-1", "x", "1x", "/s", "1e400", "1e300G"}) {
        CAPTURE(text);
        CHECK_FALSE(bk::find_rate(text).has_value());
    }
}

TEST_CASE("a fraction of a thousand that is a whole number is a count") {
    CHECK(bk::parse_count("-n", "16.1k") == 16'100);
    CHECK(bk::parse_count("-n", "0.000000001G") == 1);
}

TEST_CASE("format_count separates thousands") {
    CHECK(bk::format_count(0) == "0");
    CHECK(bk::format_count(999) == "999");
    CHECK(bk::format_count(1'000) == "1,000");
    CHECK(bk::format_count(-123'456) == "-123,456");
    CHECK(bk::format_count(std::numeric_limits<std::int64_t>::min()) == "-9,223,372,036,854,775,808");
}

TEST_CASE("format_rate drops digits that nobody needs") {
    CHECK(bk::format_rate(0.5) == "0.50/s");
    CHECK(bk::format_rate(12.345) == "12.35/s");
    CHECK(bk::format_rate(99.994) == "99.99/s");
    CHECK(bk::format_rate(106.52) == "106.5/s");
    CHECK(bk::format_rate(999.96) == "1,000/s");
    CHECK(bk::format_rate(1065.17) == "1,065/s");
    CHECK(bk::format_rate(1'234'567.8) == "1,234,568/s");
}
