"""Checks that files are small: at most 400 lines (tables excepted), with a median under 200.

READMEs are pages for people: lines of at most 110 characters outside tables, code and addresses,
and at most 60 lines for a folder's README.

usage: check_lengths.py ROOT
"""
import re
import statistics
import sys

from tree import finish, proseLines, readText, sourceFiles

MAX_LINES = 400
MAX_MEDIAN = 200
MAX_README_LINES = 60
MAX_README_WIDTH = 110
# The newcomer's page is a full document.
LONG_READMES = {"README.md"}
ADDRESS = re.compile(r"https?://\S+")


def readmeProblems(path, text):
    lines = text.count("\n")
    if path not in LONG_READMES and lines > MAX_README_LINES:
        yield f"{path}: {lines} lines, a folder's README has at most {MAX_README_LINES}"
    for number, line in proseLines(text):
        width = len(ADDRESS.sub("", line))
        if width > MAX_README_WIDTH and not line.startswith("|"):
            yield f"{path}:{number}: {width} characters wide, at most {MAX_README_WIDTH}"


def main(root):
    problems = []
    # .def files are tables: one row per item, as long as they need to be.
    code = sourceFiles(root, ".h", ".cpp", ".cc", ".cuh", ".cu", ".py", ".cmake")
    lengths = {p: readText(root, p).count("\n") for p in code}
    problems += [f"{p}: {n} lines, at most {MAX_LINES}" for p, n in lengths.items() if n > MAX_LINES]
    median = statistics.median(lengths.values()) if lengths else 0
    if median >= MAX_MEDIAN:
        problems.append(f"the median file has {median} lines, it must stay below {MAX_MEDIAN}")
    for path in sourceFiles(root, "README.md"):
        problems += readmeProblems(path, readText(root, path))
    print(f"lengths: median {median} lines, longest "
          f"{max(lengths.values(), default=0)} ({max(lengths, key=lengths.get, default='none')})")
    finish("lengths", problems, len(code))


main(sys.argv[1])
