#pragma once

#include <dirent.h>

#include <string>
#include <vector>

namespace benchkit::inline v0_1::detail {

/// The names in a folder, without those that begin with a point; none where it cannot be read.
[[nodiscard]] inline std::vector<std::string> names_in(const std::string& path) {
    std::vector<std::string> names;
    DIR* const folder = opendir(path.c_str());
    if (folder == nullptr) return names;
    while (const dirent* entry = readdir(folder)) {
        if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    }
    closedir(folder);
    return names;
}

}  // namespace benchkit::inline v0_1::detail
