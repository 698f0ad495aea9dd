"""Runs session_test.py with pytest-lsp in an environment of its own.

It needs packages of PyPI, so only tools/test --all, which sets MPF_EVERY_PACKAGE, runs it. 77: skipped.

usage: run_session.py MPFC SCRATCH
"""
import os
import subprocess
import sys
import venv

mpfc, scratch = map(os.path.abspath, sys.argv[1:])
if not os.environ.get("MPF_EVERY_PACKAGE"):
    sys.exit(77)
venv.create(scratch, with_pip=True, clear=True)
python = os.path.join(scratch, "bin", "python")
if subprocess.run([python, "-m", "pip", "install", "-q", "pytest-lsp"]).returncode:
    print("pytest-lsp cannot be installed here")
    sys.exit(77)
sys.exit(subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider",
                         os.path.join(os.path.dirname(os.path.abspath(__file__)), "session_test.py")],
                        env={**os.environ, "MPFC": mpfc}).returncode)
