"""Compares two predictions of a run: that of the search for orders, and that of the whole program.

usage: compare_predictions.py MPFC FOLDER [--tasks PR,MAR,MPE] [--forms f64,f32,f64:log]
                              [--threads 1,2,16] [--least-us 100] [--worst 3] [--csv OUT.csv]

The search expects a time of a run, from sums over buckets (codegen/plan/program/run_costs.h), and ends by it.
`mpfc explain` predicts the resulting program, operation by operation (runtime/predict/). Nothing is run or
timed; machines without a measured speed (`mpfc calibrate`) give equal results. Forms: the type of the tables,
with `:log` in logarithms throughout.

The output covers networks below FOLDER for which one of the times is at least --least-us. It has the geometric
mean, the least and the greatest of expected / predicted, the number beyond a factor of two, and the worst by
name. Plans in slices are left out: they are not known during a search.
"""
import argparse
import csv
import json
import math
import os
import subprocess

from programs import requireMpfc

ENDINGS = (".uai", ".uai.xz", ".uai.gz", ".bif", ".bif.xz", ".bif.gz")


def modelsBelow(folder):
    """Returns one file of each network; a .uai before a .bif of the same name."""
    found = {}
    for root, _, files in os.walk(folder):
        for name in files:
            rank = next((i for i, ending in enumerate(ENDINGS) if name.endswith(ending)), None)
            if rank is not None:
                stem = os.path.join(root, name[:-len(ENDINGS[rank])])
                found[stem] = min(found.get(stem, rank), rank)
    return [stem + ENDINGS[rank] for stem, rank in sorted(found.items())]


def ratioOf(words, model, task, form, threads):
    """(expected, predicted) microseconds of a run; None where there is no plan, or one in slices."""
    type, _, arithmetic = form.partition(":")
    command = [words.mpfc, "explain", model, "--task", task, "--device", "cpu", "--threads", threads]
    command += ["--type", type, "--max-memory", "4GiB", "--json", "-"]
    command += ["--arithmetic", arithmetic] if arithmetic else []
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    if run.returncode != 0:  # refused: beyond the bound, or no whole numbers
        return None
    query = json.loads(run.stdout)["queries"][0]
    if "search" not in query or query["sliced"]:
        return None
    return query["search"]["expected_us"], query["predicted_us"]


def printRow(words, cell, ratios):
    if not ratios:
        print(f"| {' | '.join(cell)} | 0 | | | | | |", flush=True)
        return
    mean = math.exp(sum(math.log(ratio) for ratio, _ in ratios) / len(ratios))
    ratios.sort(key=lambda found: abs(math.log(found[0])), reverse=True)
    beyond = sum(not 0.5 <= ratio <= 2 for ratio, _ in ratios)
    worst = ", ".join(f"{name} {ratio:.2f}" for ratio, name in ratios[:words.worst])
    print(f"| {' | '.join(cell)} | {len(ratios)} | {mean:.2f} | {min(ratios)[0]:.2f} | {max(ratios)[0]:.2f} | "
          f"{beyond} | {worst} |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("folder")
    parser.add_argument("--tasks", default="PR,MAR,MPE")
    parser.add_argument("--forms", default="f64,f32,f64:log")
    parser.add_argument("--threads", default="1,2,16")
    parser.add_argument("--least-us", type=float, default=100)
    parser.add_argument("--worst", type=int, default=3)
    parser.add_argument("--csv")
    words = parser.parse_args()
    words.mpfc = requireMpfc(words.mpfc)
    models = modelsBelow(words.folder)
    rows = []
    print("| task | form | threads | networks | expected / predicted: mean | least | greatest | beyond 2 | worst "
          "|\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    cells = [(task, form, threads) for task in words.tasks.split(",") for form in words.forms.split(",")
             for threads in words.threads.split(",")]
    for cell in cells:
        ratios = []
        for model in models:
            times = ratioOf(words, model, *cell)
            name = os.path.basename(model).partition(".")[0]
            if times is not None:
                rows.append([name, *cell, *times])
            if times is not None and max(times) >= words.least_us and min(times) > 0:
                ratios.append((times[0] / times[1], name))
        printRow(words, cell, ratios)
    if words.csv:
        with open(words.csv, "w", newline="") as file:
            csv.writer(file).writerows([["network", "task", "form", "threads", "expected_us", "predicted_us"], *rows])


if __name__ == "__main__":
    main()
