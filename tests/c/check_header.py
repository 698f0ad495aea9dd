"""Compiles the header for C alone, as C99, C11 and C++, by every compiler that is here, without a warning.

usage: check_header.py HEADER
"""
import os
import shutil
import subprocess
import sys

LANGUAGES = [("c", "c99"), ("c", "c11"), ("c", "c17"), ("c++", "c++11"), ("c++", "c++17"), ("c++", "c++20")]
COMPILERS = ["gcc", "clang-19"]


def main(header):
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if not compilers:
        raise SystemExit(f"none of {', '.join(COMPILERS)} is installed")
    source = f'#include "{os.path.basename(header)}"\nint main(void) {{ return mpf_abi_version() != MPF_ABI_VERSION; }}\n'
    for compiler in compilers:
        for language, standard in LANGUAGES:
            done = subprocess.run([compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic",
                                   "-Werror", "-fsyntax-only", "-I", os.path.dirname(header), "-"],
                                  input=source, capture_output=True, text=True)
            if done.returncode != 0:
                raise SystemExit(f"{compiler} -std={standard}:\n{done.stderr}")
    print(f"{', '.join(compilers)}: {len(LANGUAGES)} standards")


main(os.path.abspath(sys.argv[1]))
