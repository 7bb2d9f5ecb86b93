#pragma once

#include <cstdint>

#include <benchkit/load/arrivals.hpp>

namespace benchkit::inline v0_1 {

/// Operations that start on a schedule, whether or not earlier ones have ended, over a fixed number of
/// connections. One that finds none free waits, and its waiting is part of its response time.
struct open_loop {
    benchkit::arrivals arrivals;    ///< when operations are intended to start
    std::int64_t connections = 10;  ///< dealt out over the shards
};

}  // namespace benchkit::inline v0_1
