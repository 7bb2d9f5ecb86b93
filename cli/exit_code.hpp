#pragma once

/// How the program ends. A run that a signal interrupts ends with 128 and the signal's number: 130 or 143.
namespace cli::exit_code {

inline constexpr int done = 0;    ///< the run did what was asked
inline constexpr int failed = 1;  ///< it did not: a requirement is not met, too many errors, output not taken
inline constexpr int wrong_usage = 2;       ///< refused before anything started
inline constexpr int nothing_measured = 3;  ///< no operation was answered

}  // namespace cli::exit_code
