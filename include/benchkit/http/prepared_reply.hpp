#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/http/reply.hpp>

namespace benchkit::inline v0_1::http {

/// A reply that is always the same, with the bytes of its most frequent form made once: for HTTP/1.1 on a
/// connection that goes on.
class prepared_reply {
  public:
    prepared_reply(reply source) : source_(std::move(source)) {
        head_size_ = serialize(source_, true, 1, false, message_);
    }

    [[nodiscard]] const reply& source() const noexcept { return source_; }

    /// Head and body of that form.
    [[nodiscard]] std::string_view message() const noexcept { return message_; }
    /// Its head.
    [[nodiscard]] std::string_view head() const noexcept { return message().substr(0, head_size_); }

  private:
    reply source_;
    std::string message_;
    std::size_t head_size_ = 0;
};

}  // namespace benchkit::inline v0_1::http
