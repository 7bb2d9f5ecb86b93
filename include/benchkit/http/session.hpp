#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/clock.hpp>
#include <benchkit/exec/error_name.hpp>
#include <benchkit/http/client.hpp>
#include <benchkit/http/cookie_jar.hpp>
#include <benchkit/http/redirect.hpp>
#include <benchkit/http/request_list.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/result/operation_failed.hpp>

namespace benchkit::inline v0_1::http {

/// Why a journey failed: by the first thing that went wrong.
struct journey_failure {
    benchkit::cause cause = benchkit::cause::assertion;
    std::string error_name;  ///< the system's error; empty for none
    std::string sentence;
};

/// One request of a journey, redirects included, that has ended.
struct step_outcome {
    std::string_view name;
    time_point start;
    time_point end;
    int status = 0;  ///< of the last answer; 0 where none came
    bool succeeded = false;
};

/// What a journey's coroutine asks with: one client's connection to its target, and its cookies, which stay
/// from one journey to the next. A request that gets no answer fails the journey at once, by its cause, with an
/// exception
/// (`operation_failed`); one whose answer is not as expected (a status of 400 or more, unless `expect` or the
/// target says otherwise) makes it fail at its end. So nothing that went wrong is hidden by code that does not
/// look.
class session {
  public:
    /// `follow_redirects`: how many in a row for one request; 0 for none.
    session(shard& owner, const target& peer, std::int64_t follow_redirects)
        : shard_(owner),
          peer_(peer),
          client_(owner, peer),
          cookies_(peer.address().host),
          follow_redirects_(follow_redirects) {}
    session(const session&) = delete;
    session& operator=(const session&) = delete;

    /// GET of a path that begins with "/".
    [[nodiscard]] awaitable<response> get(std::string_view path) { return send(request("GET", path)); }
    /// POST with a body.
    [[nodiscard]] awaitable<response> post(std::string_view path, std::string content) {
        return send(request("POST", path).body(std::move(content)));
    }

    /// Any request.
    [[nodiscard]] awaitable<response> send(request what) {
        const std::string name =
            step_name_.empty() ? request_name(what, peer_.address()) : std::exchange(step_name_, {});
        const expectation wanted = expected_ ? *std::exchange(expected_, std::nullopt) : peer_.expected();
        const time_point start = shard_.now();
        const bool failed_before = failure_.has_value();
        response answer;
        for (std::int64_t hops = 0;; ++hops) {
            awaitable<response> sending = client_.send(with_cookies(what));
            answer = co_await std::move(sending);
            if (answer.failed()) break;
            if (on_answer) on_answer(answer);
            const std::string path = what.target().empty() ? peer_.address().path : what.target();
            take_cookies(answer, path);
            std::optional<request> next = next_hop(what, path, answer);
            if (!next) break;
            if (hops == follow_redirects_) {
                note({benchkit::cause::assertion,
                      {},
                      "assertion: more than " + std::to_string(hops) + " redirects"});
                break;
            }
            what = std::move(*next);
        }
        end_step(name, start, answer, wanted, failed_before);
        co_return answer;
    }

    /// Names the next request in the figures; unless given, its method and path.
    session& step(std::string name) {
        step_name_ = std::move(name);
        return *this;
    }

    /// What the next answer is to be, in the place of what the target expects.
    session& expect(expectation wanted) {
        expected_ = std::move(wanted);
        return *this;
    }

    /// The journey has failed, for this reason: `failed.assertion`.
    void fail(const std::string& reason) {
        note({benchkit::cause::assertion, {}, std::string("assertion: ").append(reason)});
    }

    [[nodiscard]] cookie_jar& cookies() noexcept { return cookies_; }
    [[nodiscard]] shard& owner() noexcept { return shard_; }

    /// Why the journey has failed so far; nothing where it has not.
    [[nodiscard]] const std::optional<journey_failure>& failure() const noexcept { return failure_; }
    /// A new journey begins.
    void begin() {
        failure_.reset();
        step_name_.clear();
        expected_.reset();
    }
    [[nodiscard]] const http::client& client() const noexcept { return client_; }

    std::function<void(const response&)> on_answer;    ///< told of each answer, redirects too
    std::function<void(const step_outcome&)> on_step;  ///< told of each step that has ended

  private:
    [[nodiscard]] static cookie_jar::time now() {
        return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    }

    [[nodiscard]] request with_cookies(const request& what) const {
        const std::string& path = what.target().empty() ? peer_.address().path : what.target();
        const std::string field = cookies_.field_for(path, peer_.address().is_secure(), now());
        request sent = what;
        if (!field.empty() && what.find_header("Cookie") == nullptr) sent.header("Cookie", field);
        return sent;
    }

    void take_cookies(const response& answer, std::string_view path) {
        for (const header_line& each : answer.headers()) {
            if (detail::equals_ignore_case(each.name, "Set-Cookie")) cookies_.take(each.value, path, now());
        }
    }

    [[nodiscard]] std::optional<request> next_hop(const request& what, std::string_view path,
                                                  const response& answer) const {
        const auto location = answer.header("Location");
        if (follow_redirects_ == 0 || !location) return std::nullopt;
        return redirected(what, path, answer.status(), *location, peer_.address());
    }

    void end_step(std::string_view name, time_point start, const response& answer, const expectation& wanted,
                  bool failed_before) {
        std::optional<journey_failure> wrong = problem_of(answer, wanted);
        step_outcome ended{.name = name, .start = start, .end = shard_.now()};
        ended.status = answer.status();
        ended.succeeded = !wrong && failed_before == failure_.has_value();
        const bool answered = !answer.failed();
        if (wrong) note(*wrong);
        if (on_step) on_step(ended);
        if (!answered) throw operation_failed(wrong->cause, wrong->sentence);
    }

    [[nodiscard]] static std::optional<journey_failure> problem_of(const response& answer,
                                                                   const expectation& wanted) {
        if (const auto& failed = answer.failed()) {
            return journey_failure{failed->cause, failed->error ? error_name(failed->error) : std::string(),
                                   describe(*failed)};
        }
        if (!wanted.accepts_status(answer.status())) {
            return journey_failure{benchkit::cause::status, {}, "status " + std::to_string(answer.status())};
        }
        if (!wanted.needs_body()) return std::nullopt;
        const auto fault = wanted.body_fault(answer.body());
        if (!fault) return std::nullopt;
        return journey_failure{benchkit::cause::assertion, {}, "assertion: " + *fault};
    }

    void note(journey_failure failed) {
        if (!failure_) failure_ = std::move(failed);
    }

    shard& shard_;
    const target& peer_;
    http::client client_;
    cookie_jar cookies_;
    std::int64_t follow_redirects_;
    std::string step_name_;
    std::optional<expectation> expected_;
    std::optional<journey_failure> failure_;
};

}  // namespace benchkit::inline v0_1::http
