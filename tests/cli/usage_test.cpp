#include <doctest/doctest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "support/program.hpp"
#include "support/served.hpp"

namespace {

struct refusal {
    std::vector<std::string> arguments;
    const char* sentence;
};

const std::string url = "http://127.0.0.1:9/";

const std::vector<refusal> refusals{
    {{}, "a command is needed; benchkit --help shows them"},
    {{"laod"}, "laod: there is no such command or option; benchkit --help shows those there are"},
    {{"load"}, "URL: a URL to load, or --from FILE, is needed"},
    {{"load", "ftp://host/"},
     "URL = ftp://host/: this scheme is unknown; a URL begins with http:// or https://"},
    {{"load", "--insecure", "http://host/"},
     "URL = http://host/: TLS options need a URL that begins with https://"},
    {{"load", "--cacert", "/no/such", "https://host/"},
     "--cacert = /no/such: a readable PEM file with certificates is needed (No such file or directory)"},
    {{"load", "--abort-on", "errors>200%", "http://host/"},
     "--abort-on = errors>200%: allowed is a limit of errors, such as errors>50% or errors>100"},
    {{"load", "--abort-on", "p99>1s", "http://host/"},
     "--abort-on = p99>1s: allowed is a limit of errors, such as errors>50% or errors>100"},
    {{"load", "--fail-if", "p99>50", "http://host/"},
     "--fail-if = p99>50: allowed is a figure, <, <=, > or >=, and a limit, of times with a unit, such as "
     "p99>50ms, max>1s, mean>=10ms, errors>0.1%, errors>10 or rate<1000"},
    {{"load", "--fail-if", "rate<fast", "http://host/"},
     "--fail-if = rate<fast: allowed is a figure, <, <=, > or >=, and a limit, of times with a unit, such as "
     "p99>50ms, max>1s, mean>=10ms, errors>0.1%, errors>10 or rate<1000"},
    {{"load", "-X", "HEAD", "--expect", "body-length=1KB", "http://host/"},
     "--expect: answers to HEAD have no body: only their status can be expected"},
    {{"load", "-X", "HEAD", "--expect", "json:/a=1", "http://host/"},
     "--expect: answers to HEAD have no body: only their status can be expected"},
    {{"load", "--expect", "json:/a=\xff", "http://host/"},
     "--expect = \xEF\xBF\xBD: a value in UTF-8 is needed"},
    {{"load", "--expect", "status=2", "http://host/"},
     "--expect = status=2: allowed is status=200, status=2xx (several with commas), body-contains=TEXT, "
     "body-length=N "
     "or json:/pointer=value"},
    {{"load", "--key", "k", "https://host/"}, "--key = k: a key needs its certificate"},
    {{"load", "-p", "0", "http://host/"}, "-p/--pipeline = 0: allowed is 1 to 1024"},
    {{"load", "-p", "2", "--no-keepalive", "http://host/"}, "-p/--pipeline = 2: needs keep-alive"},
    {{"load", "--source", "127.0.0.1,x", "http://host/"},
     "--source = x: an IPv4 or IPv6 address of this machine is needed"},
    {{"load", "--connect-to", "localhost", "http://host/"},
     "--connect-to = localhost: a host and a port such as localhost:8080 are needed"},
    {{"load", "-4", "-6", "http://host/"}, "-4 and -6: only one of them can be given"},
    {{"load", "localhost"}, "URL = localhost: a URL begins with http://"},
    {{"load", "http:///"}, "URL = http:///: the host is missing"},
    {{"load", "http://host:65536/"}, "URL = http://host:65536/: a port is a number from 1 to 65535"},
    {{"load", "http://host:0/"}, "URL = http://host:0/: a port is a number from 1 to 65535"},
    {{"load", "-c", "0", url}, "-c/--connections = 0: allowed is 1 to 1000000"},
    {{"load", "-c", "-1", url}, "-c/--connections = -1: allowed is 1 to 1000000"},
    {{"load", "--connections=ten", url},
     "-c/--connections = ten: allowed is a whole number, such as 5000, 10k or 1M"},
    {{"load", "-n", "0", url}, "-n/--requests = 0: allowed is 1 or more"},
    {{"load", "-n", "-5", url}, "-n/--requests = -5: allowed is 1 or more"},
    {{"load", url, "-n"}, "-n/--requests: its value is missing"},
    {{"load", "-d", "10", url},
     "-d/--duration = 10: allowed is a number with a unit, such as 500ms, 2s, 1m or 1h"},
    {{"load", "-d", "1e30s", url},
     "-d/--duration = 1e30s: this is too long: allowed is at most 2540400h, which are 290 years"},
    {{"load", "-n", "1e30", url},
     "-n/--requests = 1e30: this is too much: allowed is at most 9223372036854775807"},
    {{"load", "-d", "-1s", url},
     "-d/--duration = -1s: allowed is a number with a unit, such as 500ms, 2s, 1m or 1h"},
    {{"load", "-d", "0s", url}, "-d/--duration = 0 ns: allowed is more than 0 s"},
    {{"load", "--timeout", "0", url}, "--timeout = 0 ns: allowed is more than 0 s"},
    {{"load", "--connect-timeout", "0", url}, "--connect-timeout = 0 ns: allowed is more than 0 s"},
    {{"load", "--warmup", "-2s", url},
     "--warmup = -2s: allowed is a number with a unit, such as 500ms, 2s, 1m or 1h"},
    {{"load", "-t", "0", url}, "-t/--shards = 0: allowed is 1 to 1024"},
    {{"load", "--seed", "-1", url}, "--seed = -1: allowed is 0 to 9223372036854775807"},
    {{"load", "--format", "xml", url}, "--format = xml: allowed is text, ab, httpress, wrk or json"},
    {{"load", "--latency", url},
     "--latency: this goes with --format wrk; other formats show their percentiles anyway"},
    {{"load", "--quiet=2", url}, "--quiet: it takes no value"},
    {{"load", "--quiet=", url}, "--quiet: it takes no value"},
    {{"load", "-4=1", url}, "-4: it takes no value"},
    {{"load", "--help=1"}, "-h/--help: it takes no value"},
    {{"ab", "-k=1", url}, "-k: it takes no value"},
    {{"ab", "-qk=", url}, "-k: it takes no value"},
    {{"ab", "-n", "5", "-ikn5", "-r=", url}, "-r: it takes no value"},
    {{"httpress", "-k=1", url}, "-k: it takes no value"},
    {{"serve", "--chunked="}, "--chunked: it takes no value"},
    {{"--version=1"}, "--version: it takes no value"},
    {{"load", "--rates", "5", url},
     "--rates: benchkit load has no such option; benchkit load --help shows those it has"},
    {{"load", url, url}, "http://127.0.0.1:9/: this is one argument too many for benchkit load"},
    {{"load", "-o", "/nowhere/x.json", url},
     "-o/--output = /nowhere/x.json: this file cannot be written: No such file or directory"},
    {{"load", "-o", "-", url}, "-o/--output = -: allowed is the name of a file"},
    {{"load", "--from", "/nowhere/x.json"},
     "--from = /nowhere/x.json: this file cannot be read: No such file or directory"},
    {{"load", "--from", "/"}, "--from = /: this file cannot be read: Is a directory"},
    {{"load", "--from", "x.json", url}, "URL: this does not go with --from, which prints a saved result"},
    {{"load", "--from", "x.json", "-c", "3"},
     "-c/--connections: this does not go with --from, which prints a saved result"},
    {{"ab"}, "URL: a URL to load is needed"},
    {{"ab", "-c", "0", url}, "-c = 0: allowed is 1 to 1000000"},
    {{"ab", "-n", "0", url}, "-n = 0: allowed is 1 or more"},
    {{"ab", "-n", "-5", url}, "-n = -5: allowed is 1 or more"},
    {{"ab", "-c", "5", "-n", "4", url},
     "-c = 5: Cannot use concurrency level greater than total number of requests"},
    {{"ab", "-t", "0", url}, "-t = 0: allowed is 1 to 1000000 seconds, without a unit"},
    {{"ab", "-s", "2s", url}, "-s = 2s: allowed is 1 to 1000000 seconds, without a unit"},
    {{"ab", "-v", "4", url}, "-v: this flag of ab's is not supported"},
    {{"ab", "-kw", url}, "-w: this flag of ab's is not supported"},
    {{"ab", "-X", "proxy:80", url}, "-X: this flag of ab's is not supported"},
    {{"ab", "-b8192", url}, "-b: this flag of ab's is not supported"},
    {{"ab", "-H", "X: a\r\nY: b", url},
     "-H = X: a\\x0d\\x0aY: b: a header value has no CR, LF, NUL or other control characters"},
    {{"ab", "-H", "X", url}, "-H = X: a header is written as \"Name: value\""},
    {{"ab", "-T", "text/plain\r\nX: y", url},
     "-T = Content-Type: text/plain\\x0d\\x0aX: y: a header value has no CR, LF, NUL or other control "
     "characters"},
    {{"ab", "-C", "a=b\nc", url},
     "-C = Cookie: a=b\\x0ac: a header value has no CR, LF, NUL or other control characters"},
    {{"ab", "-m", "GET /", url}, "-m = GET /: a method is a word such as GET or POST"},
    {{"ab", "-p", "/nowhere/body", url},
     "-p = /nowhere/body: this file cannot be read: No such file or directory"},
    {{"ab", "-i", "-m", "GET", url}, "-i: Cannot mix HEAD with other methods"},
    {{"ab", "-e", "/nowhere/x", url},
     "-e = /nowhere/x: this file cannot be written: No such file or directory"},
    {{"ab", "-g", "/nowhere/x", url},
     "-g = /nowhere/x: this file cannot be written: No such file or directory"},
    {{"ab", "--from", "x.json", "-k"}, "-k: this does not go with --from, which prints a saved result"},
    {{"httpress"}, "URL: a URL to load, or --from FILE, is needed"},
    {{"httpress", "-n", "0", url}, "-n = 0: allowed is 1 to 1000000000"},
    {{"httpress", "-n", "2G", url}, "-n = 2G: allowed is 1 to 1000000000"},
    {{"httpress", "-c", "0", url}, "-c = 0: allowed is 1 to 1000000"},
    {{"httpress", "-c", "2", url}, "-c = 2: allowed is no more than there are requests, which are 1"},
    {{"httpress", "-n", "9", "-c", "3", "-t", "4", url},
     "-t = 4: allowed is no more than there are connections, which are 3"},
    {{"httpress", "-n", "9000", "-c", "9000", "-t", "1025", url}, "-t = 1025: allowed is 1 to 1024"},
    {{"httpress", "-c", "ten", url}, "-c = ten: allowed is a whole number, such as 5000, 10k or 1M"},
    {{"httpress", "-z", "NORMAL", url}, "-z: this flag of httpress's is not supported: TLS is OpenSSL's"},
    {{"httpress", "-n"}, "-n: its value is missing"},
    {{"httpress", "-d", "1s", url},
     "-d: benchkit httpress has no such option; benchkit httpress --help shows those it has"},
    {{"httpress", "--from", "x.json", "-k"}, "-k: this does not go with --from, which prints a saved result"},
    {{"serve", "--port", "65536"}, "--port = 65536: allowed is 0 to 65535"},
    {{"serve", "--port", "-1"}, "--port = -1: allowed is 0 to 65535"},
    {{"serve", "--address", "nowhere"}, "--address = nowhere: an IPv4 or IPv6 address is needed"},
    {{"serve", "--shards", "0"}, "--shards = 0: allowed is 1 to 1024"},
    {{"serve", "--route", "hello"},
     "--route = hello: allowed is a path without a query and its answer, such as /path=hello"},
    {{"serve", "--route", "/benchkit/stats=1"},
     "--route = /benchkit/stats=1: this path tells the server's counters"},
    {{"demo", "-o", "/nowhere/x"},
     "-o/--output = /nowhere/x: this file cannot be written: No such file or directory"},
};

bool exists(const std::string& path) {
    return std::ifstream(path).good();
}

std::string content_of(const std::string& path) {
    const std::ifstream file(path);
    std::ostringstream content;
    content << file.rdbuf();
    return content.str();
}

}  // namespace

TEST_CASE("wrong usage: one sentence that names the flag, code 2, nothing printed") {
    for (const refusal& each : refusals) {
        CAPTURE(each.sentence);
        const auto run = tests::run_program(each.arguments);
        CHECK(run.code == 2);
        CHECK(run.err == std::string("benchkit: ") + each.sentence + "\n");
        CHECK(run.out.empty());
    }
}

TEST_CASE("a value may look like a flag with a value") {
    const tests::served server;
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{"-C", "-k=1"}, {"-C", "--quiet="}, {"-kn1"}, {"-kn", "1"}}) {
        std::vector<std::string> arguments{"ab", server.url()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        CHECK(tests::run_program(arguments).code == 0);
    }
}

TEST_CASE("more connections than descriptors are refused before anything starts") {
    const auto run = tests::run_program({"load", "-c", "1000000", url});
    CHECK(run.code == 2);
    CHECK(run.err.starts_with("benchkit: -c/--connections = 1000000: needs "));
    const auto ab = tests::run_program({"ab", "-c", "1000000", "-n", "1000000", url});
    CHECK(ab.code == 2);
    CHECK(ab.out.empty());
}

TEST_CASE("a run that is refused leaves no file and changes none") {
    tests::scratch_folder folder;
    const std::string fresh = folder.file("fresh.json");
    const std::string kept = folder.file("kept.json");
    std::ofstream(kept) << "as it was";
    CHECK(tests::run_program({"ab", "-g", fresh, "--output", "/nowhere/x", url}).code == 2);
    CHECK(tests::run_program({"load", "-c", "1000000", "-o", fresh, url}).code == 2);
    CHECK(tests::run_program({"load", "-c", "1000000", "-o", kept, url}).code == 2);
    CHECK(!exists(fresh));
    CHECK(content_of(kept) == "as it was");
}

TEST_CASE("a file that holds no result is refused, and so are books that do not balance") {
    const tests::served server;
    tests::scratch_folder folder;
    const std::string file = folder.file("run.json");
    std::ofstream(file) << "{]";
    const auto malformed = tests::run_program({"load", "--from", file});
    CHECK(malformed.code == 2);
    CHECK(malformed.err.starts_with("benchkit: --from = " + file + ": "));
    CHECK(malformed.out.empty());

    CHECK(tests::run_program({"load", "-n", "20", "-o", file, server.url()}).code == 0);
    std::string saved = content_of(file);
    const std::string right = "\"succeeded\": 20";
    REQUIRE(saved.find(right) != std::string::npos);
    std::ofstream(file) << saved.replace(saved.find(right), right.size(), "\"succeeded\": 21");
    const auto forged = tests::run_program({"load", "--from", file});
    CHECK(forged.code == 2);
    CHECK(forged.err.find("do not balance") != std::string::npos);
}

TEST_CASE("help and version") {
    for (const std::string command : {"load", "ab", "serve", "demo"}) {
        const auto help = tests::run_program({command, "--help"});
        CHECK(help.code == 0);
        CHECK(help.out.find("benchkit " + command + " [OPTIONS]") != std::string::npos);
        CHECK(help.out.find("(default") != std::string::npos);
        CHECK(help.err.empty());
    }
    CHECK(tests::run_program({"--help"}).out.find("Exit codes: 0 ") != std::string::npos);
    CHECK(tests::run_program({"ab", "-h"}).code == 0);
    const auto version = tests::run_program({"--version"});
    CHECK(version.code == 0);
    CHECK(version.out.starts_with("benchkit 0."));
    CHECK(tests::run_program({"ab", "-V"}).out == version.out);
}

TEST_CASE("output that is not taken is an error, never a silent end") {
    const tests::served server;
    for (const auto sink : {tests::sink::closed_pipe, tests::sink::full_disk}) {
        const auto run = tests::run_program({"load", "-n", "20", "--quiet", server.url()}, sink);
        CHECK(run.code == 1);
        CHECK(run.err == "benchkit: standard output could not be written\n");
        CHECK(tests::run_program({"--help"}, sink).code == 1);
        CHECK(tests::run_program({"serve"}, sink).code == 1);
    }
    const auto saved = tests::run_program({"load", "-n", "20", "-o", "/dev/full", server.url()});
    CHECK(saved.code == 1);
    CHECK(saved.out.find("20 succeeded") != std::string::npos);
    CHECK(saved.err ==
          "benchkit: -o/--output = /dev/full: this file could not be written: No space left on device\n");
}
