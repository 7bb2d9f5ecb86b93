#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/format_arrivals.hpp>
#include <benchkit/load/poisson_schedule.hpp>
#include <benchkit/load/ramp_schedule.hpp>
#include <benchkit/load/stage_schedule.hpp>
#include <benchkit/load/validate_arrivals.hpp>

namespace benchkit::inline v0_1 {

/// Whose operations a schedule has, and until when.
struct arrival_schedule_options {
    std::uint64_t seed = 1;   ///< of a Poisson process
    std::int64_t shard = 0;   ///< 0 to `shards` - 1
    std::int64_t shards = 1;  ///< 1 to 1,048,576
    /// The schedule ends before it, and a ramp runs over it; more than 0. Unless given, the schedule is as long
    /// as its process, which may have no end.
    std::optional<benchkit::duration> duration{};
};

namespace detail {

/// Every n-th time of a list.
class trace_schedule {
  public:
    trace_schedule(const trace& kind, std::uint64_t first, std::uint64_t step)
        : list_(kind.list()), index_(first), step_(step) {}

    [[nodiscard]] std::optional<std::int64_t> next() noexcept {
        if (index_ >= list_->size()) return std::nullopt;
        const std::int64_t at = (*list_)[static_cast<std::size_t>(index_)].count();
        index_ += step_;
        return at;
    }

  private:
    std::shared_ptr<const trace::times> list_;
    std::uint64_t index_;
    std::uint64_t step_;
};

}  // namespace detail

/// When a shard's operations are intended to start: ascending nanoseconds since the start of the run.
/// Everything comes from integers, so it is the same on every compiler and processor.
///
/// Of a constant rate, a ramp, stages and a trace, operation k belongs to shard k mod n: all shards together
/// have what a single one has, and do not fire together. Operation k is due where the integral of the rate
/// reaches k, so the first is at the start, and rate x duration operations, a fraction rounded up, are due
/// within the duration. Of a Poisson process each shard has one of its own, of rate / n.
class arrival_schedule {
  public:
    /// Fails where the process or an option cannot be, and where a ramp has no duration.
    explicit arrival_schedule(const arrivals& process, const arrival_schedule_options& options = {})
        : process_(std::visit([&](const auto& kind) { return begin(kind, process, options); },
                              checked(process, options).kind())),
          end_(options.duration ? options.duration->count() : std::numeric_limits<std::int64_t>::max()) {}

    /// The next operation's intended start since the start of the run; nothing, for ever, where none is left.
    /// It takes no memory.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> next() noexcept {
        const std::optional<std::int64_t> at =
            std::visit([](auto& process) -> std::optional<std::int64_t> { return process.next(); }, process_);
        if (!at || *at >= end_) return std::nullopt;
        return std::chrono::nanoseconds(*at);
    }

  private:
    using processes = std::variant<detail::stage_schedule, detail::poisson_schedule, detail::ramp_schedule,
                                   detail::trace_schedule>;

    static const arrivals& checked(const arrivals& process, const arrival_schedule_options& options) {
        constexpr std::int64_t most_shards = std::int64_t{1} << 20;
        if (options.shards < 1 || options.shards > most_shards) {
            fail_option("shards", std::to_string(options.shards), "allowed is 1 to 1048576");
        }
        if (options.shard < 0 || options.shard >= options.shards) {
            fail_option("shard", std::to_string(options.shard),
                        "allowed is 0 to " + std::to_string(options.shards - 1));
        }
        if (options.duration && *options.duration <= duration::zero()) {
            fail_option("duration", format_duration(*options.duration), "allowed is more than 0 s");
        }
        validate(process);
        return process;
    }

    static std::uint64_t first(const arrival_schedule_options& options) {
        return static_cast<std::uint64_t>(options.shard);
    }

    static std::uint64_t step(const arrival_schedule_options& options) {
        return static_cast<std::uint64_t>(options.shards);
    }

    static processes begin(const constant& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::stage_schedule(kind, first(options), step(options));
    }

    static processes begin(const poisson& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::poisson_schedule(kind.rate, first(options), step(options), options.seed);
    }

    static processes begin(const ramp& kind, const arrivals& process, const arrival_schedule_options& options) {
        if (!options.duration) {
            fail_option("arrivals", format_arrivals(process),
                        "a ramp runs over the duration of the run: give one");
        }
        return detail::ramp_schedule(kind, *options.duration, first(options), step(options));
    }

    static processes begin(const stages& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::stage_schedule(kind, first(options), step(options));
    }

    static processes begin(const trace& kind, const arrivals&, const arrival_schedule_options& options) {
        return detail::trace_schedule(kind, first(options), step(options));
    }

    processes process_;
    std::int64_t end_;  // nanoseconds
};

}  // namespace benchkit::inline v0_1
