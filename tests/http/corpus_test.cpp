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

}  // namespace

TEST_CASE("the fuzzing corpus of the response parser shows no fault") {
    // The compiler was given the source relative to the build directory, where the tests run.
    const auto corpus =
        std::filesystem::path(__FILE__).parent_path().parent_path() / "fuzz/corpus/response_parser";
    INFO("run this in the build directory");
    REQUIRE(std::filesystem::is_directory(corpus));
    int files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
        const std::string name = entry.path().filename().string();
        CAPTURE(name);
        const std::string bytes = read_file(entry.path());
        CHECK_FALSE(bytes.empty());
        CHECK(benchkit_test::fault_of_response_parser(bytes) == "");
        ++files;
    }
    CHECK(files >= 14);
}
