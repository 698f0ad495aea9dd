"""usage: any_magnitude.py MPFC FOLDER COUNT SEED

Compares random networks whose numbers reach from 1e-400 to 1e400 with exact fractions. The rows of each
network are counts, which normalise(...) or --normalise divides. It is written as .mpf in two ways, BIF and
UAI. Two variables have soft evidence: in the model, as virtual evidence, or in a list of cases. Another
network has a posterior to meet.
"""
import itertools
import json
import math
import random
import subprocess
import sys
from fractions import Fraction


def number(rng):
    """Draws a decimal text; it seldom is 0, and often is near an end of the doubles."""
    if rng.random() < 0.1:
        return "0"
    near = rng.choice([-400, -324, -315, -308, -200, 0, 0, 0, 200, 308, 309, 400])
    digits = rng.choice([1, 3, 16])
    text = f"{rng.randint(1, 10**digits - 1)}e{near + rng.randint(-8, 8) - digits}"
    return text


def row(rng, states):
    while True:
        entries = [number(rng) for _ in range(states)]
        if any(entry != "0" for entry in entries):
            return entries


def lnOf(fraction):
    if fraction == 0:
        return -math.inf
    shift = fraction.numerator.bit_length() - fraction.denominator.bit_length()
    scaled = fraction / (Fraction(2) ** shift)
    return math.log(scaled) + shift * math.log(2)


def lnOfText(text):
    text = str(text)
    if text.startswith("10^"):
        return float(text[3:]) * math.log(10)
    return math.log(float(text)) if float(text) > 0 else -math.inf


def isNear(found, wanted):
    return found == wanted or abs(found - wanted) <= 1e-9 * max(1, abs(wanted))


class Network:
    def __init__(self, rng):
        count = rng.randint(2, 3)
        self.extents = [rng.randint(2, 3) for _ in range(count)]
        self.parents, self.rows = [], []
        for v in range(count):
            self.parents.append(sorted(rng.sample(range(v), rng.randint(0, v))))
            keys = itertools.product(*(range(self.extents[p]) for p in self.parents[v]))
            self.rows.append({key: row(rng, self.extents[v]) for key in keys})
        self.soft = {v: row(rng, self.extents[v]) for v in rng.sample(range(count), 2)}

    def weights(self):
        """The probabilities of all assignments, without soft evidence."""
        made = {}
        for states in itertools.product(*map(range, self.extents)):
            weight = Fraction(1)
            for v, rows in enumerate(self.rows):
                entries = [Fraction(text) for text in rows[tuple(states[p] for p in self.parents[v])]]
                weight *= entries[states[v]] / sum(entries)
            made[states] = weight
        return made

    def mpf(self, inside, soft):
        text = "".join(f"var v{i} : {n}\n" for i, n in enumerate(self.extents))
        for v, rows in enumerate(self.rows):
            flat = "[" + ", ".join(entry for entries in rows.values() for entry in entries) + "]"
            given = " | " + ", ".join(f"v{p}" for p in self.parents[v]) if self.parents[v] else ""
            text += f"prob P(v{v}{given}) = {f'normalise({flat})' if inside else flat}\n"
        for v, entries in self.soft.items() if soft else []:
            text += f"observe v{v} ~ [{', '.join(entries)}]\n"
        return text

    def bif(self):
        text = "network n { }\n"
        for v, extent in enumerate(self.extents):
            states = " ".join(f"s{state}" for state in range(extent))
            text += f"variable v{v} {{ type discrete [{extent}] {{ {states} }}; }}\n"
        for v, rows in enumerate(self.rows):
            if not self.parents[v]:
                text += f"probability ( v{v} ) {{ table {' '.join(rows[()])}; }}\n"
                continue
            text += f"probability ( v{v} | {', '.join(f'v{p}' for p in self.parents[v])} ) {{\n"
            for key, entries in rows.items():
                text += f"  ({', '.join(f's{state}' for state in key)}) {', '.join(entries)};\n"
            text += "}\n"
        return text

    def uai(self):
        text = f"BAYES\n{len(self.extents)}\n{' '.join(map(str, self.extents))}\n{len(self.extents)}\n"
        for v, parents in enumerate(self.parents):
            text += f"{len(parents) + 1} {' '.join(map(str, [*parents, v]))}\n"
        for v, rows in enumerate(self.rows):
            entries = [entry for entries in rows.values() for entry in entries]
            text += f"{len(entries)}\n{' '.join(entries)}\n"
        return text

    def virtual(self):
        return f"{len(self.soft)}\n" + "".join(f"{v} {len(entries)} {' '.join(entries)}\n"
                                               for v, entries in self.soft.items())

    def list(self, prefix):
        names = [f"v{v}={prefix}{state}" for v in self.soft for state in range(self.extents[v])]
        return ",".join(names) + "\n" + ",".join(itertools.chain(*self.soft.values())) + "\n"


class Trial:
    def __init__(self, mpfc, folder, rng):
        self.mpfc, self.folder, self.rng = mpfc, folder, rng
        self.network = Network(rng)

    def fail(self, message):
        sys.exit(f"{self.network.mpf(False, True)}\n{message}")

    def write(self, name, text):
        with open(f"{self.folder}/{name}", "w", encoding="ascii") as file:
            file.write(text)
        return f"{self.folder}/{name}"

    def run(self, *arguments):
        return subprocess.run([self.mpfc, "run", *arguments, "--device", "cpu"], capture_output=True,
                              text=True, timeout=120, check=False)

    def compare(self, where, entries, wanted):
        """Compares texts of shares with fractions."""
        for found, share in zip(entries, wanted, strict=True):
            if not isNear(lnOfText(found), lnOf(share)):
                self.fail(f"{where}: {found}, wanted ln {lnOf(share)}, {list(entries)}")

    def answer(self, where, *arguments):
        """Compares the answers of a run with the wanted ones."""
        joint = f"P({', '.join(self.names[:2])})"
        queries = ["evidence", "marginals", f"P({self.names[0]})", joint]
        run = self.run(*arguments, *itertools.chain(*(("--query", query) for query in queries)))
        if self.total == 0:
            if "probability zero" not in run.stdout + run.stderr:
                self.fail(f"{where}: not zero\n{run.stdout}{run.stderr}")
            return
        if run.returncode != 0:
            self.fail(f"{where}: {run.stderr}")
        section, joints = "", []
        for line in run.stdout.splitlines():
            name, _, rest = line.partition(":")
            if line.startswith("query "):
                section = line[6:]
            elif name == "evidence":
                if not isNear(float(rest.rsplit("ln ", 1)[1].rstrip(")")), lnOf(self.total)):
                    self.fail(f"{where}: {line}, wanted ln {lnOf(self.total)}")
            elif section == "marginals" and name in self.names:
                self.compare(f"{where} {name}", rest.split()[1::2], self.shares(self.names.index(name)))
            elif line.startswith("P(") and section == queries[2]:
                self.compare(where, rest.split()[1::2], self.shares(0))
            elif line.startswith("  "):
                joints.append(rest.strip())
        self.compare(f"{where} {joint}", joints, self.jointShares())

    def shares(self, v):
        return [sum(w for s, w in self.weights.items() if s[v] == state) / self.total
                for state in range(self.network.extents[v])]

    def jointShares(self):
        return [sum(w for s, w in self.weights.items() if s[:2] == states) / self.total
                for states in itertools.product(*map(range, self.network.extents[:2]))]

    def listed(self, where, query, wanted, *arguments):
        """Compares the row of a list of one case."""
        run = self.run(*arguments, "--query", query)
        if run.returncode != 0:
            self.fail(f"{where}: {run.stderr}")
        head, cells = (line.split(",") for line in run.stdout.splitlines()[:2])
        if query == "marginals":
            if not isNear(float(cells[0] if cells[0] else "-inf"), lnOf(self.total)):
                self.fail(f"{where}: {cells[0]}, wanted {lnOf(self.total)}, {head}")
            cells = cells[1:]
        if self.total == 0:
            return
        self.compare(where, cells, wanted)

    def inAnyForm(self):
        network = self.network
        self.names = [f"v{v}" for v in range(len(network.extents))]
        self.weights = network.weights()
        for states in self.weights:
            for v, entries in network.soft.items():
                self.weights[states] *= Fraction(entries[states[v]])
        self.total = sum(self.weights.values())
        virtual = self.write("soft.evid", network.virtual())
        inside = self.write("inside.mpf", network.mpf(True, True))
        plain = self.write("plain.mpf", network.mpf(False, False))
        bif = self.write("m.bif", network.bif())
        uai = self.write("m.uai", network.uai())
        self.answer("mpf", inside)
        self.answer("mpf, --normalise", self.write("far.mpf", network.mpf(False, True)), "--normalise")
        again = self.write("again.mpf", subprocess.run(
            [self.mpfc, "import", inside], capture_output=True, text=True, check=True).stdout)
        self.answer("imported", again)
        marginals = list(itertools.chain(*(self.shares(v) for v in range(len(self.names))))
                         if self.total else [])
        for engine in ["lanes", "tables", "single"]:
            for model, prefix in [(plain, ""), (bif, "s")]:
                rows = self.write("rows.csv", network.list(prefix))
                arguments = [model, "--normalise", "--cases", rows, "--engine", engine]
                self.listed(f"{engine}, {model}", "marginals", marginals, *arguments)
                self.listed(f"{engine}, {model}", "P(v0, v1)",
                            self.jointShares() if self.total else [], *arguments)
        self.names = [f"x{v}" for v in range(len(network.extents))]
        self.answer("uai", uai, "--normalise", "--likelihoods", virtual)

    def posterior(self):
        """A posterior of one variable that is met by a likelihood beyond all doubles."""
        network = self.network
        self.names = [f"v{v}" for v in range(len(network.extents))]
        weights = network.weights()
        target = self.rng.randrange(len(self.names))
        has = [sum(w for s, w in weights.items() if s[target] == state)
               for state in range(network.extents[target])]
        counts = [Fraction(number(self.rng)) if share else 0 for share in has]
        if sum(counts) == 0:
            counts = [1 if share else 0 for share in has]
        wanted = [Fraction(count) / Fraction(sum(counts)) for count in counts]
        self.weights = {s: w and w * wanted[s[target]] / has[s[target]] for s, w in weights.items()}
        self.total = 1
        texts = [str(count.numerator) if count.denominator == 1 else
                 f"{count.numerator} / {count.denominator}" for count in map(Fraction, counts)]
        text = network.mpf(True, False)
        text += f"observe v{target} ~ posterior [{', '.join(self.decimals(wanted))}]\n"
        path = self.write("posterior.mpf", text + "query marginals\n")
        run = self.run(path)
        if run.returncode != 0:
            self.fail(f"{text}: {run.stderr}")
        for line in run.stdout.splitlines():
            name, _, rest = line.partition(":")
            if name in self.names:
                self.compare(f"posterior {text}", rest.split()[1::2], self.shares(self.names.index(name)))

    @staticmethod
    def decimals(shares):
        """The shares in 20 digits."""
        texts = []
        for share in shares:
            if share == 0:
                texts.append("0")
                continue
            power = math.floor(lnOf(share) / math.log(10))
            texts.append(f"{round(share / Fraction(10) ** (power - 20))}e{power - 20}")
        return texts


mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for trial in range(count):
    Trial(mpfc, folder, random.Random(seed + trial)).inAnyForm()
    Trial(mpfc, folder, random.Random(seed + trial)).posterior()
print(f"{count} networks alike")
