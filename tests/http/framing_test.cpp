#include <benchkit/http/framing.hpp>

#include <initializer_list>
#include <limits>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

using benchkit::http::detail::framing_fields;

namespace {

framing_fields fields_of(std::initializer_list<std::pair<std::string_view, std::string_view>> lines) {
    framing_fields fields;
    for (const auto& [name, value] : lines) fields.add(name, value);
    return fields;
}

std::int64_t length_of(std::string_view value) {
    const framing_fields fields = fields_of({{"Content-Length", value}});
    return fields.content_length_error != nullptr ? -2 : fields.content_length;
}

}  // namespace

TEST_CASE("Content-Length is digits, or a list of the same number (RFC 9112 section 6.3)") {
    CHECK(length_of("0") == 0);
    CHECK(length_of("1000") == 1000);
    CHECK(length_of("007") == 7);
    CHECK(length_of("7, 7,,07") == 7);
    CHECK(length_of("9223372036854775807") == std::numeric_limits<std::int64_t>::max());
    for (const std::string_view bad :
         {"", ",", " ", "-1", "+1", "1 1", "1;a", "0x1", "1e3", "\"1\"", "1,2", "1,x", "x,1",
          "9223372036854775808", "99999999999999999999999999999999999999999"}) {
        CAPTURE(bad);
        CHECK(length_of(bad) == -2);
    }
    CHECK(fields_of({{"Content-Length", "5"}, {"content-length", "5"}}).content_length == 5);
    CHECK(fields_of({{"Content-Length", "5"}, {"Content-Length", "6"}}).content_length_error != nullptr);
    CHECK(fields_of({}).content_length == -1);
}

TEST_CASE("chunked frames a body only as the last coding, applied once, without parameters") {
    CHECK(fields_of({{"Transfer-Encoding", "chunked"}}).chunked_is_last);
    CHECK(fields_of({{"Transfer-Encoding", "gzip"}, {"Transfer-Encoding", "Chunked"}}).chunked_is_last);
    CHECK_FALSE(fields_of({{"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "gzip"}}).chunked_is_last);
    CHECK(fields_of({{"Transfer-Encoding", "gzip;q=1, chunked"}}).has_other_coding);
    CHECK_FALSE(fields_of({{"Transfer-Encoding", "chunked"}}).has_other_coding);
    CHECK(fields_of({{"Transfer-Encoding", ""}}).has_transfer_encoding);
    CHECK_FALSE(fields_of({{"Transfer-Encoding", ""}}).chunked_is_last);
    CHECK(fields_of({{"Transfer-Encoding", "chunked, chunked"}}).transfer_coding_error != nullptr);
    CHECK(fields_of({{"Transfer-Encoding", "chunked ;a=b"}}).transfer_coding_error != nullptr);
    CHECK(fields_of({{"Transfer-Encoding", "chunked, gzip, chunked"}}).transfer_coding_error != nullptr);
}

TEST_CASE("persistence follows the list of RFC 9112 section 9.3") {
    CHECK(fields_of({}).is_persistent(1));
    CHECK_FALSE(fields_of({}).is_persistent(0));
    CHECK(fields_of({{"Connection", "Keep-Alive"}}).is_persistent(0));
    CHECK_FALSE(fields_of({{"Connection", "close"}}).is_persistent(1));
    CHECK_FALSE(fields_of({{"Connection", "keep-alive"}, {"Connection", "x,close"}}).is_persistent(0));
    CHECK(fields_of({{"Connection", "upgrade"}}).is_persistent(1));
    CHECK(fields_of({{"Connectiom", "close"}}).is_persistent(1));
}
