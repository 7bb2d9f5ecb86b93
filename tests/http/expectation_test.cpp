#include <benchkit/http/expectation.hpp>

#include <doctest/doctest.h>

namespace http = benchkit::http;

TEST_CASE("without a wish, statuses below 400 are right and bodies are not looked at") {
    const http::expectation any;
    CHECK(any.accepts_status(200));
    CHECK(any.accepts_status(399));
    CHECK_FALSE(any.accepts_status(400));
    CHECK_FALSE(any.needs_body());
    CHECK_FALSE(any.body_fault("anything").has_value());
}

TEST_CASE("statuses that are named are right, and no others") {
    http::expectation wanted;
    http::add_expectation(wanted, "--expect", "status=2xx,404");
    http::add_expectation(wanted, "--expect", "status=503");
    for (const int right : {200, 204, 299, 404, 503}) CHECK(wanted.accepts_status(right));
    for (const int wrong : {0, 199, 300, 400, 405, 500, 1000, -1}) CHECK_FALSE(wanted.accepts_status(wrong));
}

TEST_CASE("bodies are judged by what is in them and by their length") {
    http::expectation wanted;
    http::add_expectation(wanted, "--expect", "body-contains=a=b");
    http::add_expectation(wanted, "--expect", "body-length=5");
    CHECK(wanted.needs_body());
    CHECK_FALSE(wanted.body_fault("xa=bx").has_value());
    CHECK(wanted.body_fault("xa-bx").value() == "the body does not contain a=b");
    CHECK(wanted.body_fault("xa=b").value() == "the body has 4 bytes, not 5");
    CHECK(http::expectation().body_length(0).body_fault("x").value() == "the body has 1 bytes, not 0");
}

TEST_CASE("what is no expectation is refused by name") {
    for (const char* wrong : {"", "status", "status=", "status=20", "status=2x", "status=099", "status=1xx",
                              "status=100", "status=2xx,", "status=abc", "body-contains=", "body-length=x",
                              "body-length=-1", "colour=red", "json:/a=1"}) {
        CAPTURE(wrong);
        http::expectation wanted;
        CHECK_THROWS_AS(http::add_expectation(wanted, "--expect", wrong), benchkit::error);
    }
    CHECK_THROWS_AS((void)http::expectation().status(99), benchkit::error);
}
