#include "../fuzz/request_parser_fuzz.hpp"
#include "../fuzz/response_parser_fuzz.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
}

// The number of files whose bytes were looked at.
template <class Fault>
int replay(const std::string& target, Fault fault_of) {
    // The compiler was given the source relative to the build directory, where the tests run.
    const auto tests = std::filesystem::path(__FILE__).parent_path().parent_path();
    const auto corpus = tests / "fuzz/corpus" / target;
    INFO("run this in the build directory");
    REQUIRE(std::filesystem::is_directory(corpus));
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const std::string bytes = read_file(entry.path());
        CHECK_FALSE(bytes.empty());
        CHECK(fault_of(bytes) == "");
        ++files;
    }
    return files;
}

}  // namespace

TEST_CASE("the fuzzing corpus shows no fault of the response parser") {
    CHECK(replay("response_parser", benchkit_test::fault_of_response_parser) >= 120);
}

TEST_CASE("the fuzzing corpus shows no fault of the request parser") {
    CHECK(replay("request_parser", benchkit_test::fault_of_request_parser) >= 148);
}
