"""Compares `mpfc --emit=model` of random models that use arrays, folds, functions, `where`, lists and
conditions with the same models whose tables are written out as numbers.

usage: written_out.py MPFC [--models N] [--seed S] [-v]

All numbers are small multiples of 1/8, so that a value does not depend on how it is rounded. The values
are computed here, operation by operation, from the meaning in dsl/LANGUAGE.md.
"""
import argparse
import math
import os
import random
import subprocess
import sys
import tempfile


class Drawn:
    """An expression: its text, and its value for an environment (a dict of names and arrays)."""

    def __init__(self, text, value):
        self.text, self.value = text, value


def modulo(a, b):
    rest = math.fmod(a, b)
    if rest == 0:
        return math.copysign(0.0, b)
    return rest if (rest < 0) == (b < 0) else rest + b


def roundAway(a):
    return math.copysign(math.floor(abs(a) + 0.5), a)


UNARY = {"floor": lambda a: float(math.floor(a)) if a != 0 else a,
         "ceil": lambda a: float(math.ceil(a)) if math.ceil(a) else math.copysign(0.0, a),
         "round": roundAway, "abs": abs, "-": lambda a: -a, "!": lambda a: float(a == 0)}
BINARY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "==": lambda a, b: float(a == b),
          "!=": lambda a, b: float(a != b), "<": lambda a, b: float(a < b),
          ">=": lambda a, b: float(a >= b), "&&": lambda a, b: float(a != 0 and b != 0),
          "||": lambda a, b: float(a != 0 or b != 0)}


def least(a, b):
    return a if a < b else b


def greatest(a, b):
    return a if a > b else b


FOLDS = {"sum": (lambda a, b: a + b, 0.0, False), "min": (least, None, False),
         "max": (greatest, None, False), "prod": (lambda a, b: a * b, 1.0, False),
         "any": (lambda a, b: float(a != 0 or b != 0), 0.0, True),
         "all": (lambda a, b: float(a != 0 and b != 0), 1.0, True),
         "count": (lambda a, b: a + b, 0.0, True)}


def fold(name, values):
    join, neutral, ofTruths = FOLDS[name]
    result = None
    for value in values:
        value = float(value != 0) if ofTruths else value
        result = value if result is None else join(result, value)
    return neutral if result is None else result


class Array:
    """A param with axes: nested lists."""

    def __init__(self, name, shape, rng, domains):
        self.name, self.shape, self.domains = name, shape, domains

        def draw(lengths):
            if not lengths:
                return rng.randint(-8, 16) / 8
            return [draw(lengths[1:]) for _ in range(lengths[0])]
        self.numbers = draw(shape)

    def at(self, indices):
        numbers = self.numbers
        for index in indices:
            numbers = numbers[int(index)]
        return numbers

    def declare(self, rng, folder):
        kind = rng.randrange(3)
        lengths = [str(length) if kind == 1 else rng.choice([str(length), ""]) for length in self.shape]
        axes = "".join(f"[{domain or length}]" for length, domain in zip(lengths, self.domains))
        if kind == 0 and len(self.shape) == 2:
            with open(os.path.join(folder, self.name + ".txt"), "w") as out:
                for row in self.numbers:
                    out.write(" ".join(map(repr, row)) + "\n")
            return f'param {self.name}{axes} = file("{self.name}.txt")'
        if kind == 1 and self.domains[0]:
            rows = ", ".join(f"{label}: {row!r}" for label, row in zip(LABELS, self.numbers))
            return f"param {self.name}{axes} = {{ {rows} }}"
        return f"param {self.name}{axes} = {self.numbers!r}"


LABELS = ["low", "mid", "high"]


class Model:
    def __init__(self, rng, folder):
        self.rng, self.folder = rng, folder
        self.extents = [rng.randint(1, 3) for _ in range(4)]
        self.arrays = [Array("w", [3], rng, [None]), Array("A", [rng.randint(1, 3), 3], rng, [None, None]),
                       Array("m", [3, rng.randint(1, 3)], rng, ["level", None])]
        self.extents += [3]  # variable z is of domain `level`
        self.functions = []
        self.extra = 0
        self.lines = ["domain level = { low, mid, high }", "param one = 1"]
        self.swept = None  # a factor whose entries depend on param `one`
        self.lines += [array.declare(rng, folder) for array in self.arrays]
        for number in range(rng.randint(0, 2)):
            self.drawFunction(number)
        variables = [f"x{i} : {self.extents[i]}" for i in range(4)]
        if rng.random() < 0.5:
            self.lines.append("var " + ", ".join(["z : level"] + variables))
        else:
            self.lines += ["var z : level"] + ["var " + one for one in variables]
        self.written = self.lines[:2] + ["var z : level"] + ["var " + one for one in variables]

    def drawFunction(self, number):
        names = [f"a{number}", f"b{number}"]
        body = self.expression(names, 2, calls=number)
        self.lines.append(f"def f{number}({', '.join(names)}) = {body.text}")
        self.functions.append((names, body))

    def index(self, names, length):
        """An index from 0 to length - 1."""
        inner = self.expression(names, 1)
        if self.rng.random() < 0.3:
            fixed = self.rng.randrange(length)
            return Drawn(str(fixed), lambda env: fixed)
        return Drawn(f"floor({inner.text}) % {length}",
                     lambda env: modulo(UNARY["floor"](inner.value(env)), float(length)))

    def entry(self, names):
        array = self.rng.choice(self.arrays)
        indices = []
        for length, domain in zip(array.shape, array.domains):
            if domain and self.rng.random() < 0.5:
                if "z" in names and self.rng.random() < 0.6:
                    indices.append(Drawn("z", lambda env: env["z"]))
                else:
                    place = self.rng.randrange(3)
                    indices.append(Drawn(LABELS[place], lambda env, place=place: place))
            else:
                indices.append(self.index(names, length))
        return Drawn(array.name + "".join(f"[{index.text}]" for index in indices),
                     lambda env: array.at([index.value(env) for index in indices]))

    def guardedEntry(self, names):
        """A choice whose other side has an index outside of its array where it is not chosen."""
        name, array = self.rng.choice(names), self.arrays[0]
        other = self.expression(names, 0)
        lowest = self.rng.randrange(2)
        index = f"state({name})" if name == "z" else name
        return Drawn(f"({index} >= {lowest} && {index} < {lowest + 3} ? w[floor({index}) - {lowest}] : "
                     f"{other.text})",
                     lambda env: array.at([math.floor(env[name]) - lowest])
                     if lowest <= env[name] < lowest + 3 else other.value(env))

    def list(self):
        """A list of small whole numbers: its text, and the numbers."""
        kind = self.rng.randrange(3)
        if kind == 0:
            first, last = self.rng.randint(-1, 2), self.rng.randint(0, 3)
            return f"{first}..{last}", list(range(first, last))
        if kind == 1:
            numbers = [self.rng.randint(0, 3) for _ in range(self.rng.randint(1, 3))]
            return f"[{', '.join(map(str, numbers))}]", numbers
        row = self.rng.randrange(self.arrays[1].shape[0])
        return (f"nonzero(A[{row}])",
                [i for i, value in enumerate(self.arrays[1].numbers[row]) if value != 0])

    def drawFold(self, names, depth):
        name = self.rng.choice(list(FOLDS))
        self.extra += 1
        index = f"k{self.extra}"
        text, numbers = self.list()
        body = self.expression(names + [index], depth - 1)
        condition = None
        if name in ("min", "max"):
            if not numbers:
                text, numbers = "0..2", [0, 1]
        elif self.rng.random() < 0.5:
            condition = self.expression(names + [index], 1)

        def value(env):
            rounds = [{**env, index: float(number)} for number in numbers]
            return fold(name, [body.value(one) for one in rounds
                               if condition is None or condition.value(one) != 0])
        test = f" if {condition.text}" if condition else ""
        return Drawn(f"{name}({index} in {text}{test}: {body.text})", value)

    def expression(self, names, depth, calls=None, plain=False):
        """An expression over names with numbers. `plain`: without variables but for these names."""
        rng = self.rng
        kinds = ["number", "name"] if depth == 0 else \
            ["name", "unary", "binary", "choice", "modulo", "entry", "guarded", "fold", "call", "label",
             "product"]
        kind = rng.choice(kinds)
        if kind == "name" and names:
            name = rng.choice(names)
            return Drawn(f"state({name})" if name == "z" else name, lambda env: env[name])
        if kind in ("number", "name"):
            number = rng.randint(-4, 8) / 4
            return Drawn(f"({number!r})", lambda env: number)
        if kind == "unary":
            op = rng.choice(list(UNARY))
            inner = self.expression(names, depth - 1)
            return Drawn(f"{op}({inner.text})", lambda env: UNARY[op](inner.value(env)))
        if kind == "entry" and not plain:
            return self.entry(names)
        if kind == "guarded" and names and not plain:
            return self.guardedEntry(names)
        if kind == "fold" and not plain:
            return self.drawFold(names, depth)
        if kind == "call" and self.functions and calls is None and not plain:
            parameters, body = rng.choice(self.functions)
            number = self.functions.index((parameters, body))
            given = [self.expression(names, depth - 1) for _ in parameters]
            return Drawn(f"f{number}({', '.join(one.text for one in given)})",
                         lambda env: body.value({parameter: one.value(env)
                                                 for parameter, one in zip(parameters, given)}))
        if kind == "label" and "z" in names:
            place = rng.randrange(3)
            return Drawn(f"(z == {LABELS[place]})", lambda env: float(env["z"] == place))
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        if kind == "choice":
            other = self.expression(names, depth - 1)
            return Drawn(f"({left.text} > 0 ? {right.text} : {other.text})",
                         lambda env: right.value(env) if left.value(env) > 0 else other.value(env))
        if kind == "modulo":
            divisor = rng.choice([1.0, 2.0, 1.5, -2.0])
            return Drawn(f"(({left.text}) % ({divisor!r}))",
                         lambda env: modulo(left.value(env), divisor))
        if kind == "product":
            factor = rng.choice([0.5, 2.0, -1.0])
            return Drawn(f"(({left.text}) * ({factor!r}))", lambda env: left.value(env) * factor)
        op = rng.choice(list(BINARY))
        return Drawn(f"(({left.text}) {op} ({right.text}))",
                     lambda env: BINARY[op](left.value(env), right.value(env)))

    def states(self, scope):
        """All environments of a scope, the last variable fastest."""
        envs = [{}]
        for name in scope:
            extent = 3 if name == "z" else self.extents[int(name[1])]
            envs = [{**env, name: float(state)} for env in envs for state in range(extent)]
        return envs

    def scope(self):
        return self.rng.sample(["z", "x0", "x1", "x2", "x3"], self.rng.randint(1, 3))

    def writeTable(self, head, values):
        self.written.append(f"{head} = [{', '.join(repr(float(value)) for value in values)}]")

    def mayVary(self, text, name):
        if self.rng.random() < 0.5:
            return text
        self.swept = name
        return f"({text}) * one"

    def addPlain(self, name):
        scope = self.scope()
        bindings, names = [], list(scope)
        for i in range(self.rng.choice([0, 0, 1, 2])):
            bindings.append((f"q{i}", self.expression(names, 2)))
            names.append(f"q{i}")
        body = self.expression(names, 3)
        text = self.mayVary(body.text, name)
        where = "".join((" where " if i == 0 else ", ") + f"{one} = {value.text}"
                        for i, (one, value) in enumerate(bindings))
        values = []
        for env in self.states(scope):
            for one, value in bindings:
                env = {**env, one: value.value(env)}
            values.append(body.value(env))
        head = f"factor {name}({', '.join(scope)})"
        self.lines.append(f"{head} = {text}{where}")
        self.writeTable(head, values)

    def addRow(self, name):
        """A table from a row over the last variable, of a function or of the factor itself."""
        scope = self.rng.choice([["x0", "z"], ["x1", "x2", "z"]])
        front = scope[:-1]
        head = f"factor {name}({', '.join(scope)})"
        isCall = self.rng.random() < 0.5
        names = ["c0", "c1"] if isCall else front
        given = [self.expression(front, 2) for _ in names] if isCall else []
        row = [self.expression(names, 2) for _ in range(3)]
        elements = f"[{', '.join(self.mayVary(one.text, name) for one in row)}]"
        if isCall:
            self.lines.append(f"def g{name}({', '.join(names)}) = {elements}")
            elements = f"g{name}({', '.join(one.text for one in given)})"
        self.lines.append(f"{head} = {elements}")
        envs = self.states(front)
        if isCall:
            envs = [{inner: one.value(env) for inner, one in zip(names, given)} for env in envs]
        self.writeTable(head, [one.value(env) for env in envs for one in row])

    def addWhole(self, name):
        """A table that is an array, or a part of one."""
        array = self.rng.choice(self.arrays[:2])
        head = f"factor {name}(z)"
        if array.name == "w":
            self.lines.append(f"{head} = w")
            self.writeTable(head, array.numbers)
        else:
            row = self.rng.randrange(array.shape[0])
            self.lines.append(f"{head} = A[{row}]")
            self.writeTable(head, array.numbers[row])

    def addLoop(self, name):
        scope = self.scope()
        text, numbers = self.list()
        body = self.expression(scope + ["i"], 2)
        condition = self.expression(["i"], 1, plain=True)
        test = self.rng.random() < 0.5
        numbers = list(dict.fromkeys(numbers))  # each member of a family is declared once
        text = f"[{', '.join(map(str, numbers))}]" if numbers else "0..0"
        head = f"factor {name}({', '.join(scope)})"
        self.lines.append(f"for i in {text}{' if ' + condition.text if test else ''}: {head} = {body.text}")
        for number in numbers:
            if test and condition.value({"i": float(number)}) == 0:
                continue
            values = [body.value({**env, "i": float(number)}) for env in self.states(scope)]
            values = ", ".join(repr(float(value)) for value in values)
            self.written.append(f"for i in {number}..{number + 1}: {head} = [{values}]")


def output(mpfc, *arguments):
    done = subprocess.run([mpfc, *arguments], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else f"error: {done.stderr}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mpfc")
    parser.add_argument("--models", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-v", action="store_true", dest="verbose")
    options = parser.parse_args()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(options.models):
            rng = random.Random(f"{options.seed} {number}")
            model = Model(rng, folder)
            for i in range(rng.randint(1, 4)):
                rng.choice([model.addPlain, model.addRow, model.addWhole, model.addLoop])(f"t{i}")
            if model.swept:
                for lines in (model.lines, model.written):
                    lines.append(f"query total = sum() {model.swept}")
            texts = []
            for name, lines in (("short", model.lines), ("written", model.written)):
                path = os.path.join(folder, name + ".mpf")
                with open(path, "w") as out:
                    out.write("\n".join(lines) + "\n")
                texts.append(output(options.mpfc, "--emit=model", path))
                if model.swept and number % 4 == 0:
                    texts[-1] += output(options.mpfc, "run", path, "-D", "one in [1, 1]")
            if texts[0] != texts[1] or "error: " in texts[0]:
                wrong += 1
                print(f"model {number}: differs\n" + "\n".join(model.lines))
                print(texts[0][:3000], texts[1][:3000], sep="\n--\n")
                if not options.verbose and wrong > 2:
                    break
            elif options.verbose:
                print(f"model {number}: {len(texts[0])} bytes")
    print(f"{options.models} models, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
