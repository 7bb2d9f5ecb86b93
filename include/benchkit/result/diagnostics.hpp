#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include <benchkit/result/judge_figures.hpp>
#include <benchkit/result/judge_open_loop.hpp>
#include <benchkit/result/judge_outcome.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

/// What a result says of itself, the worst first: a function of the result alone. Experiments store it as
/// `result::diagnostics` at their end. The codes: connect-failure, failures, descriptor-limit, port-limit,
/// memory-limit, interrupted, fewer-connections, drain-unfinished, client-saturated, late-client,
/// busy-connections, noisy-machine, debug-build, coarse-clock, delayed-ack, closed-loop-blind, too-few-samples,
/// skewed.
[[nodiscard]] inline std::vector<diagnostic> diagnose(const result& measured) {
    using namespace detail;
    const judged_result judged(measured);
    std::vector<diagnostic> found;
    for (const auto judge : {judge_connecting, judge_failures, judge_descriptors, judge_ports, judge_memory,
                             judge_interrupt, judge_connections, judge_drain, judge_saturation,
                             judge_late_client, judge_busy_connections, judge_noise, judge_build, judge_clock,
                             judge_delayed_ack, judge_blindness, judge_sample_size, judge_skew}) {
        if (maybe_diagnostic one = judge(judged)) found.push_back(*std::move(one));
    }
    std::stable_sort(found.begin(), found.end(), [](const diagnostic& left, const diagnostic& right) {
        return left.severity > right.severity;
    });
    return found;
}

}  // namespace benchkit::inline v0_1
