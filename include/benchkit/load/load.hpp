#pragma once

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
#include <benchkit/load/http_load.hpp>
#include <benchkit/load/load_result.hpp>
#include <benchkit/load/load_run.hpp>
#include <benchkit/platform/limits.hpp>
#include <benchkit/result/environment.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Raises the limit of descriptors where connections need it; fails where that is not to be had.
inline void require_descriptors(std::int64_t connections, int shards) {
    const std::int64_t needed = open_descriptors() + connections + std::int64_t{8} * (shards + 1);
    const std::int64_t limit = raise_descriptor_limit(needed);
    if (limit >= needed) return;
    fail_option("clients", std::to_string(connections),
                "needs " + std::to_string(needed) + " file descriptors and the system allows " +
                    std::to_string(limit) + "; take fewer, or raise the limit (ulimit -n)");
}

/// Name, parameters, start and environment of a load that is about to run.
template <executor Executor>
[[nodiscard]] result describe_load(const Executor& description, closed_loop loop, const load_limits& limits,
                                   std::chrono::nanoseconds drain, std::string name) {
    result described;
    described.name = std::move(name);
    attributes& parameters = described.parameters;
    parameters["executor"] = std::string(executor_name(description));
    parameters["shards"] = std::int64_t{shard_count(description)};
    parameters["seed"] = static_cast<std::int64_t>(description.seed);
    parameters["loop"] = std::string("closed");
    parameters["clients"] = loop.clients;
    parameters["think_time_seconds"] = loop.think_time.seconds();
    parameters["warmup_seconds"] = limits.warmup.seconds();
    parameters["drain_seconds"] = duration(drain).seconds();
    if (limits.operations) parameters["operations"] = *limits.operations;
    if (limits.duration || !limits.operations) {
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
    const std::string& method = target.what().method();
    return method == "GET" ? target.text() : method + " " + target.text();
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
[[nodiscard]] result run_load(const Executor& description, closed_loop loop, const load_limits& limits,
                              const load_options& options, std::chrono::nanoseconds drain, std::int64_t depth,
                              result described, const MakeWork& make_work) {
    using work = std::invoke_result_t<const MakeWork&, load_shard&>;
    const time_point before = clock::now();
    load_run<work> run(description, loop, limits, options, drain, make_work, depth);
    run.run();
    return load_result<work>(run).make(std::move(described), clock::now() - before);
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
    const int shards = shard_count(on);
    detail::require_descriptors(limits.operations ? std::min(loop.clients, *limits.operations) : loop.clients,
                                shards);
    const duration drain = limits.drain.value_or(target.options().timeout);
    const time_point asked_at = clock::now();
    const std::vector<http::stream_endpoint> endpoints = http::look_up(target.plan());
    const std::chrono::nanoseconds resolve_time = clock::now() - asked_at;
    result described = detail::describe_load(on, loop, limits, drain,
                                             options.name.empty() ? detail::name_of(target) : options.name);
    detail::describe_target(described.parameters, target);
    if (!endpoints.empty() && target.plan().unix_socket.empty())
        described.distributions["resolve_time"].values.record(resolve_time.count());
    return detail::run_load(on, loop, limits, options, drain, target.options().pipeline, std::move(described),
                            [&](detail::load_shard& part) {
                                return detail::http_load(part, target, endpoints, loop.think_time,
                                                         options.keep_records);
                            });
}

/// Loads with any coroutine of one's own, in real or in virtual time: `operation(shard&)` or `operation()`,
/// which returns `bk::awaitable<>`. It fails by throwing; `operation_failed` names the cause. It is copied once
/// per shard and called as const.
template <executor Executor, class Operation>
requires(!std::derived_from<Operation, http::target>) [[nodiscard]] result
    load(const Executor& on, const Operation& operation, closed_loop loop = {}, const load_limits& limits = {},
         const load_options& options = {}) {
    using kept_operation = std::decay_t<Operation>;  // of a plain function, a pointer to it
    static_assert(std::is_copy_constructible_v<kept_operation>,
                  "an operation is copied once per shard: make it copyable");
    static_assert(detail::takes_shard<Operation> || detail::takes_nothing<Operation>,
                  "an operation is called as operation(shard&) or operation(), and is not changed by it");
    if constexpr (detail::takes_shard<Operation>) {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&, shard&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    } else {
        static_assert(std::is_same_v<std::invoke_result_t<const Operation&>, awaitable<>>,
                      "an operation returns benchkit::awaitable<>");
    }
    validate(loop, limits);
    const duration drain = limits.drain.value_or(std::chrono::seconds(10));
    result described =
        detail::describe_load(on, loop, limits, drain, options.name.empty() ? "operation" : options.name);
    return detail::run_load(on, loop, limits, options, drain, 1, std::move(described),
                            [&](detail::load_shard& part) {
                                return detail::coroutine_load<kept_operation>(part, operation, loop.think_time);
                            });
}

/// Does not compile, with a sentence: real sockets do not wait for virtual time.
template <std::same_as<virtual_time> Executor>
result load(const Executor&, const http::target&, closed_loop = {}, const load_limits& = {},
            const load_options& = {}) {
    static_assert(
        real_executor<Executor>,
        "real sockets do not wait for virtual time: load an HTTP target on single_threaded or sharded");
    return {};
}

}  // namespace benchkit::inline v0_1
