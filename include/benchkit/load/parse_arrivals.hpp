#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/read_trace.hpp>
#include <benchkit/load/validate_arrivals.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Takes the text of an arrival process apart. The pieces point into the text, so that a refusal can say where.
class arrivals_parser {
  public:
    arrivals_parser(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] arrivals parse() const {
        const std::size_t colon = text_.find(':');
        if (colon == std::string_view::npos) return constant(read_rate(text_));
        const std::string_view kind = text_.substr(0, colon);
        const std::string_view rest = text_.substr(colon + 1);
        if (kind == "poisson") return poisson(read_rate(rest));
        if (kind == "ramp") return read_ramp(rest);
        if (kind == "stages") return read_stages(rest);
        if (kind != "trace") refuse(kind, "arrival process");
        if (rest.empty()) refuse(rest, "file");
        return read_trace(option_, text_, std::string(rest));
    }

  private:
    /// `what` is what the piece should be.
    [[noreturn]] void refuse(std::string_view piece, std::string_view what) const {
        std::string problem = "at column " + std::to_string(piece.data() - text_.data() + 1);
        if (piece.empty()) {
            problem.append(", a missing ").append(what);
        } else {
            problem.append(", \"").append(piece).append("\" is no ").append(what);
        }
        problem +=
            "; allowed is a rate such as 5000, 0.5 or 2.5k, or poisson:5000, ramp:100..5000, "
            "stages:100x10s,1000x30s or trace:FILE";
        fail_option(std::string(option_), std::string(text_), std::move(problem));
    }

    [[nodiscard]] rate read_rate(std::string_view piece) const {
        const auto found = find_rate(piece);
        if (!found) refuse(piece, "rate");
        if (!is_allowed_rate(*found)) refuse(piece, "rate of 0.000001 to 1000000000 per second");
        return *found;
    }

    [[nodiscard]] rate read_rate_or_zero(std::string_view piece) const {
        const auto found = find_rate(piece);
        return found && found->per_second == 0 ? *found : read_rate(piece);
    }

    [[nodiscard]] ramp read_ramp(std::string_view rest) const {
        const std::size_t dots = rest.find("..");
        if (dots == std::string_view::npos) refuse(rest, "ramp FROM..TO");
        const ramp result(read_rate_or_zero(rest.substr(0, dots)), read_rate_or_zero(rest.substr(dots + 2)));
        if (result.from.per_second == 0 && result.to.per_second == 0) refuse(rest, "ramp with a rate above 0");
        return result;
    }

    [[nodiscard]] stages read_stages(std::string_view rest) const {
        stages result;
        bool some = false;
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            more = comma != std::string_view::npos;
            const stages::stage next = read_stage(rest.substr(0, comma));
            result.add(next.rate, next.duration);
            some = some || next.rate.per_second > 0;
            if (more) rest.remove_prefix(comma + 1);
        }
        if (!some) refuse(text_, "process with a rate above 0");
        return result;
    }

    [[nodiscard]] stages::stage read_stage(std::string_view piece) const {
        const std::size_t cross = piece.find('x');
        if (cross == std::string_view::npos) refuse(piece, "stage RATExTIME");
        const rate per_second = read_rate_or_zero(piece.substr(0, cross));
        const std::string_view length = piece.substr(cross + 1);
        const auto found = find_duration(length);
        if (!found) refuse(length, "time with a unit, such as 500ms, 10s or 1m");
        if (*found <= found->zero()) refuse(length, "time of more than 0 s");
        return {per_second, *found};
    }

    std::string_view option_;
    std::string_view text_;
};

}  // namespace detail

/// Reads an arrival process:
///
/// - `5000`, `0.5`, `2.5k`: a constant rate, as `parse_rate` takes it;
/// - `poisson:5000`: a Poisson process;
/// - `ramp:100..5000`: a ramp over the run; one of its rates may be 0;
/// - `stages:100x10s,1000x30s`: constant rates, each for a time; a rate of 0 is a pause;
/// - `trace:FILE`: a trace, as `read_trace` reads it.
///
/// Rates are 0.000001 to 1,000,000,000 per second. Fails by the name of `option` otherwise, and says at which
/// column of `text`, or at which line of the file, it went wrong.
[[nodiscard]] inline arrivals parse_arrivals(std::string_view option, std::string_view text) {
    arrivals result = detail::arrivals_parser(option, text).parse();
    // What the pieces do not show, such as stages that are too long together.
    std::string problem = std::visit(detail::arrivals_judge(), result.kind());
    if (!problem.empty()) fail_option(std::string(option), std::string(text), std::move(problem));
    return result;
}

}  // namespace benchkit::inline v0_1
