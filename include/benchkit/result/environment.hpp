#pragma once

#include <chrono>
#include <cstdint>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/resources.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

/// The facts of a machine as the environment of a result: host, cpu, cpus, kernel, compiler, flags, version (of
/// benchkit), optimized, clock_resolution_ns, and load_average where the system tells it.
[[nodiscard]] inline attributes to_environment(const machine& facts) {
    attributes environment;
    environment["host"] = facts.host;
    environment["cpu"] = facts.cpu;
    environment["cpus"] = facts.cpus;
    environment["kernel"] = facts.kernel;
    environment["compiler"] = facts.compiler;
    environment["flags"] = facts.flags;
    environment["version"] = std::string(version);
    environment["optimized"] = facts.optimized;
    environment["clock_resolution_ns"] = std::int64_t{facts.clock_resolution.count()};
    if (facts.load_average) environment["load_average"] = *facts.load_average;
    return environment;
}

/// The environment of a run that starts now. Takes less than 0.1 s.
[[nodiscard]] inline attributes describe_environment() {
    return to_environment(describe_machine());
}

/// The use of a run's threads, over `wall` of time, as the resources of its result. Peak memory is that of the
/// process up to now.
[[nodiscard]] inline run_resources to_run_resources(const resource_use& used, std::chrono::nanoseconds wall) {
    run_resources resources;
    resources.user_seconds = duration(used.user).seconds();
    resources.system_seconds = duration(used.system).seconds();
    resources.max_rss_bytes = peak_memory_bytes();
    resources.voluntary_switches = used.voluntary_switches;
    resources.involuntary_switches = used.involuntary_switches;
    resources.wall_seconds = duration(wall).seconds();
    return resources;
}

}  // namespace benchkit::inline v0_1
