"""usage: noisy.py MPFC FOLDER COUNT SEED

Compares random networks with noisy-or, noisy-max and noisy-min with the same networks with whole tables,
which are computed here in fractions. The queries are evidence, marginals, joint posteriors, maxima, best
assignments, and lists of cases by every engine.
"""
import itertools
import random
import subprocess
import sys
from fractions import Fraction


def distribution(rng, states, zeros):
    weights = [0 if zeros and rng.random() < 0.3 else rng.randint(1, 9) for _ in range(states)]
    if not any(weights):
        weights[rng.randrange(states)] = 1
    # Entries are multiples of 1/64, so that the numbers in the text are exact.
    whole = 64
    row = [w * whole // sum(weights) for w in weights]
    row[row.index(max(row))] += whole - sum(row)
    return [Fraction(n, whole) for n in row]


def wholeTable(leak, tables, extents):
    """Returns the rows over the causes, the last cause fastest: the distribution of the highest state."""
    rows = []
    for states in itertools.product(*map(range, extents)):
        below = []
        for s in range(len(leak)):
            product = sum(leak[:s + 1])
            for table, x in zip(tables, states):
                product *= sum(table[x][:s + 1])
            below.append(product)
        rows.append([b - a for a, b in zip([0] + below, below)])
    return rows


def text(rows):
    return "[" + ", ".join(text(row) if isinstance(row, list) else repr(float(row))
                           for row in rows) + "]"


def makeModel(rng):
    count = rng.randint(3, 7)
    extents = [rng.randint(2, 3) for _ in range(count)]
    head = "".join(f"var v{i} : {extents[i]}\n" for i in range(count))
    noisy, whole = head, head
    for child in range(count):
        parents = rng.sample(range(child), rng.randint(0, child)) if child else []
        if not parents:
            line = f"prob P(v{child}) = {text(distribution(rng, extents[child], False))}\n"
            noisy += line
            whole += line
            continue
        given = ", ".join(f"v{p}" for p in parents)
        zeros = rng.random() < 0.4
        isOr = extents[child] == 2 and all(extents[p] == 2 for p in parents)
        if isOr:
            leak = Fraction(rng.randint(0, 16), 64)
            links = [Fraction(rng.randint(0, 64), 64) for _ in parents]
            leakRow, tables = [1 - leak, leak], [[[1, 0], [1 - p, p]] for p in links]
            value = f"noisyor(leak = {float(leak)}, {text(links)})"
        else:
            leakRow = distribution(rng, extents[child], zeros)
            tables = [[distribution(rng, extents[child], zeros) for _ in range(extents[p])]
                      for p in parents]
            isMin = rng.random() < 0.5
            value = f"noisym{'in' if isMin else 'ax'}(leak = {text(leakRow)}, {', '.join(map(text, tables))})"
        noisy += f"prob P(v{child} | {given}) = {value}\n"
        # The lowest state is the highest one where states are counted from the other end.
        step = -1 if not isOr and isMin else 1
        rows = [row[::step] for row in wholeTable(leakRow[::step], [[row[::step] for row in t] for t in tables],
                                                  [extents[p] for p in parents])]
        flat = [entry for row in rows for entry in row]
        whole += f"prob P(v{child} | {given}) = {text(flat)}\n"
    return count, extents, noisy, whole


def run(mpfc, path, *options):
    return subprocess.run([mpfc, "run", path, *options], capture_output=True, text=True)


def numbers(line):
    words = []
    for word in line.replace("=", " ").replace(",", " ").replace("(", " ").replace(")", " ").split():
        try:
            words.append(float(word))
        except ValueError:
            words.append(word)
    return words


def isNear(a, b):
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or abs(a - b) <= 1e-9 * max(1e-3, abs(a), abs(b))


def compare(what, got, wanted):
    for a, b in zip(got.stdout.splitlines(), wanted.stdout.splitlines(), strict=True):
        if not all(map(isNear, numbers(a), numbers(b))) or len(numbers(a)) != len(numbers(b)):
            sys.exit(f"{what}: {a}\nwanted: {b}")
    if got.returncode != wanted.returncode:
        sys.exit(f"{what}: exit {got.returncode}, wanted {wanted.returncode}: {got.stderr}")


def trial(mpfc, folder, rng):
    count, extents, noisy, whole = makeModel(rng)
    observed = rng.sample(range(count), rng.randint(0, 2))
    evidence = "".join(f"observe v{i} = {rng.randrange(extents[i])}\n" for i in observed)
    pair = rng.sample(range(count), 2)
    everything = " * ".join(f"P(v{i})" for i in range(count))
    added = everything.replace("*", "+")
    asked = (f"query evidence\nquery marginals\nquery best\nquery P(v{pair[0]}, v{pair[1]})\n"
             f"query m(v{pair[0]}) = max() {everything}\n"
             f"query s(v{pair[1]}) = sum() {everything}\n")
    sums = f"query least = min() {added}\nquery logs(v{pair[0]}) = logsum() {added}\n"
    paths = [f"{folder}/noisy.mpf", f"{folder}/whole.mpf"]
    for path, model in zip(paths, (noisy, whole)):
        with open(path, "w") as file:
            file.write(model + evidence + asked)
        with open(path.replace(".mpf", "_sums.mpf"), "w") as file:
            file.write(model + evidence + sums)
    compare("sums of costs", *(run(mpfc, path.replace(".mpf", "_sums.mpf")) for path in paths))
    for options in ([], ["--simplify", "none"], ["--arithmetic", "log"]):
        compare(f"{paths[0]} {options}", run(mpfc, paths[0], *options),
                run(mpfc, paths[1], *options))
    free = [i for i in range(count) if i not in observed]
    with open(f"{folder}/rows.csv", "w") as file:
        columns = free[:3]
        file.write(",".join(f"v{i}" for i in columns) + "\n")
        for _ in range(5):
            file.write(",".join(rng.choice(["", str(rng.randrange(extents[i]))]) if len(columns) > 1
                                else str(rng.randrange(extents[i])) for i in columns) + "\n")
    for engine in ("lanes", "tables", "single"):
        options = ["--cases", f"{folder}/rows.csv", "--engine", engine, "--on-error", "skip"]
        compare(f"{paths[0]} {options}", run(mpfc, paths[0], *options),
                run(mpfc, paths[1], "--cases", f"{folder}/rows.csv", "--engine", "single",
                    "--on-error", "skip"))


def main():
    mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    for number in range(count):
        trial(mpfc, folder, random.Random(seed + number))
    print(f"{count} networks alike")


main()
