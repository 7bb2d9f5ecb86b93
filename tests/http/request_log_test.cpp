#include <benchkit/http/request_log.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/file_text.hpp"
#include "support/scratch_folder.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::int64_t now_us() {
    return std::chrono::duration_cast<std::chrono::microseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

http::logged_request request(std::int64_t number) {
    http::logged_request line;
    line.number = number;
    line.connection = 7;
    line.on_connection = 2;
    line.at = bk::clock::now();
    line.answered_at = line.at + 1500us;
    line.method = "GET";
    line.path = "/hello";
    line.outcome = "200";
    line.connection_is = "kept";
    return line;
}

constexpr const char* head = "# at_us number connection request method path outcome after_us connection_is\n";

}  // namespace

TEST_CASE("a line tells of a request, with the time of day") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    const std::int64_t before = now_us();
    http::request_log log(path, 1);
    log.begin();
    log.add(0, request(3));
    log.flush();
    const std::int64_t after = now_us();
    const std::string text = tests::file_text(path);
    REQUIRE(text.starts_with(head));
    std::istringstream line(text.substr(std::string(head).size()));
    std::int64_t at = 0;
    std::string rest;
    line >> at;
    std::getline(line, rest);
    CHECK(rest == " 3 7 2 GET /hello 200 1500 kept");
    CHECK(at >= before - 2);  // two clocks are read, one after the other
    CHECK(at <= after + 2);
    CHECK(log.problem().empty());
    CHECK(log.path() == path);
}

TEST_CASE("lines of several threads stay whole, and none is lost at the end") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    constexpr int shards = 4;
    constexpr std::int64_t each = 5'000;  // several pages of each
    {
        http::request_log log(path, shards);
        log.begin();
        std::vector<std::jthread> threads;
        for (int shard = 0; shard < shards; ++shard) {
            threads.emplace_back([&log, shard] {
                for (std::int64_t k = 0; k < each; ++k) log.add(shard, request(shard * each + k + 1));
            });
        }
    }
    std::istringstream lines(tests::file_text(path));
    std::string line;
    std::getline(lines, line);
    std::vector<bool> seen(shards * each + 1);
    while (std::getline(lines, line)) {
        std::istringstream fields(line);
        std::int64_t at = 0;
        std::size_t number = 0;
        std::string rest;
        fields >> at >> number;
        std::getline(fields, rest);
        CHECK(rest == " 7 2 GET /hello 200 1500 kept");
        REQUIRE(number < seen.size());
        seen[number] = true;
    }
    int missing = 0;
    for (std::size_t number = 1; number < seen.size(); ++number) missing += seen[number] ? 0 : 1;
    CHECK(missing == 0);
}

TEST_CASE("a file that cannot be written is refused by name, a full disk is said") {
    CHECK_THROWS_WITH_AS(http::request_log("/nowhere/log", 1),
                         "log = /nowhere/log: this file cannot be written: No such file or directory",
                         bk::error);
    http::request_log log("/dev/full", 1);
    log.begin();
    log.add(0, request(1));
    log.flush();
    CHECK(log.problem() == "No space left on device");
}

TEST_CASE("a file is emptied when the log begins, once, and left as it was where it does not") {
    tests::scratch_folder folder;
    const std::string kept = folder.file("kept");
    const std::string fresh = folder.file("fresh");
    std::ofstream(kept) << "as it was\n";
    {
        const http::request_log never(kept, 1);
        const http::request_log neither(fresh, 1);
    }
    CHECK(tests::file_text(kept) == "as it was\n");
    CHECK_FALSE(std::ifstream(fresh).good());
    http::request_log log(kept, 1);
    log.begin();
    CHECK(tests::file_text(kept) == head);
    log.add(0, request(1));
    log.begin();
    log.flush();
    CHECK(tests::file_text(kept).size() > std::string(head).size());
}
