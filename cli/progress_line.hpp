#pragma once

#include <cstddef>
#include <string>

#include <benchkit/load/load_options.hpp>

namespace cli {

/// One line on standard error that tells how far a run has come, written over and over and removed at the end.
/// Only a terminal gets it.
class progress_line {
  public:
    progress_line() = default;
    progress_line(const progress_line&) = delete;
    progress_line& operator=(const progress_line&) = delete;
    ~progress_line() { clear(); }

    /// Whether standard error is a terminal.
    [[nodiscard]] static bool wanted();

    void show(const benchkit::load_progress& progress);
    void show(const std::string& text);
    void clear();

  private:
    std::size_t width_ = 0;  // of what stands there
};

/// What the line says: "4.20 s of 10.0 s, 41,230 done, 3 failed, 9,816/s".
[[nodiscard]] std::string progress_text(const benchkit::load_progress& progress);

}  // namespace cli
