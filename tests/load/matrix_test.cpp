#include <benchkit/load/matrix.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include <benchkit/http/server.hpp>
#include <benchkit/report/matrix.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;
namespace http = benchkit::http;

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

}  // namespace

TEST_CASE("every target gets every row in every round, in the balanced order, and counts as many requests") {
    two_servers servers;
    std::vector<std::string> order;
    std::int64_t last_run = 0;
    const std::vector<bk::matrix_row> rows{{.clients = 4, .operations = 40},
                                           {.clients = 2, .operations = 20, .shards = 2, .keep_alive = false}};
    const bk::result whole = bk::matrix(servers.targets(), rows,
                                        {.repeats = 4, .on_progress = [&](const bk::matrix_progress& progress) {
                                             if (progress.run == last_run) return;
                                             last_run = progress.run;
                                             CHECK(progress.runs == 16);
                                             CHECK(progress.round == (progress.run - 1) / 4 + 1);
                                             order.push_back(progress.row.substr(0, 3) + " " + progress.target);
                                         }});
    CHECK(order == std::vector<std::string>{"c=4 one", "c=4 two", "c=2 one", "c=2 two",  //
                                            "c=4 two", "c=4 one", "c=2 two", "c=2 one",  //
                                            "c=4 two", "c=4 one", "c=2 two", "c=2 one",  //
                                            "c=4 one", "c=4 two", "c=2 one", "c=2 two"});
    CHECK(whole.counter("scheduled") == 16 * 30);
    CHECK(whole.counter("succeeded") == 16 * 30);
    CHECK(bk::report::detail::lost_requests(whole) == 0);
    // Three requests ask whether there is an answer.
    for (const http::server* server : {&servers.one, &servers.two}) CHECK(server->requests() == 4 * 60 + 3);
    const bk::result& kept = whole.children[0].children[1];
    CHECK(kept.counter("connections_opened") == 4 * 4);
    CHECK(bk::find_truth(kept.parameters, "keep_alive") == true);
    const bk::result& closed = whole.children[1].children[1];
    CHECK(closed.counter("connections_opened") == 4 * 20);
    CHECK(bk::find_truth(closed.parameters, "keep_alive") == false);
    CHECK(bk::find_integer(closed.parameters, "shards") == 2);
    CHECK(closed.comparisons.at(0).confidence == 0.875);
    CHECK(bk::find_integer(closed.children.at(3).parameters, "round") == 4);
    CHECK(closed.children.at(3).environment.empty());
    CHECK(bk::find_number(kept.attributes, "client_busy_share").has_value());
    // The servers are in this process: their time cannot be told from the client's.
    CHECK_FALSE(bk::find_number(kept.attributes, "server_busy_share").has_value());
    CHECK_FALSE(whole.interrupted);
    CHECK(bk::find_text(whole.attributes, "ended_by") == "count");
}

TEST_CASE("nothing is measured where a target does not answer, or not as it should") {
    two_servers servers;
    const std::string gone = [] {
        http::server server;
        server.start();
        return server.url();
    }();
    const bk::result silent = bk::matrix(
        {{"one", http::target(servers.one.url())}, {"gone", http::target(gone)}}, {{.operations = 10}});
    CHECK(silent.counter("scheduled") == 0);
    CHECK(bk::find_text(silent.attributes, "ended_by") == "no-answer");
    CHECK(bk::find_text(silent.attributes, "first_error").starts_with("gone: connect 127.0.0.1:"));
    CHECK(bk::report::matrix(silent).find("gone: connect 127.0.0.1:") != std::string::npos);
    const bk::result wrong =
        bk::matrix({{"two", http::target(servers.two.url("/nowhere"))}}, {{.operations = 10}});
    CHECK(bk::find_text(wrong.attributes, "first_error") == "two: status 404");
}
