// A libFuzzer target: clang++ -fsanitize=fuzzer,address,undefined. Its corpus is replayed by the unit tests.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "request_parser_fuzz.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string fault =
        benchkit_test::fault_of_request_parser({reinterpret_cast<const char*>(data), size});
    if (fault.empty()) return 0;
    std::fprintf(stderr, "%s\n", fault.c_str());
    std::abort();
}
