"""digits.py MPFC FOLDER COUNT

Random noisy-max networks in BIF, whose rows are written with six digits: rows of several causes against
exact fractions of what the rows mean.
"""
import itertools
import random
import subprocess
import sys
from fractions import Fraction


def distribution(rng, states):
    weights = [rng.choice([0, 1, 2, 5, 9]) for _ in range(states)]
    weights[rng.randrange(states)] += 3
    return [Fraction(w, sum(weights)) for w in weights]


def maximum(a, b):
    below = [sum(a[:i + 1]) * sum(b[:i + 1]) for i in range(len(a))]
    return [x - y for x, y in zip(below, [0] + below)]


def label(state):
    return f"s{state}"


def network(rng):
    states = rng.randint(2, 4)
    extents = [rng.randint(2, 3) for _ in range(rng.randint(2, 4))]
    leak = distribution(rng, states)
    leak = [(x + Fraction(1, 10)) / (1 + Fraction(states, 10)) for x in leak]
    absent = [1] + [0] * (states - 1)
    tables = [[absent] + [distribution(rng, states) for _ in range(extent - 1)] for extent in extents]
    text = "network n { }\n"
    for name, extent in [*((f"c{i}", e) for i, e in enumerate(extents)), ("y", states)]:
        text += f"variable {name} {{ type discrete [ {extent} ] {{ {', '.join(map(label, range(extent)))} }}; }}\n"
    for i, extent in enumerate(extents):
        text += f"probability ( c{i} ) {{ table {', '.join(['1'] + ['0'] * (extent - 1))}; }}\n"
    text += f"probability ( y | {', '.join(f'c{i}' for i in range(len(extents)))} ) {{ property function max;\n"
    for i, extent in enumerate(extents):
        for state in range(0 if i == 0 else 1, extent):
            given = [label(state if j == i else 0) for j in range(len(extents))]
            numbers = ", ".join(f"{float(x):.6f}" for x in maximum(leak, tables[i][state]))
            text += f"  ({', '.join(given)}) {numbers};\n"
    return text + "}\n", leak, tables


def main():
    mpfc, folder, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    rng = random.Random(6)
    for number in range(count):
        text, leak, tables = network(rng)
        path = f"{folder}/{number}.bif"
        with open(path, "w") as file:
            file.write(text)
        subprocess.run([mpfc, "import", path, "-o", path + ".uai"], check=True, stderr=subprocess.DEVNULL)
        words = open(path + ".uai").read().split()
        wanted = []
        for rows in itertools.product(*tables):
            row = leak
            for alone in rows:
                row = maximum(row, alone)
            wanted += map(float, row)
        given = list(map(float, words[-len(wanted):]))
        worst = max(abs(a - b) for a, b in zip(given, wanted))
        if worst > 5e-5:
            sys.exit(f"{path}: {worst}")
    print(f"{count} networks alike")


main()
