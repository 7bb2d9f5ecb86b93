#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/load.hpp>
#include <benchkit/load/load_limits.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/load/matrix_row.hpp>

namespace benchkit::inline v0_1 {

/// A target of a matrix, by its name. Whether connections are kept alive, the rows say.
struct matrix_target {
    std::string name;
    http::target target;
};

/// How far a matrix has come.
struct matrix_progress {
    std::int64_t run = 0;    ///< counted from 1
    std::int64_t runs = 0;   ///< of all rows, targets and rounds
    std::int64_t round = 0;  ///< counted from 1
    std::string row;
    std::string target;
    load_progress load;  ///< of this run
};

/// How a matrix is run.
struct matrix_options {
    std::int64_t repeats = 5;     ///< rounds: runs of each target in each row, 1 to 10,000
    benchkit::duration warmup{};  ///< of each run, before the measuring
    benchkit::duration pause{};   ///< between two runs
    std::uint64_t seed = 1;       ///< of all random streams
    std::function<void(const matrix_progress&)> on_progress{};  ///< called now and then during each run
};

namespace detail {

inline constexpr std::int64_t most_repeats = 10'000;

inline void validate_matrix_targets(const std::vector<matrix_target>& targets) {
    if (targets.empty()) fail_option("target", "", "one or more are needed");
    for (std::size_t place = 0; place < targets.size(); ++place) {
        const std::string& name = targets[place].name;
        if (name.empty()) fail_option("target", targets[place].target.text(), "it needs a name");
        for (std::size_t before = 0; before < place; ++before) {
            if (targets[before].name == name)
                fail_option("target", printable(name), "this name stands for another target already");
        }
    }
}

inline void validate_matrix(const std::vector<matrix_target>& targets, const std::vector<matrix_row>& rows,
                            const matrix_options& options) {
    validate_matrix_targets(targets);
    if (rows.empty()) fail_option("row", "", "one or more are needed");
    if (options.repeats < 1 || options.repeats > most_repeats) {
        fail_option("repeats", std::to_string(options.repeats), "allowed is 1 to 10000");
    }
    require_not_negative("warmup", options.warmup);
    require_not_negative("pause", options.pause);
    for (const matrix_row& row : rows) {
        validate(row);
        require_descriptors("clients", row.operations ? std::min(row.clients, *row.operations) : row.clients,
                            row.shards);
        for (const matrix_target& each : targets) http::target(each.target).keep_alive(row.keep_alive);
    }
}

}  // namespace detail

}  // namespace benchkit::inline v0_1
