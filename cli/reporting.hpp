#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <benchkit/result/requirement.hpp>
#include <benchkit/result/result.hpp>

/// What is told of a result, and the exit code that it means.
namespace cli {

enum class report_format : std::uint8_t { text, ab, httpress, wrk, json };

/// Fails by the name of `flag` where `name` is none.
[[nodiscard]] report_format parse_format(const std::string& flag, const std::string& name);

/// The result that a file holds; throws `benchkit::error` where it holds none, or one whose books do not
/// balance.
[[nodiscard]] benchkit::result read_result(const std::string& flag, const std::string& path);

/// Prints the report on standard output.
void print_report(const benchkit::result& measured, report_format format);

/// Says on standard error what the report of this format leaves unsaid: what the result says against itself
/// and, for ab's and wrk's, which percentiles rest on too few requests.
void print_warnings(const benchkit::result& measured, report_format format);

/// The exit code of a run whose code was `code` so far: 1 where all else went well and a requirement is not
/// met, which is said on standard error.
[[nodiscard]] int judge_requirements(const benchkit::result& measured,
                                     const std::vector<benchkit::requirement>& requirements, int code);

/// The exit code of a run; says on standard error why, where nothing could be measured or the first error ended
/// the run.
[[nodiscard]] int judge_run(const benchkit::result& measured);

}  // namespace cli
