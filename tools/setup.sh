# shellcheck shell=bash
# Sourced by tools/demo, tools/check and .ci/run: what they share.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== %s\n' "$*"; }

# need PACKAGE=PROBE...: installs the Debian packages whose probe (a command, or a file) is missing.
need() {
    local item probe missing=()
    for item in "$@"; do
        probe=${item#*=}
        command -v "$probe" >/dev/null || [ -e "$probe" ] || missing+=("${item%%=*}")
    done
    [ ${#missing[@]} -eq 0 ] && return
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    if ! type apt-get "${as_root[@]}" >/dev/null 2>&1; then
        say "missing: ${missing[*]}. They are installed by apt-get, as root or with sudo."
        return 1
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq || return
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

need_build_tools() {
    need g++=g++ meson=meson ninja-build=ninja pkg-config=pkg-config python3=python3 \
        libasio-dev=/usr/include/asio.hpp libsimdjson-dev=/usr/include/simdjson.h libssl-dev=/usr/include/openssl/ssl.h \
        openssl=openssl \
        libcli11-dev=/usr/include/CLI/CLI.hpp doctest-dev=/usr/include/doctest/doctest.h
}

# How many compilers at once: one per core, and 800 MB of free memory for each.
job_count() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/^MemAvailable:/ {print int($2 / 800000)}' /proc/meminfo)
    [ "$memory" -lt "$cores" ] && cores=$memory
    [ "$cores" -lt 1 ] && cores=1
    echo "$cores"
}

# configure DIRECTORY OPTION...: a build directory with these options. One that is there keeps what it has built.
configure() {
    local directory=$1
    shift
    [ -f "$directory/build.ninja" ] && [ "$(cat "$directory/options" 2>/dev/null)" = "$*" ] && return
    if [ -f "$directory/build.ninja" ]; then
        meson configure "$directory" "$@" || return
    else
        rm -rf "$directory"
        meson setup "$directory" "$root" "$@" || return
    fi
    echo "$*" >"$directory/options"
}

# What a build has that misses no part.
all_parts=(-Dtests=enabled -Dexamples=enabled -Dcli=enabled -Djson=enabled -Dtls=enabled)

# What tools/demo and tools/check share, in build/: optimised, with the program and the tests.
configure_release() {
    say "configuring build/"
    configure "$root/build" --buildtype=release "${all_parts[@]}"
}

# Counts the tests of the last `meson test` in a build directory: "PASSED FAILED".
count_tests() {
    python3 - "$1"/meson-logs/testlog*.json <<'END'
import json, sys
results = [json.loads(line)["result"] for line in open(sys.argv[1], encoding="utf-8")]
fine = sum(result in ("OK", "EXPECTEDFAIL") for result in results)
print(fine, sum(result != "SKIP" for result in results) - fine)
END
}

# check_build DIRECTORY ARGUMENT...: builds it and runs its tests, with these arguments for `meson test`. The last
# line that is printed counts them; fails if a test failed or something did not build.
check_build() {
    local directory=$1 passed=0 failed=1
    shift
    say "building ${directory#"$root"/}"
    if ninja -C "$directory" -j "$(job_count)"; then
        say "testing ${directory#"$root"/}"
        rm -f "$directory"/meson-logs/testlog*.json
        meson test -C "$directory" --no-rebuild --print-errorlogs --num-processes "$(nproc)" "$@" || true
        read -r passed failed < <(count_tests "$directory") || { passed=0 failed=1; }
    fi
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
}
