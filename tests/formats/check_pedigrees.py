"""Compares the likelihoods of families with those of answers.json beside them.

The answers were computed by another program, for values of one recombination fraction.

usage: check_pedigrees.py MPFC FOLDER
"""
import csv
import io
import json
import os
import subprocess
import sys

TOLERANCE = 1e-9 * 2.302585  # in the natural logarithm


def main(mpfc, folder):
    failures = 0
    with open(os.path.join(folder, "answers.json"), encoding="utf-8") as file:
        cases = json.load(file)
    for case in cases:
        options = [os.path.join(folder, word) if word.endswith(".frq") else word for word in case["options"]]
        values = ", ".join(repr(value) for value, _ in case["ln"])
        done = subprocess.run(
            [mpfc, "run", os.path.join(folder, case["ped"]), "--loci", os.path.join(folder, case["loci"]), *options,
             "--query", "evidence", "-D", f"{case['param']} in [{values}]"],
            capture_output=True, text=True)
        rows = list(csv.reader(io.StringIO(done.stdout)))[1:]
        found = [float(row[1]) for row in rows]
        expected = [answer for _, answer in case["ln"]]
        if len(found) != len(expected) or any(abs(a - b) > TOLERANCE for a, b in zip(found, expected)):
            failures += 1
            print(f"{case['ped']} with {case['loci']}: {found}, not {expected}\n{done.stderr}")
    print(f"{len(cases) - failures} of {len(cases)} files of families have the likelihoods of another program")
    return failures != 0 or not cases


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
