#!/usr/bin/env python3
"""Uses benchkit as others do, in a directory that is removed afterwards.

  check.py subproject SOURCE           a Meson project that has benchkit in its subprojects/
  check.py installed BUILD             a program that finds what the build installs by pkg-config

CXX names the compiler.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MAIN = HERE / "subproject" / "main.cpp"


def run(*command, **more):
    print("$", shlex.join(map(str, command)), flush=True)
    return subprocess.run(command, check=True, encoding="utf-8", **more)


def as_subproject(scratch, source):
    project = scratch / "project"
    (project / "subprojects").mkdir(parents=True)
    (project / "subprojects/benchkit").symlink_to(source, target_is_directory=True)
    for name in ("meson.build", "main.cpp"):
        (project / name).symlink_to(HERE / "subproject" / name)
    run("meson", "setup", scratch / "build", project)
    run("meson", "test", "-C", scratch / "build")


def installed(scratch, build):
    run("meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", scratch)
    (pkgconfig,) = scratch.rglob("benchkit.pc")
    environment = dict(os.environ, PKG_CONFIG_SYSROOT_DIR=str(scratch))
    path = os.pathsep.join(filter(None, [str(pkgconfig.parent), os.environ.get("PKG_CONFIG_PATH")]))
    environment["PKG_CONFIG_PATH"] = path
    flags = run("pkg-config", "--cflags", "--libs", "benchkit", env=environment, stdout=subprocess.PIPE).stdout
    program = scratch / "consumer"
    run(*shlex.split(os.environ["CXX"]), "-std=c++20", "-o", program, MAIN, *shlex.split(flags))
    run(program)
    for installed_program in scratch.rglob("bin/benchkit"):
        run(installed_program, "--version")


def main():
    how, directory = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        {"subproject": as_subproject, "installed": installed}[how](pathlib.Path(scratch), directory)


if __name__ == "__main__":
    main()
