"""Checks that a CMakeLists.txt names each file of GoogleTest tests: a test that is not built cannot fail.

usage: check_built.py ROOT
"""
import os
import re
import sys

from tree import finish, readText, sourceFiles

NAMED = re.compile(r"[\w./-]+_test\.cpp")


def main(root):
    files = sourceFiles(root)
    built = {os.path.normpath(os.path.join(os.path.dirname(path), name))
             for path in files if os.path.basename(path) == "CMakeLists.txt"
             for name in NAMED.findall(readText(root, path))}
    tests = [path for path in files if path.endswith("_test.cpp")]
    finish("built", [f"{path}: no CMakeLists.txt names it" for path in tests if path not in built], len(tests))


main(sys.argv[1])
