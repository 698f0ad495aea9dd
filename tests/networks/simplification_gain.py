"""Arithmetic operations of the plan before and after simplification, as a table.

usage: simplification_gain.py MPFC DATA [--names SUBSTRING] [--task PR] [--order ORDER]

DATA holds reference.json. For each instance: log2 of the operations of the plan of the network as
declared and simplified, the same without each pass (--each), and the sizes of the network.
"""
import argparse
import json
import os
import subprocess

PASSES = ["zeros", "constants", "uniform", "barren", "copies", "merge-states", "merge-factors",
          "functions", "leaves", "probing"]


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("data")
    parser.add_argument("--names", default="linkage/")
    parser.add_argument("--task", default="PR")
    parser.add_argument("--order", default="min-fill")
    parser.add_argument("--each", action="store_true", help="also without each pass")
    return parser.parse_args()


def explain(args, entry, *options):
    command = [args.mpfc, "explain", os.path.join(args.data, entry["model"]), "--task", args.task,
               "--order", args.order, "--json", "-", *options]
    if entry["evidence"]:
        command += ["--evid", os.path.join(args.data, entry["evidence"])]
    else:
        command += ["--no-evid"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return json.loads(run.stdout)["queries"][0]


def operations(query):
    """Text: an empty plan has 2^-inf of them."""
    value = query["log2_operations"]
    return f"{value:.1f}" if isinstance(value, (int, float)) else "none"


def sizes(query):
    """(variables, states, table entries) of the last row of what simplification removed."""
    for table in query["passes"]:
        if table["columns"][0] == "variables":
            row = table["rows"][-1]["values"]
            return f"{row[0]} | {row[1]} | {row[3]}"
    return "- | - | -"


def main():
    args = parseArguments()
    with open(os.path.join(args.data, "reference.json"), encoding="utf-8") as file:
        instances = json.load(file)["instances"]
    columns = ["instance", "variables", "states", "entries", "declared", "simplified"]
    columns += ["without " + name for name in PASSES] if args.each else []
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for name, entry in sorted(instances.items()):
        if args.names not in name:
            continue
        simplified = explain(args, entry)
        row = [name.split("/")[-1], sizes(simplified),
               operations(explain(args, entry, "--simplify", "off")), operations(simplified)]
        if args.each:
            row += [operations(explain(args, entry, "--off-pass", p)) for p in PASSES]
        print("| " + " | ".join(row) + " |", flush=True)


main()
