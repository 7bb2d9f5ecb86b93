#include <benchkit/http/response_parser.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "response_feed.hpp"

using benchkit::http::body_framing;
using benchkit::http::parse_status;
using benchkit::http::response_parser;
using benchkit_test::feed_whole;
using benchkit_test::response_feed;
using benchkit_test::response_outcome;

namespace {

// A response that ends well. `message` is all of it, so the number of bytes to take is its size.
struct good_response {
    const char* name;
    std::string message;
    int code;
    body_framing framing;
    std::string body;
    bool keep_alive;
    bool to_head_request = false;
};

// A response that is malformed, and a word of the reason.
struct bad_response {
    const char* name;
    std::string message;
    const char* reason;
    bool to_head_request = false;
};

const std::string ok = "HTTP/1.1 200 OK\r\n";

std::vector<good_response> good_responses() {
    using enum body_framing;
    return {
        // RFC 9112 section 4: the status line.
        {"no reason phrase", "HTTP/1.1 200 \r\nContent-Length: 0\r\n\r\n", 200, length, "", true},
        {"no space after the code", "HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", 200, length, "", true},
        {"reason with spaces, tab and bytes beyond ASCII",
         "HTTP/1.1 404 a  b\tc\xe4 \r\nContent-Length: 0\r\n\r\n", 404, length, "", true},
        {"a code that is not registered", "HTTP/1.1 299 x\r\nContent-Length: 1\r\n\r\na", 299, length, "a",
         true},
        {"a code above 599", "HTTP/1.1 999 x\r\nContent-Length: 1\r\n\r\na", 999, length, "a", true},
        {"a higher minor version counts as 1.1", "HTTP/1.7 200 OK\r\nContent-Length: 1\r\n\r\na", 200, length,
         "a", true},

        // Section 5: field syntax.
        {"no header fields", "HTTP/1.1 204 No Content\r\n\r\n", 204, none, "", true},
        {"empty value", ok + "X:\r\nContent-Length: 1\r\n\r\na", 200, length, "a", true},
        {"no space after the colon", ok + "Content-Length:1\r\n\r\na", 200, length, "a", true},
        {"whitespace around the value", ok + "Content-Length: \t 1 \t \r\n\r\na", 200, length, "a", true},
        {"names whatever their case", ok + "cOnTeNt-LeNgTh: 1\r\n\r\na", 200, length, "a", true},
        {"a name that contains another", ok + "X-Content-Length: 9\r\nContent-Length: 1\r\n\r\na", 200, length,
         "a", true},
        {"a name of the same length", ok + "Content-Lengte: 9\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"a value that looks like a field", ok + "X: Content-Length: 9\r\nContent-Length: 1\r\n\r\na", 200,
         length, "a", true},
        {"colons in the value", ok + "Location: http://a:1/\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"all token characters in a name", ok + "!#$%&'*+-.^_`|~09azAZ: 1\r\nContent-Length: 1\r\n\r\na", 200,
         length, "a", true},
        {"bytes beyond ASCII in a value", ok + "X: \x80\xff\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"obs-fold is unfolded, section 5.2", ok + "X: a\r\n b\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"the length on a folded line", ok + "Content-Length:\r\n 1\r\n\r\na", 200, length, "a", true},
        {"a list folded twice, with LF", ok + "Connection: a,\n\tb,\r\n \t close\r\nContent-Length: 1\r\n\r\na",
         200, length, "a", false},
        {"a folded line of whitespace alone", ok + "X: a\r\n \r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"lines that end with LF alone, section 2.2", "HTTP/1.1 200 OK\nContent-Length: 1\n\na", 200, length,
         "a", true},
        {"CRLF and LF mixed", "HTTP/1.1 200 OK\nContent-Length: 1\r\n\na", 200, length, "a", true},

        // Section 6.3, item 1: no body whatever the fields say.
        {"HEAD with a length", ok + "Content-Length: 1000\r\n\r\n", 200, none, "", true, true},
        {"HEAD with chunked", ok + "Transfer-Encoding: chunked\r\n\r\n", 200, none, "", true, true},
        {"HEAD without either", ok + "\r\n", 200, none, "", true, true},
        {"HEAD with a bad length", ok + "Content-Length: x\r\n\r\n", 200, none, "", true, true},
        {"HEAD and close", ok + "Connection: close\r\n\r\n", 200, none, "", false, true},
        {"HEAD of an error", "HTTP/1.1 500 no\r\nContent-Length: 3\r\n\r\n", 500, none, "", true, true},
        {"204 with a length", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n", 204, none, "", true},
        {"204 with chunked", "HTTP/1.1 204 No Content\r\nTransfer-Encoding: chunked\r\n\r\n", 204, none, "",
         true},
        {"304 with a length", "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n", 304, none, "", true},
        {"205 with no content", "HTTP/1.1 205 Reset Content\r\nContent-Length: 0\r\n\r\n", 205, length, "",
         true},

        // RFC 9110 section 15.2: interim responses.
        {"100 before the answer", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na", 200,
         length, "a", true},
        {"103 with fields, twice",
         "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </b>\r\n\r\n" + ok +
             "Content-Length: 1\r\n\r\na",
         200, length, "a", true},
        {"an interim response frames nothing",
         "HTTP/1.1 102 Processing\r\nContent-Length: 7\r\nTransfer-Encoding: chunked\r\nConnection: "
         "close\r\n\r\n" +
             ok + "Content-Length: 1\r\n\r\na",
         200, length, "a", true},
        {"100 before the answer to HEAD", "HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 5\r\n\r\n",
         200, none, "", true, true},
        {"199 is interim too", "HTTP/1.1 199 x\r\n\r\n" + ok + "Content-Length: 1\r\n\r\na", 200, length, "a",
         true},

        // Section 6.2 and 6.3, items 5 and 6: Content-Length.
        {"zero length on a kept connection", ok + "Content-Length: 0\r\n\r\n", 200, length, "", true},
        {"leading zeros", ok + "Content-Length: 0003\r\n\r\nabc", 200, length, "abc", true},
        {"the same length twice", ok + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 200, length, "abc",
         true},
        {"the same length in a list", ok + "Content-Length: 3, 3\r\n\r\nabc", 200, length, "abc", true},
        {"empty elements in that list", ok + "Content-Length: ,3 ,, 3,\r\n\r\nabc", 200, length, "abc", true},
        {"the same number written in two ways", ok + "Content-Length: 3\r\nContent-Length: 03\r\n\r\nabc", 200,
         length, "abc", true},
        {"a body that looks like a head", ok + "Content-Length: 19\r\n\r\nHTTP/1.1 500 no\r\n\r\n", 200, length,
         "HTTP/1.1 500 no\r\n\r\n", true},
        {"zero bytes in the body", ok + "Content-Length: 3\r\n\r\n" + std::string("\0\r\n", 3), 200, length,
         std::string("\0\r\n", 3), true},

        // Sections 6.1 and 7: Transfer-Encoding.
        {"one chunk", ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200, chunked, "abc",
         true},
        {"three chunks",
         ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n1\r\nd\r\nA\r\n0123456789\r\n0\r\n\r\n", 200,
         chunked, "abcd0123456789", true},
        {"no chunk but the last", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 200, chunked, "", true},
        {"codings whatever their case", ok + "transfer-encoding: ChUnKeD\r\n\r\n1\r\na\r\n0\r\n\r\n", 200,
         chunked, "a", true},
        {"sizes in either case, with leading zeros",
         ok + "Transfer-Encoding: chunked\r\n\r\n00a\r\n0123456789\r\n0B\r\n0123456789a\r\n000\r\n\r\n", 200,
         chunked, "01234567890123456789a", true},
        {"more digits than the largest size has, all zero",
         ok + "Transfer-Encoding: chunked\r\n\r\n00000000000000000000001\r\na\r\n0\r\n\r\n", 200, chunked, "a",
         true},
        {"chunk extensions",
         ok + "Transfer-Encoding: chunked\r\n\r\n1;a\r\nx\r\n1 ; a = \"b;\t\xc3\" "
              ";c=d\r\ny\r\n0;last=\"1\"\r\n\r\n",
         200, chunked, "xy", true},
        {"spaces after a size", ok + "Transfer-Encoding: chunked\r\n\r\n1  \t\r\nx\r\n0 \r\n\r\n", 200, chunked,
         "x", true},
        {"trailers", ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nDigest: a:b\r\nX:\r\n\r\n", 200,
         chunked, "x", true},
        {"a trailer is no framing",
         ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nContent-Length: 9\r\nConnection: close\r\n\r\n",
         200, chunked, "x", true},
        {"a folded trailer", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: a\r\n b\r\n\tc\r\n\r\n", 200,
         chunked, "", true},
        {"trailers that end with LF", ok + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: a\nY: b\n\n", 200,
         chunked, "", true},
        {"chunks that contain CRLF", ok + "Transfer-Encoding: chunked\r\n\r\n4\r\n\r\n0\r\r\n0\r\n\r\n", 200,
         chunked, "\r\n0\r", true},
        {"both, item 3: chunked counts, the connection goes",
         ok + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200, chunked,
         "abc", false},
        {"both, and the length is bad",
         ok + "Transfer-Encoding: chunked\r\nContent-Length: x\r\n\r\n3\r\nabc\r\n0\r\n\r\n", 200, chunked,
         "abc", false},
        {"a coding before chunked", ok + "Transfer-Encoding: gzip, chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 200,
         chunked, "a", true},
        {"codings in two lines",
         ok + "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 200, chunked,
         "a", true},
        {"empty elements in the codings", ok + "Transfer-Encoding: , chunked ,\r\n\r\n1\r\na\r\n0\r\n\r\n", 200,
         chunked, "a", true},

        // Section 6.3, items 4 and 8: the end of the connection.
        {"neither length nor coding", ok + "\r\nabc", 200, until_close, "abc", false},
        {"the same, nothing comes", ok + "\r\n", 200, until_close, "", false},
        {"the same, and keep-alive", ok + "Connection: keep-alive\r\n\r\nabc", 200, until_close, "abc", false},
        {"a last coding that is not chunked", ok + "Transfer-Encoding: chunked, gzip\r\n\r\n3\r\nabc", 200,
         until_close, "3\r\nabc", false},
        {"a coding that only resembles chunked", ok + "Transfer-Encoding: xchunked\r\n\r\nabc", 200,
         until_close, "abc", false},
        {"identity and a length", ok + "Transfer-Encoding: identity\r\nContent-Length: 1\r\n\r\nabc", 200,
         until_close, "abc", false},
        {"chunked within a quoted parameter", ok + "Transfer-Encoding: x;a=\"b, chunked\"\r\n\r\nabc", 200,
         until_close, "abc", false},
        {"an empty Transfer-Encoding", ok + "Transfer-Encoding:\r\nContent-Length: 1\r\n\r\nabc", 200,
         until_close, "abc", false},

        // Section 9.3: persistence.
        {"close", ok + "Connection: close\r\nContent-Length: 1\r\n\r\na", 200, length, "a", false},
        {"close whatever its case", ok + "connection: CLOSE\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         false},
        {"close in a list wins", ok + "Connection: keep-alive, close\r\nContent-Length: 1\r\n\r\na", 200,
         length, "a", false},
        {"close in a second line",
         ok + "Connection: keep-alive\r\nConnection: x ,close\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         false},
        {"close as a part of a word", ok + "Connection: closed, not-close\r\nContent-Length: 1\r\n\r\na", 200,
         length, "a", true},
        {"close in another field",
         ok + "X-Connection: close\r\nProxy-Connection: close\r\nContent-Length: 1\r\n\r\na", 200, length, "a",
         true},
        {"close with chunked",
         ok + "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", 200, chunked, "a",
         false},
        {"HTTP/1.0 does not stay", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", 200, length, "a", false},
        {"HTTP/1.0 that stays", "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na", 200,
         length, "a", true},
        {"HTTP/1.0 in a list", "HTTP/1.0 200 OK\r\nConnection: x, keep-alive\r\nContent-Length: 1\r\n\r\na",
         200, length, "a", true},
        {"HTTP/1.0, both", "HTTP/1.0 200 OK\r\nConnection: keep-alive, close\r\nContent-Length: 1\r\n\r\na",
         200, length, "a", false},
        {"HTTP/1.0 with a Keep-Alive field alone",
         "HTTP/1.0 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: 1\r\n\r\na", 200, length, "a", false},
        {"HTTP/1.0 that ends with the connection", "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\n\r\nabc", 200,
         until_close, "abc", false},
    };
}

std::vector<bad_response> bad_responses() {
    const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n";
    return {
        {"garbage", "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.x"},
        {"garbage with a control character in it", "SSH\x01", "HTTP/1.x"},
        {"garbage without a line end", "\x15\x03\x03", "control character"},
        {"an empty line before the status line", "\r\n" + ok + "Content-Length: 0\r\n\r\n", "HTTP/1.x"},
        {"a space before the status line", " " + ok, "HTTP/1.x"},
        {"HTTP/2", "HTTP/2.0 200 OK\r\n\r\n", "HTTP/1.x"},
        {"HTTP/0.9", "<html>hello</html>", "HTTP/1.x"},
        {"a version with two digits", "HTTP/1.10 200 OK\r\n\r\n", "HTTP/1.x"},
        {"a version without a digit", "HTTP/1.x 200 OK\r\n\r\n", "HTTP/1.x"},
        {"HTTP in lower case", "http/1.1 200 OK\r\n\r\n", "HTTP/1.x"},
        {"two spaces before the code", "HTTP/1.1  200 OK\r\n\r\n", "HTTP/1.x"},
        {"a code with two digits", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.x"},
        {"a code with four digits", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.x"},
        {"a code that is no number", "HTTP/1.1 2x0 OK\r\n\r\n", "HTTP/1.x"},
        {"a negative code", "HTTP/1.1 -20 OK\r\n\r\n", "HTTP/1.x"},
        {"a code below 100", "HTTP/1.1 099 x\r\n\r\n", "below 100"},
        {"no code", "HTTP/1.1\r\n\r\n", "HTTP/1.x"},
        {"a zero byte in the reason", std::string("HTTP/1.1 200 a\0b\r\n\r\n", 19), "control character"},
        {"101, as no upgrade was asked for", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
         "not asked for"},
        {"garbage after an interim response", "HTTP/1.1 100 Continue\r\n\r\nx", "HTTP/1.x"},

        {"whitespace before a colon", ok + "Content-Length : 1\r\n\r\na", "colon"},
        {"a tab before a colon", ok + "Content-Length\t: 1\r\n\r\na", "colon"},
        {"whitespace before the first field", ok + " X: 1\r\n\r\n", "first header field"},
        {"a line without a colon", ok + "hello\r\n\r\n", "no field"},
        {"a field without a name", ok + ": 1\r\n\r\n", "without a name"},
        {"a quote in a name", ok + "a\"b: 1\r\n\r\n", "no field"},
        {"a byte beyond ASCII in a name", ok + "a\xe4: 1\r\n\r\n", "no field"},
        {"a zero byte in a value", ok + std::string("X: a\0b\r\n\r\n", 10), "control character"},
        {"DEL in a value", ok + "X: a\x7f\r\n\r\n", "control character"},
        {"a CR within a value", ok + "X: a\rb\r\n\r\n", "CR without LF"},
        {"a CR within a value, then a field", ok + "X: a\rContent-Length: 1\r\n\r\n", "CR without LF"},
        {"two CRs before LF", ok + "X: a\r\r\n\r\n", "CR without LF"},
        {"a CR in the status line", "HTTP/1.1 200 O\rK\r\n\r\n", "CR without LF"},
        {"a CR in place of the empty line", ok + "X: a\r\n\rx", "CR without LF"},

        {"lengths that differ", ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "differ"},
        {"lengths that differ in a list", ok + "Content-Length: 3, 4\r\n\r\nabcd", "differ"},
        {"an empty length", ok + "Content-Length:\r\n\r\n", "without a number"},
        {"a length of commas", ok + "Content-Length: ,\r\n\r\n", "without a number"},
        {"a negative length", ok + "Content-Length: -1\r\n\r\n", "not a number"},
        {"a length with a plus", ok + "Content-Length: +1\r\n\r\na", "not a number"},
        {"a hexadecimal length", ok + "Content-Length: 0x1\r\n\r\na", "not a number"},
        {"a length with a unit", ok + "Content-Length: 1k\r\n\r\na", "not a number"},
        {"two numbers in one length", ok + "Content-Length: 1 1\r\n\r\na", "not a number"},
        {"a fraction", ok + "Content-Length: 1.0\r\n\r\na", "not a number"},
        {"a length in quotes", ok + "Content-Length: \"1\"\r\n\r\na", "not a number"},
        {"one good length and one that is bad", ok + "Content-Length: 1, x\r\n\r\na", "not a number"},
        {"a bad length, then a good one", ok + "Content-Length: x\r\nContent-Length: 1\r\n\r\na",
         "not a number"},
        {"2^63", ok + "Content-Length: 9223372036854775808\r\n\r\n", "no message can have"},
        {"2^64 + 1, which wraps to 1", ok + "Content-Length: 18446744073709551617\r\n\r\na",
         "no message can have"},

        {"Transfer-Encoding in HTTP/1.0, section 6.1",
         "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n", "HTTP/1.0"},
        {"chunked twice", ok + "Transfer-Encoding: chunked, chunked\r\n\r\n", "twice"},
        {"chunked twice, in two lines", ok + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
         "twice"},
        {"chunked with a parameter", ok + "Transfer-Encoding: chunked;a=b\r\n\r\n", "parameters"},
        {"a chunk size that is no number", chunked + "x\r\n", "without a size"},
        {"a chunk size with a sign", chunked + "-1\r\n", "without a size"},
        {"a chunk size with 0x", chunked + "0x1\r\na\r\n", "not a number"},
        {"a chunk without a size", chunked + "\r\n", "without a size"},
        {"a space before a chunk size", chunked + " 1\r\n", "without a size"},
        {"digits after a space", chunked + "1 1\r\n", "not a number"},
        {"an extension without a size", chunked + ";a\r\n", "without a size"},
        {"a chunk size line that ends with LF", chunked + "1\na\r\n", "not a number"},
        {"an extension that ends with LF", chunked + "1;a\na\r\n", "control character"},
        {"a CR without LF after a size", chunked + "1\rX", "CR without LF"},
        {"a CR within an extension", chunked + "1;a\rb\r\n", "CR without LF"},
        {"a zero byte in an extension", chunked + std::string("1;\0\r\n", 5), "control character"},
        {"2^63 as a chunk size", chunked + "8000000000000000\r\n", "no chunk can have"},
        {"2^64 + 1 as a chunk size", chunked + "10000000000000001\r\na\r\n", "no chunk can have"},
        {"a chunk longer than its size", chunked + "1\r\nabc\r\n", "does not end"},
        {"a chunk that ends with LF", chunked + "1\r\na\n0\r\n\r\n", "does not end"},
        {"a chunk that ends with CR", chunked + "1\r\na\rX", "does not end"},
        {"a trailer that is no field", chunked + "0\r\nhello\r\n\r\n", "no field"},
        {"the next response in place of the empty line", chunked + "0\r\n" + ok + "\r\n", "no field"},
        {"a trailer with whitespace before the colon", chunked + "0\r\nX : a\r\n\r\n", "no field"},
        {"a trailer that begins with whitespace", chunked + "0\r\n X: a\r\n\r\n", "no field"},
        {"a control character in a trailer", chunked + "0\r\nX: \x01\r\n\r\n", "control character"},
        {"a CR in a trailer", chunked + "0\r\nX: a\rb\r\n\r\n", "CR without LF"},
        {"a CR in place of the last line", chunked + "0\r\n\rX", "CR without LF"},
        {"a malformed head in answer to HEAD", ok + "X : a\r\n\r\n", "colon", true},
    };
}

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
