#pragma once

#include <CLI/CLI.hpp>
#include <benchkit/load/find_max_rate.hpp>
#include <benchkit/load/load_options.hpp>
#include <benchkit/result/result.hpp>

#include "command.hpp"
#include "load_plan.hpp"

namespace cli {

/// The flags by which a load looks for the largest rate under objectives.
class max_rate_options {
  public:
    explicit max_rate_options(CLI::App& app);

    /// Whether it is to be looked for. Fails where a flag of the search is given without it.
    [[nodiscard]] bool wanted() const;

    /// Looks for it. `plan` has the target, the connections, the seed and, in its arrivals, where to start.
    [[nodiscard]] benchkit::result measure(const load_plan& plan, benchkit::load_options options,
                                           bool quiet) const;

    /// The exit code for what was found; says why where nothing was.
    [[nodiscard]] static int judge(const benchkit::result& found);

  private:
    [[nodiscard]] benchkit::rate_search search_of(const load_plan& plan) const;

    bool wanted_ = false;
    value_option slo_;
    value_option point_;
};

}  // namespace cli
