#include <benchkit/load/read_trace.hpp>

#include <chrono>
#include <fstream>
#include <string>

#include <doctest/doctest.h>

#include "../support/scratch_folder.hpp"

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

/// A trace from a file with this text.
bk::trace read(const std::string& text) {
    tests::scratch_folder folder;
    const std::string file = folder.file("times");
    std::ofstream(file, std::ios::binary) << text;
    return bk::read_trace("--rate", "trace:times", file);
}

/// What is said of a file with this text, from the number of the line on, without the file's name.
std::string refusal(const std::string& text) {
    tests::scratch_folder folder;
    const std::string file = folder.file("times");
    std::ofstream(file, std::ios::binary) << text;
    try {
        (void)bk::read_trace("--rate", "trace:times", file);
    } catch (const bk::error& problem) {
        CHECK(problem.option() == "--rate");
        CHECK(problem.value() == "trace:times");
        std::string sentence = problem.allowed();
        sentence.replace(sentence.find(file), file.size(), "FILE");
        return sentence;
    }
    return "nothing";
}

const std::string allowed = "; allowed is one time a line, in ascending seconds since the start, such as 0.25";

}  // namespace

TEST_CASE("a trace is read line by line") {
    CHECK(*read("0\n0.25\n1\n1\n60.5\n").list() == bk::trace::times{0ns, 250ms, 1s, 1s, 60'500ms});
    CHECK(*read("3").list() == bk::trace::times{3s});
    CHECK(*read("1e-05\n2.5e1\n").list() == bk::trace::times{10us, 25s});
}

TEST_CASE("blank lines, comments, blanks and carriage returns do not count") {
    CHECK(*read("# recorded at noon\n\n  0.5 \r\n\t1\t# the second\r\n \n").list() ==
          bk::trace::times{500ms, 1s});
}

TEST_CASE("times are exact to the nanosecond, and rounded to the nearest beyond") {
    CHECK(*read("0.3\n123456.123456789\n").list() == bk::trace::times{300ms, 123'456'123'456'789ns});
    CHECK(*read("1e-300\n0.0000000004\n0.0000000005\n0.0000000015\n").list() ==
          bk::trace::times{0ns, 0ns, 1ns, 2ns});
    CHECK(*read("9145440000\n").list() == bk::trace::times{9'145'440'000s});
}

TEST_CASE("the trace knows its file") {
    tests::scratch_folder folder;
    const std::string file = folder.file("times");
    std::ofstream(file) << "1\n";
    CHECK(bk::read_trace("--rate", "trace:" + file, file).file() == file);
}

TEST_CASE("a broken line is named") {
    CHECK(refusal("1\n\n2x\n") == "line 3 of FILE, \"2x\", is no number of seconds" + allowed);
    CHECK(refusal("1 2\n") == "line 1 of FILE, \"1 2\", is no number of seconds" + allowed);
    CHECK(refusal("nan\n") == "line 1 of FILE, \"nan\", is no number of seconds" + allowed);
    CHECK(refusal("1,5\n") == "line 1 of FILE, \"1,5\", is no number of seconds" + allowed);
    CHECK(refusal("-1\n") == "line 1 of FILE, \"-1\", is negative" + allowed);
    CHECK(refusal("9145440001\n") == "line 1 of FILE, \"9145440001\", is more than 290 years" + allowed);
    CHECK(refusal(std::string(100, 'x')) ==
          "line 1 of FILE, \"" + std::string(40, 'x') + "\", is no number of seconds" + allowed);
}

TEST_CASE("a line that does not ascend is named, with the time before") {
    CHECK(refusal("0.7\n# late\n0.5\n") ==
          "line 3 of FILE, \"0.5\", is before 0.7, which it follows" + allowed);
}

TEST_CASE("a file without times, or that cannot be read, is refused") {
    CHECK(refusal("") == "FILE has no times" + allowed);
    CHECK(refusal("# nothing\n\n") == "FILE has no times" + allowed);
    CHECK_THROWS_WITH_AS(
        (void)bk::read_trace("--rate", "trace:/nowhere/times", "/nowhere/times"),
        ("--rate = trace:/nowhere/times: /nowhere/times cannot be read: No such file or directory" + allowed)
            .c_str(),
        bk::error);
    CHECK_THROWS_WITH_AS((void)bk::read_trace("--rate", "trace:/", "/"),
                         ("--rate = trace:/: / cannot be read: Is a directory" + allowed).c_str(), bk::error);
}
