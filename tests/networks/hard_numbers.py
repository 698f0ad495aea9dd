"""Models whose numbers are hard and whose answers are known in closed form, through `mpfc run`.

usage: hard_numbers.py MPFC [--device D]

Underflow comes from 2000 leaves of ratio 1e-3, tables of 1e-300, and a chain of 100,000 variables. Other
models have tables without variables, 60 variables in one scope, negative entries, or zero by
contradiction. Each runs in linear and log arithmetic, in f64 and f32. Zero by cancellation runs in linear
arithmetic only, because logarithms of 2 and 3 are rounded.
"""
import argparse
import json
import math
import random
import subprocess
import sys
import tempfile

MODES = {
    "linear": ([], 1e-9),
    "log": (["--arithmetic", "log"], 1e-9),
    "f32": (["--type", "f32"], 1e-4),
    "f32 log": (["--type", "f32", "--arithmetic", "log"], 1e-4),
}


def uai(extents, factors):
    """Returns the text of a model. Each of `factors` is (scope, entries)."""
    lines = ["MARKOV", str(len(extents)), " ".join(map(str, extents)), str(len(factors))]
    lines += [" ".join(map(str, [len(scope), *scope])) for scope, _ in factors]
    for _, entries in factors:
        lines += [str(len(entries)), " ".join(map(repr, entries))]
    return "\n".join(lines) + "\n"


def naiveBayes(leaves=2000):
    rng = random.Random(1)
    rows = [(1e-3 * rng.uniform(0.5, 1), 1e-3 * rng.uniform(0.5, 1)) for _ in range(leaves)]
    factors = [([0], [0.3, 0.7])]
    factors += [([0, 1 + i], [1 - a, a, 1 - b, b]) for i, (a, b) in enumerate(rows)]
    factors += [([1 + i], [0.0, 1.0]) for i in range(leaves)]  # all leaves observed
    sums = [math.log(prior) + sum(math.log(row[c]) for row in rows)
            for c, prior in enumerate((0.3, 0.7))]
    top = max(sums)
    answer = (top + math.log(sum(math.exp(s - top) for s in sums))) / math.log(10)
    return uai([2] * (1 + leaves), factors), answer, 1


def chain(length=100_000):
    rng = random.Random(2)
    factors, vector, log10 = [], [1.0, 1.0], 0.0
    for i in range(length - 1):
        a, b, c, d = (rng.uniform(0.1, 4) for _ in range(4))
        factors.append(([i, i + 1], [a, b, c, d]))
        vector = [vector[0] * a + vector[1] * c, vector[0] * b + vector[1] * d]
        total = sum(vector)
        log10 += math.log10(total)
        vector = [v / total for v in vector]
    return uai([2] * length, factors), log10, 1


def tinyTables(count=300):
    """Independent parts and constants; the product is far below and far above any float."""
    factors = [([], [1e-300])] + [([i], [3e-300, 1e-300]) for i in range(count)]
    log10 = -300 + count * math.log10(4e-300)
    return uai([2] * count, factors), log10, 1


def hugeTables(count=30):
    factors = [([i, (i + 1) % count], [2e200] * 4) for i in range(count)]
    return uai([2] * count, factors), count * math.log10(4e200), 1


def wideScope():
    extents = [2 if i % 5 == 0 else 1 for i in range(60)]
    size = math.prod(extents)
    entries = [1.0 + i % 7 for i in range(size)]
    return uai(extents, [(list(range(60)), entries)]), math.log10(sum(entries)), 1


def negative():
    entries = [1.0, -2.0, 3.0, -5.0]
    value = -2.5 * (0.5 * (1 - 2) + 2 * (3 - 5))  # 11.25
    factors = [([0, 1], entries), ([0], [0.5, 2.0]), ([], [-2.5])]
    return uai([2, 2], factors), math.log10(value), 1


def negativeResult():
    return uai([3], [([0], [1.0, -2.0, -7.0])]), math.log10(8), -1


def cancelled():
    factors = [([0, 1], [1.0, -2.0, 3.0, -4.0]), ([0], [1.0, -1.0])]
    return uai([2, 2], factors), -math.inf, 0


def contradiction():
    factors = [([0, 1], [0.5, 0.5, 0.0, 1.0]), ([1], [1.0, 0.0]), ([0], [0.0, 1.0])]
    return uai([2, 2], factors), -math.inf, 0


MODELS = [naiveBayes, chain, tinyTables, hugeTables, wideScope, negative, negativeResult,
          cancelled, contradiction]


def problemOf(mpfc, path, flags, wanted, sign, tolerance):
    run = subprocess.run([mpfc, "run", path, "--json", "-", *flags], stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, timeout=120, check=False)
    if run.returncode != 0:
        return f"exit code {run.returncode}: {run.stderr.strip()}"
    result = json.loads(run.stdout)[0]
    if sign == 0:
        zero = result["zero_probability"] and float(result["log10"]) == wanted
        return None if zero else f"log10 {result['log10']}, wanted zero"
    found = float(result["log10"])
    if abs(found - wanted) > tolerance * max(1, abs(wanted)):
        return f"log10 {found}, wanted {wanted}"
    return None if result.get("sign", 1) == sign else f"sign {result.get('sign')}, wanted {sign}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for make in MODELS:
            text, wanted, sign = make()
            path = f"{folder}/{make.__name__}.uai"
            with open(path, "w", encoding="ascii") as file:
                file.write(text)
            for mode, (flags, tolerance) in MODES.items():
                if make is cancelled and "log" in mode:
                    continue
                problem = problemOf(options.mpfc, path, [*flags, "--device", options.device],
                                    wanted, sign, tolerance)
                failed += problem is not None
                print(f"{make.__name__:<16} {mode:<8} {problem or 'right'}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
