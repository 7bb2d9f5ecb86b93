#include <benchkit/http/status.hpp>

#include <doctest/doctest.h>

using benchkit::http::reason_phrase;

TEST_CASE("reason phrases are those of RFC 9110 section 15 and the registry") {
    CHECK(reason_phrase(100) == "Continue");
    CHECK(reason_phrase(200) == "OK");
    CHECK(reason_phrase(204) == "No Content");
    CHECK(reason_phrase(304) == "Not Modified");
    CHECK(reason_phrase(404) == "Not Found");
    CHECK(reason_phrase(413) == "Content Too Large");
    CHECK(reason_phrase(431) == "Request Header Fields Too Large");
    CHECK(reason_phrase(501) == "Not Implemented");
    CHECK(reason_phrase(503) == "Service Unavailable");
    CHECK(reason_phrase(505) == "HTTP Version Not Supported");
    CHECK(reason_phrase(511) == "Network Authentication Required");
}

TEST_CASE("a code that is not registered has none") {
    for (const int status : {-1, 0, 199, 299, 306, 418, 509, 599, 999}) CHECK(reason_phrase(status).empty());
}
