#include <benchkit/platform/limits.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <limits>

#include <doctest/doctest.h>

namespace bk = benchkit;

namespace {

/// Puts the limits of the test program back.
class limit_guard {
  public:
    limit_guard() { getrlimit(RLIMIT_NOFILE, &before_); }
    ~limit_guard() { setrlimit(RLIMIT_NOFILE, &before_); }
    limit_guard(const limit_guard&) = delete;
    limit_guard& operator=(const limit_guard&) = delete;

    void lower_soft(rlim_t value) const {
        const rlimit lowered{value, before_.rlim_max};
        REQUIRE(setrlimit(RLIMIT_NOFILE, &lowered) == 0);
    }

  private:
    rlimit before_{};
};

}  // namespace

TEST_CASE("the soft limit is raised to what is wanted, never lowered") {
    const limit_guard guard;
    guard.lower_soft(64);
    CHECK(bk::descriptor_limits().soft == 64);
    CHECK(bk::raise_descriptor_limit(100) == 100);
    CHECK(bk::descriptor_limits().soft == 100);
    CHECK(bk::raise_descriptor_limit(50) == 100);
}

TEST_CASE("the hard limit is as far as it goes") {
    const limit_guard guard;
    guard.lower_soft(64);
    const auto hard = bk::descriptor_limits().hard;
    REQUIRE(hard >= 64);
    CHECK(bk::raise_descriptor_limit(std::numeric_limits<std::int64_t>::max()) == hard);
}

TEST_CASE("an open descriptor counts, a closed one does not") {
    const auto before = bk::open_descriptors();
    CHECK(before >= 0);
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    REQUIRE(descriptor >= 0);
    CHECK(bk::open_descriptors() == before + 1);
    close(descriptor);
    CHECK(bk::open_descriptors() == before);
}

TEST_CASE("asking descriptor by descriptor gives the same number") {
    CHECK(bk::detail::probe_open_descriptors(bk::descriptor_limits().soft) == bk::open_descriptors());
}

TEST_CASE("a port range is two ports in order") {
    const auto range = bk::detail::parse_port_range("32768\t60999\n");
    REQUIRE(range.has_value());
    CHECK(range->first == 32768);
    CHECK(range->last == 60999);
    CHECK(range->count() == 28232);
    CHECK_FALSE(bk::detail::parse_port_range("").has_value());
    CHECK_FALSE(bk::detail::parse_port_range("60999 32768").has_value());
    CHECK_FALSE(bk::detail::parse_port_range("0 60999").has_value());
    CHECK_FALSE(bk::detail::parse_port_range("32768 65536").has_value());
}

TEST_CASE("infinity is the largest number") {
    CHECK(bk::detail::from_rlim(RLIM_INFINITY) == std::numeric_limits<std::int64_t>::max());
    CHECK(bk::detail::from_rlim(1024) == 1024);
}
