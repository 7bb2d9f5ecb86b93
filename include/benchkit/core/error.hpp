#pragma once

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace benchkit::inline v0_1 {

/// What benchkit throws: a wrong configuration, found before anything starts, or a broken invariant.
/// `what()` is one sentence. Where one option is to blame, `option()`, `value()` and `allowed()` name it.
class error : public std::runtime_error {
  public:
    explicit error(const std::string& sentence) : std::runtime_error(sentence) {}

    error(std::string option, std::string value, std::string allowed)
        : std::runtime_error(sentence(option, value, allowed)),
          option_(std::move(option)),
          value_(std::move(value)),
          allowed_(std::move(allowed)) {}

    /// The option to blame; empty where none is.
    [[nodiscard]] const std::string& option() const noexcept { return option_; }
    /// The value that was given.
    [[nodiscard]] const std::string& value() const noexcept { return value_; }
    /// What would have been allowed.
    [[nodiscard]] const std::string& allowed() const noexcept { return allowed_; }

    /// The sentence for an option, its value and what is allowed; also used with an option's other name.
    [[nodiscard]] static std::string sentence(std::string_view option, std::string_view value,
                                              std::string_view allowed) {
        std::string text(option);
        if (!value.empty()) text.append(" = ").append(value);
        return text.append(": ").append(allowed);
    }

  private:
    std::string option_;
    std::string value_;
    std::string allowed_;
};

namespace detail {

[[noreturn]] inline void raise(const error& problem) {
#if defined(__cpp_exceptions)
    throw problem;
#else
    std::fprintf(stderr, "benchkit: %s\n", problem.what());
    std::abort();
#endif
}

}  // namespace detail

/// Throws `error` with this sentence; where exceptions are off, prints it and aborts.
[[noreturn]] inline void fail(const std::string& sentence) {
    detail::raise(error(sentence));
}

/// As `fail`, for a wrong value of one option: "clients = 0: allowed is 1 or more".
[[noreturn]] inline void fail_option(std::string option, std::string value, std::string allowed) {
    detail::raise(error(std::move(option), std::move(value), std::move(allowed)));
}

}  // namespace benchkit::inline v0_1
