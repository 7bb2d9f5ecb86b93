#include <benchkit/load/books.hpp>

#include <doctest/doctest.h>

#include <numeric>

namespace bk = benchkit;
using bk::detail::operation_books;

namespace {

std::size_t index_of(bk::cause value) {
    return static_cast<std::size_t>(value);
}

}  // namespace

TEST_CASE("empty books are zeros under the names that every load has, and no cause") {
    bk::counters written;
    operation_books().write(written, "");
    const bk::counters expected{{"scheduled", 0}, {"not_started", 0}, {"started", 0},
                                {"succeeded", 0}, {"failed", 0},      {"unfinished", 0}};
    CHECK(written == expected);
}

TEST_CASE("failed is the sum of its causes; scheduled is what started and what did not") {
    operation_books books;
    books.started = 100;
    books.succeeded = 60;
    books.unfinished = 10;
    books.failed[index_of(bk::cause::resolve)] = 1;   // the first cause,
    books.failed[index_of(bk::cause::timeout)] = 25;  // one between,
    books.failed[index_of(bk::cause::canceled)] = 4;  // and the last
    books.errors["connection_reset"] = 3;
    CHECK(books.failed_in_all() == 30);
    bk::counters written;
    books.not_started = 50;
    books.write(written, "");
    const bk::counters expected{
        {"scheduled", 150}, {"not_started", 50},           {"started", 100},       {"succeeded", 60},
        {"failed", 30},     {"failed.resolve", 1},         {"failed.timeout", 25}, {"failed.canceled", 4},
        {"unfinished", 10}, {"errors.connection_reset", 3}};
    CHECK(written == expected);
    CHECK(written["started"] == written["succeeded"] + written["failed"] + written["unfinished"]);
}

TEST_CASE("each cause is written under its own name") {
    operation_books books;
    std::iota(books.failed.begin(), books.failed.end(), 1);
    bk::counters written;
    books.write(written, "");
    std::int64_t sum = 0;
    for (std::size_t index = 0; index < bk::cause_count; ++index) {
        const std::string name("failed." + std::string(bk::to_string(static_cast<bk::cause>(index))));
        CHECK(written.at(name) == static_cast<std::int64_t>(index) + 1);
        sum += written.at(name);
    }
    CHECK(sum == 14 * 15 / 2);
    CHECK(written.at("failed") == sum);
}

TEST_CASE("a prefix keeps the books of two phases apart") {
    operation_books measured, warm_up;
    measured.started = measured.succeeded = 5;
    warm_up.started = warm_up.succeeded = 7;
    bk::counters written;
    measured.write(written, "");
    warm_up.write(written, "warmup.");
    CHECK(written.at("succeeded") == 5);
    CHECK(written.at("warmup.succeeded") == 7);
    CHECK(written.at("warmup.scheduled") == 7);
    CHECK(written.size() == 12);
}
