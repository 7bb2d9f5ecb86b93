#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/load/matrix_row.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

/// Takes the text of a row apart. The pieces point into the text, so that a refusal can say where.
class matrix_row_parser {
  public:
    matrix_row_parser(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    [[nodiscard]] matrix_row parse(matrix_row row) {
        std::string_view rest = text_;
        for (bool more = true; more;) {
            const std::size_t comma = rest.find(',');
            more = comma != std::string_view::npos;
            read_field(row, rest.substr(0, comma));
            if (more) rest.remove_prefix(comma + 1);
        }
        return row;
    }

  private:
    /// `what` is what the piece should be.
    [[noreturn]] void refuse(std::string_view piece, std::string_view what) const {
        std::string problem = "at column " + std::to_string(piece.data() - text_.data() + 1);
        if (piece.empty()) {
            problem.append(", a missing ").append(what);
        } else {
            problem.append(", \"").append(piece).append("\" is no ").append(what);
        }
        problem += "; allowed is a list such as c=100,n=1000000,t=16,keepalive=no, perhaps with d=10s";
        fail_option(std::string(option_), std::string(text_), std::move(problem));
    }

    void read_field(matrix_row& row, std::string_view field) {
        const std::size_t equals = field.find('=');
        if (equals == std::string_view::npos) refuse(field, "field NAME=VALUE");
        const std::string_view name = field.substr(0, equals);
        const std::string_view value = field.substr(equals + 1);
        if (name == "c") {
            once(0, name);
            row.clients = read_count(value, largest_client_count, "count of 1 to 1000000 connections");
        } else if (name == "n") {
            once(1, name);
            row.operations = read_count(value, most_operations, "count of requests, 1 or more");
        } else if (name == "d") {
            once(2, name);
            row.duration = read_time(value);
        } else if (name == "t") {
            once(3, name);
            row.shards = static_cast<int>(read_count(value, most_shards, "count of 1 to 1024 threads"));
        } else if (name == "keepalive") {
            once(4, name);
            if (value != "yes" && value != "no") refuse(value, "yes or no");
            row.keep_alive = value == "yes";
        } else {
            refuse(name, "field of a row: c, n, d, t or keepalive");
        }
    }

    void once(std::size_t field, std::string_view name) {
        if (seen_[field]) refuse(name, "field that was not there before");
        seen_[field] = true;
    }

    [[nodiscard]] std::int64_t read_count(std::string_view piece, std::int64_t most,
                                          std::string_view what) const {
        const auto count = find_count(piece);
        if (!count || *count < 1 || *count > most) refuse(piece, what);
        return *count;
    }

    [[nodiscard]] duration read_time(std::string_view piece) const {
        const auto found = find_duration(piece);
        if (!found || *found <= found->zero())
            refuse(piece, "time above 0 with a unit, such as 500ms, 10s or 1m");
        return *found;
    }

    static constexpr std::int64_t most_operations = std::int64_t{1} << 62;
    static constexpr std::int64_t most_shards = 1024;

    std::string_view option_;
    std::string_view text_;
    std::array<bool, 5> seen_{};
};

}  // namespace detail

/// Reads a row of a matrix: fields with commas between, of `c` (connections), `n` (requests), `d` (time), `t`
/// (threads) and `keepalive` (yes or no), each at most once, such as "c=100,n=1000000,t=12,keepalive=no". What
/// is left out is as in `otherwise`. Fails by the name of `option` otherwise, and says at which column of
/// `text` it went wrong.
[[nodiscard]] inline matrix_row parse_matrix_row(std::string_view option, std::string_view text,
                                                 const matrix_row& otherwise = {}) {
    return detail::matrix_row_parser(option, text).parse(otherwise);
}

}  // namespace benchkit::inline v0_1
