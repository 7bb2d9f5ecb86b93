#pragma once

#include <string>
#include <utility>

#include <benchkit/core/error.hpp>

namespace tests {

/// The sentence with which `action` is refused; "accepted" where it is not.
template <class Action>
[[nodiscard]] std::string refusal(Action&& action) {
    try {
        std::forward<Action>(action)();
    } catch (const benchkit::error& problem) {
        return problem.what();
    }
    return "accepted";
}

}  // namespace tests
