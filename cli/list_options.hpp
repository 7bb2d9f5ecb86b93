#pragma once

#include <string>

#include <CLI/CLI.hpp>
#include <benchkit/http/request.hpp>
#include <benchkit/http/request_list.hpp>
#include <benchkit/http/target.hpp>

#include "command.hpp"

namespace cli {

/// The flags by which a load sends several requests, or requests that differ from time to time.
class list_options {
  public:
    explicit list_options(CLI::App& app);

    /// The URL that the load goes to where none was given by itself; empty where no flag has one.
    [[nodiscard]] std::string first_url() const;

    /// Gives the target its list, if it is to have one: that of a file, or `usual` for each URL. `usual`: the
    /// request of the other flags; `whole`: whether those set its method or body, which a file has itself.
    void apply(benchkit::http::target& target, const benchkit::http::request& usual, bool whole) const;

  private:
    [[nodiscard]] benchkit::http::request_order order() const;
    [[nodiscard]] benchkit::http::request_list list_of(const benchkit::http::target& target,
                                                       const benchkit::http::request& usual, bool whole) const;
    [[nodiscard]] benchkit::http::request_list from_file(const benchkit::http::target& target,
                                                         const benchkit::http::request& usual) const;
    void add_urls(benchkit::http::request_list& list, const benchkit::http::target& target,
                  const benchkit::http::request& usual) const;

    value_option weights_;
    value_option file_;
    value_option order_;
};

}  // namespace cli
