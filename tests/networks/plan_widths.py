"""Compares the widths of plans with the best published ones.

usage: plan_widths.py MPFC [DATA] [--plan-time 1] [--names SUBSTRING] [--simplify none]

The search minimises operations, not width; for binary variables the two go together. Published widths:
  - n for an n x n grid (Robertson and Seymour 1986);
  - colouring graphs: Gogate and Dechter 2004, "A complete anytime algorithm for treewidth", and Tamaki
    2022, "Heuristic computation of exact treewidth" (upper bounds from queens 9 and mycielski 6 on);
  - Bayesian networks: Koster, Bodlaender and van Hoesel 2001, "Treewidth: computational experiments",
    and TreewidthLIB.

No width is published for the counting and constraint instances of DATA: they have the best width of
reference.json beside them.
"""
import argparse
import os
import tempfile

import make_network
from measured_run import explain, instanceOptions, instances, printHead, printRow

PUBLISHED = [(("grid", n, n), n) for n in (20, 24, 28, 32, 36, 40)] + \
    [(("queens", n), width) for n, width in ((5, 18), (6, 25), (7, 35), (8, 45), (9, 58))] + \
    [(("mycielski", k), width) for k, width in ((3, 5), (4, 10), (5, 19), (6, 35))]
PUBLISHED_OF_DATA = {"bnlearn/alarm": 4, "bnlearn/barley": 7, "bnlearn/diabetes": 4,
                     "bnlearn/munin1": 11}
FAMILIES = ("csp/", "wmc/", "grids/")


def show(args, name, model, options, known, source):
    run, query = explain(args.mpfc, model, *options, "--plan-time", args.plan_time, "--simplify",
                         args.simplify)
    if not query or not query["planned"]:
        printRow(name, f"exit {run.code}", known, source)
        return None
    width, operations = query["induced_width"], query["log2_operations"]
    operations = f"{operations:.1f}" if isinstance(operations, (int, float)) else "none"
    printRow(name, query["network"]["variables"], width, operations, known, source)
    return width - known


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("mpfc")
    parser.add_argument("data", nargs="?")
    parser.add_argument("--plan-time", default="1")
    parser.add_argument("--names", default="")
    parser.add_argument("--simplify", default="none")
    args = parser.parse_args()
    printHead("network", "variables", "width", "log2 operations", "best known width", "source")
    above = []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "n.uai")
        for (kind, *sizes), known in PUBLISHED:
            name = f"{kind} {' '.join(map(str, sizes))}"
            if args.names in name:
                make_network.writeNetwork(path, kind, sizes)
                above.append(show(args, name, path, ["--task", "PR"], known, "published"))
    for name, entry in instances(args.data) if args.data else []:
        source = "published" if name in PUBLISHED_OF_DATA else "reference"
        if args.names in name and (source == "published" or name.startswith(FAMILIES)):
            known = PUBLISHED_OF_DATA.get(name, entry["best_order_found"]["width"])
            model, *options = instanceOptions(args.data, entry)
            above.append(show(args, name, model, options, known, source))
    found = [a for a in above if a is not None]
    print(f"{sum(a <= 0 for a in found)} of {len(above)} at the best known width or below, "
          f"{sum(a == 1 for a in found)} one above")


main()
