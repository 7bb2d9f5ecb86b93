#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <benchkit/core/duration.hpp>
#include <benchkit/load/load_run.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/environment.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::detail {

/// Makes the result of a load that has run: the parts of the shards, merged; the span and its rate; what it
/// says of itself.
template <class Work>
class load_result {
  public:
    explicit load_result(load_run<Work>& run) : run_(run) {}

    /// `described` has the name, the parameters, the start and the environment.
    [[nodiscard]] result make(result described, std::chrono::nanoseconds wall) {
        result total = std::move(described);
        total.kind = "load";
        total.distributions["service_time"] = {};
        resource_use used;
        for (int index = 0; index < run_.size(); ++index) {
            merge(total, measured_by(run_.part(index)));
            used += run_.part(index).used;
        }
        total.resources = to_run_resources(used, wall);
        write_schedule(total);
        write_span(total);
        write_series(total);
        write_first_error(total);
        write_end(total);
        if (run_.size() > 1) {
            std::vector<result> rows;
            for (int index = 0; index < run_.size(); ++index) rows.push_back(child(index, total, wall));
            total.children = std::move(rows);
        }
        check(total);
        total.diagnostics = diagnose(total);
        return total;
    }

  private:
    [[nodiscard]] static result measured_by(const load_part<Work>& part) {
        result measured;
        const recorder& books = part.load.books;
        books.measured.write(measured.counters, "");
        measured.counters["succeeded_in_span"] = books.measured.succeeded_in_span;
        if (books.warm_up.started + books.warm_up.not_started > 0) {
            books.warm_up.write(measured.counters, "warmup.");
        }
        measured.distributions["service_time"].values = books.service_time;
        if (books.open_loop()) write_open_loop(measured, books);
        for (std::size_t index = 0; index < cause_count; ++index) {
            if (books.failed_time[index].count() == 0) continue;
            const std::string name(to_string(static_cast<cause>(index)));
            measured.distributions["failed_time." + name].values = books.failed_time[index];
        }
        if (books.unfinished_age.count() > 0) {
            measured.distributions["unfinished_age"].values = books.unfinished_age;
        }
        measured.distributions["shard_rate"] = {"operations/s", books.rates()};
        part.work.write(measured);
        return measured;
    }

    static void write_open_loop(result& measured, const recorder& books) {
        measured.distributions["response_time"].values = books.response_time;
        measured.distributions["lag"].values = books.lag;
        measured.distributions["timer_lag"].values = books.timer_lag;
        measured.counters["waited_for_connection"] = books.waited_for_connection;
    }

    // With a count, what was scheduled is the count. In an open loop it is what came due.
    void write_schedule(result& total) const {
        if (!run_.limits().operations || run_.state().open_loop()) return;
        const std::int64_t scheduled = *run_.limits().operations;
        total.counters["scheduled"] = scheduled;
        total.counters["not_started"] = scheduled - total.counter("started");
    }

    [[nodiscard]] bool ended_by_count(const result& total) const {
        const bool counted = run_.limits().operations || run_.state().ends_itself();
        const bool all_started = counted && total.counter("not_started") == 0;
        return all_started && total.counter("unfinished") == 0 && last_end() <= run_.state().deadline();
    }

    [[nodiscard]] time_point last_end() const {
        time_point last = time_point::min();
        for (int index = 0; index < run_.size(); ++index)
            last = std::max(last, run_.part(index).load.books.last_end());
        return last;
    }

    // From the first measured start, in an open loop from the schedule's, to the deadline, or to the last end
    // where a count ends the run. An early end cuts it, but not before what other shards completed until they
    // heard of it: that counts in the rate.
    void write_span(result& total) const {
        time_point first = time_point::max();
        for (int index = 0; index < run_.size(); ++index) {
            first = std::min(first, run_.part(index).load.books.first_start());
        }
        if (first == time_point::max() || run_.state().open_loop()) first = run_.state().measure_from();
        time_point last = run_.state().deadline();
        if (run_.state().ended_early() != early_end::none) {
            last = std::min(last, std::max(run_.state().ended_early_at(), last_end()));
        }
        if (ended_by_count(total)) last = last_end();
        const auto since_first = [first](time_point end) {
            return std::max(0.0, duration(end - first).seconds());
        };
        total.elapsed_seconds = since_first(last);
        // What ended in the drain; a report that counts it must also count its time.
        if (last_end() > last) total.attributes["last_end_seconds"] = since_first(last_end());
        if (total.elapsed_seconds > 0) {
            total.rate = static_cast<double>(total.counter("succeeded_in_span")) / total.elapsed_seconds;
        }
    }

    void write_series(result& total) const {
        series_recorder& all = run_.part(0).load.books.series();
        for (int index = 1; index < run_.size(); ++index) all.merge(run_.part(index).load.books.series());
        total.series = all.finish();
    }

    void write_first_error(result& total) const {
        const recorder* earliest = &run_.part(0).load.books;
        for (int index = 1; index < run_.size(); ++index) {
            const recorder& other = run_.part(index).load.books;
            if (other.first_error_at < earliest->first_error_at) earliest = &other;
        }
        if (!earliest->first_error.empty()) total.attributes["first_error"] = earliest->first_error;
    }

    void write_end(result& total) const {
        total.attributes["ended_by"] = std::string(reason(total));
        total.interrupted = run_.state().ended_early() == early_end::interrupt;
        if (total.interrupted) total.attributes["signal"] = std::int64_t{run_.signal()};
        if (run_.simulated()) {
            total.parameters["simulated"] = true;
            total.attributes["virtual.trace_hash"] = hexadecimal(run_.trace_hash());
        }
    }

    [[nodiscard]] std::string_view reason(const result& total) const {
        switch (run_.state().ended_early()) {
            case early_end::interrupt:
                return "interrupt";
            case early_end::connect_failure:
                return "connect-failure";
            case early_end::first_error:
                return "first-error";
            case early_end::abort_on:
                return "abort-on";
            case early_end::memory:
                return "memory";
            case early_end::none:
                break;
        }
        return ended_by_count(total) ? "count" : "duration";
    }

    [[nodiscard]] static std::string hexadecimal(std::uint64_t number) {
        std::string text;
        for (int shift = 60; shift >= 0; shift -= 4)
            text.push_back("0123456789abcdef"[(number >> shift) & 0xf]);
        return text;
    }

    // A shard's own counts, times and use, so that an unequal load is seen.
    [[nodiscard]] result child(int index, const result& total, std::chrono::nanoseconds wall) const {
        result row = measured_by(run_.part(index));
        row.name = "shard " + std::to_string(index);
        row.kind = "shard";
        row.started_at = total.started_at;
        row.elapsed_seconds = total.elapsed_seconds;
        if (row.elapsed_seconds > 0) {
            row.rate = static_cast<double>(row.counter("succeeded_in_span")) / row.elapsed_seconds;
        }
        std::erase_if(row.distributions, [](const auto& each) {
            return each.first != "service_time" && each.first != "response_time";
        });
        row.records.clear();
        row.attributes.clear();
        row.resources = to_run_resources(run_.part(index).used, wall);
        return row;
    }

    load_run<Work>& run_;
};

}  // namespace benchkit::inline v0_1::detail
