#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <benchkit/core/duration.hpp>

namespace benchkit::inline v0_1 {

// How operations arrive in an open loop. These types only describe: wrong values are refused where they are
// used, by `validate` (load/validate_arrivals.hpp), and `arrival_schedule` computes the times.

/// One operation after the other at equal distances, the first at the start of the run.
struct constant {
    benchkit::rate rate;  ///< 1e-6 to 1e9 operations per second

    constexpr explicit constant(benchkit::rate per_second) noexcept : rate(per_second) {}
};

/// A Poisson process: as users arrive who do not know of each other. The gaps are independent and exponentially
/// distributed; the first is before the first operation.
struct poisson {
    benchkit::rate rate;  ///< on average; 1e-6 to 1e9 operations per second

    constexpr explicit poisson(benchkit::rate per_second) noexcept : rate(per_second) {}
};

/// A rate that changes evenly from one value to another over the duration of the run. Each is 0, or 1e-6 to 1e9
/// operations per second; one of them may be 0.
struct ramp {
    rate from;
    rate to;

    constexpr ramp(rate start, rate end) noexcept : from(start), to(end) {}
};

/// Constant rates, one after the other: `stages().add(100, 10s).add(1'000, 30s)`. What is left of an operation
/// at the end of a stage is not lost, but carried over into the next.
class stages {
  public:
    struct stage {
        benchkit::rate rate;          ///< 0 for a pause, or 1e-6 to 1e9 operations per second
        benchkit::duration duration;  ///< more than 0
    };

    stages& add(rate per_second, benchkit::duration length) & {
        list_.push_back({per_second, length});
        return *this;
    }

    [[nodiscard]] stages add(rate per_second, benchkit::duration length) && {
        list_.push_back({per_second, length});
        return std::move(*this);
    }

    [[nodiscard]] const std::vector<stage>& list() const noexcept { return list_; }

  private:
    std::vector<stage> list_;
};

/// Operations at given times since the start of the run: at least one, in ascending order, where equal times
/// may follow each other. Copies share the list.
class trace {
  public:
    using times = std::vector<std::chrono::nanoseconds>;

    /// `file` is where the times were read from, if anywhere.
    explicit trace(times list, std::string file = {})
        : list_(std::make_shared<const times>(std::move(list))), file_(std::move(file)) {}

    [[nodiscard]] const std::shared_ptr<const times>& list() const noexcept { return list_; }
    [[nodiscard]] const std::string& file() const noexcept { return file_; }

  private:
    std::shared_ptr<const times> list_;
    std::string file_;
};

namespace detail {

/// What stages take together, and a trace until its last operation, is no longer than this: 290 years.
inline constexpr std::chrono::seconds longest_arrivals{std::int64_t{290} * 365 * 24 * 3600};

}  // namespace detail

/// An arrival process of any kind, as a value: `bk::arrivals steady = bk::constant(5'000);`.
class arrivals {
  public:
    using kinds = std::variant<constant, poisson, ramp, stages, trace>;

    /// No process yet: its rate of 0 is refused where it is used.
    arrivals() : kind_(constant(0)) {}

    arrivals(constant kind) : kind_(kind) {}
    arrivals(poisson kind) : kind_(kind) {}
    arrivals(ramp kind) : kind_(kind) {}
    arrivals(stages kind) : kind_(std::move(kind)) {}
    arrivals(trace kind) : kind_(std::move(kind)) {}

    [[nodiscard]] const kinds& kind() const noexcept { return kind_; }

    /// Whether it can only be computed for a run whose duration is known: a ramp.
    [[nodiscard]] bool needs_duration() const noexcept { return std::holds_alternative<ramp>(kind_); }

    /// How long it lasts where it has an end of its own: stages to the end of the last, a trace until a
    /// nanosecond after the last operation, so that this one is still part of the run. Nothing for the others.
    /// For what `validate` takes.
    [[nodiscard]] std::optional<benchkit::duration> own_duration() const noexcept {
        if (const auto* const steps = std::get_if<stages>(&kind_)) {
            std::chrono::nanoseconds sum{0};
            for (const stages::stage& each : steps->list()) sum += each.duration;
            return sum;
        }
        const auto* const recorded = std::get_if<trace>(&kind_);
        if (recorded == nullptr || recorded->list()->empty()) return std::nullopt;
        return recorded->list()->back() + std::chrono::nanoseconds(1);
    }

  private:
    kinds kind_;
};

}  // namespace benchkit::inline v0_1
