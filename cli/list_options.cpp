#include "list_options.hpp"

#include <cstdint>
#include <utility>

#include <benchkit/core/error.hpp>
#include <benchkit/http/requests_file.hpp>

#include "files.hpp"

namespace cli {

namespace {

namespace http = benchkit::http;

/// A URL and its weight, as --url-weight has them.
struct weighted_url {
    std::string url;
    std::int64_t weight = 1;
};

// Behind the last = is the weight: a query may have others.
weighted_url parse_weighted_url(const std::string& flag, const std::string& text) {
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos) {
        benchkit::fail_option(flag, text, "allowed is URL=WEIGHT, such as http://localhost/a=3");
    }
    const std::string weight = text.substr(equals + 1);
    const auto count = benchkit::parse_integer(weight);
    if (!count || *count < 1) {
        benchkit::fail_option(flag, text, "the weight behind the last = is a whole number of 1 or more");
    }
    return {text.substr(0, equals), *count};
}

// The usual request, for another path.
http::request request_for(const http::request& usual, const std::string& path) {
    http::request made(usual.method(), path);
    for (const http::header_line& each : usual.headers()) made.header(each.name, each.value);
    made.body(usual.body());
    return made;
}

}  // namespace

list_options::list_options(CLI::App& app)
    : weights_(app, "--url-weight", "URL=N",
               "a further URL of the same server, so often in a round (can be repeated)"),
      file_(app, "--requests-file", "FILE",
            "requests, a JSON object a line: "
            "{\"method\":\"POST\",\"url\":\"/x\",\"headers\":{},\"body\":\"...\"}"),
      order_(
          app, "--order", "ORDER",
          "of several requests: cycle, shuffle (each round, by the seed) or sequence (once; default cycle)") {}

std::string list_options::first_url() const {
    return weights_.given() ? parse_weighted_url(weights_.flag(), weights_.all().front()).url : std::string();
}

void list_options::apply(http::target& target, const http::request& usual, bool whole) const {
    http::request_list list = list_of(target, usual, whole);
    const bool several = list.round() > 1 || order_.given() || file_.given();
    const http::detail::prepared_list prepared(list, target.address(), target.options().version,
                                               target.options().keep_alive);
    if (!several && prepared.at(0).is_fixed()) return;
    target.requests(std::move(list.order(order())));
}

http::request_order list_options::order() const {
    const std::string name = order_.text();
    if (!order_.given() || name == "cycle") return http::request_order::cycle;
    if (name == "shuffle") return http::request_order::shuffle;
    if (name == "sequence") return http::request_order::sequence;
    benchkit::fail_option(order_.flag(), name, "allowed is cycle, shuffle or sequence");
}

http::request_list list_options::list_of(const http::target& target, const http::request& usual,
                                         bool whole) const {
    if (file_.given() && weights_.given()) {
        benchkit::fail(weights_.flag() + " and " + file_.flag() + ": only one of them can be given");
    }
    if (file_.given() && whole) {
        benchkit::fail(file_.flag() +
                       ": its requests have a method and a body of their own: neither -X nor -b "
                       "goes with it");
    }
    if (file_.given()) return from_file(target, usual);
    http::request_list list;
    add_urls(list, target, usual);
    return list;
}

http::request_list list_options::from_file(const http::target& target, const http::request& usual) const {
    const http::request_list read = http::parse_requests(
        file_.flag(), file_.text(), read_file(file_.flag(), file_.text()), target.address());
    http::request_list list;
    for (const http::request_list::entry& each : read.entries()) {
        http::request made = each.what;
        for (const http::header_line& field : usual.headers()) made.header(field.name, field.value);
        list.add(std::move(made), each.weight);
    }
    return list;
}

// The URL of the load itself counts once, unless a weight names it, too.
void list_options::add_urls(http::request_list& list, const http::target& target,
                            const http::request& usual) const {
    bool named = false;
    for (const std::string& text : weights_.all()) {
        const weighted_url each = parse_weighted_url(weights_.flag(), text);
        const std::string path = http::path_of_url(weights_.flag(), each.url, target.address());
        named = named || path == target.address().path;
        list.add(request_for(usual, path), each.weight);
    }
    if (!named) list.add(request_for(usual, target.address().path));
}

}  // namespace cli
