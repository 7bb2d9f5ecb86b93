// One of two translation units that include single_include/benchkit.hpp and become one program.
#include <string_view>

#include <benchkit.hpp>

const char* version_of_the_other();

int main() {
    return std::string_view(benchkit::version) == version_of_the_other() ? 0 : 1;
}
