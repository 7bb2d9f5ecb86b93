#!/usr/bin/env python3
"""Holds the tree to its layout (docs/architecture.md): which header may include which, where Asio, simdjson
and the clock may be used, what a header looks like, and that nothing was left out of the umbrella, of the
test programs and of the examples. Prints each violation as `file:line: sentence`; exit 1 if there is one.

  tools/check_layers.py              checks the tree
  tools/check_layers.py --std-only   prints the headers of the std-only set, one a line
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
UMBRELLA = "benchkit.hpp"

# What the headers of a layer may include besides those of their own layer: a layer, or one header of one.
ALLOWED = {
    "core": [],
    "stats": ["core"],
    "platform": ["core"],
    "result": ["platform", "stats", "core"],
    "exec": ["platform", "core"],
    "http": ["exec", "result/cause.hpp", "result/operation_failed.hpp", "core"],
    "load": ["http", "exec", "result", "platform", "stats", "core"],
    "work": ["load", "http", "exec", "result", "platform", "stats", "core"],
    "batch": ["load", "http", "exec", "result", "platform", "stats", "core"],
    "report": ["result", "platform", "stats", "core"],
}

# The std-only set: compiles with -fno-exceptions -fno-rtti and with no Asio on the path.
STD_ONLY = ["core", "stats", "platform", "result", "report",
            "load/arrivals.hpp", "load/arrival_schedule.hpp", "load/exact_rate.hpp", "load/format_arrivals.hpp",
            "load/open_loop.hpp", "load/parse_arrivals.hpp", "load/poisson_schedule.hpp", "load/ramp_schedule.hpp",
            "load/read_trace.hpp", "load/stage_schedule.hpp", "load/validate_arrivals.hpp"]
NOT_STD_ONLY = ["result/json_reader.hpp"]

ASIO_HEADERS = ["exec/asio.hpp", "exec/asio_tls.hpp"]
SIMDJSON_HEADERS = ["result/json_reader.hpp", "http/expect_json.hpp", "http/requests_file.hpp"]
OPENSSL_HEADERS = ["http/tls.hpp"]
CLOCK_HEADERS = ["core/clock.hpp"]
FOREIGN_MACROS = {"exec/asio.hpp": ["ASIO_STANDALONE", "ASIO_HAS_CO_AWAIT"]}

LONGEST = 500  # lines of a file
SOURCES = ["include", "cli", "tests", "examples", "benchmarks", "tools"]

INCLUDE_LINE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')
DEFINE_LINE = re.compile(r"\s*#\s*define\s+(\w+)")
INLINE_NAMESPACE = re.compile(r"^namespace benchkit::inline (\w+)")
NAMESPACE = re.compile(r"^(?:inline )?namespace\b")

violations = []


def report(path, line, sentence):
    violations.append(f"{path.relative_to(ROOT)}:{line}: {sentence}")


def read(path):
    return path.read_text(encoding="utf-8")


def code_of(line):
    """The line without its // comment."""
    return line.split("//", 1)[0]


def in_list(name, entries):
    return name in entries or name.split("/", 1)[0] in entries


def is_std_only(name):
    return in_list(name, STD_ONLY) and name not in NOT_STD_ONLY


def headers():
    """(path, name) of each header, the name as in <benchkit/NAME>."""
    paths = sorted((INCLUDE / "benchkit").rglob("*.hpp"))
    return [(path, path.relative_to(INCLUDE / "benchkit").as_posix()) for path in paths]


def includes_of(path):
    """(line number, bracket, name) of each include."""
    for number, line in enumerate(read(path).splitlines(), 1):
        match = INCLUDE_LINE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def check_inner_include(path, name, number, target):
    layer = name.split("/", 1)[0]
    target_layer = target.split("/", 1)[0]
    if target_layer != layer and not in_list(target, ALLOWED[layer]):
        report(path, number, f"{layer} must not include {target}: an include only points down.")
    elif is_std_only(name) and not is_std_only(target):
        report(path, number, f"{name} is in the std-only set, {target} is not.")


def check_outer_include(path, name, number, target):
    if target == "asio.hpp":
        report(path, number, "<asio.hpp> includes all of Asio: name the narrow header.")
    elif target.startswith("asio") and name not in ASIO_HEADERS:
        report(path, number, f"Asio is included by {' and '.join(ASIO_HEADERS)} only.")
    if target.startswith("openssl/") and name not in OPENSSL_HEADERS:
        report(path, number, f"OpenSSL is included by {' and '.join(OPENSSL_HEADERS)} only.")
    if target.startswith("simdjson") and name not in SIMDJSON_HEADERS:
        report(path, number, f"simdjson is included by {' and '.join(SIMDJSON_HEADERS)} only.")


def check_includes(path, name):
    for number, bracket, target in includes_of(path):
        if bracket == '"':
            report(path, number, f'write <{target}>: a header is included by its full name in angle brackets.')
        elif target == UMBRELLA:
            report(path, number, "a header must not include the umbrella.")
        elif not target.startswith("benchkit/"):
            check_outer_include(path, name, number, target)
        elif not (INCLUDE / target).is_file():
            report(path, number, f"<{target}> does not exist.")
        else:
            check_inner_include(path, name, number, target.removeprefix("benchkit/"))


def check_namespaces(path, lines, version_namespace):
    opened = [(number, line) for number, line in enumerate(lines, 1) if NAMESPACE.match(line)]
    ours = [line for _, line in opened if INLINE_NAMESPACE.match(line)]
    for number, line in opened:
        match = INLINE_NAMESPACE.match(line)
        if match and match.group(1) != version_namespace:
            report(path, number, f"the inline namespace is {version_namespace}, as in core/version.hpp.")
    if opened and not ours:
        report(path, opened[0][0], f"the header has no `namespace benchkit::inline {version_namespace}`.")


def check_macros(path, name, lines):
    for number, line in enumerate(lines, 1):
        match = DEFINE_LINE.match(line)
        allowed = FOREIGN_MACROS.get(name, [])
        if match and not match.group(1).startswith("BENCHKIT_") and match.group(1) not in allowed:
            report(path, number, f"the macro {match.group(1)} does not begin with BENCHKIT_.")


def check_shape(path, name, version_namespace):
    lines = read(path).splitlines()
    if "#pragma once" not in lines:
        report(path, 1, "the header has no #pragma once.")
    check_namespaces(path, lines, version_namespace)
    check_macros(path, name, lines)
    for number, line in enumerate(lines, 1):
        if "steady_clock::now" in code_of(line) and name not in CLOCK_HEADERS:
            report(path, number, f"steady_clock::now is called in {CLOCK_HEADERS[0]} only: use benchkit::clock.")
        if "__has_include" in code_of(line):
            report(path, number, "__has_include lets a type differ between translation units: use a macro.")


def version_namespace():
    """The inline namespace of core/version.hpp, which must say the version of its macros."""
    path = INCLUDE / "benchkit/core/version.hpp"
    text = read(path)
    major, minor, patch = (re.search(rf"BENCHKIT_VERSION_{part} (\d+)", text).group(1)
                           for part in ("MAJOR", "MINOR", "PATCH"))
    if f'BENCHKIT_VERSION_STRING "{major}.{minor}.{patch}"' not in text:
        report(path, 1, f"BENCHKIT_VERSION_STRING is not {major}.{minor}.{patch}.")
    if f"version: '{major}.{minor}.{patch}'" not in read(ROOT / "meson.build"):
        report(ROOT / "meson.build", 1, f"the project's version is not {major}.{minor}.{patch}, as in core/version.hpp.")
    return f"v{major}_{minor}"


def check_umbrella():
    """Each header is included by the umbrella, or by one that is."""
    reached = {}
    waiting = [UMBRELLA]
    while waiting:
        name = waiting.pop()
        if name not in reached and (INCLUDE / name).is_file():
            reached[name] = True
            waiting += [target for _, _, target in includes_of(INCLUDE / name) if target.startswith("benchkit/")]
    for path, name in headers():
        if f"benchkit/{name}" not in reached:
            report(path, 1, f"<{UMBRELLA}> does not include it.")


def check_std_only_program():
    """The program that is built without Asio, exceptions and RTTI includes the whole set."""
    path = ROOT / "tests/std_only/main.cpp"
    included = [target for _, _, target in includes_of(path)]
    for _, name in headers():
        if is_std_only(name) and f"benchkit/{name}" not in included:
            report(path, 1, f"<benchkit/{name}> is in the std-only set, but not in this program.")


def check_test_files():
    """Each header has a test file, which includes it first."""
    for path, name in headers():
        test = ROOT / "tests" / name.replace(".hpp", "_test.cpp")
        if not test.is_file():
            report(path, 1, f"there is no {test.relative_to(ROOT)}.")
        elif next((target for _, _, target in includes_of(test)), None) != f"benchkit/{name}":
            report(test, 1, f"it does not include <benchkit/{name}> first.")


def check_listed(pattern, list_file):
    """Each file of the pattern is named in the list file."""
    listed = read(ROOT / list_file) if (ROOT / list_file).is_file() else ""
    for path in sorted(ROOT.glob(pattern)):
        name = path.relative_to((ROOT / list_file).parent).with_suffix("").as_posix()
        if not re.search(rf"'{re.escape(name)}(\.cpp)?'", listed):
            report(path, 1, f"{list_file} does not list it.")


def check_length():
    for directory in SOURCES:
        for path in sorted((ROOT / directory).rglob("*")):
            if path.suffix in (".hpp", ".cpp", ".py"):
                length = len(read(path).splitlines())
                if length > LONGEST:
                    report(path, length, f"the file is longer than {LONGEST} lines.")


def main():
    if sys.argv[1:] == ["--std-only"]:
        print("\n".join(f"benchkit/{name}" for _, name in headers() if is_std_only(name)))
        return
    if sys.argv[1:]:
        sys.exit(__doc__)
    inline_namespace = version_namespace()
    for path, name in headers():
        if name.split("/", 1)[0] not in ALLOWED:
            report(path, 1, "there is no such layer.")
            continue
        check_includes(path, name)
        check_shape(path, name, inline_namespace)
    check_umbrella()
    check_std_only_program()
    check_test_files()
    check_listed("tests/*/*_test.cpp", "tests/meson.build")
    check_listed("examples/*.cpp", "examples/meson.build")
    check_length()
    if violations:
        sys.exit("\n".join(violations))


if __name__ == "__main__":
    main()
