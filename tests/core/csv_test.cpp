#include <benchkit/core/csv.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace bk = benchkit;

namespace {

using rows = std::vector<std::vector<std::string>>;

rows fields_of(const std::string& text) {
    const bk::csv_table table = bk::parse_csv(text);
    CHECK(table.problem.empty());
    rows fields;
    for (const bk::csv_row& each : table.rows) fields.push_back(each.fields);
    return fields;
}

}  // namespace

// The examples of RFC 4180 section 2, in its order.
TEST_CASE("comma-separated values are read as RFC 4180 has them") {
    CHECK(fields_of("aaa,bbb,ccc\r\nzzz,yyy,xxx\r\n") == rows{{"aaa", "bbb", "ccc"}, {"zzz", "yyy", "xxx"}});
    CHECK(fields_of("aaa,bbb,ccc\r\nzzz,yyy,xxx") == rows{{"aaa", "bbb", "ccc"}, {"zzz", "yyy", "xxx"}});
    CHECK(fields_of("\"aaa\",\"bbb\",\"ccc\"\r\nzzz,yyy,xxx") ==
          rows{{"aaa", "bbb", "ccc"}, {"zzz", "yyy", "xxx"}});
    CHECK(fields_of("\"aaa\",\"b\r\nbb\",\"ccc\"\r\nzzz,yyy,xxx") ==
          rows{{"aaa", "b\r\nbb", "ccc"}, {"zzz", "yyy", "xxx"}});
    CHECK(fields_of("\"aaa\",\"b\"\"bb\",\"ccc\"") == rows{{"aaa", "b\"bb", "ccc"}});
}

TEST_CASE("lines may end with LF alone, fields may be empty, and blank lines are none") {
    CHECK(fields_of("").empty());
    CHECK(fields_of("a,,\n\n\r\n,b,\"\"\n") == rows{{"a", "", ""}, {"", "b", ""}});
    const bk::csv_table table = bk::parse_csv("a\n\"x\ny\"\n\nb\n");
    REQUIRE(table.rows.size() == 3);
    CHECK(table.rows[1].line == 2);
    CHECK(table.rows[2].line == 5);
}

TEST_CASE("what breaks the format is told with its line") {
    const auto problem = [](const std::string& text) {
        const bk::csv_table table = bk::parse_csv(text);
        return std::to_string(table.problem_line) + " " + table.problem;
    };
    CHECK(problem("a\nb\"c\n") == "2 has a quote within a field that is not quoted");
    CHECK(problem("a\n\"b\"c\n") == "2 goes on behind the quote that ends a field");
    CHECK(problem("a\n\"b\n\nc") == "2 has a quoted field without an end");
}
