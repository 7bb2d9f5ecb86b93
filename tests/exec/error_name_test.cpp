#include <benchkit/exec/error_name.hpp>

#include <doctest/doctest.h>

#include <cerrno>
#include <system_error>

namespace bk = benchkit;

TEST_CASE("system errors are counted under the names of std::errc") {
    const auto name = [](int number) { return bk::error_name({number, asio::error::get_system_category()}); };
    CHECK(name(static_cast<int>(std::errc::connection_refused)) == "connection_refused");
    CHECK(name(static_cast<int>(std::errc::connection_reset)) == "connection_reset");
    CHECK(name(static_cast<int>(std::errc::address_not_available)) == "address_not_available");
    CHECK(name(static_cast<int>(std::errc::too_many_files_open)) == "too_many_files_open");
    CHECK(bk::error_name(std::make_error_code(std::errc::broken_pipe)) == "broken_pipe");
    CHECK(bk::error_name({EPIPE, std::system_category()}) == "broken_pipe");
    CHECK(name(EAGAIN) == "try_again");  // such as a Unix socket whose queue is full
    CHECK(name(ENOTTY) == "errno_" + std::to_string(ENOTTY));
}

TEST_CASE("errors of Asio's own categories have names too") {
    CHECK(bk::error_name(asio::error::host_not_found) == "host_not_found");
    CHECK(bk::error_name(asio::error::eof) == "end_of_file");
    CHECK(bk::error_name(asio::error::connection_refused) == "connection_refused");
}
