"""Computes the share of planning in planning and all expected runs, and compares it with the first plan.

usage: planning_shares.py BENCH_PLANS FOLDER [--tasks PR,MAR,MPE] [--device auto] [--runs 1,10,100]
                          [--worst 3]

BENCH_PLANS is the path of bench_plans, a target of the build. Planning is processor time of one thread. Runs
and opening a GPU are predicted for sm_90; no GPU is needed. The first plan is that of one round of the search
for orders. The output has, by task and runs, over the instances:
- the median and the 90th percentile of planning's share of the total time;
- the total time over that with the first plan: geometric mean, greatest, number above 1.3, the worst.
"""
import argparse
import math
import re

from programs import outputOf, requireProgram

LINE = re.compile(r"(\S+) \S+ \S+ simplify .* processor (\S+) run (\S+) open (\S+)")


def plansOf(words, task, runs, more=()):
    """{instance: (milliseconds of planning, of all)}"""
    said = outputOf([words.program, "--predict", "--expected-runs", runs, *more, task, words.device, words.folder])
    plans = {}
    for line in filter(None, map(LINE.match, said.splitlines())):
        planning, run, opening = map(float, line.groups()[1:])
        plans[line.group(1)] = (planning, planning + opening + float(runs) * run)
    return plans


def row(words, task, runs):
    found, first = plansOf(words, task, runs), plansOf(words, task, runs, ["--plan-rounds", "1"])
    both = sorted(found.keys() & first.keys())
    shares = sorted(found[name][0] / found[name][1] for name in both)
    overFirst = sorted(((found[name][1] / first[name][1], name) for name in both), reverse=True)
    mean = math.exp(sum(math.log(ratio) for ratio, _ in overFirst) / len(both))
    print(f"| {task} | {runs} | {len(both)} | {shares[len(both) // 2]:.2f} | {shares[int(0.9 * len(both))]:.2f} | "
          f"{mean:.3f} | {overFirst[0][0]:.2f} | {sum(ratio > 1.3 for ratio, _ in overFirst)} | "
          f"{', '.join(f'{name} {ratio:.2f}' for ratio, name in overFirst[:words.worst])} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("--tasks", default="PR,MAR,MPE")
    parser.add_argument("--device", default="auto")
    parser.add_argument("--runs", default="1,10,100")
    parser.add_argument("--worst", type=int, default=3)
    words = parser.parse_args()
    requireProgram(words.program, "BENCH_PLANS is the path of bench_plans, a target of the build")
    print("| task | runs | networks | share, median | 90th percentile | over the first plan, mean | greatest "
          "| above 1.3 | worst |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for task in words.tasks.split(","):
        for runs in words.runs.split(","):
            row(words, task, runs)


if __name__ == "__main__":
    main()
