"""Time and memory of planning while networks double in size.

usage: plan_growth.py MPFC [--names SUBSTRING] [--doublings 3] [--plan-rounds 0]

Each row is one `mpfc explain`: processor time, peak memory, and both divided by those of the network half
as large. A factor of 2 means linear growth. Beside them are the same numbers for reading and checking
the file alone (`mpfc check`). The last size of each kind is the one that issue 3 names.
"""
import argparse
import os
import subprocess
import sys
import tempfile

from measured_run import explain, measuredRun, printHead, printRow


def largest(scale):
    """Returns [(name, kind, sizes)]; sizes are halved `scale` times."""
    n = 2 ** scale
    return [("chain of 100,000", "chain", [100000 // n]),
            ("grid 1000 x 10", "grid", [10, 1000 // n]),
            ("star of 5,000", "star", [5000 // n]),
            ("star of 200,000", "star", [200000 // n]),
            ("random, 10,000 variables", "random", [10000 // n, 10500 // n]),
            ("linkage of 24,000", "linkage", [400 // n, 20]),
            ("findings of 10,000", "findings", [2000 // n, 2000 // n])]


def drawNetwork(path, kind, sizes):
    """Draws a network in another process, because the memory of this one counts for its children's
    peak."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "make_network.py")
    subprocess.run([sys.executable, script, kind, *map(str, sizes), "-o", path], check=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpfc")
    parser.add_argument("--names", default="")
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--plan-rounds", default="0")
    parser.add_argument("--plan-time")
    args = parser.parse_args()
    search = ["--plan-time", args.plan_time] if args.plan_time else ["--plan-rounds",
                                                                     args.plan_rounds]
    printHead("network", "variables", "width", "explain s", "ratio", "MiB", "ratio", "check s")
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "n.uai")
        for i, (name, _, _) in enumerate(largest(0)):
            if args.names not in name:
                continue
            before = None
            for scale in range(args.doublings, -1, -1):
                _, kind, sizes = largest(scale)[i]
                drawNetwork(path, kind, sizes)
                read = measuredRun([args.mpfc, "check", path])
                run, query = explain(args.mpfc, path, "--task", "PR", *search)
                ratios = ["", ""]
                if before:
                    ratios = [f"{run.processor / before.processor:.2f}",
                              f"{run.peak_mib / before.peak_mib:.2f}"]
                before = run
                planned = query and query["planned"]
                printRow(name if scale == 0 else "", query["network"]["variables"],
                         query["induced_width"] if planned else f"exit {run.code}",
                         f"{run.processor:.2f}", ratios[0], f"{run.peak_mib:.0f}", ratios[1],
                         f"{read.processor:.2f}")


main()
