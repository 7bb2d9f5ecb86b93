#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <benchkit/core/number.hpp>
#include <benchkit/report/text.hpp>
#include <benchkit/result/json_writer.hpp>

#include "ab_run.hpp"
#include "command.hpp"
#include "embedded_server.hpp"
#include "files.hpp"
#include "output.hpp"
#include "reporting.hpp"

namespace cli {

namespace {

/// The published run of DataFlux Func that the demo repeats.
constexpr std::int64_t published_clients = 10;
constexpr std::int64_t published_requests = 5'000;

struct figure {
    const char* label;
    const char* published;  // in the words of ab, which rounds
    int digits;             // of what is measured here
    double here;
};

double milliseconds_at(const benchkit::result& measured, double percentile) {
    const benchkit::distribution* times = measured.find_distribution("service_time");
    return times == nullptr ? 0 : static_cast<double>(times->values.value_at_percentile(percentile)) * 1e-6;
}

std::array<figure, 9> figures_of(const benchkit::result& measured) {
    const double seconds = measured.elapsed_seconds;
    const double rate = measured.rate.value_or(0);
    const auto count = [&](const char* name) { return static_cast<double>(measured.counter(name)); };
    const double mean = rate > 0 ? 1e3 / rate : 0;
    const double received = seconds > 0 ? count("bytes_received") / 1024 / seconds : 0;
    return {{{"complete requests", "5000", 0, count("succeeded")},
             {"failed requests", "0", 0, count("failed")},
             {"seconds in all", "4.694", 3, seconds},
             {"requests per second", "1065.17", 2, rate},
             {"ms per request, mean", "9.388", 3, mean * static_cast<double>(published_clients)},
             {"ms per request, across all clients", "0.939", 3, mean},
             {"Kbytes per second received", "633.60", 2, received},
             {"ms, 50 % served within", "9", 3, milliseconds_at(measured, 50)},
             {"ms, 99 % served within", "15", 3, milliseconds_at(measured, 99)}}};
}

std::string padded(const std::string& text, std::size_t width) {
    return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string table_of(const benchkit::result& measured) {
    std::string table = "\n" + padded("published", 50) + padded("here", 14) + "\n";
    for (const figure& each : figures_of(measured)) {
        std::string label = std::string("  ") + each.label;
        label.resize(38, ' ');
        table += label + padded(each.published, 12) +
                 padded(benchkit::format_fixed(each.here, each.digits), 14) + "\n";
    }
    return table +
           "\npublished: the function platform DataFlux Func on an AMD Ryzen 5 7530U; here: the embedded\n"
           "server, which only answers. The table shows the same measurement, not which of them is faster.\n\n";
}

/// A new file in the folder for temporary files.
std::string temporary_file() {
    const char* const folder = getenv("TMPDIR");
    std::string path =
        std::string(folder == nullptr || *folder == '\0' ? "/tmp" : folder) + "/benchkit-demo-XXXXXX.json";
    const int descriptor = mkstemps(path.data(), 5);
    if (descriptor < 0) benchkit::fail("there is no place for a temporary file; name one with -o/--output");
    close(descriptor);
    return path;
}

/// benchkit demo
class demo_command final : public command {
  public:
    explicit demo_command(CLI::App& program)
        : command(program, "demo",
                  "Measure the embedded server over real sockets, as DataFlux Func was measured") {
        app().footer(
            "Runs benchkit ab -c 10 -n 5000 -k against the embedded server. It takes a few seconds at most.");
    }

  private:
    int run() override {
        const std::string path = output_.given() ? output_.text() : temporary_file();
        output_file output(output_.flag(), path);
        const auto server = make_server({});
        server->start();
        const std::string url = server->url(hello_world_path);
        print(
            "An embedded server and 10 clients in this process, over real sockets:\n  benchkit ab -c 10 -n "
            "5000 -k " +
            url + "\n\n");
        load_plan plan{.target = ab_target(url, {}, true, std::chrono::seconds(30)), .loop = {}, .limits = {}};
        plan.loop.clients = published_clients;
        plan.limits.operations = published_requests;
        const benchkit::result measured = run_ab(plan, {}, false);
        print(table_of(measured));
        print(benchkit::report::text(measured));
        const int code = judge_run(measured);
        if (!output.write(benchkit::to_json(measured))) return after_lost_output(code);
        print("\nThe result as JSON: " + path + "\n  benchkit load --from " + path + " --format ab\n");
        return code;
    }

    value_option output_{app(), "-o,--output", "FILE", "write the result as JSON (default: a temporary file)"};
};

}  // namespace

std::unique_ptr<command> make_demo(CLI::App& program) {
    return std::make_unique<demo_command>(program);
}

}  // namespace cli
