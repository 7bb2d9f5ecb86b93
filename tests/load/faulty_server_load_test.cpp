#include <benchkit/load/load.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>

#include <benchkit/http/server.hpp>

#include "support/file_text.hpp"
#include "support/scratch_folder.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// What a server's log says that it has done to how many requests.
std::map<std::string, std::int64_t> outcomes_of(const std::string& path) {
    std::map<std::string, std::int64_t> counts;
    std::istringstream lines(tests::file_text(path));
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream words(line);
        std::string word;
        for (int place = 0; place < 7; ++place) words >> word;
        ++counts[word];
        ++counts["all"];
    }
    return counts;
}

struct faulty_run {
    bk::result measured;
    std::map<std::string, std::int64_t> logged;
};

faulty_run measure(const http::target_options& options, bool closes) {
    tests::scratch_folder folder;
    const std::string log = folder.file("log");
    http::server server({.shards = 2});
    http::faults faults;
    faults.seed(5).status(503, 0.01).reset(0.01).truncate(0.01).malformed(0.01).stall(
        http::parse_stall("stall", "at=50ms,for=50ms"));
    if (closes) faults.close_after(100);
    server.route("/", "hello").faults(faults).log(log);
    server.start();
    const http::target target{server.url(), options};
    bk::result r = bk::load(bk::sharded{2}, target, {.clients = 20}, {.operations = 10'000});
    server.stop();
    return {std::move(r), outcomes_of(log)};
}

}  // namespace

TEST_CASE("the books of a load balance with the log of a server that does wrong, each failure with its cause") {
    for (const bool keep_alive : {true, false}) {
        CAPTURE(keep_alive);
        auto [r, log] = measure({.keep_alive = keep_alive}, false);
        CHECK(r.counter("requests_sent") == 10'000);
        CHECK(log["all"] == 10'000);
        CHECK(r.counter("succeeded") == log["200"]);
        CHECK(r.counter("failed.status") == log["503"]);
        CHECK(r.counter("failed.closed") == log["truncated"]);
        CHECK(r.counter("failed.malformed") == log["malformed"]);
        CHECK(r.counter("failed.receive") + r.counter("failed.stale") == log["reset"]);
        CHECK(r.counter("errors.connection_reset") == log["reset"]);
        for (const char* each : {"503", "truncated", "malformed", "reset"}) {
            CHECK(log[each] > 50);  // a hundred is expected, give or take 10
            CHECK(log[each] < 150);
        }
    }
}

TEST_CASE("requests that a server never read are stale, and no more than were not answered") {
    auto [r, log] = measure({}, true);
    CHECK(r.counter("succeeded") == log["200"]);
    const std::int64_t unread = r.counter("requests_sent") - log["all"];
    CHECK(unread >= 0);
    CHECK(unread <= r.counter("failed.stale"));
    CHECK(r.counter("succeeded") + r.counter("failed") == 10'000);
}

TEST_CASE("of pipelined requests on connections that die, what is not answered is lost and told") {
    auto [r, log] = measure({.pipeline = 5}, true);
    CHECK(r.counter("succeeded") + r.counter("failed") == 10'000);
    CHECK(r.counter("succeeded") <= log["200"]);
    CHECK(r.counter("failed.malformed") <= log["malformed"]);
    CHECK(r.counter("failed.connection_lost") > 0);
    CHECK(r.counter("requests_sent") >= log["all"]);
}
