#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/load.hpp>
#include <benchkit/result/requirement.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>

namespace benchkit::inline v0_1 {

/// What the largest rate is looked for under, and how.
struct rate_search {
    std::vector<requirement> slo{};  ///< what must hold of each run (`parse_slo`); one or more
    std::int64_t connections = 10;   ///< of the open loop
    bool random_arrivals = false;    ///< a Poisson process, not equal distances
    benchkit::duration point =
        std::chrono::seconds(5);  ///< the length of a run; longer where a percentile asks for it
    double precision = 0.02;  ///< the search ends where the rates that hold and do not are so close; 0.001 to 1
    int confirmations = 3;    ///< runs in which a rate must hold; 1 to 100
    std::optional<benchkit::rate> start{};  ///< the first rate; unless given, one that a point has enough of
    /// Called after each run with what it was.
    std::function<void(const result&)> on_run{};
};

namespace detail {

/// Of an open loop's operations, so many may not have been started at the end where its schedule was kept.
inline constexpr double kept_share = 0.01;

/// The operations that a run needs, so that every percentile of the objectives is known.
[[nodiscard]] inline double needed_operations(const std::vector<requirement>& slo) {
    double most = 20;
    for (const requirement& each : slo) {
        if (each.figure != required_figure::percentile) continue;
        // Rounded, for 1 - 0.999 is a little less than a thousandth.
        most = std::max(most, std::round(1e9 / (1 - each.percentile / 100)) / 1e8);
    }
    return most;
}

inline void validate(const rate_search& search) {
    if (search.slo.empty()) fail_option("slo", "", "one or more are needed, such as p99<10ms");
    if (search.point <= search.point.zero()) {
        fail_option("point", format_duration(search.point), "allowed is more than 0 s");
    }
    if (!(search.precision >= 0.001 && search.precision <= 1)) {
        fail_option("precision", format_number(search.precision), "allowed is 0.001 to 1");
    }
    if (search.confirmations < 1 || search.confirmations > 100) {
        fail_option("confirmations", std::to_string(search.confirmations), "allowed is 1 to 100");
    }
}

/// The search for the largest rate at which the objectives hold: the rate is doubled until they do not, then
/// the gap is halved. `measure(rate, duration, run)` runs an open loop; it may be any function.
template <class Measure>
class max_rate_search {
  public:
    max_rate_search(const rate_search& search, const Measure& measure) : search_(search), measure_(measure) {}

    /// `described` has the name, the environment and the parameters that are known before.
    [[nodiscard]] result run(result described) {
        total_ = std::move(described);
        total_.kind = "sweep";
        const time_point begun = clock::now();
        find();
        total_.elapsed_seconds = benchkit::duration(clock::now() - begun).seconds();
        describe();
        return std::move(total_);
    }

  private:
    void find() {
        const double start = first_rate();
        double rate = start;
        while (!over_ && rate <= largest_rate && holds(rate)) {
            held_ = rate;
            rate *= 2;
        }
        if (over_ || rate > largest_rate) return;
        broken_ = rate;
        // Where even the first rate is too much, a lower one is looked for; its runs are longer, if need be.
        for (int halvings = 0; !over_ && held_ == 0 && halvings < most_halvings; ++halvings) {
            rate /= 2;
            if (holds(rate)) {
                held_ = rate;
            } else if (!over_) {
                broken_ = rate;
            }
        }
        while (!over_ && held_ > 0 && broken_ > held_ * (1 + search_.precision)) {
            const double middle = held_ + (broken_ - held_) / 2;
            const bool fine = holds(middle);
            if (over_) return;
            (fine ? held_ : broken_) = middle;
        }
    }

    [[nodiscard]] double first_rate() const {
        if (search_.start) return search_.start->per_second;
        return std::max(10.0, std::ceil(needed_operations(search_.slo) / search_.point.seconds()));
    }

    // A rate holds where it has held in as many runs as asked for before two have broken it: one run alone may
    // be the machine's fault.
    bool holds(double rate) {
        int held = 0;
        int broken_runs = 0;
        while (held < search_.confirmations && broken_runs < std::min(2, search_.confirmations)) {
            const bool fine = run_once(rate);
            if (over_) return false;
            ++(fine ? held : broken_runs);
        }
        return held == search_.confirmations;
    }

    bool run_once(double rate) {
        const double seconds = std::max(search_.point.seconds(), 1.02 * needed_operations(search_.slo) / rate);
        result one = measure_(benchkit::rate(rate), std::chrono::duration<double>(seconds), runs_++);
        const std::optional<std::string> why = problem_of(one);
        one.name = format_rate(rate);
        one.parameters["offered_rate"] = rate;
        one.attributes["verdict"] = std::string(why ? "broken" : "held");
        if (why) one.attributes["reason"] = *why;
        one.environment.clear();
        one.children.clear();
        one.records.clear();
        one.series.reset();
        over_ = one.interrupted || one.counter("succeeded") + one.counter("failed.status") == 0;
        if (search_.on_run) search_.on_run(one);
        total_.children.push_back(std::move(one));
        return !why;
    }

    [[nodiscard]] std::optional<std::string> problem_of(const result& one) const {
        for (const requirement& each : search_.slo) {
            if (auto why = broken(each, one)) return why;
        }
        const std::int64_t scheduled = one.counter("scheduled");
        const std::int64_t never = one.counter("not_started");
        if (static_cast<double>(never) <= kept_share * static_cast<double>(scheduled)) return std::nullopt;
        return format_count(never) + " of " + format_count(scheduled) +
               " operations had not started at the end";
    }

    void describe() {
        describe_search();
        for (const result& one : total_.children) total_.interrupted = total_.interrupted || one.interrupted;
        if (!total_.children.empty()) {
            const result& last = total_.children.back();
            for (const char* name : {"signal", "first_error"}) {
                const auto found = last.attributes.find(name);
                if (found != last.attributes.end()) total_.attributes[name] = found->second;
            }
        }
        if (held_ > 0) {
            total_.rate = held_;
            total_.attributes["max_rate"] = held_;
        }
        if (std::isfinite(broken_)) total_.attributes["broken_rate"] = broken_;
        judge();
    }

    void describe_search() {
        std::string texts;
        for (const requirement& each : search_.slo) texts.append(texts.empty() ? "" : ", ").append(each.text);
        total_.parameters["slo"] = texts;
        total_.parameters["connections"] = search_.connections;
        total_.parameters["arrivals"] = std::string(search_.random_arrivals ? "poisson" : "constant");
        total_.parameters["point_seconds"] = search_.point.seconds();
        total_.parameters["precision"] = search_.precision;
        total_.parameters["confirmations"] = std::int64_t{search_.confirmations};
    }

    // Whether a run at the rate that did not hold was spoilt by the client itself.
    [[nodiscard]] bool spoilt_by_client() const {
        for (const result& one : total_.children) {
            if (find_number(one.parameters, "offered_rate") != broken_) continue;
            for (const diagnostic& said : one.diagnostics) {
                if (said.code == "client-saturated" || said.code == "late-client") return true;
            }
        }
        return false;
    }

    void judge() {
        if (total_.interrupted) {
            total_.diagnostics.push_back({"interrupted", severity::warning,
                                          "The search was interrupted: the largest rate may be higher."});
        } else if (held_ == 0 && !over_) {
            total_.diagnostics.push_back({"slo-missed", severity::failure,
                                          "The objectives were missed even at " + format_rate(broken_) +
                                              ", the lowest rate that was tried."});
        } else if (held_ > 0 && !std::isfinite(broken_)) {
            total_.diagnostics.push_back({"lower-bound", severity::warning,
                                          "No rate broke the objectives: the largest rate is higher."});
        } else if (held_ > 0 && spoilt_by_client()) {
            total_.diagnostics.push_back({"lower-bound", severity::warning,
                                          "At " + format_rate(broken_) +
                                              " the client itself was saturated or late, so the target may "
                                              "hold more than was found. Use "
                                              "more shards or another machine."});
        }
    }

    static constexpr int most_halvings = 4;

    const rate_search& search_;
    const Measure& measure_;
    result total_;
    double held_ = 0;
    double broken_ = std::numeric_limits<double>::infinity();
    int runs_ = 0;
    bool over_ = false;
};

/// Finds the largest rate with an open loop of the target or operation. Each run has a seed of its own.
template <executor Executor, class Loaded>
[[nodiscard]] result find_max_rate_of(const Executor& on, const Loaded& loaded, const rate_search& search,
                                      std::string name, const load_options& options) {
    validate(search);
    const auto loop_of = [&](rate offered) {
        if (search.random_arrivals) {
            return open_loop{.arrivals = poisson(offered), .connections = search.connections};
        }
        return open_loop{.arrivals = constant(offered), .connections = search.connections};
    };
    benchkit::validate(loop_of(search.start.value_or(rate(1))), load_limits{}, shard_count(on));
    const auto measure = [&](rate offered, benchkit::duration length, int run) {
        Executor seeded = on;
        seeded.seed += static_cast<std::uint64_t>(run);
        return load(seeded, loaded, loop_of(offered), {.duration = length}, options);
    };
    result described;
    described.name = std::move(name);
    described.parameters["shards"] = std::int64_t{shard_count(on)};
    described.parameters["seed"] = static_cast<std::int64_t>(on.seed);
    described.environment = describe_environment();
    described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                               std::chrono::system_clock::now().time_since_epoch())
                               .count();
    return max_rate_search(search, measure).run(std::move(described));
}

}  // namespace detail

/// Finds the largest rate of an open loop at which the objectives hold: doubling, then halving the gap, each
/// rate confirmed in several runs. A run that did not start its schedule (more than 1 % not started at the end)
/// holds none. The result, of the kind "sweep", has a child for each run, in their order; `rate` is the largest
/// rate that held, absent where none did. Throws `error` for what cannot be, before anything starts.
///
///     bk::result found = bk::find_max_rate(bk::single_threaded{}, target, {.slo = {bk::parse_slo("slo",
///     "p99<10ms")}});
template <real_executor Executor>
[[nodiscard]] result find_max_rate(const Executor& on, const http::target& target, const rate_search& search,
                                   const load_options& options = {}) {
    std::string name = "the largest rate of ";
    name += options.name.empty() ? detail::name_of(target) : options.name;
    result found = detail::find_max_rate_of(on, target, search, std::move(name), options);
    found.parameters["url"] = target.text();
    return found;
}

/// The same for any coroutine, also in virtual time.
template <executor Executor, class Operation>
requires detail::is_operation<Operation>
[[nodiscard]] result find_max_rate(const Executor& on, const Operation& operation, const rate_search& search,
                                   const load_options& options = {}) {
    std::string name = "the largest rate of ";
    name += options.name.empty() ? "operation" : options.name;
    return detail::find_max_rate_of(on, operation, search, std::move(name), options);
}

}  // namespace benchkit::inline v0_1
