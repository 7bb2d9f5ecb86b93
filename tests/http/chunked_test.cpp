#include <benchkit/http/chunked.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using benchkit::http::parse_status;
using benchkit::http::detail::chunked_decoder;

namespace {

struct decoded {
    parse_status status = parse_status::need_more;
    std::string content;
    std::size_t consumed = 0;
};

decoded decode(std::string_view bytes, std::size_t piece_size, std::size_t trailer_limit = 1000) {
    decoded result;
    chunked_decoder decoder;
    decoder.start(trailer_limit);
    while (!bytes.empty() && result.status == parse_status::need_more) {
        std::size_t consumed = 0;
        result.status = decoder.consume(bytes.substr(0, piece_size), consumed,
                                        [&](std::string_view content) { result.content.append(content); });
        if (result.status == parse_status::malformed) CHECK(decoder.reason() != nullptr);
        result.consumed += consumed;
        bytes.remove_prefix(result.status == parse_status::malformed ? bytes.size() : consumed);
    }
    return result;
}

}  // namespace

TEST_CASE("the content comes out whatever the size of the pieces, and what follows stays") {
    // The example of RFC 9112 section 7.1.3's decoder: sizes, an extension, a trailer.
    const std::string coded = "5\r\nhello\r\n1;x=\"a;b\"\r\n \r\n00005\r\nworld\r\n0\r\nExpires: never\r\n\r\n";
    for (std::size_t piece = 1; piece < coded.size() + 3; ++piece) {
        CAPTURE(piece);
        const decoded result = decode(coded + "HTTP/1.1 200", piece);
        CHECK(result.status == parse_status::complete);
        CHECK(result.content == "hello world");
        CHECK(result.consumed == coded.size());
    }
}

TEST_CASE("content is given in place, chunk by chunk") {
    chunked_decoder decoder;
    decoder.start(1000);
    const std::string_view coded = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    std::size_t consumed = 0;
    std::string places;
    CHECK(decoder.consume(coded, consumed, [&](std::string_view content) {
        places += std::to_string(content.data() - coded.data()) + "+" + std::to_string(content.size()) + " ";
    }) == parse_status::complete);
    CHECK(places == "3+3 11+2 ");
}

TEST_CASE("a size line may have 4096 bytes, each of them") {
    const auto line = [](std::size_t size) { return "1;" + std::string(size - 2, 'x'); };
    CHECK(decode(line(4095) + "\r\na\r\n" + line(4095) + "\r\n", 100).status == parse_status::need_more);
    CHECK(decode(line(4096) + "\r\n", 100).status == parse_status::malformed);
}

TEST_CASE("a quoted string of an extension hides what ends nothing, and no line end (RFC 9110 section 5.6.4)") {
    for (const std::size_t piece : {std::size_t{1}, std::size_t{100}}) {
        CAPTURE(piece);
        const decoded hidden = decode("2;a=\";\\\"\\\\\";b=c\r\nhi\r\n0;\"\"\r\n\r\n", piece);
        CHECK(hidden.status == parse_status::complete);
        CHECK(hidden.content == "hi");
        for (const std::string_view end : {"\r\n", "\n", "\\\r\n", "\\\n", "\\\"\r\n"}) {
            CAPTURE(end);
            CHECK(decode("2;a=\"" + std::string(end) + "hi\r\n0\r\n\r\n", piece).status ==
                  parse_status::malformed);
        }
    }
}

TEST_CASE("a trailer section has its limit") {
    CHECK(decode("0\r\nX: y\r\n\r\n", 100, 8).status == parse_status::complete);
    CHECK(decode("0\r\nX: yz\r\n\r\n", 100, 8).status == parse_status::malformed);
}

TEST_CASE("the largest size is taken, the next is not") {
    CHECK(decode("7fffffffffffffff\r\na", 100).status == parse_status::need_more);
    CHECK(decode("8000000000000000\r\na", 100).status == parse_status::malformed);
    CHECK(decode("00000000000000007fffffffffffffff\r\na", 100).status == parse_status::need_more);
}
