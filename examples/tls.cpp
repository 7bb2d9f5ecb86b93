// An https server whose certificate is signed by an authority of one's own: what is refused and why, and what a
// handshake costs with and without an earlier session. Any server that speaks TLS will do; docs/http.md says
// how `openssl` makes one.

#include <chrono>
#include <iostream>
#include <string>

#include <benchkit.hpp>
#include <benchkit/http/tls.hpp>

namespace bk = benchkit;
namespace http = benchkit::http;

// One client, a connection for each request and so a handshake for each.
void show(const std::string& what, const http::target& target) {
    const bk::result r =
        bk::load(bk::single_threaded{}, target, bk::closed_loop{.clients = 1}, {.operations = 30});
    std::cout << what << ": " << r.counter("succeeded") << " succeeded, " << r.counter("failed.tls")
              << " refused\n";
    if (const auto reason = bk::find_text(r.attributes, "first_error"); !reason.empty()) {
        std::cout << "  " << reason << "\n";
    }
    if (const bk::distribution* handshake = r.find_distribution("tls_time")) {
        std::cout << "  " << r.counter("tls_resumed")
                  << " handshakes took a session up again; half of all took "
                  << bk::format_duration(std::chrono::nanoseconds(*handshake->percentile(50))) << " or less\n";
    }
}

int main(int count, char** arguments) {
    if (count != 3) {
        std::cerr << "usage: example_tls HOST:PORT CA_FILE\n";
        return 2;
    }
    const std::string peer = arguments[1];
    const std::string authority = arguments[2];

    // Unless told otherwise, a target trusts the system's authorities, and ours is none of them.
    http::target target("https://" + peer + "/", {.keep_alive = false});
    show("the system's authorities", target);

    target.secured_by(http::tls({.ca_file = authority}));
    show("our authority", target);

    target.secured_by(http::tls({.ca_file = authority, .resume = false}));
    show("every handshake in full", target);

    // The certificate must name the URL's host, wherever the connection goes.
    http::target other("https://other.example/", {.keep_alive = false});
    other.secured_by(http::tls({.ca_file = authority})).connect_to(peer);
    show("another host", other);
}
