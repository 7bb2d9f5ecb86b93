// A histogram without a clock, from headers that need the standard library alone: no Asio, no exceptions, no
// RTTI.

#include <cstdint>
#include <iostream>
#include <optional>
#include <string>

#include <benchkit/stats/histogram.hpp>
#include <benchkit/stats/histogram_codec.hpp>

namespace bk = benchkit;

int main() {
    // Two shards of a service, each with the times of its own requests, in microseconds.
    bk::histogram fast;
    bk::histogram slow;
    for (std::int64_t time = 1; time <= 1'000; ++time) fast.record(time);
    for (std::int64_t time = 1'001; time <= 2'000; ++time) slow.record(time);

    bk::histogram all = fast;
    all.merge(slow);
    for (const double percentile : {50.0, 90.0, 99.0, 99.9}) {
        std::cout << percentile << " %: " << all.value_at_percentile(percentile) << " us\n";
    }
    std::cout << all.count() << " times from " << all.min() << " to " << all.max() << " us, mean " << all.mean()
              << " us\n";
    std::cout << all.percentile_at_value(500) << " % took 500 us or less\n";

    // As text that HdrHistogram's tools read, and back.
    const std::string text = bk::encode_histogram(all);
    const std::optional<bk::histogram> decoded = bk::decode_histogram(text);
    std::cout << text.substr(0, 8) << "... holds " << (decoded ? decoded->count() : 0) << " times\n";
}
