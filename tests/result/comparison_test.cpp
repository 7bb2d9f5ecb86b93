#include <benchkit/result/comparison.hpp>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("a verdict has the name that its JSON carries") {
    CHECK(bk::to_string(bk::verdict::faster) == "faster");
    CHECK(bk::to_string(bk::verdict::slower) == "slower");
    CHECK(bk::to_string(bk::verdict::same) == "same");
    CHECK(bk::to_string(bk::verdict::undecided) == "undecided");
}

TEST_CASE("a comparison without evidence claims nothing") {
    const bk::comparison nothing;
    CHECK(nothing.verdict == bk::verdict::undecided);
    CHECK_FALSE(nothing.ratio.has_value());
    CHECK_FALSE(nothing.interval.has_value());
    CHECK_FALSE(nothing.base_summary.median.has_value());
    CHECK(nothing.base_summary.count == 0);
}
