#pragma once

#include <string>
#include <string_view>

/// Files that the user names.
namespace cli {

/// All of a file; throws `benchkit::error` by the name of `flag` where it cannot be read.
[[nodiscard]] std::string read_file(const std::string& flag, const std::string& path);

/// A file that is opened before a run, so that it cannot be refused after it, and written after it. What was in
/// it stays until then; one that was new and is not written is removed again.
class output_file {
  public:
    /// Throws `benchkit::error` by the name of `flag` where it cannot be written.
    output_file(std::string flag, std::string path);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file();

    /// Makes `text` the file's content; returns whether it could, and says so where it could not.
    bool write(std::string_view text);

  private:
    std::string flag_;
    std::string path_;
    bool is_new_ = false;
    bool written_ = false;
    int descriptor_ = -1;
};

}  // namespace cli
