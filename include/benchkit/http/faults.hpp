#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/http/delay.hpp>
#include <benchkit/http/stall.hpp>

namespace benchkit::inline v0_1::http {

/// What a faulty server does to a request instead of answering it as it should.
enum class fault : std::uint8_t {
    none,       ///< it is answered as it should be
    status,     ///< it is answered with another status, and no route is asked
    reset,      ///< the connection is reset
    truncate,   ///< half of the body is sent, and the connection is closed
    malformed,  ///< something is sent that is no answer, and the connection is closed
};

/// What is to happen to one request.
struct request_fate {
    fault what = fault::none;
    int status = 0;                    ///< of `fault::status`
    std::chrono::nanoseconds delay{};  ///< before the answer or the fault
    std::uint64_t variant = 0;         ///< random bits, for the garbage of `fault::malformed`
};

/// What a server does wrong, and how often.
///
///     http::faults wrong;
///     wrong.delay(http::delay::exponential(5ms)).status(503, 0.01).reset(0.001).seed(42);
///     server.faults(wrong);
///
/// Probabilities are shares of all requests, so together they are at most 1: a request meets one fault or none.
/// What happens to the k-th request depends on the seed and on k alone. Requests are counted over all
/// connections and shards of a server, in the order in which their heads were parsed: of the first n requests,
/// the same numbers meet each fault in every run, whoever sends them. With one connection these are the same
/// requests, too; with several, it depends on their timing which of them is the k-th.
class faults {
  public:
    /// Of all that is random here.
    faults& seed(std::uint64_t number) noexcept {
        seed_ = number;
        return *this;
    }

    /// Every request is answered this much later, counted from when it is complete. Of the requests of one
    /// connection each waits for the answer to the one before.
    faults& delay(http::delay time) {
        delay_ = time;
        return *this;
    }

    /// No answer begins during the stall. Several may be given, one of them repeating.
    faults& stall(http::stall pause) {
        const auto repeats = [](const http::stall& each) { return each.repeats(); };
        if (pause.repeats() && std::any_of(stalls_.begin(), stalls_.end(), repeats)) {
            fail("stall: only one of a server's stalls can come again and again");
        }
        stalls_.push_back(pause);
        return *this;
    }

    /// This share of the requests is answered with `status` (200 to 999), whatever their path. Several may be
    /// given; a second one for a status replaces the first.
    faults& status(int status, double share) {
        if (status < 200 || status > 999) {
            fail_option("status", std::to_string(status), "the status of a fault is from 200 to 999");
        }
        return set("status", fault::status, status, share);
    }

    /// The connection is reset when the request has been read.
    faults& reset(double share) { return set("reset", fault::reset, 0, share); }

    /// The answer's head and half of its body are sent, then the connection is closed; of an answer without a
    /// body, half of the head.
    faults& truncate(double share) { return set("truncate", fault::truncate, 0, share); }

    /// What is sent is no HTTP answer; then the connection is closed.
    faults& malformed(double share) { return set("malformed", fault::malformed, 0, share); }

    /// Each connection is closed after this many answers, without a word of it in the last one. 0 for never.
    faults& close_after(std::int64_t answers) {
        if (answers < 0) fail_option("close_after", std::to_string(answers), "allowed is 0 or more");
        close_after_ = answers;
        return *this;
    }

    /// Whether there is anything here that is not as it should be.
    [[nodiscard]] bool any() const noexcept {
        return delay_.has_value() || !stalls_.empty() || !shares_.empty() || close_after_ > 0;
    }

    /// After how many answers a connection ends; 0 for never.
    [[nodiscard]] std::int64_t closes_after() const noexcept { return close_after_; }

    /// What happens to the k-th request of the server; k counts from 0.
    [[nodiscard]] request_fate fate(std::int64_t k) const noexcept {
        const auto index = static_cast<std::uint64_t>(k);
        request_fate fate;
        if (delay_) {
            random_stream delays(seed_, "http delay", index);
            fate.delay = std::min<std::chrono::nanoseconds>(delay_->draw(delays), longest_delay);
        }
        if (shares_.empty()) return fate;
        random_stream choices(seed_, "http fault", index);
        std::uint64_t choice = choices.next();
        for (const share_of_requests& each : shares_) {
            if (choice <= each.last) {
                fate.what = each.what;
                fate.status = each.status;
                fate.variant = choices.next();
                break;
            }
            choice -= each.last + 1;
        }
        return fate;
    }

    /// When an answer may leave that is due this long after the first request.
    [[nodiscard]] std::chrono::nanoseconds end_of_stalls(std::chrono::nanoseconds time) const noexcept {
        // One stall may end within another: round after round, until none moves it. It ends, because stalls
        // that come once move it once, and the one that repeats leaves time between.
        for (bool moved = true; moved;) {
            moved = false;
            for (const http::stall& each : stalls_) {
                moved = moved || each.end_of(time) != time;
                time = each.end_of(time);
            }
        }
        return time;
    }

  private:
    static constexpr std::chrono::nanoseconds longest_delay = std::chrono::hours(24 * 365);

    // Of 2^64 equally likely numbers, those from 0 to `last` after the ones of the shares before.
    struct share_of_requests {
        fault what = fault::none;
        int status = 0;
        double share = 0;
        std::uint64_t last = 0;
    };

    faults& set(const char* option, fault what, int status, double share) {
        if (!(share >= 0.0 && share <= 1.0)) {
            fail_option(option, format_number(share), "a share of the requests is from 0 to 1");
        }
        std::erase_if(
            shares_, [&](const share_of_requests& each) { return each.what == what && each.status == status; });
        double sum = share;
        for (const share_of_requests& each : shares_) sum += each.share;
        if (sum > 1.0 + 1e-9) {
            fail_option(option, format_number(share), "the shares of all faults together are at most 1");
        }
        if (share > 0.0) shares_.push_back({what, status, share, last_of(share)});
        return *this;
    }

    [[nodiscard]] static std::uint64_t last_of(double share) noexcept {
        if (share >= 1.0) return std::numeric_limits<std::uint64_t>::max();
        const auto size = static_cast<std::uint64_t>(share * 0x1p64);
        return size == 0 ? 0 : size - 1;
    }

    std::uint64_t seed_ = 1;
    std::optional<http::delay> delay_;
    std::vector<http::stall> stalls_;
    std::vector<share_of_requests> shares_;
    std::int64_t close_after_ = 0;
};

}  // namespace benchkit::inline v0_1::http
