#error "the std-only set must not include Asio"
