#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

/// Which answers are right. Unless statuses are named, those below 400; unless something is asked of bodies,
/// any.
///
///     target.expect(http::expectation().status(200).body_contains("ok"));
class expectation {
  public:
    /// What is wrong with a body, as a phrase behind "the body"; nothing where it is right.
    using body_check = std::function<std::optional<std::string>(std::string_view)>;

    /// This status is right, besides others that are named. Throws `error` outside 100 to 999.
    expectation& status(int code) & { return statuses(code, code); }
    expectation&& status(int code) && { return std::move(status(code)); }

    /// All from `first` to `last` are.
    expectation& statuses(int first, int last) & {
        if (first < 100 || last > 999 || first > last) {
            fail_option("status", std::to_string(first) + " to " + std::to_string(last),
                        "allowed is 100 to 999");
        }
        for (int code = first; code <= last; ++code) statuses_.set(static_cast<std::size_t>(code));
        return *this;
    }
    expectation&& statuses(int first, int last) && { return std::move(statuses(first, last)); }

    /// The body has this text in it.
    expectation& body_contains(std::string text) & {
        return body([text = std::move(text)](std::string_view content) -> std::optional<std::string> {
            if (content.find(text) != std::string_view::npos) return std::nullopt;
            return "does not contain " + detail::printable(text);
        });
    }
    expectation&& body_contains(std::string text) && { return std::move(body_contains(std::move(text))); }

    /// The body has so many bytes, without its chunking.
    expectation& body_length(std::int64_t bytes) & {
        return body([bytes](std::string_view content) -> std::optional<std::string> {
            if (static_cast<std::int64_t>(content.size()) == bytes) return std::nullopt;
            return "has " + std::to_string(content.size()) + " bytes, not " + std::to_string(bytes);
        });
    }
    expectation&& body_length(std::int64_t bytes) && { return std::move(body_length(bytes)); }

    /// Any check of one's own. It is called on all shards at once, so it must not change anything.
    expectation& body(body_check check) & {
        checks_.push_back(std::move(check));
        return *this;
    }
    expectation&& body(body_check check) && { return std::move(body(std::move(check))); }

    [[nodiscard]] bool accepts_status(int code) const noexcept {
        if (statuses_.none()) return code < 400;
        return code >= 0 && code < 1000 && statuses_[static_cast<std::size_t>(code)];
    }
    /// Whether bodies must be kept to be looked at.
    [[nodiscard]] bool needs_body() const noexcept { return !checks_.empty(); }
    /// What is wrong with a body first, as a sentence; nothing where it is right.
    [[nodiscard]] std::optional<std::string> body_fault(std::string_view content) const {
        for (const body_check& check : checks_) {
            if (auto wrong = check(content)) return "the body " + *wrong;
        }
        return std::nullopt;
    }

  private:
    std::bitset<1000> statuses_;  // none: those below 400
    std::vector<body_check> checks_;
};

namespace detail {

inline constexpr const char* expectation_forms =
    "allowed is status=200, status=2xx (several with commas), body-contains=TEXT, body-length=N or "
    "json:/pointer=value";

inline void expect_statuses(expectation& wanted, std::string_view option, std::string_view text,
                            std::string_view list) {
    const auto digit = [](char byte) { return byte >= '0' && byte <= '9'; };
    for (bool more = true; more;) {
        const std::size_t comma = list.find(',');
        const std::string_view one = list.substr(0, comma);
        more = comma != std::string_view::npos;
        if (more) list.remove_prefix(comma + 1);
        const bool range = one.size() == 3 && one.substr(1) == "xx";
        if (one.size() != 3 || one[0] < '2' || one[0] > '9' || (!range && !(digit(one[1]) && digit(one[2])))) {
            fail_option(std::string(option), printable(text), expectation_forms);
        }
        const int hundreds = (one[0] - '0') * 100;
        const int code = range ? hundreds : hundreds + (one[1] - '0') * 10 + (one[2] - '0');
        wanted.statuses(code, range ? code + 99 : code);
    }
}

}  // namespace detail

/// Adds what a text asks for: "status=200", "status=2xx,404", "body-contains=TEXT" or "body-length=N" (`http/
/// expect_json.hpp` knows "json:/pointer=value"). Fails by the name of `option` otherwise.
inline void add_expectation(expectation& wanted, std::string_view option, std::string_view text) {
    const std::size_t equals = text.find('=');
    const std::string_view name = text.substr(0, equals);
    const std::string_view value = equals == std::string_view::npos ? "" : text.substr(equals + 1);
    if (name == "status") return detail::expect_statuses(wanted, option, text, value);
    if (name == "body-contains" && !value.empty()) {
        wanted.body_contains(std::string(value));
    } else if (name == "body-length") {
        wanted.body_length(parse_byte_size(option, value));
    } else {
        fail_option(std::string(option), detail::printable(text), detail::expectation_forms);
    }
}

}  // namespace benchkit::inline v0_1::http
