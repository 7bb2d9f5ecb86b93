#include <benchkit/core/base64.hpp>

#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

namespace bk = benchkit;
using namespace std::string_literals;

TEST_CASE("base64 agrees with RFC 4648, section 10") {
    const std::pair<std::string_view, std::string_view> vectors[] = {
        {"", ""},
        {"f", "Zg=="},
        {"fo", "Zm8="},
        {"foo", "Zm9v"},
        {"foob", "Zm9vYg=="},
        {"fooba", "Zm9vYmE="},
        {"foobar", "Zm9vYmFy"},
    };
    for (const auto& vector : vectors) {
        CAPTURE(vector.first);
        CHECK(bk::base64_encode(vector.first) == vector.second);
        CHECK(bk::base64_decode(vector.second) == vector.first);
    }
}

TEST_CASE("base64 takes any byte") {
    // RFC 3548, section 7: 0x14fb9c03d97e
    CHECK(bk::base64_encode("\x14\xfb\x9c\x03\xd9\x7e") == "FPucA9l+");
    CHECK(bk::base64_encode("\xff\xff\xff\0"s) == "////AA==");
    std::string all;
    for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte));
    CHECK(bk::base64_decode(bk::base64_encode(all)) == all);
}

TEST_CASE("base64 refuses what nothing encodes to") {
    for (const std::string_view text : {"Z", "Zg", "Zg=", "Zg===", "====", "=", "Z===", "Zm9v=", "Zg==Zg==",
                                        "Z=9v", "Zm 9", "Zm9v\n", "Zm-_", "Zm8\xC3", "Zh==", "Zm9="}) {
        CAPTURE(text);
        CHECK(!bk::base64_decode(text));
    }
}
