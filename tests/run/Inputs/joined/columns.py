"""Compares the columns of a list of cases with those of each query alone.

Usage: columns.py MPFC MODEL TOGETHER.csv"""
import csv
import io
import subprocess
import sys

mpfc, model, together = sys.argv[1:]
QUERIES = ("P(x[0], x[1])", "P(x[1], x[2])", "evidence", "P(x[5])", "P(x[4] | x[3])")


def columns(text: str) -> dict[str, list[str]]:
    head, *rows = csv.reader(io.StringIO(text))
    return {name: [row[place] for row in rows] for place, name in enumerate(head)}


found = columns(open(together).read())
for query in QUERIES:
    alone = subprocess.run([mpfc, "run", model, "--query", query], check=True, capture_output=True, text=True).stdout
    for name, wanted in columns(alone).items():
        cells = found.pop(name)
        assert len(cells) == len(wanted) == 5, name
        for cell, other in zip(cells, wanted, strict=True):
            assert cell == other or abs(float(cell) - float(other)) <= 1e-12, (name, cell, other)
assert not found, found
print(f"{len(QUERIES)} queries agree")
