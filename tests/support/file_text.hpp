#pragma once

#include <fstream>
#include <iterator>
#include <string>

namespace tests {

/// All of a file; empty where there is none.
inline std::string file_text(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace tests
