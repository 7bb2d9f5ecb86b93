#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/print_tables.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/result/wording.hpp>

namespace benchkit::inline v0_1::report {

namespace detail {

using namespace benchkit::detail;

/// A target of a row, with what it is called in tables: "2 nginx".
struct matrix_cell {
    std::string label;
    const result* target = nullptr;
    bool opens_row = false;
};

/// All cells, row by row.
[[nodiscard]] inline std::vector<matrix_cell> cells_of(const result& matrix) {
    std::vector<matrix_cell> cells;
    for (std::size_t row = 0; row < matrix.children.size(); ++row) {
        const std::vector<result>& targets = matrix.children[row].children;
        for (const result& target : targets) {
            std::string label = std::to_string(row + 1).append(" ").append(printable(target.name));
            cells.push_back({std::move(label), &target, &target == &targets.front()});
        }
    }
    return cells;
}

/// Thousands per second, largest and smallest of the whole runs, as published: "561/552".
[[nodiscard]] inline std::string kilo_rates_text(const result& target) {
    const auto found = target.samples.find("rate");
    if (found == target.samples.end() || found->second.values.empty()) return not_available;
    const auto [least, most] = std::minmax_element(found->second.values.begin(), found->second.values.end());
    const auto text = [](double rate) {
        return std::isfinite(rate) ? three_digits(rate / 1e3) : not_available;
    };
    return text(*most).append("/").append(text(*least));
}

inline void append_matrix_heading(std::string& page, const result& matrix) {
    const auto parameter = [&](const char* name) { return find_integer(matrix.parameters, name).value_or(0); };
    const std::int64_t rounds = parameter("repeats");
    append_wrapped(page, "matrix of " + printable(matrix.name), 0);
    if (!matrix.children.empty()) {
        for (const result& target : matrix.children.front().children) {
            append_line(page, printable(target.name), printable(find_text(target.parameters, "url")));
        }
    }
    const auto rows = static_cast<std::int64_t>(matrix.children.size());
    append_line(page, "order",
                counted(rounds, "round", "rounds") + " of " + counted(rows, "row", "rows") +
                    ", the targets of a row in turns");
    append_line(page, "runs",
                format_count(find_integer(matrix.attributes, "runs").value_or(0)) + " of " +
                    format_count(parameter("runs")) + " in " + time_text(matrix.elapsed_seconds * 1e9) +
                    ", from " + format_timestamp(whole_second(matrix.started_at)));
}

/// The published table: a line for each row, a column for each target.
inline void append_matrix_rates(std::string& page, const result& matrix) {
    page += "kQPS: thousands of requests per second that succeeded, largest/smallest run\n";
    text_table table;
    std::vector<std::string> titles{"row"};
    for (const result& target : matrix.children.front().children) titles.push_back(printable(target.name));
    table.add_row(std::move(titles));
    for (std::size_t row = 0; row < matrix.children.size(); ++row) {
        const result& line = matrix.children[row];
        std::vector<std::string> cells{std::to_string(row + 1).append(" ").append(printable(line.name))};
        for (const result& target : line.children) cells.push_back(kilo_rates_text(target));
        table.add_row(std::move(cells));
    }
    page += table.text(label_width - 2);
}

[[nodiscard]] inline std::vector<std::string> ratio_row(const std::string& label, const comparison& compared) {
    const auto figure = [](double value) {
        return std::isfinite(value) ? format_fixed(value, 3) : std::string(not_available);
    };
    std::vector<std::string> cells{label,
                                   compared.ratio ? figure(*compared.ratio) : std::string(not_available)};
    if (compared.interval) {
        cells.push_back(figure(compared.interval->low) + " to " + figure(compared.interval->high));
        cells.push_back(format_fixed(100 * compared.confidence, 1) + " %");
    } else {
        cells.insert(cells.end(), 2, not_available);
    }
    return cells;
}

inline void append_matrix_ratios(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"rates", "ratio", "interval", "confidence"});
    std::string base;
    bool some = false;
    for (const matrix_cell& cell : cells) {
        if (cell.opens_row) base = printable(cell.target->name);
        for (const comparison& compared : cell.target->comparisons) {
            table.add_row(ratio_row(cell.label, compared));
            some = true;
        }
    }
    if (!some) return;
    append_wrapped(page, "beside " + base + ": the median of the rounds' ratios and its sign interval", 0);
    page += table.text(label_width - 2);
}

inline void append_matrix_times(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"service time", "50 %", "75 %", "90 %", "95 %", "99 %", "99.9 %", "largest"});
    for (const matrix_cell& cell : cells) {
        const distribution* times = cell.target->find_distribution("service_time");
        std::vector<std::string> row{cell.label};
        for (const double percentile : {50.0, 75.0, 90.0, 95.0, 99.0, 99.9}) {
            row.push_back(times == nullptr ? not_available
                                           : figure_text(times->percentile(percentile), times->unit));
        }
        const bool some = times != nullptr && times->values.count() > 0;
        row.push_back(some ? figure_text(std::optional(times->values.max()), times->unit) : not_available);
        table.add_row(std::move(row));
    }
    page += table.text(label_width - 2);
}

/// Requests that neither succeeded nor failed: not started, or without an end.
[[nodiscard]] inline std::int64_t lost_requests(const result& measured) {
    return sum_of({measured.counter("not_started"), measured.counter("unfinished")});
}

[[nodiscard]] inline std::string share_text(const result& target, const char* name) {
    const auto share = find_number(target.attributes, name);
    if (!share) return not_available;
    return format_fixed(100 * *share, *share < 0.0995 ? 1 : 0).append(" %");
}

inline void append_matrix_books(std::string& page, const std::vector<matrix_cell>& cells) {
    text_table table;
    table.add_row({"books", "requests", "failed", "lost", "client", "server", "idle", "bottleneck"});
    for (const matrix_cell& cell : cells) {
        const result& target = *cell.target;
        const std::string bottleneck = printable(find_text(target.attributes, "bottleneck"));
        table.add_row({cell.label, format_count(target.counter("scheduled")),
                       format_count(target.counter("failed")), format_count(lost_requests(target)),
                       share_text(target, "client_busy_share"), share_text(target, "server_busy_share"),
                       share_text(target, "machine_idle_share"),
                       bottleneck.empty() ? std::string(not_available) : bottleneck});
    }
    page += table.text(label_width - 2);
}

inline void append_matrix_sum(std::string& page, const result& matrix) {
    append_line(page, "operations",
                format_count(matrix.counter("scheduled")) +
                    " scheduled: " + format_count(matrix.counter("started")) + " started, " +
                    format_count(matrix.counter("not_started")) + " not started");
    append_line(page, "", outcome_text(matrix, ""));
    const std::int64_t lost = lost_requests(matrix);
    append_line(page, "lost", lost == 0 ? "no request" : counted(lost, "request", "requests"));
    append_line(page, "first error", printable(find_text(matrix.attributes, "first_error")));
    for (const matrix_cell& cell : cells_of(matrix)) {
        if (cell.target->counter("failed") == 0) continue;
        std::string line = cell.label + ": " + failures_text(*cell.target);
        const std::string first = printable(find_text(cell.target->attributes, "first_error"));
        if (!first.empty()) line += "; the first: " + first;
        append_line(page, "failures", line);
    }
    append_resources(page, matrix);
    append_machine(page, matrix);
}

/// What is said of one cell or several by the same code: in the words of the first.
struct matrix_remark {
    diagnostic said;
    std::vector<std::string> labels;
};

[[nodiscard]] inline std::vector<matrix_remark> remarks_of(const std::vector<matrix_cell>& cells) {
    std::vector<matrix_remark> remarks;
    for (const matrix_cell& cell : cells) {
        for (const diagnostic& one : cell.target->diagnostics) {
            if (one.code == "interrupted") continue;  // the matrix says it
            const auto known = std::find_if(remarks.begin(), remarks.end(), [&](const matrix_remark& each) {
                return each.said.code == one.code && each.said.severity == one.severity;
            });
            if (known == remarks.end()) {
                remarks.push_back({one, {cell.label}});
            } else {
                known->labels.push_back(cell.label);
            }
        }
    }
    std::stable_sort(remarks.begin(), remarks.end(), [](const matrix_remark& left, const matrix_remark& right) {
        return left.said.severity > right.said.severity;
    });
    return remarks;
}

/// "2 nginx: ...", and behind it which other cells the same was said of.
[[nodiscard]] inline std::string remark_text(const matrix_remark& remark, std::size_t cells) {
    std::string text(to_string(remark.said.severity));
    text.append(": ").append(remark.labels.front()).append(": ").append(printable(remark.said.message));
    if (remark.labels.size() == cells && cells > 1) {
        text += " The same is true of all others.";
    } else if (remark.labels.size() > 1) {
        text += " The same is true of ";
        for (std::size_t index = 1; index < remark.labels.size(); ++index) {
            text.append(index > 1 ? ", " : "").append(remark.labels[index]);
        }
        text += ".";
    }
    return text.append(" [").append(printable(remark.said.code)).append("]");
}

inline void append_matrix_remarks(std::string& page, const result& matrix,
                                  const std::vector<matrix_cell>& cells) {
    for (const diagnostic& one : matrix.diagnostics) {
        append_wrapped(page,
                       std::string(to_string(one.severity)) + ": " + printable(one.message) + " [" +
                           printable(one.code) + ']',
                       2);
    }
    for (const matrix_remark& remark : remarks_of(cells))
        append_wrapped(page, remark_text(remark, cells.size()), 2);
}

}  // namespace detail

/// The report of a matrix for people (docs/matrix.md): the rates as published, largest and smallest; the ratios
/// beside the first target, with their intervals; percentiles of the service time; the books of each target in
/// each row and who was the bottleneck; what the results say against themselves. Fails for any other result.
[[nodiscard]] inline std::string matrix(const result& measured) {
    if (measured.kind != "matrix") {
        fail("The result \"" + measured.name + "\" is that of a " + measured.kind + ", not of a matrix.");
    }
    std::string page;
    detail::append_matrix_heading(page, measured);
    const std::vector<detail::matrix_cell> cells = detail::cells_of(measured);
    if (find_integer(measured.attributes, "runs").value_or(0) > 0 && !cells.empty()) {
        detail::append_part(page, [&] { detail::append_matrix_rates(page, measured); });
        detail::append_part(page, [&] { detail::append_matrix_ratios(page, cells); });
        detail::append_part(page, [&] { detail::append_matrix_times(page, cells); });
        detail::append_part(page, [&] { detail::append_matrix_books(page, cells); });
    }
    detail::append_part(page, [&] { detail::append_matrix_sum(page, measured); });
    detail::append_part(page, [&] { detail::append_matrix_remarks(page, measured, cells); });
    return page;
}

}  // namespace benchkit::inline v0_1::report
