#pragma once

#include <benchkit/http/request_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../http/request_feed.hpp"

namespace benchkit_test {

/// What these bytes show to be wrong with the request parser; empty where nothing is. The outcome and the
/// bytes taken must not depend on how they are split.
inline std::string fault_of_request_parser(std::string_view bytes) {
    using benchkit::http::parse_status;
    constexpr benchkit::http::request_limits small_limits{.head = 200, .body = 20};
    for (const benchkit::http::request_limits limits : {benchkit::http::request_limits{}, small_limits}) {
        request_feed whole(limits);
        whole.give(bytes);
        request_feed single(limits);
        for (std::size_t at = 0; at < bytes.size(); ++at) single.give(bytes.substr(at, 1));
        request_feed mixed(limits);
        std::uint64_t state = bytes.size();
        for (std::size_t at = 0, size = 0; at < bytes.size(); at += size) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            size = std::max<std::size_t>(static_cast<std::size_t>(state >> 60U), 1);
            mixed.give(bytes.substr(at, size));
        }
        const request_outcome outcome = whole.finish();
        if (single.finish() != outcome) return "byte by byte, the outcome is another than of the whole";
        if (mixed.finish() != outcome) return "in pieces, the outcome is another than of the whole";
        const bool refused = outcome.status == parse_status::malformed;
        if (refused != (outcome.error_status >= 400) || refused == outcome.reason.empty()) {
            return "a reason or a status is missing";
        }
        if (refused) continue;
        if (single.consumed() != whole.consumed() || mixed.consumed() != whole.consumed()) {
            return "the number of bytes taken depends on how they are split";
        }
        if (outcome.body.size() > limits.body) return "a body is longer than its limit";
        if (outcome.status == parse_status::complete && outcome.path.empty()) return "a path is missing";
    }
    return {};
}

}  // namespace benchkit_test
