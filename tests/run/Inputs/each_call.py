"""Fails each call of a driver in turn while a list of rows is answered.

usage: each_call.py FIRST STEP RIGHT OUTPUT COMMAND...

COMMAND writes answers to OUTPUT; RIGHT has the right ones. A first run without a fault counts the calls.
In later runs, call FIRST fails, then the call STEP later, and so on. Either the command succeeds and has
written all rows, or it reports the error and has written the first rows. In both cases it gives back all
objects of the driver."""
import os
import subprocess
import sys

first, step, right, output, *command = sys.argv[1:]
counts = output + ".counts"


def run(fault):
    environment = dict(os.environ, MPF_FAKE_CUDA_COUNTS=counts)
    if fault:
        environment["MPF_FAKE_CUDA"] = f"{fault}:700"
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    with open(counts, encoding="utf-8") as file:
        calls, live = map(int, file.read().split())
    return ended, calls, live


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8") as file:
        return file.read()


expected = read(right)
ended, calls, live = run(0)
assert ended.returncode == 0 and read(output) == expected and live == 0, ended.stderr
failed = 0
for call in range(int(first), calls + 1, int(step)):
    os.remove(output) if os.path.exists(output) else None
    ended, _, live = run(call)
    written = read(output)
    what = f"call {call} of {calls}: {ended.returncode}, {len(written)} bytes, {live} live: {ended.stderr}"
    assert live == 0, what
    if ended.returncode == 0:
        assert written == expected, what
    else:
        failed += 1
        assert "mpfc: error: " in ended.stderr and "CUDA" in ended.stderr, what
        assert expected.startswith(written) and (not written or written.endswith("\n")), what
print(f"{failed} failed")
