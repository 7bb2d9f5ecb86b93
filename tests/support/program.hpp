#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/scratch_folder.hpp"

extern char** environ;

namespace tests {

/// Where a program's output goes.
enum class sink : unsigned char { pipe, terminal, closed_pipe, full_disk };

/// Text that a thread reads from a descriptor until its end.
class reader {
  public:
    explicit reader(int descriptor)
        : descriptor_(descriptor), thread_([this] {
              std::array<char, 4096> block{};
              for (;;) {
                  const ssize_t size = read(descriptor_, block.data(), block.size());
                  if (size < 0 && errno == EINTR) continue;
                  const std::scoped_lock lock(mutex_);
                  if (size <= 0) ended_ = true;  // of a terminal that nobody has open any more: EIO
                  if (size > 0) text_.append(block.data(), static_cast<std::size_t>(size));
                  changed_.notify_all();
                  if (ended_) return;
              }
          }) {}
    reader(const reader&) = delete;
    reader& operator=(const reader&) = delete;
    ~reader() {
        thread_.join();
        close(descriptor_);
    }

    /// Waits until `part` has come, or all; returns what has.
    std::string wait_for(const std::string& part) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return ended_ || text_.find(part) != std::string::npos; });
        return text_;
    }

    std::string all() {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return ended_; });
        return text_;
    }

  private:
    int descriptor_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string text_;
    bool ended_ = false;
    std::thread thread_;
};

/// A running `benchkit`.
class process {
  public:
    explicit process(std::vector<std::string> arguments, sink output = sink::pipe, sink errors = sink::pipe)
        : output_(open_sink(output)), errors_(open_sink(errors)), out(output_.read_end), err(errors_.read_end) {
        id_ = spawn(arguments, output_.write_end, errors_.write_end);
        close(output_.write_end);
        close(errors_.write_end);
    }
    process(const process&) = delete;
    process& operator=(const process&) = delete;
    ~process() {
        if (id_ > 0) kill(id_, SIGKILL);
        wait();
    }

    void send(int signal) const { kill(id_, signal); }

    /// Waits for its end; the exit code, or 1000 and the signal that has killed it.
    int wait() {
        if (id_ > 0) {
            int status = 0;
            while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
            }
            id_ = 0;
            code_ = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
        }
        return code_;
    }

  private:
    struct ends {
        int read_end = -1;
        int write_end = -1;
    };

    static pid_t spawn(std::vector<std::string>& arguments, int output, int errors) {
        std::string program = BENCHKIT_PROGRAM;
        std::vector<char*> pointers{program.data()};
        for (std::string& argument : arguments) pointers.push_back(argument.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        // As in a terminal, whatever the test itself was told to ignore.
        sigset_t defaults;
        sigemptyset(&defaults);
        for (const int signal : {SIGINT, SIGTERM, SIGPIPE}) sigaddset(&defaults, signal);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        pid_t id = 0;
        const int problem = posix_spawn(&id, program.c_str(), &actions, &attributes, pointers.data(), environ);
        posix_spawnattr_destroy(&attributes);
        posix_spawn_file_actions_destroy(&actions);
        return problem == 0 ? id : 0;
    }

    static ends open_sink(sink kind) {
        std::array<int, 2> pair{-1, -1};
        if (kind == sink::terminal) {
            pair[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
            grantpt(pair[0]);
            unlockpt(pair[0]);
            pair[1] = open(ptsname(pair[0]), O_RDWR | O_NOCTTY | O_CLOEXEC);
        } else if (pipe2(pair.data(), O_CLOEXEC) != 0) {
            throw std::runtime_error("pipe");
        }
        if (kind == sink::closed_pipe || kind == sink::full_disk) {
            close(pair[0]);
            pair[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
        }
        if (kind == sink::full_disk) {
            close(pair[1]);
            pair[1] = open("/dev/full", O_WRONLY | O_CLOEXEC);
        }
        return {pair[0], pair[1]};
    }

    pid_t id_ = 0;
    int code_ = -1;
    ends output_;
    ends errors_;

  public:
    reader out;
    reader err;
};

/// What a run of the program left.
struct outcome {
    int code = -1;
    std::string out;
    std::string err;
};

/// Runs `benchkit` with these arguments to its end.
inline outcome run_program(std::vector<std::string> arguments, sink output = sink::pipe,
                           sink errors = sink::pipe) {
    process program(std::move(arguments), output, errors);
    std::string out = program.out.all();
    std::string err = program.err.all();
    return {program.wait(), std::move(out), std::move(err)};
}

}  // namespace tests
