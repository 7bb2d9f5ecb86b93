#include <benchkit/platform/folder.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../support/scratch_folder.hpp"

TEST_CASE("the names in a folder, and none of one that is not there") {
    tests::scratch_folder folder;
    for (const char* name : {"b", "a", ".hidden"}) std::ofstream(folder.file(name)) << "content";
    const std::string path = folder.file("");
    std::vector<std::string> names = benchkit::detail::names_in(path);
    std::sort(names.begin(), names.end());
    CHECK(names == std::vector<std::string>{"a", "b"});
    CHECK(benchkit::detail::names_in(path + "nowhere").empty());
}
