#pragma once

#include <cstdint>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/open_loop.hpp>

namespace benchkit::inline v0_1::detail {

/// A loop of either kind, as the parts of a load see it.
struct load_loop {
    load_loop(const closed_loop& closed) : clients(closed.clients), think_time(closed.think_time) {}
    load_loop(const open_loop& open) : clients(open.connections), schedule(open.arrivals), is_open(true) {}

    [[nodiscard]] bool open() const noexcept { return is_open; }
    /// Whether it ends with its last operation, where no limit ends it before: a trace.
    [[nodiscard]] bool ends_itself() const noexcept {
        return open() && std::holds_alternative<trace>(schedule.kind());
    }

    std::int64_t clients;  ///< in an open loop, one for each connection
    benchkit::duration think_time{};
    arrivals schedule;  ///< of an open loop
    bool is_open = false;
};

}  // namespace benchkit::inline v0_1::detail
