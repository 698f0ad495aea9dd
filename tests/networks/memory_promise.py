"""Promised and measured memory of published networks, without a bound and within smaller ones.

usage: memory_promise.py MPFC DATA [--tasks PR,MAR] [--share 8] [--names SUBSTRING]
                         [--seconds 60] [--max-work LOG2] [--device D] [--table]

DATA holds reference.json. Every instance whose run ends within --seconds is run without a bound, and
within 1/SHARE of the bytes that it took. Inputs cannot be sliced, so the bounded run may be refused. Then
the instance is run within the smallest peak that the refusal names; if that takes too much time, it is
only planned. It is also run within the inputs and 1/SHARE of the other tables. The test fails if
  - the executor took more than 2 % above or below the bytes that were promised,
  - a bounded run took more than its bound, or gave another answer (log10 1e-9, marginals 1e-9),
  - a run within the smallest peak that was named is refused, or its plan needs more,
  - the process took more than the tables and the rest that `mpfc explain` states (CPU only).

--table prints one line per run: bytes promised, taken, of the process; slices; work factor; time.
"""
import argparse
import json
import os
import re
import sys
import tempfile

from measured_run import instanceOptions, instances, measuredRun, printHead, printRow

REFUSED = 3
LATE = 4
SLICES = re.compile(r"runs in (\d+) slices ")
WORK = re.compile(r"to stay within .*: ([\d.e+]+) times the work")
SMALLEST = re.compile(r"needs at least .*?(\d+) bytes")


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data")
    parser.add_argument("--tasks", default="PR,MAR")
    parser.add_argument("--share", type=int, default=8)
    parser.add_argument("--names", default="")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--max-work", type=float, default=64)
    parser.add_argument("--max-memory", default="16GiB")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


class Run:
    """One run of mpfc: exit code, messages, JSON, largest resident size."""

    def __init__(self, args, entry, task, bound, command="run"):
        self.bound = bound
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out.json")
            line = [args.mpfc, command, *instanceOptions(args.data, entry, task), "--json", out,
                    "--max-memory", str(bound), "--device", args.device]
            if command == "run":
                line += ["--time-limit", str(args.seconds)]
            run = measuredRun(line)
            self.code, self.said, self.seconds = run.code, run.err, run.wall
            self.residentBytes = run.peak_mib * 2 ** 20
            self.json = None
            if self.code == 0 and os.path.exists(out):
                with open(out, encoding="utf-8") as file:
                    report = json.load(file)
                    self.json = report[0] if command == "run" else report

    def promised(self):
        return self.json["peak_bytes"]

    def taken(self):
        return self.json["allocated_bytes"]

    def slices(self):
        """Returns its number of slices, and its work relative to the plan without a bound."""
        said = self.said
        if self.json and "queries" in self.json:
            said += "\n".join(w["text"] for w in self.json["queries"][0]["warnings"])
        slices, work = SLICES.search(said), WORK.search(said)
        return int(slices[1]) if slices else 1, float(work[1]) if work else 1.0

    def smallest(self):
        found = SMALLEST.search(self.said)
        return int(found[1]) if found else None


def differs(a, b):
    """Returns the first difference of two results, or None."""
    first, second = a.get("log10"), b.get("log10")
    if isinstance(first, float) and isinstance(second, float):
        if abs(first - second) > 1e-9 * max(1, abs(first)):
            return f"log10 {first} and {second}"
    elif first != second:
        return f"log10 {first} and {second}"
    tables = {table["name"]: table for table in b["tables"]}
    for table in a["tables"]:
        if table.get("normalised"):
            x, y = table.get("values"), tables[table["name"]].get("values")
            if (x is None) != (y is None):
                return f"{table['name']} is there once"
            if x and max(abs(p - q) for p, q in zip(x, y)) > 1e-9:
                return f"{table['name']} differs"
    return None


class Check:
    def __init__(self, args):
        self.args = args
        self.failures, self.runs, self.sliced, self.refused = 0, 0, 0, 0
        self.plannedOnly = 0
        self.factors, self.leastFactors, self.overheads = [], [], []
        self.named = set()  # the bound that a refusal named, while it is tried

    def fail(self, name, task, what):
        self.failures += 1
        print(f"{name} {task}: {what}", flush=True)

    def show(self, name, task, run):
        if not self.args.table:
            return
        slices, work = run.slices()
        bound = "" if isinstance(run.bound, str) else f"{run.bound}"
        printRow(name, task, bound, run.promised(), run.taken(), round(run.residentBytes), slices,
                 f"{work:.2f}", f"{run.seconds:.2f}")

    def kept(self, name, task, run):
        self.runs += 1
        promised, taken = run.promised(), run.taken()
        if abs(taken - promised) > 0.02 * promised:
            self.fail(name, task, f"{promised} bytes promised, {taken} taken")
        if not isinstance(run.bound, str) and taken > run.bound:
            self.fail(name, task, f"{taken} bytes taken, the bound is {run.bound}")
        self.show(name, task, run)

    def process(self, name, task, entry, run):
        """Compares the whole process with the memory that explain states. Returns that statement."""
        stated = Run(self.args, entry, task, run.bound, "explain")
        if stated.json is None:
            return self.fail(name, task, f"explain: exit code {stated.code}")
        memory = stated.json["queries"][0]["memory"]
        if memory["peak_bytes"] != run.promised():
            self.fail(name, task,
                      f"explain says {memory['peak_bytes']} bytes, run {run.promised()}")
        limit = memory["process_bytes"]
        if self.args.device == "cpu":
            self.overheads.append(run.residentBytes - run.promised())
            if run.residentBytes > limit:
                self.fail(name, task,
                          f"the process took {run.residentBytes}, explain says {limit}")
        return memory

    def late(self, name, task, entry, bound):
        """Checks that a run without an answer in time has at least a plan within the bound."""
        plan = Run(self.args, entry, task, bound, "explain")
        if plan.code == REFUSED:
            return plan
        if plan.json is None or plan.json["queries"][0]["memory"]["peak_bytes"] > bound:
            self.fail(name, task, f"no plan within {bound} bytes")
        self.plannedOnly += 1
        print(f"{name} {task}: planned within {bound} bytes, too slow to run: "
              f"{plan.slices()[1]:.3g} times the work", flush=True)
        return plan

    def bounded(self, name, task, entry, free, bound):
        """Checks a run within a bound. Returns the run if it is refused."""
        run = Run(self.args, entry, task, bound)
        if run.code == REFUSED:
            return run
        if run.code == LATE:
            return self.late(name, task, entry, bound)
        if run.code != 0:
            self.fail(name, task, f"exit code {run.code}: {run.said[-300:]}")
            return run
        self.kept(name, task, run)
        if what := differs(free.json, run.json):
            self.fail(name, task, f"within {run.bound} bytes another answer: {what}")
        slices, work = run.slices()
        if slices > 1 or work != 1:
            self.sliced += 1
            (self.leastFactors if run.bound in self.named else self.factors).append(work)
        return run

    def shares(self, name, task, entry, free, memory):
        share = self.args.share
        run = self.bounded(name, task, entry, free, max(1, free.promised() // share))
        if run.code != REFUSED:
            return
        self.refused += 1
        least = run.smallest()
        if least is None:
            return self.fail(name, task, f"refused without a peak: {run.said[-200:]}")
        if least > free.promised():
            return self.fail(name, task, f"named {least}, it runs in {free.promised()}")
        self.named.add(least)
        if self.bounded(name, task, entry, free, least).code == REFUSED:
            return self.fail(name, task, f"refused within the {least} bytes it named")
        self.named.clear()
        eased = memory["input_bytes"] + memory["work_bytes"] // share if memory else 0
        if eased > least:
            self.bounded(name, task, entry, free, eased)
        return None

    def instance(self, name, task, entry):
        free = Run(self.args, entry, task, self.args.max_memory)
        if free.code in (REFUSED, LATE):
            print(f"{name} {task}: {'over the bound' if free.code == REFUSED else 'late'}", flush=True)
            return
        if free.code == 1 and "evidence has probability zero" in free.said:
            return  # that is the answer
        if free.code != 0:
            self.fail(name, task, f"exit code {free.code}: {free.said[-300:]}")
            return
        self.kept(name, task, free)
        memory = self.process(name, task, entry, free)
        self.shares(name, task, entry, free, memory)


def main():
    args = parseArguments()
    check = Check(args)
    if args.table:
        printHead("instance", "task", "bound", "promised", "taken", "process", "slices", "work", "s")
    for task in args.tasks.split(","):
        for name, entry in instances(args.data):
            if args.names in name and entry["best_order_found"]["log2_sum_cliques"] <= args.max_work:
                check.instance(name, task, entry)
    print(f"{check.runs} runs took what they promised, {check.sliced} in slices; {check.refused} "
          f"refused 1/{args.share} and ran in what they named, {check.plannedOnly} of all were "
          f"planned within a bound, but too slow to run; {check.failures} failures")
    for what, list_ in ((f"1/{args.share}", check.factors), ("the least", check.leastFactors)):
        if factors := sorted(list_):
            print(f"work within {what}: median {factors[len(factors) // 2]:.2f}, at most 2: "
                  f"{sum(f <= 2 for f in factors)} of {len(factors)}, most {factors[-1]:.2f}")
    if check.overheads:
        print(f"process beyond tables: at most {max(check.overheads) / 2**20:.1f} MiB")
    if check.runs == 0:
        print("nothing was checked")
    sys.exit(1 if check.failures or check.runs == 0 else 0)


main()
