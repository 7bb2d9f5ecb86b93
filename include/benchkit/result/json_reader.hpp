#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/json_syntax.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/stats/histogram_codec.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Where a reader is, as a path such as `children[2].counters.failed`; it becomes a text only where one is
/// needed.
struct json_place {
    const json_place* parent = nullptr;
    std::string_view name;
    std::optional<std::size_t> index;

    [[nodiscard]] std::string text() const {
        std::string path = parent == nullptr ? std::string() : parent->text();
        if (index) return path + '[' + std::to_string(*index) + ']';
        if (!path.empty() && !name.empty()) path += '.';
        return path.append(printable(name));
    }
};

[[noreturn]] inline void refuse(const json_place& place, std::string_view problem) {
    const std::string path = place.text();
    fail("This is no result that can be read: " + (path.empty() ? "the file" : path) + ' ' +
         std::string(problem) + '.');
}

/// Fails where the text is not JSON at all.
[[noreturn]] inline void refuse_text(std::string_view text, simdjson::error_code problem) {
    std::string sentence = "This is no result that can be read: it is not JSON";
    if (const auto flaw = find_json_flaw(text)) {
        fail(sentence + " at " + line_and_column(text, flaw->offset) + ", where " + flaw->expected +
             " is expected.");
    }
    fail(sentence + " (" + simdjson::error_message(problem) + ").");
}

/// A value of JSON and where it stands. Each function fails, by the place, where the value is not what is asked
/// for.
class json_value {
  public:
    using element = simdjson::dom::element;

    json_value(element value, const json_place& place) : value_(value), place_(place) {}

    [[nodiscard]] bool is_null() const { return value_.is_null(); }

    [[nodiscard]] std::string string() const {
        std::string_view text;
        if (value_.get(text) != simdjson::SUCCESS) refuse(place_, "has to be a string");
        return std::string(text);
    }

    [[nodiscard]] bool truth() const {
        bool truth = false;
        if (value_.get(truth) != simdjson::SUCCESS) refuse(place_, "has to be true or false");
        return truth;
    }

    [[nodiscard]] std::int64_t integer() const {
        std::int64_t integer = 0;
        if (value_.get(integer) != simdjson::SUCCESS) refuse(place_, "has to be a whole number of 64 bits");
        return integer;
    }

    /// A number; `null` is what JSON has for one that is not finite.
    [[nodiscard]] double number() const {
        double number = std::numeric_limits<double>::quiet_NaN();
        if (!is_null() && value_.get(number) != simdjson::SUCCESS) refuse(place_, "has to be a number or null");
        return number;
    }

    [[nodiscard]] std::optional<double> maybe_number() const {
        return is_null() ? std::nullopt : std::optional(number());
    }

    [[nodiscard]] std::optional<std::int64_t> maybe_integer() const {
        return is_null() ? std::nullopt : std::optional(integer());
    }

    /// Any scalar. A whole number beyond 64 bits of sign becomes a real one.
    [[nodiscard]] attribute scalar() const {
        switch (value_.type()) {
            case simdjson::dom::element_type::BOOL:
                return truth();
            case simdjson::dom::element_type::INT64:
                return integer();
            case simdjson::dom::element_type::STRING:
                return string();
            case simdjson::dom::element_type::UINT64:
            case simdjson::dom::element_type::DOUBLE:
            case simdjson::dom::element_type::NULL_VALUE:
                return number();
            default:
                refuse(place_, "has to be a string, a number, true, false or null");
        }
    }

    /// Calls `visit(key, value)` for each member of an object; not at all for `null`.
    template <class Visit>
    void each_member(const Visit& visit) const {
        simdjson::dom::object object;
        if (is_null()) return;
        if (value_.get(object) != simdjson::SUCCESS) refuse(place_, "has to be an object");
        for (const auto member : object) {
            const json_place place{&place_, member.key, std::nullopt};
            visit(member.key, json_value(member.value, place));
        }
    }

    /// Calls `visit(value)` for each element of an array; not at all for `null`.
    template <class Visit>
    void each_element(const Visit& visit) const {
        simdjson::dom::array array;
        if (is_null()) return;
        if (value_.get(array) != simdjson::SUCCESS) refuse(place_, "has to be an array");
        std::size_t index = 0;
        for (const element child : array) {
            const json_place place{&place_, {}, index++};
            visit(json_value(child, place));
        }
    }

    [[noreturn]] void refuse_value(std::string_view problem) const { refuse(place_, problem); }

  private:
    element value_;
    const json_place& place_;
};

inline void read(const json_value& json, attributes& into) {
    json.each_member(
        [&](std::string_view key, const json_value& value) { into[std::string(key)] = value.scalar(); });
}

inline void read(const json_value& json, counters& into) {
    json.each_member(
        [&](std::string_view key, const json_value& value) { into[std::string(key)] = value.integer(); });
}

/// What JSON says of a histogram beside its encoding.
struct stated_figures {
    std::optional<std::int64_t> count;
    std::optional<std::int64_t> min;
    std::optional<std::int64_t> max;
    std::optional<uint128> sum;
};

inline void read_histogram(const json_value& json, const std::string& encoded, const stated_figures& stated,
                           histogram& into) {
    auto decoded = decode_histogram(encoded);
    if (!decoded) json.refuse_value("has to have a histogram in the base64 form of HdrHistogram V2");
    into = *std::move(decoded);
    if (stated.count.value_or(into.count()) != into.count())
        json.refuse_value("has another count than its histogram");
    const bool restored = into.restore(stated.min.value_or(into.min()), stated.max.value_or(into.max()),
                                       stated.sum.value_or(into.sum()));
    if (!restored) json.refuse_value("has a min, max or sum that contradicts its histogram");
}

inline void read(const json_value& json, distribution& into) {
    stated_figures stated;
    std::string encoded;
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "unit") into.unit = value.string();
        if (key == "count") stated.count = value.maybe_integer();
        if (key == "min") stated.min = value.maybe_integer();
        if (key == "max") stated.max = value.maybe_integer();
        if (key == "histogram") encoded = value.string();
        if (key != "sum") return;
        stated.sum = parse_uint128(value.string());
        if (!stated.sum) value.refuse_value("has to be a whole number of 128 bits, as a string");
    });
    read_histogram(json, encoded, stated, into.values);
}

inline void read(const json_value& json, sample_set& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "unit") into.unit = value.string();
        if (key != "values") return;
        value.each_element([&](const json_value& sample) { into.values.push_back(sample.number()); });
    });
}

inline void read(const json_value& json, series_point& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "t") into.t = value.number();
        if (key == "succeeded") into.succeeded = value.integer();
        if (key == "failed") into.failed = value.integer();
        if (key == "p50") into.p50 = value.maybe_integer();
        if (key == "p99") into.p99 = value.maybe_integer();
    });
}

inline void read(const json_value& json, time_series& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "interval_seconds") into.interval_seconds = value.number();
        if (key != "points") return;
        value.each_element([&](const json_value& point) { read(point, into.points.emplace_back()); });
    });
}

inline void read(const json_value& json, std::optional<interval>& into) {
    if (json.is_null()) return;
    std::size_t count = 0;
    std::array<double, 2> ends{};
    json.each_element([&](const json_value& end) {
        if (count < ends.size()) ends[count] = end.number();
        ++count;
    });
    if (count != ends.size()) json.refuse_value("has to be two numbers, from low to high");
    into = interval{ends[0], ends[1]};
}

inline void read(const json_value& json, outlier_counts& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "low_severe") into.low_severe = value.integer();
        if (key == "low_mild") into.low_mild = value.integer();
        if (key == "high_mild") into.high_mild = value.integer();
        if (key == "high_severe") into.high_severe = value.integer();
    });
}

inline void read(const json_value& json, sample_summary& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "count") into.count = value.integer();
        if (key == "mean") into.mean = value.maybe_number();
        if (key == "stddev") into.stddev = value.maybe_number();
        if (key == "min") into.min = value.maybe_number();
        if (key == "q1") into.q1 = value.maybe_number();
        if (key == "median") into.median = value.maybe_number();
        if (key == "q3") into.q3 = value.maybe_number();
        if (key == "max") into.max = value.maybe_number();
        if (key == "mad") into.mad = value.maybe_number();
        if (key == "outliers") read(value, into.outliers);
        if (key == "median_interval") read(value, into.median_interval);
        if (key == "mean_interval") read(value, into.mean_interval);
    });
}

inline void read(const json_value& json, mann_whitney_test& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "u") into.u = value.number();
        if (key == "p") into.p = value.number();
    });
}

inline void read(const json_value& json, hodges_lehmann_shift& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "shift") into.shift = value.number();
        if (key == "interval") read(value, into.interval);
    });
}

/// The enumerator of this name among the first `count`.
template <class Enumeration>
[[nodiscard]] Enumeration read_name(const json_value& json, std::size_t count) {
    const std::string name = json.string();
    for (std::size_t index = 0; index < count; ++index) {
        if (to_string(static_cast<Enumeration>(index)) == name) return static_cast<Enumeration>(index);
    }
    std::string allowed;
    for (std::size_t index = 0; index < count; ++index) {
        allowed += index == 0 ? "" : index + 1 == count ? " or " : ", ";
        allowed += to_string(static_cast<Enumeration>(index));
    }
    json.refuse_value("has to be " + allowed);
}

template <class Content>
void read_maybe(const json_value& json, std::optional<Content>& into) {
    if (!json.is_null()) read(json, into.emplace());
}

inline void read(const json_value& json, comparison& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "ratio") into.ratio = value.maybe_number();
        if (key == "interval") read(value, into.interval);
        if (key == "confidence") into.confidence = value.number();
        if (key == "mann_whitney") read_maybe(value, into.mann_whitney);
        if (key == "hodges_lehmann") read_maybe(value, into.hodges_lehmann);
        if (key == "verdict") into.verdict = read_name<verdict>(value, verdict_count);
        if (key == "basis") into.basis = value.string();
        if (key == "base") read(value, into.base_summary);
        if (key == "new") read(value, into.new_summary);
    });
}

inline void read(const json_value& json, run_resources& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "user_seconds") into.user_seconds = value.number();
        if (key == "system_seconds") into.system_seconds = value.number();
        if (key == "max_rss_bytes") into.max_rss_bytes = value.integer();
        if (key == "voluntary_switches") into.voluntary_switches = value.integer();
        if (key == "involuntary_switches") into.involuntary_switches = value.integer();
        if (key == "wall_seconds") into.wall_seconds = value.number();
    });
}

inline void read(const json_value& json, diagnostic& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "code") into.code = value.string();
        if (key == "severity") into.severity = read_name<severity>(value, severity_count);
        if (key == "message") into.message = value.string();
    });
}

template <class Named>
void read_named(const json_value& json, Named& into) {
    json.each_member([&](std::string_view key, const json_value& value) {
        typename Named::mapped_type content;
        read(value, content);
        into.insert_or_assign(std::string(key), std::move(content));
    });
}

template <class List>
void read_list(const json_value& json, List& into) {
    json.each_element([&](const json_value& value) { read(value, into.emplace_back()); });
}

inline void read_started_at(const json_value& json, result& into) {
    const auto moment = parse_timestamp(json.string());
    if (!moment) json.refuse_value("has to be a time such as 2026-01-31T12:00:00Z");
    into.started_at = *moment;
}

inline void read(const json_value& json, result& into);

inline void read_member(std::string_view key, const json_value& value, result& into) {
    if (key == "name") into.name = value.string();
    if (key == "kind") into.kind = value.string();
    if (key == "parameters") read(value, into.parameters);
    if (key == "environment") read(value, into.environment);
    if (key == "attributes") read(value, into.attributes);
    if (key == "started_at") read_started_at(value, into);
    if (key == "elapsed_seconds") into.elapsed_seconds = value.number();
    if (key == "rate") into.rate = value.maybe_number();
    if (key == "interrupted") into.interrupted = value.truth();
    if (key == "counters") read(value, into.counters);
    if (key == "distributions") read_named(value, into.distributions);
    if (key == "samples") read_named(value, into.samples);
    if (key == "series") read_maybe(value, into.series);
    if (key == "records") read_list(value, into.records);
    if (key == "comparisons") read_list(value, into.comparisons);
    if (key == "children") read_list(value, into.children);
    if (key == "resources") read_maybe(value, into.resources);
    if (key == "diagnostics") read_list(value, into.diagnostics);
}

/// Refuses what is no result of ours before anything in it is taken for one.
inline void require_result(const json_value& json) {
    std::optional<std::string> schema;
    bool named = false;
    bool of_a_kind = false;
    json.each_member([&](std::string_view key, const json_value& value) {
        if (key == "schema") schema = value.string();
        named = named || key == "name";
        of_a_kind = of_a_kind || key == "kind";
    });
    const std::string needed = "has to have \"schema\": \"" + std::string(result_schema) + "\"";
    if (!schema) json.refuse_value(needed);
    if (*schema != result_schema) json.refuse_value(needed + ", not \"" + printable(*schema) + "\"");
    if (!named || !of_a_kind) json.refuse_value("has to have a name and a kind");
}

inline void read(const json_value& json, result& into) {
    require_result(json);
    json.each_member([&](std::string_view key, const json_value& value) { read_member(key, value, into); });
}

}  // namespace detail

/// Restores a result from its JSON (`to_json`): all that any report shows of it, to the last byte. Keys that
/// are not known are skipped and keys that are missing leave their default, save schema, name and kind. Fails
/// with a sentence that says what is wrong and where. Any text may be given: a file is not trusted, and nothing
/// of it is checked against the books (`check` does).
[[nodiscard]] inline result read_json(std::string_view text) {
    simdjson::dom::parser parser;
    simdjson::dom::element root;
    const simdjson::error_code problem = parser.parse(simdjson::padded_string(text)).get(root);
    if (problem != simdjson::SUCCESS) detail::refuse_text(text, problem);
    const detail::json_place place;
    result restored;
    detail::read(detail::json_value(root, place), restored);
    return restored;
}

}  // namespace benchkit::inline v0_1
