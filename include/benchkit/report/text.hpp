#pragma once

#include <string>

#include <benchkit/result/print.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::report {

/// A result as a report for people: what `std::cout << result` prints.
[[nodiscard]] inline std::string text(const result& measured) {
    return to_text(measured);
}

}  // namespace benchkit::inline v0_1::report
