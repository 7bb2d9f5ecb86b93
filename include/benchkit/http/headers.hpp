#pragma once

#include <cstddef>
#include <iterator>
#include <optional>
#include <string_view>

#include <benchkit/http/grammar.hpp>

namespace benchkit::inline v0_1::http {

/// One header field: views into the message it came with.
struct header_field {
    std::string_view name;   ///< as it was sent; compare without regard to case
    std::string_view value;  ///< without the whitespace around it
};

/// The header section of a message as it came over the wire, looked at in place: a range of header fields,
/// in their order. It is as short-lived as the bytes it looks at. The parsers hand out only sections in
/// which each line is a well-formed field; of any other text, lines without a colon are passed over.
class header_block {
  public:
    class iterator {
      public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = header_field;
        using difference_type = std::ptrdiff_t;
        using pointer = const header_field*;
        using reference = const header_field&;

        constexpr iterator() noexcept = default;
        constexpr explicit iterator(std::string_view rest) noexcept : rest_(rest) { ++*this; }

        [[nodiscard]] constexpr reference operator*() const noexcept { return field_; }
        [[nodiscard]] constexpr pointer operator->() const noexcept { return &field_; }

        constexpr iterator& operator++() noexcept {
            while (!rest_.empty()) {
                const std::size_t end = rest_.find('\n');
                const bool last = end == std::string_view::npos;
                position_ = rest_.data();
                std::string_view line = rest_.substr(0, end);
                rest_.remove_prefix(last ? rest_.size() : end + 1);
                if (line.ends_with('\r')) line.remove_suffix(1);
                const std::size_t colon = line.find(':');
                if (colon == std::string_view::npos) continue;
                field_ = {line.substr(0, colon), detail::trim(line.substr(colon + 1))};
                return *this;
            }
            position_ = nullptr;
            return *this;
        }

        constexpr iterator operator++(int) noexcept {
            const iterator before = *this;
            ++*this;
            return before;
        }

        friend constexpr bool operator==(const iterator& left, const iterator& right) noexcept {
            return left.position_ == right.position_;
        }

      private:
        std::string_view rest_;
        const char* position_ = nullptr;  // the start of the line that field_ is; null at the end
        header_field field_;
    };

    constexpr header_block() noexcept = default;
    /// Lines `name: value`, each ended by CRLF or LF (the last need not be).
    constexpr explicit header_block(std::string_view text) noexcept : text_(text) {}

    [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(text_); }
    [[nodiscard]] constexpr iterator end() const noexcept { return iterator(); }
    [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }

    /// The value of the first field of this name, whatever its case; nothing where there is none.
    [[nodiscard]] constexpr std::optional<std::string_view> find(std::string_view name) const noexcept {
        for (const header_field& field : *this) {
            if (detail::equals_ignore_case(field.name, name)) return field.value;
        }
        return std::nullopt;
    }

    /// How many fields have this name.
    [[nodiscard]] constexpr std::size_t count(std::string_view name) const noexcept {
        std::size_t found = 0;
        for (const header_field& field : *this) found += detail::equals_ignore_case(field.name, name) ? 1U : 0U;
        return found;
    }

    /// Whether a list such as `Connection: keep-alive, close` has this element, in any of its lines and
    /// whatever the case. Only a whole element counts (RFC 9110 section 5.6.1).
    [[nodiscard]] constexpr bool has_list_element(std::string_view name,
                                                  std::string_view element) const noexcept {
        for (const header_field& field : *this) {
            if (!detail::equals_ignore_case(field.name, name)) continue;
            std::string_view list = field.value;
            while (!list.empty()) {
                if (detail::equals_ignore_case(detail::take_list_element(list), element)) return true;
            }
        }
        return false;
    }

    /// The bytes that are looked at.
    [[nodiscard]] constexpr std::string_view text() const noexcept { return text_; }

  private:
    std::string_view text_;
};

}  // namespace benchkit::inline v0_1::http
