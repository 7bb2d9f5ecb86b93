#pragma once

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <benchkit/core/csv.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

/// Where a text with placeholders stands: in a request's path, in its other header fields, or in its body.
enum class template_place : std::uint8_t { path, header, body };

namespace detail {

inline constexpr const char* placeholder_forms =
    "allowed are {seq}, {random:1..100}, {uuid} and {csv:FILE:COLUMN}; a brace before a letter that is none is "
    "written {{";

/// What the requests of a list take from a request's number: the number itself, the rows of files, random bits.
struct request_number {
    std::int64_t number = 0;  ///< 1 for the first request of a run
    random_stream random;     ///< of this request
};

/// The values of one column of a file, for the requests in turn.
using column = std::vector<std::string>;

/// A fixed text, and the placeholder behind it.
struct template_piece {
    enum class kind : std::uint8_t { end, number, random, uuid, row, content_length };

    std::string text;
    kind what = kind::end;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::shared_ptr<const column> rows;
};

/// Appends a random UUID (RFC 9562 section 5.4, version 4).
inline void append_uuid(std::string& into, random_stream& random) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<std::uint64_t, 2> bits{random.next(), random.next()};
    bits[0] = (bits[0] & ~std::uint64_t{0xf000}) | 0x4000;
    bits[1] = (bits[1] & ~(std::uint64_t{3} << 62U)) | (std::uint64_t{2} << 62U);
    for (std::size_t digit = 0; digit < 32; ++digit) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) into.push_back('-');
        into.push_back(digits[(bits[digit / 16] >> (60 - 4 * (digit % 16))) & 15U]);
    }
}

/// Percent-encodes what a path may not have (RFC 3986 section 2.1).
[[nodiscard]] inline std::string encoded_for_path(std::string_view value) {
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string encoded;
    for (const char byte : value) {
        const bool plain = is_character(byte, token_character) && byte != '%' && byte != '#' && byte != '&' &&
                           byte != '+' && byte != '`' && byte != '|' && byte != '^';
        if (plain) {
            encoded.push_back(byte);
            continue;
        }
        const auto code = static_cast<unsigned char>(byte);
        encoded.push_back('%');
        encoded.push_back(digits[code >> 4U]);
        encoded.push_back(digits[code & 15U]);
    }
    return encoded;
}

}  // namespace detail

/// A text in which placeholders stand for what differs from request to request: `{seq}` is the request's number
/// in the run, from 1 on; `{random:1..100}` a whole number of this range; `{uuid}` a random UUID;
/// `{csv:FILE:COLUMN}` the column's values in turn, one row for each request, the first line having the
/// columns' names. A brace that no letter follows stands for itself, so JSON needs no escape. Values of files
/// are percent-encoded in a path.
class text_template {
  public:
    text_template() : pieces_(1) {}

    /// Fails by the name of `option` where a placeholder is none, or its file cannot be read.
    text_template(std::string_view option, std::string_view text, template_place place)
        : option_(option), place_(place) {
        for (;;) {
            const std::size_t open = find_placeholder(text);
            append_text(text.substr(0, open));
            if (open == text.size()) break;
            text.remove_prefix(open + 1);
            const std::size_t close = text.find('}');
            if (close == std::string_view::npos) refuse("{" + std::string(text.substr(0, 40)), "has no }");
            add(text.substr(0, close));
            text.remove_prefix(close + 1);
        }
        pieces_.push_back(std::exchange(piece_, {}));
    }

    /// Whether it has no placeholder.
    [[nodiscard]] bool fixed() const noexcept { return pieces_.size() == 1; }

    /// Puts the length of the content between this text and the next.
    void add_content_length(const text_template& behind) {
        pieces_.back().what = detail::template_piece::kind::content_length;
        pieces_.insert(pieces_.end(), behind.pieces_.begin(), behind.pieces_.end());
    }

    /// Appends the text of one request.
    void append_to(std::string& into, detail::request_number& request, std::size_t content_length = 0) const {
        for (const detail::template_piece& each : pieces_) {
            into += each.text;
            append_value(into, each, request, content_length);
        }
    }

  private:
    using kind = detail::template_piece::kind;

    // Where the next placeholder begins; escapes are taken out on the way.
    std::size_t find_placeholder(std::string_view& text) {
        for (std::size_t k = 0; k + 1 < text.size(); ++k) {
            if (text[k] != '{') continue;
            const bool escaped = text[k + 1] == '{' && k + 2 < text.size() && is_letter(text[k + 2]);
            if (escaped) {
                append_text(text.substr(0, k + 1));
                text.remove_prefix(k + 2);
                k = 0;
            } else if (is_letter(text[k + 1])) {
                return k;
            }
        }
        return text.size();
    }

    [[nodiscard]] static bool is_letter(char byte) noexcept { return byte >= 'a' && byte <= 'z'; }

    void append_text(std::string_view text) { piece_.text += text; }

    void add(std::string_view placeholder) {
        const std::string_view word = placeholder.substr(0, placeholder.find(':'));
        const bool bare = word.size() == placeholder.size();
        const std::string_view rest = bare ? std::string_view() : placeholder.substr(word.size() + 1);
        if (word == "seq" && bare) {
            piece_.what = kind::number;
        } else if (word == "uuid" && bare) {
            piece_.what = kind::uuid;
        } else if (word == "random" && !bare) {
            add_range(placeholder, rest);
        } else if (word == "csv" && !bare) {
            add_column(placeholder, rest);
        } else {
            refuse("{" + std::string(placeholder) + "}", "is no placeholder");
        }
        pieces_.push_back(std::exchange(piece_, {}));
    }

    void add_range(std::string_view placeholder, std::string_view range) {
        const std::size_t dots = range.find("..");
        const auto low = parse_integer(range.substr(0, dots));
        const auto high = dots == std::string_view::npos ? std::nullopt : parse_integer(range.substr(dots + 2));
        if (!low || !high) refuse("{" + std::string(placeholder) + "}", "has no range of whole numbers");
        if (*low > *high) refuse("{" + std::string(placeholder) + "}", "has a range that is upside down");
        piece_.what = kind::random;
        piece_.low = *low;
        piece_.high = *high;
    }

    void add_column(std::string_view placeholder, std::string_view source) {
        const std::size_t colon = source.rfind(':');
        const std::string whole = "{" + std::string(placeholder) + "}";
        if (colon == std::string_view::npos || colon == 0) refuse(whole, "names no column");
        const std::string file(source.substr(0, colon));
        const std::string_view name = source.substr(colon + 1);
        errno = 0;
        std::ifstream input(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
        if (!input || input.bad()) {
            refuse(whole, "cannot be read: " + std::generic_category().message(errno != 0 ? errno : EIO));
        }
        const csv_table table = parse_csv(text);
        if (!table.problem.empty()) {
            std::string where = "names a file whose line ";
            where.append(std::to_string(table.problem_line)).append(" ").append(table.problem);
            refuse(whole, where);
        }
        piece_.what = kind::row;
        piece_.rows = std::make_shared<const detail::column>(take_column(whole, table, name));
    }

    [[nodiscard]] detail::column take_column(const std::string& whole, const csv_table& table,
                                             std::string_view name) const {
        if (table.rows.size() < 2) refuse(whole, "names a file without rows behind its first line");
        const std::vector<std::string>& names = table.rows.front().fields;
        std::size_t index = 0;
        while (index < names.size() && names[index] != name) ++index;
        if (index == names.size()) refuse(whole, "names a column that the file's first line has not");
        detail::column values;
        for (std::size_t row = 1; row < table.rows.size(); ++row) {
            const csv_row& each = table.rows[row];
            if (each.fields.size() <= index) refuse_line(whole, each, "has no value in this column");
            const std::string& value = each.fields[index];
            if (place_ == template_place::header && !fits_header(value)) {
                refuse_line(whole, each, "has a value that no header field may have");
            }
            values.push_back(place_ == template_place::path ? detail::encoded_for_path(value) : value);
        }
        return values;
    }

    [[nodiscard]] static bool fits_header(const std::string& value) {
        const char* const end = value.data() + value.size();
        return detail::find_control(value.data(), end) == end;
    }

    [[noreturn]] void refuse_line(const std::string& whole, const csv_row& row, const char* problem) const {
        std::string where = "names a file whose line ";
        refuse(whole, where.append(std::to_string(row.line)).append(" ").append(problem));
    }

    [[noreturn]] void refuse(const std::string& placeholder, std::string problem) const {
        fail_option(option_, detail::printable(placeholder),
                    std::move(problem.append("; ").append(detail::placeholder_forms)));
    }

    static void append_value(std::string& into, const detail::template_piece& piece,
                             detail::request_number& request, std::size_t content_length) {
        switch (piece.what) {
            case kind::end:
                return;
            case kind::number:
                return append_integer(into, request.number);
            case kind::random:
                return append_random(into, piece, request.random);
            case kind::uuid:
                return detail::append_uuid(into, request.random);
            case kind::row:
                into += (*piece.rows)[static_cast<std::size_t>(request.number - 1) % piece.rows->size()];
                return;
            case kind::content_length:
                return append_integer(into, static_cast<std::int64_t>(content_length));
        }
    }

    static void append_integer(std::string& into, std::int64_t value) {
        std::array<char, 24> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
        into.append(digits.data(), end);
    }

    // The whole range of 64 bits has 2^64 values, which is 0 here: then any bits will do.
    static void append_random(std::string& into, const detail::template_piece& piece, random_stream& random) {
        const std::uint64_t count =
            static_cast<std::uint64_t>(piece.high) - static_cast<std::uint64_t>(piece.low) + 1;
        const std::uint64_t above = count == 0 ? random.next() : random.below(count);
        append_integer(into, static_cast<std::int64_t>(static_cast<std::uint64_t>(piece.low) + above));
    }

    std::string option_;
    template_place place_ = template_place::body;
    detail::template_piece piece_;  // while it is read
    std::vector<detail::template_piece> pieces_;
};

}  // namespace benchkit::inline v0_1::http
