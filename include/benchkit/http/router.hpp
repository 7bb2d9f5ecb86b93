#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <benchkit/exec/shard.hpp>
#include <benchkit/http/prepared_reply.hpp>
#include <benchkit/http/request_parser.hpp>

namespace benchkit::inline v0_1::http {

/// Answers at once. Called on the server's threads, on several at a time.
using handler = std::function<reply(const received_request&)>;

/// Answers after awaiting something. Called as `handler` is; the request stays valid until the answer.
using async_handler = std::function<awaitable<reply>(shard&, const received_request&)>;

/// What answers a request: a reply that is always the same, or a function.
using route_target = std::variant<prepared_reply, handler, async_handler>;

/// Which paths are answered, and how. A path matches as a whole, whatever its query and the method.
class router {
  public:
    /// `path` begins with "/"; a second target for a path replaces the first.
    void add(std::string path, route_target target) {
        if (path.empty() || path.front() != '/') fail_option("route", path, "a path begins with /");
        routes_.insert_or_assign(std::move(path), std::move(target));
    }

    /// Null where the path is not known.
    [[nodiscard]] const route_target* find(std::string_view path) const {
        const auto found = routes_.find(path);
        return found == routes_.end() ? nullptr : &found->second;
    }

  private:
    std::map<std::string, route_target, std::less<>> routes_;
};

}  // namespace benchkit::inline v0_1::http
