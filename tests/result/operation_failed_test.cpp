#include <benchkit/result/operation_failed.hpp>

#include <exception>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("an operation that failed says why, to programs and to people") {
    for (const bk::cause reason : {bk::cause::resolve, bk::cause::status, bk::cause::canceled}) {
        try {
            throw bk::operation_failed(reason, "the sentence");
        } catch (const std::exception& problem) {
            const auto* const failure = dynamic_cast<const bk::operation_failed*>(&problem);
            REQUIRE(failure != nullptr);
            CHECK(failure->reason() == reason);
            CHECK(std::string(failure->what()) == "the sentence");
        }
    }
}
