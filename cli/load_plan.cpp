#include "load_plan.hpp"

#include <stdexcept>

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

template <class Executor>
[[nodiscard]] benchkit::result measure_on(const Executor& on, const load_plan& plan,
                                          const benchkit::load_options& options) {
    if (plan.arrivals) return benchkit::load(on, plan.target, open_loop_of(plan), plan.limits, options);
    return benchkit::load(on, plan.target, plan.loop, plan.limits, options);
}

}  // namespace

void validate(const load_plan& plan) {
    if (plan.arrivals) return benchkit::validate(open_loop_of(plan), plan.limits, plan.shards);
    benchkit::validate(plan.loop, plan.limits);
}

benchkit::result measure(const load_plan& plan, const benchkit::load_options& options) {
    try {
        if (plan.shards == 1) {
            return measure_on(benchkit::single_threaded{.seed = plan.seed, .spin = plan.spin}, plan, options);
        }
        return measure_on(benchkit::sharded{.shards = plan.shards, .seed = plan.seed, .spin = plan.spin}, plan,
                          options);
    } catch (const benchkit::error& problem) {
        // Without an option it is no wrong usage: books that do not balance, for instance.
        if (problem.option().empty()) throw std::runtime_error(problem.what());
        throw;
    }
}

}  // namespace cli
