#include <benchkit/http/server.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "support/file_text.hpp"
#include "support/raw_client.hpp"
#include "support/scratch_folder.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// Sees each answer as a client does.
class wire : public tests::raw_client {
  public:
    explicit wire(const http::server& server) : raw_client(server.port()) { REQUIRE(is_connected()); }
    explicit wire(const std::string& path) : raw_client(path) { REQUIRE(is_connected()); }

    // Reads one answer: its status, or "reset", "truncated", "malformed", or "closed" before its first byte.
    std::string read_answer() {
        const std::string head = read_until("\r\n\r\n");
        if (!head.ends_with("\r\n\r\n")) return ended(head.empty(), "malformed");
        head_ = head;
        const std::size_t length = head.find("Content-Length: ");
        const bool digits =
            head.size() > 12 && head.substr(9, 3).find_first_not_of("0123456789") == std::string::npos;
        if (!head.starts_with("HTTP/1.1 ") || !digits || length == std::string::npos ||
            head.find("Content-Length: ", length + 1) != std::string::npos) {
            return "malformed";
        }
        const std::size_t size = std::stoul(head.substr(length + 16));
        return read(size).size() == size ? head.substr(9, 3) : ended(false, "truncated");
    }

    std::string get(std::string_view path = "/") {
        write(std::string("GET ").append(path) + " HTTP/1.1\r\nHost: x\r\n\r\n");
        return read_answer();
    }

    [[nodiscard]] const std::string& head() const { return head_; }

  private:
    [[nodiscard]] std::string ended(bool without_bytes, const char* with_bytes) const {
        if (is_reset()) return "reset";
        return without_bytes ? "closed" : with_bytes;
    }

    std::string head_;
};

std::string outcome_of(const http::request_fate& fate) {
    switch (fate.what) {
        case http::fault::status:
            return std::to_string(fate.status);
        case http::fault::reset:
            return "reset";
        case http::fault::truncate:
            return "truncated";
        case http::fault::malformed:
            return "malformed";
        default:
            return "200";
    }
}

struct log_line {
    std::int64_t at = 0, number = 0, connection = 0, request = 0, after = 0;
    std::string method, path, outcome, connection_is;
};

std::vector<log_line> read_log(const std::string& path) {
    std::istringstream text(tests::file_text(path));
    std::string first;
    std::getline(text, first);
    CHECK(first == "# at_us number connection request method path outcome after_us connection_is");
    std::vector<log_line> lines;
    for (log_line line; text >> line.at >> line.number >> line.connection >> line.request >> line.method >>
                        line.path >> line.outcome >> line.after >> line.connection_is;) {
        lines.push_back(line);
    }
    return lines;
}

std::map<std::string, int> outcomes(const std::vector<log_line>& lines) {
    std::map<std::string, int> counts;
    for (const log_line& line : lines) ++counts[line.outcome];
    return counts;
}

http::faults everything() {
    http::faults wrong;
    wrong.status(503, 0.1).status(429, 0.05).reset(0.05).truncate(0.05).malformed(0.05).seed(11);
    return wrong;
}

bool ends_connection(const std::string& outcome) {
    return outcome == "reset" || outcome == "truncated" || outcome == "malformed";
}

}  // namespace

TEST_CASE("on one connection after another, each request meets what its number says") {
    constexpr int requests = 1000;
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server;
    const http::faults wrong = everything();
    server.route("/", "hello").faults(wrong).log(path);
    server.start();
    auto client = std::make_unique<wire>(server);
    for (int k = 0; k < requests; ++k) {
        const std::string seen = client->get();
        REQUIRE(seen == outcome_of(wrong.fate(k)));
        if (ends_connection(seen)) client = std::make_unique<wire>(server);
    }
    client.reset();
    CHECK(server.requests() == requests);
    server.stop();
    const auto lines = read_log(path);
    REQUIRE(lines.size() == requests);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        CHECK(lines[k].number == static_cast<std::int64_t>(k) + 1);
        CHECK(lines[k].outcome == outcome_of(wrong.fate(static_cast<std::int64_t>(k))));
        CHECK(lines[k].connection_is == (ends_connection(lines[k].outcome) ? "closed" : "kept"));
        CHECK(lines[k].method == "GET");
        CHECK(lines[k].path == "/");
        if (k == 0) continue;
        const bool is_new = ends_connection(lines[k - 1].outcome);
        CHECK(lines[k].connection == lines[k - 1].connection + (is_new ? 1 : 0));
        CHECK(lines[k].request == (is_new ? 1 : lines[k - 1].request + 1));
        CHECK(lines[k].at >= lines[k - 1].at);
    }
    CHECK(server.log_problem().empty());
}

TEST_CASE("with several connections and shards, the counts are those of the numbers, and the log's") {
    constexpr int clients = 4;
    constexpr int each = 250;
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server({.shards = 2});
    const http::faults wrong = everything();
    server.route("/", "hello").faults(wrong).log(path);
    server.start();
    std::map<std::string, int> seen;
    std::mutex mutex;
    {
        std::vector<std::jthread> threads;
        for (int client = 0; client < clients; ++client) {
            threads.emplace_back([&] {
                auto connection = std::make_unique<wire>(server);
                for (int k = 0; k < each; ++k) {
                    const std::string outcome = connection->get();
                    if (ends_connection(outcome)) connection = std::make_unique<wire>(server);
                    const std::scoped_lock lock(mutex);
                    ++seen[outcome];
                }
            });
        }
    }
    server.stop();
    std::map<std::string, int> expected;
    for (int k = 0; k < clients * each; ++k) ++expected[outcome_of(wrong.fate(k))];
    CHECK(seen == expected);
    const auto lines = read_log(path);
    CHECK(outcomes(lines) == expected);
    std::set<std::int64_t> numbers, connections;
    for (const log_line& line : lines) {
        numbers.insert(line.number);
        connections.insert(line.connection);
    }
    CHECK(numbers.size() == clients * each);
    CHECK(*numbers.rbegin() == clients * each);
    CHECK(static_cast<std::int64_t>(connections.size()) == server.connections());
}

TEST_CASE("a fault keeps its request from the routes; the counters meet no fault and are not logged") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server;
    http::faults wrong;
    server
        .route("/never",
               [](const http::received_request&) -> http::reply { throw std::runtime_error("asked"); })
        .faults(wrong.status(503, 1))
        .log(path);
    server.start();
    wire client(server);
    CHECK(client.get("/never?x=1") == "503");
    CHECK(client.get("/unknown") == "503");
    CHECK(client.get("/benchkit/stats") == "200");
    client.write("HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    CHECK(client.read_all().find("503 Service Unavailable") != std::string::npos);
    server.stop();
    const auto lines = read_log(path);
    REQUIRE(lines.size() == 3);
    CHECK(lines[0].path == "/never");
    CHECK(lines[1].path == "/unknown");
    CHECK(lines[2].method == "HEAD");
    CHECK(lines[2].connection_is == "closed");
}

TEST_CASE("half of the body comes, of an answer without one half of the head") {
    http::server server;
    http::faults wrong;
    server.route("/", "0123456789").route("/empty", http::reply(204)).faults(wrong.truncate(1));
    server.start();
    wire whole(server), empty(server), head(server);
    whole.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string cut = whole.read_all();
    CHECK(cut.find("Content-Length: 10\r\n") != std::string::npos);
    CHECK(cut.ends_with("\r\n\r\n01234"));
    empty.write("GET /empty HTTP/1.1\r\nHost: x\r\n\r\n");
    const std::string half = empty.read_all();
    CHECK(half.starts_with("HTTP/1.1 204 "));
    CHECK(half.find("\r\n\r\n") == std::string::npos);
    head.write("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(head.read_all().find("\r\n\r\n") == std::string::npos);
}

TEST_CASE("after so many answers a connection is closed, and nothing has said so before") {
    http::server server;
    http::faults wrong;
    server.route("/", "hello").faults(wrong.close_after(3));
    server.start();
    for (int connection = 0; connection < 2; ++connection) {
        wire client(server);
        for (int k = 0; k < 3; ++k) {
            CHECK(client.get() == "200");
            CHECK(client.head().find("Connection:") == std::string::npos);
        }
        CHECK(client.get() == "closed");
    }
    CHECK(server.requests() == 6);
    // What was pipelined behind is neither answered nor counted.
    wire client(server);
    std::string five;
    for (int k = 0; k < 5; ++k) five += "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    client.write(five);
    for (int k = 0; k < 3; ++k) CHECK(client.read_answer() == "200");
    CHECK(client.read_answer() == "closed");
    CHECK(server.requests() == 9);
}

TEST_CASE("an answer is not there before its delay, and those before it do not wait for it") {
    http::server server;
    http::faults wrong;
    server.route("/", "hello")
        .route("/later",
               [](bk::shard& shard, const http::received_request&) -> bk::awaitable<http::reply> {
                   co_await shard.sleep_for(1ms);
                   co_return http::reply("later");
               })
        .faults(wrong.delay(http::delay::fixed(20ms)));
    server.start();
    wire client(server);
    const auto start = bk::clock::now();
    client.write(
        "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /later HTTP/1.1\r\nHost: x\r\n\r\n"
        "GET /unknown HTTP/1.1\r\nHost: x\r\n\r\n");
    CHECK(client.read_answer() == "200");
    CHECK(bk::clock::now() - start >= 20ms);
    CHECK(client.read_answer() == "200");
    CHECK(bk::clock::now() - start >= 41ms);
    CHECK(client.read_answer() == "404");
    CHECK(bk::clock::now() - start >= 61ms);
    CHECK(client.get("/benchkit/stats") == "200");
}

TEST_CASE("during a stall no shard answers, and a client sees the gap") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server({.shards = 2});
    http::faults wrong;
    server.route("/", "hello").faults(wrong.stall(http::stall::at(50ms, 200ms))).log(path);
    server.start();
    std::chrono::nanoseconds longest[2] = {};
    {
        std::vector<std::jthread> threads;
        for (auto& mine : longest) {
            threads.emplace_back([&server, &mine] {
                wire client(server);
                const auto end = bk::clock::now() + 300ms;
                for (auto now = bk::clock::now(); now < end;) {
                    CHECK(client.get() == "200");
                    const auto answered = bk::clock::now();
                    mine = std::max(mine, answered - now);
                    now = answered;
                }
            });
        }
    }
    server.stop();
    // The request that the stall holds back may itself have come late into it, on a busy machine.
    for (const auto gap : longest) CHECK(gap >= 100ms);
    const auto lines = read_log(path);
    std::int64_t first = lines.front().at;
    for (const log_line& line : lines) first = std::min(first, line.at);
    int after = 0;
    for (const log_line& line : lines) {
        // When the server has begun to answer, which for the log is whole microseconds.
        const std::int64_t answered = line.at + line.after - first;
        const bool is_held_back = line.at - first > 50'001 || line.after > 150'000;
        if (is_held_back) CHECK(answered >= 250'000 - 2);
        after += is_held_back ? 1 : 0;
    }
    CHECK(after >= 2);
}

TEST_CASE("a request without an answer at the end is logged as that") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server;
    http::faults wrong;
    server.route("/", "hello").faults(wrong.delay(http::delay::fixed(1h))).log(path);
    server.start();
    wire waiting(server), half(server);
    waiting.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    half.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhe");
    while (server.requests() < 2) std::this_thread::yield();
    server.stop();
    CHECK(outcomes(read_log(path)) == std::map<std::string, int>{{"unanswered", 2}});
}

TEST_CASE("requests that are refused after their head are logged, others are none") {
    tests::scratch_folder folder;
    const std::string path = folder.file("log");
    http::server server;
    server.route("/", "hello").log(path);
    server.start();
    wire large(server), none(server);
    large.write("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
    CHECK(large.read_answer() == "400");
    none.write("nonsense\r\n\r\n");
    CHECK(none.read_answer() == "400");
    server.stop();
    const auto lines = read_log(path);
    CHECK(outcomes(lines) == std::map<std::string, int>{{"400", 1}});
    CHECK(lines.at(0).method == "POST");
}

TEST_CASE("a server on a Unix socket answers, and takes its file away") {
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    http::server server({.unix_path = path});
    server.route("/", "hello");
    server.start();
    CHECK(server.port() == 0);
    CHECK(server.url("/x") == "http://localhost/x");
    {
        wire client(path);
        CHECK(client.get() == "200");
        CHECK(client.get("/unknown") == "404");
        client.write("GET / HTTP/1.0\r\n\r\n");
        CHECK(client.read_all().ends_with("hello"));
    }
    http::server second({.unix_path = path});
    CHECK_THROWS_WITH_AS(second.start(), doctest::Contains("somebody else listens there"), bk::error);
    server.stop();
    CHECK(access(path.c_str(), F_OK) != 0);
    second.start();
    CHECK(wire(path).get() == "404");
}

TEST_CASE("large fixed answers and small ones keep their order in a pipeline") {
    http::server server;
    const std::string large(200'000, 'x');
    server.route("/large", large).route("/small", "y");
    server.start();
    wire client(server);
    std::string requests;
    for (int k = 0; k < 40; ++k) {
        requests += std::string("GET ") + (k % 3 == 0 ? "/large" : "/small") + " HTTP/1.1\r\nHost: x\r\n" +
                    (k == 39 ? "Connection: close\r\n" : "") + "\r\n";
    }
    client.write(requests);
    const std::string all = client.read_all();
    std::size_t at = 0;
    for (int k = 0; k < 40; ++k) {
        const std::string body = k % 3 == 0 ? large : "y";
        at = all.find("\r\n\r\n", at);
        REQUIRE(at != std::string::npos);
        at += 4;
        REQUIRE(all.compare(at, body.size(), body) == 0);
        at += body.size();
    }
    CHECK(at == all.size());
}

TEST_CASE("a client that ends its side with its last request is answered, and then closed") {
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    http::server over_tcp, over_unix({.unix_path = path});
    for (http::server* const server : {&over_tcp, &over_unix}) {
        server->route("/", "hello");
        server->start();
        for (int count = 0; count < 20; ++count) {
            auto client = server == &over_tcp ? std::make_unique<wire>(*server) : std::make_unique<wire>(path);
            CHECK(client->get() == "200");
            client->write_last("GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\n\r\n");
            CHECK(client->read_answer() == "200");
            CHECK(client->read_answer() == "200");
            CHECK(client->read_all().empty());  // returns
        }
    }
}
