#pragma once

#include <arpa/inet.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/http/secure_channel.hpp>

namespace benchkit::inline v0_1::http {

/// How TLS is spoken to a peer. Files are PEM.
struct tls_options {
    std::string ca_file{};           ///< whose certificates are trusted; empty: the system's
    std::string certificate_file{};  ///< our own certificate and its chain, for peers that ask
    std::string key_file{};          ///< its key; empty: in the certificate's file
    bool verify = true;              ///< refuse peers whose certificate is not trusted or names another host
    bool resume = true;              ///< take up earlier sessions, which spares most of a handshake
};

namespace detail {

template <auto Free>
struct openssl_deleter {
    template <class Object>
    void operator()(Object* object) const noexcept {
        Free(object);
    }
};
using ssl_context = std::unique_ptr<SSL_CTX, openssl_deleter<SSL_CTX_free>>;
using ssl_session = std::unique_ptr<SSL_SESSION, openssl_deleter<SSL_SESSION_free>>;
using ssl_handle = std::unique_ptr<SSL, openssl_deleter<SSL_free>>;

/// What OpenSSL says of its first error; a view that lasts.
[[nodiscard]] inline std::string_view openssl_reason() noexcept {
    const unsigned long error = ERR_peek_error();
    const char* reason = ERR_reason_error_string(error);
    if (reason == nullptr && ERR_GET_LIB(error) == ERR_LIB_SYS) reason = std::strerror(ERR_GET_REASON(error));
    return reason == nullptr ? std::string_view("an error of TLS") : std::string_view(reason);
}

/// OpenSSL's way to a socket: as its own, but that a peer's end raises no signal.
class socket_bio {
  public:
    [[nodiscard]] static BIO* make(int descriptor) {
        BIO* const made = BIO_new(methods());
        BIO_set_data(made, new end{socket_input(descriptor), descriptor});
        BIO_set_init(made, 1);
        return made;
    }

    /// Whether there may be something behind what was read last.
    [[nodiscard]] static bool has_more(BIO* bio) noexcept { return of(bio).input.has_more(); }

  private:
    struct end {
        socket_input input;
        int descriptor;
        bool ended = false;
    };

    static end& of(BIO* bio) noexcept { return *static_cast<end*>(BIO_get_data(bio)); }

    static const BIO_METHOD* methods() {
        static const std::unique_ptr<BIO_METHOD, openssl_deleter<BIO_meth_free>> made = [] {
            std::unique_ptr<BIO_METHOD, openssl_deleter<BIO_meth_free>> method(
                BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "benchkit socket"));
            BIO_meth_set_write(method.get(), write);
            BIO_meth_set_read(method.get(), read);
            BIO_meth_set_ctrl(method.get(), control);
            BIO_meth_set_destroy(method.get(), destroy);
            return method;
        }();
        return made.get();
    }

    static int write(BIO* bio, const char* bytes, int size) {
        BIO_clear_retry_flags(bio);
        const ssize_t taken = ::send(of(bio).descriptor, bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
        if (taken < 0 && (errno == EAGAIN || errno == EINTR)) BIO_set_retry_write(bio);
        return static_cast<int>(taken);
    }
    static int read(BIO* bio, char* bytes, int size) {
        BIO_clear_retry_flags(bio);
        asio::error_code error;
        const std::size_t got = of(bio).input.read({bytes, static_cast<std::size_t>(size)}, error);
        of(bio).ended = error == asio::error::eof;
        if (!error || of(bio).ended) return static_cast<int>(got);
        if (error == asio::error::would_block) BIO_set_retry_read(bio);
        errno = error.value();
        return -1;
    }
    static long control(BIO* bio, int command, long, void*) {
        if (command == BIO_CTRL_EOF) return of(bio).ended ? 1 : 0;
        return command == BIO_CTRL_FLUSH ? 1 : 0;
    }
    static int destroy(BIO* bio) {
        delete static_cast<end*>(BIO_get_data(bio));
        return 1;
    }
};

/// TLS over one connected socket.
class tls_channel final : public secure_channel {
  public:
    /// `session`: the one to take up, which is renewed whenever the peer gives another; null for none.
    tls_channel(SSL_CTX* context, int descriptor, const std::string& host, ssl_session* session)
        : ssl_(SSL_new(context)) {
        BIO* const bio = socket_bio::make(descriptor);
        SSL_set_bio(ssl_.get(), bio, bio);
        SSL_set_connect_state(ssl_.get());
        name_peer(host);
        SSL_set_app_data(ssl_.get(), session);
        if (session != nullptr && *session != nullptr) SSL_set_session(ssl_.get(), session->get());
    }

    [[nodiscard]] transfer handshake() override {
        ERR_clear_error();
        const int outcome = SSL_do_handshake(ssl_.get());
        return outcome == 1 ? transfer{} : not_done(outcome);
    }
    [[nodiscard]] transfer read_some(std::span<char> buffer) override {
        ERR_clear_error();
        const int size = SSL_read(ssl_.get(), buffer.data(), length(buffer.size()));
        return size > 0 ? transfer{transfer_status::done, static_cast<std::size_t>(size)} : not_done(size);
    }
    [[nodiscard]] bool has_more() const override {
        return SSL_has_pending(ssl_.get()) == 1 || socket_bio::has_more(SSL_get_rbio(ssl_.get()));
    }
    [[nodiscard]] transfer write_some(std::string_view bytes) override {
        ERR_clear_error();
        const int size = SSL_write(ssl_.get(), bytes.data(), length(bytes.size()));
        return size > 0 ? transfer{transfer_status::done, static_cast<std::size_t>(size)} : not_done(size);
    }
    [[nodiscard]] bool resumed() const override { return SSL_session_reused(ssl_.get()) == 1; }
    [[nodiscard]] std::string protocol() const override {
        return std::string(SSL_get_version(ssl_.get())) + "," + SSL_get_cipher_name(ssl_.get());
    }
    void close() noexcept override {
        ERR_clear_error();
        if (SSL_is_init_finished(ssl_.get())) SSL_shutdown(ssl_.get());
    }

  private:
    static int length(std::size_t size) noexcept {
        constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
        return static_cast<int>(size < most ? size : most);
    }

    // The certificate is to name this host. Names are also told to the peer before (RFC 6066 section 3); an
    // address never is.
    void name_peer(const std::string& host) {
        in6_addr ignored{};
        const bool is_address =
            inet_pton(AF_INET, host.c_str(), &ignored) == 1 || inet_pton(AF_INET6, host.c_str(), &ignored) == 1;
        if (is_address) {
            X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl_.get()), host.c_str());
        } else {
            SSL_set1_host(ssl_.get(), host.c_str());
            SSL_ctrl(ssl_.get(), SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                     const_cast<char*>(host.c_str()));
        }
    }

    [[nodiscard]] transfer not_done(int outcome) const {
        const int system_error = errno;
        switch (SSL_get_error(ssl_.get(), outcome)) {
            case SSL_ERROR_WANT_READ:
                return {transfer_status::needs_input};
            case SSL_ERROR_WANT_WRITE:
                return {transfer_status::needs_output};
            case SSL_ERROR_ZERO_RETURN:
                return {transfer_status::closed};
            case SSL_ERROR_SYSCALL:
                if (system_error == 0 || outcome == 0) return {transfer_status::cut};
                return {transfer_status::failed, 0, {system_error, asio::error::get_system_category()}};
            default:
                return tls_error();
        }
    }

    [[nodiscard]] transfer tls_error() const {
#if defined(SSL_R_UNEXPECTED_EOF_WHILE_READING)
        if (ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING) {
            return {transfer_status::cut, 0, {}, "the peer closed the connection without the notice of TLS"};
        }
#endif
        const long verified = SSL_get_verify_result(ssl_.get());
        const bool verifies = (SSL_get_verify_mode(ssl_.get()) & SSL_VERIFY_PEER) != 0;
        const bool refused = verifies && verified != X509_V_OK && !SSL_is_init_finished(ssl_.get());
        return {transfer_status::failed,
                0,
                {},
                refused ? std::string_view(X509_verify_cert_error_string(verified)) : openssl_reason()};
    }

    ssl_handle ssl_;
};

/// The channels of one shard to one host, and the session that the next one takes up.
class tls_connector final : public secure_connector {
  public:
    tls_connector(SSL_CTX* context, std::string host, bool resume)
        : context_(context), host_(std::move(host)), resume_(resume) {}

    [[nodiscard]] std::unique_ptr<secure_channel> open(int descriptor) override {
        return std::make_unique<tls_channel>(context_, descriptor, host_, resume_ ? &session_ : nullptr);
    }

  private:
    SSL_CTX* context_;
    std::string host_;
    ssl_session session_;
    bool resume_;
};

class tls_security final : public security {
  public:
    explicit tls_security(const tls_options& options)
        : context_(SSL_CTX_new(TLS_client_method())), resume_(options.resume) {
        SSL_CTX_set_min_proto_version(context_.get(), TLS1_2_VERSION);
        SSL_CTX_set_mode(context_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
        SSL_CTX_set_options(context_.get(), SSL_OP_NO_RENEGOTIATION);
        // A record's head and body come with one call of the system.
        SSL_CTX_set_read_ahead(context_.get(), 1);
        SSL_CTX_set_verify(context_.get(), options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
        SSL_CTX_set_session_cache_mode(context_.get(), SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
        SSL_CTX_sess_set_new_cb(context_.get(), keep_session);
        constexpr unsigned char protocols[] = "\x08http/1.1";
        SSL_CTX_set_alpn_protos(context_.get(), protocols, sizeof protocols - 1);
        trust(options);
        show(options);
    }

    [[nodiscard]] std::unique_ptr<secure_connector> connector(const std::string& host) const override {
        return std::make_unique<tls_connector>(context_.get(), host, resume_);
    }

  private:
    static int keep_session(SSL* ssl, SSL_SESSION* session) {
        auto* const kept = static_cast<ssl_session*>(SSL_get_app_data(ssl));
        if (kept == nullptr) return 0;
        kept->reset(session);
        return 1;
    }

    static void require(bool fine, const char* option, const std::string& file, const char* wanted) {
        if (fine) return;
        const std::string reason(openssl_reason());
        ERR_clear_error();
        fail_option(option, file, std::string(wanted) + " is needed (" + reason + ")");
    }

    void trust(const tls_options& options) const {
        if (options.ca_file.empty()) {
            SSL_CTX_set_default_verify_paths(context_.get());
            return;
        }
        require(SSL_CTX_load_verify_locations(context_.get(), options.ca_file.c_str(), nullptr) == 1, "ca_file",
                options.ca_file, "a readable PEM file with certificates");
    }

    void show(const tls_options& options) const {
        if (options.certificate_file.empty()) {
            if (!options.key_file.empty()) {
                fail_option("key_file", options.key_file, "a key needs its certificate");
            }
            return;
        }
        require(SSL_CTX_use_certificate_chain_file(context_.get(), options.certificate_file.c_str()) == 1,
                "certificate_file", options.certificate_file, "a readable PEM file with a certificate");
        const std::string& key = options.key_file.empty() ? options.certificate_file : options.key_file;
        require(SSL_CTX_use_PrivateKey_file(context_.get(), key.c_str(), SSL_FILETYPE_PEM) == 1, "key_file",
                key, "a readable PEM file with the certificate's key");
    }

    ssl_context context_;
    bool resume_;
};

[[nodiscard]] inline std::shared_ptr<const security> make_default_tls() {
    static const std::shared_ptr<const security> made = std::make_shared<tls_security>(tls_options{});
    return made;
}

/// That this header is there makes https URLs work.
inline const bool tls_is_there = (default_security = &make_default_tls, true);

}  // namespace detail

/// TLS 1.2 and 1.3 on OpenSSL, for `target::secured_by`. An https target without it gets `tls({})`. Throws
/// `error` for files that cannot be used. One may serve several targets and runs.
[[nodiscard]] inline std::shared_ptr<const security> tls(const tls_options& options) {
    return std::make_shared<detail::tls_security>(options);
}

}  // namespace benchkit::inline v0_1::http
