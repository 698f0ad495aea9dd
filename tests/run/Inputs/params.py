"""Checks each row of the sweeps of a model, whose first columns are the params.

usage: params.py MPFC MODEL VARIABLE PARAM... [-- OPTIONS]

mpfc must give the same answers if -D sets the params to the row's values. In these runs the only case
does not observe VARIABLE, so that tables are numbers."""
import csv
import io
import math
import os
import subprocess
import sys
import tempfile

mpfc, model, variable, *rest = sys.argv[1:]
params, options = (rest[:rest.index("--")], rest[rest.index("--") + 1:]) if "--" in rest else (rest, [])


def run(*arguments):
    text = subprocess.run([mpfc, "run", model, *arguments], check=True, capture_output=True,
                          text=True).stdout
    return list(csv.reader(io.StringIO(text)))


def agree(a, b):
    try:
        return math.isclose(float(a), float(b), rel_tol=1e-12, abs_tol=1e-300)
    except ValueError:
        return a == b


head, *rows = run(*options)
assert head[:len(params)] == params, head
assert len(rows) > 2, rows
with tempfile.TemporaryDirectory() as folder:
    one = os.path.join(folder, "one.csv")
    with open(one, "w") as file:
        file.write(f'{variable}\n""\n')
    for row in rows:
        values = [word for name, value in zip(params, row) for word in ("-D", f"{name}={value}")]
        names, answers = run("--cases", one, *values)
        assert names == head[len(params):], names
        for name, found, wanted in zip(names, row[len(params):], answers):
            assert agree(found, wanted), f"{row[:len(params)]}: {name} is {found}, alone {wanted}"
