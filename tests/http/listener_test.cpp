#include <benchkit/http/listener.hpp>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <fstream>
#include <optional>
#include <string>

#include <benchkit/exec/shard.hpp>

#include "support/raw_client.hpp"
#include "support/scratch_folder.hpp"

namespace bk = benchkit;
using bk::http::detail::listener;

namespace {

bool exists(const std::string& path) {
    struct stat facts {};
    return lstat(path.c_str(), &facts) == 0;
}

bool can_connect(const std::string& path) {
    return tests::raw_client(path).is_connected();
}

}  // namespace

TEST_CASE("a port of the system's choice is told") {
    bk::shard shard;
    for (const char* address : {"127.0.0.1", "127.0.0.2"}) {
        listener first(shard.executor(), {asio::ip::make_address(address), 0});
        CHECK(first.port() > 0);
        CHECK_THROWS_AS(listener(shard.executor(), {asio::ip::make_address(address),
                                                    static_cast<asio::ip::port_type>(first.port())}),
                        bk::error);
    }
}

TEST_CASE("a Unix socket is there while somebody listens") {
    bk::shard shard;
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    {
        const listener listening(shard.executor(), path);
        CHECK(can_connect(path));
        CHECK_THROWS_WITH_AS(listener(shard.executor(), path),
                             ("cannot listen on " + path + ": somebody else listens there").c_str(), bk::error);
        CHECK(can_connect(path));
    }
    CHECK_FALSE(exists(path));
}

TEST_CASE("a socket whose listener has died is replaced, another file is not") {
    bk::shard shard;
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    const int dead = socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof address.sun_path - 1);
    REQUIRE(bind(dead, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    close(dead);
    REQUIRE(exists(path));
    {
        const listener listening(shard.executor(), path);
        CHECK(can_connect(path));
    }
    const std::string other = folder.file("text");
    std::ofstream(other) << "precious";
    CHECK_THROWS_WITH_AS(listener(shard.executor(), other),
                         ("cannot listen on " + other + ": there is a file that is no socket").c_str(),
                         bk::error);
    CHECK(exists(other));
}

TEST_CASE("a file that has taken the place of the socket stays") {
    bk::shard shard;
    tests::scratch_folder folder;
    const std::string path = folder.file("socket");
    std::optional<listener> second;
    {
        const listener first(shard.executor(), path);
        REQUIRE(unlink(path.c_str()) == 0);
        second.emplace(shard.executor(), path);
    }
    CHECK(can_connect(path));
}
