"""Compares counts of random formulas with sums over all assignments.

The formulas are of all four tracks of the competitions. Weights and projections are also written in the older
dialects, and some literals of a variable have a weight alone.

usage: check_counts.py MPFC WORKFOLDER FORMULAS [SEED]
"""
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

TOLERANCE = 1e-12


# How weights are written: as the competitions do, under `p wcnf`, as Cachet does, and as MiniC2D does.
WEIGHTS = ("show", "wcnf", "cachet", "minic2d")
# How shown variables are written: as the competitions do, `c ind` lines, and `vp` lines under `p pcnf`.
PROJECTIONS = ("show", "ind", "vp")


def drawFormula(rng, track):
    """Returns variables, clauses, shown variables, the dialect, and the weights of literals as texts."""
    count = rng.randint(1, 11)
    clauses = []
    for _ in range(rng.randint(0, 2 * count)):
        size = rng.choice((1, 2, 2, 3, 3, 3, 9)) if rng.random() < 0.97 else 0
        clauses.append([rng.choice((-1, 1)) * rng.randint(1, count) for _ in range(size)])
    dialect = rng.choice(WEIGHTS if track == "wmc" else PROJECTIONS if track == "pmc" else ("show",))
    least = 0 if dialect == "show" else 1
    shown = sorted(rng.sample(range(1, count + 1), rng.randint(least, count))) if track[0] == "p" else None
    weights = drawWeights(rng, dialect, range(1, count + 1) if shown is None else shown) if "w" in track else {}
    return count, clauses, shown, dialect, weights


def drawWeights(rng, dialect, variables):
    """Returns the texts of literals; a literal that is left out has what the other one leaves to it."""
    weights, isWhole = {}, rng.random() < 0.3
    texts = ("0", "1", "2", "3", "5") if isWhole else ("1/3", "0.25", "-2e-1", "1.5", "0")
    for v in variables:
        if dialect == "minic2d":
            weights[v], weights[-v] = rng.choice(("0.5", "3", "0.125")), rng.choice(("0.5", "1", "2"))
        elif dialect == "cachet":
            if rng.random() < 0.7:
                weights[v] = rng.choice(("0.5", "0.25", "-1", "0", "1"))
        elif rng.random() < 0.7 or dialect == "wcnf" and not weights:
            literals = (v, -v) if rng.random() < 0.8 else (rng.choice((v, -v)),)
            for literal in literals:
                weights[literal] = rng.choice(texts)
    return weights


def weightOf(literal, dialect, weights):
    if literal in weights:
        own = Fraction(weights[literal])
        return Fraction(1) if dialect == "cachet" and own == -1 else own
    other = Fraction(weights.get(-literal, "2"))
    return 1 - other if 0 <= other <= 1 else Fraction(1)


def linesOfWeights(dialect, weights):
    if dialect == "minic2d":
        return [" ".join(("c weights", *weights.values()))]
    if dialect == "show":
        return [f"c p weight {literal} {weight} 0" for literal, weight in weights.items()]
    return [f"w {literal} {weight}" for literal, weight in weights.items()]


def textOf(track, formula, rng):
    count, clauses, shown, dialect, weights = formula
    kind = {"wcnf": "wcnf", "vp": rng.choice(("cnf", "pcnf"))}.get(dialect, "cnf")
    size = f"{count} {len(clauses)}" + (f" {len(shown)}" if kind == "pcnf" else "")
    head = [f"p {kind} {size}"] + ([f"c t {track}"] if dialect == "show" else [])
    listed = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    extra = linesOfWeights(dialect, weights)
    if shown is not None:
        middle = rng.randint(0, len(shown)) if dialect == "show" else len(shown)
        word = {"show": "c p show", "ind": "c ind", "vp": "vp"}[dialect]
        extra += [" ".join(map(str, [word, *part, 0])) for part in (shown[:middle], shown[middle:]) if part or dialect == "show"]
    parts = (head, extra, listed) if rng.random() < 0.5 or dialect != "show" else (head, listed, extra)
    return "\n".join(line for part in parts for line in part) + "\n"


def expected(count, clauses, shown, dialect, weights):
    """Returns the weighted sum over the assignments of shown variables that some model has."""
    seen, total = set(), Fraction(0)
    over = range(1, count + 1) if shown is None else shown
    for bits in range(1 << count):
        if all(any((bits >> abs(l) - 1 & 1) == (l > 0) for l in clause) for clause in clauses):
            literals = tuple(v if bits >> v - 1 & 1 else -v for v in over)
            if literals not in seen:
                seen.add(literals)
                total += math.prod(weightOf(l, dialect, weights) for l in literals)
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


def main(mpfc, work, formulas, seed="2021"):
    os.makedirs(work, exist_ok=True)
    rng = random.Random(int(seed))
    failures = 0
    for number in range(int(formulas)):
        track = ("mc", "wmc", "pmc", "pwmc")[number % 4]
        formula = drawFormula(rng, track)
        path = os.path.join(work, f"f{number}.cnf")
        with open(path, "w") as file:
            file.write(textOf(track, formula, rng))
        done = subprocess.run([mpfc, "run", path, "--format", track], capture_output=True, text=True)
        fault = faultOf(done, track, expected(*formula))
        if fault:
            failures += 1
            print(f"{path}, {track}: {fault}")
    print(f"{formulas} formulas, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
