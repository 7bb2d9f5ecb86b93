#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>

namespace benchkit::inline v0_1::http {

/// A time in which a server begins no answer, on none of its threads: once or again and again, counted from the
/// first request. What would have been answered then is answered at its end.
class stall {
  public:
    /// Once, from `start` on, for `length` (more than 0).
    [[nodiscard]] static stall at(duration start, duration length) {
        if (start < start.zero()) fail_option("stall", format_duration(start), "a stall begins at 0 or later");
        return {start, {}, length};
    }

    /// From each whole multiple of `period` on (not from 0), for `length`, which is more than 0 and less than
    /// the period.
    [[nodiscard]] static stall every(duration period, duration length) {
        if (length >= period) {
            fail_option("stall", format_duration(length), "a stall is shorter than the time between two");
        }
        return {period, period, length};
    }

    /// When an answer that is due at `time` after the first request may leave: then, or at the end of the stall
    /// in which that lies.
    [[nodiscard]] std::chrono::nanoseconds end_of(std::chrono::nanoseconds time) const noexcept {
        if (time < start_) return time;
        const auto since = period_.count() == 0 ? time - start_ : (time - start_) % period_;
        return since < length_ ? time + (length_ - since) : time;
    }

    /// Whether it comes again and again.
    [[nodiscard]] bool repeats() const noexcept { return period_.count() != 0; }

  private:
    stall(std::chrono::nanoseconds start, std::chrono::nanoseconds period, std::chrono::nanoseconds length)
        : start_(start), period_(period), length_(length) {
        if (length.count() <= 0) fail_option("stall", format_duration(length), "a stall is longer than 0");
        // So that no sum of times overflows.
        if (length > std::chrono::hours(24 * 365)) {
            fail_option("stall", format_duration(length), "a stall is at most a year long");
        }
    }

    std::chrono::nanoseconds start_;
    std::chrono::nanoseconds period_;  // 0: there is only one
    std::chrono::nanoseconds length_;
};

/// Reads a stall: "at=4s,for=1s" or "every=10s,for=1s". Fails by the name of `option` where `text` is anything
/// else.
[[nodiscard]] inline stall parse_stall(std::string_view option, std::string_view text) {
    const auto refuse = [&] {
        fail_option(
            std::string(option), std::string(text),
            "allowed is at=TIME,for=TIME or every=TIME,for=TIME with a shorter time behind for, such as "
            "at=4s,for=1s or every=10s,for=1s");
    };
    const bool once = text.starts_with("at=");
    if (!once && !text.starts_with("every=")) refuse();
    const std::string_view rest = text.substr(once ? 3 : 6);
    constexpr std::string_view separator = ",for=";
    const std::size_t place = rest.find(separator);
    if (place == std::string_view::npos) refuse();
    const auto start = find_duration(rest.substr(0, place));
    const auto length = find_duration(rest.substr(place + separator.size()));
    if (!start || !length || length->count() <= 0 || *length > std::chrono::hours(24 * 365)) refuse();
    if (!once && *length >= *start) refuse();
    return once ? stall::at(*start, *length) : stall::every(*start, *length);
}

}  // namespace benchkit::inline v0_1::http
