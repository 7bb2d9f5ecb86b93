#include <benchkit/http/address_list.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <benchkit/exec/run.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;
using namespace std::chrono_literals;

namespace {

// Runs `use(addresses, shard)` for the host of a URL.
void with_addresses(const std::string& url,
                    const std::function<bk::awaitable<>(http::address_list&, bk::shard&)>& use) {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::address_list addresses(shard, http::parse_url("url", url));
        co_await use(addresses, shard);
    });
}

std::string text_of(const http::stream_endpoint& endpoint) {
    asio::ip::tcp::endpoint address;
    REQUIRE(endpoint.size() <= address.capacity());
    std::memcpy(address.data(), endpoint.data(), endpoint.size());
    return address.address().to_string() + " port " + std::to_string(address.port());
}

}  // namespace

TEST_CASE("a host that is an address is that address, with the URL's port") {
    with_addresses("http://127.0.0.1:8088/", [](http::address_list& addresses, bk::shard&) -> bk::awaitable<> {
        CHECK_FALSE(addresses.resolved());
        const asio::error_code error = co_await addresses.resolve(bk::time_point::max());
        CHECK_FALSE(error);
        REQUIRE(addresses.size() == 1);
        CHECK(addresses.resolved());
        CHECK(text_of(addresses.at(0)) == "127.0.0.1 port 8088");
    });
    with_addresses("http://[::1]/", [](http::address_list& addresses, bk::shard&) -> bk::awaitable<> {
        const asio::error_code error = co_await addresses.resolve(bk::time_point::max());
        CHECK_FALSE(error);
        REQUIRE(addresses.size() == 1);
        CHECK(text_of(addresses.at(0)) == "::1 port 80");
    });
}

TEST_CASE("localhost is a loopback address, whatever the hosts file says") {
    with_addresses("http://localhost:1/", [](http::address_list& addresses, bk::shard&) -> bk::awaitable<> {
        const asio::error_code error = co_await addresses.resolve(bk::time_point::max());
        CHECK_FALSE(error);
        REQUIRE(addresses.size() >= 1);
        for (std::size_t k = 0; k < addresses.size(); ++k) {
            const std::string text = text_of(addresses.at(k));
            CHECK((text.starts_with("127.") || text.starts_with("::1 ")));
        }
    });
}

TEST_CASE("addresses that are known already are not looked up; the one that took a connection is tried first") {
    bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> {
        const asio::ip::tcp::endpoint first(asio::ip::make_address("127.0.0.1"), 1);
        const asio::ip::tcp::endpoint second(asio::ip::make_address("127.0.0.2"), 1);
        const asio::ip::tcp::endpoint third(asio::ip::make_address("127.0.0.3"), 1);
        const std::vector<http::stream_endpoint> known{first, second, third};
        http::address_list addresses(shard, http::parse_url("url", "http://no-such-host.invalid/"), known);
        const asio::error_code error = co_await addresses.resolve(shard.now());
        CHECK_FALSE(error);
        REQUIRE(addresses.size() == 3);
        CHECK(text_of(addresses.at(addresses.first())) == "127.0.0.1 port 1");
        addresses.prefer(1);
        CHECK(text_of(addresses.at(addresses.first())) == "127.0.0.2 port 1");
        CHECK(text_of(addresses.at(addresses.first() + 2)) == "127.0.0.1 port 1");
        addresses.prefer(addresses.first() + 2);
        CHECK(addresses.first() == 0);
    });
}

TEST_CASE("who is trying the addresses meets each of them once, whatever others prefer meanwhile") {
    bk::run(bk::single_threaded{}, [](bk::shard& shard) -> bk::awaitable<> {
        std::vector<http::stream_endpoint> known;
        for (const char* address : {"127.0.0.1", "127.0.0.2", "127.0.0.3"}) {
            known.emplace_back(asio::ip::tcp::endpoint(asio::ip::make_address(address), 1));
        }
        for (std::size_t preferred = 0; preferred < 3; ++preferred) {
            http::address_list addresses(shard, http::parse_url("url", "http://no-such-host.invalid/"), known);
            std::set<std::string> met;
            const std::size_t first = addresses.first();
            for (std::size_t k = 0; k < addresses.size(); ++k) {
                met.insert(text_of(addresses.at(first + k)));
                addresses.prefer(preferred);
            }
            CHECK(met.size() == 3);
        }
        co_return;
    });
}

TEST_CASE("a look-up before the run finds the same, and nothing where there is nothing") {
    const std::vector<http::stream_endpoint> found = http::look_up(http::parse_url("url", "http://[::1]:81/"));
    REQUIRE(found.size() == 1);
    CHECK(text_of(found[0]) == "::1 port 81");
    CHECK(http::look_up(http::parse_url("url", "http://no-such-host.invalid/")).empty());
}

TEST_CASE("a name that has no address is an error, and can be asked for again") {
    with_addresses("http://no-such-host.invalid/",
                   [](http::address_list& addresses, bk::shard&) -> bk::awaitable<> {
                       for (int count = 0; count < 2; ++count) {
                           const asio::error_code error = co_await addresses.resolve(bk::time_point::max());
                           CHECK(error);
                           CHECK(error != asio::error_code(asio::error::timed_out));
                           CHECK_FALSE(addresses.resolved());
                           CHECK(addresses.size() == 0);
                       }
                   });
}

TEST_CASE("all who ask while a look-up is under way get its answer") {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::address_list addresses(shard, http::parse_url("url", "http://localhost/"));
        bk::wait_group asking(shard);
        int answered = 0;
        const auto ask = [&]() -> bk::awaitable<> {
            const asio::error_code error = co_await addresses.resolve(bk::time_point::max());
            if (!error && addresses.resolved()) ++answered;
            asking.done();
        };
        asking.add(50);
        for (int count = 0; count < 50; ++count) shard.spawn(ask);
        co_await asking.wait();
        CHECK(answered == 50);
    });
}

TEST_CASE("a limit ends the waiting, not the look-up, which may outlive who asked") {
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        auto addresses =
            std::make_unique<http::address_list>(shard, http::parse_url("url", "http://no-such-host.invalid/"));
        const asio::error_code error = co_await addresses->resolve(shard.now());
        CHECK(error == asio::error_code(asio::error::timed_out));
        CHECK_FALSE(addresses->resolved());
        addresses.reset();
        // The system answers meanwhile, or the run ends before: neither touches what is gone.
        http::address_list other(shard, http::parse_url("url", "http://no-such-host.invalid/"));
        const asio::error_code later = co_await other.resolve(bk::time_point::max());
        CHECK(later);
    });
}
