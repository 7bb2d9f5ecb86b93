#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/exec/executors.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/coroutine_load.hpp>
#include <benchkit/load/format_arrivals.hpp>
#include <benchkit/load/http_load.hpp>
#include <benchkit/load/journey_load.hpp>
#include <benchkit/load/load_loop.hpp>
#include <benchkit/load/load_result.hpp>
#include <benchkit/load/load_run.hpp>
#include <benchkit/load/validate_open_loop.hpp>
#include <benchkit/platform/limits.hpp>
#include <benchkit/result/environment.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

template <class Loaded>
inline constexpr bool is_journey = false;
template <class Function>
inline constexpr bool is_journey<http::journey<Function>> = true;

/// What is loaded by calling it: neither a target nor a journey.
template <class Loaded>
concept is_operation = !std::derived_from<Loaded, http::target> && !is_journey<Loaded>;

/// Raises the limit of descriptors where connections need it; fails where that is not to be had. `option` says
/// how many there are.
inline void require_descriptors(const char* option, std::int64_t connections, int shards) {
    const std::int64_t needed = open_descriptors() + connections + std::int64_t{8} * (shards + 1);
    const std::int64_t limit = raise_descriptor_limit(needed);
    if (limit >= needed) return;
    fail_option(option, std::to_string(connections),
                "needs " + std::to_string(needed) + " file descriptors and the system allows " +
                    std::to_string(limit) + "; take fewer, or raise the limit (ulimit -n)");
}

inline void describe_loop(attributes& parameters, const load_loop& loop) {
    if (loop.open()) {
        parameters["loop"] = std::string("open");
        parameters["arrivals"] = format_arrivals(loop.schedule);
        parameters["connections"] = loop.clients;
    } else {
        parameters["loop"] = std::string("closed");
        parameters["clients"] = loop.clients;
        parameters["think_time_seconds"] = loop.think_time.seconds();
    }
}

/// Name, parameters, start and environment of a load that is about to run.
template <executor Executor>
[[nodiscard]] result describe_load(const Executor& description, const load_loop& loop,
                                   const load_limits& limits, std::chrono::nanoseconds drain,
                                   std::string name) {
    result described;
    described.name = std::move(name);
    attributes& parameters = described.parameters;
    parameters["executor"] = std::string(executor_name(description));
    parameters["shards"] = std::int64_t{shard_count(description)};
    parameters["seed"] = static_cast<std::int64_t>(description.seed);
    if constexpr (real_executor<Executor>) {
        if (description.spin > duration::zero()) parameters["spin_seconds"] = description.spin.seconds();
    }
    describe_loop(parameters, loop);
    parameters["warmup_seconds"] = limits.warmup.seconds();
    parameters["drain_seconds"] = duration(drain).seconds();
    if (limits.operations) parameters["operations"] = *limits.operations;
    if (limits.duration || (!limits.operations && !loop.ends_itself())) {
        parameters["duration_seconds"] = limits.duration.value_or(default_duration).seconds();
    }
    described.environment = describe_environment();
    described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
    return described;
}

/// What a load is called unless it has a name: the URL, behind the method where that is not GET.
[[nodiscard]] inline std::string name_of(const http::target& target) {
    if (const auto* list = target.list(); list != nullptr && list->size() > 1) {
        return std::to_string(list->size()) + " requests to " + target.text();
    }
    const std::string& method = target.what().method();
    return method == "GET" ? target.text() : method + " " + target.text();
}

inline void describe_list(attributes& parameters, const http::detail::prepared_list& list) {
    parameters["requests"] = static_cast<std::int64_t>(list.size());
    parameters["order"] = std::string(list.order() == http::request_order::cycle     ? "cycle"
                                      : list.order() == http::request_order::shuffle ? "shuffle"
                                                                                     : "sequence");
}

/// The limits of a run that sends a sequence: its requests are the operations, each of them once.
[[nodiscard]] inline load_limits limits_of(const http::target& target, load_limits limits) {
    const http::detail::prepared_list* const list = target.list();
    if (list == nullptr || list->order() != http::request_order::sequence) return limits;
    if (limits.warmup > limits.warmup.zero()) {
        fail_option("warmup", format_duration(limits.warmup),
                    "a sequence is sent once, and all of it is measured");
    }
    const auto all = static_cast<std::int64_t>(list->round().size());
    limits.operations = std::min(limits.operations.value_or(all), all);
    return limits;
}

inline void describe_target(attributes& parameters, const http::target& target) {
    const http::target_options& options = target.options();
    parameters["url"] = target.text();
    parameters["host"] = target.address().host;
    parameters["port"] = std::int64_t{target.address().port};
    parameters["path"] = target.path();
    parameters["method"] = target.what().method();
    parameters["request_body_bytes"] = static_cast<std::int64_t>(target.what().body().size());
    parameters["http_version"] = std::string(options.version == http::http_version::http_1_0 ? "1.0" : "1.1");
    parameters["keep_alive"] = options.keep_alive;
    parameters["pipeline"] = options.pipeline;
    if (target.list() != nullptr) describe_list(parameters, *target.list());
    if (options.reset_on_close) parameters["reset_on_close"] = true;
    const http::connect_plan& plan = target.plan();
    if (!plan.unix_socket.empty()) {
        parameters["unix_socket"] = plan.unix_socket;
    } else if (plan.host != target.address().host || plan.port != target.address().port) {
        parameters["connect_to"] = plan.host + ":" + std::to_string(plan.port);
    }
    if (!plan.sources.empty()) parameters["sources"] = static_cast<std::int64_t>(plan.sources.size());
    parameters["timeout_seconds"] = options.timeout.seconds();
    parameters["connect_timeout_seconds"] = options.connect_timeout.seconds();
}

/// Runs a load whose shards do the work that `make_work(load_shard&)` makes, each client with up to `depth`
/// operations in flight.
template <executor Executor, class MakeWork>
[[nodiscard]] result run_load(const Executor& description, const load_loop& loop, const load_limits& limits,
                              const load_options& options, std::chrono::nanoseconds drain, std::int64_t depth,
                              result described, const MakeWork& make_work) {
    using work = std::invoke_result_t<const MakeWork&, load_shard&>;
    const time_point before = clock::now();
    load_run<work> run(description, loop, limits, options, drain, make_work, depth);
    run.run();
    return load_result<work>(run).make(std::move(described), clock::now() - before);
}

/// Loads an HTTP target in a loop of either kind that has been validated.
template <real_executor Executor>
[[nodiscard]] result load_target(const Executor& on, const http::target& target, const load_loop& loop,
                                 const load_limits& limits, const load_options& options) {
    const std::int64_t connections =
        limits.operations && !loop.open() ? std::min(loop.clients, *limits.operations) : loop.clients;
    require_descriptors(loop.open() ? "connections" : "clients", connections, shard_count(on));
    const duration drain = limits.drain.value_or(target.options().timeout);
    const time_point asked_at = clock::now();
    const std::vector<http::stream_endpoint> endpoints = http::look_up(target.plan());
    const std::chrono::nanoseconds resolve_time = clock::now() - asked_at;
    result described =
        describe_load(on, loop, limits, drain, options.name.empty() ? name_of(target) : options.name);
    describe_target(described.parameters, target);
    if (!endpoints.empty() && target.plan().unix_socket.empty())
        described.distributions["resolve_time"].values.record(resolve_time.count());
    return run_load(on, loop, limits, options, drain, target.options().pipeline, std::move(described),
                    [&](load_shard& part) {
                        return http_load(part, target, endpoints, loop.think_time, options.keep_records);
                    });
}

/// Goes on a journey in a loop of either kind that has been validated.
template <real_executor Executor, class Function>
[[nodiscard]] result load_journey(const Executor& on, const http::journey<Function>& taken,
                                  const load_loop& loop, const load_limits& limits,
                                  const load_options& options) {
    static_assert(std::is_same_v<std::invoke_result_t<const Function&, http::session&>, awaitable<>>,
                  "a journey returns benchkit::awaitable<>");
    require_descriptors(loop.open() ? "connections" : "clients", loop.clients, shard_count(on));
    const http::target& target = taken.to();
    const duration drain = limits.drain.value_or(target.options().timeout);
    result described = describe_load(on, loop, limits, drain,
                                     options.name.empty() ? "a journey at " + target.text() : options.name);
    describe_target(described.parameters, target);
    described.parameters["follow_redirects"] = taken.options().follow_redirects;
    return run_load(on, loop, limits, options, drain, 1, std::move(described),
                    [&](load_shard& part) { return journey_load<Function>(part, taken, loop.think_time); });
}

/// Loads a coroutine of the user's in a loop of either kind that has been validated.
template <executor Executor, class Operation>
[[nodiscard]] result load_operation(const Executor& on, const Operation& operation, const load_loop& loop,
                                    const load_limits& limits, const load_options& options) {
    using kept_operation = std::decay_t<Operation>;  // of a plain function, a pointer to it
    static_assert(std::is_copy_constructible_v<kept_operation>,
                  "an operation is copied once per shard: make it copyable");
    static_assert(takes_shard<Operation> || takes_nothing<Operation>,
                  "an operation is called as operation(shard&) or operation(), and is not changed by it");
    if constexpr (takes_shard<Operation>) {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&, shard&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    } else {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    }
    const duration drain = limits.drain.value_or(std::chrono::seconds(10));
    result described =
        describe_load(on, loop, limits, drain, options.name.empty() ? "operation" : options.name);
    return run_load(on, loop, limits, options, drain, 1, std::move(described), [&](load_shard& part) {
        return coroutine_load<kept_operation>(part, operation, loop.think_time);
    });
}

}  // namespace detail

/// Loads an HTTP target in a closed loop and returns the result (docs/terms.md). Each client has a connection.
/// Throws `error` for options that cannot be, before anything starts; whatever happens to requests is counted
/// in the result.
///
///     bk::http::target target{"http://localhost:8088/"};
///     bk::result r = bk::load(bk::single_threaded{}, target, bk::closed_loop{.clients = 10}, {.operations =
///     5'000});
template <real_executor Executor>
[[nodiscard]] result load(const Executor& on, const http::target& target, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    if (target.options().pipeline > 1 && loop.think_time > loop.think_time.zero()) {
        fail_option("think_time", format_duration(loop.think_time), "no time to think goes with a pipeline");
    }
    return detail::load_target(on, target, loop, detail::limits_of(target, limits), options);
}

/// Loads an HTTP target in an open loop: requests start on a schedule, whether or not earlier ones have ended,
/// and their response times count from when they were to start. A connection is opened when the first request
/// needs it.
///
///     bk::result r = bk::load(bk::sharded{2}, target, bk::open_loop{.arrivals = bk::poisson(5'000),
///                             .connections = 64}, {.warmup = 2s, .duration = 20s});
template <real_executor Executor, std::same_as<open_loop> OpenLoop>
[[nodiscard]] result load(const Executor& on, const http::target& target, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    if (target.options().pipeline > 1) {
        fail_option("pipeline", std::to_string(target.options().pipeline),
                    "an open loop has one request in flight on each connection: give it more connections");
    }
    return detail::load_target(on, target, loop, detail::limits_of(target, detail::limits_of(loop, limits)),
                               options);
}

/// Goes on journeys in a closed loop: a journey is one operation, and its steps are told of by name. Each
/// client has a session: a connection and cookies.
template <real_executor Executor, class Function>
[[nodiscard]] result load(const Executor& on, const http::journey<Function>& taken, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    return detail::load_journey(on, taken, loop, limits, options);
}

/// The same in an open loop.
template <real_executor Executor, class Function, std::same_as<open_loop> OpenLoop>
[[nodiscard]] result load(const Executor& on, const http::journey<Function>& taken, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    return detail::load_journey(on, taken, loop, detail::limits_of(loop, limits), options);
}

/// Loads with any coroutine of one's own, in real or in virtual time: `operation(shard&)` or `operation()`,
/// which returns `bk::awaitable<>`. It fails by throwing; `operation_failed` names the cause. It is copied once
/// per shard and called as const.
template <executor Executor, class Operation>
requires detail::is_operation<Operation>
[[nodiscard]] result load(const Executor& on, const Operation& operation, closed_loop loop = {},
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits);
    return detail::load_operation(on, operation, loop, limits, options);
}

/// The same in an open loop: operations start on a schedule, and as many are in flight at once as there are
/// connections.
template <executor Executor, class Operation, std::same_as<open_loop> OpenLoop>
requires detail::is_operation<Operation>
[[nodiscard]] result load(const Executor& on, const Operation& operation, const OpenLoop& loop,
                          const load_limits& limits = {}, const load_options& options = {}) {
    validate(loop, limits, shard_count(on));
    return detail::load_operation(on, operation, loop, detail::limits_of(loop, limits), options);
}

/// Does not compile, with a sentence: real sockets do not wait for virtual time.
template <std::same_as<virtual_time> Executor, class Loop = closed_loop>
result load(const Executor&, const http::target&, const Loop& = {}, const load_limits& = {},
            const load_options& = {}) {
    static_assert(
        real_executor<Executor>,
        "real sockets do not wait for virtual time: load an HTTP target on single_threaded or sharded");
    return {};
}

}  // namespace benchkit::inline v0_1
