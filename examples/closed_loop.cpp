// Any coroutine under a closed loop: measured in real time and simulated in virtual time by the same function.
// Ten clients think for 3 ms between queries of 2 ms, so all together ask 2,000 times a second: that is what
// virtual time says, and what real time comes near to.

#include <chrono>
#include <iostream>

#include <benchkit.hpp>

namespace bk = benchkit;
using namespace std::chrono_literals;

constexpr auto query = [](bk::shard& shard) -> bk::awaitable<> { co_await shard.sleep_for(2ms); };

template <bk::executor Executor>
bk::result run_queries(const Executor& executor) {
    return bk::load(executor, query, bk::closed_loop{.clients = 10, .think_time = 3ms}, {.duration = 1s},
                    {.name = "query"});
}

int main() {
    std::cout << run_queries(bk::single_threaded{}) << '\n';

    const bk::result simulated = run_queries(bk::virtual_time{.seed = 1});
    std::cout << simulated << "\ntrace hash " << bk::find_text(simulated.attributes, "virtual.trace_hash")
              << "\n";
}
