#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/number.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

namespace detail {

/// A cookie date (RFC 6265 section 5.1.1), leniently read; nothing where it is none.
class cookie_date {
  public:
    [[nodiscard]] static std::optional<std::chrono::sys_seconds> parse(std::string_view text) {
        cookie_date read;
        while (!text.empty()) {
            const std::string_view token =
                text.substr(0, std::min(text.find_first_of(delimiters), text.size()));
            if (!token.empty()) read.take(token);
            text.remove_prefix(std::min(token.size() + 1, text.size()));
        }
        return read.made();
    }

  private:
    static constexpr std::string_view delimiters = "\t !\"#$%&'()*+,-./;<=>?@[\\]^_`{|}~";

    static std::string_view digits_of(std::string_view token) noexcept {
        const std::size_t end = token.find_first_not_of("0123456789");
        return token.substr(0, std::min(end, token.size()));
    }

    void take(std::string_view token) {
        const std::string_view digits = digits_of(token);
        const auto number = parse_integer(digits);
        if (!time_ && take_time(token)) return;
        if (!day_ && number && digits.size() <= 2) {
            day_ = *number;
        } else if (!month_ && take_month(token)) {
            return;
        } else if (!year_ && number && digits.size() >= 2 && digits.size() <= 4) {
            year_ = *number + (digits.size() > 2 ? 0 : *number >= 70 ? 1900 : 2000);
        }
    }

    bool take_time(std::string_view token) {
        std::array<std::int64_t, 3> parts{};
        for (std::size_t part = 0; part < 3; ++part) {
            const std::string_view digits = digits_of(token);
            const auto number = parse_integer(digits);
            if (!number || digits.size() > 2) return false;
            parts[part] = *number;
            token.remove_prefix(digits.size());
            if (part == 2) break;
            if (!token.starts_with(':')) return false;
            token.remove_prefix(1);
        }
        time_ = std::chrono::hours(parts[0]) + std::chrono::minutes(parts[1]) + std::chrono::seconds(parts[2]);
        right_ = parts[0] <= 23 && parts[1] <= 59 && parts[2] <= 59;
        return true;
    }

    bool take_month(std::string_view token) {
        constexpr std::array<std::string_view, 12> names{"jan", "feb", "mar", "apr", "may", "jun",
                                                         "jul", "aug", "sep", "oct", "nov", "dec"};
        for (std::size_t index = 0; index < names.size(); ++index) {
            if (token.size() >= 3 && equals_ignore_case(token.substr(0, 3), names[index])) month_ = index + 1;
        }
        return month_.has_value();
    }

    [[nodiscard]] std::optional<std::chrono::sys_seconds> made() const {
        if (!time_ || !day_ || !month_ || !year_ || !right_ || *year_ < 1601) return std::nullopt;
        const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year_)),
                                               std::chrono::month(static_cast<unsigned>(*month_)),
                                               std::chrono::day(static_cast<unsigned>(*day_))};
        if (!date.ok()) return std::nullopt;
        return std::chrono::sys_days(date) + *time_;
    }

    std::optional<std::chrono::seconds> time_;
    std::optional<std::int64_t> day_;
    std::optional<std::size_t> month_;
    std::optional<std::int64_t> year_;
    bool right_ = true;
};

}  // namespace detail

/// The cookies that one client has from one host (RFC 6265 section 5).
class cookie_jar {
  public:
    using time = std::chrono::sys_seconds;

    /// `host`: whose answers are taken.
    explicit cookie_jar(std::string host) : host_(std::move(host)) {}

    /// Takes a Set-Cookie field of the answer to a request for `path`; what is none, or is not for this host,
    /// is left out.
    void take(std::string_view field, std::string_view path, time now) {
        const std::string_view pair = field.substr(0, field.find(';'));
        const std::size_t equals = pair.find('=');
        if (equals == std::string_view::npos) return;
        cookie made{.name = std::string(trimmed(pair.substr(0, equals))),
                    .value = std::string(trimmed(pair.substr(equals + 1))),
                    .path = default_path(path)};
        if (made.name.empty()) return;
        std::string_view rest = field.substr(std::min(pair.size() + 1, field.size()));
        bool for_us = true;
        std::optional<time> max_age;
        while (!rest.empty()) {
            const std::string_view attribute = rest.substr(0, rest.find(';'));
            rest.remove_prefix(std::min(attribute.size() + 1, rest.size()));
            for_us = take_attribute(attribute, made, max_age, now) && for_us;
        }
        if (max_age) made.ends = max_age;
        if (for_us) keep(std::move(made), now);
    }

    /// The Cookie field of a request for `path`: "a=1; b=2", longer paths first, then older cookies; empty
    /// where there is none.
    [[nodiscard]] std::string field_for(std::string_view path, bool secure, time now) const {
        std::vector<const cookie*> sent;
        for (const cookie& each : cookies_) {
            const bool alive = !each.ends || *each.ends > now;
            if (alive && (secure || !each.secure) && matches(path, each.path)) sent.push_back(&each);
        }
        std::stable_sort(sent.begin(), sent.end(), [](const cookie* left, const cookie* right) {
            return left->path.size() > right->path.size();
        });
        std::string field;
        for (const cookie* each : sent) {
            field.append(field.empty() ? "" : "; ").append(each->name).append("=").append(each->value);
        }
        return field;
    }

    void clear() noexcept { cookies_.clear(); }
    [[nodiscard]] std::size_t size() const noexcept { return cookies_.size(); }

  private:
    struct cookie {
        std::string name;
        std::string value;
        std::string path;
        bool secure = false;
        std::optional<time> ends{};
    };

    [[nodiscard]] static std::string_view trimmed(std::string_view text) noexcept {
        while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
        while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
        return text;
    }

    [[nodiscard]] static std::string_view without_query(std::string_view path) noexcept {
        return path.substr(0, path.find('?'));
    }

    // RFC 6265 section 5.1.4: up to the last slash, without it.
    [[nodiscard]] static std::string default_path(std::string_view path) {
        const std::string_view plain = without_query(path);
        const std::size_t slash = plain.rfind('/');
        return slash == std::string_view::npos || slash == 0 ? "/" : std::string(plain.substr(0, slash));
    }

    [[nodiscard]] static bool matches(std::string_view asked, std::string_view path) noexcept {
        const std::string_view plain = without_query(asked);
        if (!plain.starts_with(path)) return false;
        return plain.size() == path.size() || path.ends_with('/') || plain[path.size()] == '/';
    }

    // False where the cookie is for another host.
    bool take_attribute(std::string_view attribute, cookie& made, std::optional<time>& max_age,
                        time now) const {
        const std::size_t equals = attribute.find('=');
        const std::string_view name = trimmed(attribute.substr(0, equals));
        const std::string_view value =
            equals == std::string_view::npos ? std::string_view() : trimmed(attribute.substr(equals + 1));
        if (detail::equals_ignore_case(name, "Expires")) {
            if (const auto when = detail::cookie_date::parse(value)) made.ends = when;
        } else if (detail::equals_ignore_case(name, "Max-Age")) {
            take_max_age(value, max_age, now);
        } else if (detail::equals_ignore_case(name, "Path")) {
            if (value.starts_with('/')) made.path = value;
        } else if (detail::equals_ignore_case(name, "Secure")) {
            made.secure = true;
        } else if (detail::equals_ignore_case(name, "Domain")) {
            return is_domain_of_host(value);
        }
        return true;
    }

    static void take_max_age(std::string_view value, std::optional<time>& max_age, time now) {
        if (value.empty() || value == "-") return;
        if (value.find_first_not_of("0123456789", value.starts_with('-') ? 1 : 0) != std::string_view::npos)
            return;
        const auto seconds = parse_integer(value);
        constexpr std::int64_t most = std::int64_t{100} * 366 * 24 * 3600;
        max_age = now + std::chrono::seconds(std::min(seconds.value_or(most), most));
        if (value.starts_with('-') || (seconds && *seconds <= 0)) max_age = time::min();
    }

    // RFC 6265 section 5.1.3.
    [[nodiscard]] bool is_domain_of_host(std::string_view domain) const {
        if (domain.starts_with('.')) domain.remove_prefix(1);
        if (domain.empty() || detail::equals_ignore_case(domain, host_)) return true;
        if (host_.size() <= domain.size() || host_.find_first_not_of("0123456789.:") == std::string::npos) {
            return false;
        }
        const std::string_view tail = std::string_view(host_).substr(host_.size() - domain.size());
        return detail::equals_ignore_case(tail, domain) && host_[host_.size() - domain.size() - 1] == '.';
    }

    // One of the same name and path is replaced in its place; one that has ended is taken out.
    void keep(cookie made, time now) {
        const auto same = std::find_if(cookies_.begin(), cookies_.end(), [&](const cookie& each) {
            return each.name == made.name && each.path == made.path;
        });
        const bool ended = made.ends && *made.ends <= now;
        if (same != cookies_.end() && ended) {
            cookies_.erase(same);
        } else if (same != cookies_.end()) {
            *same = std::move(made);
        } else if (!ended) {
            cookies_.push_back(std::move(made));
        }
    }

    std::string host_;
    std::vector<cookie> cookies_;
};

}  // namespace benchkit::inline v0_1::http
