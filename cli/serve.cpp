#include <csignal>
#include <cstddef>
#include <memory>
#include <string>

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
        name_flag("address", address_.flag());
        name_flag("port", port_.flag());
        name_flag("shards", shards_.flag());
        app().footer(
            "The first line on standard output is \"listening on URL\". / and /benchmark answer\n"
            "<p>Hello, world!</p>, /api/v1/sync/benchmark-hello-world answers {\"data\":\"ok\"} and\n"
            "/benchkit/stats counts the requests to all others.");
    }

  private:
    int run() override {
        const auto server = make_server(make_options());
        for (const std::string& text : route_.all()) add_route(*server, text);
        const awaited_signals signals;  // blocked before the server's threads are there to get them
        server->start();
        print("listening on " + server->url("") + "\n");
        const int code = checked_output(exit_code::done);
        if (code == exit_code::done) signals.wait();
        server->stop();
        return code;
    }

    [[nodiscard]] benchkit::http::server_options make_options() const {
        benchkit::http::server_options options;
        if (address_.given()) options.address = address_.text();
        options.port = static_cast<int>(port_.whole(0, 65'535, options.port));
        options.shards = static_cast<int>(shards_.whole(1, 1024, options.shards));
        return options;
    }

    void add_route(benchkit::http::server& server, const std::string& text) const {
        const std::size_t equals = text.find('=');
        const std::string path = text.substr(0, equals);
        if (equals == std::string::npos || !path.starts_with('/')) {
            benchkit::fail_option(route_.flag(), text, "allowed is a path and its answer, such as /path=hello");
        }
        if (path == benchkit::http::stats_path) {
            benchkit::fail_option(route_.flag(), text, "this path tells the server's counters");
        }
        server.route(path, benchkit::http::reply(text.substr(equals + 1)));
    }

    value_option address_{app(), "--address", "ADDRESS", "address to listen on (default 127.0.0.1)"};
    value_option port_{app(), "--port", "PORT", "port, 0 for any that is free (default 0)"};
    value_option shards_{app(), "--shards", "N", "threads, 1 to 1024 (default 1)"};
    value_option route_{app(), "--route", "PATH=BODY", "answer this path with this body; can be repeated"};
};

}  // namespace

std::unique_ptr<command> make_serve(CLI::App& program) {
    return std::make_unique<serve_command>(program);
}

}  // namespace cli
