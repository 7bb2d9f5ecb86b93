#include <benchkit/http/unix_path.hpp>

#include <doctest/doctest.h>

#include <string>

namespace detail = benchkit::http::detail;

TEST_CASE("a path that no socket can have is refused by name") {
    detail::check_unix_path("unix_path", std::string(107, 'x'));
    CHECK_THROWS_WITH_AS(detail::check_unix_path("unix_path", std::string(108, 'x')),
                         doctest::Contains("allowed is the path of a socket, of 1 to 107 bytes"),
                         benchkit::error);
    CHECK_THROWS_AS(detail::check_unix_path("unix_path", ""), benchkit::error);
    CHECK_THROWS_WITH_AS(detail::check_unix_path("unix_path", std::string("a\0b", 3)),
                         doctest::Contains("unix_path = a\\x00b: "), benchkit::error);
}
