#include <benchkit/result/print_tables.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include "../support/made_results.hpp"

namespace detail = benchkit::detail;

TEST_CASE("a figure is in the unit of its distribution") {
    CHECK(detail::figure_text(1'500.0, "ns") == "1.50 us");
    CHECK(detail::figure_text(2'048.0, "bytes") == "2.00 KiB");
    CHECK(detail::figure_text(1'234.0, "records") == "1,234");
    CHECK(detail::figure_text(1'234.56, "records") == "1234.6");
    CHECK(detail::figure_text(std::numeric_limits<double>::infinity(), "ns") == "n/a");
    CHECK(detail::figure_text(std::optional<std::int64_t>(), "ns") == "n/a");
}

TEST_CASE("the most telling distributions come first; empty ones and those of other tables are left out") {
    benchkit::result measured = made::troubled_load();
    measured.distributions["response_time"] = made::times_in_ms({{1, 1}});
    measured.distributions["lag"];
    measured.distributions["a_time"] = made::times_in_ms({{1, 1}});
    const auto shown = detail::shown_distributions(measured);
    std::vector<std::string> names;
    for (const auto& entry : shown) names.push_back(entry.first);
    CHECK(names == std::vector<std::string>{"response time", "service time", "first byte time", "connect time",
                                            "a time"});
}
