#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

namespace benchkit::inline v0_1::detail {

/// The text of a small file of /proc or /sys; empty where there is none. Such files say a length of 0, so they
/// are read to their end, and never beyond 1 MiB.
[[nodiscard]] inline std::string read_proc_file(const char* path) {
    std::string text;
    std::FILE* file = std::fopen(path, "re");
    if (file == nullptr) return text;
    std::array<char, 4096> block;
    constexpr std::size_t limit = std::size_t{1} << 20U;
    while (text.size() < limit) {
        const std::size_t length = std::fread(block.data(), 1, block.size(), file);
        if (length == 0) break;
        text.append(block.data(), length);
    }
    std::fclose(file);
    return text;
}

/// `text` without blanks, tabs, line ends and zero bytes at both ends.
[[nodiscard]] inline std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blanks(" \t\r\n\0", 5);
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

/// The value of the first line "key : value" of a file such as /proc/cpuinfo; empty where no line has the key.
[[nodiscard]] inline std::string_view proc_field(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        const std::size_t colon = line.find(':');
        if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == key) {
            return trimmed(line.substr(colon + 1));
        }
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return {};
}

/// The whole number at the start of `text`, which is moved behind it; nothing where there is none.
[[nodiscard]] inline std::optional<std::int64_t> take_integer(std::string_view& text) {
    text = trimmed(text);
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, problem] = std::from_chars(text.data(), end, number);
    if (problem != std::errc()) return std::nullopt;
    text = std::string_view(rest, static_cast<std::size_t>(end - rest));
    return number;
}

}  // namespace benchkit::inline v0_1::detail
