#pragma once

#include <chrono>
#include <cstddef>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/format_arrivals.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Not less: 17 digits of a rate then still fit into the integers of the schedules.
inline constexpr double smallest_rate = 1e-6;
/// Not more: a nanosecond has one operation.
inline constexpr double largest_rate = 1e9;

/// Also false for NaN.
[[nodiscard]] constexpr bool is_allowed_rate(rate value) noexcept {
    return value.per_second >= smallest_rate && value.per_second <= largest_rate;
}

[[nodiscard]] constexpr bool is_zero_or_allowed_rate(rate value) noexcept {
    return value.per_second == 0 || is_allowed_rate(value);
}

/// The sentence for what is wrong with an arrival process; empty where nothing is.
struct arrivals_judge {
    std::string operator()(const constant& kind) const { return rate_alone(kind.rate); }
    std::string operator()(const poisson& kind) const { return rate_alone(kind.rate); }

    std::string operator()(const ramp& kind) const {
        const bool allowed = is_zero_or_allowed_rate(kind.from) && is_zero_or_allowed_rate(kind.to);
        if (allowed && (kind.from.per_second > 0 || kind.to.per_second > 0)) return {};
        return "allowed are rates of 0.000001 to 1000000000 operations per second, or 0 for one of them";
    }

    std::string operator()(const stages& kind) const {
        if (kind.list().empty()) return "allowed is at least one stage";
        std::chrono::nanoseconds sum{0};
        bool some = false;
        std::size_t number = 0;
        for (const stages::stage& each : kind.list()) {
            const std::string where = "in stage " + std::to_string(++number) + ", allowed is ";
            if (!is_zero_or_allowed_rate(each.rate)) {
                return where + "a rate of 0.000001 to 1000000000 operations per second, or 0 for a pause";
            }
            if (each.duration <= each.duration.zero()) return where + "a duration of more than 0 s";
            if (each.duration > longest_arrivals - sum) {
                return where + "a duration with which all stages last no longer than 290 years";
            }
            sum += each.duration;
            some = some || each.rate.per_second > 0;
        }
        return some ? std::string() : "allowed is at least one stage with a rate above 0";
    }

    std::string operator()(const trace& kind) const {
        const trace::times& times = *kind.list();
        if (times.empty()) return "allowed is at least one time";
        for (std::size_t index = 0; index < times.size(); ++index) {
            const std::string_view problem = times[index] < times[index].zero() ? "is negative"
                                             : index > 0 && times[index] < times[index - 1]
                                                 ? "is before the one that it follows"
                                                 : "";
            if (problem.empty()) continue;
            return std::string("allowed are ascending times of 0 s or more; time ")
                .append(std::to_string(index + 1))
                .append(", " + exact_duration(times[index]) + ", ")
                .append(problem);
        }
        return times.back() > longest_arrivals ? "allowed are times of at most 290 years" : "";
    }

    static std::string rate_alone(rate value) {
        if (is_allowed_rate(value)) return {};
        return "allowed is a rate of 0.000001 to 1000000000 operations per second";
    }
};

}  // namespace detail

/// Fails where an arrival process cannot be, with a sentence that says what is allowed.
inline void validate(const arrivals& process) {
    std::string problem = std::visit(detail::arrivals_judge(), process.kind());
    if (!problem.empty()) fail_option("arrivals", format_arrivals(process), std::move(problem));
}

}  // namespace benchkit::inline v0_1
