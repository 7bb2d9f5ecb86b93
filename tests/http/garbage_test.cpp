#include <benchkit/http/garbage.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

#include <benchkit/http/response_parser.hpp>

#include "response_feed.hpp"

TEST_CASE("no variant is an answer, whatever was asked") {
    std::set<std::string> different;
    for (std::uint64_t variant = 0; variant < 400; ++variant) {
        const std::string bytes = benchkit::http::garbage(variant);
        different.insert(bytes);
        const auto outcome = benchkit_test::feed_whole(bytes);
        CHECK(outcome.status == benchkit::http::parse_status::malformed);
    }
    CHECK(different.size() == 3 + 100);
}
