#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/exec/executors.hpp>
#include <benchkit/load/closed_loop.hpp>
#include <benchkit/load/load_limits.hpp>

namespace benchkit::inline v0_1 {

/// One row of a matrix: the closed loop that every target of it gets.
struct matrix_row {
    std::int64_t clients = 10;                     ///< each on a connection, 1 to 1,000,000
    std::optional<std::int64_t> operations{};      ///< requests of a run, 1 or more
    std::optional<benchkit::duration> duration{};  ///< of a run; with neither it takes 10 s
    int shards = 1;                                ///< threads, 1 to 1024
    bool keep_alive = true;                        ///< several requests on one connection

    friend bool operator==(const matrix_row&, const matrix_row&) = default;
};

/// A row as `parse_matrix_row` reads it: "c=100,n=1000000,t=16,keepalive=yes".
[[nodiscard]] inline std::string format_matrix_row(const matrix_row& row) {
    std::string text("c=");
    text += std::to_string(row.clients);
    if (row.operations) text.append(",n=").append(std::to_string(*row.operations));
    if (row.duration) text.append(",d=").append(detail::exact_duration(*row.duration));
    text.append(",t=").append(std::to_string(row.shards));
    return text.append(row.keep_alive ? ",keepalive=yes" : ",keepalive=no");
}

/// Fails where a row cannot be, with the sentence for the first option that is wrong.
inline void validate(const matrix_row& row) {
    validate(closed_loop{.clients = row.clients},
             load_limits{.operations = row.operations, .duration = row.duration});
    (void)shard_count(sharded{.shards = row.shards});
}

/// The six rows of the published comparison of Drogon and Nginx by httpress, in its order, with `scale` times
/// as many requests. Fails by the name "scale" where that is not above 0 and at most 1,000, or where it leaves
/// a row with fewer requests than clients.
[[nodiscard]] inline std::vector<matrix_row> published_matrix_rows(double scale = 1) {
    constexpr std::int64_t million = 1'000'000;
    const std::vector<matrix_row> published{
        {.clients = 100, .operations = million, .shards = 16, .keep_alive = true},
        {.clients = 100, .operations = million, .shards = 12, .keep_alive = false},
        {.clients = 1'000, .operations = million, .shards = 16, .keep_alive = true},
        {.clients = 1'000, .operations = million, .shards = 16, .keep_alive = false},
        {.clients = 10'000, .operations = 4 * million, .shards = 16, .keep_alive = true},
        {.clients = 10'000, .operations = million, .shards = 16, .keep_alive = false},
    };
    if (!(scale > 0 && scale <= 1'000)) {
        fail_option("scale", format_number(scale), "allowed is a number above 0, at most 1000");
    }
    std::vector<matrix_row> rows = published;
    for (matrix_row& row : rows) {
        row.operations = std::llround(scale * static_cast<double>(*row.operations));
        if (*row.operations >= row.clients) continue;
        fail_option("scale", format_number(scale),
                    "this leaves " + std::to_string(*row.operations) + " requests for the " +
                        std::to_string(row.clients) + " clients of a row; allowed is 0.01 or more");
    }
    return rows;
}

}  // namespace benchkit::inline v0_1
