#!/usr/bin/env python3
"""Runs a program and compares its standard output with an expected text.

  compare_output.py EXPECTED PROGRAM [ARGUMENT...]

A line of the expected text stands for itself: a count that must be exact is written as digits. What differs
from run to run is written as

  <number>   a number, such as 12, 1065.17 or -3
  <time>     a number with a unit of time, such as 4.69 s or 12 us; or n/a
  <any>      any text, also none
  <lines>    alone on its line: any number of lines, also none

Blanks count as one, however many there are, and none at the ends of a line, because columns move with the
widths of their numbers.
"""

import pathlib
import re
import subprocess
import sys

PLACEHOLDERS = {
    "<number>": r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?",
    "<time>": r"(?:-?\d+(?:\.\d+)? ?(?:ns|us|ms|s|min|m|h)|n/a)",
    " <any>": r"(?: .*)?",
    "<any>": r".*",
}
ANY_LINES = r"(?:.*\n)*?"


def squeezed(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def pattern_of(line):
    if line == "<lines>":
        return ANY_LINES
    parts = re.split("(" + "|".join(PLACEHOLDERS) + ")", line)
    return "".join(PLACEHOLDERS.get(part, re.escape(part)) for part in parts) + r"\n"


def where_it_differs(expected, text):
    """The first line that is not as expected."""
    for count in range(len(expected), -1, -1):
        same = re.match("".join(map(pattern_of, expected[:count])), text)
        if same:
            wanted = expected[count] if count < len(expected) else "the end"
            got = text[same.end():].split("\n", 1)[0] if same.end() < len(text) else "the end"
            return f"line {text.count(chr(10), 0, same.end()) + 1}\n  expected: {wanted}\n  printed:  {got}"


def main():
    expected_path, *command = sys.argv[1:]
    outcome = subprocess.run(command, stdout=subprocess.PIPE, encoding="utf-8")
    print(outcome.stdout)
    if outcome.returncode != 0:
        sys.exit(f"the program ended with {outcome.returncode}")
    expected = squeezed(pathlib.Path(expected_path).read_text(encoding="utf-8"))
    text = "".join(line + "\n" for line in squeezed(outcome.stdout))
    if not re.fullmatch("".join(map(pattern_of, expected)), text):
        sys.exit(where_it_differs(expected, text))


if __name__ == "__main__":
    main()
