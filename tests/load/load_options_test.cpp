#include <benchkit/load/load_options.hpp>

#include <doctest/doctest.h>

#include <chrono>

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
