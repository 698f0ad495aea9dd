"""Compares `mpfc run` on random models, whose formulas reach exp(-5000) to exp(5000), with sums over all
assignments in decimal numbers of 60 digits.

usage: wide_formulas.py MPFC [--models N] [--seed S] [--device D] [-v]

Each model answers its evidence, all posteriors, the best explanation, a joint posterior and a sum of
products. It also gives the greatest and the least entry of one factor, and the greatest sum of two. The
types are f64, f32 and logarithms. Then it answers a list of cases in lanes, by tables and one after the
other. The cases observe variables and set a param of the formulas; queries that add or minimise run for
each case alone. A refusal counts as wrong.
"""
import argparse
import csv
import io
import itertools
import math
import random
import subprocess
import sys
import tempfile
from decimal import Decimal, getcontext

getcontext().prec = 60
getcontext().Emax = 10**9
getcontext().Emin = -10**9

MOST_LN = 5000


class Drawn:
    """An expression: its text, and its value as a Decimal at states and params."""

    def __init__(self, text, value):
        self.text, self.value = text, value


def drawExponent(rng, scope, most, withParam):
    """Draws a linear expression of magnitude `most` at most, in multiples of 1/8: doubles are exact."""
    terms = [rng.randint(-4 * most, 4 * most) / 8]
    names = [f"x{v}" for v in scope]
    if withParam:
        names.append("p")
    weights = [rng.randint(-2 * most, 2 * most) / 8 / max(1, len(names)) // 0.125 * 0.125
               for _ in names]
    text = repr(terms[0]) + "".join(f" + {weight!r} * {name}" for weight, name in zip(weights, names))

    def value(states, p):
        numbers = [states[v] for v in scope] + ([p] if withParam else [])
        return Decimal(terms[0]) + sum(Decimal(w) * Decimal(n) for w, n in zip(weights, numbers))

    return Drawn(text, value)


def drawFormula(rng, scope, withParam):
    most = rng.choice([1, 30, 400, MOST_LN // 4, MOST_LN // 2])
    first = drawExponent(rng, scope, most, withParam)
    second = drawExponent(rng, scope, most, withParam)
    number = rng.choice([0.25, 3.0, 1e-9, 0.7])
    kind = rng.randrange(9)
    choice = scope[0]
    if kind == 0:
        return Drawn(f"exp({first.text})", lambda s, p: first.value(s, p).exp())
    if kind == 1:
        return Drawn(f"exp({first.text}) * exp({second.text})",
                     lambda s, p: (first.value(s, p) + second.value(s, p)).exp())
    if kind == 2:
        return Drawn(f"exp({first.text}) / exp({second.text})",
                     lambda s, p: (first.value(s, p) - second.value(s, p)).exp())
    if kind == 3:
        base, power = rng.choice([0.001, 0.37, 12.5]), rng.randint(1, 400)
        return Drawn(f"{base!r}^({power} * (x{choice} + 1)) * {number!r}",
                     lambda s, p: Decimal(base) ** (power * (s[choice] + 1)) * Decimal(number))
    if kind == 4:
        return Drawn(f"x{choice} == 0 ? exp({first.text}) : {number!r}",
                     lambda s, p: first.value(s, p).exp() if s[choice] == 0 else Decimal(number))
    if kind == 5:
        return Drawn(f"exp({first.text}) + exp({second.text})",
                     lambda s, p: first.value(s, p).exp() + second.value(s, p).exp())
    if kind == 6:
        return Drawn(f"sqrt(exp({first.text})) * {number!r}",
                     lambda s, p: (first.value(s, p) / 2).exp() * Decimal(number))
    if kind == 7:
        return Drawn(f"x{choice} == 1 ? 0 : exp({first.text})",
                     lambda s, p: Decimal(0) if s[choice] == 1 else first.value(s, p).exp())
    return Drawn(f"max(exp({first.text}), {number!r} * exp({second.text}))",
                 lambda s, p: max(first.value(s, p).exp(),
                                  Decimal(number) * second.value(s, p).exp()))


def drawLogs(rng, scope, extents):
    """Draws exp([...]) with an array of logarithms."""
    shape = [extents[v] for v in scope]
    logs = [rng.randint(-8 * MOST_LN, 8 * MOST_LN) / 8 for _ in range(math.prod(shape))]

    def value(states, _):
        index = 0
        for v in scope:
            index = index * extents[v] + states[v]
        return Decimal(logs[index]).exp()

    return Drawn("exp([" + ", ".join(map(repr, logs)) + "])", value)


ALONE = ["hi", "lo", "cost"]


class Network:
    def __init__(self, rng):
        count = rng.randint(2, 4)
        self.extents = [rng.randint(2, 3) for _ in range(count)]
        self.factors = []
        for _ in range(rng.randint(1, 5)):
            scope = rng.sample(range(count), rng.randint(1, min(3, count)))
            drawn = (drawLogs(rng, scope, self.extents) if rng.random() < 0.15
                     else drawFormula(rng, scope, rng.random() < 0.5))
            self.factors.append((scope, drawn))
        self.param = rng.choice([0, 1, -1, 0.5, 2])
        self.observed = {v: rng.randrange(self.extents[v]) for v in range(count)
                         if rng.random() < 0.2}
        free = [v for v in range(count) if v not in self.observed]
        self.joint = free[:2]
        self.added = sorted({0, len(self.factors) - 1})

    def sums(self, factors, observed, param):
        """Yields sums of the factors' entries, at the states that the evidence leaves."""
        scope = sorted({v for f in factors for v in self.factors[f][0]})
        for states in itertools.product(*(range(self.extents[v]) for v in scope)):
            at = dict(zip(scope, states))
            if all(observed.get(v, state) == state for v, state in at.items()):
                yield sum((self.factors[f][1].value(at, param) for f in factors), Decimal(0))

    def alone(self, name, observed, param):
        """The value of one of ALONE."""
        if name == "lo":
            return min(self.sums([0], observed, param))
        return max(self.sums([0] if name == "hi" else self.added, observed, param))

    def mayLose(self, cost, param):
        """Whether the one scale of all costs, also of those that a row rules out, has no room for it."""
        greatest = max(max(self.sums([f], {}, param)) for f in self.added)
        return lnOf(greatest) - cost > 562 * math.log(2)

    def aloneQueries(self, names):
        texts = {"hi": "max() f0", "lo": "min() f0",
                 "cost": f"max() {' + '.join(f'f{f}' for f in self.added)}"}
        return [f"query {name} = {texts[name]}" for name in names]

    def unusedStates(self):
        used = {v for scope, _ in self.factors for v in scope} | set(self.observed)
        return math.prod(e for v, e in enumerate(self.extents) if v not in used)

    def text(self, queries, observed):
        lines = [f"var x{v} : {extent}" for v, extent in enumerate(self.extents)]
        lines.append(f"param p = {self.param!r}")
        for f, (scope, drawn) in enumerate(self.factors):
            lines.append(f"factor f{f}({', '.join(f'x{v}' for v in scope)}) = {drawn.text}")
        lines += [f"observe x{v} = {state}" for v, state in observed.items()]
        return "\n".join(lines + queries) + "\n"

    def weights(self, observed, param):
        """Yields (states, weight) of every assignment."""
        for states in itertools.product(*map(range, self.extents)):
            if all(states[v] == state for v, state in observed.items()):
                weight = Decimal(1)
                for _, drawn in self.factors:
                    weight *= drawn.value(states, param)
                yield states, weight


def lnOf(number):
    return float(number.ln()) if number > 0 else -math.inf


def isNear(found, wanted, tolerance):
    return found == wanted or abs(found - wanted) <= tolerance * max(1, abs(wanted))


def numbersOf(line):
    """Reads a line of posteriors into a dictionary like {"x0=1": 0.25}."""
    words = line.split(":", 1)[1].split()
    return dict(zip(words[::2], words[1::2]))


def lnIn(line):
    if "ln " in line:
        return float(line.rsplit("ln ", 1)[1].split(")")[0])
    return -math.inf


def lnOfEntry(text):
    if text.startswith("10^"):
        return float(text[3:]) * math.log(10)
    return math.log(float(text)) if float(text) > 0 else -math.inf


class Checker:
    def __init__(self, mpfc, folder, device):
        self.mpfc, self.folder, self.device = mpfc, folder, device

    def run(self, *arguments):
        return subprocess.run([self.mpfc, "run", *arguments, "--device", self.device],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=120, check=False)

    def write(self, name, text):
        path = f"{self.folder}/{name}"
        with open(path, "w", encoding="ascii") as file:
            file.write(text)
        return path

    def single(self, network, flags, tolerance):
        joint = ", ".join(f"x{v}" for v in network.joint)
        product = " * ".join(f"f{f}" for f in range(len(network.factors)))
        queries = ["query evidence", "query marginals", "query best", f"query z = sum() {product}"]
        queries += [f"query P({joint})"] if network.joint else []
        queries += network.aloneQueries(ALONE)
        path = self.write("m.mpf", network.text(queries, network.observed))
        run = self.run(path, *flags)
        weights = list(network.weights(network.observed, network.param))
        total = sum(weight for _, weight in weights)
        if total == 0:
            return None if "probability zero" in run.stdout + run.stderr else "not zero"
        if run.returncode != 0:
            return f"exit code {run.returncode}: {run.stderr.strip()}"
        section = ""
        for line in run.stdout.splitlines():
            if not line:
                continue
            if line.startswith("query "):
                section = line
            elif line.startswith("evidence: ") or line.startswith("z: "):
                # An expression sums the variables of its factors and no others.
                wanted = total / (network.unusedStates() if line.startswith("z") else 1)
                if not isNear(lnIn(line), lnOf(wanted), tolerance):
                    return f"{section}: {line}, wanted ln {lnOf(wanted)}"
            elif line.split(":")[0] in ALONE:
                wanted = network.alone(line.split(":")[0], network.observed, network.param)
                if not isNear(lnIn(line), lnOf(wanted), max(tolerance, 1e-11)):
                    return f"{line}, wanted ln {lnOf(wanted)}"
            elif line.startswith("best: "):
                best = max(weight for _, weight in weights)
                if not isNear(lnIn(line), lnOf(best), tolerance):
                    return f"{line}, wanted ln {lnOf(best)}"
            elif line.startswith("best assignment: "):
                states = [int(word.split("=")[1]) for word in line.split(":")[1].split()]
                weight = next(w for s, w in weights if list(s) == states)
                if not isNear(lnOf(weight), lnOf(best), tolerance):
                    return f"{line}: its ln {lnOf(weight)}, the best has {lnOf(best)}"
            elif section == "query marginals":
                for name, found in numbersOf(line).items():
                    v, state = map(int, name[1:].split("="))
                    wanted = sum(w for s, w in weights if s[v] == state) / total
                    if not isNear(lnOfEntry(found), lnOf(wanted), tolerance):
                        return f"{name}: {found}, wanted {wanted:.15g}"
            elif line.startswith("P(") and len(network.joint) == 1:
                for name, found in numbersOf(line).items():
                    state = int(name.split("=")[1])
                    wanted = sum(w for s, w in weights if s[network.joint[0]] == state) / total
                    if not isNear(lnOfEntry(found), lnOf(wanted), max(tolerance, 1e-11)):
                        return f"{name}: {found}, wanted {wanted:.15g}"
            elif line.startswith("  "):
                names, found = line.split(": ")
                states = {int(n.strip()[1:].split("=")[0]): int(n.split("=")[1])
                          for n in names.split(",")}
                wanted = sum(w for s, w in weights
                             if all(s[v] == state for v, state in states.items())) / total
                # Entries below all doubles must have right digits too.
                if not isNear(lnOfEntry(found), lnOf(wanted), max(tolerance, 1e-11)):
                    return f"{line}: wanted {wanted:.15g}"
        return None

    def cases(self, network, rows, flags, tolerance):
        alone = ALONE if "single" in flags else ALONE[:1]
        joint = network.joint
        queries = ["query evidence", "query marginals", "query best",
                   *network.aloneQueries(alone)]
        queries += [f"query P({', '.join(f'x{v}' for v in joint)})"] if len(joint) == 2 else []
        model = self.write("l.mpf", network.text(queries, {}))
        names = [f"x{v}" for v in range(len(network.extents))]
        lines = [",".join([*names, "p"])]
        for observed, param in rows:
            lines.append(",".join([*(str(observed.get(v, "")) for v in range(len(names))),
                                   repr(param)]))
        run = self.run(model, "--cases", self.write("l.csv", "\n".join(lines) + "\n"), *flags)
        if run.returncode != 0:
            return f"exit code {run.returncode}: {run.stderr.strip()}"
        answers = list(csv.DictReader(io.StringIO(run.stdout)))
        if len(answers) != len(rows):
            return f"{len(answers)} answers to {len(rows)} cases"
        for i, ((observed, param), answer) in enumerate(zip(rows, answers)):
            weights = list(network.weights(observed, param))
            total = sum(weight for _, weight in weights)
            if not isNear(float(answer["ln(evidence)"]), lnOf(total), tolerance):
                return f"case {i}: ln {answer['ln(evidence)']}, wanted {lnOf(total)}"
            for name in alone:
                wanted = lnOf(network.alone(name, observed, param))
                if name == "cost" and network.mayLose(wanted, param):
                    continue
                if not isNear(lnOfEntry(answer[name]), wanted, tolerance):
                    return f"case {i}: {name} {answer[name]}, wanted ln {wanted}"
            if total == 0:
                continue
            for states in itertools.product(*(range(network.extents[v]) for v in joint)):
                if len(joint) < 2:
                    continue
                at = dict(zip(joint, states))
                wanted = lnOf(sum(w for s, w in weights
                                  if all(s[v] == state for v, state in at.items())) / total)
                name = f"P({', '.join(f'x{v}={state}' for v, state in at.items())})"
                if not isNear(lnOfEntry(answer[name]), wanted, tolerance):
                    return f"case {i}: {name} {answer[name]}, wanted ln {wanted}"
            for v, extent in enumerate(network.extents):
                for state in range(extent):
                    wanted = sum(w for s, w in weights if s[v] == state) / total
                    found = answer[f"P(x{v}={state})"]
                    if not isNear(lnOfEntry(found), lnOf(wanted), tolerance):
                        return f"case {i}: P(x{v}={state}) {found}, wanted {wanted}"
            best = max(weight for _, weight in weights)
            states = [int(answer[name]) for name in names]
            weight = next((w for s, w in weights if list(s) == states), Decimal(0))
            if not isNear(lnOf(weight), lnOf(best), tolerance):
                return f"case {i}: best {states} has ln {lnOf(weight)}, the best {lnOf(best)}"
        return None


SINGLE = [([], 1e-9), (["--arithmetic", "log"], 1e-9), (["--simplify", "none"], 1e-9),
          (["--type", "f32"], 3e-3)]
CASES = [(["--engine", "lanes"], 1e-9), (["--engine", "tables"], 1e-9),
         (["--engine", "single"], 1e-9), (["--engine", "lanes", "--type", "f32"], 3e-3)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("--models", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("-v", action="store_true")
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        checker = Checker(options.mpfc, folder, options.device)
        for seed in range(options.seed, options.seed + options.models):
            rng = random.Random(seed)
            network = Network(rng)
            rows = []
            for _ in range(6):
                observed = {v: rng.randrange(e) for v, e in enumerate(network.extents)
                            if rng.random() < 0.4}
                rows.append((observed, rng.choice([0, 0.25, 1, -1, 1.5, 2])))
            # Each model goes some of the ways, by turns: one model through all of them takes a second.
            ways = [("single", *SINGLE[0]), ("single", *SINGLE[1 + seed % 3]),
                    ("cases", *CASES[seed % 4])]
            for kind, flags, tolerance in ways:
                problem = (checker.single(network, flags, tolerance) if kind == "single"
                           else checker.cases(network, rows, flags, tolerance))
                if problem is None:
                    continue
                failed += 1
                print(f"seed {seed} {' '.join(flags)}: {problem}")
                if options.v:
                    print(network.text([], network.observed))
        print(f"{options.models} models, {failed} wrong")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
