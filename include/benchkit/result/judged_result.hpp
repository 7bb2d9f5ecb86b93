#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>

namespace benchkit::inline v0_1::detail {

/// What a reader needs of a result again and again.
struct judged_result {
    const result& measured;
    const distribution* main = nullptr;  ///< response times of an open loop, service times of a closed one
    std::int64_t shards = 1;
    double wall_seconds = 0;
    bool simulated = false;

    explicit judged_result(const result& given) : measured(given) {
        main = given.find_distribution("response_time");
        if (main == nullptr) main = given.find_distribution("service_time");
        if (main != nullptr && main->values.count() == 0) main = nullptr;
        shards = std::max<std::int64_t>(1, find_integer(given.parameters, "shards").value_or(1));
        wall_seconds = given.resources ? given.resources->wall_seconds : 0.0;
        if (!(wall_seconds > 0)) wall_seconds = given.elapsed_seconds;
        simulated = find_truth(given.parameters, "simulated").value_or(false);
    }

    [[nodiscard]] std::int64_t counter(std::string_view name) const { return measured.counter(name); }
};

using maybe_diagnostic = std::optional<diagnostic>;

}  // namespace benchkit::inline v0_1::detail
