#include <benchkit/core/error.hpp>

#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("fail throws its sentence") {
    CHECK_THROWS_WITH_AS(bk::fail("Nothing works."), "Nothing works.", bk::error);
    try {
        bk::fail("Nothing works.");
    } catch (const std::runtime_error& problem) {
        const auto& ours = dynamic_cast<const bk::error&>(problem);
        CHECK(ours.option().empty());
        CHECK(ours.value().empty());
        CHECK(ours.allowed().empty());
    }
}

TEST_CASE("fail_option names the option, its value and what is allowed") {
    try {
        bk::fail_option("clients", "0", "allowed is 1 or more");
    } catch (const bk::error& problem) {
        CHECK(std::string(problem.what()) == "clients = 0: allowed is 1 or more");
        CHECK(problem.option() == "clients");
        CHECK(problem.value() == "0");
        CHECK(problem.allowed() == "allowed is 1 or more");
        CHECK(bk::error::sentence("--connections", problem.value(), problem.allowed()) ==
              "--connections = 0: allowed is 1 or more");
    }
}

TEST_CASE("an option without a value is named alone") {
    CHECK(bk::error("url", "", "a URL is needed").what() == std::string("url: a URL is needed"));
}
