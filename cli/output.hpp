#pragma once

#include <string_view>

/// Standard output and standard error: reports go to the one, everything else to the other.
namespace cli {

/// Makes a closed pipe an error of the write instead of the program's end, and keeps the standard descriptors
/// from being given to files and sockets where they are closed.
void prepare_streams();

/// Prints on standard output at once. What it does not take is found by `checked_output`.
void print(std::string_view text);

/// A line on standard error, behind the program's name. Control characters are written as \xNN.
void complain(std::string_view sentence);

/// The exit code after `code` when something could not be written: 1 where all else went well.
[[nodiscard]] int after_lost_output(int code);

/// Whether standard output has taken everything that was printed.
[[nodiscard]] bool output_is_whole();

/// `code`, or `after_lost_output(code)` and a sentence where standard output has not taken everything.
[[nodiscard]] int checked_output(int code);

}  // namespace cli
