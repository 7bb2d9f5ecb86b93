#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchkit::inline v0_1 {

/// The fields of one line of comma-separated values, and where it begins.
struct csv_row {
    std::int64_t line = 1;
    std::vector<std::string> fields;
};

/// Comma-separated values that have been read, or what is wrong with them.
struct csv_table {
    std::vector<csv_row> rows;
    std::string problem;            ///< empty where nothing is wrong
    std::int64_t problem_line = 0;  ///< where it is
};

namespace detail {

/// Reads comma-separated values from the first byte to the last.
class csv_reader {
  public:
    explicit csv_reader(std::string_view text) : rest_(text) {}

    [[nodiscard]] csv_table read() {
        while (!rest_.empty() && table_.problem.empty()) read_row();
        return std::move(table_);
    }

  private:
    void read_row() {
        csv_row row{.line = line_, .fields = {}};
        const bool blank = rest_.front() == '\n' || rest_.starts_with("\r\n");
        for (bool more = true; more && table_.problem.empty();) {
            row.fields.push_back(rest_.starts_with('"') ? read_quoted() : read_plain());
            more = rest_.starts_with(',');
            if (more) rest_.remove_prefix(1);
        }
        end_line();
        if (!blank) table_.rows.push_back(std::move(row));
    }

    std::string read_plain() {
        std::string_view field = rest_.substr(0, rest_.find_first_of(",\n"));
        rest_.remove_prefix(field.size());
        if (!rest_.starts_with(',') && field.ends_with('\r')) field.remove_suffix(1);
        if (field.find('"') != std::string_view::npos) refuse("has a quote within a field that is not quoted");
        return std::string(field);
    }

    std::string read_quoted() {
        std::string field;
        const std::int64_t begin = line_;
        for (rest_.remove_prefix(1); !rest_.empty(); rest_.remove_prefix(1)) {
            if (rest_.front() == '"' && !rest_.starts_with("\"\"")) {
                rest_.remove_prefix(1);
                const bool ended =
                    rest_.empty() || rest_.front() == ',' || rest_.front() == '\n' || rest_.starts_with("\r\n");
                if (!ended) refuse("goes on behind the quote that ends a field");
                if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
                return field;
            }
            if (rest_.front() == '"') rest_.remove_prefix(1);
            if (rest_.front() == '\n') ++line_;
            field.push_back(rest_.front());
        }
        line_ = begin;
        refuse("has a quoted field without an end");
        return field;
    }

    void end_line() {
        if (rest_.empty() || !table_.problem.empty()) return;
        rest_.remove_prefix(1);
        ++line_;
    }

    void refuse(const char* problem) {
        table_.problem = problem;
        table_.problem_line = line_;
    }

    std::string_view rest_;
    std::int64_t line_ = 1;
    csv_table table_;
};

}  // namespace detail

/// Reads comma-separated values (RFC 4180): a field in quotes may have commas, line ends and, doubled, quotes;
/// lines end with CR LF or LF. Blank lines are left out. What is read before a problem is kept.
[[nodiscard]] inline csv_table parse_csv(std::string_view text) {
    return detail::csv_reader(text).read();
}

}  // namespace benchkit::inline v0_1
