#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/wording.hpp>

/// What the runs of one target in one row of a matrix say together.
namespace benchkit::inline v0_1::detail {

/// The rate of a run that came to its end; nothing of another.
[[nodiscard]] inline std::optional<double> whole_rate(const result& run) {
    const bool whole = !run.interrupted && run.rate && *run.rate > 0;
    return whole ? run.rate : std::nullopt;
}

[[nodiscard]] inline std::vector<double> whole_rates(const std::vector<result>& runs) {
    std::vector<double> rates;
    for (const result& run : runs) {
        if (const auto rate = whole_rate(run)) rates.push_back(*rate);
    }
    return rates;
}

/// The mean of an attribute of runs that is a share, by how long they took.
[[nodiscard]] inline std::optional<double> mean_share(const std::vector<result>& runs, const char* name) {
    double sum = 0;
    double all = 0;
    for (const result& run : runs) {
        const auto share = find_number(run.attributes, name);
        if (!share || !run.resources) continue;
        sum += *share * run.resources->wall_seconds;
        all += run.resources->wall_seconds;
    }
    return all > 0 ? std::optional(sum / all) : std::nullopt;
}

/// Below this idle share a machine has no time left.
inline constexpr double least_idle_share = 0.05;

/// How busy each side of a target's loads was, 0 to 1, as far as it is known.
struct busy_shares {
    std::optional<double> client;  ///< of the processors that its threads can use
    std::optional<double> server;  ///< of a processor, its busiest thread
    std::optional<double> idle;    ///< of the client's machine, what was left
};

/// Who had no time left: the client, else a thread of the server, else the machine on which the client runs,
/// with what else runs there, else whoever the client has waited for.
[[nodiscard]] inline std::string find_bottleneck(const busy_shares& shares) {
    if (shares.client.value_or(0) > thresholds::busy_share) return "client";
    if (shares.server.value_or(0) > thresholds::busy_share) return "server";
    return shares.idle.value_or(1) < least_idle_share ? "machine" : "server";
}

inline void judge_machine(result& target, std::optional<double> idle) {
    if (find_text(target.attributes, "bottleneck") != "machine") return;
    target.diagnostics.push_back({"machine-saturated", severity::warning,
                                  "The processors of the client's machine were idle for " + percent(*idle) +
                                      " of the time: a server that runs there too, or another program, took "
                                      "time from the client. Rates and "
                                      "times are of all of them together. Give each side processors of its own "
                                      "(taskset), or another machine."});
}

/// The runs of one target in one row of a matrix, in the order of the rounds, as one load with the single ones
/// as its children.
class matrix_runs {
  public:
    /// `parameters`: those of its loads; of use where it has none.
    matrix_runs(std::string name, attributes parameters) {
        joined_.name = std::move(name);
        joined_.kind = "load";
        joined_.parameters = std::move(parameters);
    }

    /// Adds the next round's run. By itself it keeps the times of its operations alone: hundreds of runs with
    /// all distributions would take much memory.
    void add(result run) {
        // The runs began one after another: their series are not one.
        std::optional<time_series> series = std::exchange(run.series, std::nullopt);
        seconds_ += run.elapsed_seconds;
        if (run.resources) wall_seconds_ += run.resources->wall_seconds;
        merge(joined_, run);
        run.series = std::move(series);
        std::erase_if(run.distributions, [](const auto& each) { return !is_kept(each.first); });
        runs_.push_back(std::move(run));
    }

    [[nodiscard]] std::int64_t count() const noexcept { return static_cast<std::int64_t>(runs_.size()); }

    /// All of them. `environment` is what the diagnostics need to know of the machine.
    [[nodiscard]] result finish(const attributes& environment) && {
        write_span();
        joined_.samples["rate"] = {"1/s", whole_rates(runs_)};
        for (const char* of_one : {"last_end_seconds", "machine_idle_share", "server_busy_share", "ended_by"}) {
            joined_.attributes.erase(of_one);
        }
        joined_.parameters.erase("round");
        if (!runs_.empty()) judge(environment);
        joined_.children = std::move(runs_);
        return std::move(joined_);
    }

  private:
    [[nodiscard]] static bool is_kept(std::string_view name) {
        return name == "service_time" || name == "unfinished_age" || name.starts_with("failed_time.");
    }

    void write_span() {
        joined_.elapsed_seconds = seconds_;
        joined_.rate = std::nullopt;
        if (seconds_ > 0) joined_.rate = static_cast<double>(joined_.counter("succeeded_in_span")) / seconds_;
        if (joined_.resources) joined_.resources->wall_seconds = wall_seconds_;
    }

    void judge(const attributes& environment) {
        joined_.environment = environment;
        const busy_shares shares{client_busy_share(judged_result(joined_)),
                                 mean_share(runs_, "server_busy_share"),
                                 mean_share(runs_, "machine_idle_share")};
        if (shares.client) joined_.attributes["client_busy_share"] = *shares.client;
        if (shares.server) joined_.attributes["server_busy_share"] = *shares.server;
        if (shares.idle) joined_.attributes["machine_idle_share"] = *shares.idle;
        joined_.attributes["bottleneck"] = find_bottleneck(shares);
        joined_.diagnostics = diagnose(joined_);
        judge_machine(joined_, shares.idle);
        joined_.environment.clear();
    }

    result joined_;
    std::vector<result> runs_;
    double seconds_ = 0;
    double wall_seconds_ = 0;
};

}  // namespace benchkit::inline v0_1::detail
