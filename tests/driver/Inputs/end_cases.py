"""Feeds a command an endless list of cases, and sends it a signal (or none) after one second of work.

usage: end_cases.py SIGNAL OUTPUT COMMAND...

Prints how the command ended, and whether OUTPUT holds as many whole rows as its message says."""

import ast
import re
import signal
import struct
import subprocess
import sys
import threading
import time

LONGEST_S = 60
WORK_S = 1


def feed(pipe):
    rows = b"x[3],x[7]\n" + b"1,\n,0\n" * 5000
    try:
        while True:
            pipe.write(rows)
            rows = b"1,\n,0\n" * 5000
    except (BrokenPipeError, ValueError):
        pass


def rowsIn(path):
    """Returns the number of rows, or of cases in the totals; None if the last row is not whole."""
    with open(path, "rb") as file:
        data = file.read()
    if data.startswith(b"cases: "):
        return int(data[7:].split()[0]) if b"sum of ln(evidence): -" in data else None
    if not path.endswith(".npy"):
        lines = data.split(b"\n")
        return len(lines) - 2 if lines[-1] == b"" and all(lines[1:-1]) else None
    length = struct.unpack("<H", data[8:10])[0]
    rows, columns = ast.literal_eval(data[10:10 + length].decode())["shape"]
    return rows if len(data) == 10 + length + 8 * rows * columns else None


process = subprocess.Popen(
    sys.argv[3:], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
    preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests may run in background
)
threading.Thread(target=feed, args=(process.stdin,), daemon=True).start()
if sys.argv[1] != "none":
    time.sleep(WORK_S)
    process.send_signal(getattr(signal, "SIG" + sys.argv[1]))
try:
    process.wait(LONGEST_S)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit(f"still working after {LONGEST_S} s")
said = process.stderr.read().decode()
told = re.search(r"(\d+) rows? (?:is|are) in|totals are of (\d+) rows?\n", said)
rows = int(told[1] or told[2]) if told else 0
whole = rows > 0 and rowsIn(sys.argv[2]) == rows
end = f"by signal {-process.returncode}" if process.returncode < 0 else f"with code {process.returncode}"
print(f"ended {end}, {'whole rows, as many as it said' if whole else 'rows that it did not say'}")
print(said)
