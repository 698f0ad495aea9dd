"""Installs the build, builds the example host program against it, compares what it prints.

usage: build_host_program.py CMAKE BUILD_DIR EXAMPLE_DIR SCRATCH_DIR
"""
import os
import shutil
import subprocess
import sys


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    return done.stdout


def main(cmake, build, example, scratch):
    shutil.rmtree(scratch, ignore_errors=True)
    prefix, host = os.path.join(scratch, "prefix"), os.path.join(scratch, "host")
    run(cmake, "--install", build, "--prefix", prefix)
    run(cmake, "-S", example, "-B", host, f"-DCMAKE_PREFIX_PATH={prefix}",
        "-DCMAKE_BUILD_TYPE=Release")
    run(cmake, "--build", host)
    found = run(os.path.join(host, "host_program"))
    with open(os.path.join(example, "output.txt"), encoding="utf-8") as file:
        wanted = file.read()
    if found != wanted:
        sys.exit(f"printed:\n{found}expected:\n{wanted}")
    print(run(os.path.join(prefix, "bin", "mpfc"), "--version").strip())


main(*sys.argv[1:])
