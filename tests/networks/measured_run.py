"""A command with its wall-clock time, processor time and peak memory; what the scripts here share."""
import json
import os
import subprocess
import tempfile
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


def measuredRun(command, limit=None):
    """`limit`: seconds, after which the process is killed and the code is KILLED."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        start = time.monotonic()
        if limit is not None:
            command = ["timeout", "--signal=KILL", str(limit), *command]
        child = subprocess.Popen(command, stdout=out, stderr=err)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        wall = time.monotonic() - start
        out.seek(0)
        err.seek(0)
        return Run(child.returncode, out.read(), err.read(), wall,
                   usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def explain(mpfc, model, *options):
    """(the run, what `mpfc explain` says of the only query, None if it said nothing)."""
    run = measuredRun([mpfc, "explain", model, "--json", "-", *options])
    return run, json.loads(run.out)["queries"][0] if run.out else None


def instances(data):
    with open(os.path.join(data, "reference.json"), encoding="utf-8") as file:
        return sorted(json.load(file)["instances"].items())


def instanceOptions(data, entry, task="PR"):
    """[model, options...] of an instance of reference.json."""
    model = os.path.join(data, entry["model"])
    if entry["evidence"]:
        return [model, "--task", task, "--evid", os.path.join(data, entry["evidence"])]
    return [model, "--task", task, "--no-evid"]


def printRow(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def printHead(*cells):
    printRow(*cells)
    print("|" + " --- |" * len(cells), flush=True)
