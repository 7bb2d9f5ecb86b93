#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace benchkit::inline v0_1::detail {

inline constexpr std::size_t page_width = 80;   ///< columns of the text report
inline constexpr std::size_t label_width = 14;  ///< columns of the names on its left

/// How many columns a text takes: the characters of its UTF-8.
[[nodiscard]] constexpr std::size_t width_of(std::string_view text) noexcept {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
        return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
    }));
}

/// Appends `content` word by word, in lines of at most `page_width` columns where its words allow; each line
/// after the first begins with `indent` blanks. What is in the last line of `page` counts.
inline void append_wrapped(std::string& page, std::string_view content, std::size_t indent) {
    std::size_t column = width_of(std::string_view(page).substr(page.rfind('\n') + 1));
    bool first = true;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find(' '), content.size());
        const std::string_view word = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        if (word.empty()) continue;
        if (!first && column + 1 + width_of(word) > page_width) {
            page.append(1, '\n').append(indent, ' ');
            column = indent;
        } else if (!first) {
            page += ' ';
            ++column;
        }
        page += word;
        column += width_of(word);
        first = false;
    }
    page += '\n';
}

/// Appends "label         content", wrapped behind the label; nothing where there is no content.
inline void append_line(std::string& page, std::string_view label, std::string_view content) {
    if (content.empty()) return;
    page.append(label).append(label_width - std::min(label_width - 1, label.size()), ' ');
    append_wrapped(page, content, label_width);
}

/// A table of texts: the first column to the left, the others to the right, each as wide as its widest cell.
class text_table {
  public:
    void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

    [[nodiscard]] bool empty() const noexcept { return rows_.empty(); }

    /// The lines, without blanks at their ends. The first column takes at least `first_width` columns.
    [[nodiscard]] std::string text(std::size_t first_width) const {
        const std::vector<std::size_t> widths = column_widths(first_width);
        std::string lines;
        for (const auto& row : rows_) {
            for (std::size_t column = 0; column < row.size(); ++column)
                append_cell(lines, row[column], widths[column], column);
            lines.resize(lines.find_last_not_of(' ') + 1);
            lines += '\n';
        }
        return lines;
    }

  private:
    static constexpr std::size_t gap = 2;

    [[nodiscard]] std::vector<std::size_t> column_widths(std::size_t first_width) const {
        std::vector<std::size_t> widths{first_width};
        for (const auto& row : rows_) {
            widths.resize(std::max(widths.size(), row.size()), 0);
            for (std::size_t column = 0; column < row.size(); ++column) {
                widths[column] = std::max(widths[column], width_of(row[column]));
            }
        }
        return widths;
    }

    static void append_cell(std::string& lines, std::string_view cell, std::size_t width, std::size_t column) {
        const std::size_t padding = width - width_of(cell);
        if (column > 0) lines.append(gap + padding, ' ');
        lines += cell;
        if (column == 0) lines.append(padding, ' ');
    }

    std::vector<std::vector<std::string>> rows_;
};

}  // namespace benchkit::inline v0_1::detail
