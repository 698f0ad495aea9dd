"""Runs a command with a terminal as stdout and stderr, and feeds it a list of cases until it has shown
its progress. Prints the lines that stay on the terminal.

usage: terminal.py COMMAND..."""

import os
import pty
import subprocess
import sys
import threading
import time

LONGEST_S = 30
ERASE = "\r\x1b[K"


def feed(pipe):
    end = time.monotonic() + LONGEST_S
    rows = b"x[3]\n"
    try:
        while not shown.is_set() and time.monotonic() < end:
            pipe.write(rows)
            pipe.flush()
            rows = b"1\n" * 1000
            time.sleep(0.01)
        pipe.close()
    except BrokenPipeError:
        pass


shown = threading.Event()
terminal, side = pty.openpty()
process = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=side, stderr=side)
os.close(side)
threading.Thread(target=feed, args=(process.stdin,), daemon=True).start()
said = b""
try:
    while part := os.read(terminal, 4096):
        said += part
        if b"rows/s" in said and "--time-limit" not in sys.argv:
            shown.set()
except OSError:  # the other side is closed
    pass
print(f"code {process.wait()}")
for line in said.decode().replace("\r\n", "\n").split("\n"):
    print(f"[{line.split(ERASE)[-1]}]", "after progress" if "rows/s" in line else "")
