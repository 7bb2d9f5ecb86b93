#include <benchkit/http/tls.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/exec/run.hpp>
#include <benchkit/http/client.hpp>

#include "support/scratch_folder.hpp"
#include "support/tls_peer.hpp"

namespace bk = benchkit;
namespace http = benchkit::http;

namespace {

// An authority, its certificate in a file, and what is to be trusted.
struct authority {
    static inline int made = 0;  // so that each has a name of its own
    mutable tests::scratch_folder folder;
    tests::certificate own =
        tests::make_certificate({.name = "authority " + std::to_string(++made), .alternatives = ""});
    std::string file = write("authority.pem", tests::pem_of(own, false));

    std::string write(const std::string& name, const std::string& text) const {
        const std::string path = folder.file(name);
        std::ofstream(path, std::ios::binary) << text;
        return path;
    }
    tests::certificate certificate(const tests::certificate_wish& wish) const {
        return tests::make_certificate(wish, &own);
    }
};

// What comes of a number of GETs on one client.
std::vector<http::response> get(const std::string& url, const http::tls_options& options, int times = 1,
                                bool keep_alive = true) {
    std::vector<http::response> answers;
    bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
        http::target target(url, {.keep_alive = keep_alive});
        target.secured_by(http::tls(options));
        http::client client(shard, target);
        for (int k = 0; k < times; ++k) answers.push_back(co_await client.get("/"));
    });
    return answers;
}

std::string why(const http::response& answer) {
    return answer.failed() ? http::describe(*answer.failed()) : "status " + std::to_string(answer.status());
}

}  // namespace

TEST_CASE("requests go over one TLS connection, by name and by address, in both versions") {
    const authority trusted;
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        for (const char* host : {"localhost", "127.0.0.1"}) {
            CAPTURE(newest);
            CAPTURE(host);
            const tests::tls_server server({.shown = trusted.certificate({}), .newest = newest});
            const auto answers = get(server.url(host), {.ca_file = trusted.file}, 3);
            for (const http::response& answer : answers) {
                CHECK(why(answer) == "status 200");
                CHECK(answer.body() == "ok");
            }
            CHECK(server.connections() == 1);
        }
    }
}

TEST_CASE("a certificate that does not verify is refused with OpenSSL's reason") {
    const authority trusted;
    const authority other;
    const tests::tls_server wrong_name(
        {.shown = trusted.certificate({.name = "other.example", .alternatives = "DNS:other.example"})});
    CHECK(why(get(wrong_name.url(), {.ca_file = trusted.file}).front()) == "tls: hostname mismatch");
    CHECK(why(get(wrong_name.url("127.0.0.1"), {.ca_file = trusted.file}).front()) ==
          "tls: IP address mismatch");
    const tests::tls_server expired({.shown = trusted.certificate({.first_day = -3, .last_day = -1})});
    CHECK(why(get(expired.url(), {.ca_file = trusted.file}).front()) == "tls: certificate has expired");
    const tests::tls_server early({.shown = trusted.certificate({.first_day = 1, .last_day = 3})});
    CHECK(why(get(early.url(), {.ca_file = trusted.file}).front()) == "tls: certificate is not yet valid");
    const tests::tls_server self_signed({.shown = tests::make_certificate({})});
    CHECK(why(get(self_signed.url(), {.ca_file = trusted.file}).front()).starts_with("tls: self"));
    const tests::tls_server foreign({.shown = other.certificate({})});
    CHECK(why(get(foreign.url(), {.ca_file = trusted.file}).front()) ==
          "tls: unable to get local issuer certificate");
    for (const tests::tls_server* any : {&wrong_name, &expired, &early, &self_signed, &foreign}) {
        CHECK(why(get(any->url(), {.verify = false}).front()) == "status 200");
    }
}

TEST_CASE("a session is taken up by the next connection") {
    const authority trusted;
    for (const int newest : {TLS1_2_VERSION, TLS1_3_VERSION}) {
        CAPTURE(newest);
        const tests::tls_server server({.shown = trusted.certificate({}), .newest = newest});
        for (const bool resume : {true, false}) {
            bk::run(bk::single_threaded{}, [&](bk::shard& shard) -> bk::awaitable<> {
                http::target target(server.url());
                target.secured_by(http::tls({.ca_file = trusted.file, .resume = resume}));
                http::connector connector(shard, target.plan(), {}, target.make_secure());
                for (int round = 0; round < 3; ++round) {
                    http::connection connection(shard, connector, std::chrono::seconds(10),
                                                std::chrono::seconds(5));
                    connection.begin(shard.now());
                    http::connect_outcome outcome;
                    co_await connection.connect(shard.now(), outcome);
                    CHECK_FALSE(outcome.failure.has_value());
                    CHECK(outcome.resumed == (resume && round > 0));
                    REQUIRE(outcome.tls_time.has_value());
                    CHECK(outcome.tls_time->count() > 0);
                    CHECK(
                        connection.protocol().starts_with(newest == TLS1_3_VERSION ? "TLSv1.3," : "TLSv1.2,"));
                    struct ignoring {
                        void on_head(const http::response_head&) {}
                        void on_body(std::string_view) {}
                    } handler;
                    http::traffic counted;
                    (void)co_await connection.exchange(target.bytes(), false, handler, counted);
                    connection.end();
                    connection.close();
                }
            });
        }
    }
}

TEST_CASE("a client shows its certificate to a server that asks for one") {
    const authority trusted;
    const tests::tls_server server({.shown = trusted.certificate({}), .wants_from = &trusted.own});
    const std::string own =
        trusted.write("client.pem", tests::pem_of(trusted.certificate({.name = "client"}), true));
    CHECK(why(get(server.url(), {.ca_file = trusted.file, .certificate_file = own}).front()) == "status 200");
    const http::response refused = get(server.url(), {.ca_file = trusted.file}).front();
    REQUIRE(refused.failed().has_value());
    CHECK(refused.failed()->cause == bk::cause::tls);
}

TEST_CASE("a body that ends with the connection needs the notice that it has ended") {
    const authority trusted;
    for (const bool notice : {true, false}) {
        const tests::tls_server server({.shown = trusted.certificate({}),
                                        .notice = notice,
                                        .answer = "HTTP/1.1 200 OK\r\n\r\nto the end",
                                        .answers = 1});
        const http::response answer = get(server.url(), {.ca_file = trusted.file}).front();
        CAPTURE(why(answer));
        CHECK(answer.failed().has_value() == !notice);
        if (notice) CHECK(answer.body() == "to the end");
        if (!notice) CHECK(answer.failed()->cause == bk::cause::closed);
    }
}

TEST_CASE("a peer that speaks no TLS fails the handshake, with a reason") {
    const tests::scripted_server plain([](tests::peer& peer) {
        peer.write("HTTP/1.1 400 Bad Request\r\n\r\n");
        peer.wait_for_close();
    });
    const std::string url = "https://127.0.0.1" + plain.url().substr(plain.url().rfind(':'));
    CHECK(why(get(url, {.verify = false}).front()) == "tls: wrong version number");
    const tests::scripted_server silent([](tests::peer& peer) { peer.close(); });
    const std::string closing = "https://127.0.0.1" + silent.url().substr(silent.url().rfind(':'));
    const http::response closed = get(closing, {.verify = false}).front();
    REQUIRE(closed.failed().has_value());
    CHECK(closed.failed()->cause == bk::cause::tls);
}

TEST_CASE("files that cannot be used are refused by name before anything starts") {
    const authority trusted;
    const std::string text = trusted.write("text.pem", "no certificate\n");
    CHECK_THROWS_AS((void)http::tls({.ca_file = "/no/such/file"}), bk::error);
    CHECK_THROWS_AS((void)http::tls({.ca_file = text}), bk::error);
    CHECK_THROWS_AS((void)http::tls({.certificate_file = text}), bk::error);
    CHECK_THROWS_AS((void)http::tls({.certificate_file = trusted.file}), bk::error);  // has no key
    CHECK_THROWS_WITH_AS((void)http::tls({.key_file = "key.pem"}),
                         "key_file = key.pem: a key needs its certificate", bk::error);
    http::target plain("http://localhost/");
    CHECK_THROWS_AS(plain.secured_by(http::tls({})), bk::error);
}
