#include <benchkit/load/step_books.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("a step is written under its name, and added to what is there") {
    bk::detail::step_books books;
    books.failed = 3;
    bk::result into;
    books.write(into, "GET /");
    CHECK(into.counter("step.GET /.failed") == 3);
    CHECK(into.counters.contains("step.GET /.succeeded"));
    CHECK(into.distributions.empty());
    books.times.record(1'000, 5);
    books.write(into, "GET /");
    CHECK(into.counter("step.GET /.succeeded") == 5);
    CHECK(into.counter("step.GET /.failed") == 6);
    CHECK(into.distributions.at("step_time.GET /").values.count() == 5);
}
