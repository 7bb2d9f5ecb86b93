#include <benchkit/result/requirement.hpp>

#include <doctest/doctest.h>

#include <string>
#include <string_view>

namespace bk = benchkit;

namespace {

// 1,000 times of 1 ms to 1 s, 10 more failed; 800 a second.
bk::result measured() {
    bk::result r;
    for (std::int64_t k = 1; k <= 1000; ++k) r.distributions["service_time"].values.record(k * 1'000'000);
    r.counters = {{"succeeded", 1000}, {"failed", 10}};
    r.rate = 800;
    return r;
}

std::string why(std::string_view text, const bk::result& r = measured()) {
    return bk::broken(bk::parse_requirement("--fail-if", text), r).value_or("met");
}

}  // namespace

TEST_CASE("a requirement that is not met is told with its figure") {
    CHECK(why("p50>2s") == "met");
    CHECK(why("p50>400ms") == "p50>400ms: p50 is 500 ms");
    CHECK(why("p99 > 900ms").starts_with("p99 > 900ms: p99 is 990 ms"));
    CHECK(why("max>1s") == "met");
    CHECK(why("max>=1s") == "max>=1s: max is 1.00 s");
    CHECK(why("mean<600ms").starts_with("mean<600ms: mean is 500 ms"));  // (1 + 1000) / 2 = 500.5
    CHECK(why("errors>10") == "met");
    CHECK(why("errors>=10") == "errors>=10: errors is 10");
    CHECK(why("errors>9") == "errors>9: errors is 10");
    CHECK(why("errors>1%") == "met");  // 10 of 1,010
    CHECK(why("errors>0.9%") == "errors>0.9%: errors is 0.9901%");
    CHECK(why("rate<1k") == "rate<1k: rate is 800.0/s");
    CHECK(why("rate<=800") == "rate<=800: rate is 800.0/s");
    CHECK(why("rate<800") == "met");
}

TEST_CASE("a figure that is not available meets no requirement") {
    // DESIGN of the percentiles: of 1,000 values, 10 lie beyond the 99th and 1 beyond the 99.9th.
    CHECK(why("p99.9>10s") == "p99.9>10s: p99.9 is not available: 1,000 operations are too few for it");
    CHECK(why("p99.9<10s") == "p99.9<10s: p99.9 is not available: 1,000 operations are too few for it");
    const bk::result nothing;
    CHECK(why("p50>1s", nothing) == "p50>1s: p50 is not available: no operation has a time");
    CHECK(why("errors>1%", nothing) == "errors>1%: errors is not available: no operation has ended");
    CHECK(why("errors>0", nothing) == "met");
    CHECK(why("rate<1", nothing) == "rate<1: rate is not available");
}

TEST_CASE("in an open loop times are response times") {
    bk::result r = measured();
    for (int k = 0; k < 100; ++k) r.distributions["response_time"].values.record(5'000'000'000);
    CHECK(why("p50>2s", r) == "p50>2s: p50 is 5.00 s");
}

TEST_CASE("what is no requirement is refused by name") {
    for (const char* wrong :
         {"", "p99", "p99>", "p99=50ms", ">50ms", "p100>1s", "p-1>1s", "px>1s", "q99>1s", "errors>x",
          "errors>101%", "errors>-1", "rate<0", "rate<50ms", "p99>50", "p99>1ms<2ms"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS((void)bk::parse_requirement("--fail-if", wrong), bk::error);
    }
}

TEST_CASE("errors that are exactly the share which is allowed are allowed, whatever the share") {
    for (int failed = 1; failed < 1000; ++failed) {
        bk::result r;
        r.counters["failed"] = failed;
        r.counters["succeeded"] = 1000 - failed;
        const std::string share = std::to_string(failed / 10) + "." + std::to_string(failed % 10) + "%";
        const std::string less =
            std::to_string((failed - 1) / 10) + "." + std::to_string((failed - 1) % 10) + "%";
        CAPTURE(share);
        CHECK(why("errors>" + share, r) == "met");
        CHECK(why("errors<" + share, r) == "met");
        CHECK(why("errors>=" + share, r) != "met");
        CHECK(why("errors<=" + share, r) != "met");
        CHECK(why("errors>" + less, r) != "met");
        // One of a million more is more.
        r.counters["failed"] = failed * 1'000 + 1;
        r.counters["succeeded"] = 1'000'000 - failed * 1'000 - 1;
        CHECK(why("errors>" + share, r) != "met");
    }
}

TEST_CASE("an objective is broken where it does not hold, at its limit, too") {
    bk::result measured;
    measured.rate = 1000;
    const auto holds = [&](const char* text) { return !bk::broken(bk::parse_slo("--slo", text), measured); };
    CHECK(holds("rate>=1000"));
    CHECK_FALSE(holds("rate>1000"));
    CHECK(holds("rate<=1000"));
    CHECK_FALSE(holds("rate<1000"));
    CHECK(holds("rate>999"));
    CHECK(bk::broken(bk::parse_slo("--slo", "rate<1000"), measured) == "rate<1000: rate is 1,000/s");
    CHECK_FALSE(holds("p99<10ms"));  // it is not known
}
