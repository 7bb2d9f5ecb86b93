#include <benchkit/http/text_template.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "support/refusal.hpp"
#include "support/scratch_folder.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using http::template_place;

namespace {

std::string text_of(const http::text_template& tested, std::int64_t number) {
    http::detail::request_number request{number,
                                         bk::random_stream(7, "requests", static_cast<std::uint64_t>(number))};
    std::string text;
    tested.append_to(text, request);
    return text;
}

std::string text_of(const std::string& text, std::int64_t number, template_place place = template_place::body) {
    return text_of(http::text_template("body", text, place), number);
}

std::string refusal_of(const std::string& text, template_place place = template_place::body) {
    return tests::refusal([&] { (void)http::text_template("--body", text, place); });
}

}  // namespace

TEST_CASE("a text without placeholders stays as it is, JSON too") {
    for (const std::string text : {"", "plain", "{}", "{\"a\": {\"b\": [{}]}}", "{ x }", "a{", "{{}}", "}{"}) {
        CAPTURE(text);
        CHECK(http::text_template("body", text, template_place::body).fixed());
        CHECK(text_of(text, 1) == text);
    }
    CHECK(text_of("{{seq}", 5) == "{seq}");
    CHECK(text_of("a{{b{{c}{seq}", 5) == "a{b{c}5");
}

TEST_CASE("a placeholder stands for what is another in each request") {
    CHECK(text_of("/{seq}/{seq}", 42) == "/42/42");
    CHECK(text_of("{\"n\": {seq}}", 3) == "{\"n\": 3}");
    std::map<std::string, int> drawn;
    for (std::int64_t number = 1; number <= 6'000; ++number) ++drawn[text_of("{random:-1..4}", number)];
    CHECK(drawn.size() == 6);
    // Five deviations of a binomial of 6,000 and 1/6 are 144.
    for (const auto& [value, count] : drawn) CHECK(std::abs(count - 1'000) < 145);
    CHECK(drawn.contains("-1"));
    CHECK(drawn.contains("4"));
    CHECK(text_of("{random:5..5}", 1) == "5");
    // The same for the same number; two in one request are two.
    CHECK(text_of("{random:0..1000000000}", 9) == text_of("{random:0..1000000000}", 9));
    const std::string two = text_of("{uuid} {uuid}", 9);
    CHECK(two.substr(0, 36) != two.substr(37));
}

TEST_CASE("a UUID is one of version 4 (RFC 9562 section 5.4), and none comes twice") {
    std::set<std::string> seen;
    for (std::int64_t number = 1; number <= 1'000; ++number) {
        const std::string text = text_of("{uuid}", number);
        REQUIRE(text.size() == 36);
        CHECK(text[8] == '-');
        CHECK(text[13] == '-');
        CHECK(text[14] == '4');
        CHECK(text[18] == '-');
        CHECK(std::string("89ab").find(text[19]) != std::string::npos);
        CHECK(text[23] == '-');
        seen.insert(text);
    }
    CHECK(seen.size() == 1'000);
}

TEST_CASE("a column's values come in turn, one row for each request, encoded in a path") {
    tests::scratch_folder folder;
    const std::string file = folder.file("users:1.csv");
    std::ofstream(file) << "name,id\r\n\"O'Neil, Ann\",1\r\nb/c,2\r\n\xc3\xa4 1,3\r\n";
    const std::string both = "{csv:" + file + ":name}-{csv:" + file + ":id}";
    CHECK(text_of(both, 1) == "O'Neil, Ann-1");
    CHECK(text_of(both, 2) == "b/c-2");
    CHECK(text_of(both, 4) == "O'Neil, Ann-1");
    CHECK(text_of(both, 3, template_place::path) == "%C3%A4%201-3");
    CHECK(text_of(both, 2, template_place::path) == "b%2Fc-2");
}

TEST_CASE("what is no placeholder is refused by its name, with what is allowed") {
    CHECK(refusal_of("x{sec}") ==
          "--body = {sec}: is no placeholder; allowed are {seq}, {random:1..100}, {uuid} and "
          "{csv:FILE:COLUMN}; a "
          "brace before a letter that is none is written {{");
    CHECK(refusal_of("{seq:1}").starts_with("--body = {seq:1}: is no placeholder"));
    CHECK(refusal_of("{random}").starts_with("--body = {random}: is no placeholder"));
    CHECK(refusal_of("{random:1}").starts_with("--body = {random:1}: has no range of whole numbers"));
    CHECK(refusal_of("{random:a..b}").starts_with("--body = {random:a..b}: has no range"));
    CHECK(refusal_of("{random:9..1}").starts_with("--body = {random:9..1}: has a range that is upside down"));
    CHECK(refusal_of("{seq").starts_with("--body = {seq: has no }"));
    CHECK(refusal_of("{csv:x}").starts_with("--body = {csv:x}: names no column"));
    CHECK(refusal_of("{csv:/nowhere/x:a}")
              .starts_with("--body = {csv:/nowhere/x:a}: cannot be read: No such file or directory"));
    tests::scratch_folder folder;
    const std::string file = folder.file("a.csv");
    const auto refused = [&](const std::string& content, template_place place = template_place::body) {
        std::ofstream(file) << content;
        return refusal_of("{csv:" + file + ":b}", place);
    };
    CHECK(refused("a,b\n").find("names a file without rows behind its first line") != std::string::npos);
    CHECK(refused("a\n1\n").find("names a column that the file's first line has not") != std::string::npos);
    CHECK(refused("a,b\n1,2\n3\n").find("names a file whose line 3 has no value in this column") !=
          std::string::npos);
    CHECK(refused("a,b\n1,x\"\n").find("names a file whose line 2 has a quote within") != std::string::npos);
    CHECK(refused("a,b\n1,\"x\ny\"\n", template_place::header)
              .find("names a file whose line 2 has a value that no header field may have") !=
          std::string::npos);
}
