#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <benchkit/core/units.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/print_tables.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/wording.hpp>

namespace benchkit::inline v0_1::report {

namespace detail {

using namespace benchkit::detail;

/// One run as a row of the curve.
[[nodiscard]] inline std::vector<std::string> max_rate_row(const result& run) {
    const distribution* responses = run.find_distribution("response_time");
    const auto percentile = [&](double p) {
        return responses == nullptr ? std::string(not_available)
                                    : figure_text(responses->percentile(p), responses->unit);
    };
    std::string verdict = find_text(run.attributes, "verdict");
    const std::string reason = find_text(run.attributes, "reason");
    if (!reason.empty()) verdict.append(": ").append(reason);
    return {rate_text(find_number(run.parameters, "offered_rate")),
            rate_text(run.rate),
            percentile(50),
            percentile(99),
            format_count(run.counter("failed")),
            format_count(run.counter("not_started")),
            printable(verdict)};
}

/// The answer in one sentence.
[[nodiscard]] inline std::string max_rate_answer(const result& sweep) {
    const std::string slo = printable(find_text(sweep.parameters, "slo"));
    const auto held = find_number(sweep.attributes, "max_rate");
    if (!held) return "No rate was found at which " + slo + " holds.";
    std::string answer = "The largest rate at which " + slo + " holds is " + format_rate(*held);
    if (const auto broken = find_number(sweep.attributes, "broken_rate")) {
        answer.append("; at ").append(format_rate(*broken)).append(" it does not");
    }
    return answer + ".";
}

}  // namespace detail

/// A search for the largest rate, as a report for people: its curve, by rates, and the answer.
[[nodiscard]] inline std::string max_rate(const result& sweep) {
    using namespace detail;
    std::string page;
    append_wrapped(page, printable(sweep.name), 0);
    std::string setting = "open loop, " + printable(find_text(sweep.parameters, "arrivals")) + " arrivals, ";
    setting += counted(client_count(sweep), "connection", "connections") + ", points of ";
    setting +=
        time_text(find_number(sweep.parameters, "point_seconds").value_or(0) * 1e9) + ", each confirmed ";
    setting += counted(find_integer(sweep.parameters, "confirmations").value_or(1), "time", "times");
    append_wrapped(page, setting, 0);
    std::vector<const result*> runs;
    for (const result& run : sweep.children) runs.push_back(&run);
    std::stable_sort(runs.begin(), runs.end(), [](const result* left, const result* right) {
        return find_number(left->parameters, "offered_rate") < find_number(right->parameters, "offered_rate");
    });
    text_table table;
    table.add_row({"offered", "achieved", "50 %", "99 %", "failed", "not started", "verdict"});
    for (const result* run : runs) table.add_row(max_rate_row(*run));
    page += '\n' + table.text(9) + '\n';
    append_wrapped(page, max_rate_answer(sweep), 0);
    append_part(page, [&] {
        result own = sweep;
        own.children.clear();
        append_diagnostics(page, own, "");
    });
    return page;
}

}  // namespace benchkit::inline v0_1::report
