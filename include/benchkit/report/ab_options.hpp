#pragma once

#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>

namespace benchkit::inline v0_1::report {

/// The options of ab that change its report.
struct ab_options {
    bool show_percentiles = true;    ///< false as with -d
    bool show_spread = true;         ///< deviation and median, with their warnings; false as with -S
    bool accept_any_length = false;  ///< true as with -l
    bool quiet = false;              ///< true as with -q: no progress on standard error
};

/// Keeps the options with a result, so that a saved one gives the same report again.
inline void keep_ab_options(result& measured, const ab_options& options) {
    measured.attributes["ab.show_percentiles"] = options.show_percentiles;
    measured.attributes["ab.show_spread"] = options.show_spread;
    measured.attributes["ab.accept_any_length"] = options.accept_any_length;
    measured.attributes["ab.quiet"] = options.quiet;
}

/// The options that were kept with a result; the defaults where none were.
[[nodiscard]] inline ab_options kept_ab_options(const result& measured) {
    const ab_options defaults;
    const attributes& kept = measured.attributes;
    return {find_truth(kept, "ab.show_percentiles").value_or(defaults.show_percentiles),
            find_truth(kept, "ab.show_spread").value_or(defaults.show_spread),
            find_truth(kept, "ab.accept_any_length").value_or(defaults.accept_any_length),
            find_truth(kept, "ab.quiet").value_or(defaults.quiet)};
}

}  // namespace benchkit::inline v0_1::report
