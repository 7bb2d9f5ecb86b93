#include "load_plan.hpp"

#include <benchkit/http/journey.hpp>
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

constexpr std::int64_t most_redirects = 10;

// A journey of one request, which follows where the answer leads.
template <class Executor>
[[nodiscard]] benchkit::result measure_followed(const Executor& on, const load_plan& plan,
                                                benchkit::load_options options) {
    const auto ask = [what = plan.target.what()](benchkit::http::session& http) -> benchkit::awaitable<> {
        co_await http.send(what);
    };
    if (options.name.empty())
        options.name = benchkit::http::request_name(plan.target.what(), plan.target.address());
    const benchkit::http::journey followed{plan.target, ask, {.follow_redirects = most_redirects}};
    if (plan.arrivals) return benchkit::load(on, followed, open_loop_of(plan), plan.limits, options);
    return benchkit::load(on, followed, plan.loop, plan.limits, options);
}

}  // namespace

void validate(const load_plan& plan) {
    if (plan.arrivals) return benchkit::validate(open_loop_of(plan), plan.limits, plan.shards);
    benchkit::validate(plan.loop, plan.limits);
}

benchkit::result measure(const load_plan& plan, const benchkit::load_options& options) {
    return with_executor(plan, [&](const auto& on) {
        if (plan.follow_redirects) return measure_followed(on, plan, options);
        if (plan.arrivals) return benchkit::load(on, plan.target, open_loop_of(plan), plan.limits, options);
        return benchkit::load(on, plan.target, plan.loop, plan.limits, options);
    });
}

}  // namespace cli
