"""Compiles the programs of examples/10_from_c by every C compiler that is here, and compares what they print.

Two of the programs run again under valgrind, where that is installed: no memory may be lost.

usage: run_examples.py ROOT LIBRARY SCRATCH
"""
import os
import shutil
import subprocess
import sys

COMPILERS = ["gcc", "clang-19"]
VALGRIND = ["valgrind", "--quiet", "--leak-check=full", "--errors-for-leak-kinds=definite,indirect", "--error-exitcode=9"]
R_GLUE = "posterior_r.c"  # tests/install builds it where R is
LONG = {"watch"}  # its search for a plan takes long enough without valgrind


def main(root, library, scratch):
    os.makedirs(scratch, exist_ok=True)
    example = os.path.join(root, "examples", "10_from_c")
    arguments = {"burglary": [os.path.join(root, "examples", "06_interchange", "burglary.bif")]}
    compilers = [name for name in COMPILERS if shutil.which(name)]
    if not compilers:
        raise SystemExit(f"none of {', '.join(COMPILERS)} is installed")
    names = sorted(name.removesuffix(".c") for name in os.listdir(example) if name.endswith(".c") and name != R_GLUE)
    for name in names:
        program = os.path.join(scratch, name)
        for compiler in reversed(compilers):  # the program of the first one remains
            run([compiler, "-std=c99", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror",
                 "-I", os.path.join(root, "runtime", "c"), os.path.join(example, f"{name}.c"), "-o", program, library,
                 f"-Wl,-rpath,{os.path.dirname(library)}"])
        found = run([program, *arguments.get(name, [])])
        with open(os.path.join(example, f"{name}_output.txt"), encoding="utf-8") as file:
            wanted = file.read()
        if found != wanted:
            raise SystemExit(f"{name} printed:\n{found}expected:\n{wanted}")
        if shutil.which("valgrind") and name not in LONG:
            run([*VALGRIND, program, *arguments.get(name, [])])
    print(f"{', '.join(names)}: {', '.join(compilers)}{', valgrind' if shutil.which('valgrind') else ''}")


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


main(*map(os.path.abspath, sys.argv[1:]))
