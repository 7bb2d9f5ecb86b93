#include "progress_line.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include <benchkit/core/units.hpp>

namespace cli {

namespace {

std::string seconds_text(double seconds) {
    return benchkit::format_duration(std::chrono::nanoseconds(std::llround(seconds * 1e9)));
}

}  // namespace

std::string progress_text(const benchkit::load_progress& progress) {
    std::string text = seconds_text(progress.elapsed_seconds);
    if (progress.duration_seconds) text += " of " + seconds_text(*progress.duration_seconds);
    const std::int64_t ended = progress.succeeded + progress.failed;
    text += ", " + benchkit::format_count(ended);
    if (progress.operations) text += " of " + benchkit::format_count(*progress.operations);
    text += " done";
    if (progress.failed > 0) text += ", " + benchkit::format_count(progress.failed) + " failed";
    if (progress.elapsed_seconds > 0) {
        text += ", " + benchkit::format_rate(static_cast<double>(ended) / progress.elapsed_seconds);
    }
    return text;
}

bool progress_line::wanted() {
    return isatty(STDERR_FILENO) == 1;
}

void progress_line::show(const benchkit::load_progress& progress) {
    show(progress_text(progress));
}

void progress_line::clear() {
    if (width_ > 0) show("");
}

void progress_line::show(const std::string& text) {
    std::string line("\r");
    line.append(text);
    if (text.size() < width_) line.append(width_ - text.size(), ' ');
    if (text.empty()) line.append("\r");
    std::fwrite(line.data(), 1, line.size(), stderr);
    width_ = text.size();
}

}  // namespace cli
