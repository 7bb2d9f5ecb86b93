#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/core/error.hpp>

namespace benchkit::inline v0_1::http {

/// What a server tells of one request whose head it has parsed.
struct logged_request {
    std::int64_t number = 0;         ///< of the request among all of the server, from 1
    std::int64_t connection = 0;     ///< of its connection among all that were accepted, from 1
    std::int64_t on_connection = 0;  ///< of the request on its connection, from 1
    time_point at{};                 ///< when its head was parsed
    time_point answered_at{};        ///< when the answer, or what was done instead, was ready to be sent
    std::string_view method;
    std::string_view path;           ///< the target without its query
    std::string_view outcome;        ///< the status, or "reset", "truncated", "malformed", "unanswered"
    std::string_view connection_is;  ///< afterwards: "kept" or "closed"
};

/// A file with a line for each request, in which a test can look up what a client should have seen.
///
///     # at_us number connection request method path outcome after_us connection_is
///     1780000000000000 1 1 1 GET /hello 200 12 kept
///
/// Fields are separated by a space and hold none. `at_us` is in microseconds since 1970 (UTC, by a clock that
/// is not set while the server runs), `after_us` is how much later the answer was ready. Lines are written when
/// a request has been answered, so they are in the order of the answers, and on several shards only roughly so.
///
/// Each shard collects up to 64 KiB of lines before it writes them; `flush` writes what is left.
class request_log {
  public:
    /// Opens the file, or creates it. Throws `error` by the name "log" where it cannot. What was in it stays
    /// until `begin`; one that was new and is not begun is removed again.
    request_log(std::string path, int shards)
        : path_(std::move(path)), pages_(static_cast<std::size_t>(shards)) {
        is_new_ = ::access(path_.c_str(), F_OK) != 0;
        file_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
        if (file_ < 0) {
            fail_option("log", path_, "this file cannot be written: " + std::generic_category().message(errno));
        }
    }
    request_log(const request_log&) = delete;
    request_log& operator=(const request_log&) = delete;
    ~request_log() {
        flush();
        ::close(file_);
        if (is_new_ && !is_begun_) ::unlink(path_.c_str());
    }

    /// Empties the file, for the lines that come. Again it does nothing.
    void begin() {
        if (std::exchange(is_begun_, true)) return;
        struct stat facts {};
        const bool regular = ::fstat(file_, &facts) == 0 && S_ISREG(facts.st_mode);
        if (regular && ::ftruncate(file_, 0) != 0) problem_ = errno;
        write_all("# at_us number connection request method path outcome after_us connection_is\n");
    }

    /// Adds a line. For the shard's own thread.
    void add(int shard, const logged_request& request) {
        std::string& text = pages_[static_cast<std::size_t>(shard)].text;
        append(text, microseconds(request.at.time_since_epoch()) + since_1970_us_);
        append(text, request.number);
        append(text, request.connection);
        append(text, request.on_connection);
        text.append(request.method).append(" ").append(request.path).append(" ").append(request.outcome);
        text.append(" ");
        append(text, microseconds(request.answered_at - request.at));
        text.append(request.connection_is).append("\n");
        if (text.size() >= page_size) write_page(text);
    }

    /// Writes all that has not been written. When no shard runs.
    void flush() {
        for (auto& each : pages_) write_page(each.text);
    }

    /// What has kept lines from being written, as the system says it; empty where all were.
    [[nodiscard]] std::string problem() const {
        const int code = problem_;
        return code == 0 ? std::string() : std::generic_category().message(code);
    }

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

  private:
    static constexpr std::size_t page_size = std::size_t{64} * 1024;

    struct alignas(64) page {
        std::string text;
    };

    [[nodiscard]] static std::int64_t microseconds(std::chrono::nanoseconds time) noexcept {
        return std::chrono::floor<std::chrono::microseconds>(time).count();
    }

    static void append(std::string& text, std::int64_t number) {
        char digits[20];
        const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
        text.append(digits, static_cast<std::size_t>(end - digits)).append(" ");
    }

    void write_page(std::string& text) {
        write_all(text);
        text.clear();
    }

    void write_all(std::string_view text) {
        while (!text.empty()) {
            const ssize_t taken = ::write(file_, text.data(), text.size());
            if (taken < 0 && errno == EINTR) continue;
            if (taken < 0) problem_ = errno;
            if (taken <= 0) return;
            text.remove_prefix(static_cast<std::size_t>(taken));
        }
    }

    std::string path_;
    std::vector<page> pages_;
    int file_ = -1;
    bool is_new_ = false;
    bool is_begun_ = false;
    std::atomic<int> problem_ = 0;
    // What the monotonic clock lacks to microseconds since 1970.
    std::int64_t since_1970_us_ = microseconds(std::chrono::system_clock::now().time_since_epoch()) -
                                  microseconds(clock::now().time_since_epoch());
};

}  // namespace benchkit::inline v0_1::http
