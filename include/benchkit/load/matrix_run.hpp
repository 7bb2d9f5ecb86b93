#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/core/clock.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/exec/asio.hpp>
#include <benchkit/exec/executors.hpp>
#include <benchkit/exec/interrupt.hpp>
#include <benchkit/http/address_list.hpp>
#include <benchkit/http/target.hpp>
#include <benchkit/load/load.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/load/matrix_options.hpp>
#include <benchkit/load/matrix_order.hpp>
#include <benchkit/load/matrix_result.hpp>
#include <benchkit/load/matrix_row.hpp>
#include <benchkit/load/matrix_runs.hpp>
#include <benchkit/platform/listening_process.hpp>
#include <benchkit/platform/processor_time.hpp>
#include <benchkit/platform/thread_times.hpp>
#include <benchkit/result/environment.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>

namespace benchkit::inline v0_1::detail {

/// A matrix while it runs.
class matrix_run {
  public:
    matrix_run(const std::vector<matrix_target>& targets, const std::vector<matrix_row>& rows,
               const matrix_options& options)
        : targets_(targets),
          rows_(rows),
          options_(options),
          runs_(rows.size(), no_runs(targets)),
          interrupts_(control_.get_executor(), [this](int signal) { signal_ = signal; }) {}

    [[nodiscard]] result run() {
        const time_point start = clock::now();
        result described = describe();
        if (ask_targets(described.attributes)) run_rounds();
        described.elapsed_seconds = duration(clock::now() - start).seconds();
        write_end(described);
        return make_matrix(std::move(described), rows_, std::move(runs_));
    }

  private:
    /// A row before its first round.
    [[nodiscard]] static std::vector<matrix_runs> no_runs(const std::vector<matrix_target>& targets) {
        std::vector<matrix_runs> row;
        for (const matrix_target& each : targets) {
            attributes parameters;
            describe_target(parameters, each.target);
            parameters.erase("keep_alive");  // the row says it
            row.emplace_back(each.name, std::move(parameters));
        }
        return row;
    }

    [[nodiscard]] std::int64_t planned() const {
        return static_cast<std::int64_t>(rows_.size() * targets_.size()) * options_.repeats;
    }

    [[nodiscard]] result describe() const {
        result described;
        for (const matrix_target& each : targets_) {
            described.name.append(described.name.empty() ? "" : ", ").append(each.name);
        }
        described.parameters = {{"repeats", options_.repeats},
                                {"runs", planned()},
                                {"warmup_seconds", options_.warmup.seconds()},
                                {"pause_seconds", options_.pause.seconds()},
                                {"seed", static_cast<std::int64_t>(options_.seed)}};
        described.environment = describe_environment();
        described.started_at = std::chrono::duration_cast<std::chrono::nanoseconds>(
                                   std::chrono::system_clock::now().time_since_epoch())
                                   .count();
        return described;
    }

    /// Whether a signal has come, in a run or between two.
    [[nodiscard]] bool interrupted() {
        control_.poll();
        return signal_ != 0;
    }

    /// Whether each target answers as it should, before anything long begins. One of three requests is enough.
    [[nodiscard]] bool ask_targets(attributes& told) {
        for (const matrix_target& each : targets_) {
            const result asked = load(single_threaded{.seed = options_.seed}, each.target,
                                      closed_loop{.clients = 1}, {.operations = 3});
            if (interrupted()) return false;
            servers_.push_back(find_server(each.target));
            if (asked.counter("succeeded") > 0) continue;
            told["ended_by"] = std::string("no-answer");
            told["first_error"] = each.name + ": " + find_text(asked.attributes, "first_error");
            return false;
        }
        return true;
    }

    /// The processes that serve a target, where they run on this machine and are not this one.
    [[nodiscard]] static std::vector<std::int64_t> find_server(const http::target& target) {
        if (!target.plan().unix_socket.empty()) return {};
        const std::vector<http::stream_endpoint> addresses = http::look_up(target.plan());
        const bool is_here = std::any_of(
            addresses.begin(), addresses.end(),
            [](const http::stream_endpoint& each) { return is_own_address(each.data(), each.size()); });
        if (!is_here) return {};
        std::vector<std::int64_t> found = find_listening_processes(target.plan().port);
        if (std::find(found.begin(), found.end(), getpid()) != found.end()) found.clear();
        return found;
    }

    void run_rounds() {
        for (std::int64_t round = 0; round < options_.repeats; ++round) {
            for (std::size_t row = 0; row < rows_.size(); ++row) {
                for (const std::size_t target : matrix_order(targets_.size(), round)) {
                    if (done_ > 0 && options_.pause > options_.pause.zero()) control_.run_for(options_.pause);
                    if (interrupted()) return;
                    runs_[row][target].add(measure(round, rows_[row], target));
                    ++done_;
                }
            }
        }
    }

    [[nodiscard]] result measure(std::int64_t round, const matrix_row& row, std::size_t place) {
        const matrix_target& which = targets_[place];
        http::target target = which.target;
        target.keep_alive(row.keep_alive);
        const closed_loop loop{.clients = row.clients};
        const load_limits limits{
            .operations = row.operations, .warmup = options_.warmup, .duration = row.duration};
        const load_options options = options_of(round, row, which);
        const auto before = machine_processor_time();
        const thread_times server_before = read_thread_times(servers_[place]);
        result measured =
            row.shards == 1
                ? load(single_threaded{.seed = options_.seed}, target, loop, limits, options)
                : load(sharded{.shards = row.shards, .seed = options_.seed}, target, loop, limits, options);
        const auto idle = idle_share(before, machine_processor_time());
        if (idle) measured.attributes["machine_idle_share"] = *idle;
        note_server(measured, server_before, read_thread_times(servers_[place]));
        measured.parameters["round"] = round + 1;
        measured.environment.clear();  // the matrix has it
        measured.children.clear();     // its diagnostics know of uneven shards
        std::erase_if(measured.diagnostics, [](const diagnostic& one) {
            return one.code == "noisy-machine" || one.code == "debug-build";
        });
        return measured;
    }

    [[nodiscard]] load_options options_of(std::int64_t round, const matrix_row& row,
                                          const matrix_target& which) const {
        load_options options;
        options.name = which.name + ", round " + std::to_string(round + 1);
        if (!options_.on_progress) return options;
        matrix_progress progress{.run = done_ + 1,
                                 .runs = planned(),
                                 .round = round + 1,
                                 .row = format_matrix_row(row),
                                 .target = which.name,
                                 .load = {}};
        options.on_progress = [this, progress](const load_progress& load) mutable {
            progress.load = load;
            options_.on_progress(progress);
        };
        return options;
    }

    static void note_server(result& measured, const thread_times& before, const thread_times& after) {
        if (after.empty() || !measured.resources || !(measured.resources->wall_seconds > 0)) return;
        const double busiest = duration(busiest_time(before, after)).seconds();
        measured.attributes["server_busy_share"] = std::min(1.0, busiest / measured.resources->wall_seconds);
    }

    void write_end(result& described) {
        described.attributes["runs"] = done_;
        if (described.attributes.contains("ended_by")) return;
        described.interrupted = interrupted();
        described.attributes["ended_by"] = std::string(described.interrupted ? "interrupt" : "count");
        if (described.interrupted) described.attributes["signal"] = std::int64_t{signal_};
    }

    const std::vector<matrix_target>& targets_;
    const std::vector<matrix_row>& rows_;
    const matrix_options& options_;
    std::vector<std::vector<matrix_runs>> runs_;      // of each row and target
    std::vector<std::vector<std::int64_t>> servers_;  // the processes of each target, as far as they are known
    std::int64_t done_ = 0;
    // Signals in a run reach this one, too; between two runs it is the only one.
    asio::io_context control_{1};
    int signal_ = 0;
    interrupt_handler interrupts_;
};

}  // namespace benchkit::inline v0_1::detail
