#include <benchkit/platform/proc_file.hpp>

#include <unistd.h>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

namespace detail = benchkit::detail;

TEST_CASE("a file that is not there reads as nothing") {
    CHECK(detail::read_proc_file("/proc/self/no-such-file").empty());
}

#if defined(__linux__)
TEST_CASE("a file of /proc is read to its end although its length is said to be 0") {
    const std::string status = detail::read_proc_file("/proc/self/status");
    CHECK(detail::proc_field(status, "Pid") == std::to_string(getpid()));
}
#endif

TEST_CASE("a field is found by its whole key and loses its blanks") {
    constexpr std::string_view text =
        "VmPeak:\t    1 kB\nVmHWM:\t  5120 kB\nmodel name\t: Some CPU @ 2.0: GHz\nlast : 1";
    CHECK(detail::proc_field(text, "VmHWM") == "5120 kB");
    CHECK(detail::proc_field(text, "model name") == "Some CPU @ 2.0: GHz");
    CHECK(detail::proc_field(text, "last") == "1");
    CHECK(detail::proc_field(text, "Vm").empty());
    CHECK(detail::proc_field("", "Vm").empty());
}

TEST_CASE("numbers are taken one after the other") {
    std::string_view text = "32768\t60999\n";
    CHECK(detail::take_integer(text) == 32768);
    CHECK(detail::take_integer(text) == 60999);
    CHECK_FALSE(detail::take_integer(text).has_value());
    std::string_view word = "kB";
    CHECK_FALSE(detail::take_integer(word).has_value());
    std::string_view huge = "99999999999999999999";
    CHECK_FALSE(detail::take_integer(huge).has_value());
}

TEST_CASE("the zero bytes of a device tree's strings are trimmed") {
    CHECK(detail::trimmed(std::string_view("Raspberry Pi 3\0", 15)) == "Raspberry Pi 3");
    CHECK(detail::trimmed(" \n").empty());
}
