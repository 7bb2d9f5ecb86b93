#include "reporting.hpp"

#include <array>
#include <cstddef>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/report/ab.hpp>
#include <benchkit/report/httpress.hpp>
#include <benchkit/report/text.hpp>
#include <benchkit/report/wrk.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/scalars.hpp>

#include "exit_code.hpp"
#include "files.hpp"
#include "output.hpp"

namespace cli {

namespace {

/// Whether an answer came at all, whatever it said.
bool answered(const benchkit::result& measured) {
    for (const char* name : {"succeeded", "failed.status", "failed.assertion"}) {
        if (measured.counter(name) > 0) return true;
    }
    return false;
}

std::string first_error(const benchkit::result& measured) {
    const std::string sentence = benchkit::find_text(measured.attributes, "first_error");
    return sentence.empty() ? "no request was answered" : sentence;
}

}  // namespace

report_format parse_format(const std::string& flag, const std::string& name) {
    constexpr std::array<std::string_view, 5> names{"text", "ab", "httpress", "wrk", "json"};
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (names[index] == name) return static_cast<report_format>(index);
    }
    benchkit::fail_option(flag, name, "allowed is text, ab, httpress, wrk or json");
}

benchkit::result read_result(const std::string& flag, const std::string& path) {
    const std::string text = read_file(flag, path);
    try {
        benchkit::result saved = benchkit::read_json(text);
        benchkit::check(saved);
        return saved;
    } catch (const benchkit::error& problem) {
        benchkit::fail_option(flag, path, problem.what());
    }
}

void print_report(const benchkit::result& measured, report_format format) {
    switch (format) {
        case report_format::text:
            return print(benchkit::report::text(measured));
        case report_format::ab:
            return print(benchkit::report::ab(measured));
        case report_format::httpress:
            return print(benchkit::report::httpress(measured));
        case report_format::wrk:
            return print(benchkit::report::wrk(measured));
        case report_format::json:
            return print(benchkit::to_json(measured));
    }
}

void print_warnings(const benchkit::result& measured, report_format format) {
    // Where nothing was answered there is one thing to say, and `judge_run` says it.
    if (format == report_format::text || (measured.kind == "load" && !answered(measured))) return;
    for (const benchkit::diagnostic& one : measured.diagnostics) {
        if (one.severity == benchkit::severity::note) continue;
        complain(std::string(to_string(one.severity)) + ": " + one.message);
    }
    std::string doubt;
    if (format == report_format::ab) doubt = benchkit::report::ab_warnings(measured);
    if (format == report_format::wrk) doubt = benchkit::report::wrk_warnings(measured);
    if (doubt.empty()) return;
    doubt.pop_back();  // its line end
    complain(doubt);
}

int judge_run(const benchkit::result& measured) {
    if (measured.interrupted) {
        return 128 + static_cast<int>(benchkit::find_integer(measured.attributes, "signal").value_or(0));
    }
    if (benchkit::find_text(measured.attributes, "ended_by") == "abort-on") {
        complain("the run was ended by its errors: " + std::to_string(measured.counter("failed")) + " of " +
                 std::to_string(measured.counter("started")) + " failed, " +
                 std::to_string(measured.counter("failed.canceled")) +
                 " of them when it was ended; the first: " + first_error(measured));
        return exit_code::failed;
    }
    if (!answered(measured)) {
        complain("nothing could be measured: " + first_error(measured));
        return exit_code::nothing_measured;
    }
    if (benchkit::find_text(measured.attributes, "ended_by") == "first-error") {
        complain("the run ended at its first error, as ab's does without -r: " + first_error(measured));
        return exit_code::failed;
    }
    return exit_code::done;
}

int judge_requirements(const benchkit::result& measured, const std::vector<benchkit::requirement>& requirements,
                       int code) {
    bool met = true;
    for (const benchkit::requirement& each : requirements) {
        const auto why = benchkit::broken(each, measured);
        if (!why) continue;
        complain("not met: " + *why);
        met = false;
    }
    return met || code != exit_code::done ? code : int{exit_code::failed};
}

}  // namespace cli
