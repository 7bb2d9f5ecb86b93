#include <benchkit/report/matrix.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <benchkit/report/text.hpp>
#include <benchkit/result/json_reader.hpp>
#include <benchkit/result/json_writer.hpp>

#include <doctest/doctest.h>

#include "../support/made_matrix.hpp"
#include "../support/refusal.hpp"

namespace bk = benchkit;

TEST_CASE("the report of a made matrix, line by line") {
    const std::string expected = R"(matrix of drogon, nginx
drogon        http://10.0.0.1/
nginx         http://10.0.0.2/
order         5 rounds of 2 rows, the targets of a row in turns
runs          20 of 20 in 1.50 min, from 2026-01-31T12:00:00Z

kQPS: thousands of requests per second that succeeded, largest/smallest run
row                                    drogon      nginx
1 c=100,n=1000000,t=16,keepalive=yes  561/552    330/329
2 c=100,n=1000000,t=12,keepalive=no   140/135  49.0/31.0

beside drogon: the median of the rounds' ratios and its sign interval
rates         ratio        interval  confidence
1 nginx       0.591  0.588 to 0.596      93.8 %
2 nginx       0.312  0.225 to 0.350      87.5 %

service time     50 %     75 %     90 %     95 %     99 %  99.9 %  largest
1 drogon      5.00 ms  9.00 ms  14.0 ms  14.0 ms  29.0 ms     n/a  29.0 ms
1 nginx       5.00 ms  9.00 ms  14.0 ms  14.0 ms  29.0 ms     n/a  29.0 ms
2 drogon      5.00 ms  9.00 ms  14.0 ms  14.0 ms  29.0 ms     n/a  29.0 ms
2 nginx       5.00 ms  9.00 ms  14.0 ms  14.0 ms      n/a     n/a  29.0 ms

books         requests  failed  lost  client  server   idle  bottleneck
1 drogon         1,000       0     0    15 %    70 %  1.0 %     machine
1 nginx          1,000       0     0    15 %    70 %  4.0 %     machine
2 drogon         1,000       0     0    15 %    70 %   30 %      server
2 nginx          1,034      33    21    15 %    70 %   40 %      server

operations    4,034 scheduled: 4,014 started, 20 not started
              4,014 started: 3,980 succeeded, 33 failed, 1 unfinished
lost          21 requests
failures      2 nginx: 20 status, 1 resolve, 1 connect, 1 tls, 1 send, 1
              receive, 1 closed, 1 timeout, 1 malformed, 1 assertion, 1 stale, 1
              connection_lost, 1 ports, 1 canceled; the first: receive from
              127.0.0.1:8088: Connection reset by peer
resources     250 ms user and 500 ms system CPU in 1.50 min (0.8 %), 5.00 MiB
              peak memory, 2,400 voluntary and 60 involuntary switches
machine       Abacus 2000, 2 processors, Linux 6.1.0, GCC 12.2.0

warning: The run was interrupted by signal 2 after 1.50 min of its span. The
  figures cover what was measured until then. [interrupted]
note: 5 rounds give the intervals of the ratios a confidence of 93.8 %; 6 rounds
  give 96.9 %. [few-rounds]
warning: 1 drogon: The processors of the client's machine were idle for 1.0 % of
  the time: a server that runs there too, or another program, took time from the
  client. Rates and times are of all of them together. Give each side processors
  of its own (taskset), or another machine. The same is true of 1 nginx.
  [machine-saturated]
warning: 2 nginx: 33 operations of 1,014 failed (3.3 %): 20 status, 1 resolve, 1
  connect. The first error: receive from 127.0.0.1:8088: Connection reset by
  peer. The times of failed operations are not among the service times.
  [failures]
warning: 2 nginx: 1 operation found no free local port. Keep connections alive,
  or widen net.ipv4.ip_local_port_range; a closed connection holds its port for
  a minute. [port-limit]
note: 1 drogon: Mean (8.75 ms) and median (5.00 ms) lie far apart: no single
  figure describes the times. Read the percentiles. The same is true of all
  others. [skewed]
note: 2 nginx: 1 operation was still going on when the run was interrupted. It
  counts as started, neither as succeeded nor as failed, and no service time
  includes it. [drain-unfinished]
note: 2 nginx: Times of 980 operations are too few for the 99th percentile,
  which takes 1,000. Run longer or send more. [too-few-samples]
)";
    CHECK(bk::report::matrix(made::matrix()) == expected);
}

TEST_CASE("a saved matrix gives the same report, which is also its text") {
    const bk::result live = made::matrix();
    const bk::result saved = bk::read_json(bk::to_json(live));
    CHECK(bk::report::matrix(saved) == bk::report::matrix(live));
    CHECK(bk::report::text(saved) == bk::report::matrix(live));
}

TEST_CASE("one target has nobody beside it, one round no interval") {
    const auto report_of = [](std::vector<bk::detail::matrix_runs> row) {
        bk::result described;
        described.attributes["runs"] = std::int64_t{1};
        return bk::report::matrix(bk::detail::make_matrix(described, {{.clients = 10}}, {std::move(row)}));
    };
    bk::detail::matrix_runs one("a", {});
    made::add(one, made::runs_at({1'000}, 0.5));
    const std::string alone = report_of({one});
    CHECK(alone.find("beside") == std::string::npos);
    CHECK(alone.find("1.00/1.00") != std::string::npos);
    bk::detail::matrix_runs other("b", {});
    made::add(other, made::runs_at({2'000}, 0.5));
    const std::string both = report_of({one, other});
    CHECK(both.find("beside a: ") != std::string::npos);
    CHECK(both.find("1 b           2.000       n/a         n/a\n") != std::string::npos);
    CHECK(both.find("lost          no request\n") != std::string::npos);
}

TEST_CASE("what holds for some targets is said once") {
    bk::result whole = made::matrix();
    for (bk::result& row : whole.children) {
        for (bk::result& target : row.children) target.diagnostics.clear();
    }
    const bk::diagnostic one{"a-code", bk::severity::warning, "So it is."};
    whole.children[0].children[1].diagnostics = {one};
    CHECK(bk::report::matrix(whole).find("warning: 1 nginx: So it is. [a-code]\n") != std::string::npos);
    whole.children[1].children[0].diagnostics = {one};
    CHECK(bk::report::matrix(whole).find("So it is. The same is true of 2 drogon. [a-code]\n") !=
          std::string::npos);
}

TEST_CASE("another result has no such report") {
    CHECK(tests::refusal([] { (void)bk::report::matrix(made::http_load()); }) ==
          "The result \"hello\" is that of a load, not of a matrix.");
}
