#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <benchkit/result/comparison.hpp>
#include <benchkit/result/distribution.hpp>

namespace benchkit::inline v0_1 {

/// A parameter, a fact of the environment or an attribute: what JSON calls a scalar.
using attribute = std::variant<bool, std::int64_t, double, std::string>;

/// Named scalars, in the order of their names.
using attributes = std::map<std::string, attribute, std::less<>>;

/// Named counts, in the order of their names.
using counters = std::map<std::string, std::int64_t, std::less<>>;

/// Measured values that are kept one by one, in the order in which they were taken.
struct sample_set {
    std::string unit = "ns";
    std::vector<double> values;
};

/// One interval of a time series.
struct series_point {
    double t = 0;                     ///< start of the interval, seconds from the start of the span
    std::int64_t succeeded = 0;       ///< operations that ended well in the interval
    std::int64_t failed = 0;          ///< operations that failed in the interval
    std::optional<std::int64_t> p50;  ///< median time, ns; empty where no operation succeeded
    std::optional<std::int64_t> p99;  ///< 99th percentile, ns
};

/// How the span went, interval by interval.
struct time_series {
    double interval_seconds = 1;
    std::vector<series_point> points;
};

/// One run of one operation, where they are kept one by one: named scalars.
using record = attributes;

/// What a run used. CPU time and context switches are those of the run's own threads.
struct run_resources {
    double user_seconds = 0;
    double system_seconds = 0;
    std::int64_t max_rss_bytes = 0;  ///< peak resident memory of the process
    std::int64_t voluntary_switches = 0;
    std::int64_t involuntary_switches = 0;
    double wall_seconds = 0;  ///< for how long it used them: the whole run, warm-up and drain included
};

/// How much a diagnostic weighs: to be read with care, may mislead, nothing to believe.
enum class severity : std::uint8_t { note, warning, failure };

inline constexpr std::size_t severity_count = 3;

/// The name of a severity, as in JSON.
[[nodiscard]] constexpr std::string_view to_string(severity value) noexcept {
    constexpr std::array<std::string_view, severity_count> names{"note", "warning", "failure"};
    return names[static_cast<std::size_t>(value)];
}

/// What a result says of itself: a code for programs, a sentence for people.
struct diagnostic {
    std::string code;
    benchkit::severity severity = benchkit::severity::note;
    std::string message;
};

/// The one result model: what every experiment returns and every report reads. Plain data; `check()`
/// (result/check.hpp) holds it to the books, `diagnose()` (result/diagnostics.hpp) judges it.
struct result {
    std::string name;
    /// "load", "work.time", "work.compare", "work.schedule", "batch.produce", "matrix" or "sweep"; of
    /// children also "shard" and "matrix.row".
    std::string kind;
    benchkit::attributes parameters;
    benchkit::attributes environment;
    benchkit::attributes attributes;
    std::int64_t started_at = 0;  ///< ns since 1970-01-01T00:00:00Z
    double elapsed_seconds = 0;   ///< the span: without warm-up and drain
    std::optional<double> rate;   ///< operations that succeeded within the span, per second
    bool interrupted = false;
    benchkit::counters counters;
    std::map<std::string, distribution, std::less<>> distributions;
    std::map<std::string, sample_set, std::less<>> samples;
    std::optional<time_series> series;
    std::vector<record> records;
    std::vector<comparison> comparisons;
    std::vector<result> children;  ///< rows of a sweep, a matrix, shards
    std::optional<run_resources> resources;
    std::vector<diagnostic> diagnostics;

    /// The counter of this name; 0 where nothing was counted.
    [[nodiscard]] std::int64_t counter(std::string_view counter_name) const {
        const auto found = counters.find(counter_name);
        return found == counters.end() ? 0 : found->second;
    }

    /// The distribution of this name; null where nothing was recorded.
    [[nodiscard]] const distribution* find_distribution(std::string_view distribution_name) const {
        const auto found = distributions.find(distribution_name);
        return found == distributions.end() ? nullptr : &found->second;
    }
};

}  // namespace benchkit::inline v0_1
