#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/http/connect_plan.hpp>
#include <benchkit/http/expectation.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/request_list.hpp>
#include <benchkit/http/secure_channel.hpp>
#include <benchkit/http/unix_path.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// How requests to a target are sent.
struct target_options {
    bool keep_alive = true;                         ///< several requests on one connection
    http_version version = http_version::http_1_1;  ///< what the request line says
    benchkit::duration timeout =
        std::chrono::seconds(10);  ///< for a request, from its start, connecting included
    benchkit::duration connect_timeout =
        std::chrono::seconds(5);  ///< for connecting alone, all addresses and TLS together
    std::int64_t pipeline =
        1;  ///< requests in flight on one connection, 1 to 1024; above 1 with keep-alive only
    address_family family = address_family::any;
    bool reset_on_close = false;  ///< close with a reset, which leaves no port in TIME_WAIT
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
        if (options.pipeline < 1 || options.pipeline > 1024) {
            fail_option("pipeline", std::to_string(options.pipeline), "allowed is 1 to 1024");
        }
        require_keep_alive_of_pipeline();
        plan_ = connect_plan(url_);
        plan_.family = options.family;
        plan_.reset_on_close = options.reset_on_close;
        if (url_.is_secure()) {
            if (detail::default_security == nullptr) {
                fail_option(
                    "url", detail::printable(address),
                    "https needs TLS, which this program was built without: include <benchkit/http/tls.hpp>");
            }
            security_ = detail::default_security();
        }
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

    /// With keep-alive or without, whatever the options said.
    target& keep_alive(bool keeps) {
        options_.keep_alive = keeps;
        require_keep_alive_of_pipeline();
        bytes_ = serialize(request_, url_, options_.version, keeps);
        if (given_list_) requests(*given_list_);
        return *this;
    }

    /// Sends the requests of this list in the place of the target's own. None goes with a pipeline.
    target& requests(request_list list) {
        if (options_.pipeline > 1) {
            fail_option("pipeline", std::to_string(options_.pipeline), "a list of requests is sent one by one");
        }
        list_ =
            std::make_shared<const detail::prepared_list>(list, url_, options_.version, options_.keep_alive);
        given_list_ = std::make_shared<const request_list>(std::move(list));
        require_bodies_of_expectation();
        return *this;
    }
    /// Null where there is no list.
    [[nodiscard]] const detail::prepared_list* list() const noexcept { return list_.get(); }

    /// Connects to this HOST:PORT instead of the URL's; the Host field stays.
    target& connect_to(std::string_view peer) {
        const url other = parse_peer("connect_to", peer);
        plan_.host = other.host;
        plan_.port = other.port;
        return *this;
    }

    /// Connects to the Unix socket of this path instead of the URL's host and port.
    target& unix_socket(std::string path) {
        detail::check_unix_path("unix_socket", path);
        plan_.unix_socket = std::move(path);
        return *this;
    }

    /// Connects from these addresses of this machine, in turn: each has ports of its own.
    target& sources(std::vector<std::string> addresses) {
        for (const std::string& each : addresses) {
            in6_addr ignored{};
            if (inet_pton(AF_INET, each.c_str(), &ignored) == 1 ||
                inet_pton(AF_INET6, each.c_str(), &ignored) == 1) {
                continue;
            }
            fail_option("source", detail::printable(each), "an IPv4 or IPv6 address of this machine is needed");
        }
        plan_.sources = std::move(addresses);
        return *this;
    }

    /// How TLS is spoken, for an https URL.
    target& secured_by(std::shared_ptr<const http::security> security) {
        if (!url_.is_secure())
            fail_option("url", url_.text(), "TLS options need a URL that begins with https://");
        security_ = std::move(security);
        return *this;
    }

    /// Which answers are right; others fail by their status or by `cause::assertion`. Answers to HEAD have no
    /// body of which something could be expected.
    target& expect(expectation wanted) {
        expected_ = std::move(wanted);
        require_bodies_of_expectation();
        return *this;
    }

    [[nodiscard]] const expectation& expected() const noexcept { return expected_; }
    [[nodiscard]] const connect_plan& plan() const noexcept { return plan_; }
    /// What makes the TLS channels of a shard; null where the URL is not https.
    [[nodiscard]] std::unique_ptr<secure_connector> make_secure() const {
        return security_ == nullptr ? nullptr : security_->connector(url_.host);
    }

  private:
    void require_keep_alive_of_pipeline() const {
        if (options_.pipeline == 1 || options_.keep_alive) return;
        fail_option("pipeline", std::to_string(options_.pipeline), "needs keep-alive");
    }

    void require_bodies_of_expectation() const {
        const bool has_head = list_ ? list_->has_head() : request_.is_head();
        if (!expected_.needs_body() || !has_head) return;
        fail_option("expect", "", "answers to HEAD have no body: only their status can be expected");
    }

    static void require_positive(const char* option, benchkit::duration value) {
        if (value <= value.zero()) fail_option(option, format_duration(value), "allowed is more than 0 s");
    }

    url url_;
    request request_;
    target_options options_;
    connect_plan plan_;
    expectation expected_;
    std::shared_ptr<const security> security_;
    std::string bytes_;
    std::shared_ptr<const request_list> given_list_;
    std::shared_ptr<const detail::prepared_list> list_;
};

}  // namespace benchkit::inline v0_1::http
