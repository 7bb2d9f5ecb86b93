#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <benchkit/core/error.hpp>
#include <benchkit/core/number.hpp>
#include <benchkit/core/uint128.hpp>
#include <benchkit/result/count_sum.hpp>
#include <benchkit/result/result.hpp>
#include <benchkit/result/scalars.hpp>
#include <benchkit/stats/histogram.hpp>

/// What ab counts and how it rounds, from a result.
namespace benchkit::inline v0_1::report::detail {

using benchkit::detail::sum_of;

/// ab measures in whole microseconds and shows milliseconds, rounded half up.
[[nodiscard]] constexpr std::int64_t ab_milliseconds(std::int64_t microseconds) noexcept {
    return microseconds / 1000 + (microseconds % 1000 >= 500 ? 1 : 0);
}

/// The value of rank `rank`, from 1, to the width of a bucket.
[[nodiscard]] inline std::int64_t value_at_rank(const histogram& values, std::int64_t rank) {
    for (const histogram_bucket bucket : values.buckets()) {
        rank -= bucket.count;
        if (rank <= 0) return std::clamp(bucket.to, values.min(), values.max());
    }
    return values.max();
}

/// The middle value; of an even number, the mean of the middle two. (ab takes the wrong two of an odd number.)
[[nodiscard]] inline std::int64_t median_of(const histogram& values) {
    const std::int64_t low = value_at_rank(values, (values.count() - 1) / 2 + 1);
    const std::int64_t high = value_at_rank(values, values.count() / 2 + 1);
    return low + (high - low) / 2;
}

/// The deviation of a sample, divided by n - 1; 0 of a single value.
[[nodiscard]] inline double sample_deviation(const histogram& values) {
    const auto count = static_cast<double>(values.count());
    return count > 1 ? values.stddev() * std::sqrt(count / (count - 1)) : 0.0;
}

/// One row of the table of connection times, in ms as ab shows it.
struct ab_row {
    std::int64_t min = 0;
    std::int64_t mean = 0;
    double deviation = 0;
    std::int64_t median = 0;
    std::int64_t max = 0;
};

[[nodiscard]] inline ab_row to_ab_row(const histogram& values) {
    const auto rounded = [](std::int64_t nanoseconds) { return ab_milliseconds(nanoseconds / 1000); };
    if (values.count() == 0) return {};
    const uint128 mean = divide(values.sum(), static_cast<std::uint64_t>(values.count())).quotient;
    return {rounded(values.min()), rounded(static_cast<std::int64_t>(mean.low)), sample_deviation(values) / 1e6,
            rounded(median_of(values)), rounded(values.max())};
}

/// The requests that got an answer, also one of a status or body that was not expected: what ab calls complete.
[[nodiscard]] inline std::int64_t ab_complete(const result& measured) {
    return sum_of({measured.counter("succeeded"), measured.counter("failed.status"),
                   measured.counter("failed.assertion")});
}

/// The seconds from the first start to the last answer; 0 where they are not known. ab counts what is answered
/// after its time limit, and the time for it.
[[nodiscard]] inline double ab_seconds(const result& measured) {
    const double span = std::isfinite(measured.elapsed_seconds) ? measured.elapsed_seconds : 0.0;
    return std::max(span, find_number(measured.attributes, "last_end_seconds").value_or(0));
}

/// ab's classes of failed requests.
struct ab_failures {
    std::int64_t connect = 0;
    std::int64_t receive = 0;
    std::int64_t length = 0;
    std::int64_t exceptions = 0;

    [[nodiscard]] std::int64_t all() const { return sum_of({connect, receive, length, exceptions}); }
};

[[nodiscard]] inline ab_failures count_ab_failures(const result& measured, bool any_length) {
    const auto failed = [&](const char* cause) { return measured.counter(std::string("failed.") + cause); };
    ab_failures failures;
    failures.connect = sum_of({failed("resolve"), failed("connect"), failed("tls"), failed("ports")});
    failures.receive = sum_of(
        {failed("receive"), failed("stale"), failed("closed"), failed("timeout"), failed("connection_lost")});
    failures.length = any_length ? 0 : measured.counter("length_differs");
    failures.exceptions = sum_of({failed("send"), failed("malformed"), failed("canceled")});
    return failures;
}

/// Answers whose status does not begin with 2.
[[nodiscard]] inline std::int64_t count_non_2xx(const result& measured) {
    constexpr std::string_view status = "status.";
    std::int64_t count = 0;
    for (const auto& [name, answers] : measured.counters) {
        if (name.starts_with(status) && name.substr(status.size(), 1) != "2") count = sum_of({count, answers});
    }
    return count;
}

/// The values of a distribution; none where there is no such one.
[[nodiscard]] inline histogram values_of(const result& measured, std::string_view name) {
    const distribution* found = measured.find_distribution(name);
    return found == nullptr ? histogram() : found->values;
}

/// Time from start to end of each complete request.
[[nodiscard]] inline histogram ab_total(const result& measured) {
    histogram total = values_of(measured, "service_time");
    for (const char* name : {"failed_time.status", "failed_time.assertion"}) {
        if (const distribution* failed = measured.find_distribution(name)) total.merge(failed->values);
    }
    return total;
}

/// Time to connect of each complete request: 0 on a connection that was there already.
[[nodiscard]] inline histogram ab_connect(const result& measured) {
    histogram connect = values_of(measured, "connect_time");
    connect.record(0, ab_complete(measured) - std::min(ab_complete(measured), connect.count()));
    return connect;
}

/// A line for standard error where some of `percentiles`, which rise, rest on fewer than ten of `done` requests
/// beyond them; empty where all are well supported.
[[nodiscard]] inline std::string few_requests_warning(std::int64_t done, std::span<const int> percentiles) {
    for (const int percentile : percentiles) {
        if (done / 100 * (100 - percentile) + done % 100 * (100 - percentile) / 100 >= 10) continue;
        return "warning: " + std::to_string(done) + " requests are too few for the percentiles from " +
               std::to_string(percentile) + " % up: fewer than 10 requests took longer.\n";
    }
    return {};
}

/// The report of another tool makes sense of a load of an HTTP target only.
inline void require_http_load(const result& measured, std::string_view tool) {
    // The steps of a journey are no operations, and have no times of their own there.
    const bool of_requests =
        measured.parameters.contains("host") && !measured.parameters.contains("follow_redirects");
    if (measured.kind == "load" && of_requests) return;
    fail("A report as of " + std::string(tool) + " needs the load of an HTTP target: \"" + measured.name +
         "\" is of kind \"" + measured.kind + "\".");
}

}  // namespace benchkit::inline v0_1::report::detail
