#include <benchkit/result/environment.hpp>

#include <chrono>
#include <cstdint>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("the facts of a machine become attributes") {
    bk::machine facts;
    facts.host = "pi";
    facts.cpu = "Raspberry Pi 3 Model B Rev 1.2";
    facts.cpus = 4;
    facts.kernel = "Linux 6.1.0";
    facts.compiler = "GCC 12.2.0";
    facts.flags = "-O";
    facts.optimized = true;
    facts.clock_resolution = 52ns;
    facts.load_average = 0.25;
    CHECK(bk::to_environment(facts) == bk::attributes{{"host", std::string("pi")},
                                                      {"cpu", std::string("Raspberry Pi 3 Model B Rev 1.2")},
                                                      {"cpus", std::int64_t{4}},
                                                      {"kernel", std::string("Linux 6.1.0")},
                                                      {"compiler", std::string("GCC 12.2.0")},
                                                      {"flags", std::string("-O")},
                                                      {"version", std::string(BENCHKIT_VERSION_STRING)},
                                                      {"optimized", true},
                                                      {"clock_resolution_ns", std::int64_t{52}},
                                                      {"load_average", 0.25}});
    facts.load_average.reset();
    CHECK_FALSE(bk::to_environment(facts).contains("load_average"));
}

TEST_CASE("the environment of this run is that of this machine") {
    const bk::attributes here = bk::describe_environment();
    CHECK(std::get<std::string>(here.at("host")) == bk::describe_machine().host);
}

TEST_CASE("the use of threads becomes the resources of a run") {
    const bk::run_resources resources = bk::to_run_resources({1500ms, 250ms, 3, 4}, 2s);
    CHECK(resources.user_seconds == 1.5);
    CHECK(resources.system_seconds == 0.25);
    CHECK(resources.voluntary_switches == 3);
    CHECK(resources.involuntary_switches == 4);
    CHECK(resources.wall_seconds == 2);
    CHECK(resources.max_rss_bytes > 0);
}
