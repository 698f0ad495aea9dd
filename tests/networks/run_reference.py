"""Published networks with independently computed answers, through `mpfc run`.

usage: run_reference.py MPFC DATA [--tasks PR,MAR,MPE] [--max-work LOG2]
                        [--modes linear,log,f32,kept,unsimplified,bare,without-PASS,each-pass]
                        [--max-memory SIZE] [--names SUBSTRING] [--timeout SECONDS] [--device D]
                        [--workers N] [--deadline SECONDS] [--table]

DATA holds reference.json. An instance is tried when the log2 of the entries of all its cliques,
under the best order that the reference solver found, is at most --max-work. A result is right when
log10 differs by at most 1e-9 (f32: 1e-4) relative to max(1, |log10|), marginals by 1e-9 (1e-4).

Modes: `bare` leaves out the simplifier and every pass of the planner that the task can do without.
`kept` gives every message separate memory. `each-pass` means linear, unsimplified, bare, kept, and
without-PASS for every pass that mpfc names.

--workers N runs N instances at once, each on one thread, the cheapest first. No run starts after
--deadline seconds. --table prints the numbers of runs that were right, refused, over time and wrong for
each mode and task, and the instances that were left out, with the reason.

Exit code 1: an answer was wrong, or nothing was checked.
"""
import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
import time

from measured_run import KILLED, instanceOptions, instances, measuredRun

MODES = {"linear": [], "log": ["--arithmetic", "log"], "f32": ["--type", "f32"],
         "unsimplified": ["--simplify", "none"], "kept": ["--keep", "all"]}
MEMORY_BOUND = 3  # exit code: refused, with the smallest peak
USAGE = 2         # exit code: the task cannot do without the pass
# Without the bucket tree a query is one operation over all assignments of its variables.
WHOLE_BITS = 20


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data")
    parser.add_argument("--tasks", default="PR")
    parser.add_argument("--modes", default="linear,log,f32")
    parser.add_argument("--max-work", type=float, default=24)
    parser.add_argument("--max-memory", default="16GiB")
    parser.add_argument("--names", default="")
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--deadline", type=float, default=float("inf"))
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def passNames(mpfc):
    """Returns the names of the passes, which mpfc lists when it is asked for one that does not exist."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.mpf")
        with open(path, "w", encoding="ascii") as file:
            file.write("var x : 2\nfactor f(x) = [1, 2]\nquery evidence\n")
        run = subprocess.run([mpfc, "run", path, "--off-pass", "?"], capture_output=True, text=True)
    found = re.search(r"there are ([a-z, -]+)", run.stderr)
    assert found, f"no list of passes in: {run.stderr}"
    return found.group(1).strip().split(", ")


def expandModes(args):
    modes = []
    for mode in args.modes.split(","):
        if mode == "each-pass":
            modes += ["linear", "unsimplified", "bare", "kept"]
            modes += ["without-" + name for name in passNames(args.mpfc)]
        else:
            modes.append(mode)
    return modes


def optionsOf(mode, mpfc):
    if mode.startswith("without-"):
        return ["--off-pass", mode[len("without-"):]]
    if mode == "bare":
        kept = ("order-variables", "eliminate", "bound-operands", "nest-operations", "downward")
        offs = [name for name in passNames(mpfc) if name not in kept]
        return [word for name in offs for word in ("--off-pass", name)]
    return MODES[mode]


def readMarginals(path):
    with open(path, encoding="ascii") as file:
        words = file.read().split()
    assert words[0] == "MAR", f"{path} is no file of marginals"
    numbers = [float(word) for word in words[1:]]
    rows, at = [], 1
    for _ in range(int(numbers[0])):
        extent = int(numbers[at])
        rows.append(numbers[at + 1:at + 1 + extent])
        at += 1 + extent
    return rows


def closeLog(found, wanted, tolerance):
    return found == wanted or abs(found - wanted) <= tolerance * max(1, abs(wanted))


def checkNumber(result, wanted, tolerance):
    found = float(result["log10"])
    wanted = float(wanted)
    return None if closeLog(found, wanted, tolerance) else f"log10 {found}, reference {wanted}"


def checkMarginals(path, wantedPath, tolerance):
    found, wanted = readMarginals(path), readMarginals(wantedPath)
    if [len(r) for r in found] != [len(r) for r in wanted]:
        return "marginals of other extents than the reference"
    worst, where = 0, 0
    for i, (a, b) in enumerate(zip(found, wanted)):
        for x, y in zip(a, b):
            if not abs(x - y) <= worst:  # true for NaN too
                worst, where = abs(x - y), i
    return None if worst <= tolerance else f"marginal of variable {where} differs by {worst:.3g}"


class Outcome:
    """The outcome of one run: right, refused, late, needless (a pass that is needed), untried, wrong."""

    def __init__(self, kind, text="", seconds=0):
        self.kind, self.text, self.seconds = kind, text, seconds


def runOne(args, options, folder, entry, task, mode):
    jsonPath, marPath = os.path.join(folder, "r.json"), os.path.join(folder, "r.mar")
    command = [args.mpfc, "run", *instanceOptions(args.data, entry, task), "--json", jsonPath,
               "--max-memory", args.max_memory, "--device", args.device, *options]
    if args.workers > 1:
        command += ["--threads", "1"]
    if task == "MAR":
        command += ["-o", marPath]
    run = measuredRun(command, args.timeout)
    if run.code == KILLED:
        return Outcome("late", f"no answer after {args.timeout:.0f} s", args.timeout)
    if run.code == MEMORY_BOUND:
        return Outcome("refused", run.err.strip().split("error: ")[-1], run.wall)
    if run.code == USAGE and "cannot be turned off" in run.err:
        return Outcome("needless", run.err.strip(), run.wall)
    if run.code != 0:
        return Outcome("wrong", f"exit code {run.code}: {run.err.strip()[-300:]}", run.wall)
    tolerance = 1e-4 if mode == "f32" else 1e-9
    if task == "MAR":
        problem = checkMarginals(marPath, os.path.join(args.data, entry["mar"]), tolerance)
    else:
        with open(jsonPath, encoding="utf-8") as file:
            result = json.load(file)[0]
        problem = checkNumber(result, entry["log10_PR" if task == "PR" else "log10_MPE"], tolerance)
    return Outcome("wrong", problem, run.wall) if problem else Outcome("right", "", run.wall)


def wanted(entry, task):
    key = {"PR": "log10_PR", "MAR": "mar", "MPE": "log10_MPE"}[task]
    return entry["status"] == "reference" and entry.get(key) is not None


def workOf(entry, mode):
    """Returns log2 of the entries of all cliques. Without elimination it is at least a bit for each
    variable."""
    if mode == "without-eliminate":
        return entry["stats"]["live_vars"]
    return entry["best_order_found"]["log2_sum_cliques"]


def tooDear(args, entry, mode):
    """Returns the reason why a run is not tried; None if it is."""
    if mode == "without-eliminate" and workOf(entry, mode) > WHOLE_BITS:
        return f"one operation over more than 2^{WHOLE_BITS} assignments"
    if entry["best_order_found"]["log2_sum_cliques"] > args.max_work:
        return f"above --max-work {args.max_work:g}"
    return None


def runAll(args, networks, tasks, modes):
    """Returns {(mode, task, instance): Outcome}. The cheapest runs come first."""
    outcomes = {}
    jobs = []
    for mode in modes:
        options = optionsOf(mode, args.mpfc)
        for task in tasks:
            for name, entry in networks.items():
                if args.names not in name or not wanted(entry, task):
                    continue
                why = tooDear(args, entry, mode)
                if why:
                    outcomes[mode, task, name] = Outcome("untried", why)
                else:
                    jobs.append((workOf(entry, mode), mode, task, name, options))
    jobs.sort(key=lambda job: job[0])
    start = time.monotonic()

    def run(job):
        _, mode, task, name, options = job
        if time.monotonic() - start > args.deadline:
            return job, Outcome("untried", f"the deadline of {args.deadline:g} s had passed")
        with tempfile.TemporaryDirectory() as folder:
            return job, runOne(args, options, folder, networks[name], task, mode)

    with concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        for (_, mode, task, name, _), outcome in pool.map(run, jobs):
            outcomes[mode, task, name] = outcome
            if outcome.kind == "wrong":
                print(f"{name} {task} {mode}: {outcome.text}", flush=True)
    return outcomes


def printTable(outcomes, tasks, modes):
    """Prints one row per mode; then the runs that gave no answer, by reason."""
    print("| mode | " + " | ".join(f"{task}: right / refused / over time / wrong, s"
                                   for task in tasks) + " |")
    print("|" + " --- |" * (len(tasks) + 1))
    for mode in modes:
        cells = []
        for task in tasks:
            of = [o for (m, t, _), o in outcomes.items() if (m, t) == (mode, task)]
            count = collections.Counter(o.kind for o in of)
            if count["needless"] and count["needless"] + count["untried"] == len(of):
                cells.append("cannot be left out")
            else:
                cells.append(f"{count['right']} / {count['refused']} / {count['late']} / "
                             f"{count['wrong']}, {sum(o.seconds for o in of):.0f}")
        print(f"| {mode} | " + " | ".join(cells) + " |")
    print("\nwithout an answer:")
    reasons = collections.defaultdict(lambda: collections.defaultdict(set))
    for (mode, task, name), outcome in outcomes.items():
        if outcome.kind in ("untried", "late", "refused"):
            reasons[name][outcome.kind].add((f"{mode} {task}", outcome.text))
    for name, kinds in sorted(reasons.items()):
        for kind, runs in sorted(kinds.items()):
            texts = collections.defaultdict(list)
            for where, text in sorted(runs):
                texts[text if kind != "refused" else "over the memory bound"].append(where)
            for text, where in texts.items():
                shown = ", ".join(where[:6]) + (f", {len(where) - 6} more" if len(where) > 6 else "")
                print(f"- {name}: {text} ({shown})")


def main():
    args = parseArguments()
    tasks, modes = args.tasks.split(","), expandModes(args)
    outcomes = runAll(args, dict(instances(args.data)), tasks, modes)
    failures = sum(outcome.kind == "wrong" for outcome in outcomes.values())
    for task in tasks:
        for mode in modes:
            of = [o for (m, t, _), o in outcomes.items() if (m, t) == (mode, task)]
            count = collections.Counter(outcome.kind for outcome in of)
            if count["needless"] == len(of) - count["untried"] and count["needless"]:
                continue
            print(f"{task} {mode}: {count['right']} right, {count['refused']} over the memory "
                  f"bound, {count['late']} over time, {sum(o.seconds for o in of):.1f} s")
            if count["right"] == 0:
                failures += 1
                print(f"{task} {mode}: nothing was checked")
            if count["late"] and args.deadline == float("inf"):
                failures += 1  # with enough time every run must answer
    if args.table:
        printTable(outcomes, tasks, modes)
    sys.exit(1 if failures else 0)


main()
