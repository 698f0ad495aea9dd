"""Checks that every C++ file has the layout of clang-format, in the version of Debian 12.

usage: check_format.py ROOT CLANG_FORMAT [--fix]
"""
import subprocess
import sys

from tree import finish, sourceFiles


def main(root, clangFormat, fix):
    files = [p for p in sourceFiles(root, ".h", ".cpp", ".cc") if "/Inputs/" not in p]
    if fix and files:
        subprocess.run([clangFormat, "-i", *files], cwd=root, check=True)
    run = subprocess.run([clangFormat, "--dry-run", *files], cwd=root, capture_output=True,
                         text=True) if files else None
    bad = sorted({line.split(":")[0] for line in run.stderr.splitlines()
                  if "code should be clang-formatted" in line}) if files else []
    if run is not None and run.returncode != 0:
        bad.append(f"{clangFormat} failed: {run.stderr[:500]}")
    finish("format", [f"{p}: run tools/format" for p in bad], len(files))


main(sys.argv[1], sys.argv[2], "--fix" in sys.argv[3:])
