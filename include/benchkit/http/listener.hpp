#pragma once

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/http/stream_socket.hpp>

namespace benchkit::inline v0_1::http::detail {

/// Where connections come in: a TCP port, or a Unix socket with its file. The file is removed at the end,
/// unless another one has taken its place.
class listener {
  public:
    using acceptor = asio::basic_socket_acceptor<asio::generic::stream_protocol, executor_type>;

    /// Throws `error` where it cannot listen on `address` and `port`; port 0 lets the system choose.
    listener(executor_type executor, const asio::ip::tcp::endpoint& where) : acceptor_(executor) {
        asio::error_code error;
        acceptor_.open(where.protocol(), error);
        if (!error) acceptor_.set_option(asio::socket_base::reuse_address(true), error);
        if (!error) listen(where, error);
        if (error) {
            fail("cannot listen on " + where.address().to_string() + " port " + std::to_string(where.port()) +
                 ": " + error.message());
        }
    }

    /// Throws `error` where it cannot listen on the Unix socket `path`. A socket on which nobody listens any
    /// more is replaced; one on which somebody does, and a file of another kind, are left alone.
    listener(executor_type executor, const std::string& path) : acceptor_(executor), path_(path) {
        remove_abandoned();
        asio::error_code error;
        const stream_endpoint where = asio::local::stream_protocol::endpoint(path);
        acceptor_.open(where.protocol(), error);
        if (!error) listen(where, error);
        if (error) fail("cannot listen on " + path + ": " + error.message());
        struct stat facts {};
        if (lstat(path.c_str(), &facts) == 0) {
            device_ = facts.st_dev;
            file_ = facts.st_ino;
            is_ours_ = true;
        }
    }
    listener(const listener&) = delete;
    listener& operator=(const listener&) = delete;

    ~listener() {
        struct stat facts {};
        if (!is_ours_ || lstat(path_.c_str(), &facts) != 0) return;
        if (facts.st_dev == device_ && facts.st_ino == file_) unlink(path_.c_str());
    }

    [[nodiscard]] acceptor& socket() noexcept { return acceptor_; }

    /// The port, as the system has chosen it.
    [[nodiscard]] int port() const {
        asio::ip::tcp::endpoint bound;
        const stream_endpoint where = acceptor_.local_endpoint();
        if (where.size() > bound.capacity()) return 0;
        std::memcpy(bound.data(), where.data(), where.size());
        return bound.port();
    }

  private:
    void listen(const stream_endpoint& where, asio::error_code& error) {
        acceptor_.bind(where, error);
        // As long a queue as the system allows (net.core.somaxconn), which cuts what is more: SOMAXCONN is
        // less.
        if (!error) acceptor_.listen(std::numeric_limits<int>::max(), error);
    }

    // Whoever listened and died has left the file behind.
    void remove_abandoned() const {
        struct stat facts {};
        if (lstat(path_.c_str(), &facts) != 0) return;
        if (!S_ISSOCK(facts.st_mode)) fail("cannot listen on " + path_ + ": there is a file that is no socket");
        const int probe = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        const stream_endpoint where = asio::local::stream_protocol::endpoint(path_);
        const bool is_dead = probe >= 0 &&
                             ::connect(probe, where.data(), static_cast<socklen_t>(where.size())) != 0 &&
                             errno == ECONNREFUSED;
        if (probe >= 0) ::close(probe);
        if (!is_dead) fail("cannot listen on " + path_ + ": somebody else listens there");
        unlink(path_.c_str());
    }

    acceptor acceptor_;
    std::string path_;
    dev_t device_ = 0;
    ino_t file_ = 0;
    bool is_ours_ = false;
};

}  // namespace benchkit::inline v0_1::http::detail
