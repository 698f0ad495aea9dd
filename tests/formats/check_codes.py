"""Compares codes over channels with sums over all words: posteriors of bits, best words, evidence.

The codes are drawn at random, with checks of 1 to 9 bits. Their words are found by trying all words of
the bits, check by check.

usage: check_codes.py MPFC WORKFOLDER CODES ROWS [SEED]
"""
import csv
import math
import os
import random
import subprocess
import sys

TOLERANCE = 1e-12


def drawCode(rng):
    """Returns the number of bits, and the bits of each check."""
    bits = rng.randint(2, 20)
    checks = []
    for _ in range(rng.randint(max(1, bits - 9), bits)):  # few words are left
        checks.append(sorted(rng.sample(range(bits), rng.randint(1, min(9, bits)))))
    return bits, checks


def wordsOf(bits, checks):
    """Extends words bit by bit. A check is tried as soon as all its bits are there."""
    words = [0]
    for bit in range(bits):
        words += [word | 1 << bit for word in words]
        for check in checks:
            if check[-1] == bit:
                mask = sum(1 << b for b in check)
                words = [word for word in words if (word & mask).bit_count() % 2 == 0]
    return words


def alist(bits, checks):
    ofBits = [[c + 1 for c, check in enumerate(checks) if bit in check] for bit in range(bits)]
    ofChecks = [[bit + 1 for bit in check] for check in checks]
    lines = [f"{bits} {len(checks)}", f"{max(map(len, ofBits))} {max(map(len, ofChecks))}"]
    for lists in (ofBits, ofChecks):
        lines.append(" ".join(str(len(one)) for one in lists))
    for lists in (ofBits, ofChecks):
        width = max(map(len, lists))
        lines += [" ".join(map(str, one + [0] * (width - len(one)))) for one in lists]
    return "\n".join(lines) + "\n"


def drawChannel(rng, bits):
    """Returns the option, a row of received numbers, and the logarithms of the weights of 0 and 1."""
    kind = rng.choice(("llr", "bsc", "awgn"))
    if kind == "llr":
        row = [rng.gauss(0, 3) for _ in range(bits)]
        return kind, lambda: row, lambda y: (-math.log1p(math.exp(-y)), -math.log1p(math.exp(y)))
    if kind == "bsc":
        flip = rng.choice((0.01, 0.125, 0.4))

        def weights(y):
            return (math.log(0.5),) * 2 if y == 0.5 else (math.log(flip if y else 1 - flip), math.log(1 - flip if y else flip))
        return f"bsc:{flip}", lambda: [rng.choice((0, 1)) for _ in range(bits)], weights
    sigma = rng.choice((0.5, 0.8, 2))
    return (f"awgn:{sigma}", lambda: [rng.gauss(1 - 2 * rng.randint(0, 1), sigma) for _ in range(bits)],
            lambda y: (-((y - 1) ** 2) / (2 * sigma**2), -((y + 1) ** 2) / (2 * sigma**2)))


def expected(words, bits, logs):
    """Returns the logarithm of the sum over words, the posteriors of 1, and the best logarithm."""
    scores = [math.fsum(logs[b][word >> b & 1] for b in range(bits)) for word in words]
    best = max(scores)
    weights = [math.exp(score - best) for score in scores]
    total = math.fsum(weights)
    ones = [math.fsum(w for w, word in zip(weights, words) if word >> b & 1) / total for b in range(bits)]
    return best + math.log(total), ones, best


def faultsOf(row, words, bits, logs):
    evidence, ones, best = expected(words, bits, logs)
    word = sum(int(row[f"x{b}"]) << b for b in range(bits))
    itsScore = math.fsum(logs[b][word >> b & 1] for b in range(bits))
    pairs = [("evidence", float(row["ln(evidence)"]), evidence), ("best", float(row["ln(best)"]), best),
             ("word", itsScore, best), *((f"x{b}", float(row[f"P(x{b}=1)"]), ones[b]) for b in range(bits))]
    faults = [f"{name}: {a} != {b}" for name, a, b in pairs if abs(a - b) > TOLERANCE * max(1, abs(b))]
    return faults + ([] if word in words else ["the best word is none of the code"])


def main(mpfc, work, codes, rows, seed="51"):
    os.makedirs(work, exist_ok=True)
    rng = random.Random(int(seed))
    failures = 0
    for number in range(int(codes)):
        bits, checks = drawCode(rng)
        words = wordsOf(bits, checks)
        path, listed = os.path.join(work, "code.alist"), os.path.join(work, "received.csv")
        with open(path, "w") as file:
            file.write(alist(bits, checks))
        option, drawRow, weights = drawChannel(rng, bits)
        received = [drawRow() for _ in range(int(rows))]
        with open(listed, "w") as file:
            file.write(",".join(f"y{b}" for b in range(bits)) + "\n")
            file.writelines(",".join(map(repr, row)) + "\n" for row in received)
        done = subprocess.run([mpfc, "run", path, "--channel", option, "--cases", listed], capture_output=True, text=True)
        answers = list(csv.DictReader(done.stdout.splitlines()))
        faults = [] if done.returncode == 0 and len(answers) == len(received) else [done.stderr]
        for row, numbers in zip(answers, received):
            faults += faultsOf(row, words, bits, [weights(y) for y in numbers])
        failures += bool(faults)
        for fault in faults[:5]:
            print(f"code {number}, {option}: {fault}")
    print(f"{codes} codes, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
