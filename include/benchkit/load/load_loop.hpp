#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <benchkit/core/duration.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/open_loop.hpp>

namespace benchkit::inline v0_1::detail {

/// A loop of either kind, as the parts of a load see it.
struct load_loop {
    load_loop(const closed_loop& closed) : clients(closed.clients), think_time(closed.think_time) {}
    load_loop(const open_loop& open) : clients(open.connections), schedule(open.arrivals) {}

    [[nodiscard]] bool open() const noexcept { return schedule.has_value(); }
    /// Whether it ends with its last operation, where no limit ends it before: a trace.
    [[nodiscard]] bool ends_itself() const noexcept {
        return open() && std::holds_alternative<trace>(schedule->kind());
    }

    std::int64_t clients;  ///< in an open loop, one for each connection
    benchkit::duration think_time{};
    std::optional<arrivals> schedule;  ///< of an open loop
};

}  // namespace benchkit::inline v0_1::detail
