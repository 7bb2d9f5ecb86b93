#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <benchkit/core/version.hpp>
#include <benchkit/report/httpress.hpp>
#include <benchkit/result/json_writer.hpp>

#include "command.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "load_plan.hpp"
#include "output.hpp"
#include "reporting.hpp"

namespace cli {

namespace {

constexpr std::int64_t most_requests = 1'000'000'000;
constexpr std::int64_t most_connections = 1'000'000;
constexpr std::int64_t most_threads = 1024;

/// What httpress prints on standard output: the launches while they happen, the rest at the end.
class httpress_output {
  public:
    httpress_output(std::int64_t requests, bool quiet) : requests_(requests), quiet_(quiet) {}

    void launched(std::int64_t started) {
        if (quiet_) return;
        const std::string lines = benchkit::report::httpress_launches(requests_, told_, started);
        told_ = started;
        if (lines.empty()) return;
        print(lines);
        printed_ += lines.size();
    }

    void finish(const benchkit::result& measured) const {
        print(benchkit::report::httpress(measured).substr(printed_));
    }

  private:
    std::int64_t requests_;
    bool quiet_;
    std::int64_t told_ = 0;
    std::size_t printed_ = 0;
};

/// benchkit httpress, with httpress's own flags
class httpress_command final : public command {
  public:
    explicit httpress_command(CLI::App& program)
        : command(program, "httpress", "Load a URL as httpress does: its flags, requests and report") {
        app().add_flag("-k", keep_alive_, "keep connections alive");
        app().add_flag("-q", shown_.quiet, "the totals alone, and no warnings on standard error");
        app().set_version_flag("-v,--version", std::string("benchkit ") + benchkit::version,
                               "print the version and end");
        app().get_option("-z")->group("");
        name_flag("url", url_.flag());
        name_flag("clients", connections_.flag());
        name_flag("operations", requests_.flag());
        app().footer(
            "A request is a success if it is answered, whatever the status. Certificates are verified.\n"
            "-z, GnuTLS's priorities, is refused. Exit codes are benchkit's.");
    }

  private:
    int run() override {
        if (ciphers_.given()) {
            benchkit::fail(ciphers_.flag() + ": this flag of httpress's is not supported: TLS is OpenSSL's");
        }
        return from_.given() ? reprint() : load();
    }

    // Prints a saved result.
    int reprint() {
        refuse_all_but({from_.option(), app().get_option("-q")});
        benchkit::result saved = read_result(from_.flag(), from_.text());
        if (shown_.quiet) keep_httpress_options(saved, shown_);
        print_report(saved, report_format::httpress);
        if (!shown_.quiet) print_warnings(saved, report_format::httpress);
        return exit_code::done;
    }

    int load() {
        const load_plan plan = make_plan();
        validate(plan.loop, plan.limits);
        std::optional<output_file> output = output_.open_output();
        const benchkit::result measured = measure_with_launches(plan);
        if (!shown_.quiet) print_warnings(measured, report_format::httpress);
        const int code = judge_run(measured);
        const bool saved = !output || output->write(benchkit::to_json(measured));
        return saved ? code : after_lost_output(code);
    }

    [[nodiscard]] load_plan make_plan() const {
        if (!url_.given()) benchkit::fail("URL: a URL to load, or --from FILE, is needed");
        const std::int64_t requests = count_of(requests_, most_requests);
        const std::int64_t connections = count_of(connections_, most_connections);
        const std::int64_t threads = count_of(threads_, most_threads);
        require_at_most(connections_, connections, requests, "requests");
        require_at_most(threads_, threads, connections, "connections");
        benchkit::http::target_options options;
        options.keep_alive = keep_alive_;
        benchkit::http::request request;
        request.header("Connection", keep_alive_ ? "keep-alive" : "close").without_defaults();
        load_plan plan{.target = benchkit::http::target(url_.text(), std::move(request), options),
                       .loop = {},
                       .limits = {}};
        plan.loop.clients = connections;
        plan.limits.operations = requests;
        plan.shards = static_cast<int>(threads);
        return plan;
    }

    [[nodiscard]] static std::int64_t count_of(const value_option& given, std::int64_t most) {
        const std::int64_t count = given.count(1);
        if (count >= 1 && count <= most) return count;
        benchkit::fail_option(given.flag(), given.text(), "allowed is 1 to " + std::to_string(most));
    }

    static void require_at_most(const value_option& given, std::int64_t count, std::int64_t most,
                                const char* of_what) {
        if (count <= most) return;
        benchkit::fail_option(given.flag(), std::to_string(count),
                              "allowed is no more than there are " + std::string(of_what) + ", which are " +
                                  std::to_string(most));
    }

    [[nodiscard]] benchkit::result measure_with_launches(const load_plan& plan) const {
        httpress_output output(*plan.limits.operations, shown_.quiet);
        benchkit::load_options options;
        options.progress_interval = std::chrono::milliseconds(100);
        options.on_progress = [&output](const benchkit::load_progress& progress) {
            output.launched(progress.started);
        };
        benchkit::result measured = measure(plan, options);
        keep_httpress_options(measured, shown_);
        output.finish(measured);
        return measured;
    }

    value_option url_{app(), "URL", "", "what to load, such as http://localhost:8080/path"};
    value_option requests_{app(), "-n", "N", "requests (default 1)"};
    value_option threads_{app(), "-t", "N", "threads, no more than connections or 1024 (default 1)"};
    value_option connections_{app(), "-c", "N", "connections, no more than requests (default 1)"};
    value_option ciphers_{app(), "-z", "PRIORITY", ""};
    value_option output_{app(), "-o,--output", "FILE", "write the result as JSON, too"};
    value_option from_{app(), "--from", "FILE", "print a saved result instead of loading"};
    benchkit::report::httpress_options shown_;
    bool keep_alive_ = false;
};

}  // namespace

std::unique_ptr<command> make_httpress(CLI::App& program) {
    return std::make_unique<httpress_command>(program);
}

}  // namespace cli
