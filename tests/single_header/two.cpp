#include <benchkit.hpp>

const char* version_of_the_other();

const char* version_of_the_other() {
    return benchkit::version;
}
