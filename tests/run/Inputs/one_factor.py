# Asks random queries of one factor alone, whose entries may be below 0. The rule of dsl/LANGUAGE.md is
# computed here. A list of cases must agree with it: CSV and JSON Lines, by every engine that takes it. So
# must a single run for each row, as text and JSON.
# usage: one_factor.py MPFC FOLDER COUNT SEED
import itertools
import json
import math
import random
import sys
from trial_runs import TrialRuns

mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
INF = math.inf
runs = TrialRuns(mpfc, folder)


def number(value):
    return "-inf" if value == -INF else repr(value)


class Trial:
    def __init__(self):
        self.extents = [rng.randint(1, 3) for _ in range(rng.randint(1, 3))]
        self.names = ["xyz"[i] for i in range(len(self.extents))]
        self.states = list(itertools.product(*(range(e) for e in self.extents)))
        low = rng.choice([-4, -4, 0, 1])
        self.entries = {s: float(rng.randint(low, 4)) for s in self.states}
        self.param = rng.choice([None, None, 1.0, 2.0])  # added to the first entry
        self.reduce = rng.choice(["", "max", "min", "sum"])
        if self.reduce == "" and rng.random() < 0.3:
            self.entries[rng.choice(self.states)] = -INF
            self.param = None
        self.output = [v for v in self.names if self.reduce == "" or rng.random() < 0.5]
        self.soft = rng.random() < 0.4  # columns of weights for the first variable
        self.rows = [self.row() for _ in range(3)]

    def row(self):
        first = 1 if self.soft else 0
        seen = {v: rng.randrange(self.extents[i]) for i, v in enumerate(self.names)
                if i >= first and rng.random() < 0.5}
        weights = [float(rng.randint(0, 3)) for _ in range(self.extents[0])]
        weights[rng.randrange(len(weights))] = 2.0
        param = self.param if rng.random() < 0.5 else float(rng.randint(-3, 3))
        return seen, weights if self.soft else None, None if self.param is None else param

    def is_cost(self):
        if self.reduce == "":
            return -INF in self.entries.values()
        if self.reduce == "sum":
            return False
        return not self.soft if self.param is not None else min(self.entries.values()) < 0

    def is_bad(self, row):
        """Whether a product under max or min gets an entry below 0 from the row."""
        first = self.entries[self.states[0]] + (row[2] or 0)
        others = [self.entries[s] for s in self.states[1:]]
        return self.reduce in ("max", "min") and not self.is_cost() and min([first, *others]) < 0

    def text(self, observe="", param=None):
        values = [number(self.entries[s]) for s in self.states]
        if self.param is not None:
            values[0] += " + p"
        head = "" if self.param is None else f"param p = {self.param if param is None else param}\n"
        head += "".join(f"var {v} : {e}\n" for v, e in zip(self.names, self.extents))
        head += f"factor f({', '.join(self.names)}) = [{', '.join(values)}]\n"
        asked = f"q({', '.join(self.output)})" if self.output else "q"
        return head + f"query {asked} = {self.reduce + '() ' if self.reduce else ''}f\n" + observe

    def csv(self):
        head = list(self.names)
        if self.soft:
            head[0:1] = [f"{self.names[0]}={s}" for s in range(self.extents[0])]
        if self.param is not None:
            head.append("p")
        lines = [",".join(head)]
        for seen, weights, param in self.rows:
            cells = [str(seen.get(v, "")) for v in self.names]
            if self.soft:
                cells[0:1] = [number(w) for w in weights]
            if self.param is not None:
                cells.append(number(param))
            lines.append(",".join(cells) or '""')
        return "\n".join(lines) + "\n"

    def answer(self, row):
        """Returns the whole table over the output, and whether an entry is ruled out."""
        seen, weights, param = row
        zero = {"": -INF if self.is_cost() else 0.0, "sum": 0.0, "min": INF,
                "max": -INF if self.is_cost() else 0.0}[self.reduce]
        join = {"": lambda a, b: b, "sum": lambda a, b: a + b, "min": min, "max": max}[self.reduce]
        places = [self.names.index(v) for v in self.output]
        table = {s: None for s in itertools.product(*(range(self.extents[i]) for i in places))}
        for number_of, states in enumerate(self.states):
            value = self.entries[states] + (param if number_of == 0 and param is not None else 0)
            if weights:
                value *= weights[states[0]]
            if any(seen.get(v, s) != s for v, s in zip(self.names, states)):
                continue
            key = tuple(states[i] for i in places)
            table[key] = value if table[key] is None else join(table[key], value)
        return [(zero if v is None else v, v is None) for v in table.values()]


def same(a, b):
    return a == b or abs(a - b) <= 1e-12 * max(abs(a), abs(b))


def check(trial, what, got, wanted):
    if len(got) != len(wanted) or not all(same(g, w) for g, w in zip(got, wanted)):
        sys.exit(f"{what}: {got}, not {wanted}, of\n{trial.text()}\n{trial.csv()}")


def refused(trial, what, code, message):
    words = ("is a factor of a product", "at least 0", "not below 0")
    if code != 1 or not any(w in message for w in words):
        sys.exit(f"{what}: exit code {code}: {message}\nof\n{trial.text()}\n{trial.csv()}")


def check_list(trial, engine):
    model, rows = runs.file("m.mpf", trial.text()), runs.file("r.csv", trial.csv())
    code, out, err = runs.run(model, "--cases", rows, "--engine", engine)
    if engine in ("lanes", "tables") and "only" in err and "products" in err:
        return
    if trial.soft and trial.is_cost():
        return refused(trial, engine, code, err)
    if any(map(trial.is_bad, trial.rows)):
        return refused(trial, engine, code, err)
    lines = out.split("\n")[1:]
    wanted = [[v for v, _ in trial.answer(row)] for row in trial.rows]
    for line, values in zip(lines, wanted):
        check(trial, engine, [float(cell) for cell in line.split(",")], values)
    code, out, err = runs.run(model, "--cases", rows, "--engine", engine, "--json", "-")
    for line, values in zip(out.splitlines(), wanted):
        check(trial, engine + " JSON", [float(v) for v in json.loads(line).values()], values)


def check_single(trial, row):
    seen, weights, param = row
    observe = "".join(f"observe {v} = {s}\n" for v, s in seen.items())
    if weights:
        observe += f"observe {trial.names[0]} ~ {[number(w) for w in weights]}\n".replace("'", "")
    fixed = Trial.__new__(Trial)
    fixed.__dict__ = dict(trial.__dict__)
    if param is not None:  # its value is known here
        fixed.entries = dict(trial.entries)
        fixed.entries[trial.states[0]] += param
        fixed.param = None
    code, out, err = runs.run(runs.file("s.mpf", trial.text(observe, param)), "--json", "-")
    if weights and fixed.is_cost():
        return refused(trial, "single", code, err)
    wanted = [v for v, out_of in fixed.answer((seen, weights, None)) if not out_of]
    if code != 0:
        sys.exit(f"single: exit code {code}: {err} of\n{fixed.text(observe)}")
    table = json.loads(out)[0]["tables"][0]
    got = table["values"] if "values" in table else [table["number"]["value"]]
    check(fixed, f"single {row}", [float(v) for v in got], wanted)


for _ in range(count):
    trial = Trial()
    for engine in ("auto", "lanes", "tables", "single"):
        check_list(trial, engine)
    for row in trial.rows:
        check_single(trial, row)
print(f"{count} queries agree")
