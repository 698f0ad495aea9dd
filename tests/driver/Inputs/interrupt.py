"""Sends SIGINT to a command when it reports a pass of the simplifier, just before the search for an
order. Prints its exit code and its messages about the search.

usage: interrupt.py COMMAND..."""

import signal
import subprocess
import sys

LONGEST_S = 60  # far below the --plan-time that the tests ask for

process = subprocess.Popen(
    sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run in background
)
line = process.stderr.readline()
while line and not (line.startswith("# ") and "round=" in line):
    sys.stderr.write(line)
    line = process.stderr.readline()
process.send_signal(signal.SIGINT)
try:
    _, said = process.communicate(timeout=LONGEST_S)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit(f"still searching after {LONGEST_S} s")
print(f"exit {process.returncode}")
print("\n".join(line for line in said.splitlines() if not line.startswith("# ")))
