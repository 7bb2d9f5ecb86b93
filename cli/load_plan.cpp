#include "load_plan.hpp"

#include <stdexcept>

#include <benchkit/load/load.hpp>

namespace cli {

void add_header(benchkit::http::request& request, const std::string& flag, const std::string& line) {
    const auto field = benchkit::http::parse_header_line(flag, line);
    request.header(field.name, field.value);
}

benchkit::result measure(const load_plan& plan, const benchkit::load_options& options) {
    try {
        if (plan.shards == 1) {
            const benchkit::single_threaded one{.seed = plan.seed};
            return benchkit::load(one, plan.target, plan.loop, plan.limits, options);
        }
        const benchkit::sharded several{.shards = plan.shards, .seed = plan.seed};
        return benchkit::load(several, plan.target, plan.loop, plan.limits, options);
    } catch (const benchkit::error& problem) {
        // Without an option it is no wrong usage: books that do not balance, for instance.
        if (problem.option().empty()) throw std::runtime_error(problem.what());
        throw;
    }
}

}  // namespace cli
