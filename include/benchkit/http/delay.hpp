#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/core/units.hpp>

namespace benchkit::inline v0_1::http {

/// How long a server waits before it answers: always equally long, or by a distribution. The numbers come from
/// integers alone and are the same on every machine.
class delay {
  public:
    /// Always `time`.
    [[nodiscard]] static delay fixed(duration time) { return {kind::fixed, time, time, 0}; }

    /// Each nanosecond from `shortest` to `longest`, both included, is as likely as the others.
    [[nodiscard]] static delay uniform(duration shortest, duration longest) {
        if (longest < shortest) {
            fail_option("delay", format_duration(longest), "the longest delay is at least the shortest");
        }
        return {kind::uniform, shortest, longest, 0};
    }

    /// Exponentially distributed, with this mean.
    [[nodiscard]] static delay exponential(duration mean) { return {kind::exponential, mean, mean, 0}; }

    /// Its logarithm is normally distributed: half of the delays are above `median`; the logarithm deviates by
    /// `shape`, 0 to 16. The mean is median * e^(shape^2 / 2).
    [[nodiscard]] static delay lognormal(duration median, double shape) {
        if (!(shape >= 0.0 && shape <= 16.0)) {
            fail_option("delay", format_number(shape), "the shape of a lognormal delay is from 0 to 16");
        }
        return {kind::lognormal, median, median, shape};
    }

    /// The next one by these random numbers.
    [[nodiscard]] std::chrono::nanoseconds draw(random_stream& random) const noexcept {
        switch (kind_) {
            case kind::uniform: {
                const auto width = static_cast<std::uint64_t>((second_ - first_).count()) + 1;
                return first_ + std::chrono::nanoseconds(static_cast<std::int64_t>(random.below(width)));
            }
            case kind::exponential:
                return std::chrono::nanoseconds(random.exponential(first_.count()));
            case kind::lognormal:
                return std::chrono::nanoseconds(random.lognormal(first_.count(), shape_));
            default:
                return first_;
        }
    }

  private:
    enum class kind : std::uint8_t { fixed, uniform, exponential, lognormal };

    delay(kind which, duration first, duration second, double shape)
        : kind_(which), first_(first), second_(second), shape_(shape) {
        if (first < first.zero()) fail_option("delay", format_duration(first), "a delay is 0 or more");
    }

    kind kind_;
    std::chrono::nanoseconds first_;
    std::chrono::nanoseconds second_;
    double shape_;
};

/// Reads a delay: "fixed:5ms", "uniform:1ms..9ms", "exp:5ms" (the mean) or "lognormal:5ms,0.5" (the median and
/// the shape). Fails by the name of `option` where `text` is anything else.
[[nodiscard]] inline delay parse_delay(std::string_view option, std::string_view text) {
    const auto refuse = [&] {
        fail_option(std::string(option), std::string(text),
                    "allowed is fixed:TIME, uniform:TIME..TIME with the shorter one first, exp:MEAN or "
                    "lognormal:MEDIAN,SHAPE with a shape of 0 to 16, such as exp:5ms or lognormal:5ms,0.5");
    };
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) refuse();
    const std::string_view name = text.substr(0, colon);
    const std::string_view rest = text.substr(colon + 1);
    const std::string_view separator = name == "uniform" ? ".." : name == "lognormal" ? "," : "";
    const std::size_t place = separator.empty() ? rest.size() : rest.find(separator);
    if (place == std::string_view::npos) refuse();
    const auto first = find_duration(rest.substr(0, place));
    const std::string_view second = separator.empty() ? "" : rest.substr(place + separator.size());
    if (!first) refuse();
    if (name == "fixed") return delay::fixed(*first);
    if (name == "exp") return delay::exponential(*first);
    if (name == "uniform") {
        const auto longest = find_duration(second);
        if (!longest || *longest < *first) refuse();
        return delay::uniform(*first, *longest);
    }
    const auto shape = parse_number(second);
    if (name != "lognormal" || !shape || std::signbit(*shape) || *shape > 16.0) refuse();
    return delay::lognormal(*first, *shape);
}

}  // namespace benchkit::inline v0_1::http
