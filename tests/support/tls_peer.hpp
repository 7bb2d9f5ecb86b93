#pragma once

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

#include <csignal>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "support/scripted_server.hpp"

namespace tests {

/// A certificate and its key, made when the test runs.
struct certificate {
    std::shared_ptr<EVP_PKEY> key;
    std::shared_ptr<X509> own;
};

/// What a certificate is to say. Days are from now on.
struct certificate_wish {
    std::string name = "localhost";
    std::string alternatives = "DNS:localhost,IP:127.0.0.1";  ///< empty: an authority, not a server
    int first_day = -1;
    int last_day = 1;
};

/// Signed by `authority`, or by itself where that is null.
inline certificate make_certificate(const certificate_wish& wish, const certificate* authority = nullptr) {
    certificate made{{EVP_EC_gen("P-256"), EVP_PKEY_free}, {X509_new(), X509_free}};
    X509* const own = made.own.get();
    X509_set_version(own, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(own), 1 + reinterpret_cast<std::intptr_t>(own) % 1'000'000'007);
    X509_time_adj_ex(X509_getm_notBefore(own), wish.first_day, 0, nullptr);
    X509_time_adj_ex(X509_getm_notAfter(own), wish.last_day, 0, nullptr);
    X509_set_pubkey(own, made.key.get());
    X509_NAME* const name = X509_get_subject_name(own);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>(wish.name.c_str()), -1, -1, 0);
    const certificate& issuer = authority != nullptr ? *authority : made;
    X509_set_issuer_name(own, X509_get_subject_name(issuer.own.get()));
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer.own.get(), own, nullptr, nullptr, 0);
    const bool is_authority = wish.alternatives.empty();
    const auto add = [&](int kind, const char* value) {
        X509_EXTENSION* const extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
        X509_add_ext(own, extension, -1);
        X509_EXTENSION_free(extension);
    };
    add(NID_basic_constraints, is_authority ? "critical,CA:TRUE" : "CA:FALSE");
    if (!is_authority) add(NID_subject_alt_name, wish.alternatives.c_str());
    X509_sign(own, issuer.key.get(), EVP_sha256());
    return made;
}

inline std::string pem_of(const certificate& written, bool with_key) {
    BIO* const memory = BIO_new(BIO_s_mem());
    PEM_write_bio_X509(memory, written.own.get());
    if (with_key) PEM_write_bio_PrivateKey(memory, written.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(memory, &bytes);
    std::string text(bytes, static_cast<std::size_t>(size));
    BIO_free(memory);
    return text;
}

/// What a TLS server of the tests is like.
struct tls_manner {
    certificate shown;
    const certificate* wants_from = nullptr;  ///< asks clients for a certificate by this authority
    int newest = TLS1_3_VERSION;
    bool notice = true;  ///< closes with the notice of TLS
    std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    int answers = 1'000'000;       ///< on a connection
    bool record_per_byte = false;  ///< else an answer is one record
};

/// Answers requests over TLS on OpenSSL's server side, one connection after another.
class tls_server {
  public:
    explicit tls_server(tls_manner manner)
        : manner_(std::move(manner)),
          context_(make_context(manner_), SSL_CTX_free),
          server_([this](peer& accepted) { serve(accepted); }) {}

    /// The URL of the server under a name or address of this machine.
    [[nodiscard]] std::string url(const std::string& host = "localhost") const {
        const std::string plain = server_.url();
        return "https://" + host + plain.substr(plain.rfind(':'));
    }
    [[nodiscard]] int connections() const { return server_.connections(); }

  private:
    static SSL_CTX* make_context(const tls_manner& manner) {
        SSL_CTX* const context = SSL_CTX_new(TLS_server_method());
        SSL_CTX_use_certificate(context, manner.shown.own.get());
        SSL_CTX_use_PrivateKey(context, manner.shown.key.get());
        SSL_CTX_set_max_proto_version(context, manner.newest);
        SSL_CTX_set_session_id_context(context, reinterpret_cast<const unsigned char*>("tests"), 5);
        if (manner.wants_from == nullptr) return context;
        X509_STORE_add_cert(SSL_CTX_get_cert_store(context), manner.wants_from->own.get());
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
        return context;
    }

    void serve(peer& accepted) {
        const std::unique_ptr<SSL, decltype(&SSL_free)> ssl(SSL_new(context_.get()), SSL_free);
        std::signal(SIGPIPE, SIG_IGN);  // OpenSSL's own sockets raise it where the client has closed
        const int on = 1;
        setsockopt(accepted.descriptor(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        SSL_set_fd(ssl.get(), accepted.descriptor());
        if (SSL_accept(ssl.get()) != 1) return;
        for (int left = manner_.answers; left > 0; --left) {
            std::string head;
            char byte = 0;
            while (!head.ends_with("\r\n\r\n")) {
                if (SSL_read(ssl.get(), &byte, 1) != 1) return;
                head.push_back(byte);
            }
            const std::size_t record = manner_.record_per_byte ? 1 : manner_.answer.size();
            for (std::size_t at = 0; at < manner_.answer.size(); at += record) {
                if (SSL_write(ssl.get(), manner_.answer.data() + at, static_cast<int>(record)) <= 0) return;
            }
        }
        if (manner_.notice) SSL_shutdown(ssl.get());
    }

    tls_manner manner_;
    std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context_;
    scripted_server server_;
};

}  // namespace tests
