#include <benchkit/http/headers.hpp>

#include <algorithm>
#include <iterator>
#include <string>

#include <doctest/doctest.h>

using benchkit::http::header_block;
using benchkit::http::header_field;

namespace {

std::string joined(const header_block& block) {
    std::string text;
    for (const header_field& field : block) text.append(field.name).append("=").append(field.value).append(";");
    return text;
}

}  // namespace

TEST_CASE("fields come in their order, without the whitespace around their values") {
    CHECK(joined(header_block("A: 1\r\nB:\t 2 x \r\nC:\r\n")) == "A=1;B=2 x;C=;");
    CHECK(joined(header_block("A: 1\nB: 2")) == "A=1;B=2;");
    CHECK(joined(header_block("A: b:c\r\n")) == "A=b:c;");
}

TEST_CASE("an empty block has no fields, and lines without a colon are passed over") {
    CHECK(header_block().empty());
    CHECK(header_block("").begin() == header_block("").end());
    CHECK(joined(header_block("hello\r\n\r\nA: 1\r\nbye")) == "A=1;");
    CHECK(header_block("hello").empty());
}

TEST_CASE("a block is a forward range") {
    static_assert(std::forward_iterator<header_block::iterator>);
    const header_block block("A: 1\r\nB: 2\r\n");
    auto first = block.begin();
    const auto before = first++;
    CHECK(before->value == "1");
    CHECK(first->value == "2");
    CHECK(std::distance(block.begin(), block.end()) == 2);
}

TEST_CASE("find compares whole names, whatever their case") {
    const header_block block("X-Length: 9\r\ncontent-length: 1\r\nContent-Length: 2\r\n");
    CHECK(block.find("CONTENT-LENGTH") == "1");
    CHECK(block.count("Content-Length") == 2);
    CHECK_FALSE(block.find("Length").has_value());
    CHECK_FALSE(block.find("").has_value());
}

TEST_CASE("a list element is found in any line, and only whole") {
    const header_block block("Connection: x, Keep-Alive\r\nVary: close\r\nConnection: , CLOSE,\r\n");
    CHECK(block.has_list_element("connection", "keep-alive"));
    CHECK(block.has_list_element("Connection", "close"));
    CHECK_FALSE(block.has_list_element("Connection", "alive"));
    CHECK_FALSE(block.has_list_element("Accept", "close"));
    CHECK_FALSE(header_block("Connection: closed, \"close\"\r\n").has_list_element("Connection", "close"));
}
