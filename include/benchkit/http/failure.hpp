#pragma once

#include <string>
#include <string_view>

#include <benchkit/exec/asio.hpp>
#include <benchkit/result/cause.hpp>

namespace benchkit::inline v0_1::http {

/// Why something on a connection failed: the cause, the system's error where there is one, and what is wrong
/// with a malformed answer or what TLS says. The view lasts.
struct failure {
    benchkit::cause cause = benchkit::cause::receive;
    asio::error_code error;
    std::string_view reason;
};

/// A sentence for a failure, such as "connect: Connection refused".
[[nodiscard]] inline std::string describe(const failure& failed) {
    std::string sentence(to_string(failed.cause));
    if (failed.error) sentence.append(": ").append(failed.error.message());
    if (!failed.reason.empty()) sentence.append(": ").append(failed.reason);
    return sentence;
}

}  // namespace benchkit::inline v0_1::http
