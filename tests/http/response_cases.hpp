#pragma once

#include <benchkit/http/framing.hpp>

#include <string>
#include <vector>

namespace benchkit_test {

/// A response that ends well. `message` is all of it, so the number of bytes to take is its size.
struct good_response {
    const char* name;
    std::string message;
    int code;
    benchkit::http::body_framing framing;
    std::string body;
    bool keep_alive;
    bool to_head_request = false;
};

/// A response that is malformed, and a word of the reason.
struct bad_response {
    const char* name;
    std::string message;
    const char* reason;
    bool to_head_request = false;
};

inline const std::string ok = "HTTP/1.1 200 OK\r\n";

inline std::vector<good_response> good_responses() {
    using enum benchkit::http::body_framing;
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

        {"1xx without a reason, mixed, before the answer",
         "HTTP/1.1 100\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 \r\n\r\n" + ok +
             "Content-Length: 1\r\n\r\na",
         200, length, "a", true},
        {"304 with chunked", "HTTP/1.1 304 x\r\nTransfer-Encoding: chunked\r\n\r\n", 304, none, "", true},
        {"204 with both", "HTTP/1.1 204 x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 204,
         none, "", true},
        {"204 with lengths that differ", "HTTP/1.1 204 x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
         204, none, "", true},
        {"204 of HTTP/1.0 with chunked",
         "HTTP/1.0 204 x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n", 204, none, "",
         false},
        {"304 of HTTP/1.0 with chunked",
         "HTTP/1.0 304 x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n", 304, none, "",
         false},
        {"HEAD of HTTP/1.0 with chunked",
         "HTTP/1.0 200 x\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n", 200, none, "", false,
         true},
        {"HEAD with both", ok + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n", 200, none, "", true,
         true},
        {"keep-alive within another option",
         "HTTP/1.0 200 OK\r\nConnection: x-keep-alive\r\nContent-Length: 1\r\n\r\na", 200, length, "a", false},
        {"keep-alive within another field",
         "HTTP/1.0 200 OK\r\nServer: keep-alive\r\nContent-Length: 1\r\n\r\na", 200, length, "a", false},

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

inline std::vector<bad_response> bad_responses() {
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

}  // namespace benchkit_test
