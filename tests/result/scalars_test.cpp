#include <benchkit/result/scalars.hpp>

#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

namespace bk = benchkit;

TEST_CASE("a scalar is found by its name and only as what it is") {
    const bk::attributes scalars{{"whole", std::int64_t{7}},
                                 {"real", 0.5},
                                 {"text", std::string("seven")},
                                 {"truth", true},
                                 {"nan", std::numeric_limits<double>::quiet_NaN()}};
    CHECK(bk::find_integer(scalars, "whole") == 7);
    CHECK_FALSE(bk::find_integer(scalars, "real").has_value());
    CHECK_FALSE(bk::find_integer(scalars, "text").has_value());
    CHECK_FALSE(bk::find_integer(scalars, "absent").has_value());
    CHECK(bk::find_number(scalars, "whole") == 7.0);
    CHECK(bk::find_number(scalars, "real") == 0.5);
    CHECK_FALSE(bk::find_number(scalars, "nan").has_value());
    CHECK_FALSE(bk::find_number(scalars, "truth").has_value());
    CHECK(bk::find_text(scalars, "text") == "seven");
    CHECK(bk::find_text(scalars, "whole").empty());
    CHECK(bk::find_text(scalars, "absent").empty());
    CHECK(bk::find_truth(scalars, "truth") == true);
    CHECK_FALSE(bk::find_truth(scalars, "whole").has_value());
}

TEST_CASE("the clients of a load are those of a closed loop or the connections of an open one") {
    bk::result load;
    CHECK(bk::client_count(load) == 0);
    load.parameters["connections"] = std::int64_t{64};
    CHECK(bk::client_count(load) == 64);
    load.parameters["clients"] = std::int64_t{10};
    CHECK(bk::client_count(load) == 10);
}
