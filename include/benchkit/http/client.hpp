#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/exec/error_name.hpp>
#include <benchkit/http/connection.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/result/operation_failed.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {
struct response_collector;
}

/// An answer, or why there is none. A failed request is no exception: ask `failed()`, or let `require()` throw.
class response {
  public:
    /// The status code; 0 where no answer came.
    [[nodiscard]] int status() const noexcept { return status_; }
    /// The content, without its chunking.
    [[nodiscard]] const std::string& body() const noexcept { return body_; }
    /// The value of the first field of this name, in any case; nothing where there is none.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const {
        const header_line* const found = detail::find_header(headers_, name);
        return found == nullptr ? std::nullopt : std::optional<std::string_view>(found->value);
    }
    /// All fields, in their order.
    [[nodiscard]] const std::vector<header_line>& headers() const noexcept { return headers_; }

    /// Why no answer came; nothing where one did, whatever its status.
    [[nodiscard]] const std::optional<http::failure>& failed() const noexcept { return failed_; }

    /// Throws `operation_failed` unless an answer of this status came.
    const response& require(int wanted_status) const {
        if (failed_) throw operation_failed(failed_->cause, describe(*failed_));
        if (status_ != wanted_status) {
            throw operation_failed(cause::status, "status " + std::to_string(status_) + " where " +
                                                      std::to_string(wanted_status) + " was required");
        }
        return *this;
    }

  private:
    friend class client;
    friend struct detail::response_collector;

    int status_ = 0;
    std::vector<header_line> headers_;
    std::string body_;
    std::optional<http::failure> failed_;
};

namespace detail {

/// Keeps what the parser tells of an answer.
struct response_collector {
    response& collected;

    void on_head(const response_head& head) {
        collected.status_ = head.status;
        for (const auto& field : head.headers) {
            collected.headers_.push_back({std::string(field.name), std::string(field.value)});
        }
    }
    void on_body(std::string_view piece) { collected.body_.append(piece); }
};

}  // namespace detail

/// What a client has done so far.
struct client_counts {
    http::traffic traffic;
    std::int64_t connections_opened = 0;
    std::int64_t kept_alive = 0;  ///< answers after which the connection could take another request
};

/// An HTTP client for coroutines: one connection to one host, kept alive and opened again when need be, one
/// request at a time. Nothing is retried: a kept connection that turns out dead is the failure `stale`.
class client {
  public:
    /// `address`: a URL; its path is taken by requests that name none. Throws `error` as `target` does.
    client(shard& owner, std::string_view address, target_options options = {})
        : client(owner, target(address, options)) {}

    /// To the peer of this target, as it says.
    client(shard& owner, target peer)
        : shard_(owner),
          target_(std::move(peer)),
          connector_(owner, target_.plan(), {}, target_.make_secure()),
          connection_(owner, connector_, target_.options().timeout, target_.options().connect_timeout) {}

    /// Sends GET for a path that begins with "/".
    [[nodiscard]] awaitable<response> get(std::string_view path) { return send(request("GET", path)); }

    /// Sends POST with a body.
    [[nodiscard]] awaitable<response> post(std::string_view path, std::string content) {
        return send(request("POST", path).body(std::move(content)));
    }

    /// Sends any request.
    [[nodiscard]] awaitable<response> send(request what) {
        const target_options& options = target_.options();
        const std::string bytes = serialize(what, target_.address(), options.version, options.keep_alive);
        response answer;
        const time_point start = shard_.now();
        connection_.begin(start);
        if (!connection_.is_open()) {
            connect_outcome connected;
            co_await connection_.connect(start, connected);
            answer.failed_ = connected.failure;
            if (!connected.failure) ++counts_.connections_opened;
        }
        if (!answer.failed_) {
            detail::response_collector collector{answer};
            const exchange_outcome outcome =
                co_await connection_.exchange(bytes, what.is_head(), collector, counts_.traffic);
            answer.failed_ = outcome.failure;
            if (outcome.keeps && options.keep_alive) ++counts_.kept_alive;
            if (answer.failed_) answer.status_ = 0;
        }
        connection_.end();
        if (!options.keep_alive) connection_.close();
        co_return answer;
    }

    /// What went over the wire so far.
    [[nodiscard]] const traffic& counted() const noexcept { return counts_.traffic; }
    /// The same, with its connections.
    [[nodiscard]] const client_counts& counts() const noexcept { return counts_; }

  private:
    shard& shard_;
    target target_;
    connector connector_;
    connection connection_;
    client_counts counts_;
};

}  // namespace benchkit::inline v0_1::http
