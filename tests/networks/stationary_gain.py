"""Prints a table of the gain of stationary networks by the re-use of equal subprograms.

usage: stationary_gain.py MPFC [--slices N] [--runs N]

Makes models whose slices repeat (hidden Markov model, two-level dynamic Bayesian network, equal
components, ring, Ising grid), and plans each with and without the pass share-tables. A row has the
operations that run, multiplications and additions, bytes of inputs and of all tables, and seconds of the
executor (median of --runs). Exit code 1 if an answer depends on the pass.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

MODELS = {
    # One transition and one emission table; observations repeat with period 7.
    "hidden Markov model, 16 states": """
var x[{n}] : 16
var y[{n}] : 8
factor start(x[0]) = 1 + x[0]
for i in 0..{n}-1: factor step(x[i], x[i+1]) = exp(-abs(x[i] - x[i+1]) / 3)
for i in 0..{n}: factor emit(x[i], y[i]) = 1 / (1 + abs(x[i] - 2 * y[i]))
{seen}
query {query}
""",
    # A state and, in every slice, three connected parts and two observed sensors.
    "dynamic Bayesian network, 5 variables a slice": """
var x[{n}] : 8
var a[{n}], b[{n}], c[{n}] : 8
var y[{n}] : 8
for i in 0..{n}-1: factor step(x[i], x[i+1]) = exp(-abs(x[i] - x[i+1]) / 2)
for i in 0..{n}: factor part(x[i], a[i], b[i]) = 1 + (x[i] + 2 * a[i] == b[i])
for i in 0..{n}: factor link(a[i], b[i], c[i]) = 1 / (1 + abs(a[i] - b[i] + c[i]))
for i in 0..{n}: factor sense(c[i], y[i]) = 1 / (1 + abs(c[i] - y[i]))
{seen}
query {query}
""",
    # Grids that are not connected to each other.
    "equal components (4 x 4 grids)": """
var s[{n}][4][4] : 4
for k in 0..{n}, i in 0..4, j in 0..3: factor h(s[k][i][j], s[k][i][j+1]) = 1 + (s[k][i][j] == s[k][i][j+1]) + s[k][i][j] / 7
for k in 0..{n}, i in 0..3, j in 0..4: factor v(s[k][i][j], s[k][i+1][j]) = 1 + 2 * (s[k][i][j] == s[k][i+1][j])
query {query}
""",
    "ring, 32 states": """
var x[{n}] : 32
for i in 0..{n}-1: factor step(x[i], x[i+1]) = exp(-abs(x[i] - x[i+1]) / 5)
factor last(x[{n}-1], x[0]) = exp(-abs(x[{n}-1] - x[0]) / 5)
query {query}
""",
}


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("--slices", type=int, default=200)
    parser.add_argument("--runs", type=int, default=3)
    return parser.parse_args()


def textOf(model, slices, query):
    seen = "\n".join(f"observe y[{i}] = {i % 7}" for i in range(slices))
    text = model.replace("{seen}", seen if "y[{n}]" in model else "").replace("{query}", query)
    return text.replace("{n}", str(slices))


def callJson(*command):
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        sys.exit(f"{' '.join(command)}: {run.stderr.strip()}")
    return json.loads(run.stdout)


def measure(args, path, *options):
    plan = callJson(args.mpfc, "explain", path, "--json", "-", *options)["queries"][0]
    runs = [callJson(args.mpfc, "run", path, "--device", "cpu", "--json", "-", *options)[0]
            for _ in range(args.runs)]
    return {"operations": len(plan["buckets"]) - plan["shared_buckets"],
            "log2_ops": plan["log2_operations"], "input_bytes": plan["memory"]["input_bytes"],
            "peak_bytes": plan["memory"]["peak_bytes"],
            "seconds": statistics.median(run["timings"]["run_us"] for run in runs) / 1e6,
            "answer": runs[0]["tables"]}


def numbers(tables):
    """Yields every number of a result, in order."""
    for table in tables:
        yield from table.get("values", table.get("log10_values", []))
        if "number" in table:
            yield table["number"]["log10"]


def same(a, b):
    pairs = list(zip(numbers(a), numbers(b), strict=True))
    return bool(pairs) and all(abs(x - y) <= 1e-9 * max(1, abs(x)) for x, y in pairs)


def main():
    args = parseArguments()
    wrong = 0
    print("| network | query | operations | log2 ops | input KiB | all tables KiB | run ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, model in MODELS.items():
        for query in ("evidence", "marginals"):
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "m.mpf")
                with open(path, "w", encoding="ascii") as file:
                    file.write(textOf(model, args.slices, query))
                off, on = measure(args, path, "--off-pass", "share-tables"), measure(args, path)
            if not same(off["answer"], on["answer"]):
                wrong += 1
                print(f"{name}, {query}: the answer depends on the pass")
            print(f"| {name} x {args.slices} | {query} | {off['operations']} -> {on['operations']} | "
                  f"{off['log2_ops']:.1f} -> {on['log2_ops']:.1f} | "
                  f"{off['input_bytes'] / 1024:.0f} -> {on['input_bytes'] / 1024:.0f} | "
                  f"{off['peak_bytes'] / 1024:.0f} -> {on['peak_bytes'] / 1024:.0f} | "
                  f"{off['seconds'] * 1e3:.1f} -> {on['seconds'] * 1e3:.1f} |", flush=True)
    sys.exit(1 if wrong else 0)


main()
