"""Checks joint posteriors of networks with many tables against exact fractions.

usage: many_tables.py MPFC FOLDER TRIALS

Each table spans few binary orders; the products of all leave the range of a double."""

import csv
import io
import random
import sys
from fractions import Fraction
from math import log2

from trial_runs import TrialRuns

USUAL = ["0.5", "0.25", "0.9"]
TINY = ["0.001", "1e-9", "1e-18"]  # probabilities of the children's state 0 in row 0
ENGINES = ["lanes", "tables", "single"]
TOLERANCES = {"f64": 1e-8, "f32": 1e-3}  # of a log2


def log2_of(number):
    """Returns the log2 of a fraction of any magnitude; None for 0."""
    if number == 0:
        return None
    shift = number.numerator.bit_length() - number.denominator.bit_length()
    return shift + log2(number / Fraction(2) ** shift)


def log2_read(text):
    """Returns the log2 of a cell: 0.5, 1e-300, or 10^-450.5."""
    if text.startswith("10^"):
        return float(text[3:]) * log2(10)
    return log2(float(text)) if float(text) != 0 else None


class Network:
    """A root c, a root d, and children of both or of one."""

    def __init__(self, random):
        self.states = random.choice([2, 3])
        self.children = random.choice([5, 40, 90, 120, 150, 300])
        self.priors = {name: self.row(self.states, "0.5") for name in "cd"}
        zeros = random.choice([0, 0, 0.02])
        self.tables = []
        for _ in range(self.children):
            parents = random.choice([["c"], ["c"], ["d"], ["c", "d"]])
            rows = []
            for number in range(self.states ** len(parents)):
                share = random.choice(TINY if number == 0 else USUAL)
                rows.append(self.row(2, "0" if random.random() < zeros else share))
            self.tables.append((parents, rows))

    @staticmethod
    def row(states, share):
        """Returns the fractions of a row that adds up to 1. All but the last have `share`."""
        first = [Fraction(share) / (states - 1)] * (states - 1)
        return first + [1 - sum(first)]

    def text(self):
        lines = [f"var c, d : {self.states}", f"var y[{self.children}] : 2"]
        for name in "cd":
            lines.append(f"factor f{name}({name}) = {self.table([self.priors[name]])}")
        for i, (parents, rows) in enumerate(self.tables):
            lines.append(f"factor g{i}({', '.join(parents)}, y[{i}]) = {self.table(rows)}")
        return "\n".join(lines + ["query P(c, d)", ""])

    @staticmethod
    def table(rows):
        # More digits than a double has make no difference to a tolerance of 1e-9.
        return "[" + ", ".join(f"{float(x)!r}" for row in rows for x in row) + "]"

    def posterior(self, findings):
        """Returns the share of each pair of states of c and d."""
        shares = []
        for c in range(self.states):
            for d in range(self.states):
                share = self.priors["c"][c] * self.priors["d"][d]
                for (parents, rows), state in zip(self.tables, findings):
                    row = 0
                    for parent in parents:
                        row = row * self.states + (c if parent == "c" else d)
                    share *= 1 if state is None else rows[row][state]
                shares.append(share)
        total = sum(shares)
        return [share / total for share in shares] if total else shares


def check(got, wanted, tolerance, what):
    if not any(wanted):  # the findings are impossible
        assert not any(got), f"{what}: {got}"
        return
    for cell, share in zip(got, wanted):
        exact, read = log2_of(share), log2_read(cell)
        assert (exact is None) == (read is None), f"{what}: {cell}, exact log2 {exact}"
        assert exact is None or abs(exact - read) < tolerance, f"{what}: {cell}, log2 {exact}"


def main():
    mpfc, folder, trials = sys.argv[1], sys.argv[2], int(sys.argv[3])
    runs = TrialRuns(mpfc, folder)
    rng = random.Random(5)
    below = 0
    for trial in range(trials):
        network = Network(rng)
        cases = [[rng.choice([0, 0, 1, None]) for _ in range(network.children)] for _ in range(6)]
        cases.append([0] * network.children)
        header = ",".join(f"y[{i}]" for i in range(network.children))
        rows = [",".join("" if s is None else str(s) for s in case) for case in cases]
        model = runs.file(f"m{trial}.mpf", network.text())
        table = runs.file(f"m{trial}.csv", "\n".join([header] + rows) + "\n")
        exact = [network.posterior(case) for case in cases]
        below += sum(0 < share < Fraction(2) ** -1022 for row in exact for share in row)
        for engine in ENGINES:
            for kind, tolerance in TOLERANCES.items():
                options = ["--cases", table, "--engine", engine, "--type", kind]
                code, out, err = runs.run(model, *options)
                assert code == 0, err
                answers = list(csv.reader(io.StringIO(out)))[1:]
                assert len(answers) == len(cases)
                for number, (got, wanted) in enumerate(zip(answers, exact)):
                    check(got, wanted, tolerance, f"m{trial} row {number} {engine} {kind}")
    assert below > trials, f"{below} shares below the range of a double"
    print(f"{trials} networks agree")


main()
