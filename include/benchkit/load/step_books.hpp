#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <benchkit/result/result.hpp>
#include <benchkit/stats/histogram.hpp>

namespace benchkit::inline v0_1::detail {

/// What came of one step, of a journey or of a list of requests, in the measured operations of a shard.
struct step_books {
    histogram times;  ///< of those that succeeded
    std::int64_t failed = 0;

    void write(result& into, std::string_view name) const {
        std::string counter = "step.";
        counter.append(name);
        into.counters[counter + ".succeeded"] += times.count();
        into.counters[counter + ".failed"] += failed;
        std::string time = "step_time.";
        if (times.count() > 0) into.distributions[time.append(name)].values.merge(times);
    }
};

}  // namespace benchkit::inline v0_1::detail
