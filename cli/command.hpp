#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <benchkit/core/duration.hpp>
#include <benchkit/core/error.hpp>

#include "files.hpp"

namespace cli {

/// How sentences name an option: "-c/--connections"; an argument without a dash by its own name.
[[nodiscard]] std::string flag_of(const CLI::Option& option);

/// Fails where one of the arguments, as `main` gets them, gives a value to a flag that takes none: --quiet=1,
/// -k=1.
void refuse_values_of_flags(const CLI::App& program, const std::vector<std::string>& arguments);

/// An option that takes a value. Of several the last one counts, save where all are asked for. Its readers fail
/// by the name of its flag.
class value_option {
  public:
    /// `names` as CLI11 takes them ("-c,--connections"), `type` as the help shows it ("N").
    value_option(CLI::App& app, const std::string& names, const std::string& type, const std::string& help);

    [[nodiscard]] bool given() const { return option_->count() > 0; }
    [[nodiscard]] std::string flag() const { return flag_of(*option_); }
    /// The last value; empty where none was given.
    [[nodiscard]] std::string text() const { return given() ? option_->results().back() : std::string(); }
    [[nodiscard]] const std::vector<std::string>& all() const { return option_->results(); }
    [[nodiscard]] const CLI::Option* option() const { return option_; }

    [[nodiscard]] std::int64_t count(std::int64_t otherwise) const;
    [[nodiscard]] std::int64_t whole(std::int64_t low, std::int64_t high, std::int64_t otherwise) const;
    [[nodiscard]] benchkit::duration time(benchkit::duration otherwise) const;
    /// The file of this name, opened; nothing where none was given.
    [[nodiscard]] std::optional<output_file> open_output() const;

  private:
    CLI::Option* option_;
};

/// A subcommand: it adds its options when it is made and runs when the arguments have been parsed.
class command {
  public:
    command(CLI::App& program, const std::string& name, const std::string& help);
    command(const command&) = delete;
    command& operator=(const command&) = delete;
    virtual ~command() = default;

    /// Whether this is the command that the user gave.
    [[nodiscard]] bool chosen() const { return app_.parsed(); }

    /// Does what was asked and returns the exit code; throws `benchkit::error` for what is wrong.
    int execute();

    /// What is wrong, by the name of the flag where the library names an option of its own.
    [[nodiscard]] std::string sentence(const benchkit::error& problem) const;

  protected:
    [[nodiscard]] CLI::App& app() noexcept { return app_; }
    [[nodiscard]] const CLI::App& app() const noexcept { return app_; }

    /// The library's option is called `flag` here.
    void name_flag(const std::string& option, const std::string& flag) { flags_[option] = flag; }

    /// Fails where an option besides `allowed` was given: with --from nothing is run.
    void refuse_all_but(const std::vector<const CLI::Option*>& allowed) const;

    virtual int run() = 0;

  private:
    void refuse_surplus() const;

    CLI::App& app_;
    std::map<std::string, std::string, std::less<>> flags_;
};

[[nodiscard]] std::unique_ptr<command> make_load(CLI::App& program);
[[nodiscard]] std::unique_ptr<command> make_ab(CLI::App& program);
[[nodiscard]] std::unique_ptr<command> make_httpress(CLI::App& program);
[[nodiscard]] std::unique_ptr<command> make_matrix(CLI::App& program);
[[nodiscard]] std::unique_ptr<command> make_serve(CLI::App& program);
[[nodiscard]] std::unique_ptr<command> make_demo(CLI::App& program);

}  // namespace cli
