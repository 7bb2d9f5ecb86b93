// The std-only set: built with no Asio and no simdjson on the path, without exceptions and without RTTI.

#include <benchkit/core/base64.hpp>
#include <benchkit/core/bytes.hpp>
#include <benchkit/core/clock.hpp>
#include <benchkit/core/csv.hpp>
#include <benchkit/core/decimal.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>
#include <benchkit/core/fixed_log.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/random.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/core/uint256.hpp>
#include <benchkit/core/units.hpp>
#include <benchkit/core/utf8.hpp>
#include <benchkit/core/version.hpp>
#include <benchkit/core/zlib.hpp>
#include <benchkit/load/arrival_schedule.hpp>
#include <benchkit/load/arrivals.hpp>
#include <benchkit/load/exact_rate.hpp>
#include <benchkit/load/format_arrivals.hpp>
#include <benchkit/load/open_loop.hpp>
#include <benchkit/load/parse_arrivals.hpp>
#include <benchkit/load/poisson_schedule.hpp>
#include <benchkit/load/ramp_schedule.hpp>
#include <benchkit/load/read_trace.hpp>
#include <benchkit/load/stage_schedule.hpp>
#include <benchkit/load/validate_arrivals.hpp>
#include <benchkit/platform/folder.hpp>
#include <benchkit/platform/limits.hpp>
#include <benchkit/platform/listening_process.hpp>
#include <benchkit/platform/machine.hpp>
#include <benchkit/platform/proc_file.hpp>
#include <benchkit/platform/processor_time.hpp>
#include <benchkit/platform/resources.hpp>
#include <benchkit/platform/thread_times.hpp>
#include <benchkit/report/ab.hpp>
#include <benchkit/report/ab_figures.hpp>
#include <benchkit/report/ab_files.hpp>
#include <benchkit/report/ab_options.hpp>
#include <benchkit/report/httpress.hpp>
#include <benchkit/report/matrix.hpp>
#include <benchkit/report/max_rate.hpp>
#include <benchkit/report/text.hpp>
#include <benchkit/report/wrk.hpp>
#include <benchkit/result/cause.hpp>
#include <benchkit/result/check.hpp>
#include <benchkit/result/comparison.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/diagnostics.hpp>
#include <benchkit/result/distribution.hpp>
#include <benchkit/result/environment.hpp>
#include <benchkit/result/json_stream.hpp>
#include <benchkit/result/json_syntax.hpp>
#include <benchkit/result/json_writer.hpp>
#include <benchkit/result/judge_figures.hpp>
#include <benchkit/result/judge_open_loop.hpp>
#include <benchkit/result/judge_outcome.hpp>
#include <benchkit/result/judged_result.hpp>
#include <benchkit/result/merge.hpp>
#include <benchkit/result/operation_failed.hpp>
#include <benchkit/result/print.hpp>
#include <benchkit/result/print_tables.hpp>
#include <benchkit/result/requirement.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/result/text_layout.hpp>
#include <benchkit/result/timestamp.hpp>
#include <benchkit/result/wording.hpp>
#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_codec.hpp>
#include <benchkit/stats/histogram_layout.hpp>
#include <benchkit/stats/median.hpp>
#include <benchkit/stats/sign_interval.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

namespace bk = benchkit;

bool failed = false;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("not so: %s\n", what);
    failed = true;
}

/// The times of a thousand calls of a function.
bk::histogram time_a_function() {
    bk::histogram times;
    std::int64_t sum = 0;
    for (int round = 0; round < 1'000; ++round) {
        const auto start = bk::clock::now();
        sum += round;
        times.record((bk::clock::now() - start).count());
    }
    expect(sum == 499'500, "the function ran a thousand times");
    expect(times.count() == 1'000, "a thousand times were recorded");
    expect(times.min() <= times.value_at_percentile(50), "the least is no more than the median");
    return times;
}

void send_as_text(const bk::histogram& times) {
    const auto decoded = bk::decode_histogram(bk::encode_histogram(times));
    expect(decoded && decoded->count() == times.count(), "a histogram survives encoding");
    expect(!bk::decode_histogram("HISTFAAA?"), "what is no histogram is refused");
}

/// The result of two shards that timed the same function, written as JSON and for people.
void report(const bk::histogram& times) {
    bk::result shard;
    shard.name = "sum";
    shard.kind = "load";
    shard.elapsed_seconds = 2;
    for (const char* name : {"scheduled", "started", "succeeded"}) shard.counters[name] = times.count();
    for (const char* name : {"not_started", "failed", "unfinished"}) shard.counters[name] = 0;
    shard.distributions["service_time"].values = times;

    bk::result both = shard;
    bk::merge(both, shard);
    bk::check(both);
    expect(both.counter("succeeded") == 2'000, "the counts of two shards add up");
    expect(both.distributions["service_time"].values.count() == 2'000, "so do their times");

    const std::string json = bk::to_json(both);
    expect(json.find("\"succeeded\": 2000") != std::string::npos, "the JSON has the count");
    expect(bk::report::text(both).find("2,000") != std::string::npos, "so has the text");
}

/// The middle of five rounds' ratios.
void estimate_a_median() {
    const std::vector<double> ratios{1.1, 0.9, 1.0, 1.2, 1.05};
    expect(bk::median_of(ratios) == 1.05, "the median is the middle value");
    expect(bk::find_sign_interval(ratios) == bk::sign_interval{0.9, 1.2, 0.9375},
           "five values enclose it at 93.75 %");
}

void read_options() {
    expect(bk::parse_duration("--linger", "1500us").count() == 1'500'000, "1500us are 1.5 ms");
    expect(bk::parse_byte_size("--buffer", "64MB") == 64 << 20, "64MB are 64 times 2 to the 20th");
}

/// A shard's part of a schedule, from a text.
void follow_a_schedule() {
    const bk::arrivals process = bk::parse_arrivals("--rate", "stages:100x10s,1000x30s");
    expect(bk::format_arrivals(process) == "stages:100x10s,1000x30s", "an arrival process survives its text");
    bk::arrival_schedule schedule(process, {.shard = 1, .shards = 2});
    expect(schedule.next() == std::chrono::milliseconds(10), "the second operation is after 10 ms");
    std::int64_t operations = 1;
    while (schedule.next()) ++operations;
    expect(operations == 15'500, "a half of the operations are of one shard");
}

}  // namespace

int main() {
    const bk::histogram times = time_a_function();
    send_as_text(times);
    report(times);
    estimate_a_median();
    read_options();
    follow_a_schedule();
    return failed ? 1 : 0;
}
