#include <benchkit/http/secure_channel.hpp>

#include <doctest/doctest.h>

#include <sys/socket.h>

#include <memory>
#include <string>
#include <utility>

#include <benchkit/exec/run.hpp>
#include <benchkit/http/client.hpp>
#include <benchkit/http/server.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

// Speaks neither TLS nor anything else: what is written goes out as it is.
class plain_channel final : public http::secure_channel {
  public:
    plain_channel(int descriptor, int& handshakes) : descriptor_(descriptor), handshakes_(handshakes) {}
    http::transfer handshake() override {
        ++handshakes_;
        return {};
    }
    http::transfer read_some(std::span<char> buffer) override {
        const ssize_t size = ::recv(descriptor_, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (size < 0) return {http::transfer_status::needs_input};
        if (size == 0) return {http::transfer_status::cut};
        return {http::transfer_status::done, static_cast<std::size_t>(size)};
    }
    bool has_more() const override { return true; }
    http::transfer write_some(std::string_view bytes) override {
        const ssize_t size = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        REQUIRE(size > 0);
        return {http::transfer_status::done, static_cast<std::size_t>(size)};
    }
    bool resumed() const override { return false; }
    std::string protocol() const override { return "none"; }
    void close() noexcept override {}

  private:
    int descriptor_;
    int& handshakes_;
};

struct plain_security final : http::security, http::secure_connector {
    std::unique_ptr<http::secure_connector> connector(const std::string& host) const override {
        hosts += host;
        return std::make_unique<plain_security>(*this);
    }
    std::unique_ptr<http::secure_channel> open(int descriptor) override {
        return std::make_unique<plain_channel>(descriptor, *handshakes);
    }
    mutable std::string hosts;
    int* handshakes = nullptr;
};

}  // namespace

TEST_CASE("a connection to an https URL goes through the channel that its target names") {
    http::server server;
    server.route("/", "hello");
    server.start();
    int handshakes = 0;
    auto security = std::make_shared<plain_security>();
    security->handshakes = &handshakes;
    const http::detail::security_maker before = std::exchange(
        http::detail::default_security, []() -> std::shared_ptr<const http::security> { return nullptr; });
    const std::string url = "https" + server.url("/").substr(4);
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::target target(url);
        target.secured_by(security);
        http::client client(shard, target);
        const http::response answer = co_await client.get("/");
        CHECK(answer.body() == "hello");
        co_await client.get("/");
    });
    http::detail::default_security = before;
    CHECK(handshakes == 1);
    CHECK(security->hosts == "127.0.0.1");
}
