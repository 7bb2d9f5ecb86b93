#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>

#include <benchkit/result/result.hpp>

/// Results made by hand, every figure of which can be derived with a pencil.
namespace made {

inline constexpr std::int64_t ms = 1'000'000;  // in ns

/// A distribution of times in ms, each with how often it was taken.
inline benchkit::distribution times_in_ms(std::initializer_list<std::pair<std::int64_t, std::int64_t>> values) {
    benchkit::distribution times;
    for (const auto& [value, count] : values) times.values.record(value * ms, count);
    return times;
}

/// 200 requests by 10 clients on connections kept alive, all answered with 200, in a quarter of a second. The
/// total times are 100 of 5 ms, 60 of 9 ms, 30 of 14 ms and 10 of 29 ms; ten of those of 5 ms began with 1 ms
/// of connecting.
inline benchkit::result http_load() {
    benchkit::result made;
    made.name = "hello";
    made.kind = "load";
    made.parameters = {{"url", std::string("http://localhost:8088/hello")},
                       {"method", std::string("GET")},
                       {"host", std::string("localhost")},
                       {"port", std::int64_t{8088}},
                       {"path", std::string("/hello")},
                       {"loop", std::string("closed")},
                       {"clients", std::int64_t{10}},
                       {"shards", std::int64_t{1}},
                       {"operations", std::int64_t{200}},
                       {"keep_alive", true},
                       {"http_version", std::string("1.1")},
                       {"request_body_bytes", std::int64_t{0}},
                       {"think_time_seconds", 0.0},
                       {"timeout_seconds", 10.0}};
    made.environment = {{"cpu", std::string("Abacus 2000")},
                        {"cpus", std::int64_t{2}},
                        {"kernel", std::string("Linux 6.1.0")},
                        {"compiler", std::string("GCC 12.2.0")},
                        {"clock_resolution_ns", std::int64_t{25}},
                        {"load_average", 0.5},
                        {"optimized", true}};
    made.attributes = {{"http.server", std::string("nginx/1.22.1")},
                       {"http.document_length", std::int64_t{13}},
                       {"ended_by", std::string("count")}};
    made.started_at = 1'769'860'800'000'000'000;  // 2026-01-31T12:00:00Z
    made.elapsed_seconds = 0.25;
    made.rate = 800;
    made.counters = {{"scheduled", 200},
                     {"not_started", 0},
                     {"started", 200},
                     {"succeeded", 200},
                     {"failed", 0},
                     {"unfinished", 0},
                     {"succeeded_in_span", 200},
                     {"status.200", 200},
                     {"requests_sent", 200},
                     {"bytes_sent", 18'000},
                     {"bytes_received", 121'800},
                     {"body_bytes_received", 2'600},
                     {"body_bytes_sent", 0},
                     {"connections_opened", 10},
                     {"kept_alive", 200},
                     {"length_differs", 0}};
    made.distributions["service_time"] = times_in_ms({{5, 100}, {9, 60}, {14, 30}, {29, 10}});
    made.distributions["connect_time"] = times_in_ms({{1, 10}});
    made.distributions["processing_time"] = times_in_ms({{4, 10}, {5, 90}, {9, 60}, {14, 30}, {29, 10}});
    made.distributions["first_byte_time"] = times_in_ms({{4, 100}, {8, 60}, {12, 30}, {28, 10}});
    made.series = benchkit::time_series{1.0, {{0.0, 200, 0, 5 * ms, 29 * ms}}};
    made.resources = benchkit::run_resources{0.0125, 0.025, 5'242'880, 120, 3, 0.25};
    return made;
}

/// The same load of which 20 answers were a 503, and which also met one failure of each cause.
inline benchkit::result troubled_load() {
    benchkit::result made = http_load();
    made.parameters["operations"] = std::int64_t{234};
    made.attributes["first_error"] = std::string("receive from 127.0.0.1:8088: Connection reset by peer");
    made.attributes["ended_by"] = std::string("interrupt");
    made.attributes["signal"] = std::int64_t{2};
    made.interrupted = true;
    made.distributions["service_time"] = times_in_ms({{5, 100}, {9, 60}, {14, 20}});
    made.distributions["failed_time.status"] = times_in_ms({{14, 10}, {29, 10}});
    made.counters["status.200"] = 181;
    made.counters["status.503"] = 20;
    made.counters["length_differs"] = 21;
    made.counters["errors.connection_reset"] = 1;
    const std::initializer_list<const char*> causes{
        "resolve",         "connect", "tls",       "send",      "receive",
        "closed",          "timeout", "malformed", "assertion", "stale",
        "connection_lost", "ports",   "canceled"};
    for (const char* cause : causes) {
        made.counters[std::string("failed.") + cause] = 1;
        made.distributions[std::string("failed_time.") + cause] = times_in_ms({{9, 1}});
    }
    made.counters["failed.status"] = 20;
    made.distributions["processing_time"].values.record(9 * ms);
    made.distributions["first_byte_time"].values.record(8 * ms);
    made.counters["failed"] = 33;
    made.counters["succeeded"] = 180;
    made.counters["succeeded_in_span"] = 180;
    made.counters["unfinished"] = 1;
    made.counters["started"] = 214;
    made.counters["not_started"] = 20;
    made.counters["scheduled"] = 234;
    made.rate = 720;
    made.series->points = {{0.0, 180, 33, 5 * ms, 14 * ms}};
    return made;
}

}  // namespace made
