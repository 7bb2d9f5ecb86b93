#include "ab_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <utility>

#include <benchkit/core/version.hpp>
#include <benchkit/report/ab.hpp>

#include "output.hpp"

namespace cli {

namespace {

/// How ab says how far it has come: on standard error, where more than 150 requests are asked for.
class heartbeat {
  public:
    heartbeat(std::int64_t requests, bool quiet)
        : step_(quiet || requests <= 150 ? 0 : std::max<std::int64_t>(100, requests / 10)) {}

    void reached(std::int64_t ended) {
        if (step_ == 0) return;
        for (; told_ + step_ <= ended; told_ += step_) say("Completed", told_ + step_);
    }

    void finished(std::int64_t complete) const {
        if (step_ > 0) say("Finished", complete);
    }

  private:
    static void say(const char* what, std::int64_t requests) {
        std::fprintf(stderr, "%s %lld requests\n", what, static_cast<long long>(requests));
    }

    std::int64_t step_;
    std::int64_t told_ = 0;
};

}  // namespace

benchkit::http::target ab_target(std::string_view url, benchkit::http::request what, bool keep_alive,
                                 benchkit::duration timeout) {
    if (what.find_header("User-Agent") == nullptr) what.header("User-Agent", "ApacheBench/2.3");
    benchkit::http::target_options options;
    options.version = benchkit::http::http_version::http_1_0;
    options.keep_alive = keep_alive;
    options.timeout = timeout;
    options.connect_timeout = timeout;
    return {url, std::move(what), options};
}

std::string ab_banner() {
    return std::string("This is benchkit ") + benchkit::version + ", in the words of ab\n";
}

benchkit::result run_ab(const load_plan& plan, const benchkit::report::ab_options& shown, bool keep_records) {
    heartbeat pulse(plan.limits.operations.value_or(1), shown.quiet);
    // ab's first line belongs above its progress, and nothing is printed of a run that is refused.
    const std::string opening = ab_banner() + "\nBenchmarking " + plan.target.address().host + " (be patient)";
    bool opened = false;
    benchkit::load_options options;
    options.keep_records = keep_records;
    options.progress_interval = std::chrono::milliseconds(100);
    options.on_progress = [&](const benchkit::load_progress& progress) {
        if (!std::exchange(opened, true)) print(opening);
        pulse.reached(progress.succeeded + progress.failed);
    };
    benchkit::result measured = measure(plan, options);
    keep_ab_options(measured, shown);
    if (!measured.interrupted) {
        // As "Complete requests": answers of any status.
        pulse.finished(measured.counter("succeeded") + measured.counter("failed.status"));
    }
    print((ab_banner() + benchkit::report::ab(measured)).substr(opening.size()));
    return measured;
}

}  // namespace cli
