"""Compares two versions of mpfc by quotients of times, the second over the first: starting, checking, warm
and cold runs, and a list of cases.

usage: compare_programs.py BEFORE AFTER MODEL.bif [--pairs N]

The versions run in turn, and begin in turn, so that other work of the machine slows both equally. Prints
medians of the quotients of pairs: processor time of the process and its children, and wall-clock time.
Answers must be equal texts. A cold run starts with an empty cache and compiles.
"""
import argparse
import os
import statistics
import sys
import tempfile

from programs import measuredRun, outputOf, requireProgram

ROWS = 20000


def parseArguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("model")
    parser.add_argument("--pairs", type=int, default=40)
    return parser.parse_args()


class Runner:
    """One version of mpfc, with a separate cache."""

    def __init__(self, program, folder):
        self.program = requireProgram(os.path.abspath(program), "BEFORE and AFTER are two builds of mpfc")
        self.folder = tempfile.mkdtemp(dir=folder)
        self.caches = 0

    def run(self, words, isCold):
        """(processor seconds, wall-clock seconds, what it printed)."""
        self.caches += isCold
        environment = {**os.environ, "MPF_CACHE_DIR": os.path.join(self.folder, f"cache{self.caches}")}
        with tempfile.TemporaryFile(dir=self.folder) as out:
            status, wall, usage = measuredRun([self.program, *words], environment, out)
            if status != 0:
                sys.exit(f"{self.program} {words} ended with {status}")
            out.seek(0)
            return usage.ru_utime + usage.ru_stime, wall, out.read()


def compare(before, after, words, pairs, isCold=False):
    """Medians of the quotients: processor time, wall-clock time; the processor milliseconds of both."""
    processor, wall, times = [], [], ([], [])
    for pair in range(pairs + 1):
        order = (before, after) if pair % 2 else (after, before)
        said = {runner: runner.run(words, isCold) for runner in order}
        first, second = said[before], said[after]
        if words[0] != "--version" and first[2] != second[2]:
            sys.exit(f"{words}: another answer")
        if pair == 0 and not isCold:
            continue  # fills caches
        processor.append(second[0] / max(first[0], 1e-6))
        wall.append(second[1] / first[1])
        for list_, one in zip(times, (first, second)):
            list_.append(1000 * one[0])
    return (statistics.median(processor), statistics.median(wall),
            *(statistics.median(list_) for list_ in times))


def main():
    arguments = parseArguments()
    with tempfile.TemporaryDirectory() as folder:
        before, after = Runner(arguments.before, folder), Runner(arguments.after, folder)
        run = ["run", os.path.abspath(arguments.model), "--task", "MAR", "--evidence", "none", "--device", "cpu"]
        rows = os.path.join(folder, "rows.csv")
        printed = outputOf([before.program, "--emit=model", run[1], "--evidence", "none"])
        name = next(line.split()[1] for line in printed.splitlines() if line.startswith("var "))
        with open(rows, "w", encoding="utf-8") as file:
            file.write(f"{name}\n" + ROWS // 2 * "0\n1\n")
        print("| what | pairs | processor time | wall clock | ms before | ms after |\n|" + 6 * " --- |")
        for what, words, isCold in (
                ("start (`--version`)", ["--version"], False), ("`check`", ["check", run[1]], False),
                ("`run`, warm", run, False),
                ("`run --runs inf`, empty cache", [*run, "--runs", "inf"], True),
                (f"`run --cases`, {ROWS} rows", [*run[:3], "PR", *run[4:], "--cases", rows], False)):
            pairs = max(arguments.pairs // 4, 1) if isCold else arguments.pairs
            found = compare(before, after, words, pairs, isCold)
            print(f"| {what} | {pairs} | {found[0]:.3f} | {found[1]:.3f} | {found[2]:.2f} | {found[3]:.2f} |",
                  flush=True)


main()
