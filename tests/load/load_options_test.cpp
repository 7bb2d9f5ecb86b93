#include <benchkit/load/load_options.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>

#include <benchkit/load/load.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

TEST_CASE("a load keeps no records and tells no progress, unless told to") {
    const bk::load_options options;
    CHECK(options.name.empty());
    CHECK_FALSE(options.keep_records);
    CHECK_FALSE(options.on_progress);
    CHECK(options.progress_interval == 200ms);
}

TEST_CASE("options are named one by one") {
    int told = 0;
    const bk::load_options options{.name = "hello", .on_progress = [&](const bk::load_progress& progress) {
                                       told += progress.operations.has_value() ? 1 : 0;
                                   }};
    bk::load_progress progress;
    options.on_progress(progress);
    progress.operations = 5;
    options.on_progress(progress);
    CHECK(told == 1);
    CHECK(options.name == "hello");
}

TEST_CASE("errors beyond the limit end the run and cancel what is in flight; the books balance") {
    bk::load_options options;
    options.abort_on = bk::parse_requirement("abort_on", "errors>50%");
    std::int64_t calls = 0;
    // All fail after 1 ms, but for one that takes 10 s.
    const auto operation = [&calls](bk::shard& shard) -> bk::awaitable<> {
        const bool slow = ++calls == 3;
        co_await shard.sleep_for(slow ? std::chrono::nanoseconds(10s) : std::chrono::nanoseconds(1ms));
        if (!slow) throw bk::operation_failed(bk::cause::assertion, "wrong");
    };
    const bk::result r = bk::load(bk::virtual_time{}, operation, {.clients = 3}, {.duration = 5s}, options);
    CHECK(r.attributes.at("ended_by") == bk::attribute(std::string("abort-on")));
    CHECK(r.counter("failed.canceled") >= 1);
    CHECK(r.counter("unfinished") == 0);
    CHECK(r.counter("started") == r.counter("failed"));
    CHECK(r.elapsed_seconds == doctest::Approx(0.1));  // where it is looked first

    options.abort_on = bk::parse_requirement("abort_on", "errors>1000000");
    CHECK(bk::load(bk::virtual_time{}, operation, {.clients = 3}, {.duration = 1s}, options)
              .attributes.at("ended_by") == bk::attribute(std::string("duration")));
    options.abort_on = bk::parse_requirement("abort_on", "p99>1s");
    CHECK_THROWS_AS((void)bk::load(bk::virtual_time{}, operation, {}, {.duration = 1s}, options), bk::error);
}
