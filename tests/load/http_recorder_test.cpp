#include <benchkit/load/http_recorder.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <string_view>

namespace bk = benchkit;
namespace http = benchkit::http;
using bk::detail::http_recorder;
using bk::detail::operation;
using namespace std::chrono_literals;

namespace {

bk::time_point at(std::chrono::nanoseconds since_start) {
    return bk::time_point(since_start);
}

struct nothing {
    void on_head(const http::response_head&) {}
    void on_body(std::string_view) {}
};

// A parser that has read this answer.
http::response_parser answered(std::string_view bytes) {
    http::response_parser parser;
    nothing handler;
    std::size_t consumed = 0;
    parser.start(false);
    REQUIRE(parser.consume(bytes, consumed, handler) == http::parse_status::complete);
    return parser;
}

const std::string_view ok_three = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc";
const std::string_view ok_four = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcd";
const std::string_view unavailable = "HTTP/1.1 503 Busy\r\nContent-Length: 3\r\n\r\nbad";

// Sent 2 ms, first byte 5 ms and ended 6 ms after `start`.
void record(http_recorder& books, const operation& own, bk::time_point connected_at, bk::time_point start,
            const http::response_parser& parsed) {
    books.answered(own, connected_at, start + 2ms, http::answer{parsed, start + 5ms, start + 6ms, true, false},
                   true);
}

operation started_at(bk::time_point start, bool warm_up = false) {
    operation own;
    own.start = start;
    own.active = true;
    own.warm_up = warm_up;
    return own;
}

}  // namespace

TEST_CASE("an answer is counted by status, and its times are those between its events") {
    std::atomic<std::int64_t> length = -1;
    http_recorder books(length, true);
    const operation own = started_at(at(1s));
    record(books, own, at(1s + 1ms), at(1s), answered(ok_three));
    record(books, own, at(1s + 1ms), at(1s), answered(unavailable));
    CHECK(books.measured.statuses[200] == 1);
    CHECK(books.measured.statuses[503] == 1);
    CHECK(books.measured.kept_alive == 2);
    CHECK(books.processing_time.count() == 2);
    CHECK(books.processing_time.max() == 5'000'000);  // from the connection to the end
    CHECK(books.first_byte_time.max() == 3'000'000);  // from the last byte sent
    REQUIRE(books.records.size() == 2);
    CHECK(books.records[0].start == at(1s));
    CHECK(books.records[0].connect == 1ms);
    CHECK(books.records[0].processing == 5ms);
    CHECK(books.records[0].waiting == 3ms);
    bk::counters written;
    books.measured.write(written, "");
    CHECK(written.at("status.200") == 1);
    CHECK(written.at("status.503") == 1);
    CHECK_FALSE(written.contains("status.404"));
}

TEST_CASE("the shards of a run compare lengths with the one answer that came first") {
    std::atomic<std::int64_t> length = -1;
    http_recorder first(length, false), second(length, false);
    const operation own = started_at(at(1s));
    record(first, own, own.start, own.start, answered(ok_three));
    CHECK(length == 3);
    record(second, own, own.start, own.start, answered(ok_four));
    record(second, own, own.start, own.start, answered(ok_three));
    record(first, own, own.start, own.start, answered(ok_four));
    CHECK(length == 3);
    CHECK(first.measured.length_differs == 1);
    CHECK(second.measured.length_differs == 1);
    CHECK(first.records.empty());
}

TEST_CASE("of the warm-up, answers and connections are counted, nothing is timed or compared") {
    std::atomic<std::int64_t> length = -1;
    http_recorder books(length, true);
    const operation own = started_at(at(0s), true);
    http::connect_outcome connected;
    connected.resolve_time = 4ms;
    connected.connect_time = 1ms;
    books.connected(own, connected);
    record(books, own, at(1ms), at(0s), answered(ok_three));
    books.books_of(own).traffic.requests_sent = 1;
    CHECK(length == -1);
    CHECK(books.warm_up.connections_opened == 1);
    CHECK(books.warm_up.statuses[200] == 1);
    CHECK(books.connect_time.count() + books.resolve_time.count() == 0);
    CHECK(books.processing_time.count() + books.first_byte_time.count() == 0);
    CHECK(books.records.empty());
    bk::counters written;
    books.measured.write(written, "");
    books.warm_up.write(written, "warmup.");
    CHECK(written.at("requests_sent") == 0);
    CHECK(written.at("warmup.requests_sent") == 1);
    CHECK(written.at("warmup.status.200") == 1);
    CHECK(written.at("connections_opened") == 0);
}

TEST_CASE("a connect that failed opened nothing and has no time, but the look-up before it has") {
    std::atomic<std::int64_t> length = -1;
    http_recorder books(length, false);
    const operation own = started_at(at(1s));
    http::connect_outcome outcome;
    outcome.resolve_time = 4ms;
    outcome.connect_time = 1ms;
    outcome.failure = http::failure{bk::cause::connect, {}, {}};
    books.connected(own, outcome);
    CHECK(books.measured.connections_opened == 0);
    CHECK(books.connect_time.count() == 0);
    CHECK(books.resolve_time.max() == 4'000'000);
    outcome.failure.reset();
    outcome.resolve_time.reset();
    books.connected(own, outcome);
    CHECK(books.measured.connections_opened == 1);
    CHECK(books.connect_time.max() == 1'000'000);
    CHECK(books.resolve_time.count() == 1);
}
