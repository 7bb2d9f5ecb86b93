#include <benchkit/load/operation_budget.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <thread>
#include <vector>

using benchkit::detail::operation_budget;

TEST_CASE("without a limit there is always more") {
    operation_budget budget(std::nullopt);
    CHECK_FALSE(budget.limited());
    CHECK_FALSE(budget.empty());
    CHECK(budget.take(1) > 1'000'000'000'000);
    CHECK_FALSE(budget.empty());
}

TEST_CASE("portions add up to the limit, on one thread and on four") {
    for (const int shards : {1, 4}) {
        for (const std::int64_t limit :
             {std::int64_t{1}, std::int64_t{49}, std::int64_t{10'001}, std::int64_t{1'000'000}}) {
            operation_budget budget(limit);
            std::vector<std::int64_t> taken(static_cast<std::size_t>(shards));
            {
                std::vector<std::jthread> threads;
                for (std::int64_t& own : taken) {
                    threads.emplace_back([&budget, &own, shards] {
                        while (const std::int64_t portion = budget.take(shards)) own += portion;
                    });
                }
            }
            std::int64_t sum = 0;
            for (const std::int64_t each : taken) sum += each;
            CHECK(sum == limit);
            CHECK(budget.empty());
        }
    }
}

TEST_CASE("the last portions are single operations, so that shards end together") {
    operation_budget budget(1000);
    CHECK(budget.take(2) == 62);  // 1000 / 16
    std::int64_t last = 0;
    while (const std::int64_t portion = budget.take(2)) last = portion;
    CHECK(last == 1);
}

TEST_CASE("every client has an operation before anyone has a second, as far as there are enough") {
    operation_budget enough(10);
    CHECK(enough.reserve(2) == 2);
    CHECK(enough.reserve(1) == 1);
    operation_budget few(49);
    CHECK(few.reserve(25) == 25);
    CHECK(few.reserve(25) == 24);
    CHECK(few.empty());
    operation_budget unlimited(std::nullopt);
    CHECK(unlimited.reserve(10) == 0);
    CHECK_FALSE(unlimited.empty());
}
