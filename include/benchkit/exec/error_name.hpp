#pragma once

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>

#include <benchkit/exec/asio.hpp>

namespace benchkit::inline v0_1 {

namespace detail {

struct named_error {
    int number;
    std::string_view name;
};

/// The errors that sockets meet, by the names of std::errc.
inline constexpr std::array<named_error, 23> named_errors{{{ECONNREFUSED, "connection_refused"},
                                                           {ECONNRESET, "connection_reset"},
                                                           {ECONNABORTED, "connection_aborted"},
                                                           {EPIPE, "broken_pipe"},
                                                           {ETIMEDOUT, "timed_out"},
                                                           {EADDRNOTAVAIL, "address_not_available"},
                                                           {EADDRINUSE, "address_in_use"},
                                                           {EAFNOSUPPORT, "address_family_not_supported"},
                                                           {EACCES, "permission_denied"},
                                                           {EPERM, "operation_not_permitted"},
                                                           {EHOSTUNREACH, "host_unreachable"},
                                                           {EHOSTDOWN, "host_down"},
                                                           {ENETUNREACH, "network_unreachable"},
                                                           {ENETDOWN, "network_down"},
                                                           {ENETRESET, "network_reset"},
                                                           {ENOBUFS, "no_buffer_space"},
                                                           {ENOMEM, "not_enough_memory"},
                                                           {EMFILE, "too_many_files_open"},
                                                           {ENFILE, "too_many_files_open_in_system"},
                                                           {EINVAL, "invalid_argument"},
                                                           {EBADF, "bad_file_descriptor"},
                                                           {EAGAIN, "try_again"},
                                                           {ECANCELED, "operation_canceled"}}};

/// Whether the error's number is one of errno: Asio has a category of its own for them beside the standard
/// ones.
[[nodiscard]] inline bool is_errno(const asio::error_code& error) noexcept {
    return error.category() == asio::error::get_system_category() ||
           error.category() == std::system_category() || error.category() == std::generic_category();
}

}  // namespace detail

/// The name under which an error is counted, as in `errors.connection_refused`.
[[nodiscard]] inline std::string error_name(const asio::error_code& error) {
    if (error == asio::error::host_not_found) return "host_not_found";
    if (error == asio::error::host_not_found_try_again) return "host_not_found_try_again";
    if (error == asio::error::no_data) return "host_has_no_address";
    if (error == asio::error::eof) return "end_of_file";
    for (const detail::named_error& known : detail::named_errors) {
        if (detail::is_errno(error) && error.value() == known.number) return std::string(known.name);
    }
    if (detail::is_errno(error)) return "errno_" + std::to_string(error.value());
    return std::string(error.category().name()) + "_" + std::to_string(error.value());
}

}  // namespace benchkit::inline v0_1
