#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/http/expect_json.hpp>
#include <benchkit/load/parse_arrivals.hpp>
#include <benchkit/report/wrk.hpp>
#include <benchkit/result/json_writer.hpp>

#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS
#include <benchkit/http/tls.hpp>
#endif

#include "command.hpp"
#include "exit_code.hpp"
#include "files.hpp"
#include "list_options.hpp"
#include "load_plan.hpp"
#include "max_rate.hpp"
#include "output.hpp"
#include "progress_line.hpp"
#include "reporting.hpp"

namespace cli {

namespace {

/// benchkit load URL
class load_command final : public command {
  public:
    explicit load_command(CLI::App& program)
        : command(program, "load", "Load a URL in a closed or an open loop and report") {
        app().add_flag("--no-keepalive", no_keep_alive_, "open a connection for each request");
        app().add_flag("--reset-on-close", reset_on_close_,
                       "close with a reset, which leaves no port in TIME_WAIT");
        app().add_flag(
            "--follow-redirects", follow_redirects_,
            "follow up to 10 redirects on the same server; a request and its redirects are one operation");
        app().add_flag("--insecure", insecure_, "accept any certificate of an https URL's peer");
        app().add_flag("-4", only_ipv4_, "IPv4 addresses only");
        app().add_flag("-6", only_ipv6_, "IPv6 addresses only");
        app().add_flag("--latency", latency_, "with --format wrk: percentiles, too");
        app().add_flag("--quiet", quiet_, "no progress and no warnings on standard error");
        name_flag("url", url_.flag());
        name_flag("clients", connections_.flag());
        name_flag("connections", connections_.flag());
        name_flag("arrivals", rate_.flag());
        name_flag("spin", spin_.flag());
        name_flag("operations", requests_.flag());
        name_flag("duration", duration_.flag());
        name_flag("timeout", timeout_.flag());
        name_flag("connect_timeout", connect_timeout_.flag());
        name_flag("think_time", think_time_.flag());
        name_flag("pipeline", pipeline_.flag());
        name_flag("method", method_.flag());
        name_flag("header", header_.flag());
        name_flag("unix_socket", unix_socket_.flag());
        name_flag("connect_to", connect_to_.flag());
        name_flag("source", source_.flag());
        name_flag("abort_on", abort_on_.flag());
        name_flag("expect", expect_.flag());
        name_flag("json", expect_.flag());
        name_flag("ca_file", ca_file_.flag());
        name_flag("certificate_file", certificate_.flag());
        name_flag("key_file", key_.flag());
        app().footer(
            "With neither -n nor -d the run takes 10s; with both, whichever comes first ends it.\n"
            "With -r it is an open loop: requests start by the schedule whether or not earlier ones have "
            "ended, and\n"
            "response times count from then. SCHEDULE is one of 5000 (at equal distances), poisson:5000,\n"
            "ramp:100..5000 (over -d), stages:100x10s,1000x30s (without -d) and trace:FILE (ascending "
            "seconds,\n"
            "one a line); rates are per second, also fractions.\n"
            "TIME is a number with a unit: 500ms, 2s, 1m, 1h. Counts may end in k or M.\n"
            "In paths, header fields and bodies, {seq} stands for the request's number, {random:1..100} for a "
            "number of\n"
            "this range, {uuid} for a random UUID and {csv:FILE:COLUMN} for a column's values in turn; {{ "
            "before a\n"
            "letter for a brace.\n"
            "The N of body-length is in bytes or has a unit, as 1KB (1024). The pointer of json: is RFC 6901's "
            "and\n"
            "ends at the first =; where a key has one, json:#/a%3Db=value, the form for URIs, means the key "
            "a=b.");
    }

  private:
    int run() override {
        if (from_.given()) return reprint();
        return max_rate_.wanted() ? find_max_rate() : load();
    }

    int find_max_rate() {
        for (const value_option* each :
             {&requests_, &duration_, &warmup_, &think_time_, &fail_if_, &abort_on_}) {
            if (each->given()) benchkit::fail(each->flag() + ": this does not go with --find-max-rate");
        }
        const report_format format = wanted_format();
        if (format != report_format::text && format != report_format::json) {
            benchkit::fail_option(format_.flag(), format_.text(),
                                  "with --find-max-rate, allowed is text or json");
        }
        const load_plan plan = make_plan();
        std::optional<output_file> output = output_.open_output();
        const benchkit::result found = max_rate_.measure(plan, {}, quiet_);
        print_report(found, format);
        const int code = max_rate_options::judge(found);
        const bool saved = !output || output->write(benchkit::to_json(found));
        return saved ? code : after_lost_output(code);
    }

    // Prints a saved result.
    int reprint() {
        refuse_all_but({from_.option(), format_.option(), fail_if_.option(), app().get_option("--latency"),
                        app().get_option("--quiet")});
        const report_format format = wanted_format();
        const std::vector<benchkit::requirement> requirements = wanted_requirements();
        benchkit::result saved = read_result(from_.flag(), from_.text());
        if (latency_) benchkit::report::keep_wrk_options(saved, {.latency = true});
        print_report(saved, format);
        if (!quiet_) print_warnings(saved, format);
        return judge_requirements(saved, requirements, exit_code::done);
    }

    int load() {
        const report_format format = wanted_format();
        const std::vector<benchkit::requirement> requirements = wanted_requirements();
        const load_plan plan = make_plan();
        validate(plan);
        std::optional<output_file> output = output_.open_output();
        benchkit::result measured = measure_with_progress(plan);
        if (latency_) benchkit::report::keep_wrk_options(measured, {.latency = true});
        print_report(measured, format);
        if (!quiet_) print_warnings(measured, format);
        const int code = judge_requirements(measured, requirements, judge_run(measured));
        const bool saved = !output || output->write(benchkit::to_json(measured));
        return saved ? code : after_lost_output(code);
    }

    [[nodiscard]] report_format wanted_format() const {
        const report_format wanted =
            format_.given() ? parse_format(format_.flag(), format_.text()) : report_format::text;
        if (latency_ && wanted != report_format::wrk) {
            benchkit::fail(
                "--latency: this goes with --format wrk; other formats show their percentiles anyway");
        }
        return wanted;
    }

    [[nodiscard]] std::vector<benchkit::requirement> wanted_requirements() const {
        std::vector<benchkit::requirement> wanted;
        for (const std::string& text : fail_if_.all()) {
            wanted.push_back(benchkit::parse_requirement(fail_if_.flag(), text));
        }
        return wanted;
    }

    [[nodiscard]] load_plan make_plan() const {
        const std::string url = url_.given() ? url_.text() : list_.first_url();
        if (url.empty()) benchkit::fail("URL: a URL to load, or --from FILE, is needed");
        const benchkit::http::request usual = make_request();
        load_plan plan{
            .target = benchkit::http::target(url, usual, target_options()), .loop = {}, .limits = {}};
        if (unix_socket_.given()) plan.target.unix_socket(unix_socket_.text());
        if (connect_to_.given()) plan.target.connect_to(connect_to_.text());
        secure(plan.target);
        benchkit::http::expectation expected;
        for (const std::string& text : expect_.all()) {
            benchkit::http::add_json_expectation(expected, expect_.flag(), text);
        }
        plan.target.expect(std::move(expected));
        list_.apply(plan.target, usual, method_.given() || body_.given());
        if (source_.given()) plan.target.sources(split_list(source_.text()));
        plan.loop.clients = connections_.count(plan.loop.clients);
        plan.loop.think_time = think_time_.time({});
        if (rate_.given()) plan.arrivals = open_schedule();
        plan.spin = spin_.time({});
        plan.follow_redirects = follow_redirects_;
        if (follow_redirects_) refuse_beside_redirects(plan);
        if (requests_.given()) plan.limits.operations = requests_.count(0);
        if (duration_.given()) plan.limits.duration = duration_.time({});
        if (drain_.given()) plan.limits.drain = drain_.time({});
        plan.limits.warmup = warmup_.time({});
        plan.shards = static_cast<int>(shards_.whole(1, 1024, 1));
        plan.seed = static_cast<std::uint64_t>(seed_.whole(0, std::numeric_limits<std::int64_t>::max(), 1));
        return plan;
    }

    void refuse_beside_redirects(const load_plan& plan) const {
        const auto refuse = [](const std::string& flag) {
            benchkit::fail("--follow-redirects and " + flag + ": only one of them can be given");
        };
        if (plan.target.list() != nullptr) refuse("a list of requests or placeholders");
        if (plan.target.options().pipeline > 1) refuse(pipeline_.flag());
        if (max_rate_.wanted()) refuse("--find-max-rate");
        const report_format format = wanted_format();
        if (format != report_format::text && format != report_format::json) {
            benchkit::fail_option(format_.flag(), format_.text(),
                                  "with --follow-redirects, allowed is text or json");
        }
    }

    [[nodiscard]] benchkit::arrivals open_schedule() const {
        if (think_time_.given()) {
            benchkit::fail(think_time_.flag() + " and " + rate_.flag() +
                           ": only one of them can be given; clients that follow a schedule do not think");
        }
        return benchkit::parse_arrivals(rate_.flag(), rate_.text());
    }

    [[nodiscard]] benchkit::http::target_options target_options() const {
        benchkit::http::target_options options;
        options.keep_alive = !no_keep_alive_;
        options.timeout = timeout_.time(options.timeout);
        options.connect_timeout = connect_timeout_.time(options.connect_timeout);
        options.pipeline = pipeline_.count(options.pipeline);
        options.reset_on_close = reset_on_close_;
        if (only_ipv4_ && only_ipv6_) benchkit::fail("-4 and -6: only one of them can be given");
        if (unix_socket_.given() && connect_to_.given()) {
            benchkit::fail(unix_socket_.flag() + " and " + connect_to_.flag() +
                           ": only one of them can be given");
        }
        if (only_ipv4_) options.family = benchkit::http::address_family::ipv4;
        if (only_ipv6_) options.family = benchkit::http::address_family::ipv6;
        return options;
    }

    void secure(benchkit::http::target& target) const {
        if (!ca_file_.given() && !certificate_.given() && !key_.given() && !insecure_) return;
#if defined(BENCHKIT_WITH_TLS) && BENCHKIT_WITH_TLS
        target.secured_by(benchkit::http::tls({.ca_file = ca_file_.text(),
                                               .certificate_file = certificate_.text(),
                                               .key_file = key_.text(),
                                               .verify = !insecure_}));
#else
        static_cast<void>(target);
        benchkit::fail(ca_file_.flag() + ", " + certificate_.flag() + ", " + key_.flag() +
                       ", --insecure: this program was built without TLS");
#endif
    }

    // A body makes a POST of it, unless there is a method.
    [[nodiscard]] benchkit::http::request make_request() const {
        benchkit::http::request request(method_.given() ? method_.text() : (body_.given() ? "POST" : "GET"));
        for (const std::string& line : header_.all()) add_header(request, header_.flag(), line);
        if (!body_.given()) return request;
        const std::string text = body_.text();
        request.body(text.starts_with('@') ? read_file(body_.flag(), text.substr(1)) : text);
        return request;
    }

    [[nodiscard]] static std::vector<std::string> split_list(const std::string& text) {
        std::vector<std::string> parts;
        for (std::size_t begin = 0; begin <= text.size();) {
            const std::size_t end = std::min(text.find(',', begin), text.size());
            parts.push_back(text.substr(begin, end - begin));
            begin = end + 1;
        }
        return parts;
    }

    [[nodiscard]] benchkit::requirement error_limit() const {
        try {
            return benchkit::parse_requirement(abort_on_.flag(), abort_on_.text());
        } catch (const benchkit::error&) {
            benchkit::fail_option(abort_on_.flag(), abort_on_.text(), benchkit::detail::error_limit_forms);
        }
    }

    [[nodiscard]] benchkit::result measure_with_progress(const load_plan& plan) const {
        progress_line line;
        benchkit::load_options options;
        if (abort_on_.given()) options.abort_on = error_limit();
        if (!quiet_ && progress_line::wanted()) {
            options.on_progress = [&line](const benchkit::load_progress& progress) { line.show(progress); };
        }
        return measure(plan, options);
    }

    value_option url_{app(), "URL", "", "what to load, such as http://localhost:8080/path"};
    value_option connections_{app(), "-c,--connections", "N", "clients, each on a connection (default 10)"};
    value_option requests_{app(), "-n,--requests", "N", "end after this many requests"};
    value_option duration_{app(), "-d,--duration", "TIME", "end after this time (default 10s without -n)"};
    value_option rate_{app(), "-r,--rate", "SCHEDULE",
                       "start requests by a schedule: an open loop (see below)"};
    value_option spin_{app(), "--spin", "TIME",
                       "keep the processor this long before a start instead of sleeping (default 0)"};
    value_option method_{app(), "-X,--method", "METHOD", "method (default GET, with a body POST)"};
    value_option header_{app(), "-H,--header", "HEADER", "\"Name: value\"; can be repeated"};
    value_option body_{app(), "-b,--body", "TEXT|@FILE", "body of the request"};
    list_options list_{app()};
    max_rate_options max_rate_{app()};
    value_option pipeline_{app(), "-p,--pipeline", "N", "requests in flight on each connection (default 1)"};
    value_option unix_socket_{app(), "--unix-socket", "PATH",
                              "connect to this Unix socket, whatever the URL's host"};
    value_option connect_to_{app(), "--connect-to", "HOST:PORT", "connect there, whatever the URL's host"};
    value_option source_{app(), "--source", "ADDRESS[,ADDRESS]",
                         "connect from these addresses in turn: each has ports of its own"};
    value_option ca_file_{app(), "--cacert", "FILE",
                          "trust the certificates in this PEM file (default: the system's)"};
    value_option certificate_{app(), "--cert", "FILE", "certificate to show to the peer, PEM"};
    value_option key_{app(), "--key", "FILE", "its key, PEM (default: in the file of --cert)"};
    value_option shards_{app(), "-t,--shards", "N", "threads, 1 to 1024 (default 1)"};
    value_option timeout_{app(), "--timeout", "TIME", "for a request, connecting included (default 10s)"};
    value_option connect_timeout_{app(), "--connect-timeout", "TIME", "for connecting (default 5s)"};
    value_option warmup_{app(), "--warmup", "TIME", "before the measuring, beside -d and -n (default 0)"};
    value_option drain_{app(), "--drain", "TIME",
                        "for what is in flight at the end of -d (default: the timeout)"};
    value_option seed_{app(), "--seed", "N", "of random numbers (default 1)"};
    value_option think_time_{app(), "--think-time", "TIME",
                             "between an answer and the next request (default 0)"};
    value_option expect_{
        app(), "--expect", "WHAT",
        "right answers: status=2xx,404, body-contains=TEXT, body-length=N, json:/pointer=value"};
    value_option fail_if_{app(), "--fail-if", "REQUIREMENT",
                          "exit with 1 if the result is so: p99>50ms, errors>0.1%, rate<1000; can be repeated"};
    value_option abort_on_{app(), "--abort-on", "ERRORS", "end the run, with 1, at: errors>50% or errors>100"};
    value_option format_{app(), "--format", "FORMAT",
                         "of the report: text, ab, httpress, wrk or json (default text)"};
    value_option output_{app(), "-o,--output", "FILE", "write the result as JSON, too"};
    value_option from_{app(), "--from", "FILE", "print a saved result in any format instead of loading"};
    bool no_keep_alive_ = false;
    bool reset_on_close_ = false;
    bool insecure_ = false;
    bool follow_redirects_ = false;
    bool only_ipv4_ = false;
    bool only_ipv6_ = false;
    bool latency_ = false;
    bool quiet_ = false;
};

}  // namespace

std::unique_ptr<command> make_load(CLI::App& program) {
    return std::make_unique<load_command>(program);
}

}  // namespace cli
