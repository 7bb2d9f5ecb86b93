#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <benchkit/http/socket_input.hpp>
#include <benchkit/http/stream_socket.hpp>

namespace benchkit::inline v0_1::http {

/// What came of one attempt to move bytes.
enum class transfer_status : std::uint8_t {
    done,          ///< some bytes were moved, or the step was taken
    needs_input,   ///< nothing more before the peer has sent something
    needs_output,  ///< nothing more before the kernel takes something
    closed,        ///< the peer has closed its side, in order
    cut,           ///< the peer has closed its side without the notice that TLS wants
    failed,        ///< an error
};

/// One attempt to move bytes over a socket that does not block.
struct transfer {
    transfer_status status = transfer_status::done;
    std::size_t size = 0;
    asio::error_code error{};   ///< after `failed`, where the system has one
    std::string_view reason{};  ///< after `failed` and `cut`: what TLS says; a view that lasts
};

namespace detail {

[[nodiscard]] inline transfer read_socket(socket_input& input, std::span<char> buffer) {
    asio::error_code error;
    const std::size_t size = input.read(buffer, error);
    if (!error) return {transfer_status::done, size};
    if (error == asio::error::would_block) return {transfer_status::needs_input};
    if (error == asio::error::eof) return {transfer_status::closed};
    return {transfer_status::failed, 0, error};
}

[[nodiscard]] inline transfer write_socket(stream_socket& socket, std::string_view bytes) {
    asio::error_code error;
    const std::size_t size = socket.send(asio::buffer(bytes.data(), bytes.size()), 0, error);
    if (!error) return {transfer_status::done, size};
    if (error == asio::error::would_block) return {transfer_status::needs_output};
    return {transfer_status::failed, 0, error};
}

}  // namespace detail

}  // namespace benchkit::inline v0_1::http
