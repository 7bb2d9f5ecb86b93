#pragma once

#include <string>

#include <benchkit/report/matrix.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::report {

/// A result as a report for people: what `std::cout << result` prints; of a matrix, `report::matrix`.
[[nodiscard]] inline std::string text(const result& measured) {
    return measured.kind == "matrix" ? matrix(measured) : to_text(measured);
}

}  // namespace benchkit::inline v0_1::report
