#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <benchkit/core/base64.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/report/ab.hpp>
#include <benchkit/report/ab_files.hpp>
#include <benchkit/result/json_writer.hpp>

#include "ab_run.hpp"
#include "command.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "output.hpp"
#include "reporting.hpp"

namespace cli {

namespace {

constexpr std::int64_t requests_within_a_time = 50'000;
constexpr std::int64_t longest_seconds = 1'000'000;

/// benchkit ab, with ab's own flags
class ab_command final : public command {
  public:
    explicit ab_command(CLI::App& program)
        : command(program, "ab", "Load a URL as ab does: ab's flags, requests and report") {
        app().add_flag("-k", keep_alive_, "keep connections alive");
        app().add_flag("-q", shown_.quiet, "no progress and no warnings on standard error");
        app().add_flag("-l", shown_.accept_any_length, "answers may differ in length");
        app().add_flag("-r", goes_on_, "go on after socket errors");
        app().add_flag("-d", no_percentiles_, "no table of percentiles");
        app().add_flag("-S", no_spread_, "neither deviation nor median");
        app().add_flag("-i", head_, "use HEAD");
        app().set_version_flag("-V,--version", std::string("benchkit ") + benchkit::version,
                               "print the version and end");
        for (const char* name : {"-w", "-I"}) hide(app().add_flag(name));
        for (const char* name : {"-b", "-v", "-x", "-y", "-z", "-X", "-P", "-B", "-Z", "-f", "-E"}) {
            hide(value_option(app(), name, "VALUE", "").option());
        }
        name_flag("url", url_.flag());
        name_flag("clients", concurrency_.flag());
        name_flag("operations", requests_.flag());
        name_flag("header", header_.flag());
        name_flag("method", method_.flag());
        app().footer(
            "Requests are HTTP/1.0, as ab's. Other flags of ab's are refused. Exit codes are benchkit's.");
    }

  private:
    void hide(const CLI::Option* option) {
        unsupported_.push_back(app().get_option(option->get_name())->group(""));
    }

    int run() override {
        for (const CLI::Option* option : unsupported_) {
            if (option->count() > 0) benchkit::fail(flag_of(*option) + ": this flag of ab's is not supported");
        }
        return from_.given() ? reprint() : load();
    }

    // Prints a saved result.
    int reprint() {
        refuse_all_but({from_.option(), app().get_option("-q")});
        const benchkit::result saved = read_result(from_.flag(), from_.text());
        print(ab_banner() + benchkit::report::ab(saved));
        if (!shown_.quiet) print_warnings(saved, report_format::ab);
        return exit_code::done;
    }

    int load() {
        const load_plan plan = make_plan();
        validate(plan.loop, plan.limits);
        std::optional<output_file> percentiles = percentiles_file_.open_output();
        std::optional<output_file> records = records_file_.open_output();
        std::optional<output_file> output = output_.open_output();
        shown_.show_percentiles = !no_percentiles_;
        shown_.show_spread = !no_spread_;
        const benchkit::result measured = run_ab(plan, shown_, records_file_.given());
        if (!shown_.quiet) print_warnings(measured, report_format::ab);
        const int code = judge_run(measured);
        const std::string csv = benchkit::report::ab_csv(measured);
        bool saved = !percentiles || csv.empty() || percentiles->write(csv);
        if (records) saved = records->write(benchkit::report::ab_gnuplot(measured)) && saved;
        if (output) saved = output->write(benchkit::to_json(measured)) && saved;
        return saved ? code : after_lost_output(code);
    }

    [[nodiscard]] load_plan make_plan() const {
        if (!url_.given()) benchkit::fail("URL: a URL to load is needed");
        const benchkit::duration timeout = std::chrono::seconds(timeout_.whole(1, longest_seconds, 30));
        load_plan plan{
            .target = ab_target(url_.text(), make_request(), keep_alive_, timeout), .loop = {}, .limits = {}};
        plan.loop.clients = concurrency_.count(1);
        plan.limits.operations = wanted_requests();
        if (time_limit_.given()) {
            plan.limits.duration = std::chrono::seconds(time_limit_.whole(1, longest_seconds, 0));
        }
        plan.limits.drain = benchkit::duration();  // as ab, which leaves what is in flight
        plan.limits.stop_at_first_error = !goes_on_;
        if (plan.loop.clients > *plan.limits.operations && *plan.limits.operations > 0) {
            benchkit::fail_option(concurrency_.flag(), std::to_string(plan.loop.clients),
                                  "Cannot use concurrency level greater than total number of requests");
        }
        return plan;
    }

    // A time limit stands for 50,000 requests, unless -n comes behind it.
    [[nodiscard]] std::int64_t wanted_requests() const {
        const std::vector<CLI::Option*>& order = app().parse_order();
        const auto last = [&order](const CLI::Option* option) {
            return std::find(order.rbegin(), order.rend(), option);
        };
        const std::int64_t requests = requests_.count(1);
        const bool limit_comes_last = last(time_limit_.option()) < last(requests_.option());
        return limit_comes_last ? requests_within_a_time : requests;
    }

    [[nodiscard]] benchkit::http::request make_request() const {
        const bool has_body = post_.given() || put_.given();
        if (head_ && (has_body || method_.given())) benchkit::fail("-i: Cannot mix HEAD with other methods");
        if (post_.given() && put_.given()) benchkit::fail("-p: Cannot mix POST with other methods");
        benchkit::http::request request(method());
        add_cookies(request);
        if (credentials_.given()) {
            request.header("Authorization", "Basic " + benchkit::base64_encode(credentials_.text()));
        }
        for (const std::string& line : header_.all()) add_header(request, header_.flag(), line);
        // Checked where it is not sent, too.
        const auto content_type = benchkit::http::parse_header_line(
            content_type_.flag(),
            "Content-Type: " + (content_type_.given() ? content_type_.text() : std::string("text/plain")));
        if (!has_body) return request;
        const value_option& file = post_.given() ? post_ : put_;
        request.body(read_file(file.flag(), file.text()));
        if (request.find_header("Content-Type") == nullptr)
            request.header(content_type.name, content_type.value);
        return request;
    }

    [[nodiscard]] std::string method() const {
        if (method_.given()) return method_.text();
        if (head_) return "HEAD";
        if (post_.given()) return "POST";
        return put_.given() ? "PUT" : "GET";
    }

    // One field for all (RFC 6265 section 5.4).
    void add_cookies(benchkit::http::request& request) const {
        std::string cookies;
        for (const std::string& cookie : cookie_.all())
            cookies.append(cookies.empty() ? "" : "; ").append(cookie);
        if (!cookies.empty()) add_header(request, cookie_.flag(), "Cookie: " + cookies);
    }

    value_option url_{app(), "URL", "", "what to load, such as http://localhost:8080/path"};
    value_option requests_{app(), "-n", "N", "requests (default 1; 50000 behind -t)"};
    value_option concurrency_{app(), "-c", "N", "clients, each on a connection (default 1)"};
    value_option time_limit_{app(), "-t", "SECONDS",
                             "end after this time; stands for -n 50000 unless -n follows"};
    value_option timeout_{app(), "-s", "SECONDS", "timeout of a request (default 30)"};
    value_option header_{app(), "-H", "HEADER", "\"Name: value\"; can be repeated"};
    value_option method_{app(), "-m", "METHOD", "method (default GET)"};
    value_option post_{app(), "-p", "FILE", "POST the content of this file"};
    value_option put_{app(), "-u", "FILE", "PUT the content of this file"};
    value_option content_type_{app(), "-T", "TYPE", "content type of the body (default text/plain)"};
    value_option cookie_{app(), "-C", "NAME=VALUE", "cookie; can be repeated"};
    value_option credentials_{app(), "-A", "USER:PASSWORD", "basic authentication"};
    value_option percentiles_file_{app(), "-e", "FILE", "write all percentiles, as CSV"};
    value_option records_file_{app(), "-g", "FILE", "write all requests, for gnuplot"};
    value_option output_{app(), "--output", "FILE", "write the result as JSON, too"};
    value_option from_{app(), "--from", "FILE", "print a saved result instead of loading"};
    std::vector<const CLI::Option*> unsupported_;
    benchkit::report::ab_options shown_;
    bool keep_alive_ = false;
    bool goes_on_ = false;
    bool no_percentiles_ = false;
    bool no_spread_ = false;
    bool head_ = false;
};

}  // namespace

std::unique_ptr<command> make_ab(CLI::App& program) {
    return std::make_unique<ab_command>(program);
}

}  // namespace cli
