#include <benchkit.hpp>

#include <cstdio>

int main() {
    std::puts(benchkit::version);
}
