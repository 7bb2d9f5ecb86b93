#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/http/session.hpp>
#include <benchkit/http/target.hpp>

namespace benchkit::inline v0_1::http {

/// How a journey goes.
struct journey_options {
    std::int64_t follow_redirects = 0;  ///< how many in a row for one request; 0 to 100
};

/// A user's way through several requests, as one operation of a load: `function(session&)` returns
/// `awaitable<>`, is copied once per shard and called as const.
///
///     bk::load(on, http::journey{target, function}, bk::closed_loop{.clients = 100}, {.duration = 30s});
template <class Function>
class journey {
  public:
    static_assert(std::is_copy_constructible_v<Function>,
                  "a journey is copied once per shard: make it copyable");
    static_assert(std::is_invocable_v<const Function&, session&>,
                  "a journey is called as function(http::session&), and is not changed by it");

    /// Throws `error` for a target that pipelines, or has a list of requests.
    journey(target to, Function function, journey_options options = {})
        : target_(std::move(to)), function_(std::move(function)), options_(options) {
        if (target_.options().pipeline > 1) {
            fail_option("pipeline", std::to_string(target_.options().pipeline),
                        "a journey asks one after the other");
        }
        if (target_.list() != nullptr) {
            fail_option("requests", "", "a journey has requests of its own: the target has none");
        }
        if (options_.follow_redirects < 0 || options_.follow_redirects > 100) {
            fail_option("follow_redirects", std::to_string(options_.follow_redirects), "allowed is 0 to 100");
        }
    }

    [[nodiscard]] const http::target& to() const noexcept { return target_; }
    [[nodiscard]] const Function& function() const noexcept { return function_; }
    [[nodiscard]] const journey_options& options() const noexcept { return options_; }

  private:
    http::target target_;
    Function function_;
    journey_options options_;
};

}  // namespace benchkit::inline v0_1::http
