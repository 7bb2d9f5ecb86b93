#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1 {

/// A figure of a result that a requirement speaks of.
enum class required_figure : std::uint8_t {
    percentile,   ///< of the response time (open loop) or the service time
    largest,      ///< of the same
    mean,         ///< of the same
    errors,       ///< operations that failed
    error_share,  ///< the same, of those that ended
    rate,         ///< operations that succeeded, per second
};

/// What a result must not be, such as "p99>50ms": see `parse_requirement`.
struct requirement {
    std::string text;  ///< as it was given
    required_figure figure = required_figure::errors;
    double percentile = 0;  ///< 0 to 100
    bool above = true;      ///< fails above the limit, else below it
    bool or_equal = false;  ///< and at it
    double limit = 0;       ///< nanoseconds, operations, a share of 1, or operations per second

    /// Whether this figure is one that must not be. A figure that differs from the limit by less than 1e-12 of
    /// it is the limit: 7 of 1,000 and 0.7 % are the same, and neither has an exact binary form.
    [[nodiscard]] bool fails_at(double value) const noexcept {
        if (std::abs(value - limit) <= 1e-12 * std::abs(limit)) return or_equal;
        return (value > limit) == above;
    }
};

namespace detail {

inline constexpr const char* requirement_forms =
    "allowed is a figure, <, <=, > or >=, and a limit, of times with a unit, such as p99>50ms, max>1s, "
    "mean>=10ms, errors>0.1%, errors>10 or rate<1000";

class requirement_reader {
  public:
    requirement_reader(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] requirement read() const {
        const std::size_t sign = text_.find_first_of("<>");
        if (sign == std::string_view::npos) refuse();
        requirement made;
        made.text = text_;
        made.above = text_[sign] == '>';
        std::string_view limit = text_.substr(sign + 1);
        made.or_equal = limit.starts_with('=');
        if (made.or_equal) limit.remove_prefix(1);
        read_figure(made, trimmed(text_.substr(0, sign)));
        read_limit(made, trimmed(limit));
        return made;
    }

  private:
    [[noreturn]] void refuse() const {
        fail_option(std::string(option_), std::string(text_), requirement_forms);
    }

    static std::string_view trimmed(std::string_view text) noexcept {
        while (text.starts_with(' ')) text.remove_prefix(1);
        while (text.ends_with(' ')) text.remove_suffix(1);
        return text;
    }

    void read_figure(requirement& made, std::string_view name) const {
        if (name == "max") {
            made.figure = required_figure::largest;
        } else if (name == "mean") {
            made.figure = required_figure::mean;
        } else if (name == "errors") {
            made.figure = required_figure::errors;
        } else if (name == "rate") {
            made.figure = required_figure::rate;
        } else {
            if (!name.starts_with('p')) refuse();
            const auto percentile = parse_number(name.substr(1));
            if (!percentile || *percentile < 0 || *percentile >= 100) refuse();
            made.figure = required_figure::percentile;
            made.percentile = *percentile;
        }
    }

    void read_limit(requirement& made, std::string_view text) const {
        if (made.figure == required_figure::errors && text.ends_with('%')) {
            const auto percent = parse_number(text.substr(0, text.size() - 1));
            if (!percent || *percent < 0 || *percent > 100) refuse();
            made.figure = required_figure::error_share;
            made.limit = *percent / 100.0;
        } else if (made.figure == required_figure::errors) {
            const auto count = find_count(text);
            if (!count) refuse();
            made.limit = static_cast<double>(*count);
        } else if (made.figure == required_figure::rate) {
            const auto per_second = find_rate(text);
            if (!per_second || !(per_second->per_second > 0)) refuse();
            made.limit = per_second->per_second;
        } else {
            const auto time = find_duration(text);
            if (!time) refuse();
            made.limit = static_cast<double>(time->count());
        }
    }

    std::string_view option_;
    std::string_view text_;
};

/// A figure of a result, or why it has none.
struct found_figure {
    std::optional<double> value;
    std::string printed;
};

[[nodiscard]] inline found_figure time_figure(double nanoseconds) {
    return {nanoseconds, format_duration(std::chrono::nanoseconds(std::llround(nanoseconds)))};
}

[[nodiscard]] inline found_figure time_of(const requirement& required, const result& measured) {
    auto times = measured.distributions.find("response_time");
    if (times == measured.distributions.end()) times = measured.distributions.find("service_time");
    if (times == measured.distributions.end() || times->second.values.count() == 0) {
        return {std::nullopt, "not available: no operation has a time"};
    }
    const histogram& values = times->second.values;
    if (required.figure == required_figure::largest) return time_figure(static_cast<double>(values.max()));
    if (required.figure == required_figure::mean) return time_figure(values.mean());
    const auto found = times->second.percentile(required.percentile);
    if (found) return time_figure(static_cast<double>(*found));
    return {std::nullopt, "not available: " + format_count(values.count()) + " operations are too few for it"};
}

/// What a requirement of errors looks at, of so many operations that have ended; nothing where it is a share of
/// none.
[[nodiscard]] inline std::optional<double> error_figure(const requirement& required, std::int64_t failed,
                                                        std::int64_t succeeded) {
    const auto errors = static_cast<double>(failed);
    if (required.figure == required_figure::errors) return errors;
    if (failed + succeeded == 0) return std::nullopt;
    return errors / static_cast<double>(failed + succeeded);
}

[[nodiscard]] inline found_figure figure_of(const requirement& required, const result& measured) {
    const std::int64_t failed = measured.counter("failed");
    switch (required.figure) {
        case required_figure::errors:
            return {error_figure(required, failed, 0), format_count(failed)};
        case required_figure::error_share: {
            const auto share = error_figure(required, failed, measured.counter("succeeded"));
            if (!share) return {std::nullopt, "not available: no operation has ended"};
            return {share, format_number(std::round(*share * 1e6) / 1e4) + "%"};
        }
        case required_figure::rate:
            if (!measured.rate) return {std::nullopt, "not available"};
            return {*measured.rate, format_rate(*measured.rate)};
        case required_figure::percentile:
        case required_figure::largest:
        case required_figure::mean:
            break;
    }
    return time_of(required, measured);
}

}  // namespace detail

/// Reads what a result must not be: a figure, <, <=, > or >=, and a limit. The figures are p with a percentile
/// below 100, max and mean (limits with a unit of time), errors (a count, or a share with %) and rate (per
/// second): "p99>50ms", "p99.9>=1s", "errors>0.1%", "errors>10", "rate<1k". Fails by the name of `option`
/// otherwise.
[[nodiscard]] inline requirement parse_requirement(std::string_view option, std::string_view text) {
    return detail::requirement_reader(option, text).read();
}

/// Reads what must hold of a result, in the same words: "p99<10ms", "errors<0.1%". It is the requirement that
/// is broken where this does not hold.
[[nodiscard]] inline requirement parse_slo(std::string_view option, std::string_view text) {
    requirement held = parse_requirement(option, text);
    held.above = !held.above;
    held.or_equal = !held.or_equal;
    return held;
}

/// Why a result does not meet a requirement, as a sentence with its figure; nothing where it does. A figure
/// that is not available, such as a percentile of too few operations, meets none.
///
///     if (const auto why = bk::broken(bk::parse_requirement("p99", "p99>50ms"), r)) std::cerr << *why << '\n';
[[nodiscard]] inline std::optional<std::string> broken(const requirement& required, const result& measured) {
    const detail::found_figure found = detail::figure_of(required, measured);
    if (found.value && !required.fails_at(*found.value)) return std::nullopt;
    const std::string name = required.text.substr(0, required.text.find_first_of(" <>"));
    return required.text + ": " + name + " is " + found.printed;
}

}  // namespace benchkit::inline v0_1
