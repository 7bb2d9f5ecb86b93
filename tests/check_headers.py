#!/usr/bin/env python3
"""Compiles each header by itself, twice included, to find out what it forgot to include. A header is compiled
again only when it, or something it includes, is newer than the last time it was fine.

The compiler and its flags are those of tests/main.cpp in the build directory.

  check_headers.py INCLUDE_DIRECTORY BUILD_DIRECTORY
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys


def compiler_of(build, include):
    """The command that compiles tests/main.cpp, without its files and with the headers of `include` first."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        if entry["file"].endswith("tests/main.cpp"):
            words = shlex.split(entry["command"])
            named = [at for at, word in enumerate(words) if word in ("-o", "-c", "-MF", "-MQ")]
            files = {*named, *(at + 1 for at in named)}
            words = [word for at, word in enumerate(words) if at not in files and word != "-MD"]
            first_path = next(at for at, word in enumerate(words) if word.startswith("-I"))
            return [*words[:first_path], f"-I{include}", *words[first_path:]]
    sys.exit("check_headers: the build directory does not compile tests/main.cpp")


def is_fresh(stamp, dependencies):
    """Whether all files of the last compilation are older than it."""
    if not stamp.is_file() or not dependencies.is_file():
        return False
    names = dependencies.read_text(encoding="utf-8").replace("\\\n", " ").split(":", 1)[1].split()
    return all(os.path.exists(name) and os.path.getmtime(name) <= stamp.stat().st_mtime for name in names)


def compile_header(name, state, build, compiler):
    """The compiler's complaints about a header; empty where it is fine."""
    stem = state / name.replace("/", "-").removesuffix(".hpp")
    source, stamp, dependencies = (stem.with_suffix(end) for end in (".cpp", ".stamp", ".d"))
    if is_fresh(stamp, dependencies):
        return ""
    source.write_text(f"#include <{name}>\n#include <{name}>\n", encoding="utf-8")
    started_at = source.stat().st_mtime
    command = [*compiler, "-fsyntax-only", "-MD", "-MF", str(dependencies), str(source)]
    outcome = subprocess.run(command, cwd=build, capture_output=True, text=True)
    if outcome.returncode != 0:
        return f"{name} does not compile by itself:\n{outcome.stderr}"
    stamp.touch()
    os.utime(stamp, (started_at, started_at))
    return ""


def main():
    include, build = map(pathlib.Path, sys.argv[1:])
    state = build / "header_checks"
    state.mkdir(exist_ok=True)
    compiler = compiler_of(build, include)
    names = sorted(path.relative_to(include).as_posix() for path in include.rglob("*.hpp"))
    with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        complaints = list(pool.map(lambda name: compile_header(name, state, build, compiler), names))
    print(f"{len(names)} headers, {len(list(filter(None, complaints)))} at fault")
    if any(complaints):
        sys.exit("\n".join(filter(None, complaints)))


if __name__ == "__main__":
    main()
