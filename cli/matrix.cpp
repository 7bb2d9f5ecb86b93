#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/http/expect_json.hpp>
#include <benchkit/load/matrix.hpp>
#include <benchkit/load/parse_matrix_row.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/requirement.hpp>

#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS
#include <benchkit/http/tls.hpp>
#endif

#include "command.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "load_plan.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "reporting.hpp"

namespace cli {

namespace {

struct list_item {
    std::string text;
    std::size_t column = 1;  // where it begins
};

/// What stands between commas.
std::vector<list_item> split_list(const std::string& text) {
    std::vector<list_item> items;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        items.push_back({text.substr(begin, end - begin), begin + 1});
        begin = end + 1;
    }
    return items;
}

/// Refuses what begins at this column of an option's value.
[[noreturn]] void refuse_at(const value_option& option, const std::string& text, std::size_t column,
                            const std::string& problem) {
    benchkit::fail_option(option.flag(), text, "at column " + std::to_string(column) + ", " + problem);
}

/// Runs a matrix. Throws `benchkit::error` only for what the user can mend.
benchkit::result measure(const std::vector<benchkit::matrix_target>& targets,
                         const std::vector<benchkit::matrix_row>& rows,
                         const benchkit::matrix_options& options) {
    try {
        return benchkit::matrix(targets, rows, options);
    } catch (const benchkit::error& problem) {
        // Without an option it is no wrong usage: books that do not balance, for instance.
        if (problem.option().empty()) throw std::runtime_error(problem.what());
        throw;
    }
}

std::string progress_text(const benchkit::matrix_progress& progress) {
    return "run " + benchkit::format_count(progress.run) + " of " + benchkit::format_count(progress.runs) +
           ": " + progress.target + ", " + progress.row + ", " +
           benchkit::format_count(progress.load.succeeded + progress.load.failed) + " done";
}

/// Holds each target in each row to the requirements.
int judge_cells(const benchkit::result& whole, const std::vector<benchkit::requirement>& requirements,
                int code) {
    bool met = true;
    for (const benchkit::result& row : whole.children) {
        for (const benchkit::result& target : row.children) {
            if (target.children.empty()) continue;  // the end came before
            for (const benchkit::requirement& each : requirements) {
                const auto why = benchkit::broken(each, target);
                if (!why) continue;
                complain("not met by " + target.name + " in " + row.name + ": " + *why);
                met = false;
            }
        }
    }
    return met || code != exit_code::done ? code : int{exit_code::failed};
}

/// benchkit matrix --target NAME=URL...
class matrix_command final : public command {
  public:
    explicit matrix_command(CLI::App& program)
        : command(program, "matrix",
                  "Load several targets in turns, over connections and keep-alive, and compare") {
        app().add_flag("--reset-on-close", reset_on_close_,
                       "close with a reset, which leaves no port in TIME_WAIT");
        app().add_flag("--insecure", insecure_, "accept any certificate of an https URL's peer");
        app().add_flag("--quiet", quiet_, "no progress and no warnings on standard error");
        name_flag("target", target_.flag());
        name_flag("row", row_.flag());
        name_flag("clients", connections_.flag());
        name_flag("operations", requests_.flag());
        name_flag("duration", duration_.flag());
        name_flag("shards", shards_.flag());
        name_flag("scale", scale_.flag());
        name_flag("repeats", repeat_.flag());
        name_flag("warmup", warmup_.flag());
        name_flag("pause", pause_.flag());
        name_flag("timeout", timeout_.flag());
        name_flag("connect_timeout", connect_timeout_.flag());
        name_flag("header", header_.flag());
        name_flag("source", source_.flag());
        name_flag("expect", expect_.flag());
        name_flag("json", expect_.flag());
        name_flag("ca_file", ca_file_.flag());
        app().footer(
            "Rows are those of -c and --keepalive, each with -n or -d and -t; or those of --row, such as\n"
            "c=100,n=1000000,t=12,keepalive=no, where what is left out is that of -n, -d and -t; or, with\n"
            "--rows seed, the six of the published comparison of Drogon and Nginx, of which --scale 0.01 "
            "sends\n"
            "a hundredth of the requests. With neither -n nor -d a run takes 10s.\n"
            "Rounds are outermost; in each round each row takes all targets, in an order in which each comes\n"
            "first equally often: AB BA BA AB. The ratios are those beside the first target. Every target "
            "must\n"
            "answer once before anything is measured.");
    }

  private:
    int run() override { return from_.given() ? reprint() : measure_and_report(); }

    // Prints a saved result.
    int reprint() {
        refuse_all_but({from_.option(), format_.option(), fail_if_.option(), app().get_option("--quiet")});
        const report_format format = wanted_format();
        const std::vector<benchkit::requirement> requirements = wanted_requirements();
        const benchkit::result saved = read_result(from_.flag(), from_.text());
        if (saved.kind != "matrix") {
            benchkit::fail_option(from_.flag(), from_.text(),
                                  "this is the result of a " + saved.kind + "; benchkit load --from prints it");
        }
        print_report(saved, format);
        if (!quiet_) print_warnings(saved, format);
        return judge_cells(saved, requirements, exit_code::done);
    }

    int measure_and_report() {
        const report_format format = wanted_format();
        const std::vector<benchkit::requirement> requirements = wanted_requirements();
        const std::vector<benchkit::matrix_row> rows = wanted_rows();
        const std::vector<benchkit::matrix_target> targets = wanted_targets();
        std::optional<output_file> output = output_.open_output();
        const benchkit::result measured = measure_with_progress(targets, rows);
        print_report(measured, format);
        if (!quiet_) print_warnings(measured, format);
        const int code = judge_cells(measured, requirements, judge_run(measured));
        const bool saved = !output || output->write(benchkit::to_json(measured));
        return saved ? code : after_lost_output(code);
    }

    [[nodiscard]] report_format wanted_format() const {
        if (!format_.given() || format_.text() == "text") return report_format::text;
        if (format_.text() == "json") return report_format::json;
        benchkit::fail_option(format_.flag(), format_.text(), "allowed is text or json");
    }

    [[nodiscard]] std::vector<benchkit::requirement> wanted_requirements() const {
        std::vector<benchkit::requirement> wanted;
        for (const std::string& text : fail_if_.all()) {
            wanted.push_back(benchkit::parse_requirement(fail_if_.flag(), text));
        }
        return wanted;
    }

    [[nodiscard]] std::vector<benchkit::matrix_row> wanted_rows() const {
        if (scale_.given() && !published_.given()) {
            benchkit::fail_option(scale_.flag(), scale_.text(), "this goes with " + published_.flag());
        }
        if (published_.given()) return published_rows();
        if (row_.given()) return single_rows();
        return crossed_rows();
    }

    void refuse_beside(const value_option& rows, const std::vector<const value_option*>& others) const {
        for (const value_option* other : others) {
            if (!other->given()) continue;
            benchkit::fail_option(other->flag(), other->text(), "this does not go with " + rows.flag());
        }
    }

    [[nodiscard]] std::vector<benchkit::matrix_row> published_rows() const {
        refuse_beside(published_, {&row_, &connections_, &keep_alive_, &requests_, &duration_, &shards_});
        if (published_.text() != "seed") {
            benchkit::fail_option(published_.flag(), published_.text(), "allowed is seed");
        }
        if (!scale_.given()) return benchkit::published_matrix_rows();
        const auto scale = benchkit::parse_number(scale_.text());
        if (!scale) benchkit::fail_option(scale_.flag(), scale_.text(), "allowed is a number such as 0.01");
        return benchkit::published_matrix_rows(*scale);
    }

    [[nodiscard]] std::vector<benchkit::matrix_row> single_rows() const {
        refuse_beside(row_, {&connections_, &keep_alive_});
        std::vector<benchkit::matrix_row> rows;
        for (const std::string& text : row_.all()) {
            rows.push_back(benchkit::parse_matrix_row(row_.flag(), text, common_row()));
        }
        return rows;
    }

    /// Each of the connections, with and without keep-alive.
    [[nodiscard]] std::vector<benchkit::matrix_row> crossed_rows() const {
        const std::vector<bool> kept = wanted_keep_alive();
        std::vector<benchkit::matrix_row> rows;
        for (const std::int64_t clients : wanted_connections()) {
            for (const bool keep_alive : kept) {
                rows.push_back(common_row());
                rows.back().clients = clients;
                rows.back().keep_alive = keep_alive;
            }
        }
        return rows;
    }

    [[nodiscard]] benchkit::matrix_row common_row() const {
        benchkit::matrix_row row;
        if (requests_.given()) row.operations = requests_.count(0);
        if (duration_.given()) row.duration = duration_.time({});
        row.shards = static_cast<int>(shards_.whole(1, 1024, 1));
        return row;
    }

    [[nodiscard]] std::vector<std::int64_t> wanted_connections() const {
        if (!connections_.given()) return {benchkit::matrix_row().clients};
        std::vector<std::int64_t> wanted;
        for (const list_item& item : split_list(connections_.text())) {
            const auto count = benchkit::find_count(item.text);
            if (!count || *count < 1 || *count > 1'000'000) {
                refuse_at(connections_, connections_.text(), item.column,
                          (item.text.empty() ? "a missing count" : "\"" + item.text + "\" is no count") +
                              " of 1 to 1000000 connections; allowed is a list such as 100,1000,10000");
            }
            wanted.push_back(*count);
        }
        return wanted;
    }

    [[nodiscard]] std::vector<bool> wanted_keep_alive() const {
        const std::string text = keep_alive_.given() ? keep_alive_.text() : "yes";
        if (text == "both") return {true, false};
        if (text != "yes" && text != "no") {
            benchkit::fail_option(keep_alive_.flag(), text, "allowed is yes, no or both");
        }
        return {text == "yes"};
    }

    [[nodiscard]] std::vector<benchkit::matrix_target> wanted_targets() const {
        if (!target_.given())
            benchkit::fail(target_.flag() + ": one or more are needed, as NAME=URL; or --from FILE");
        std::vector<benchkit::matrix_target> targets;
        bool some_secure = false;
        for (const std::string& text : target_.all()) {
            targets.push_back(make_target(text));
            some_secure = some_secure || targets.back().target.address().is_secure();
        }
        if (!some_secure && (ca_file_.given() || insecure_)) {
            benchkit::fail(ca_file_.flag() +
                           ", --insecure: these need a target whose URL begins with https://");
        }
        return targets;
    }

    [[nodiscard]] benchkit::matrix_target make_target(const std::string& text) const {
        const std::size_t equals = text.find('=');
        const std::size_t slash = text.find('/');
        if (equals == std::string::npos || slash < equals) {
            refuse_at(target_, text, 1,
                      "there is no name; allowed is NAME=URL, such as nginx=http://localhost:8080/");
        }
        if (equals == 0) refuse_at(target_, text, 1, "a missing name; allowed is NAME=URL");
        benchkit::http::target made = aimed_at(text, equals + 1);
        secure(made);
        benchkit::http::expectation expected;
        for (const std::string& wanted : expect_.all()) {
            benchkit::http::add_json_expectation(expected, expect_.flag(), wanted);
        }
        made.expect(std::move(expected));
        if (source_.given()) {
            std::vector<std::string> addresses;
            for (list_item& item : split_list(source_.text())) addresses.push_back(std::move(item.text));
            made.sources(std::move(addresses));
        }
        return {text.substr(0, equals), std::move(made)};
    }

    /// The target whose URL begins at this place of the option's value.
    [[nodiscard]] benchkit::http::target aimed_at(const std::string& text, std::size_t begin) const {
        benchkit::http::request request;
        for (const std::string& line : header_.all()) add_header(request, header_.flag(), line);
        benchkit::http::target_options options;
        options.timeout = timeout_.time(options.timeout);
        options.connect_timeout = connect_timeout_.time(options.connect_timeout);
        options.reset_on_close = reset_on_close_;
        try {
            return benchkit::http::target(text.substr(begin), std::move(request), options);
        } catch (const benchkit::error& problem) {
            if (problem.option() != "url") throw;
            refuse_at(target_, text, begin + 1, problem.allowed());
        }
    }

    void secure(benchkit::http::target& target) const {
        if (!target.address().is_secure() || (!ca_file_.given() && !insecure_)) return;
#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS
        target.secured_by(benchkit::http::tls({.ca_file = ca_file_.text(), .verify = !insecure_}));
#endif
    }

    [[nodiscard]] benchkit::result measure_with_progress(const std::vector<benchkit::matrix_target>& targets,
                                                         const std::vector<benchkit::matrix_row>& rows) const {
        progress_line line;
        benchkit::matrix_options options;
        if (repeat_.given()) options.repeats = repeat_.count(0);
        options.warmup = warmup_.time({});
        options.pause = pause_.time({});
        options.seed = static_cast<std::uint64_t>(seed_.whole(0, std::numeric_limits<std::int64_t>::max(), 1));
        if (!quiet_ && progress_line::wanted()) {
            options.on_progress = [&line](const benchkit::matrix_progress& progress) {
                line.show(progress_text(progress));
            };
        }
        return measure(targets, rows, options);
    }

    value_option target_{app(), "--target", "NAME=URL", "a target and what it is called; can be repeated"};
    value_option connections_{app(), "-c,--connections", "N[,N]", "clients, each on a connection (default 10)"};
    value_option keep_alive_{app(), "--keepalive", "yes|no|both",
                             "connections kept for several requests (default yes)"};
    value_option requests_{app(), "-n,--requests", "N", "end a run after this many requests"};
    value_option duration_{app(), "-d,--duration", "TIME",
                           "end a run after this time (default 10s without -n)"};
    value_option shards_{app(), "-t,--shards", "N", "threads, 1 to 1024 (default 1)"};
    value_option row_{app(), "--row", "FIELDS",
                      "a row of its own: c=100,n=1000000,t=12,keepalive=no; can be repeated"};
    value_option published_{app(), "--rows", "seed", "the six published rows"};
    value_option scale_{app(), "--scale", "X", "with --rows: X times as many requests (default 1)"};
    value_option repeat_{app(), "--repeat", "N", "rounds: runs of each target in each row (default 5)"};
    value_option warmup_{app(), "--warmup", "TIME", "before the measuring of each run (default 0)"};
    value_option pause_{app(), "--pause", "TIME", "between two runs (default 0)"};
    value_option header_{app(), "-H,--header", "HEADER", "\"Name: value\"; can be repeated"};
    value_option timeout_{app(), "--timeout", "TIME", "for a request, connecting included (default 10s)"};
    value_option connect_timeout_{app(), "--connect-timeout", "TIME", "for connecting (default 5s)"};
    value_option source_{app(), "--source", "ADDRESS[,ADDRESS]",
                         "connect from these addresses in turn: each has ports of its own"};
    value_option ca_file_{app(), "--cacert", "FILE",
                          "trust the certificates in this PEM file (default: the system's)"};
    value_option expect_{
        app(), "--expect", "WHAT",
        "right answers: status=2xx,404, body-contains=TEXT, body-length=N, json:/pointer=value"};
    value_option seed_{app(), "--seed", "N", "of random numbers (default 1)"};
    value_option fail_if_{
        app(), "--fail-if", "REQUIREMENT",
        "exit with 1 if a target in a row is so: p99>50ms, errors>0, rate<1000; can be repeated"};
    value_option format_{app(), "--format", "FORMAT", "of the report: text or json (default text)"};
    value_option output_{app(), "-o,--output", "FILE", "write the result as JSON, too"};
    value_option from_{app(), "--from", "FILE", "print a saved result instead of measuring"};
    bool reset_on_close_ = false;
    bool insecure_ = false;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<command> make_matrix(CLI::App& program) {
    return std::make_unique<matrix_command>(program);
}

}  // namespace cli
