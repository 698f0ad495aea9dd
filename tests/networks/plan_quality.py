"""Compares plans of generated networks after short searches with those of a long search.

usage: plan_quality.py MPFC [--times 0.1,1] [--long 20] [--names SUBSTRING] [--seeds 1]
                       [--simplify all]

A row has, for each network and each time of search, log2 of the operations of the plan, and these
operations relative to those of the best plan seen. The last row has the geometric mean for each time.
make_network.py draws the networks; no search was ever tuned to them.
"""
import argparse
import math
import os
import tempfile

import make_network
from measured_run import explain, printHead, printRow

NETWORKS = [
    ("grid", 16, 16), ("grid", 24, 24), ("grid", 32, 32), ("grid", 12, 200),
    ("bayes-grid", 20, 20), ("bayes-grid", 30, 30),
    ("csp", 80, 4, 160), ("csp", 100, 3, 250), ("csp", 60, 8, 110),
    ("cnf", 80, 180, 3), ("cnf", 120, 220, 3), ("cnf", 100, 110, 4),
    ("linkage", 60, 3), ("linkage", 120, 4), ("linkage", 40, 10), ("linkage", 250, 4),
    ("findings", 60, 80), ("findings", 150, 150), ("findings", 300, 250),
    ("random", 200, 300), ("random", 2000, 2300), ("random", 10000, 11000),
]


def parseArguments():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpfc")
    parser.add_argument("--times", default="0.1,1")
    parser.add_argument("--long", type=float, default=20)
    parser.add_argument("--names", default="")
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--simplify", default="all")
    return parser.parse_args()


def operations(query):
    value = query["log2_operations"]
    return max(0.0, value) if isinstance(value, (int, float)) else 0.0


def main():
    args = parseArguments()
    times = [float(t) for t in args.times.split(",")] + [args.long]
    printHead("network", "first", *(f"{t:g} s" for t in times),
              *(f"{t:g} s / best" for t in times), "width")
    excess = [0.0] * len(times)
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, *sizes in NETWORKS:
            for seed in range(args.seeds):
                name = f"{kind} {' '.join(map(str, sizes))}" + (f" #{seed}" if seed else "")
                if args.names not in name:
                    continue
                path = os.path.join(folder, "n.uai")
                make_network.writeNetwork(path, kind, sizes, seed)
                options = ["--task", "PR", "--simplify", args.simplify]
                first = explain(args.mpfc, path, *options, "--plan-rounds", "0")[1]
                plans = [explain(args.mpfc, path, *options, "--plan-time", f"{t}")[1]
                         for t in times]
                if any(plan is None or not plan["planned"] for plan in plans):
                    printRow(name, "no plan")
                    continue
                found = [operations(plan) for plan in plans]
                best = min(found)
                count += 1
                excess = [e + f - best for e, f in zip(excess, found)]
                printRow(name, f"{operations(first):.2f}" if first["planned"] else "none",
                         *(f"{f:.2f}" for f in found), *(f"{2 ** (f - best):.2f}" for f in found),
                         plans[-1]["induced_width"])
    if count == 0:
        raise SystemExit("nothing was measured")
    for time, sum_ in zip(times, excess):
        print(f"{time:g} s of search: {2 ** (sum_ / count):.3f} times the operations of the best plan")
    if not math.isfinite(sum(excess)):
        raise SystemExit(1)


main()
