"""Runs commands and measures wall-clock time, processor time and peak memory, for the scripts here."""
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass

KILLED = -9  # the code of a run that took longer than its limit


@dataclass
class Run:
    code: int
    out: str
    err: str
    wall: float       # seconds
    processor: float  # seconds of user and system time, all threads
    peak_mib: float   # largest resident set


class Launcher:
    """A small process that starts the commands. A child's peak memory includes the memory of its parent
    at its start, and this process may have read large results."""

    def __init__(self):
        self.process = subprocess.Popen([sys.executable, "-S", os.path.abspath(__file__)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, command, out, err):
        self.process.stdin.write(json.dumps([command, out, err]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


LAUNCHERS = threading.local()  # one a thread


def serve():
    """Serves as the launcher: reads one command a line, and prints one answer a line."""
    for line in sys.stdin:
        command, out, err = json.loads(line)
        start = time.monotonic()
        child = os.posix_spawnp(command[0], command, os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, fd, path, os.O_WRONLY, 0) for fd, path in ((1, out), (2, err))])
        _, status, usage = os.wait4(child, 0)
        answer = [os.waitstatus_to_exitcode(status), time.monotonic() - start,
                  usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024]
        print(json.dumps(answer), flush=True)


def measuredRun(command, limit=None):
    """Runs a command. After `limit` seconds the process is killed, and the code is KILLED."""
    if not hasattr(LAUNCHERS, "own"):
        LAUNCHERS.own = Launcher()
    if limit is not None:
        command = ["timeout", "--signal=KILL", str(limit), *command]
    with tempfile.NamedTemporaryFile("r") as out, tempfile.NamedTemporaryFile("r") as err:
        code, wall, processor, peak = LAUNCHERS.own.run(command, out.name, err.name)
        return Run(code, out.read(), err.read(), wall, processor, peak)


def explain(mpfc, model, *options):
    """Returns (the run, the JSON of `mpfc explain` about the only query, or None without output)."""
    run = measuredRun([mpfc, "explain", model, "--json", "-", *options])
    return run, json.loads(run.out)["queries"][0] if run.out else None


def instances(data):
    with open(os.path.join(data, "reference.json"), encoding="utf-8") as file:
        return sorted(json.load(file)["instances"].items())


def instanceOptions(data, entry, task="PR"):
    """Returns [model, options...] of an instance of reference.json."""
    model = os.path.join(data, entry["model"])
    if entry["evidence"]:
        return [model, "--task", task, "--evidence", os.path.join(data, entry["evidence"])]
    return [model, "--task", task, "--evidence", "none"]


def printRow(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def printHead(*cells):
    printRow(*cells)
    print("|" + " --- |" * len(cells), flush=True)


if __name__ == "__main__":
    serve()
