#pragma once

#include <cstdint>

#include <benchkit/core/duration.hpp>

namespace benchkit::inline v0_1 {

/// A number of clients, each of which waits for its answer, thinks, and starts the next operation.
struct closed_loop {
    std::int64_t clients = 10;        ///< 1 to 1,000,000, dealt out over the shards
    benchkit::duration think_time{};  ///< between an operation's end and the client's next start
};

}  // namespace benchkit::inline v0_1
