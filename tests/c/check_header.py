"""Compiles each header for C alone, as C99, C11 and C++, by every compiler that is here, without a warning.

usage: check_header.py FOLDER
"""
import os
import shutil
import subprocess
import sys

from prototypes import headersIn

LANGUAGES = [("c", "c99"), ("c", "c11"), ("c", "c17"), ("c++", "c++11"), ("c++", "c++17"), ("c++", "c++20")]
COMPILERS = ["gcc", "clang-19"]


def main(folder):
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if not compilers:
        raise SystemExit(f"none of {', '.join(COMPILERS)} is installed")
    headers = [os.path.basename(header) for header in headersIn(folder)]
    for compiler in compilers:
        for language, standard in LANGUAGES:
            for header in headers:
                compile(compiler, language, standard, folder, header)
    print(f"{', '.join(compilers)}: {len(LANGUAGES)} standards, {', '.join(headers)}")


def compile(compiler, language, standard, folder, header):
    source = f'#include "{header}"\nint main(void) {{ return mpf_abi_version() != MPF_ABI_VERSION; }}\n'
    done = subprocess.run([compiler, "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror",
                           "-fsyntax-only", "-I", folder, "-"], input=source, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"{compiler} -std={standard}, {header}:\n{done.stderr}")


main(os.path.abspath(sys.argv[1]))
