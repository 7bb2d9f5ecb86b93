#include "max_rate.hpp"

#include <string>
#include <utility>
#include <variant>

#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/format_arrivals.hpp>
#include <benchkit/result/scalars.hpp>

#include "exit_code.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "reporting.hpp"

namespace cli {

max_rate_options::max_rate_options(CLI::App& app)
    : slo_(app, "--slo", "OBJECTIVE",
           "for --find-max-rate, what must hold: p99<10ms, errors<0.1%, max<=1s; can be repeated"),
      point_(app, "--point", "TIME", "for --find-max-rate, the length of each run (default 5s)") {
    app.add_flag("--find-max-rate", wanted_,
                 "look for the largest rate at which --slo holds: doubling, then halving the gap, each rate "
                 "confirmed 3 times; -r is where to start");
}

bool max_rate_options::wanted() const {
    for (const value_option* each : {&slo_, &point_}) {
        if (each->given() && !wanted_) benchkit::fail(each->flag() + ": this goes with --find-max-rate");
    }
    if (wanted_ && !slo_.given()) {
        benchkit::fail("--find-max-rate: it needs " + slo_.flag() + ", such as --slo 'p99<10ms'");
    }
    return wanted_;
}

benchkit::rate_search max_rate_options::search_of(const load_plan& plan) const {
    benchkit::rate_search search;
    for (const std::string& text : slo_.all()) search.slo.push_back(benchkit::parse_slo(slo_.flag(), text));
    search.point = point_.time(search.point);
    if (search.point <= search.point.zero()) {
        benchkit::fail_option(point_.flag(), point_.text(), "allowed is more than 0 s");
    }
    search.connections = plan.loop.clients;
    if (!plan.arrivals) return search;
    if (const auto* const steady = std::get_if<benchkit::constant>(&plan.arrivals->kind())) {
        search.start = steady->rate;
    } else if (const auto* const random = std::get_if<benchkit::poisson>(&plan.arrivals->kind())) {
        search.start = random->rate;
        search.random_arrivals = true;
    } else {
        benchkit::fail_option(
            "arrivals", benchkit::format_arrivals(*plan.arrivals),
            "with --find-max-rate, allowed is a rate to start with, such as 100 or poisson:100");
    }
    return search;
}

benchkit::result max_rate_options::measure(const load_plan& plan, benchkit::load_options options,
                                           bool quiet) const {
    benchkit::rate_search search = search_of(plan);
    progress_line line;
    if (!quiet && progress_line::wanted()) {
        search.on_run = [&line](const benchkit::result& run) {
            line.show(run.name + ": " + benchkit::find_text(run.attributes, "verdict"));
        };
    }
    options.on_progress = nullptr;
    return with_executor(
        plan, [&](const auto& on) { return benchkit::find_max_rate(on, plan.target, search, options); });
}

int max_rate_options::judge(const benchkit::result& found) {
    if (found.interrupted) {
        return 128 + static_cast<int>(benchkit::find_integer(found.attributes, "signal").value_or(0));
    }
    if (found.rate) return exit_code::done;
    for (const benchkit::diagnostic& one : found.diagnostics) {
        if (one.code != "slo-missed") continue;
        complain(one.message);
        return exit_code::failed;
    }
    const std::string why = benchkit::find_text(found.attributes, "first_error");
    complain("nothing could be measured: " + (why.empty() ? "no request was answered" : why));
    return exit_code::nothing_measured;
}

}  // namespace cli
