# Compares random queries argmin() and argmax() of products and sums with enumeration. Evidence is in the
# model and in lists of cases. All entries are whole numbers: values are exact.
# usage: argmin.py MPFC FOLDER COUNT SEED
import csv
import io
import itertools
import json
import math
import random
import sys
from trial_runs import TrialRuns

mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
rng = random.Random(seed)
runs = TrialRuns(mpfc, folder)
OPTIONS = [[], ["--simplify", "none"], ["--type", "f32"], ["--verify"], ["--threads", "1"]]


class Trial:
    def __init__(self):
        self.extents = [rng.randint(1, 3) for _ in range(rng.randint(1, 6))]
        self.word, self.sign = rng.choice(["argmin", "argmax"]), rng.choice("+*")
        self.factors = [self.factor() for _ in range(rng.randint(2, 7))]
        self.names = [f"v{i}" for i in range(len(self.extents))]
        self.labels = rng.random() < 0.5
        self.seen = {i: rng.randrange(e) for i, e in enumerate(self.extents) if rng.random() < 0.15}

    def factor(self):
        scope = rng.sample(range(len(self.extents)), min(len(self.extents), rng.randint(0, 3)))
        low = -5 if self.sign == "+" else 0
        values = [rng.randint(low, 5) for _ in range(math.prod(self.extents[i] for i in scope))]
        if self.sign == "+" and self.word == "argmax":  # some assignments are forbidden
            values = [-math.inf if rng.random() < 0.15 else v for v in values]
        return scope, values

    def text(self):
        text = ""
        for name, extent in zip(self.names, self.extents):
            states = ", ".join(f"s{s}" for s in range(extent))
            text += f"var {name} : {'{ ' + states + ' }' if self.labels else extent}\n"
        for i, (scope, values) in enumerate(self.factors):
            text += f"factor f{i}({', '.join(self.names[v] for v in scope)}) = ["
            text += ", ".join("-inf" if v == -math.inf else str(v) for v in values) + "]\n"
        text += "".join(f"observe {self.names[i]} = {self.label(s)}\n" for i, s in self.seen.items())
        names = f" {self.sign} ".join(f"f{i}" for i in range(len(self.factors)))
        return text + f"query c = {self.word}() {names}\n"

    def label(self, state):
        return f"s{state}" if self.labels else str(state)

    def value(self, states):
        parts = []
        for scope, values in self.factors:
            at = 0
            for v in scope:
                at = at * self.extents[v] + states[v]
            parts.append(values[at])
        return sum(parts) if self.sign == "+" else math.prod(parts)

    def best(self, seen):
        """Returns the optimum; None if no assignment is possible."""
        all_states = itertools.product(*(
            [seen[i]] if i in seen else range(e) for i, e in enumerate(self.extents)))
        best = (min if self.word == "argmin" else max)(map(self.value, all_states))
        nothing = self.word == "argmax" and best == (-math.inf if self.sign == "+" else 0)
        return None if nothing else best

    def fail(self, what):
        sys.exit(f"{what} of\n{self.text()}")

    def check(self, what, seen, found, states):
        best = self.best(seen)
        if best is None:
            if states is not None:
                self.fail(f"{what}: an assignment {states} where none is possible")
            return
        if states is None or found != best or self.value(states) != best:
            self.fail(f"{what}: {found} at {states}, not {best}")
        if any(states[i] != s for i, s in seen.items()):
            self.fail(f"{what}: {states} for the evidence {seen}")

    def states_of(self, cells):
        if "" in cells or None in cells:
            return None
        return [int(str(cell).lstrip("s")) for cell in cells]


def check_single(trial, options):
    code, out, err = runs.run(runs.file("m.mpf", trial.text()), "--json", "-", *options)
    if trial.best(trial.seen) is None:
        if code != 1 or "there is no best assignment" not in err:
            trial.fail(f"exit code {code}: {err}")
        return
    if code != 0:
        trial.fail(f"exit code {code}: {err}")
    result = json.loads(out)[0]
    states = trial.states_of([result["assignment"][name] for name in trial.names])
    trial.check("single", trial.seen, float(result["tables"][0]["number"]["value"]), states)


def check_list(trial, engine):
    free = [i for i in range(len(trial.names)) if i not in trial.seen]
    if not free:
        return
    rows = [{i: rng.randrange(trial.extents[i]) for i in free if rng.random() < 0.4}
            for _ in range(4)]
    lines = [",".join(trial.names[i] for i in free)]
    lines += [",".join(trial.label(row[i]) if i in row else "" for i in free) or '""' for row in rows]
    code, out, err = runs.run(runs.file("m.mpf", trial.text()), "--cases",
                              runs.file("r.csv", "\n".join(lines) + "\n"), "--engine", engine)
    if engine in ("lanes", "tables") and "only" in err and "products" in err:
        return
    if code != 0:
        trial.fail(f"{engine}: exit code {code}: {err}")
    head, *answers = csv.reader(io.StringIO(out))
    if head != ["c", *trial.names] or len(answers) != len(rows):
        trial.fail(f"{engine}: {out}")
    for row, (value, *cells) in zip(rows, answers):
        trial.check(engine, {**trial.seen, **row}, float(value or "nan"), trial.states_of(cells))


for _ in range(count):
    trial = Trial()
    check_single(trial, rng.choice(OPTIONS))
    check_list(trial, rng.choice(["auto", "lanes", "tables", "single"]))
print(f"{count} queries agree")
