#pragma once

#include <vector>

#include <benchkit/load/matrix_options.hpp>
#include <benchkit/load/matrix_row.hpp>
#include <benchkit/load/matrix_run.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

/// Loads each target in each row's closed loop, several times, and compares them (docs/matrix.md). The rounds
/// are outermost: each takes all rows, and in each row all targets, in the order of `matrix_order`, so that
/// what drifts drifts for all. The first target is what the others are compared with. Asks each target for an
/// answer before; where one has none, nothing is measured and the result says so. Throws `error` for what
/// cannot be, before anything starts.
///
///     const bk::result r = bk::matrix({{"old", bk::http::target(one)}, {"new", bk::http::target(other)}},
///                                     {{.clients = 100, .operations = 10'000}}, {.repeats = 6});
///     std::cout << bk::report::matrix(r);
[[nodiscard]] inline result matrix(const std::vector<matrix_target>& targets,
                                   const std::vector<matrix_row>& rows, const matrix_options& options = {}) {
    detail::validate_matrix(targets, rows, options);
    return detail::matrix_run(targets, rows, options).run();
}

}  // namespace benchkit::inline v0_1
