#include <benchkit/load/matrix_result.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_matrix.hpp"

namespace bk = benchkit;

namespace {

bool says(const bk::result& judged, const char* code) {
    for (const bk::diagnostic& one : judged.diagnostics) {
        if (one.code == code) return true;
    }
    return false;
}

}  // namespace

TEST_CASE("rows, in each its targets, in each their runs") {
    const bk::result whole = made::matrix();
    CHECK(whole.kind == "matrix");
    REQUIRE(whole.children.size() == 2);
    CHECK(whole.children[1].name == "c=100,n=1000000,t=12,keepalive=no");
    CHECK(whole.children[1].kind == "matrix.row");
    for (const bk::result& row : whole.children) {
        REQUIRE(row.children.size() == 2);
        CHECK(row.children[0].name == "drogon");
        CHECK(row.children[1].name == "nginx");
        for (const bk::result& target : row.children) CHECK(target.children.size() == 5);
    }
}

TEST_CASE("ratios are of the runs of the same round, their interval from the least to the largest of five") {
    const bk::result whole = made::matrix();
    const bk::comparison& compared = whole.children[0].children[1].comparisons.at(0);
    CHECK(*compared.ratio == doctest::Approx(329.5 / 558));
    CHECK(compared.interval->low == doctest::Approx(330.0 / 561));
    CHECK(compared.interval->high == doctest::Approx(329.0 / 552));
    CHECK(compared.confidence == 0.9375);
    CHECK(compared.verdict == bk::verdict::undecided);  // 95 % is what decides
    CHECK(compared.base_summary.count == 5);
    CHECK(compared.new_summary.median == 329.5e3);
    CHECK(says(whole, "few-rounds"));
}

TEST_CASE("an interrupted run is in the books and in no rate") {
    const bk::result whole = made::matrix();
    const bk::result& target = whole.children[1].children[1];
    CHECK(target.counter("failed") == 33);
    CHECK(target.counter("not_started") == 20);
    CHECK(target.samples.at("rate").values.size() == 4);
    CHECK(target.comparisons.at(0).confidence == 0.875);
    CHECK(*target.comparisons.at(0).ratio == doctest::Approx((40.0 / 135 + 45.0 / 137) / 2));
    CHECK(whole.counter("scheduled") == 19 * 200 + 234);
    CHECK(whole.counter("failed") == 33);
    CHECK(says(whole, "interrupted"));
    CHECK(says(target, "failures"));
}

TEST_CASE("six rounds decide") {
    const std::vector<bk::result> base = made::runs_at({100, 101, 102, 103, 104, 105}, 0.5);
    const std::vector<bk::result> more = made::runs_at({101, 102, 103, 104, 105, 106}, 0.5);
    CHECK(bk::detail::compare_rates(base, more).verdict == bk::verdict::faster);
    CHECK(bk::detail::compare_rates(more, base).verdict == bk::verdict::slower);
    CHECK(bk::detail::compare_rates(base, base).verdict == bk::verdict::undecided);
    CHECK(bk::detail::compare_rates(more, base).confidence == 0.96875);
    const bk::comparison one = bk::detail::compare_rates({made::run_at(100)}, {made::run_at(50)});
    CHECK(one.ratio == 0.5);
    CHECK_FALSE(one.interval.has_value());
    CHECK_FALSE(bk::detail::compare_rates({}, more).ratio.has_value());
}

TEST_CASE("JSON restores all of it") {
    const bk::result whole = made::matrix();
    const std::string text = bk::to_json(whole);
    const bk::result restored = bk::read_json(text);
    bk::check(restored);
    CHECK(bk::to_json(restored) == text);
    CHECK(restored.children[0].children[1].comparisons == whole.children[0].children[1].comparisons);
}

TEST_CASE("a matrix of which nothing was run keeps its rows and targets") {
    std::vector<std::vector<bk::detail::matrix_runs>> none{{{"a", {}}, {"b", {}}}};
    const bk::result whole = bk::detail::make_matrix({}, {{.clients = 3}}, std::move(none));
    REQUIRE(whole.children.size() == 1);
    CHECK(whole.children[0].children.size() == 2);
    CHECK_FALSE(whole.children[0].children[1].rate.has_value());
    CHECK_FALSE(says(whole, "few-rounds"));
    CHECK(bk::to_json(bk::read_json(bk::to_json(whole))) == bk::to_json(whole));
}
