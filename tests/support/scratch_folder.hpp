#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

/// The folder of a test's files, removed with all in it at the end.
class scratch_folder {
  public:
    scratch_folder() {
        std::string name = "/tmp/benchkit-test-XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
        path_ = name;
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        for (const std::string& name : names_) unlink(name.c_str());
        rmdir(path_.c_str());
    }

    /// The path of a file in it, which need not exist.
    std::string file(const std::string& name) {
        names_.push_back(path_ + "/" + name);
        return names_.back();
    }

  private:
    std::string path_;
    std::vector<std::string> names_;
};

}  // namespace tests
