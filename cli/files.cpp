#include "files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <system_error>
#include <utility>

#include <benchkit/core/error.hpp>

#include "output.hpp"

namespace cli {

namespace {

std::string last_error() {
    return std::generic_category().message(errno);
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t taken = ::write(descriptor, text.data(), text.size());
        if (taken < 0 && errno == EINTR) continue;
        if (taken <= 0) return false;
        text.remove_prefix(static_cast<std::size_t>(taken));
    }
    return true;
}

}  // namespace

std::string read_file(const std::string& flag, const std::string& path) {
    std::FILE* const file = std::fopen(path.c_str(), "re");
    if (file == nullptr) benchkit::fail_option(flag, path, "this file cannot be read: " + last_error());
    std::string text;
    std::array<char, 65'536> block;
    while (const std::size_t size = std::fread(block.data(), 1, block.size(), file)) {
        text.append(block.data(), size);
    }
    const std::string problem = std::ferror(file) != 0 ? last_error() : "";
    std::fclose(file);
    if (!problem.empty()) benchkit::fail_option(flag, path, "this file cannot be read: " + problem);
    return text;
}

output_file::output_file(std::string flag, std::string path) : flag_(std::move(flag)), path_(std::move(path)) {
    if (path_ == "-") benchkit::fail_option(flag_, path_, "allowed is the name of a file");
    is_new_ = access(path_.c_str(), F_OK) != 0;
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor_ < 0) benchkit::fail_option(flag_, path_, "this file cannot be written: " + last_error());
}

output_file::~output_file() {
    close(descriptor_);
    if (is_new_ && !written_) unlink(path_.c_str());
}

bool output_file::write(std::string_view text) {
    written_ = true;
    struct stat facts {};
    const bool regular = fstat(descriptor_, &facts) == 0 && S_ISREG(facts.st_mode);
    if ((!regular || ftruncate(descriptor_, 0) == 0) && write_all(descriptor_, text)) return true;
    complain(benchkit::error::sentence(flag_, path_, "this file could not be written: " + last_error()));
    return false;
}

}  // namespace cli
