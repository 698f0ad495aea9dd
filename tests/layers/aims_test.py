"""Tests tools/mpf-bench/results/aims.py on a copy of the results and a small report.

usage: aims_test.py ROOT
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
BENCH = os.path.join(ROOT, "tools", "mpf-bench")
REPORT = os.path.join(ROOT, "tests", "layers", "Inputs", "bench_report.json")
SEEN = ["--date", "2031-02-03", "--commit", "abcdef0"]


class Results:
    """A copy of the results that a test may change."""

    def __init__(self, folder):
        self.bench = os.path.join(folder, "mpf-bench")
        self.results = os.path.join(self.bench, "results")
        shutil.copytree(os.path.join(BENCH, "results"), self.results)
        shutil.copy(os.path.join(BENCH, "RESULTS.md"), self.bench)

    def run(self, *arguments):
        return subprocess.run([sys.executable, os.path.join(BENCH, "results", "aims.py"), "--folder",
                               self.results, *arguments], capture_output=True, text=True)

    def page(self):
        with open(os.path.join(self.bench, "RESULTS.md"), encoding="utf-8") as file:
            return file.read()

    def figures(self):
        """Returns {(row, figure): figure} of all data."""
        found = {}
        for path in glob.glob(os.path.join(self.results, "data", "*.json")):  # as aims.py does
            with open(path, encoding="utf-8") as file:
                row = json.load(file)
            for figure in row["figures"]:
                found[row["what"], figure["name"]] = figure
        return found


def changed(before, after):
    return {key: figure["value"] for key, figure in after.items() if figure != before[key]}


def expect(what, seen, wanted):
    if seen != wanted:
        raise SystemExit(f"{what}:\n  seen:   {seen}\n  wanted: {wanted}")


def testTheReportRefreshesItsRows(results):
    before = results.figures()
    run = results.run("--update", REPORT, *SEEN)
    expect("exit code", (run.returncode, run.stderr), (0, ""))
    # Not f64 (a wrong bucket), not the 12 logarithms (60 are asked), not those behind a message, and
    # not the pair, which is timed warm.
    floor = "floor/time of the 700 random buckets of ICS'08, geometric mean"
    expect("figures", changed(before, results.figures()),
           {(floor, "inputs f32"): 0.9004,
            ("share of these buckets under half of the floor", "inputs f32"): 1.0})
    figure = results.figures()[floor, "inputs f32"]
    expect("where it was seen", (figure["date"], figure["commit"]), ("2031-02-03", "abcdef0"))
    expect("row", "inputs f32: 0.900;" in results.page() and "2031-02-03 (abcdef0)" in results.page(), True)
    expect("check after update", results.run("--check").returncode, 0)


def testAQuotientOfTwoFields(results, folder):
    with open(REPORT, encoding="utf-8") as file:
        report = json.load(file)
    report["command"] = "mpf-bench buckets --timing warm --cublas --autotune 12 --wait stores"
    path = os.path.join(folder, "warm.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file)
    before = results.figures()
    expect("exit code", results.run("--update", path, *SEEN).returncode, 0)
    expect("figures", changed(before, results.figures()),
           {("cuBLAS' time over that of `pair`", "f64"): 1.5})


def testWhatNoRowWantsIsAnError(results, folder):
    with open(REPORT, encoding="utf-8") as file:
        report = json.load(file)
    report["device"] = "predictions for sm_90"
    path = os.path.join(folder, "predicted.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(report, file)
    run = results.run("--update", path, *SEEN)
    expect("error", run.returncode == 1 and "no figure" in run.stderr, True)


def testAStalePageFails(results):
    path = os.path.join(results.results, "data", sorted(os.listdir(results.results + "/data"))[0])
    with open(path, encoding="utf-8") as file:
        row = json.load(file)
    row["figures"][0]["value"] += 1
    with open(path, "w", encoding="utf-8") as file:
        json.dump(row, file)
    expect("changed data", results.run("--check").returncode, 1)
    expect("rewritten", (results.run().returncode, results.run("--check").returncode), (0, 0))
    with open(os.path.join(results.results, "2031-02-03-new.md"), "w", encoding="utf-8") as file:
        file.write("# Something new (2031-02-03)\n")
    expect("a new note", results.run("--check").returncode, 1)


def main():
    tests = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            results = Results(folder)
            test(*([results, folder] if test.__code__.co_argcount == 2 else [results]))
        tests += 1
    print(f"aims: {tests} tests")


main()
