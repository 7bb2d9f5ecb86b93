#include <exception>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <benchkit/core/error.hpp>
#include <benchkit/core/version.hpp>

#include "command.hpp"
#include "exit_code.hpp"
#include "output.hpp"

namespace cli {

namespace {

std::vector<std::unique_ptr<command>> add_commands(CLI::App& program) {
    std::vector<std::unique_ptr<command>> commands;
    for (const auto make : {make_load, make_ab, make_httpress, make_matrix, make_serve, make_demo})
        commands.push_back(make(program));
    return commands;
}

void describe(CLI::App& program) {
    program.description("benchkit loads HTTP servers and says how far its figures can be believed.");
    program.footer(
        "benchkit COMMAND --help tells the options of a command.\n"
        "Exit codes: 0 the run did what was asked, 1 it did not (a requirement that is not met, an error\n"
        "where none was allowed, output that could not be written), 2 wrong usage, 3 nothing could be\n"
        "measured, 130 and 143 interrupted.");
    program.set_help_flag("-h,--help", "print this help and end");
    program.set_version_flag("--version", std::string("benchkit ") + benchkit::version,
                             "print the version and end");
    program.require_subcommand(0, 1);
    program.allow_extras();
    program.get_formatter()->column_width(32);
}

/// An option of the command that was given, as sentences name it.
std::string flag_named(const CLI::App& program, const std::string& name) {
    for (const CLI::App* chosen : program.get_subcommands()) {
        for (const CLI::Option* option : chosen->get_options()) {
            if (option->check_name(name) || option->check_lname(name)) return flag_of(*option);
        }
    }
    return name;
}

/// What CLI11 says of the arguments, in our words. Help and version are no errors.
int refuse(const CLI::App& program, const CLI::ParseError& problem) {
    if (problem.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return program.exit(problem);
    const std::string said = problem.what();
    if (problem.get_name() != "ArgumentMismatch") {
        complain(said);
        return exit_code::wrong_usage;
    }
    complain(flag_named(program, said.substr(0, said.find(':'))) + ": its value is missing");
    return exit_code::wrong_usage;
}

/// No command, or one that there is not.
int refuse_command(const CLI::App& program) {
    const std::vector<std::string> surplus = program.remaining();
    if (surplus.empty()) complain("a command is needed; benchkit --help shows them");
    if (!surplus.empty())
        complain(surplus.front() +
                 ": there is no such command or option; benchkit --help shows those there are");
    return exit_code::wrong_usage;
}

int run(command& chosen) {
    try {
        return chosen.execute();
    } catch (const benchkit::error& problem) {
        complain(chosen.sentence(problem));
        return exit_code::wrong_usage;
    }
}

int run(int count, char** arguments) {
    CLI::App program;
    program.name("benchkit");
    describe(program);
    const auto commands = add_commands(program);
    try {
        refuse_values_of_flags(program, {arguments, arguments + count});
    } catch (const benchkit::error& problem) {
        complain(problem.what());
        return exit_code::wrong_usage;
    }
    try {
        program.parse(count, arguments);
    } catch (const CLI::ParseError& problem) {
        return refuse(program, problem);
    }
    const bool surplus = !program.remaining().empty();  // such as what follows "--"
    for (const auto& each : commands) {
        if (each->chosen() && !surplus) return run(*each);
    }
    return refuse_command(program);
}

}  // namespace

}  // namespace cli

int main(int count, char** arguments) {
    cli::prepare_streams();
    try {
        return cli::checked_output(cli::run(count, arguments));
    } catch (const std::bad_alloc&) {
        cli::complain("there is not enough memory; take fewer connections, or allow more (ulimit -v)");
    } catch (const std::system_error& problem) {
        cli::complain(std::string("the system refuses what is needed: ") + problem.what());
    } catch (const std::exception& problem) {
        cli::complain(problem.what());
    }
    return cli::exit_code::failed;
}
