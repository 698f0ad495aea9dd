"""mpfc within limits that others set: address space, data, control groups, what the machine commits.
No --max-memory.

usage: memory_limits.py MPFC [DATA] [--runs N] [--seed S] [--kinds as,data,group,commit]
                        [--table]
                        [--max-mib 800] [--max-work LOG2] [--seconds 60]

Models are the published ones of DATA (reference.json) and networks made here (make_network.py), each
with a task and 1 to 64 threads. First each runs without a limit; then within limits from small to
large. It fails when
  - a run is killed by a signal, or ends with exit code 70, or says what no one understands,
  - a run is refused where a smaller limit was enough,
  - an answer is another one than without a limit (log10 and marginals 1e-9).
Two runs at once in one group: none may be killed either. The group is made inside the one that this
process is in, and removed at the end; where the machine does not allow one, it says so, and `group`
is left out. commit is the whole machine's (overcommit.py) and only tried where it is asked for.
--runs: as many runs in all; without it each of a few models meets a few limits of each
kind. The last lines: largest resident size over promised tables and 16 MiB, and beside the tables,
median and worst.
"""
import argparse
import contextlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time

from control_group import ControlGroup
from measured_run import instanceOptions, instances, measuredRun, printHead, printRow
from overcommit import Overcommit

LIMITERS = {"group": ControlGroup, "commit": Overcommit}
OK, REFUSED, LATE = 0, 3, 4
MIB = 2 ** 20
MADE = [("grid", "11", "11"), ("random", "40", "90"), ("chain", "3000"), ("clique", "18"), ("clique", "24"),
        ("csp", "30", "4", "60"), ("star", "2000")]


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data", nargs="?")
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default="as,data,group")
    parser.add_argument("--max-mib", type=float, default=800)
    parser.add_argument("--max-work", type=float, default=25)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--table", action="store_true")
    return parser.parse_args()


def confined(kind, limit, group):
    """What to put before a command: the shell that sets its limit and becomes it."""
    if kind == "group":
        return ["sh", "-c", f"echo $$ > {group.folder}/cgroup.procs && exec \"$@\"", "sh"]
    if kind in ("", "commit"):
        return []
    option = {"as": "v", "data": "d"}[kind]
    return ["sh", "-c", f"ulimit -c 0; ulimit -{option} {limit // 1024} && exec \"$@\"", "sh"]


class Limited:
    """One run of mpfc under a limit of `kind` ("": none): code, JSON, what it said, peak bytes."""

    def __init__(self, line, kind, limit, limiters, seconds):
        group = limiters.get(kind)
        meanwhile = group.limited(limit) if group else contextlib.nullcontext()
        with tempfile.TemporaryDirectory() as folder, meanwhile:
            out = os.path.join(folder, "out.json")
            run = measuredRun([*confined(kind, limit, group), *line, "--json", out,
                               "--time-limit", str(seconds)])
            self.code, self.said, self.peak = run.code, run.err, round(run.peak_mib * MIB)
            self.json = None
            if self.code == OK and os.path.exists(out):
                with open(out, encoding="utf-8") as file:
                    self.json = json.load(file)


def differs(a, b):
    """What is other in two results, or None."""
    first, second = a.get("log10"), b.get("log10")
    if isinstance(first, float) and isinstance(second, float):
        if abs(first - second) > 1e-9 * max(1, abs(first)):
            return f"log10 {second}, not {first}"
    elif first != second:
        return f"log10 {second}, not {first}"
    tables = {table["name"]: table for table in b["tables"]}
    for table in a["tables"]:
        x, y = table.get("values"), tables[table["name"]].get("values")
        if table.get("normalised") and x and max(abs(p - q) for p, q in zip(x, y)) > 1e-9:
            return f"{table['name']} differs"
    return None


class Campaign:
    def __init__(self, args, limiters):
        self.args, self.limiters = args, limiters
        self.draw = random.Random(args.seed)
        self.kinds = [k for k in args.kinds.split(",")
                      if k in limiters or k not in LIMITERS]
        self.runs, self.answered, self.refused, self.late, self.failures = 0, 0, 0, 0, 0
        self.over = []  # largest resident size over the promised bytes
        self.free = {}

    def fail(self, name, what):
        self.failures += 1
        print(f"{name}: {what}", flush=True)

    def line(self, options, threads):
        return [self.args.mpfc, "run", *options, "--device", "cpu", "--threads", str(threads)]

    def unlimited(self, name, options):
        name += " " + options[-1]
        if name not in self.free:
            run = Limited(self.line(options, 2), "", 0, {}, self.args.seconds)
            self.free[name] = run.json
        return self.free[name]

    def limits(self, count):
        """MiB, ascending, as many small as large ones."""
        return sorted(round(self.args.max_mib ** self.draw.uniform(0.45, 1), 1)
                      for _ in range(count))

    def series(self, model, options, kind, threads, count):
        """One model within limits from small to large; a smaller one was enough: so is this."""
        free = self.unlimited(model, options)
        if free is None:
            return
        enough = None
        for mib in self.limits(count):
            name = f"{model}, {threads} threads, {kind} {mib} MiB"
            run = Limited(self.line(options, threads), kind, int(mib * MIB), self.limiters,
                          self.args.seconds)
            self.runs += 1
            promised = run.json["peak_bytes"] if run.json else 0
            if self.args.table:
                printRow(model, threads, kind, mib, run.code, promised, run.peak)
            if run.code == OK:
                self.answered += 1
                enough = enough or mib
                self.over.append((run.peak - promised, run.peak / (promised + 16 * MIB), name))
                if what := differs(free, run.json):
                    self.fail(name, what)
            elif run.code == REFUSED:
                self.refused += 1
                if enough:
                    self.fail(name, f"refused, {enough} MiB were enough: {run.said[-300:]}")
                if "error: " not in run.said:
                    self.fail(name, f"refused without a word: {run.said[-300:]}")
            elif run.code == LATE:
                self.late += 1
            else:
                self.fail(name, f"exit code {run.code}: {run.said[-300:]}")

    def pair(self, model, options, mib):
        """Two runs at once in one group: each finds all of it free."""
        group = self.limiters["group"]
        group.limit(int(mib * MIB))
        line = [*confined("group", int(mib * MIB), group), *self.line(options, 1)]
        both = [subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        codes = [run.wait() for run in both]
        self.runs += 2
        self.answered += codes.count(OK)
        self.refused += codes.count(REFUSED)
        if not {*codes} <= {OK, REFUSED}:
            self.fail(f"{model}, two at once, group {mib} MiB", f"exit codes {codes}")

    def report(self):
        print(f"{self.runs} runs ({', '.join(self.kinds)}): {self.answered} answered, "
              f"{self.refused} refused, {self.late} late, {self.failures} failures")
        if self.over:
            shares = sorted(share for _, share, _ in self.over)
            beside = sorted(self.over)
            print(f"largest resident size over promised tables + 16 MiB: median "
                  f"{shares[len(shares) // 2]:.2f}, worst {shares[-1]:.2f}; beside the tables: median "
                  f"{beside[len(beside) // 2][0] / MIB:.1f} MiB, worst {beside[-1][0] / MIB:.1f} MiB "
                  f"({beside[-1][2]})")


def models(args, folder):
    """[(name, options)], tasks among them."""
    found = []
    here = os.path.dirname(os.path.abspath(__file__))
    for kind in MADE:
        path = os.path.join(folder, "_".join(kind) + ".uai")
        subprocess.run([sys.executable, os.path.join(here, "make_network.py"), *kind, "-o", path],
                       check=True)
        found += [(f"{os.path.basename(path)} {task}", [path, "--task", task, "--no-evid"])
                  for task in ("PR", "MAR", "MPE")]
    for name, entry in instances(args.data) if args.data else []:
        if entry["best_order_found"]["log2_sum_cliques"] <= args.max_work:
            found += [(f"{name} {task}", instanceOptions(args.data, entry, task))
                      for task in ("PR", "MAR")]
    return found


def main():
    args = parseArguments()
    limiters = {}
    for kind in set(args.kinds.split(",")) & LIMITERS.keys():
        limiters[kind], why = LIMITERS[kind].make()
        if limiters[kind] is None:
            print(f"no limit of the kind {kind}: {why}")
            del limiters[kind]
    try:
        with tempfile.TemporaryDirectory() as folder:
            os.environ.setdefault("MPF_CACHE_DIR", os.path.join(folder, "cache"))
            campaign = Campaign(args, limiters)
            if args.table:
                printHead("model", "threads", "limit of", "MiB", "code", "promised", "resident")
            known = models(args, folder)
            start = time.monotonic()
            if args.runs:
                while campaign.runs < args.runs:
                    model, options = campaign.draw.choice(known)
                    if campaign.draw.random() < 0.15:  # the compiler is in the group as well
                        options = [*options, "--expected-runs", "inf"]
                    campaign.series(model, options, campaign.draw.choice(campaign.kinds),
                                    campaign.draw.choice([1, 2, 3, 4, 8, 16, 64]), 8)
            else:
                for kind in campaign.kinds:
                    for model, options in known:
                        if "grid" in model or "clique_18" in model:
                            campaign.series(model, options, kind,
                                            campaign.draw.choice([1, 2, 16, 64]), 6)
            for mib in (120, 480) if "group" in limiters else ():
                for model, options in known:
                    if "clique_24" in model and "PR" in model:
                        campaign.pair(model, options, mib)
            campaign.report()
            print(f"{time.monotonic() - start:.0f} s")
    finally:
        for limiter in limiters.values():
            limiter.remove()
    sys.exit(1 if campaign.failures or campaign.answered == 0 else 0)


main()
