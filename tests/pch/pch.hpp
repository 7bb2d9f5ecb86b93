// Precompiled for the test programs that use coroutines.
#include <benchkit/exec/asio.hpp>

#include <doctest/doctest.h>
