#!/usr/bin/env python3
"""Writes the first C++ example of a Markdown file into a file: first_example.py MARKDOWN OUTPUT"""

import pathlib
import re
import sys

markdown, output = map(pathlib.Path, sys.argv[1:])
example = re.search(r"^```cpp\n(.*?)^```$", markdown.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
if not example:
    sys.exit(f"{markdown.name} has no C++ example")
output.write_text(example.group(1), encoding="utf-8")
