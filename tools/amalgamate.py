#!/usr/bin/env python3
"""Makes single_include/benchkit.hpp of include/benchkit.hpp and all it includes. The same input gives the
same output: no date, no path.

  tools/amalgamate.py                 writes single_include/benchkit.hpp
  tools/amalgamate.py --check         says whether that file is what would be written; exit 1 if not
  tools/amalgamate.py --forward DIR   writes DIR/benchkit/<layer>/<name>.hpp for each header, which includes
                                      <benchkit.hpp>: with these, programs written for the many headers
                                      compile against the one
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = ROOT / "include"
UMBRELLA = "benchkit.hpp"
OUTPUT = ROOT / "single_include" / "benchkit.hpp"

DIRECTIVE = re.compile(r"\s*#\s*(\w+)\s*(.*)")
INCLUDED_NAME = re.compile(r'[<"]([^>"]+)[>"]')

BANNER = """\
// benchkit {version}, all headers in one. Made from include/ by tools/amalgamate.py: change those instead.
//
// Distributed under the Boost Software License, Version 1.0: see LICENSE or https://www.boost.org/LICENSE_1_0.txt

#pragma once
"""


def is_ours(name):
    return name == UMBRELLA or name.startswith("benchkit/")


def library_version():
    text = (INCLUDE / "benchkit/core/version.hpp").read_text(encoding="utf-8")
    return re.search(r'BENCHKIT_VERSION_STRING "([^"]+)"', text).group(1)


class Amalgamation:
    """Headers in the order of their first inclusion, each once, with the includes of ours taken out and the
    others kept where they are first needed."""

    def __init__(self):
        self.sections = []  # one text per header, those it includes first
        self.conditions = []  # the #if around what is being read, outermost first
        self.included_under = {}  # name -> the conditions under which it was included
        self.chain = []  # the headers being read, to find cycles

    def is_available(self, name):
        """Whether an earlier inclusion holds here too: everything it was conditional on is true here."""
        return any(self.conditions[:len(c)] == c for c in self.included_under.get(name, []))

    def note_inclusion(self, name):
        self.included_under.setdefault(name, []).append(list(self.conditions))

    def add(self, name):
        if name in self.chain:
            sys.exit("amalgamate: these headers include each other: " + " -> ".join([*self.chain, name]))
        if self.is_available(name):
            return
        if name in self.included_under:
            sys.exit(f"amalgamate: {name} is needed by {self.chain[-1]}, but was included before that only inside an "
                     f"#if: put the optional headers at the end of {UMBRELLA}")
        if not (INCLUDE / name).is_file():
            sys.exit(f"amalgamate: {self.chain[-1]} includes <{name}>, which does not exist")
        self.note_inclusion(name)
        self.chain.append(name)
        self.add_text(name, (INCLUDE / name).read_text(encoding="utf-8"))
        self.chain.pop()

    def add_text(self, name, text):
        conditions_outside = list(self.conditions)
        for unconditional_only in (True, False):
            lines = []
            for line in text.splitlines():
                directive, argument = DIRECTIVE.match(line).groups() if DIRECTIVE.match(line) else ("", "")
                included = INCLUDED_NAME.match(argument).group(1) if directive == "include" else ""
                if is_ours(included):
                    self.add_inner(included, lines, conditions_outside, unconditional_only)
                elif not unconditional_only and self.keep_line(directive, argument, included):
                    lines.append(line)
                self.follow_condition(directive, argument)
            if self.conditions != conditions_outside:
                sys.exit(f"amalgamate: an #if of {name} has no #endif")
        self.flush(name, lines)

    def add_inner(self, included, lines, conditions_outside, unconditional_only):
        """Puts a header that is included by another before it, or within its #if where there is one."""
        if self.conditions == conditions_outside:
            if unconditional_only:
                self.add(included)
        elif not unconditional_only:
            self.flush(self.chain[-1], lines)
            self.add(included)

    def keep_line(self, directive, argument, included):
        if directive == "pragma" and argument.strip() == "once":
            return False
        if not included:
            return True
        if self.is_available(included):
            return False
        self.note_inclusion(included)
        return True

    def follow_condition(self, directive, argument):
        if directive in ("if", "ifdef", "ifndef"):
            self.conditions.append(f"{directive} {argument}")
        elif directive in ("elif", "else"):
            self.conditions[-1] = f"{directive} of {self.conditions[-1]}: {argument}"
        elif directive == "endif":
            self.conditions.pop()

    def flush(self, name, lines):
        """Moves the lines so far into the text; blank ones alone are dropped."""
        text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip("\n")
        lines.clear()
        if text:
            heading = "" if name == UMBRELLA else f"// {'-' * 10} {name}\n\n"
            self.sections.append(heading + text + "\n")


def amalgamate():
    amalgamation = Amalgamation()
    amalgamation.add(UMBRELLA)
    headers = sorted(name for name in amalgamation.included_under if name.startswith("benchkit/"))
    return "\n".join([BANNER.format(version=library_version()), *amalgamation.sections]), headers


def check(text):
    if not OUTPUT.is_file() or OUTPUT.read_text(encoding="utf-8") != text:
        sys.exit("single_include/benchkit.hpp is not what include/ makes: run tools/amalgamate.py")


def forward(directory, headers):
    for name in headers:
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = "#pragma once\n\n#include <benchkit.hpp>\n"
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="Makes single_include/benchkit.hpp of include/.")
    parser.add_argument("--check", action="store_true", help="only compare with the file that is there")
    parser.add_argument("--forward", metavar="DIR", type=pathlib.Path, help="write forwarding headers into DIR")
    arguments = parser.parse_args()

    text, headers = amalgamate()
    if arguments.check:
        check(text)
    elif arguments.forward:
        forward(arguments.forward, headers)
    else:
        OUTPUT.parent.mkdir(exist_ok=True)
        OUTPUT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
