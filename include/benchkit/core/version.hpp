#pragma once

#if __cplusplus < 202002L
#error "benchkit needs C++20: compile with -std=c++20"
#endif

/// The version of this header. The inline namespace `v0_1` carries it into every symbol, so that two
/// versions in one program do not meet.
#define BENCHKIT_VERSION_MAJOR 0
#define BENCHKIT_VERSION_MINOR 1
#define BENCHKIT_VERSION_PATCH 0
#define BENCHKIT_VERSION_STRING "0.1.0"

namespace benchkit::inline v0_1 {

/// The version as text, "major.minor.patch".
inline constexpr const char* version = BENCHKIT_VERSION_STRING;

}  // namespace benchkit::inline v0_1
