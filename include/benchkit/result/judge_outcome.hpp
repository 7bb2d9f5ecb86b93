#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <benchkit/core/units.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/wording.hpp>

/// The judgements of what happened: failures, limits, an early end.
namespace benchkit::inline v0_1::detail {

[[nodiscard]] inline maybe_diagnostic judge_connecting(const judged_result& judged) {
    if (find_text(judged.measured.attributes, "ended_by") != "connect-failure") return std::nullopt;
    std::string message = "The run ended early because no connection could be made";
    const std::string first = find_text(judged.measured.attributes, "first_error");
    if (!first.empty()) message += " (" + first + ")";
    return diagnostic{
        "connect-failure", severity::failure,
        message + ". Check the address, that the server listens there, and any firewall between."};
}

[[nodiscard]] inline maybe_diagnostic judge_failures(const judged_result& judged) {
    const std::int64_t failed = judged.counter("failed");
    if (failed <= 0) return std::nullopt;
    const std::int64_t started = std::max(failed, judged.counter("started"));
    const double share = static_cast<double>(failed) / static_cast<double>(started);
    std::string message = operations_text(failed) + " of " + format_count(started) + " failed (" +
                          percent(share) + "): " + failures_text(judged.measured, 3) + ".";
    const std::string first = find_text(judged.measured.attributes, "first_error");
    if (!first.empty()) message += " The first error: " + first + ".";
    const bool all = judged.counter("succeeded") == 0;
    if (all) message += " Nothing succeeded: there is no rate and no time to report.";
    if (!all) message += " The times of failed operations are not among the service times.";
    return diagnostic{"failures", all ? severity::failure : severity::warning, message};
}

[[nodiscard]] inline maybe_diagnostic judge_descriptors(const judged_result& judged) {
    const std::int64_t refused = sum_of(
        {judged.counter("errors.too_many_files_open"), judged.counter("errors.too_many_files_open_in_system")});
    if (refused <= 0) return std::nullopt;
    return diagnostic{"descriptor-limit", severity::warning,
                      counted(refused, "connection", "connections") +
                          " had no descriptor left. Raise the limit (ulimit -n) or use fewer connections."};
}

[[nodiscard]] inline maybe_diagnostic judge_ports(const judged_result& judged) {
    const std::int64_t refused = judged.counter("failed.ports");
    if (refused <= 0) return std::nullopt;
    return diagnostic{"port-limit", severity::warning,
                      operations_text(refused) +
                          " found no free local port. Keep connections alive, or widen "
                          "net.ipv4.ip_local_port_range; a closed connection holds its port "
                          "for a minute."};
}

[[nodiscard]] inline maybe_diagnostic judge_memory(const judged_result& judged) {
    if (find_text(judged.measured.attributes, "ended_by") != "memory") return std::nullopt;
    return diagnostic{
        "memory-limit", severity::failure,
        "There was not enough memory for all connections, and the run ended. Take fewer, or allow "
        "more (ulimit -v, a container's limit)."};
}

[[nodiscard]] inline maybe_diagnostic judge_interrupt(const judged_result& judged) {
    if (!judged.measured.interrupted) return std::nullopt;
    std::string message = "The run was interrupted";
    if (const auto signal = find_integer(judged.measured.attributes, "signal")) {
        message += " by signal " + std::to_string(*signal);
    }
    return diagnostic{"interrupted", severity::warning,
                      message + " after " + time_text(judged.measured.elapsed_seconds * 1e9) +
                          " of its span. The figures cover what was measured until then."};
}

[[nodiscard]] inline maybe_diagnostic judge_connections(const judged_result& judged) {
    const bool over_connections = judged.measured.counters.contains("connections_opened");
    const auto clients = find_integer(judged.measured.parameters, "clients");
    if (!over_connections || !clients || judged.measured.interrupted || judged.simulated) return std::nullopt;
    const std::int64_t opened =
        sum_of({judged.counter("connections_opened"), judged.counter("warmup.connections_opened")});
    std::int64_t possible = *clients;
    if (const auto operations = find_integer(judged.measured.parameters, "operations")) {
        possible = std::min(possible, *operations);
    }
    if (opened >= possible) return std::nullopt;
    return diagnostic{
        "fewer-connections", severity::warning,
        "Only " + counted(opened, "connection was", "connections were") + " opened for " +
            format_count(*clients) +
            " clients: the load was lighter than asked for. Look at the failures and at the limits of "
            "both sides."};
}

[[nodiscard]] inline maybe_diagnostic judge_drain(const judged_result& judged) {
    const std::int64_t unfinished = judged.counter("unfinished");
    if (unfinished <= 0) return std::nullopt;
    const bool interrupted = judged.measured.interrupted;
    const auto drain = find_number(judged.measured.parameters, "drain_seconds");
    const bool no_drain = drain && *drain == 0;
    std::string message = counted(unfinished, "operation was", "operations were");
    message += interrupted ? " still going on when the run was interrupted"
               : no_drain  ? " still going on at the end of the span, after which there was no drain"
                           : " still without an end when the drain was over";
    if (drain && !interrupted && !no_drain) message += " after " + time_text(*drain * 1e9);
    if (const distribution* age = judged.measured.find_distribution("unfinished_age")) {
        message += ", the oldest " + time_text(age->values.max()) + " old";
    }
    const bool one = unfinished == 1;
    message += one ? ". It counts" : ". They count";
    message += " as started, neither as succeeded nor as failed, and no service time includes ";
    // Without a drain it is what was asked for.
    return diagnostic{"drain-unfinished", interrupted || no_drain ? severity::note : severity::warning,
                      message + (one ? "it." : "them.")};
}

}  // namespace benchkit::inline v0_1::detail
