#include "load_plan.hpp"

#include <benchkit/load/load.hpp>

namespace cli {

void add_header(benchkit::http::request& request, const std::string& flag, const std::string& line) {
    const auto field = benchkit::http::parse_header_line(flag, line);
    request.header(field.name, field.value);
}

namespace {

[[nodiscard]] benchkit::open_loop open_loop_of(const load_plan& plan) {
    return {.arrivals = *plan.arrivals, .connections = plan.loop.clients};
}

}  // namespace

void validate(const load_plan& plan) {
    if (plan.arrivals) return benchkit::validate(open_loop_of(plan), plan.limits, plan.shards);
    benchkit::validate(plan.loop, plan.limits);
}

benchkit::result measure(const load_plan& plan, const benchkit::load_options& options) {
    return with_executor(plan, [&](const auto& on) {
        if (plan.arrivals) return benchkit::load(on, plan.target, open_loop_of(plan), plan.limits, options);
        return benchkit::load(on, plan.target, plan.loop, plan.limits, options);
    });
}

}  // namespace cli
