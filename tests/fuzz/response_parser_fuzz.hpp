#pragma once

#include <benchkit/http/response_parser.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../http/response_feed.hpp"

namespace benchkit_test {

/// The responses in these bytes, one after another through one parser, which gets them in pieces of the sizes
/// that `next_size` tells. The connection ends after the last byte.
template <class NextSize>
std::vector<response_outcome> read_responses(std::string_view bytes, bool to_head_request, std::size_t limit,
                                             NextSize next_size) {
    benchkit::http::response_parser parser(limit);
    std::vector<response_outcome> outcomes(1);
    parser.start(to_head_request);
    const auto end_one = [&] {
        response_outcome& outcome = outcomes.back();
        outcome.code = parser.status();
        outcome.body_bytes = parser.body_bytes();
        outcome.head_bytes = parser.head_bytes();
        outcome.started = parser.started();
        outcome.keep_alive = parser.keep_alive();
        outcome.malformed = parser.reason_malformed();
    };
    while (!bytes.empty()) {
        const std::string_view given = bytes.substr(0, std::max<std::size_t>(next_size(), 1));
        const std::vector<char> piece(given.begin(), given.end());
        std::size_t consumed = 0;
        outcomes.back().status = parser.consume({piece.data(), piece.size()}, consumed, outcomes.back());
        const bool sound =
            consumed <= piece.size() &&
            (outcomes.back().status != benchkit::http::parse_status::need_more || consumed == piece.size()) &&
            (outcomes.back().status != benchkit::http::parse_status::complete || consumed > 0);
        if (!sound) {
            outcomes.back().unsound = true;
            return outcomes;
        }
        outcomes.back().taken += consumed;
        if (outcomes.back().status == benchkit::http::parse_status::malformed) outcomes.back().taken = 0;
        bytes.remove_prefix(consumed);
        if (outcomes.back().status == benchkit::http::parse_status::need_more) continue;
        end_one();
        if (outcomes.back().status == benchkit::http::parse_status::malformed) return outcomes;
        outcomes.emplace_back();
        parser.start(to_head_request);
    }
    outcomes.back().status = parser.end_of_stream();
    end_one();
    return outcomes;
}

/// What these bytes show to be wrong with the response parser; empty where nothing is. The outcome must not
/// depend on how they are split, and each must be consistent in itself.
inline std::string fault_of_response_parser(std::string_view bytes) {
    using benchkit::http::parse_status;
    constexpr std::size_t small_limit = 200;
    for (const std::size_t limit : {benchkit::http::response_parser::default_limit, small_limit}) {
        for (const bool to_head_request : {false, true}) {
            const auto whole = read_responses(bytes, to_head_request, limit, [&] { return bytes.size(); });
            const auto single = read_responses(bytes, to_head_request, limit, [] { return std::size_t{1}; });
            std::uint64_t state = bytes.size();
            const auto mixed = read_responses(bytes, to_head_request, limit, [&state] {
                state = state * 6364136223846793005U + 1442695040888963407U;
                return static_cast<std::size_t>(state >> 60U);
            });
            if (whole != single) return "byte by byte, the outcome is another than of the whole";
            if (whole != mixed) return "in pieces, the outcome is another than of the whole";
            for (const response_outcome& each : whole) {
                if (each.unsound) return "what is said to be consumed cannot be";
                if (each.status == parse_status::complete &&
                    each.head_bytes + each.body_bytes > static_cast<std::int64_t>(each.taken)) {
                    return "there is more of head and body than came";
                }
                if (each.body_bytes != static_cast<std::int64_t>(each.body.size()))
                    return "body_bytes is wrong";
                if ((each.status == parse_status::malformed) == each.malformed.empty())
                    return "a reason is missing";
                if (each.heads > 1) return "on_head was called twice";
                if (each.status == parse_status::complete && each.heads != 1) return "on_head was not called";
                if (each.keep_alive && each.status != parse_status::complete)
                    return "keep_alive without an end";
                if (to_head_request && !each.body.empty()) return "an answer to HEAD has a body";
            }
        }
    }
    return {};
}

}  // namespace benchkit_test
