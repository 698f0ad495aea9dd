"""Published networks with independently computed answers, through `mpfc run`.

usage: run_reference.py MPFC DATA [--tasks PR,MAR,MPE] [--max-work LOG2]
                        [--modes linear,log,f32,unsimplified,without-PASS]
                        [--max-memory SIZE] [--names SUBSTRING] [--timeout SECONDS] [--device D]

DATA holds reference.json. An instance is tried when the log2 of the entries of all its cliques,
under the best order that the reference solver found, is at most --max-work. A result is right when
log10 differs by at most 1e-9 (f32: 1e-4) relative to max(1, |log10|), marginals by 1e-9 (1e-4).
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

MODES = {"linear": [], "log": ["--arithmetic", "log"], "f32": ["--type", "f32"],
         "unsimplified": ["--simplify", "off"]}


def optionsOf(mode):
    """Of the words above, or of "without-PASS"."""
    return ["--off-pass", mode[len("without-"):]] if mode.startswith("without-") else MODES[mode]


MEMORY_BOUND = 3  # exit code: refused, with the smallest peak


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
    return parser.parse_args()


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
            if abs(x - y) > worst:
                worst, where = abs(x - y), i
    return None if worst <= tolerance else f"marginal of variable {where} differs by {worst:.3g}"


def runOne(args, folder, name, entry, task, mode):
    """None when right, "refused" when over the memory bound, otherwise what is wrong."""
    jsonPath, marPath = os.path.join(folder, "r.json"), os.path.join(folder, "r.mar")
    command = [args.mpfc, "run", os.path.join(args.data, entry["model"]), "--task", task, "--json",
               jsonPath, "--max-memory", args.max_memory, "--device", args.device, *optionsOf(mode)]
    if entry["evidence"]:
        command += ["--evid", os.path.join(args.data, entry["evidence"])]
    else:
        command += ["--no-evid"]
    if task == "MAR":
        command += ["-o", marPath]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=args.timeout)
    except subprocess.TimeoutExpired:
        return f"no answer after {args.timeout} s"
    if run.returncode == MEMORY_BOUND:
        return "refused"
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr.strip()[-300:]}"
    tolerance = 1e-4 if mode == "f32" else 1e-9
    if task == "MAR":
        return checkMarginals(marPath, os.path.join(args.data, entry["mar"]), tolerance)
    with open(jsonPath, encoding="utf-8") as file:
        result = json.load(file)
    return checkNumber(result, entry["log10_PR" if task == "PR" else "log10_MPE"], tolerance)


def wanted(entry, task):
    key = {"PR": "log10_PR", "MAR": "mar", "MPE": "log10_MPE"}[task]
    return entry["status"] == "reference" and entry.get(key) is not None


def main():
    args = parseArguments()
    with open(os.path.join(args.data, "reference.json"), encoding="utf-8") as file:
        instances = json.load(file)["instances"]
    failures = 0
    for task in args.tasks.split(","):
        for mode in args.modes.split(","):
            right = refused = 0
            start = time.monotonic()
            for name, entry in sorted(instances.items()):
                work = entry["best_order_found"]["log2_sum_cliques"]
                if args.names not in name or not wanted(entry, task) or work > args.max_work:
                    continue
                with tempfile.TemporaryDirectory() as folder:
                    problem = runOne(args, folder, name, entry, task, mode)
                if problem is None:
                    right += 1
                elif problem == "refused":
                    refused += 1
                else:
                    failures += 1
                    print(f"{name} {task} {mode}: {problem}", flush=True)
            print(f"{task} {mode}: {right} right, {refused} over the memory bound, "
                  f"{time.monotonic() - start:.1f} s", flush=True)
            if right == 0:
                failures += 1
                print(f"{task} {mode}: nothing was checked")
    sys.exit(1 if failures else 0)


main()
