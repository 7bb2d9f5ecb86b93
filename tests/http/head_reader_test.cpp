#include <benchkit/http/head_reader.hpp>

#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

using benchkit::http::parse_status;
using benchkit::http::detail::head_reader;

namespace {

template <bool Server>
struct collecting_rules {
    static constexpr bool skips_empty_lines = Server;
    static constexpr bool unfolds = !Server;

    const char* on_start_line(std::string_view line) {
        start_line = line;
        return line == "bad" ? "a bad start line" : nullptr;
    }
    const char* on_partial_start_line(std::string_view begin) {
        return begin.starts_with("x") ? "a bad begin" : nullptr;
    }
    const char* on_field(std::string_view name, std::string_view value) {
        fields.append(name).append("=").append(value).append(";");
        return name == "Bad" ? "a bad field" : nullptr;
    }

    std::string start_line;
    std::string fields;
};

using client_rules = collecting_rules<false>;
using server_rules = collecting_rules<true>;

std::string text_of(const head_reader& reader) {
    std::string text(reader.start_line());
    for (const auto& field : reader.headers())
        text.append(" ").append(field.name).append("=").append(field.value);
    return text;
}

}  // namespace

TEST_CASE("a head in one piece is read in place") {
    const std::string bytes = "start\r\nA: 1\r\nB: 2\r\n\r\nrest";
    head_reader reader;
    reader.start(1000);
    client_rules rules;
    std::size_t consumed = 0;
    CHECK(reader.consume(bytes, consumed, rules) == parse_status::complete);
    CHECK(consumed == 21);
    CHECK(reader.size() == 21);
    CHECK(reader.start_line().data() == bytes.data());
    CHECK(reader.headers().text().data() == bytes.data() + 7);
    CHECK(text_of(reader) == "start A=1 B=2");
    CHECK(rules.fields == "A=1;B=2;");
}

TEST_CASE("a head in pieces outlives them, and one in place does after keep") {
    for (std::size_t cut = 0; cut < 21; ++cut) {
        CAPTURE(cut);
        std::string bytes = "start\r\nA: 1\r\nB: 2\r\n\r\nrest";
        head_reader reader;
        reader.start(1000);
        client_rules rules;
        std::size_t consumed = 0;
        CHECK(reader.consume(std::string_view(bytes).substr(0, cut), consumed, rules) ==
              parse_status::need_more);
        CHECK(consumed == cut);
        CHECK(reader.consume(std::string_view(bytes).substr(cut), consumed, rules) == parse_status::complete);
        CHECK(consumed == 21 - cut);
        reader.keep();
        bytes.assign(bytes.size(), '?');
        CHECK(text_of(reader) == "start A=1 B=2");
        CHECK(rules.fields == "A=1;B=2;");
    }
}

TEST_CASE("a server passes over empty lines before the start line, a client does not") {
    const std::string_view bytes = "\r\n\n\r\nstart\r\n\r\n";
    std::size_t consumed = 0;
    head_reader reader;
    reader.start(1000);
    server_rules server;
    CHECK(reader.consume(bytes, consumed, server) == parse_status::complete);
    CHECK(server.start_line == "start");
    CHECK(consumed == bytes.size());
    reader.start(1000);
    client_rules client;
    CHECK(reader.consume(bytes, consumed, client) == parse_status::complete);
    CHECK(client.start_line.empty());
}

TEST_CASE("a client unfolds without touching the bytes it was given, a server refuses") {
    const std::string bytes = "start\r\nA: 1\r\n\t2\r\n\r\n";
    const std::string before = bytes;
    std::size_t consumed = 0;
    head_reader reader;
    reader.start(1000);
    client_rules client;
    CHECK(reader.consume(bytes, consumed, client) == parse_status::complete);
    CHECK(consumed == bytes.size());
    CHECK(client.fields == "A=1  \t2;");
    CHECK(text_of(reader) == "start A=1  \t2");
    CHECK(bytes == before);
    reader.start(1000);
    server_rules server;
    CHECK(reader.consume(bytes, consumed, server) == parse_status::malformed);
    CHECK(std::string(reader.reason()) == "a header field folded over two lines");
}

TEST_CASE("what the rules refuse is the reason") {
    const auto reason = [](std::string_view bytes) {
        head_reader reader;
        reader.start(1000);
        client_rules rules;
        std::size_t consumed = 0;
        REQUIRE(reader.consume(bytes, consumed, rules) == parse_status::malformed);
        return std::string(reader.reason());
    };
    CHECK(reason("bad\r\n") == "a bad start line");
    CHECK(reason("x") == "a bad begin");
    CHECK(reason("start\r\nBad: 1\r\n\r\n") == "a bad field");
}

TEST_CASE("the limit is the size of the largest head") {
    const std::string_view bytes = "start\r\nA: 1\r\n\r\nrest";
    for (const std::size_t limit : {0U, 5U, 6U, 7U, 14U, 15U}) {
        for (const bool split : {false, true}) {
            CAPTURE(limit);
            CAPTURE(split);
            head_reader reader;
            reader.start(limit);
            client_rules rules;
            std::size_t consumed = 0;
            parse_status status = parse_status::need_more;
            for (std::size_t at = 0; split && status == parse_status::need_more; ++at) {
                status = reader.consume(bytes.substr(at, 1), consumed, rules);
            }
            if (!split) status = reader.consume(bytes, consumed, rules);
            CHECK(status == (limit >= 15 ? parse_status::complete : parse_status::malformed));
            CHECK(reader.too_long() == (limit < 15));
            if (limit < 15) CHECK(reader.in_start_line() == (limit < 7));
        }
    }
}
