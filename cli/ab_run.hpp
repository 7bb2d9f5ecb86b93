#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/http/request.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/report/ab_options.hpp>
#include <benchkit/result/result.hpp>

#include "load_plan.hpp"

/// A run as ab makes it: what it sends and what it tells meanwhile.
namespace cli {

/// A target that is asked in HTTP/1.0 and as ab asks: header fields that `what` does not have are ab's.
[[nodiscard]] benchkit::http::target ab_target(std::string_view url, benchkit::http::request what,
                                               bool keep_alive, benchkit::duration timeout);

/// What stands above ab's report.
[[nodiscard]] std::string ab_banner();

/// Runs the plan; prints the banner and the report, while it runs the progress on standard error. The options
/// are kept with the result, so that a saved one gives the same report.
[[nodiscard]] benchkit::result run_ab(const load_plan& plan, const benchkit::report::ab_options& shown,
                                      bool keep_records);

}  // namespace cli
