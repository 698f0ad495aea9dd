"""Arithmetic operations of the plan before and after simplification, as a table.

usage: simplification_gain.py MPFC DATA [--names SUBSTRING] [--task PR] [--order ORDER] [--each]
                              [--solve] [--max-memory SIZE] [--timeout SECONDS] [--workers N]

DATA holds reference.json. There is a row for each instance. It has log2 of the operations of the plan for
the network as declared and simplified, the same without each pass (--each), and network sizes. --solve
adds a run within --max-memory: its answer, whether that is the published one, seconds of the whole
process and bytes of all tables. --workers N makes N rows at once.
"""
import argparse
import concurrent.futures
import json
import sys

from measured_run import (KILLED, explain, instanceOptions, instances, measuredRun, printHead,
                          printRow)
PASSES = ["evidence", "zeros", "constants", "uniform", "barren", "aliases", "merge-states", "merge-factors",
          "functions", "leaves", "probing"]


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data")
    parser.add_argument("--names", default="linkage/")
    parser.add_argument("--task", default="PR")
    parser.add_argument("--order", default="min-fill")
    parser.add_argument("--each", action="store_true", help="also without each pass")
    parser.add_argument("--solve", action="store_true", help="also run it")
    parser.add_argument("--max-memory", default="24GiB")
    parser.add_argument("--timeout", type=float, default=600)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def facts(args, entry, *options):
    """Returns the explanation of one instance's plan by mpfc."""
    run, query = explain(args.mpfc, *instanceOptions(args.data, entry, args.task), "--order",
                         args.order, *options)
    if query is None:
        sys.exit(f"{entry['model']}: {run.err}")
    return query


def judged(args, entry, log10):
    """Compares an answer with the reference answer, else with the published one (six digits)."""
    if args.task == "MAR":
        return "not compared"
    key = "log10_PR" if args.task == "PR" else "log10_MPE"
    for name, tolerance in ((key, 1e-9), ("shipped_" + key, 2e-6)):
        if entry.get(name) is not None:
            close = abs(log10 - float(entry[name])) <= tolerance * max(1, abs(float(entry[name])))
            return ("right" if name == key else "as published") if close else "WRONG"
    return "no answer known"


def solve(args, entry):
    """Returns [answer, judgement, seconds, bytes] of a run with the usual search for orders."""
    run = measuredRun([args.mpfc, "run", *instanceOptions(args.data, entry, args.task), "--json", "-",
                       "--max-memory", args.max_memory, "--device", args.device], args.timeout)
    if run.code == KILLED:
        return ["-", f"none after {args.timeout:.0f} s", "-", "-"]
    if run.code != 0:
        return ["-", f"exit code {run.code}", f"{run.wall:.2f}", "-"]
    result = json.loads(run.out)[0]
    slices = "" if "slices" not in run.err else " (slices)"
    return [f"{float(result['log10']):.6f}", judged(args, entry, float(result["log10"])),
            f"{run.wall:.2f}", f"{result['allocated_bytes'] / 2 ** 20:.1f} MiB{slices}"]


def operations(query):
    """Returns log2 of the operations as text; an empty plan has 2^-inf of them."""
    value = query["log2_operations"]
    return f"{value:.1f}" if isinstance(value, (int, float)) else "none"


def sizes(query):
    """Returns the numbers of variables, states and table entries after simplification, as cells."""
    for table in query["passes"]:
        if "variables" in table["columns"]:
            row = dict(zip(table["columns"], table["rows"][-1]["values"]))
            return f"{row['variables']} | {row['states']} | {row['entries']}"
    return "- | - | -"


def main():
    args = parseArguments()
    columns = ["instance", "variables", "states", "entries", "declared", "simplified"]
    columns += ["without " + name for name in PASSES] if args.each else []
    columns += [f"log10 {args.task}", "judged", "seconds", "tables"] if args.solve else []
    printHead(*columns)

    def row(item):
        name, entry = item
        simplified = facts(args, entry)
        cells = [name.split("/")[-1], sizes(simplified),
                 operations(facts(args, entry, "--simplify", "none")), operations(simplified)]
        if args.each:
            cells += [operations(facts(args, entry, "--off-pass", p)) for p in PASSES]
        return cells + (solve(args, entry) if args.solve else [])

    chosen = [item for item in instances(args.data) if args.names in item[0]]
    with concurrent.futures.ThreadPoolExecutor(args.workers) as pool:
        for cells in pool.map(row, chosen):
            printRow(*cells)


main()
