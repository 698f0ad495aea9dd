"""Compares counts of random formulas with sums over all assignments: all four tracks of the competitions.

usage: check_counts.py MPFC WORKFOLDER FORMULAS
"""
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

TOLERANCE = 1e-12


def drawFormula(rng, track):
    """Returns variables, clauses, shown variables, and the weights of literals as texts."""
    count = rng.randint(1, 11)
    clauses = []
    for _ in range(rng.randint(0, 2 * count)):
        size = rng.choice((1, 2, 2, 3, 3, 3, 9)) if rng.random() < 0.97 else 0
        clauses.append([rng.choice((-1, 1)) * rng.randint(1, count) for _ in range(size)])
    shown = sorted(rng.sample(range(1, count + 1), rng.randint(0, count))) if track[0] == "p" else None
    weights = {}
    if "w" in track:
        isWhole = rng.random() < 0.3
        for v in range(1, count + 1) if shown is None else shown:
            if rng.random() < 0.7:
                for literal in (v, -v):
                    weights[literal] = str(rng.randint(0, 5)) if isWhole else rng.choice(("1/3", "0.25", "-2e-1", "1.5", "0"))
    return count, clauses, shown, weights


def textOf(track, count, clauses, shown, weights, rng):
    lines = [f"p cnf {count} {len(clauses)}", f"c t {track}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    if shown is not None:
        middle = rng.randint(0, len(shown))
        lines += [" ".join(map(str, ["c p show", *part, 0])) for part in (shown[:middle], shown[middle:])]
    return "\n".join([*lines, *(f"c p weight {literal} {weight} 0" for literal, weight in weights.items())]) + "\n"


def expected(count, clauses, shown, weights):
    """Returns the weighted sum over the assignments of shown variables that some model has."""
    seen, total = set(), Fraction(0)
    over = range(1, count + 1) if shown is None else shown
    for bits in range(1 << count):
        if all(any((bits >> abs(l) - 1 & 1) == (l > 0) for l in clause) for clause in clauses):
            literals = tuple(v if bits >> v - 1 & 1 else -v for v in over)
            if literals not in seen:
                seen.add(literals)
                total += math.prod(Fraction(weights.get(l, "1")) for l in literals)
    return total


def faultOf(done, track, total):
    if done.returncode != 0:
        return done.stderr
    lines = done.stdout.splitlines()
    isCounted = "w" not in track
    status = "SATISFIABLE" if total else "UNSATISFIABLE" if isCounted else "UNKNOWN"
    value = lines[3].split()[-1]
    if lines[0] != f"s {status}" or lines[1] != f"c s type {track}":
        return f"{lines[:2]} for {total}"
    if lines[3].startswith("c s exact arb int "):
        return None if int(value) == total else f"{value} != {total}"
    if isCounted or not lines[3].startswith("c s exact double prec-sci "):
        return lines[3]
    scale = max(abs(total), Fraction(1, 10**6))  # weights of both signs cancel
    if abs(Fraction(value) - total) > TOLERANCE * scale:
        return f"{value} != {float(total)}"
    estimate = lines[2].split()[-1]
    isNegative = lines[2].startswith("c s neglog10-estimate ")
    if total and (isNegative != (total < 0) or abs(float(estimate) - math.log10(abs(total))) > 1e-9):
        return lines[2]
    return None


def main(mpfc, work, formulas):
    os.makedirs(work, exist_ok=True)
    rng = random.Random(2021)
    failures = 0
    for number in range(int(formulas)):
        track = ("mc", "wmc", "pmc", "pwmc")[number % 4]
        formula = drawFormula(rng, track)
        path = os.path.join(work, f"f{number}.cnf")
        with open(path, "w") as file:
            file.write(textOf(track, *formula, rng))
        done = subprocess.run([mpfc, "run", path, "--format", track], capture_output=True, text=True)
        fault = faultOf(done, track, expected(*formula))
        if fault:
            failures += 1
            print(f"{path}, {track}: {fault}")
    print(f"{formulas} formulas, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
