"""Compares two results of `mpfc run --task MAR --json`: same_marginals.py WHOLE SLICED BOUND_BYTES"""
import json
import sys

whole, sliced = (json.load(open(path, encoding="utf-8"))[0] for path in sys.argv[1:3])
assert sliced["allocated_bytes"] <= int(sys.argv[3]) < whole["allocated_bytes"]
assert abs(whole["log10"] - sliced["log10"]) <= 1e-12 * abs(whole["log10"])
tables = {table["name"]: table["values"] for table in sliced["tables"] if table["normalised"]}
worst, count = 0, 0
for table in whole["tables"]:
    if table["normalised"]:
        count += 1
        worst = max([worst] + [abs(a - b) for a, b in zip(table["values"], tables[table["name"]])])
assert len(tables) == count > 0
assert worst < 1e-12, worst
print(f"{count} marginals agree")
