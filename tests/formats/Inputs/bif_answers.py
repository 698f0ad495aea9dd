"""bif_answers.py MPFC FOLDER COUNT SEED

Random networks in the forms of BIF that aGrUM's files have: comments glued to words, names in quotes,
properties, tables, rows in any order, a default, noisy-max. Posteriors are compared with exact fractions.
"""
import itertools
import json
import math
import os
import random
import subprocess
import sys
from fractions import Fraction

LABELS = ["yes", "no", "<5", "a_b", "10-15", ">=3", "7", "default"]
GAPS = [" ", "\n", "\t", "// \"x\" ; {\n", "/* ; } */", "/**/ ", " \r\n"]


def distribution(rng, states):
    cuts = sorted(rng.sample(range(1, 64), states - 1))
    return [Fraction(b - a, 64) for a, b in zip([0, *cuts], [*cuts, 64])]


def maximum(rows):
    """The distribution of the greatest of independent variables with these distributions."""
    upTo = [math.prod(sum(row[:state + 1]) for row in rows) for state in range(len(rows[0]))]
    return [a - b for a, b in zip(upTo, [0, *upTo])]


class Variable:
    def __init__(self, rng, index, others):
        self.name = rng.choice([f"V{index}", f"C_{index}", f"H2O-{index}", f"{index}th"])
        self.labels = rng.sample(LABELS, rng.randint(2, 3))
        self.parents = rng.sample(others, rng.randint(0, min(len(others), 3)))
        self.form = rng.choice(["table", "rows", "default", "max"] if self.parents else ["table"])
        keys = itertools.product(*(range(len(parent.labels)) for parent in self.parents))
        if self.form == "max":
            absent = [Fraction(state == 0) for state in range(len(self.labels))]
            leak = distribution(rng, len(self.labels))
            alone = [[absent] + [distribution(rng, len(self.labels)) for _ in parent.labels[1:]]
                     for parent in self.parents]
            self.rows = {key: maximum([leak, *(rows[state] for rows, state in zip(alone, key))])
                         for key in keys}
        else:
            self.rows = {key: distribution(rng, len(self.labels)) for key in keys}


class Writer:
    def __init__(self, rng):
        self.rng = rng

    def gap(self):
        return self.rng.choice(GAPS)

    def name(self, text):
        return f'"{text}"' if self.rng.random() < 0.3 else text

    def row(self, numbers):
        form = self.rng.choice(["{!r}", "{:.17e}", "{:.20f}"])
        return self.rng.choice([", ", " "]).join(form.format(float(x)) for x in numbers) + ";" + self.gap()

    def listed(self, variable, key):
        states = [self.name(parent.labels[state]) for parent, state in zip(variable.parents, key)]
        return f"({', '.join(states)}){self.gap()}{self.row(variable.rows[key])}"

    def declared(self, variable):
        labels = self.rng.choice([", ", " "]).join(map(self.name, variable.labels))
        return (f"variable {self.name(variable.name)}{self.gap()}{{ //{len(variable.labels)} values\n"
                f" type discrete[{len(variable.labels)}] {{{self.gap()}{labels}{self.gap()}}};{self.gap()}"
                "property position = (1, 2) ;\n}\n")

    def table(self, variable):
        given = ", ".join(self.name(parent.name) for parent in variable.parents)
        scope = self.name(variable.name) + (f" | {given}" if given else "")
        return f"probability{self.gap()}( {scope} ) {{{self.gap()}{self.entries(variable)}{self.gap()}}}\n"

    def entries(self, variable):
        rows = variable.rows
        keys = list(rows)
        self.rng.shuffle(keys)
        if variable.form == "table":
            states = range(len(variable.labels))
            return "table " + self.row([row[state] for state in states for row in rows.values()])
        if variable.form == "max":
            few = [key for key in keys if sum(state > 0 for state in key) <= 1]
            return "property function max ;\n" + "".join(self.listed(variable, key) for key in few)
        text = "".join(self.listed(variable, key) for key in keys[1:])
        return (f"default {self.row(rows[keys[0]])}" if variable.form == "default"
                else self.listed(variable, keys[0])) + text


def posteriors(variables):
    sums = [[Fraction(0)] * len(variable.labels) for variable in variables]
    for states in itertools.product(*(range(len(variable.labels)) for variable in variables)):
        stateOf = dict(zip(variables, states))
        weight = math.prod(v.rows[tuple(stateOf[p] for p in v.parents)][stateOf[v]] for v in variables)
        for ofVariable, state in zip(sums, states):
            ofVariable[state] += weight
    return {variable.name: row for variable, row in zip(variables, sums)}


def trial(mpfc, path, rng):
    variables = []
    for index in range(rng.randint(3, 6)):
        variables.append(Variable(rng, index, variables))
    writer = Writer(rng)
    text = 'network "a net" {// by hand\n property software aGrUM;\n}\n'
    text += "".join(map(writer.declared, variables)) + "".join(map(writer.table, variables))
    with open(path, "w", newline="", encoding="utf-8") as file:
        file.write(text)
    run = subprocess.run([mpfc, "run", path, "--json", "-"], capture_output=True, text=True)
    if run.returncode != 0 or run.stderr:
        sys.exit(f"{run.stderr}{text}")
    answers = json.loads(run.stdout)[0]["tables"]
    tables = {table["name"]: table["values"] for table in answers if table["variables"]}
    for name, wanted in posteriors(variables).items():
        if any(abs(a - b) > 1e-9 for a, b in zip(tables[name], wanted, strict=True)):
            sys.exit(f"{name}: {tables[name]}, wanted {list(map(float, wanted))}\n{text}")
    return sum(variable.form == "max" for variable in variables)


mpfc, folder, count, seed = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
os.makedirs(folder, exist_ok=True)
noisy = sum(trial(mpfc, os.path.join(folder, "m.bif"), random.Random(seed + i)) for i in range(count))
print(f"{count} networks alike, {'some' if noisy else 'none'} with a noisy-max")
