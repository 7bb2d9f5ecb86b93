#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// How requests to a target are sent.
struct target_options {
    bool keep_alive = true;                         ///< several requests on one connection
    http_version version = http_version::http_1_1;  ///< what the request line says
    benchkit::duration timeout =
        std::chrono::seconds(10);  ///< for a request, from its start, connecting included
    benchkit::duration connect_timeout =
        std::chrono::seconds(5);  ///< for connecting alone, all addresses together
};

/// What a load is aimed at: a URL, the request that is sent to it, and how. Throws `error` for a wrong URL and
/// for timeouts that are not positive.
class target {
  public:
    explicit target(std::string_view address, target_options options = {})
        : target(address, request(), options) {}

    target(std::string_view address, request what, target_options options = {})
        : url_(parse_url("url", address)), request_(std::move(what)), options_(options) {
        require_positive("timeout", options.timeout);
        require_positive("connect_timeout", options.connect_timeout);
        bytes_ = serialize(request_, url_, options.version, options.keep_alive);
    }

    [[nodiscard]] const url& address() const noexcept { return url_; }
    [[nodiscard]] const request& what() const noexcept { return request_; }
    [[nodiscard]] const target_options& options() const noexcept { return options_; }
    /// The request as it is sent.
    [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
    /// The URL that is asked for: the address with the request's own path, where it has one.
    [[nodiscard]] std::string text() const {
        url asked = url_;
        asked.path = path();
        return asked.text();
    }
    /// The path and query that the request line names.
    [[nodiscard]] const std::string& path() const noexcept {
        return request_.target().empty() ? url_.path : request_.target();
    }

  private:
    static void require_positive(const char* option, benchkit::duration value) {
        if (value <= value.zero()) fail_option(option, format_duration(value), "allowed is more than 0 s");
    }

    url url_;
    request request_;
    target_options options_;
    std::string bytes_;
};

}  // namespace benchkit::inline v0_1::http
