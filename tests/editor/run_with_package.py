"""Runs a Python program with a package of PyPI, in an environment of its own.

Only tools/test --all, which sets MPF_EVERY_PACKAGE, runs it. 77: skipped.

usage: run_with_package.py SCRATCH PACKAGE ARGUMENTS-OF-PYTHON...
"""
import os
import subprocess
import sys
import venv

scratch, package = os.path.abspath(sys.argv[1]), sys.argv[2]
if not os.environ.get("MPF_EVERY_PACKAGE"):
    sys.exit(77)
venv.create(scratch, with_pip=True, clear=True)
python = os.path.join(scratch, "bin", "python")
if subprocess.run([python, "-m", "pip", "install", "-q", package]).returncode:
    print(f"{package} cannot be installed here")
    sys.exit(77)
sys.exit(subprocess.run([python, *sys.argv[3:]]).returncode)
