#pragma once

#include <stdexcept>
#include <string>

#include <benchkit/result/cause.hpp>

namespace benchkit::inline v0_1 {

/// Thrown inside a user's coroutine to say that its operation failed, and why; the run goes on and counts it as
/// `failed.<cause>`. Any other exception counts as `failed.assertion`.
class operation_failed : public std::runtime_error {
  public:
    operation_failed(benchkit::cause reason, const std::string& sentence)
        : std::runtime_error(sentence), reason_(reason) {}

    [[nodiscard]] benchkit::cause reason() const noexcept { return reason_; }

  private:
    benchkit::cause reason_;
};

}  // namespace benchkit::inline v0_1
