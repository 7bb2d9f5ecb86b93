#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <benchkit/result/cause.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::detail {

/// The counts of one shard for one phase of a load, warm-up or measuring (docs/terms.md, "The books").
struct operation_books {
    std::int64_t not_started = 0;  ///< were due, and found no client until the end
    std::int64_t started = 0;
    std::int64_t succeeded = 0;
    std::int64_t succeeded_in_span = 0;
    std::int64_t unfinished = 0;
    std::array<std::int64_t, cause_count> failed{};
    std::map<std::string, std::int64_t> errors;  ///< by the name of the system's error, or of our own

    [[nodiscard]] std::int64_t failed_in_all() const noexcept {
        std::int64_t sum = 0;
        for (const std::int64_t count : failed) sum += count;
        return sum;
    }

    /// Writes the counts under their names, with `prefix` before each. `scheduled` is what started and what
    /// did not.
    void write(counters& into, const std::string& prefix) const {
        into[prefix + "scheduled"] = started + not_started;
        into[prefix + "not_started"] = not_started;
        into[prefix + "started"] = started;
        into[prefix + "succeeded"] = succeeded;
        into[prefix + "failed"] = failed_in_all();
        into[prefix + "unfinished"] = unfinished;
        for (std::size_t index = 0; index < cause_count; ++index) {
            if (failed[index] == 0) continue;
            into[prefix + "failed." + std::string(to_string(static_cast<cause>(index)))] = failed[index];
        }
        for (const auto& [name, count] : errors) into[prefix + "errors." + name] = count;
    }
};

}  // namespace benchkit::inline v0_1::detail
