#pragma once

#include <benchkit/http/request_parser.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace benchkit_test {

/// All that a parser told about one request.
struct request_outcome {
    benchkit::http::parse_status status = benchkit::http::parse_status::need_more;
    std::string method;
    std::string target;
    std::string path;
    std::string query;
    int minor_version = -1;
    std::string headers;
    std::string body;
    bool keep_alive = false;
    int error_status = 0;
    std::string reason;

    friend bool operator==(const request_outcome&, const request_outcome&) = default;
};

/// Feeds one request in pieces; each is a copy of its own, and all but the last are gone before it is looked
/// at, so that a sanitizer sees a view that is kept too long.
class request_feed {
  public:
    explicit request_feed(benchkit::http::request_limits limits = {}) : parser_(limits) {}

    void give(std::string_view piece) {
        if (status_ != benchkit::http::parse_status::need_more) return;
        piece_.assign(piece.begin(), piece.end());
        piece_.shrink_to_fit();
        std::size_t consumed = 0;
        status_ = parser_.consume({piece_.data(), piece_.size()}, consumed);
        consumed_ += consumed;
    }

    [[nodiscard]] std::size_t consumed() const { return consumed_; }
    [[nodiscard]] const benchkit::http::request_parser& parser() const { return parser_; }

    [[nodiscard]] request_outcome finish() const {
        request_outcome outcome;
        outcome.status = status_;
        outcome.keep_alive = parser_.keep_alive();
        outcome.error_status = parser_.error_status();
        outcome.reason = parser_.reason_malformed();
        if (status_ != benchkit::http::parse_status::complete) return outcome;
        const benchkit::http::received_request request = parser_.get();
        outcome.method = request.method;
        outcome.target = request.target;
        outcome.path = request.path;
        outcome.query = request.query;
        outcome.minor_version = request.minor_version;
        for (const auto& field : request.headers) {
            outcome.headers.append(field.name).append("=").append(field.value).append(";");
        }
        outcome.body = request.body;
        return outcome;
    }

  private:
    benchkit::http::request_parser parser_;
    std::vector<char> piece_;
    benchkit::http::parse_status status_ = benchkit::http::parse_status::need_more;
    std::size_t consumed_ = 0;
};

}  // namespace benchkit_test
