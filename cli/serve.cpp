#include <algorithm>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include <benchkit/core/number.hpp>
#include <benchkit/core/units.hpp>

#include "command.hpp"
#include "embedded_server.hpp"
#include "exit_code.hpp"
#include "output.hpp"

namespace cli {

namespace {

/// Ctrl-C and SIGTERM, kept from their default effect while it lives. One that the program was told to ignore,
/// as a shell does for background jobs, stays ignored.
class awaited_signals {
  public:
    awaited_signals() {
        sigemptyset(&signals_);
        for (const int signal : {SIGINT, SIGTERM}) {
            struct sigaction action {};
            sigaction(signal, nullptr, &action);
            if (action.sa_handler != SIG_IGN) sigaddset(&signals_, signal);
        }
        pthread_sigmask(SIG_BLOCK, &signals_, &before_);
    }
    awaited_signals(const awaited_signals&) = delete;
    awaited_signals& operator=(const awaited_signals&) = delete;
    ~awaited_signals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    void wait() const {
        int signal = 0;
        while (sigwait(&signals_, &signal) != 0) {
        }
    }

  private:
    sigset_t signals_{};
    sigset_t before_{};
};

/// benchkit serve
class serve_command final : public command {
  public:
    explicit serve_command(CLI::App& program)
        : command(program, "serve", "Answer HTTP requests until Ctrl-C or SIGTERM") {
        app().add_flag("--chunked", chunked_, "send bodies in chunks");
        name_flag("address", address_.flag());
        name_flag("port", port_.flag());
        name_flag("shards", shards_.flag());
        name_flag("unix_path", unix_socket_.flag());
        name_flag("log", log_.flag());
        name_flag("reset", reset_.flag());
        name_flag("truncate", truncate_.flag());
        name_flag("malformed", malformed_.flag());
        app().footer(
            "The first line on standard output is \"listening on URL\" (or PATH). / and /benchmark answer\n"
            "<p>Hello, world!</p>, /api/v1/sync/benchmark-hello-world answers {\"data\":\"ok\"} and\n"
            "/benchkit/stats counts the requests to all others.\n"
            "DELAY is fixed:5ms, uniform:1ms..9ms, exp:5ms (the mean) or lognormal:5ms,0.5 (median and "
            "shape).\n"
            "STALL is at=4s,for=1s or every=10s,for=1s, counted from the first request.\n"
            "SHARE is a share of the requests, 0 to 1; all shares together are at most 1. Which requests meet\n"
            "a fault depends on --seed and on their number among all of the server. docs/serve.md has more.");
    }

  private:
    int run() override {
        const auto server = make_server(make_options(), make_replies());
        for (const std::string& text : route_.all()) add_route(*server, text);
        server->faults(make_faults());
        if (log_.given()) open_log(*server);
        const awaited_signals signals;  // blocked before the server's threads are there to get them
        server->start();
        print("listening on " + (unix_socket_.given() ? unix_socket_.text() : server->url("")) + "\n");
        if (output_is_whole()) signals.wait();
        server->stop();
        return judge_log(*server);
    }

    [[nodiscard]] benchkit::http::server_options make_options() const {
        benchkit::http::server_options options;
        if (address_.given()) options.address = address_.text();
        options.port = static_cast<int>(port_.whole(0, 65'535, options.port));
        options.shards = static_cast<int>(shards_.whole(1, 1024, options.shards));
        if (unix_socket_.given()) {
            for (const value_option* other : {&address_, &port_}) {
                if (other->given()) {
                    benchkit::fail(other->flag() + ": this does not go with " + unix_socket_.flag());
                }
            }
            options.unix_path = unix_socket_.text();
            benchkit::http::detail::check_unix_path(unix_socket_.flag(), options.unix_path);
        }
        return options;
    }

    [[nodiscard]] seed_replies make_replies() const {
        seed_replies replies;
        replies.chunked = chunked_;
        if (!body_.given()) return replies;
        constexpr std::int64_t largest = std::int64_t{256} << 20;
        const std::int64_t size = benchkit::parse_byte_size(body_.flag(), body_.text());
        if (size > largest) benchkit::fail_option(body_.flag(), body_.text(), "allowed is 0 to 256MB");
        replies.body = std::string(static_cast<std::size_t>(size), 'x');
        return replies;
    }

    [[nodiscard]] benchkit::http::faults make_faults() const {
        benchkit::http::faults faults;
        const std::int64_t seed = seed_.whole(0, std::numeric_limits<std::int64_t>::max(), 1);
        faults.seed(static_cast<std::uint64_t>(seed));
        if (delay_.given()) faults.delay(benchkit::http::parse_delay(delay_.flag(), delay_.text()));
        for (const std::string& text : stall_.all()) add_stall(faults, text);
        if (reset_.given()) faults.reset(share(reset_, reset_.text()));
        if (truncate_.given()) faults.truncate(share(truncate_, truncate_.text()));
        if (malformed_.given()) faults.malformed(share(malformed_, malformed_.text()));
        for (const std::string& text : status_.all()) add_status(faults, text);
        const std::int64_t answers = close_after_.whole(1, std::numeric_limits<std::int64_t>::max(), 0);
        faults.close_after(answers);
        return faults;
    }

    void add_stall(benchkit::http::faults& faults, const std::string& text) const {
        const auto stall = benchkit::http::parse_stall(stall_.flag(), text);
        try {
            faults.stall(stall);
        } catch (const benchkit::error&) {
            benchkit::fail_option(stall_.flag(), text, "only one stall can be given with every=");
        }
    }

    // STATUS:SHARE
    void add_status(benchkit::http::faults& faults, const std::string& text) const {
        const std::size_t colon = text.find(':');
        const auto status = benchkit::parse_integer(text.substr(0, colon));
        const auto part =
            colon == std::string::npos ? std::nullopt : benchkit::parse_number(text.substr(colon + 1));
        if (!status || *status < 200 || *status > 999 || !part || !(*part >= 0.0 && *part <= 1.0)) {
            benchkit::fail_option(status_.flag(), text,
                                  "allowed is a status of 200 to 999 and its share of the requests, such as "
                                  "503:0.01");
        }
        try {
            faults.status(static_cast<int>(*status), *part);
        } catch (const benchkit::error& problem) {
            benchkit::fail_option(status_.flag(), text, problem.allowed());
        }
    }

    // A share of the requests; what is wrong only beside the others is found by `faults`.
    [[nodiscard]] static double share(const value_option& option, const std::string& text) {
        const auto value = benchkit::parse_number(text);
        if (value && *value >= 0.0 && *value <= 1.0) return *value;
        benchkit::fail_option(option.flag(), text, "allowed is a share of the requests, 0 to 1, such as 0.01");
    }

    void open_log(benchkit::http::server& server) const {
        if (log_.text() == "-") benchkit::fail_option(log_.flag(), "-", "allowed is the name of a file");
        server.log(log_.text());
    }

    [[nodiscard]] int judge_log(const benchkit::http::server& server) const {
        const std::string problem = server.log_problem();
        if (problem.empty()) return exit_code::done;
        complain(
            benchkit::error::sentence(log_.flag(), log_.text(), "this file could not be written: " + problem));
        return exit_code::failed;
    }

    void add_route(benchkit::http::server& server, const std::string& text) const {
        const std::size_t equals = text.find('=');
        const std::string path = text.substr(0, equals);
        const bool plain = std::all_of(path.begin(), path.end(), [](char byte) {
            return byte > ' ' && byte < 0x7f && byte != '?' && byte != '#';
        });
        if (equals == std::string::npos || !path.starts_with('/') || !plain) {
            benchkit::fail_option(route_.flag(), text,
                                  "allowed is a path without a query and its answer, such as /path=hello");
        }
        if (path == benchkit::http::stats_path) {
            benchkit::fail_option(route_.flag(), text, "this path tells the server's counters");
        }
        benchkit::http::reply answer(text.substr(equals + 1));
        if (chunked_) answer.chunked();
        server.route(path, std::move(answer));
    }

    value_option address_{app(), "--address", "ADDRESS", "address to listen on (default 127.0.0.1)"};
    value_option port_{app(), "--port", "PORT", "port, 0 for any that is free (default 0)"};
    value_option unix_socket_{app(), "--unix-socket", "PATH", "listen on a Unix socket instead"};
    value_option shards_{app(), "--shards", "N", "threads, 1 to 1024 (default 1)"};
    value_option route_{app(), "--route", "PATH=BODY", "answer this path with this body; can be repeated"};
    value_option body_{app(), "--body", "SIZE", "bytes of the body of the built-in routes, such as 64KB"};
    value_option delay_{app(), "--delay", "DELAY", "before each answer"};
    value_option stall_{app(), "--stall", "STALL", "begin no answer for a while; can be repeated"};
    value_option status_{app(), "--status", "STATUS:SHARE", "answer with this status; can be repeated"};
    value_option reset_{app(), "--reset", "SHARE", "reset the connection instead of answering"};
    value_option truncate_{app(), "--truncate", "SHARE", "send half of the body, then close"};
    value_option malformed_{app(), "--malformed", "SHARE", "send what is no answer, then close"};
    value_option close_after_{app(), "--close-after", "N",
                              "close each connection after N answers, unannounced"};
    value_option seed_{app(), "--seed", "N", "of what is random (default 1)"};
    value_option log_{app(), "--log", "FILE", "write a line for each request"};
    bool chunked_ = false;
};

}  // namespace

std::unique_ptr<command> make_serve(CLI::App& program) {
    return std::make_unique<serve_command>(program);
}

}  // namespace cli
