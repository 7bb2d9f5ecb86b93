#include <benchkit/load/matrix_run.hpp>

#include <chrono>
#include <csignal>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/http/server.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

/// Two servers, as targets.
struct two_servers {
    two_servers() {
        one.route("/", "one").start();
        two.route("/", "two").start();
    }

    [[nodiscard]] std::vector<bk::matrix_target> targets() const {
        return {{"one", http::target(one.url())}, {"two", http::target(two.url())}};
    }

    http::server one;
    http::server two;
};

bk::result run(const std::vector<bk::matrix_target>& targets, const std::vector<bk::matrix_row>& rows,
               const bk::matrix_options& options) {
    return bk::detail::matrix_run(targets, rows, options).run();
}

}  // namespace

TEST_CASE("a signal in a run ends the matrix, with what was measured") {
    two_servers servers;
    const bk::matrix_options options{.on_progress = [](const bk::matrix_progress& progress) {
        if (progress.run == 3 && progress.load.started > 0) std::raise(SIGINT);
    }};
    const bk::result whole = run(servers.targets(), {{.clients = 2, .duration = 300ms}}, options);
    CHECK(whole.interrupted);
    CHECK(bk::find_integer(whole.attributes, "signal") == SIGINT);
    CHECK(bk::find_integer(whole.attributes, "runs") == 3);
    CHECK(whole.children[0].children[0].samples.at("rate").values.size() == 1);
    CHECK(whole.children[0].children[1].children.size() == 2);
    CHECK(bk::find_text(whole.attributes, "ended_by") == "interrupt");
}

TEST_CASE("a signal between two runs ends the pause") {
    two_servers servers;
    const bk::time_point start = bk::clock::now();
    const bk::matrix_options options{.pause = 100s, .on_progress = [](const bk::matrix_progress& progress) {
                                         // The last call comes when the run is over.
                                         if (progress.load.succeeded == 10) std::raise(SIGTERM);
                                     }};
    const bk::result whole = run(servers.targets(), {{.clients = 1, .operations = 10}}, options);
    CHECK(whole.interrupted);
    CHECK(bk::find_integer(whole.attributes, "signal") == SIGTERM);
    CHECK(whole.counter("succeeded") == 10);
    CHECK(bk::clock::now() - start < 50s);
}
