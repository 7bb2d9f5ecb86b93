#include <benchkit/load/parse_arrivals.hpp>

#include <chrono>
#include <fstream>
#include <string>
#include <string_view>
#include <variant>

#include <doctest/doctest.h>

#include "../support/scratch_folder.hpp"

namespace bk = benchkit;
using namespace std::chrono_literals;

namespace {

const std::string allowed =
    "; allowed is a rate such as 5000, 0.5 or 2.5k, or poisson:5000, ramp:100..5000, stages:100x10s,1000x30s "
    "or "
    "trace:FILE";

/// What is said of a text, without what is allowed.
std::string refusal(std::string_view text) {
    try {
        (void)bk::parse_arrivals("--rate", text);
    } catch (const bk::error& problem) {
        CHECK(problem.option() == "--rate");
        CHECK(problem.value() == text);
        std::string sentence = problem.allowed();
        if (sentence.ends_with(allowed)) sentence.resize(sentence.size() - allowed.size());
        return sentence;
    }
    return "nothing";
}

bk::rate constant_rate(std::string_view text) {
    return std::get<bk::constant>(bk::parse_arrivals("--rate", text).kind()).rate;
}

}  // namespace

TEST_CASE("a rate alone is a constant rate") {
    CHECK(constant_rate("5000") == bk::rate(5'000));
    CHECK(constant_rate("0.5") == bk::rate(0.5));
    CHECK(constant_rate("5k") == bk::rate(5'000));
    CHECK(constant_rate("16.1k/s") == bk::rate(16'100));
    CHECK(constant_rate("0.000001") == bk::rate(1e-6));
    CHECK(constant_rate("1G") == bk::rate(1e9));
}

TEST_CASE("every kind is read") {
    const auto random = bk::parse_arrivals("--rate", "poisson:2.5k");
    CHECK(std::get<bk::poisson>(random.kind()).rate == bk::rate(2'500));

    const auto rising = bk::parse_arrivals("--rate", "ramp:0..0.5k");
    CHECK(std::get<bk::ramp>(rising.kind()).from == bk::rate(0));
    CHECK(std::get<bk::ramp>(rising.kind()).to == bk::rate(500));
    const auto points = bk::parse_arrivals("--rate", "ramp:1.5...5");
    CHECK(std::get<bk::ramp>(points.kind()).from == bk::rate(1.5));
    CHECK(std::get<bk::ramp>(points.kind()).to == bk::rate(0.5));

    const auto steps = bk::parse_arrivals("--rate", "stages:100x10s,0x500ms,1kx1m");
    const auto& list = std::get<bk::stages>(steps.kind()).list();
    REQUIRE(list.size() == 3);
    CHECK(list[0].rate == bk::rate(100));
    CHECK(list[0].duration == 10s);
    CHECK(list[1].rate == bk::rate(0));
    CHECK(list[1].duration == 500ms);
    CHECK(list[2].rate == bk::rate(1'000));
    CHECK(list[2].duration == 1min);
}

TEST_CASE("a trace is read from its file") {
    tests::scratch_folder folder;
    const std::string file = folder.file("a:b,c");
    std::ofstream(file) << "0.5\n1.5\n";
    const auto recorded = bk::parse_arrivals("--rate", "trace:" + file);
    CHECK(*std::get<bk::trace>(recorded.kind()).list() == bk::trace::times{500ms, 1500ms});
    CHECK(bk::format_arrivals(recorded) == "trace:" + file);
    CHECK(refusal("trace:/nowhere/times")
              .starts_with("/nowhere/times cannot be read: No such file or directory;"));
}

TEST_CASE("what was formatted is read back as it was") {
    for (const std::string_view text : {"5000", "0.1", "333.3333333333333", "0.0000012345678901234567",
                                        "1000000000", "poisson:5000", "ramp:100..5000", "ramp:0.5..0",
                                        "stages:100x10s,1000x30s", "stages:0x1500ms,3.25x1us,7x1000000001ns"}) {
        CAPTURE(text);
        CHECK(bk::format_arrivals(bk::parse_arrivals("--rate", text)) == text);
    }
}

TEST_CASE("a refusal says what is allowed") {
    CHECK_THROWS_WITH_AS((void)bk::parse_arrivals("--rate", "fast"),
                         ("--rate = fast: at column 1, \"fast\" is no rate" + allowed).c_str(), bk::error);
}

TEST_CASE("a refusal names the column and the piece") {
    CHECK(refusal("") == "at column 1, a missing rate");
    CHECK(refusal("-1") == "at column 1, \"-1\" is no rate");
    CHECK(refusal("5 000") == "at column 1, \"5 000\" is no rate");
    CHECK(refusal("0") == "at column 1, \"0\" is no rate of 0.000001 to 1000000000 per second");
    CHECK(refusal("2G") == "at column 1, \"2G\" is no rate of 0.000001 to 1000000000 per second");
    CHECK(refusal("posson:5") == "at column 1, \"posson\" is no arrival process");
    CHECK(refusal(":5") == "at column 1, a missing arrival process");
    CHECK(refusal("poisson:") == "at column 9, a missing rate");
    CHECK(refusal("poisson:x") == "at column 9, \"x\" is no rate");
    CHECK(refusal("poisson:nan") == "at column 9, \"nan\" is no rate");
    CHECK(refusal("trace:") == "at column 7, a missing file");
}

TEST_CASE("a refusal of a ramp names the column and the piece") {
    CHECK(refusal("ramp:") == "at column 6, a missing ramp FROM..TO");
    CHECK(refusal("ramp:100") == "at column 6, \"100\" is no ramp FROM..TO");
    CHECK(refusal("ramp:100-5000") == "at column 6, \"100-5000\" is no ramp FROM..TO");
    CHECK(refusal("ramp:100..x") == "at column 11, \"x\" is no rate");
    CHECK(refusal("ramp:..5") == "at column 6, a missing rate");
    CHECK(refusal("ramp:5..") == "at column 9, a missing rate");
    CHECK(refusal("ramp:0..0") == "at column 6, \"0..0\" is no ramp with a rate above 0");
    CHECK(refusal("ramp:5..2G") == "at column 9, \"2G\" is no rate of 0.000001 to 1000000000 per second");
}

TEST_CASE("a refusal of stages names the column and the piece") {
    CHECK(refusal("stages:") == "at column 8, a missing stage RATExTIME");
    CHECK(refusal("stages:100") == "at column 8, \"100\" is no stage RATExTIME");
    CHECK(refusal("stages:100x10s,") == "at column 16, a missing stage RATExTIME");
    CHECK(refusal("stages:100x10s,,5x1s") == "at column 16, a missing stage RATExTIME");
    CHECK(refusal("stages:100x10s,10y30s") == "at column 16, \"10y30s\" is no stage RATExTIME");
    CHECK(refusal("stages:100x10s,yx30s") == "at column 16, \"y\" is no rate");
    CHECK(refusal("stages:x30s") == "at column 8, a missing rate");
    CHECK(refusal("stages:100x10") == "at column 12, \"10\" is no time with a unit, such as 500ms, 10s or 1m");
    CHECK(refusal("stages:100x") == "at column 12, a missing time with a unit, such as 500ms, 10s or 1m");
    CHECK(refusal("stages:100x0s") == "at column 12, \"0s\" is no time of more than 0 s");
    CHECK(refusal("stages:0x10s") == "at column 1, \"stages:0x10s\" is no process with a rate above 0");
    CHECK(refusal("stages:5x2500000h,5x2500000h") ==
          "in stage 2, allowed is a duration with which all stages last no longer than 290 years");
}
