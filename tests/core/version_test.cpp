#include <benchkit/core/version.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

TEST_CASE("the version's text is made of its numbers") {
    const std::string expected = std::to_string(BENCHKIT_VERSION_MAJOR) + "." +
                                 std::to_string(BENCHKIT_VERSION_MINOR) + "." +
                                 std::to_string(BENCHKIT_VERSION_PATCH);
    CHECK(benchkit::version == expected);
    CHECK(std::string_view(BENCHKIT_VERSION_STRING) == benchkit::version);
}

TEST_CASE("the inline namespace carries the version") {
    CHECK(&benchkit::version == &benchkit::v0_1::version);
    CHECK(BENCHKIT_VERSION_MAJOR == 0);
    CHECK(BENCHKIT_VERSION_MINOR == 1);
}
