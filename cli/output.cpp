#include "output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <iostream>
#include <string>

#include <benchkit/core/utf8.hpp>

#include "exit_code.hpp"

namespace cli {

void prepare_streams() {
    std::signal(SIGPIPE, SIG_IGN);
    for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (fcntl(descriptor, F_GETFD) != -1) continue;
        // The lowest free descriptor is this one. Standard output is not made writable, so that a report that
        // nobody gets is an error still.
        if (open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

void print(std::string_view text) {
    std::fwrite(text.data(), 1, text.size(), stdout);
    std::fflush(stdout);
}

void complain(std::string_view sentence) {
    const std::string line = "benchkit: " + benchkit::detail::printable(sentence) + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int after_lost_output(int code) {
    return code == exit_code::done ? exit_code::failed : code;
}

bool output_is_whole() {
    std::cout.flush();
    return std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && std::cout.good();
}

int checked_output(int code) {
    if (output_is_whole()) return code;
    complain("standard output could not be written");
    return after_lost_output(code);
}

}  // namespace cli
