#include <benchkit/load/matrix_options.hpp>

#include <chrono>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "../support/refusal.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

std::string refusal_of(const std::vector<bk::matrix_target>& targets, const std::vector<bk::matrix_row>& rows,
                       const bk::matrix_options& options = {}) {
    return tests::refusal([&] { bk::detail::validate_matrix(targets, rows, options); });
}

}  // namespace

TEST_CASE("what cannot be is refused before anything starts") {
    const http::target target("http://127.0.0.1:1/");
    const std::vector<bk::matrix_target> one{{"one", target}};
    CHECK(refusal_of({}, {{}}) == "target: one or more are needed");
    CHECK(refusal_of(one, {}) == "row: one or more are needed");
    CHECK(refusal_of({{"", target}}, {{}}) == "target = http://127.0.0.1:1/: it needs a name");
    CHECK(refusal_of({{"one", target}, {"one", target}}, {{}}) ==
          "target = one: this name stands for another target already");
    CHECK(refusal_of(one, {{}}, {.repeats = 0}) == "repeats = 0: allowed is 1 to 10000");
    CHECK(refusal_of(one, {{}}, {.warmup = -1s}) == "warmup = -1.00 s: allowed is 0 s or more");
    CHECK(refusal_of(one, {{}}, {.pause = -1s}) == "pause = -1.00 s: allowed is 0 s or more");
    CHECK(refusal_of(one, {{}, {.clients = 0}}) == "clients = 0: allowed is 1 to 1000000");
    CHECK(refusal_of({{"one", http::target("http://127.0.0.1:1/", {.pipeline = 2})}},
                     {{.keep_alive = false}}) == "pipeline = 2: needs keep-alive");
}
