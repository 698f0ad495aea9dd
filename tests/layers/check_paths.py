"""Checks that no committed file depends on the machine on which it was written.

usage: check_paths.py ROOT
"""
import re
import sys

from tree import finish, readText, sourceFiles

# Absolute folders that belong to one person or one machine. /usr, /etc, /dev, /proc are Debian's.
PRIVATE = re.compile(r"(?<![\w.~$}/-])/(?:work|home|root|Users|mnt|media|srv|scratch)/[\w.-]")
BINARY = (".png", ".npy", ".gz", ".xz", ".zst", ".mpfb", ".cubin")


def main(root):
    problems = []
    files = [p for p in sourceFiles(root)
             if not p.endswith(BINARY) and not p.startswith("tests/fuzz/corpus/")
             and p != "tests/layers/check_paths.py"]
    for path in files:
        for number, line in enumerate(readText(root, path).splitlines(), 1):
            match = PRIVATE.search(line)
            if match:
                problems.append(f"{path}:{number}: absolute path of one machine: {match[0]}...")
    finish("paths", problems, len(files))


main(sys.argv[1])
