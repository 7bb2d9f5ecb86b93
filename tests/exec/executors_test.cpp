#include <benchkit/exec/executors.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace bk = benchkit;

TEST_CASE("three executors, of which two are real") {
    static_assert(bk::executor<bk::single_threaded>);
    static_assert(bk::executor<bk::sharded>);
    static_assert(bk::executor<bk::virtual_time>);
    static_assert(!bk::executor<int>);
    static_assert(bk::real_executor<bk::single_threaded>);
    static_assert(bk::real_executor<bk::sharded>);
    static_assert(!bk::real_executor<bk::virtual_time>);
    static_assert(!bk::real_executor<int>);
}

TEST_CASE("they are plain descriptions with defaults") {
    constexpr bk::sharded two;
    static_assert(two.shards == 2 && !two.pin && two.seed == 1);
    constexpr bk::sharded four{4};
    static_assert(four.shards == 4);
    static_assert(bk::single_threaded{}.seed == 1);
    static_assert(bk::virtual_time{.seed = 42}.seed == 42);
}

TEST_CASE("the number of shards is one, or what sharded says within its range") {
    CHECK(bk::shard_count(bk::single_threaded{}) == 1);
    CHECK(bk::shard_count(bk::virtual_time{}) == 1);
    CHECK(bk::shard_count(bk::sharded{1}) == 1);
    CHECK(bk::shard_count(bk::sharded{1024}) == 1024);
    CHECK_THROWS_WITH_AS(static_cast<void>(bk::shard_count(bk::sharded{0})), "shards = 0: allowed is 1 to 1024",
                         bk::error);
    CHECK_THROWS_WITH_AS(static_cast<void>(bk::shard_count(bk::sharded{1025})),
                         "shards = 1025: allowed is 1 to 1024", bk::error);
}

TEST_CASE("their names are those of a result's parameters") {
    static_assert(bk::executor_name(bk::single_threaded{}) == std::string_view("single_threaded"));
    static_assert(bk::executor_name(bk::sharded{}) == std::string_view("sharded"));
    static_assert(bk::executor_name(bk::virtual_time{}) == std::string_view("virtual_time"));
}
