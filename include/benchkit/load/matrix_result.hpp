#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/load/matrix_row.hpp>
#include <benchkit/load/matrix_runs.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/wording.hpp>
#include <benchkit/stats/median.hpp>
#include <benchkit/stats/sign_interval.hpp>

/// The result of a matrix: rows, in each its targets, in each their runs.
namespace benchkit::inline v0_1::detail {

inline constexpr double matrix_confidence = 0.95;

[[nodiscard]] inline sample_summary summarize_rates(const std::vector<double>& rates) {
    sample_summary summary;
    summary.count = static_cast<std::int64_t>(rates.size());
    if (rates.empty()) return summary;
    const auto [least, most] = std::minmax_element(rates.begin(), rates.end());
    summary.min = *least;
    summary.median = median_of(rates);
    summary.max = *most;
    return summary;
}

/// Which side of 1 a ratio of rates lies on; only an interval with all the confidence that was wanted decides.
[[nodiscard]] inline verdict judge_rates(const std::optional<sign_interval>& found) {
    if (!found || found->confidence < matrix_confidence) return verdict::undecided;
    if (found->low > 1) return verdict::faster;
    return found->high < 1 ? verdict::slower : verdict::undecided;
}

/// The rates of a target against those of another, round by round: the median of the ratios and its sign
/// interval.
[[nodiscard]] inline comparison compare_rates(const std::vector<result>& base,
                                              const std::vector<result>& other) {
    std::vector<double> ratios;
    for (std::size_t round = 0; round < std::min(base.size(), other.size()); ++round) {
        const auto below = whole_rate(base[round]);
        const auto above = whole_rate(other[round]);
        if (below && above) ratios.push_back(*above / *below);
    }
    comparison compared;
    compared.ratio = median_of(ratios);
    const auto found = find_sign_interval(ratios, matrix_confidence);
    if (found) compared.interval = interval{found->low, found->high};
    compared.confidence = found ? found->confidence : 0;
    compared.verdict = judge_rates(found);
    compared.basis = "rates of " + counted(static_cast<std::int64_t>(ratios.size()), "round", "rounds");
    compared.base_summary = summarize_rates(whole_rates(base));
    compared.new_summary = summarize_rates(whole_rates(other));
    return compared;
}

/// What the diagnostics of single targets need of the environment: the rest is judged once, for all.
[[nodiscard]] inline attributes judged_environment(const attributes& all) {
    attributes some;
    for (const char* name : {"cpus", "clock_resolution_ns"}) {
        if (const auto found = all.find(name); found != all.end()) some.insert(*found);
    }
    return some;
}

/// With how many rounds an interval has the confidence that is wanted; what is said of fewer.
inline void judge_rounds(result& whole, std::size_t targets, std::int64_t rounds) {
    const auto found = find_sign_ranks(rounds, matrix_confidence);
    if (targets < 2 || (found && found->confidence >= matrix_confidence)) return;
    std::string message = counted(rounds, "round gives", "rounds give");
    if (found) {
        message +=
            " the intervals of the ratios a confidence of " + format_fixed(100 * found->confidence, 1) + " %";
    } else {
        message += " the ratios no intervals";
    }
    whole.diagnostics.push_back({"few-rounds", severity::note, message + "; 6 rounds give 96.9 %."});
}

/// One row: its targets, each beside the first.
[[nodiscard]] inline result make_matrix_row(const matrix_row& row, std::vector<matrix_runs> targets,
                                            const attributes& environment) {
    result line;
    line.name = format_matrix_row(row);
    line.kind = "matrix.row";
    for (matrix_runs& runs : targets) {
        result target = std::move(runs).finish(environment);
        if (!line.children.empty()) {
            target.comparisons.push_back(compare_rates(line.children.front().children, target.children));
        }
        line.children.push_back(std::move(target));
    }
    return line;
}

/// Makes the result of a matrix from the runs of each row's targets. `described` has the name, parameters,
/// environment, start, span and how it ended.
[[nodiscard]] inline result make_matrix(result described, const std::vector<matrix_row>& rows,
                                        std::vector<std::vector<matrix_runs>> runs) {
    result whole = std::move(described);
    whole.kind = "matrix";
    whole.diagnostics = diagnose(whole);  // of the environment and the end alone
    const attributes environment = judged_environment(whole.environment);
    if (!runs.empty() && !runs.front().empty() && runs.front().front().count() > 0) {
        judge_rounds(whole, runs.front().size(), runs.front().front().count());
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        whole.children.push_back(make_matrix_row(rows[row], std::move(runs[row]), environment));
        for (const result& target : whole.children.back().children) {
            for (const auto& [name, count] : target.counters) {
                whole.counters[name] = sum_of({whole.counter(name), count});
            }
            merge_resources(whole.resources, target.resources);
        }
    }
    if (whole.resources) whole.resources->wall_seconds = whole.elapsed_seconds;
    check(whole);
    return whole;
}

}  // namespace benchkit::inline v0_1::detail
