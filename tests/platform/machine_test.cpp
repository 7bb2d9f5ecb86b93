#include <benchkit/platform/machine.hpp>

#include <unistd.h>

#include <array>
#include <chrono>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("the processor's model is found under each processor's own key") {
    CHECK(bk::detail::cpu_model(
              "processor\t: 0\nmodel\t\t: 80\nmodel name\t: AMD Ryzen 5 7530U with Radeon Graphics\n") ==
          "AMD Ryzen 5 7530U with Radeon Graphics");
    CHECK(bk::detail::cpu_model("processor\t: 0\nBogoMIPS\t: 38.40\nCPU part\t: 0xd03\n\nHardware\t: BCM2835\n"
                                "Model\t\t: Raspberry Pi 3 Model B Rev 1.2\n") ==
          "Raspberry Pi 3 Model B Rev 1.2");
    CHECK(bk::detail::cpu_model("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n") ==
          "POWER9, altivec supported");
    CHECK(bk::detail::cpu_model("processor\t: 0\nCPU part\t: 0xd0c\n").empty());
}

TEST_CASE("the facts of this machine are there and plausible") {
    const bk::machine facts = bk::describe_machine();
    std::array<char, 256> name{};
    REQUIRE(gethostname(name.data(), name.size() - 1) == 0);
    CHECK(facts.host == std::string(name.data()));
    CHECK_FALSE(facts.cpu.empty());
    CHECK(facts.cpus >= 1);
    CHECK(facts.cpus <= sysconf(_SC_NPROCESSORS_CONF));
    CHECK(facts.kernel.find(' ') != std::string::npos);
    CHECK(facts.clock_resolution >= 1ns);
    CHECK(facts.clock_resolution < 100ms);
    if (facts.load_average) CHECK(*facts.load_average >= 0);
}

TEST_CASE("the build tells how it was built") {
    const bk::machine facts = bk::describe_machine();
#if defined(__clang__)
    CHECK(facts.compiler.substr(0, 6) == "clang ");
#else
    CHECK(std::string("GCC " __VERSION__).substr(0, facts.compiler.size()) == facts.compiler);
#endif
#if defined(__OPTIMIZE__)
    CHECK(facts.optimized);
#else
    CHECK_FALSE(facts.optimized);
#endif
    CHECK_FALSE(facts.flags.empty());
}
