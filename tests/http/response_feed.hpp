#pragma once

#include <benchkit/http/response_parser.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace benchkit_test {

/// All that a parser told about one response.
struct response_outcome {
    benchkit::http::parse_status status = benchkit::http::parse_status::need_more;
    int heads = 0;
    int code = 0;
    int minor_version = -1;
    std::string reason;
    std::string headers;  // "name=value\n" each
    benchkit::http::body_framing framing = benchkit::http::body_framing::none;
    std::int64_t content_length = -2;
    std::string body;
    std::int64_t body_bytes = 0;
    std::int64_t head_bytes = 0;
    bool started = false;
    bool keep_alive = false;
    std::string malformed;
    std::size_t taken = 0;  // bytes; where several responses are told apart
    bool unsound = false;   // what it said of them cannot be

    friend bool operator==(const response_outcome&, const response_outcome&) = default;

    void on_head(const benchkit::http::response_head& head) {
        ++heads;
        minor_version = head.minor_version;
        reason = head.reason;
        for (const auto& field : head.headers) {
            headers.append(field.name).append("=").append(field.value).append("\n");
        }
        framing = head.framing;
        content_length = head.content_length;
    }
    void on_body(std::string_view content) { body.append(content); }
};

/// Feeds one response to a parser in pieces; each is a copy of its own, which is gone before the next, so
/// that a sanitizer sees a view that is kept too long.
class response_feed {
  public:
    explicit response_feed(bool to_head_request,
                           std::size_t limit = benchkit::http::response_parser::default_limit)
        : parser_(limit) {
        parser_.start(to_head_request);
    }

    void give(std::string_view piece) {
        if (outcome_.status != benchkit::http::parse_status::need_more) return;
        const std::vector<char> copy(piece.begin(), piece.end());
        std::size_t consumed = 0;
        outcome_.status = parser_.consume({copy.data(), copy.size()}, consumed, outcome_);
        consumed_ += consumed;
    }

    /// Bytes taken; of no meaning for a malformed response.
    [[nodiscard]] std::size_t consumed() const { return consumed_; }

    [[nodiscard]] response_outcome finish(bool end_of_stream) {
        if (end_of_stream && outcome_.status == benchkit::http::parse_status::need_more) {
            outcome_.status = parser_.end_of_stream();
        }
        outcome_.code = parser_.status();
        outcome_.body_bytes = parser_.body_bytes();
        outcome_.head_bytes = parser_.head_bytes();
        outcome_.started = parser_.started();
        outcome_.keep_alive = parser_.keep_alive();
        outcome_.malformed = parser_.reason_malformed();
        return outcome_;
    }

  private:
    benchkit::http::response_parser parser_;
    response_outcome outcome_;
    std::size_t consumed_ = 0;
};

/// The outcome of these bytes in one piece, then the peer's FIN.
inline response_outcome feed_whole(std::string_view bytes, bool to_head_request = false) {
    response_feed feed(to_head_request);
    feed.give(bytes);
    return feed.finish(true);
}

}  // namespace benchkit_test
