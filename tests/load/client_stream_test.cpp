#include <benchkit/load/client_stream.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/exec/run.hpp>
#include <benchkit/load/http_recorder.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using bk::detail::operation;
using bk::detail::request_times;
using namespace std::chrono_literals;

namespace {

// Begins `left` operations and remembers what became of each.
struct owner {
    explicit owner(std::int64_t operations) : left(operations) {}
    bool begin(operation& next) {
        if (left == 0) return false;
        --left;
        next.active = true;
        next.start = bk::time_point(std::chrono::nanoseconds(++begun));
        return true;
    }
    [[nodiscard]] bool is_head(const operation&) const { return false; }
    [[nodiscard]] bool chooses() const { return false; }
    [[nodiscard]] std::string_view choose(operation&, std::string&) { return {}; }
    bool needs_body() const { return true; }
    bk::detail::http_books& books_of(const operation&) { return books; }
    void on_head(const http::response_head&) {}
    bool answered(operation& own, const request_times& times, const http::answer&, std::string_view) {
        own.active = false;
        ends.push_back("answer " + std::to_string(own.start.time_since_epoch().count()) + " sent at " +
                       std::to_string(times.sent_at.time_since_epoch().count()));
        return true;
    }
    void lost(operation& own, bk::time_point, const bk::detail::operation_failure& failure) {
        own.active = false;
        ends.push_back(std::string(to_string(failure.cause)) + " " +
                       std::to_string(own.start.time_since_epoch().count()));
    }

    std::int64_t left;
    std::int64_t begun = 0;
    std::int64_t answers = 0;
    bk::detail::http_books books;
    std::vector<std::string> ends;
};

bk::time_point at(int nanoseconds) {
    return bk::time_point(std::chrono::nanoseconds(nanoseconds));
}

template <std::size_t Depth>
void with_stream(owner& told, const std::string& repeated,
                 const std::function<void(bk::detail::client_stream<owner>&)>& use) {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::connector connector(shard, http::parse_url("url", "http://127.0.0.1/"));
        http::connection connection(shard, connector, 10s, 5s);
        std::array<operation, Depth> operations;
        std::array<request_times, Depth> times;
        bk::detail::client_stream<owner> stream(told, connection, operations, times, repeated, told.answers);
        use(stream);
        co_return;
    });
}

http::response_parser ended() {
    struct nobody {
        void on_head(const http::response_head&) {}
        void on_body(std::string_view) {}
    } handler;
    http::response_parser parser;
    std::size_t consumed = 0;
    REQUIRE(parser.consume("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", consumed, handler) ==
            http::parse_status::complete);
    return parser;
}

}  // namespace

TEST_CASE("a pipeline is kept full, and each request has the time at which its own last byte was sent") {
    owner told(4);
    with_stream<3>(told, "abcdabcdabcd", [&](bk::detail::client_stream<owner>& stream) {
        stream.fill();
        CHECK(stream.output() == "abcdabcdabcd");
        CHECK(stream.awaited() == 0);
        stream.on_sent(6, at(10));
        CHECK(stream.output() == "cdabcd");
        CHECK(stream.awaited() == 2);
        CHECK(stream.sending());
        stream.on_sent(6, at(20));
        CHECK(stream.awaited() == 3);
        CHECK_FALSE(stream.sending());
        CHECK(told.books.traffic.requests_sent == 3);
        CHECK(told.books.traffic.bytes_sent == 12);
        const http::response_parser parsed = ended();
        CHECK(stream.on_answer(http::answer{parsed, at(30), at(30), true, false}));
        CHECK(stream.output() == "abcd");  // the fourth
        stream.on_sent(4, at(40));
        for (int left = 3; left > 0; --left) {
            CHECK(stream.on_answer(http::answer{parsed, at(50), at(50), true, false}) == (left > 1));
        }
        CHECK(stream.empty());
    });
    CHECK(told.answers == 4);
    CHECK(told.ends == std::vector<std::string>{"answer 1 sent at 10", "answer 2 sent at 20",
                                                "answer 3 sent at 20", "answer 4 sent at 40"});
}

TEST_CASE("of a connection that dies the oldest request has the cause, the others are lost with it") {
    owner told(3);
    with_stream<3>(told, "xxx", [&](bk::detail::client_stream<owner>& stream) {
        stream.fill();
        stream.on_sent(2, at(10));
        stream.lose({bk::cause::receive, "connection_reset", "receive"}, at(20));
        CHECK(stream.empty());
        CHECK(stream.output().empty());
        CHECK(stream.awaited() == 0);
    });
    CHECK(told.answers == 0);
    CHECK(told.ends == std::vector<std::string>{"receive 1", "connection_lost 2", "connection_lost 3"});
}
