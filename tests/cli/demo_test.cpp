#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>

#include <benchkit/result/check.hpp>
#include <benchkit/result/json_reader.hpp>

#include "support/program.hpp"

TEST_CASE("the demo shows ab's report, the published figures, the text report and keeps the result") {
    tests::scratch_folder folder;
    const std::string file = folder.file("demo.json");
    const auto run = tests::run_program({"demo", "-o", file});
    CHECK(run.code == 0);
    CHECK(run.out.find(
              "Complete requests:      5000\nFailed requests:        0\nKeep-Alive requests:    5000\n") !=
          std::string::npos);
    CHECK(run.out.find("  requests per second                      1065.17 ") != std::string::npos);
    CHECK(run.out.find("5,000 started: 5,000 succeeded, 0 failed, 0 unfinished") != std::string::npos);
    CHECK(run.out.find("benchkit load --from " + file + " --format ab") != std::string::npos);

    std::ostringstream content;
    content << std::ifstream(file).rdbuf();
    const benchkit::result saved = benchkit::read_json(content.str());
    benchkit::check(saved);
    CHECK(saved.counter("body_bytes_received") == 65'000);
}
