#include <benchkit/http/response_parser.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "response_cases.hpp"
#include "response_feed.hpp"

using benchkit::http::body_framing;
using benchkit::http::parse_status;
using benchkit::http::response_parser;
using benchkit_test::bad_response;
using benchkit_test::bad_responses;
using benchkit_test::feed_whole;
using benchkit_test::good_response;
using benchkit_test::good_responses;
using benchkit_test::ok;
using benchkit_test::response_feed;
using benchkit_test::response_outcome;

namespace {

// The same bytes in two pieces at every place, byte by byte, and with nothing between the bytes.
std::vector<std::vector<std::string_view>> splits_of(std::string_view bytes) {
    std::vector<std::vector<std::string_view>> splits;
    for (std::size_t at = 0; at <= bytes.size(); ++at)
        splits.push_back({bytes.substr(0, at), bytes.substr(at)});
    splits.emplace_back();
    for (std::size_t at = 0; at < bytes.size(); ++at) splits.back().push_back(bytes.substr(at, 1));
    splits.emplace_back();
    for (std::size_t at = 0; at < bytes.size(); ++at) {
        splits.back().push_back(bytes.substr(at, 1));
        splits.back().push_back({});
    }
    return splits;
}

std::string joined_headers(std::string_view message) {
    return feed_whole(message).headers;
}

}  // namespace

TEST_CASE("every good response ends where it should, however it is split") {
    for (const good_response& expected : good_responses()) {
        INFO(std::string(expected.name));
        const response_outcome whole = feed_whole(expected.message, expected.to_head_request);
        CHECK(whole.status == parse_status::complete);
        CHECK(whole.heads == 1);
        CHECK(whole.code == expected.code);
        CHECK(whole.framing == expected.framing);
        CHECK(whole.body == expected.body);
        CHECK(whole.body_bytes == static_cast<std::int64_t>(expected.body.size()));
        CHECK(whole.keep_alive == expected.keep_alive);
        CHECK(whole.started);
        CHECK(whole.malformed.empty());
        for (const auto& pieces : splits_of(expected.message)) {
            response_feed feed(expected.to_head_request);
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.consumed() == expected.message.size());
            REQUIRE(feed.finish(true) == whole);
        }
    }
}

TEST_CASE("what follows a framed response is left alone, however it is split") {
    const std::string next = ok + "Content-Length: 2\r\n\r\nhi";
    for (const good_response& first : good_responses()) {
        if (first.framing == body_framing::until_close) continue;
        INFO(std::string(first.name));
        const response_outcome alone = feed_whole(first.message, first.to_head_request);
        const std::string both = first.message + next;
        for (const auto& pieces : splits_of(both)) {
            response_feed feed(first.to_head_request);
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.consumed() == first.message.size());
            REQUIRE(feed.finish(false) == alone);
        }
    }
}

TEST_CASE("ten pipelined responses come out of one buffer, and of one parser") {
    std::string all;
    for (int i = 0; i < 10; ++i) {
        all += i % 3 == 0   ? ok + "Content-Length: 1\r\n\r\n" + std::to_string(i)
               : i % 3 == 1 ? ok + "Transfer-Encoding: chunked\r\n\r\n1\r\n" + std::to_string(i) +
                                  "\r\n0\r\nX: y\r\n\r\n"
                            : "HTTP/1.1 103 x\r\n\r\nHTTP/1.1 204 x\r\n\r\n";
    }
    response_parser parser;
    std::string_view rest = all;
    std::string bodies;
    for (int i = 0; i < 10; ++i) {
        response_outcome outcome;
        std::size_t consumed = 0;
        parser.start(false);
        CHECK_FALSE(parser.started());
        REQUIRE(parser.consume(rest, consumed, outcome) == parse_status::complete);
        CHECK(parser.keep_alive());
        rest.remove_prefix(consumed);
        bodies += outcome.body + ";";
    }
    CHECK(rest.empty());
    CHECK(bodies == "0;1;;3;4;;6;7;;9;");
}

TEST_CASE("every malformed response is refused, however it is split") {
    for (const bad_response& expected : bad_responses()) {
        INFO(std::string(expected.name));
        const response_outcome whole = feed_whole(expected.message, expected.to_head_request);
        CHECK(whole.status == parse_status::malformed);
        CHECK(whole.malformed.find(expected.reason) != std::string::npos);
        CHECK_FALSE(whole.keep_alive);
        CAPTURE(whole.malformed);
        for (const auto& pieces : splits_of(expected.message)) {
            response_feed feed(expected.to_head_request);
            for (const std::string_view piece : pieces) feed.give(piece);
            REQUIRE(feed.finish(false) == whole);
        }
    }
}

TEST_CASE("a malformed response is refused at its first wrong byte, not at the end of the line") {
    for (const std::string_view begin : {"X", "HTTP/2", "HTTQ", "<"}) {
        CAPTURE(begin);
        CHECK(feed_whole(begin).status == parse_status::malformed);
    }
    CHECK(feed_whole("HTTP/1.").status == parse_status::cut);
}

TEST_CASE("a framed response is cut wherever the connection ends within it (RFC 9112 section 8)") {
    for (const good_response& each : good_responses()) {
        if (each.framing == body_framing::until_close) continue;
        INFO(std::string(each.name));
        for (std::size_t size = 0; size < each.message.size(); ++size) {
            const response_outcome outcome =
                feed_whole(std::string_view(each.message).substr(0, size), each.to_head_request);
            REQUIRE(outcome.status == parse_status::cut);
            REQUIRE(outcome.started == (size != 0));
            REQUIRE_FALSE(outcome.keep_alive);
        }
    }
}

TEST_CASE("a response that ends with the connection is cut only within its head") {
    const std::string head = ok + "Server: x\r\n\r\n";
    for (std::size_t size = 0; size < head.size(); ++size) {
        REQUIRE(feed_whole(std::string_view(head).substr(0, size)).status == parse_status::cut);
    }
    CHECK(feed_whole(head).status == parse_status::complete);
    CHECK(feed_whole(head + "x").status == parse_status::complete);
}

TEST_CASE("an answer that has only its interim part is started, and cut") {
    const response_outcome outcome = feed_whole("HTTP/1.1 100 Continue\r\n\r\n");
    CHECK(outcome.status == parse_status::cut);
    CHECK(outcome.started);
    CHECK(outcome.heads == 0);
    CHECK(outcome.head_bytes == 25);
}

TEST_CASE("the head tells version, reason, fields and length") {
    const response_outcome outcome = feed_whole(
        "HTTP/1.0 503 Service Unavailable\r\nServer: nginx/1.22.1 \r\nX-Empty:\r\nContent-Length: "
        "4\r\n\r\nbusy");
    CHECK(outcome.minor_version == 0);
    CHECK(outcome.reason == "Service Unavailable");
    CHECK(outcome.headers == "Server=nginx/1.22.1\nX-Empty=\nContent-Length=4\n");
    CHECK(outcome.content_length == 4);
    CHECK(outcome.head_bytes == 88);
    CHECK(feed_whole("HTTP/1.1 200\r\n\r\n").reason.empty());
    CHECK(feed_whole("HTTP/1.1 200 \r\n\r\n").reason.empty());
    CHECK(feed_whole(ok + "Content-Length: 77\r\n\r\n", true).content_length == 77);
    CHECK(feed_whole(ok + "Content-Length: 7x\r\n\r\n", true).content_length == -1);
    CHECK(feed_whole(ok + "\r\n").content_length == -1);
}

TEST_CASE("a folded field is unfolded, with a space for each byte of the line end") {
    CHECK(joined_headers(ok + "A: b\r\n c\r\nD: e\n\tf\r\n\r\n") == "A=b   c\nD=e \tf\n");
}

TEST_CASE("heads, interim ones included, are bounded") {
    constexpr std::size_t limit = 100;
    const auto head_of = [](std::size_t size) {
        const std::string begin = ok + "Content-Length: 0\r\nX: ";
        return begin + std::string(size - begin.size() - 4, 'x') + "\r\n\r\n";
    };
    const auto outcome_of = [](const std::string& bytes, bool split) {
        response_feed feed(false, limit);
        for (std::size_t at = 0; split && at < bytes.size(); ++at)
            feed.give(std::string_view(bytes).substr(at, 1));
        if (!split) feed.give(bytes);
        return feed.finish(false);
    };
    for (const bool split : {false, true}) {
        CAPTURE(split);
        CHECK(outcome_of(head_of(limit), split).status == parse_status::complete);
        CHECK(outcome_of(head_of(limit + 1), split).malformed.find("longer than the limit") !=
              std::string::npos);
        CHECK(outcome_of(ok + std::string(limit, 'x'), split).status == parse_status::malformed);
        const std::string interim = "HTTP/1.1 103 x\r\n\r\n";  // 18 bytes
        CHECK(outcome_of(interim + head_of(limit - 18), split).status == parse_status::complete);
        CHECK(outcome_of(interim + head_of(limit - 17), split).status == parse_status::malformed);
        std::string endless;
        for (int i = 0; i < 100; ++i) endless += interim;
        CHECK(outcome_of(endless, split).status == parse_status::malformed);
    }
}

TEST_CASE("a head that never ends is refused at 64 KiB") {
    response_feed feed(false);
    feed.give(ok);
    const std::string line = "X: " + std::string(1019, 'y') + "\r\n";  // 1 KiB
    for (int i = 0; i < 63; ++i) feed.give(line);
    CHECK(feed.finish(false).status == parse_status::need_more);
    feed.give(line);
    CHECK(feed.finish(false).status == parse_status::malformed);
}

TEST_CASE("trailers and chunk size lines are bounded") {
    const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    CHECK(feed_whole(chunked + "0\r\nX: " + std::string(60'000, 'x') + "\r\n\r\n").status ==
          parse_status::complete);
    CHECK(feed_whole(chunked + "0\r\nX: " + std::string(70'000, 'x') + "\r\n\r\n").status ==
          parse_status::malformed);
    CHECK(feed_whole(chunked + "0;" + std::string(4'000, 'x') + "\r\n\r\n").status == parse_status::complete);
    CHECK(feed_whole(chunked + "0;" + std::string(5'000, 'x') + "\r\n\r\n").status == parse_status::malformed);
    CHECK(feed_whole(chunked + std::string(5'000, '0') + "\r\n\r\n").status == parse_status::malformed);
}

TEST_CASE("the largest lengths are counted, not wrapped") {
    response_feed feed(false);
    feed.give(ok + "Content-Length: 9223372036854775807\r\n\r\nabc");
    const response_outcome outcome = feed.finish(false);
    CHECK(outcome.status == parse_status::need_more);
    CHECK(outcome.body_bytes == 3);
    response_feed chunks(false);
    chunks.give(ok + "Transfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\nabc");
    CHECK(chunks.finish(false).status == parse_status::need_more);
    CHECK(chunks.finish(true).status == parse_status::cut);
}

TEST_CASE("a parser that has ended stays so until it is started") {
    response_parser parser;
    response_outcome outcome;
    std::size_t consumed = 0;
    const std::string message = ok + "Content-Length: 1\r\n\r\na";
    CHECK(parser.consume(message + message, consumed, outcome) == parse_status::complete);
    CHECK(parser.consume(message, consumed, outcome) == parse_status::complete);
    CHECK(consumed == 0);
    CHECK(parser.end_of_stream() == parse_status::complete);
    CHECK(parser.keep_alive());
    parser.start(false);
    CHECK(parser.consume("x", consumed, outcome) == parse_status::malformed);
    CHECK(parser.consume(message, consumed, outcome) == parse_status::malformed);
    CHECK(parser.end_of_stream() == parse_status::malformed);
    parser.start(false);
    CHECK(parser.end_of_stream() == parse_status::cut);
    CHECK(parser.consume(message, consumed, outcome) == parse_status::complete);
    CHECK(outcome.heads == 2);
}

TEST_CASE("one connection may mix framings (httpress keeps the chunked of an earlier answer)") {
    response_parser parser;
    for (const std::string& message :
         {ok + "Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", ok + "Content-Length: 1\r\n\r\na",
          std::string("HTTP/1.1 304 x\r\n\r\n")}) {
        response_outcome outcome;
        std::size_t consumed = 0;
        parser.start(false);
        CHECK(parser.consume(message, consumed, outcome) == parse_status::complete);
        CHECK(consumed == message.size());
        CHECK(parser.keep_alive());
    }
}

TEST_CASE("a response that is half read moves with its parser") {
    const std::string message = ok + "Content-Length: 1\r\n\r\na";
    response_outcome outcome;
    std::size_t consumed = 0;
    response_parser first;
    CHECK(first.consume(message.substr(0, 10), consumed, outcome) == parse_status::need_more);
    response_parser second(std::move(first));
    CHECK(second.consume(message.substr(10), consumed, outcome) == parse_status::complete);
    CHECK(outcome.headers == "Content-Length=1\n");
}
