"""Planning that takes long says so once, before the time of the run is known.

usage: planning.py MPFC MODEL

The alarm that mpfc sets rings early: this process sends it once mpfc plans. The first ring is for the time of
the run, as far as it is known, the second for the planning.
"""
import signal
import subprocess
import sys
import time


def waitsForAlarm(number):
    """Whether the process has a handler of SIGALRM."""
    with open(f"/proc/{number}/status", encoding="ascii") as file:
        caught = next(line.split()[1] for line in file if line.startswith("SigCgt"))
    return int(caught, 16) >> (signal.SIGALRM - 1) & 1


def main(mpfc, model):
    run = subprocess.Popen([mpfc, "run", model, "--device", "cpu"], stderr=subprocess.PIPE, text=True)
    while run.poll() is None and not waitsForAlarm(run.pid):
        time.sleep(0.01)
    for _ in range(3):
        run.send_signal(signal.SIGALRM)
        time.sleep(0.1)
    run.terminate()
    print(run.communicate()[1], end="")


main(*sys.argv[1:])
