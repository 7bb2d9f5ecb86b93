#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/text_template.hpp>
#include <benchkit/http/url.hpp>

namespace benchkit::inline v0_1::http {

/// In which order the requests of a list are sent.
enum class request_order : std::uint8_t {
    cycle,     ///< in the order of the list, again and again
    shuffle,   ///< the whole list again and again, each time in another order, by the seed
    sequence,  ///< in the order of the list, once: then the run ends
};

/// Several requests to one target, with weights, an order, and placeholders (`text_template`) in paths, header
/// fields and bodies.
///
///     target.requests(http::request_list()
///                         .add(http::request("GET", "/items/{random:1..1000}"), 9)
///                         .add(http::request("POST", "/items").body(R"({"id": "{uuid}"})")));
class request_list {
  public:
    struct entry {
        request what;
        std::int64_t weight = 1;
    };

    /// `weight`: how many of this one there are in one round of the list, 1 to 1,000,000; all together no more.
    request_list& add(request what, std::int64_t weight = 1) & {
        constexpr std::int64_t most = 1'000'000;
        if (weight < 1 || weight > most - total_) {
            fail_option("weight", std::to_string(weight),
                        "allowed is 1 or more, and 1000000 over all requests of a list");
        }
        total_ += weight;
        entries_.push_back({std::move(what), weight});
        return *this;
    }
    [[nodiscard]] request_list add(request what, std::int64_t weight = 1) && {
        return std::move(add(std::move(what), weight));
    }

    request_list& order(request_order wanted) & noexcept {
        order_ = wanted;
        return *this;
    }
    [[nodiscard]] request_list order(request_order wanted) && noexcept { return std::move(order(wanted)); }

    [[nodiscard]] request_order order() const noexcept { return order_; }
    [[nodiscard]] const std::vector<entry>& entries() const noexcept { return entries_; }
    /// The requests of one round.
    [[nodiscard]] std::int64_t round() const noexcept { return total_; }

  private:
    std::vector<entry> entries_;
    std::int64_t total_ = 0;
    request_order order_ = request_order::cycle;
};

/// What a request is called in results: its method and path, as they were given.
[[nodiscard]] inline std::string request_name(const request& what, const url& to) {
    std::string name = what.method();
    return name.append(" ").append(what.target().empty() ? to.path : what.target());
}

namespace detail {

/// The bytes of a request, with what differs from one sending to the next.
class prepared_request {
  public:
    prepared_request(const request& source, const url& to, http_version version, bool keep_alive)
        : head_request_(source.is_head()), body_("body", source.body(), template_place::body) {
        std::string bytes = serialize(source, to, version, keep_alive);
        const std::size_t body = bytes.size() - source.body().size();
        const std::size_t line = bytes.find("\r\n");
        const text_template path("path", std::string_view(bytes).substr(0, line), template_place::path);
        const std::string_view fields = std::string_view(bytes).substr(line, body - line);
        prepare_head(std::string_view(bytes).substr(0, line), fields, source);
        if (!path.fixed() || !head_.fixed() || !body_.fixed()) return;
        fixed_ = std::move(bytes);
        is_fixed_ = true;
    }

    [[nodiscard]] bool is_head() const noexcept { return head_request_; }
    /// Whether its bytes are always the same.
    [[nodiscard]] bool is_fixed() const noexcept { return is_fixed_; }

    /// The bytes of this request: its own where they are always the same, else in `buffer`.
    [[nodiscard]] std::string_view bytes(std::string& buffer, std::string& content,
                                         request_number number) const {
        if (is_fixed_) return fixed_;
        content.clear();
        body_.append_to(content, number);
        buffer.clear();
        line_.append_to(buffer, number);
        head_.append_to(buffer, number, content.size());
        return buffer.append(content);
    }

  private:
    // A length that was given holds for a body without placeholders alone.
    void prepare_head(std::string_view line, std::string_view fields, const request& source) {
        line_ = text_template("path", line, template_place::path);
        if (body_.fixed()) {
            head_ = text_template("header", fields, template_place::header);
            return;
        }
        if (source.find_header("Content-Length") != nullptr) {
            fail_option("header", "Content-Length", "a body with placeholders has no length that can be given");
        }
        const std::string length = "\r\nContent-Length: ";
        const std::size_t place = fields.rfind(length) + length.size();
        head_ = text_template("header", fields.substr(0, place), template_place::header);
        head_.add_content_length(
            text_template("header", fields.substr(fields.find("\r\n", place)), template_place::header));
    }

    bool head_request_;
    bool is_fixed_ = false;
    std::string fixed_;
    text_template line_;
    text_template head_;
    text_template body_;
};

/// A list that is ready to be sent: the bytes of its requests, and which of them stands where in a round. Those
/// of one request are spread evenly over it.
class prepared_list {
  public:
    prepared_list(const request_list& list, const url& to, http_version version, bool keep_alive)
        : order_(list.order()) {
        if (list.entries().empty()) fail_option("requests", "", "one or more are needed");
        for (const request_list::entry& each : list.entries()) {
            requests_.emplace_back(each.what, to, version, keep_alive);
            names_.push_back(request_name(each.what, to));
        }
        deal(list);
    }

    [[nodiscard]] request_order order() const noexcept { return order_; }
    [[nodiscard]] std::size_t size() const noexcept { return requests_.size(); }
    [[nodiscard]] const prepared_request& at(std::size_t index) const noexcept { return requests_[index]; }
    [[nodiscard]] const std::string& name(std::size_t index) const noexcept { return names_[index]; }
    /// The requests of one round, by their index.
    [[nodiscard]] const std::vector<std::uint32_t>& round() const noexcept { return round_; }

    [[nodiscard]] bool has_head() const noexcept {
        for (const prepared_request& each : requests_) {
            if (each.is_head()) return true;
        }
        return false;
    }

  private:
    // The j-th of w equal requests belongs at (2j + 1) / 2w of the round; those at one place keep their order.
    void deal(const request_list& list) {
        struct share {
            std::uint32_t index;
            std::uint64_t place;  // 2j + 1
            std::uint64_t weight;
        };
        std::vector<share> shares;
        shares.reserve(static_cast<std::size_t>(list.round()));
        for (std::size_t index = 0; index < list.entries().size(); ++index) {
            const auto weight = static_cast<std::uint64_t>(list.entries()[index].weight);
            for (std::uint64_t k = 0; k < weight; ++k) {
                shares.push_back({static_cast<std::uint32_t>(index), 2 * k + 1, weight});
            }
        }
        std::stable_sort(shares.begin(), shares.end(), [](const share& left, const share& right) {
            return left.place * right.weight < right.place * left.weight;
        });
        for (const share& each : shares) round_.push_back(each.index);
    }

    request_order order_;
    std::vector<prepared_request> requests_;
    std::vector<std::string> names_;
    std::vector<std::uint32_t> round_;
};

/// Which request of a list has which number in a run. One for each shard: it keeps the order of the round at
/// hand.
class request_chooser {
  public:
    request_chooser(const prepared_list& list, std::uint64_t seed) : list_(list), seed_(seed) {}

    /// The index of the request of this number, from 1 on.
    [[nodiscard]] std::size_t choose(std::int64_t number) {
        const auto before = static_cast<std::size_t>(number - 1);
        const std::size_t place = before % list_.round().size();
        if (list_.order() != request_order::shuffle) return list_.round()[place];
        shuffle(before / list_.round().size());
        return shuffled_[place];
    }

    [[nodiscard]] request_number values(std::int64_t number) const {
        return {number, random_stream(seed_, "requests", static_cast<std::uint64_t>(number))};
    }

  private:
    // Fisher and Yates.
    void shuffle(std::size_t round) {
        if (!shuffled_.empty() && round == shuffled_round_) return;
        shuffled_ = list_.round();
        shuffled_round_ = round;
        random_stream random(seed_, "order", round);
        for (std::size_t left = shuffled_.size(); left > 1; --left) {
            std::swap(shuffled_[left - 1], shuffled_[static_cast<std::size_t>(random.below(left))]);
        }
    }

    const prepared_list& list_;
    std::uint64_t seed_;
    std::vector<std::uint32_t> shuffled_;
    std::size_t shuffled_round_ = 0;
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
