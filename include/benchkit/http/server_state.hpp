#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/http/faults.hpp>
#include <benchkit/http/request_log.hpp>
#include <benchkit/http/router.hpp>

namespace benchkit::inline v0_1::http {

/// What one shard of a server has seen; read from any thread.
struct alignas(64) server_counters {
    std::atomic<std::int64_t> requests = 0;     ///< heads parsed
    std::atomic<std::int64_t> connections = 0;  ///< on which one came
};

/// The path under which a server tells its counters; asking for it is counted nowhere, meets no fault and is
/// not logged.
inline constexpr std::string_view stats_path = "/benchkit/stats";

namespace detail {

/// What the connections of a server share, on all its shards.
struct server_state {
    explicit server_state(int shards) : counters(static_cast<std::size_t>(shards)) {}

    router routes;
    http::faults faults;
    std::unique_ptr<request_log> log;  // null where there is none
    std::vector<server_counters> counters;
    bool is_watched = false;  // there are faults or a log: requests are numbered

    /// Before the first connection.
    void start() {
        is_watched = faults.any() || log != nullptr;
        requests_ = 0;
        first_request_ = time_point::max();
    }

    /// A request has come: its number among all, from 0.
    [[nodiscard]] std::int64_t number(time_point now) noexcept {
        const std::int64_t k = requests_.fetch_add(1, std::memory_order_relaxed);
        if (k == 0) first_request_.store(now, std::memory_order_relaxed);
        return k;
    }

    /// When an answer may leave that is due at `time`. Before the first request's time is known to this shard,
    /// it is about now.
    [[nodiscard]] time_point end_of_stalls(time_point time) const noexcept {
        const time_point first = first_request_.load(std::memory_order_relaxed);
        if (first >= time) return time;
        return first + faults.end_of_stalls(time - first);
    }

  private:
    std::atomic<std::int64_t> requests_ = 0;
    std::atomic<time_point> first_request_ = time_point::max();
};

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
