#include "command.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>

namespace cli {

namespace {

bool takes_value(const CLI::Option& option) {
    return option.get_expected_max() > 0;
}

[[noreturn]] void refuse_value(const CLI::Option& flag) {
    benchkit::fail(flag_of(flag) + ": it takes no value");
}

/// Whether the value of the last option in `argument` is the next argument. Fails where a flag in it has a
/// value.
bool wants_next(const CLI::App& app, const std::string& argument) {
    if (argument.starts_with("--")) {
        const std::size_t equals = argument.find('=');
        const CLI::Option* const option = app.get_option_no_throw(argument.substr(0, equals));
        if (option == nullptr) return false;
        if (takes_value(*option)) return equals == std::string::npos;
        if (equals != std::string::npos) refuse_value(*option);
        return false;
    }
    // Several flags, the last of which may be an option with its value behind it: -kqn5.
    for (std::size_t place = 1; place < argument.size(); ++place) {
        const CLI::Option* const option = app.get_option_no_throw(std::string("-") + argument[place]);
        if (option == nullptr) return false;
        if (takes_value(*option)) return place + 1 == argument.size();
        if (place + 1 < argument.size() && argument[place + 1] == '=') refuse_value(*option);
    }
    return false;
}

}  // namespace

void refuse_values_of_flags(const CLI::App& program, const std::vector<std::string>& arguments) {
    const CLI::App* app = &program;
    for (std::size_t place = 1; place < arguments.size() && arguments[place] != "--"; ++place) {
        const std::string& argument = arguments[place];
        if (argument.size() > 1 && argument.front() == '-') {
            if (wants_next(*app, argument)) ++place;
        } else if (app == &program) {
            const auto named = program.get_subcommands(
                [&argument](const CLI::App* command) { return command->get_name() == argument; });
            if (named.empty()) return;
            app = named.front();
        }
    }
}

std::string flag_of(const CLI::Option& option) {
    std::string flag;
    for (const std::string& name : option.get_snames()) flag.append(flag.empty() ? "-" : "/-").append(name);
    for (const std::string& name : option.get_lnames()) flag.append(flag.empty() ? "--" : "/--").append(name);
    return flag.empty() ? option.get_name() : flag;
}

value_option::value_option(CLI::App& app, const std::string& names, const std::string& type,
                           const std::string& help)
    : option_(app.add_option(names, help)) {
    option_->type_name(type)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->allow_extra_args(false);
}

std::int64_t value_option::count(std::int64_t otherwise) const {
    if (!given()) return otherwise;
    // A plain number of any size goes on: the library says what is allowed of it.
    const auto plain = benchkit::parse_integer(text());
    return plain ? *plain : benchkit::parse_count(flag(), text());
}

std::int64_t value_option::whole(std::int64_t low, std::int64_t high, std::int64_t otherwise) const {
    if (!given()) return otherwise;
    const auto value = benchkit::parse_integer(text());
    if (value && *value >= low && *value <= high) return *value;
    const std::string range = std::to_string(low) + " to " + std::to_string(high);
    const bool seconds = option_->get_type_name() == "SECONDS";
    benchkit::fail_option(flag(), text(), "allowed is " + range + (seconds ? " seconds, without a unit" : ""));
}

benchkit::duration value_option::time(benchkit::duration otherwise) const {
    return given() ? benchkit::parse_duration(flag(), text()) : otherwise;
}

std::optional<output_file> value_option::open_output() const {
    if (!given()) return std::nullopt;
    return std::optional<output_file>(std::in_place, flag(), text());
}

command::command(CLI::App& program, const std::string& name, const std::string& help)
    : app_(*program.add_subcommand(name, help)) {
    // What is not known is refused here, in the words of the other refusals.
    app_.allow_extras();
}

int command::execute() {
    refuse_surplus();
    return run();
}

std::string command::sentence(const benchkit::error& problem) const {
    const auto flag = flags_.find(problem.option());
    if (flag == flags_.end()) return problem.what();
    return benchkit::error::sentence(flag->second, problem.value(), problem.allowed());
}

void command::refuse_all_but(const std::vector<const CLI::Option*>& allowed) const {
    for (const CLI::Option* option : app_.get_options()) {
        const bool fine = std::find(allowed.begin(), allowed.end(), option) != allowed.end();
        if (option->count() == 0 || fine) continue;
        benchkit::fail(flag_of(*option) + ": this does not go with --from, which prints a saved result");
    }
}

void command::refuse_surplus() const {
    const std::vector<std::string> surplus = app_.remaining();
    const std::string name = "benchkit " + app_.get_name();
    for (const std::string& argument : surplus) {
        if (argument.size() < 2 || argument.front() != '-') continue;
        benchkit::fail(argument + ": " + name + " has no such option; " + name + " --help shows those it has");
    }
    if (!surplus.empty()) benchkit::fail(surplus.front() + ": this is one argument too many for " + name);
}

}  // namespace cli
