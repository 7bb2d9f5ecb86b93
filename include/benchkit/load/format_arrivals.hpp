#pragma once

#include <array>
#include <charconv>
#include <string>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/arrivals.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// A rate in plain digits as far as it is one that is allowed: "100000", not "1e+05".
[[nodiscard]] inline std::string plain_rate(rate value) {
    const double per_second = value.per_second;
    const bool usual = per_second == 0 || (per_second >= 1e-6 && per_second <= 1e9);
    if (!usual) return format_number(per_second);
    std::array<char, 32> text;  // the longest has 17 digits after "0.00000"
    const auto written =
        std::to_chars(text.data(), text.data() + text.size(), per_second, std::chars_format::fixed);
    return std::string(text.data(), written.ptr);
}

struct arrivals_formatter {
    std::string operator()(const constant& kind) const { return plain_rate(kind.rate); }
    std::string operator()(const poisson& kind) const { return "poisson:" + plain_rate(kind.rate); }

    std::string operator()(const ramp& kind) const {
        return "ramp:" + plain_rate(kind.from) + ".." + plain_rate(kind.to);
    }

    std::string operator()(const stages& kind) const {
        std::string text = "stages:";
        for (const stages::stage& each : kind.list()) {
            if (text.back() != ':') text += ',';
            text += plain_rate(each.rate) + "x" + exact_duration(each.duration);
        }
        return text;
    }

    std::string operator()(const trace& kind) const {
        if (!kind.file().empty()) return "trace:" + kind.file();
        return "trace of " + std::to_string(kind.list()->size()) + " times";
    }
};

}  // namespace detail

/// An arrival process in the form that `parse_arrivals` reads back: "5000", "poisson:5000", "ramp:100..5000",
/// "stages:100x10s,1000x30s", "trace:FILE". Only a trace that comes from no file has no such form: it is "trace
/// of 3 times".
[[nodiscard]] inline std::string format_arrivals(const arrivals& process) {
    return std::visit(detail::arrivals_formatter(), process.kind());
}

}  // namespace benchkit::inline v0_1
