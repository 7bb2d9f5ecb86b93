#pragma once

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

namespace tests {

/// A text whose shape is compared: `@` stands for a number, and blanks count as one, because columns move with
/// the widths of their numbers.
class golden {
  public:
    explicit golden(const std::string& name) {
        const std::ifstream file(std::string(BENCHKIT_GOLDEN) + "/" + name);
        std::ostringstream content;
        content << file.rdbuf();
        expected_ = content.str();
    }

    /// Empty where `text` has this shape, else the first line that differs.
    [[nodiscard]] std::string difference(const std::string& text) const {
        std::istringstream wanted(expected_);
        std::istringstream got(text);
        std::string wanted_line;
        std::string got_line;
        for (int number = 1;; ++number) {
            const bool more_wanted = static_cast<bool>(std::getline(wanted, wanted_line));
            const bool more_got = static_cast<bool>(std::getline(got, got_line));
            if (!more_wanted && !more_got) return expected_.empty() ? "there is no golden file" : "";
            if (more_wanted && more_got && matches(squeezed(wanted_line), squeezed(got_line))) continue;
            return "line " + std::to_string(number) +
                   "\n  expected: " + (more_wanted ? wanted_line : "the end") +
                   "\n  printed:  " + (more_got ? got_line : "the end");
        }
    }

  private:
    static std::string squeezed(const std::string& line) {
        std::istringstream words(line);
        std::string text;
        for (std::string word; words >> word;) text.append(text.empty() ? "" : " ").append(word);
        return text;
    }

    static bool in_number(char byte) {
        return std::isdigit(static_cast<unsigned char>(byte)) != 0 || byte == '.';
    }

    static bool matches(std::string_view wanted, std::string_view got) {
        while (!wanted.empty()) {
            if (wanted.front() == '@') {
                const std::size_t digits =
                    static_cast<std::size_t>(std::find_if_not(got.begin(), got.end(), in_number) - got.begin());
                if (digits == 0) return false;
                got.remove_prefix(digits);
            } else {
                if (got.empty() || got.front() != wanted.front()) return false;
                got.remove_prefix(1);
            }
            wanted.remove_prefix(1);
        }
        return got.empty();
    }

    std::string expected_;
};

}  // namespace tests
