#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/load/matrix_row.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/wording.hpp>
#include <benchkit/stats/median.hpp>
#include <benchkit/stats/sign_interval.hpp>

/// The result of a matrix from those of its runs: rows, in each its targets, in each their runs.
namespace benchkit::inline v0_1::detail {

inline constexpr double matrix_confidence = 0.95;

/// One target of a matrix, as far as its result tells of it.
struct matrix_column {
    std::string name;
    attributes parameters;  ///< of its loads; of use where it has had none
};

/// The runs of each row and target, in the order of the rounds.
using matrix_runs = std::vector<std::vector<std::vector<result>>>;

/// The rate of a run that came to its end; nothing of another.
[[nodiscard]] inline std::optional<double> whole_rate(const result& run) {
    const bool whole = !run.interrupted && run.rate && *run.rate > 0;
    return whole ? run.rate : std::nullopt;
}

[[nodiscard]] inline std::vector<double> whole_rates(const std::vector<result>& runs) {
    std::vector<double> rates;
    for (const result& run : runs) {
        if (const auto rate = whole_rate(run)) rates.push_back(*rate);
    }
    return rates;
}

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

/// The mean of an attribute of runs that is a share, by how long they took.
[[nodiscard]] inline std::optional<double> mean_share(const std::vector<result>& runs, const char* name) {
    double sum = 0;
    double all = 0;
    for (const result& run : runs) {
        const auto share = find_number(run.attributes, name);
        if (!share || !run.resources) continue;
        sum += *share * run.resources->wall_seconds;
        all += run.resources->wall_seconds;
    }
    return all > 0 ? std::optional(sum / all) : std::nullopt;
}

/// Below this idle share a machine has no time left.
inline constexpr double least_idle_share = 0.05;

/// How busy each side of a target's loads was, 0 to 1, as far as it is known.
struct busy_shares {
    std::optional<double> client;  ///< of the processors that its threads can use
    std::optional<double> server;  ///< of a processor, its busiest thread
    std::optional<double> idle;    ///< of the client's machine, what was left
};

/// Who had no time left: the client, else a thread of the server, else the machine on which the client runs,
/// with what else runs there, else whoever the client has waited for.
[[nodiscard]] inline std::string find_bottleneck(const busy_shares& shares) {
    if (shares.client.value_or(0) > thresholds::busy_share) return "client";
    if (shares.server.value_or(0) > thresholds::busy_share) return "server";
    return shares.idle.value_or(1) < least_idle_share ? "machine" : "server";
}

inline void judge_machine(result& target, std::optional<double> idle) {
    if (find_text(target.attributes, "bottleneck") != "machine") return;
    target.diagnostics.push_back({"machine-saturated", severity::warning,
                                  "The processors of the client's machine were idle for " + percent(*idle) +
                                      " of the time: a server that runs there too, or another program, took "
                                      "time from the client. Rates and "
                                      "times are of all of them together. Give each side processors of its own "
                                      "(taskset), or another machine."});
}

/// CPU time and switches of all runs, over the time of all of them: they came one after another.
[[nodiscard]] inline std::optional<run_resources> sum_resources(const std::vector<result>& runs) {
    std::optional<run_resources> sum;
    double wall_seconds = 0;
    for (const result& run : runs) {
        merge_resources(sum, run.resources);
        if (run.resources) wall_seconds += run.resources->wall_seconds;
    }
    if (sum) sum->wall_seconds = wall_seconds;
    return sum;
}

/// The runs of a target in a row as one load, with the single ones as its children. `environment` is what its
/// diagnostics need to know of the machine.
[[nodiscard]] inline result join_runs(const matrix_column& column, std::vector<result> runs,
                                      const attributes& environment) {
    result target;
    target.name = column.name;
    target.kind = "load";
    target.parameters = column.parameters;
    double seconds = 0;
    for (result& run : runs) {
        // The runs began one after another: their series are not one.
        std::optional<time_series> series = std::exchange(run.series, std::nullopt);
        merge(target, run);
        run.series = std::move(series);
        seconds += run.elapsed_seconds;
    }
    target.elapsed_seconds = seconds;
    target.rate = std::nullopt;
    if (seconds > 0) target.rate = static_cast<double>(target.counter("succeeded_in_span")) / seconds;
    target.resources = sum_resources(runs);
    for (const char* of_one_run : {"last_end_seconds", "machine_idle_share", "server_busy_share", "ended_by"}) {
        target.attributes.erase(of_one_run);
    }
    target.parameters.erase("round");
    target.samples["rate"] = {"1/s", whole_rates(runs)};
    if (runs.empty()) return target;
    target.environment = environment;
    const busy_shares shares{client_busy_share(judged_result(target)), mean_share(runs, "server_busy_share"),
                             mean_share(runs, "machine_idle_share")};
    if (shares.client) target.attributes["client_busy_share"] = *shares.client;
    if (shares.server) target.attributes["server_busy_share"] = *shares.server;
    if (shares.idle) target.attributes["machine_idle_share"] = *shares.idle;
    target.attributes["bottleneck"] = find_bottleneck(shares);
    target.diagnostics = diagnose(target);
    judge_machine(target, shares.idle);
    target.environment.clear();
    target.children = std::move(runs);
    return target;
}

/// What the diagnostics of single runs need of the environment: the rest is judged once, for all.
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

/// Makes the result of a matrix. `described` has the name, parameters, environment, start, span and how it
/// ended.
[[nodiscard]] inline result make_matrix(result described, const std::vector<matrix_row>& rows,
                                        const std::vector<matrix_column>& columns, matrix_runs runs) {
    result whole = std::move(described);
    whole.kind = "matrix";
    whole.diagnostics = diagnose(whole);  // of the environment and the end alone
    std::int64_t rounds = 0;
    const attributes environment = judged_environment(whole.environment);
    std::vector<result> of_targets;
    for (std::size_t row = 0; row < rows.size(); ++row) {
        result line;
        line.name = format_matrix_row(rows[row]);
        line.kind = "matrix.row";
        for (std::size_t column = 0; column < columns.size(); ++column) {
            rounds = std::max(rounds, static_cast<std::int64_t>(runs[row][column].size()));
            result target = join_runs(columns[column], std::move(runs[row][column]), environment);
            if (column > 0) {
                target.comparisons.push_back(compare_rates(line.children.front().children, target.children));
            }
            for (const auto& [name, count] : target.counters) {
                whole.counters[name] = sum_of({whole.counter(name), count});
            }
            merge_resources(whole.resources, target.resources);
            line.children.push_back(std::move(target));
        }
        whole.children.push_back(std::move(line));
    }
    if (whole.resources) whole.resources->wall_seconds = whole.elapsed_seconds;
    if (rounds > 0) judge_rounds(whole, columns.size(), rounds);
    check(whole);
    return whole;
}

}  // namespace benchkit::inline v0_1::detail
