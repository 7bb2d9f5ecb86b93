#include <benchkit/http/url.hpp>

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using benchkit::http::parse_url;
using benchkit::http::url;

namespace {

struct good_url {
    std::string_view text;
    std::string_view host;
    int port;
    std::string_view path;
    std::string_view host_header;
};

std::string refusal(std::string_view text) {
    try {
        static_cast<void>(parse_url("url", text));
    } catch (const benchkit::error& problem) {
        CHECK(problem.option() == "url");
        return problem.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("a URL is taken apart") {
    for (const good_url& expected : {
             good_url{"http://localhost", "localhost", 80, "/", "localhost"},
             {"http://localhost/", "localhost", 80, "/", "localhost"},
             {"HTTP://localhost:8088/api/v1/sync/benchmark-hello-world", "localhost", 8088,
              "/api/v1/sync/benchmark-hello-world", "localhost:8088"},
             {"http://172.17.0.1:80/a?b=c&d=/e?f", "172.17.0.1", 80, "/a?b=c&d=/e?f", "172.17.0.1"},
             {"http://h?x=1", "h", 80, "/?x=1", "h"},
             {"http://h#top", "h", 80, "/", "h"},
             {"http://h/a#top?no", "h", 80, "/a", "h"},
             {"http://h/a@b:c//d", "h", 80, "/a@b:c//d", "h"},
             {"http://h:65535/%20{x}", "h", 65535, "/%20{x}", "h:65535"},
             {"http://h:0080/", "h", 80, "/", "h"},
             {"http://[::1]:8080/x", "::1", 8080, "/x", "[::1]:8080"},
             {"http://[2001:db8::a]", "2001:db8::a", 80, "/", "[2001:db8::a]"},
             {"http://[::ffff:127.0.0.1]?q", "::ffff:127.0.0.1", 80, "/?q", "[::ffff:127.0.0.1]"},
             {"http://my_service.example-1.org.", "my_service.example-1.org.", 80, "/",
              "my_service.example-1.org."},
         }) {
        CAPTURE(expected.text);
        const url parsed = parse_url("url", expected.text);
        CHECK(parsed.scheme == "http");
        CHECK(parsed.host == expected.host);
        CHECK(parsed.port == expected.port);
        CHECK(parsed.path == expected.path);
        CHECK(parsed.ipv6 == (expected.text.find('[') != std::string_view::npos));
        CHECK(parsed.host_header() == expected.host_header);
        CHECK(parse_url("url", parsed.text()) == parsed);
    }
}

TEST_CASE("what is wrong with a URL is said in one sentence") {
    struct {
        std::string_view text;
        std::string_view sentence;
    } const cases[] = {
        {"", "url: a URL such as http://localhost:8080/path is needed"},
        {"ftp://h/", "url = ftp://h/: this scheme is unknown; a URL begins with http:// or https://"},
        {"://h/", "url = ://h/: this scheme is unknown; a URL begins with http:// or https://"},
        {"localhost:8080/x", "url = localhost:8080/x: a URL begins with http://"},
        {"http:/h", "url = http:/h: a URL begins with http://"},
        {"http://", "url = http://: the host is missing"},
        {"http:///x", "url = http:///x: the host is missing"},
        {"http://:80/", "url = http://:80/: the host is missing"},
        {"http://h:/", "url = http://h:/: the port after : is missing"},
        {"http://h:0/", "url = http://h:0/: a port is a number from 1 to 65535"},
        {"http://h:65536/", "url = http://h:65536/: a port is a number from 1 to 65535"},
        {"http://h:4294967377/", "url = http://h:4294967377/: a port is a number from 1 to 65535"},
        {"http://h:-1/", "url = http://h:-1/: a port is a number from 1 to 65535"},
        {"http://h:+1/", "url = http://h:+1/: a port is a number from 1 to 65535"},
        {"http://h:80x/", "url = http://h:80x/: a port is a number from 1 to 65535"},
        {"http://h:1:2/", "url = http://h:1:2/: a port is a number from 1 to 65535"},
        {"http://a:b@h/",
         "url = http://a:b@h/: a user or password in the URL is not supported; send a header Authorization "
         "instead"},
        {"http://::1/", "url = http://::1/: an IPv6 address stands in brackets, as in http://[::1]:8080/"},
        {"http://2001:db8::1/x",
         "url = http://2001:db8::1/x: an IPv6 address stands in brackets, as in http://[::1]:8080/"},
        {"http://a,b/", "url = http://a,b/: a host name has letters, digits and -._~ only"},
        {"http://[::1/", "url = http://[::1/: the ] after an IPv6 address is missing"},
        {"http://[]/", "url = http://[]/: this is no IPv6 address"},
        {"http://[::1::]/", "url = http://[::1::]/: this is no IPv6 address"},
        {"http://[127.0.0.1]/", "url = http://[127.0.0.1]/: this is no IPv6 address"},
        {"http://[v1.a]/", "url = http://[v1.a]/: this is no IPv6 address"},
        {"http://[fe80::1%25eth0]/",
         "url = http://[fe80::1%25eth0]/: a zone in an IPv6 address is not supported"},
        {"http://[::1]x/",
         "url = http://[::1]x/: after the ] of an IPv6 address only a port or a path may follow"},
    };
    for (const auto& each : cases) CHECK(refusal(each.text) == each.sentence);
}

TEST_CASE("spaces, control characters and bytes beyond ASCII are refused anywhere") {
    for (const std::string_view text : {"http://h/a b", " http://h/", "http://h/ ", "http://h/\r\nX: y",
                                        "http://h\t/", "http://h/\xc3\xa4", "http://h\x7f/", "\n"}) {
        const std::string sentence = refusal(text);
        CAPTURE(sentence);
        CHECK(sentence.find("no spaces, control characters or bytes beyond ASCII") != std::string::npos);
        CHECK(sentence.find_first_of("\r\n\t\x7f") == std::string::npos);
    }
    CHECK(refusal(std::string_view("http://h\0/", 10)).find("\\x00") != std::string::npos);
}

TEST_CASE("an https URL has the port 443 unless it names one") {
    const benchkit::http::url secure = benchkit::http::parse_url("url", "https://h/x");
    CHECK(secure.is_secure());
    CHECK(secure.port == 443);
    CHECK(secure.host_header() == "h");
    CHECK(secure.text() == "https://h/x");
    CHECK(benchkit::http::parse_url("url", "HTTPS://h:80/").host_header() == "h:80");
    CHECK(benchkit::http::parse_url("url", "http://h:443/").host_header() == "h:443");
}

TEST_CASE("a peer is a host and a port") {
    CHECK(benchkit::http::parse_peer("connect_to", "localhost:8080").host == "localhost");
    CHECK(benchkit::http::parse_peer("connect_to", "localhost:8080").port == 8080);
    CHECK(benchkit::http::parse_peer("connect_to", "[::1]:81").host == "::1");
    CHECK(benchkit::http::parse_peer("connect_to", "[::1]:81").port == 81);
    for (const char* wrong :
         {"", "localhost", "[::1]", ":80", "h:", "h:0", "h:80/x", "http://h:80", "a b:80"}) {
        CAPTURE(wrong);
        CHECK_THROWS_AS((void)benchkit::http::parse_peer("connect_to", wrong), benchkit::error);
    }
}
