"""Runs a command with a signal sent to it, a signal ignored, files limited in size, or a full pipe as its
standard output.

usage: surroundings.py [--signal NAME] [--ignore NAME] [--after SECONDS] [--file-limit BYTES]
                       [--blocked-stdout] COMMAND...

Prints how it ended, whether that was soon (within two seconds of the signal), and its output."""
import argparse
import os
import resource
import signal
import subprocess
import sys
import time

parser = argparse.ArgumentParser()
parser.add_argument("--signal")
parser.add_argument("--ignore")
parser.add_argument("--after", type=float, default=1.0)
parser.add_argument("--file-limit", type=int)
parser.add_argument("--blocked-stdout", action="store_true")
parser.add_argument("command", nargs=argparse.REMAINDER)
arguments = parser.parse_args()


def prepare():
    # Python ignores the first two. The parent of the tests may ignore the others.
    for name in ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGTERM", "SIGHUP", "SIGCHLD"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    if arguments.ignore:
        signal.signal(getattr(signal, arguments.ignore), signal.SIG_IGN)
    if arguments.file_limit:
        resource.setrlimit(resource.RLIMIT_FSIZE, (arguments.file_limit, arguments.file_limit))


out = subprocess.PIPE
if arguments.blocked_stdout:
    reader, out = os.pipe()
    os.set_blocking(out, False)
    try:
        while True:
            os.write(out, b"x" * 4096)
    except BlockingIOError:
        os.set_blocking(out, True)
process = subprocess.Popen(arguments.command, stdout=out, stderr=subprocess.PIPE, text=True,
                           preexec_fn=prepare, stdin=subprocess.DEVNULL)
sent = None
if arguments.signal:
    time.sleep(arguments.after)
    sent = time.monotonic()
    process.send_signal(getattr(signal, arguments.signal))
try:
    printed, said = process.communicate(timeout=30)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("still there after 30 s")
print(f"exit {process.returncode}")
if sent:
    print("soon" if time.monotonic() - sent < 2 else "late")
print(said, end="")
print(printed or "", end="")
