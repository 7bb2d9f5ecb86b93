#include <benchkit/result/cause.hpp>

#include <array>
#include <cstddef>
#include <string_view>

#include <doctest/doctest.h>

namespace bk = benchkit;

// The causes of docs/terms.md, "The books".
TEST_CASE("each cause has the name of its counter") {
    constexpr std::array<std::string_view, bk::cause_count> names{
        "resolve",   "connect", "tls",       "send",  "receive",         "closed", "timeout",
        "malformed", "status",  "assertion", "stale", "connection_lost", "ports",  "canceled"};
    for (std::size_t index = 0; index < names.size(); ++index) {
        CHECK(bk::to_string(static_cast<bk::cause>(index)) == names[index]);
    }
    CHECK(bk::to_string(bk::cause::canceled) == "canceled");
    CHECK(bk::to_string(bk::cause::connection_lost) == "connection_lost");
}
