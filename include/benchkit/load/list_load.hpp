#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <benchkit/http/request_list.hpp>
#include <benchkit/load/load_shard.hpp>
#include <benchkit/load/step_books.hpp>
#include <benchkit/result/result.hpp>

namespace benchkit::inline v0_1::detail {

/// The requests of a list on one shard: which comes next, and what came of each. The shards of a run share the
/// count, so that a sequence is sent once and the weights hold over all of them.
class list_load {
  public:
    /// Beyond so many requests they are not told one by one.
    static constexpr std::size_t most_told = 64;

    list_load(load_shard& load, const http::detail::prepared_list& list)
        : state_(load.state()), list_(list), chooser_(list, load.owner().seed()) {
        if (list.size() > 1 && list.size() <= most_told) told_.resize(list.size());
    }

    /// Takes the next request for `own`: its bytes, in `buffer` where they differ from time to time.
    [[nodiscard]] std::string_view choose(operation& own, std::string& buffer) {
        const std::int64_t number = state_.requests_taken.fetch_add(1, std::memory_order_relaxed) + 1;
        const std::size_t index = chooser_.choose(number);
        own.request = static_cast<std::uint32_t>(index);
        return list_.at(index).bytes(buffer, content_, chooser_.values(number));
    }

    [[nodiscard]] bool is_head(const operation& own) const noexcept { return list_.at(own.request).is_head(); }

    void succeeded(const operation& own, time_point now) {
        if (own.warm_up || told_.empty()) return;
        told_[own.request].times.record((now - own.start).count());
    }
    void failed(const operation& own) {
        if (!own.warm_up && !told_.empty()) ++told_[own.request].failed;
    }

    /// Writes what came of each request, as the steps of a journey are written.
    void write(result& into) const {
        for (std::size_t index = 0; index < told_.size(); ++index) {
            told_[index].write(into, list_.name(index));
        }
    }

  private:
    load_state& state_;
    const http::detail::prepared_list& list_;
    http::detail::request_chooser chooser_;
    std::string content_;
    std::vector<step_books> told_;
};

}  // namespace benchkit::inline v0_1::detail
