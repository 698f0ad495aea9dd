"""Is the default search for orders as long as it pays? Planning and running against fixed times.

usage: stop_rule.py MPFC DATA [--times 0.001,0.01,0.1,1] [--names SUBSTRING] [--repeats 1]
                    [--max-memory 16GiB] [--slow 1.5]

Runs whole processes of `mpfc run --task PR --device cpu`: the default search, and searches of fixed time.
A column has the total over all instances that every column could answer. Rows are instances for which
the default took --slow times the best fixed time and a twentieth of a second more. The table has both
clocks: processor time does not depend on other work of the machine, but counts all threads.
"""
import argparse
import math

from measured_run import instanceOptions, instances, measuredRun, printHead, printRow

LEAST = 0.05  # seconds


def best(runs, clock):
    return min(getattr(run, clock) for run in runs)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpfc")
    parser.add_argument("data")
    parser.add_argument("--times", default="0.001,0.01,0.1,1")
    parser.add_argument("--names", default="")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--max-memory", default="16GiB")
    parser.add_argument("--slow", type=float, default=1.5)
    args = parser.parse_args()
    searches = ["default"] + args.times.split(",")
    totals = {clock: [0.0] * len(searches) for clock in ("wall", "processor")}
    ratios, answered = 0.0, 0
    printHead("instance, processor s", *searches)
    for name, entry in instances(args.data):
        if args.names not in name:
            continue
        row = []
        for search in searches:
            command = [args.mpfc, "run", *instanceOptions(args.data, entry), "--device", "cpu",
                       "--max-memory", args.max_memory]
            if search != "default":
                command += ["--plan-time", search]
            runs = [measuredRun(command, 300) for _ in range(args.repeats)]
            if any(run.code != 0 for run in runs):
                row = None
                break
            row.append({clock: best(runs, clock) for clock in totals})
        if row is None:
            printRow(name, f"exit {runs[0].code} with {search}")
            continue
        answered += 1
        for clock in totals:
            totals[clock] = [t + r[clock] for t, r in zip(totals[clock], row)]
        spent = [r["processor"] for r in row]
        least = min(spent[1:])
        ratios += math.log(max(spent[0], 1e-3) / max(least, 1e-3))
        if spent[0] > args.slow * least and spent[0] > least + LEAST:
            printRow(name, *(f"{s:.2f}" for s in spent))
    for clock, sums in totals.items():
        printRow(f"all {answered}, {clock} s", *(f"{s:.1f}" for s in sums))
    if answered == 0:
        raise SystemExit("nothing was measured")
    print("default over the best fixed time of each instance, processor time, geometric mean: "
          f"{math.exp(ratios / answered):.2f}")


main()
