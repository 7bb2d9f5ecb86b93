#pragma once

#include <string>

#include <benchkit/report/matrix.hpp>
#include <benchkit/report/max_rate.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::report {

/// A result as a report for people: what `std::cout << result` prints; of a matrix, `report::matrix`, and of a
/// search for the largest rate, `report::max_rate`.
[[nodiscard]] inline std::string text(const result& measured) {
    if (measured.kind == "matrix") return matrix(measured);
    return measured.kind == "sweep" ? max_rate(measured) : to_text(measured);
}

}  // namespace benchkit::inline v0_1::report
