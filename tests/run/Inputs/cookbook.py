"""Compares the answers of the models in examples/cookbook with sums over all assignments. Each model is
written again here, from its definition; its data are read here too.

usage: cookbook.py MPFC FOLDER
"""
import ast
import csv
import json
import math
import os
import struct
import subprocess
import sys
import zipfile
from itertools import product
from math import exp, prod

MPFC, FOLDER = sys.argv[1:]


def path(name):
    return os.path.join(FOLDER, name)


def fromJson(name):
    with open(path(name)) as file:
        return json.load(file)


def words(name):
    """The words of each line."""
    with open(path(name)) as file:
        return [line.split() for line in file]


def columns(name):
    with open(path(name)) as file:
        rows = list(csv.DictReader(file))
    return {key: [None if row[key] == "_" else int(row[key]) for row in rows] for key in rows[0]}


def fromNpy(data):
    """Nested lists of the numbers in an array of doubles in version 1.0 of the format."""
    start = 10 + struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:start].decode())
    assert head["descr"] == "<f8" and not head["fortran_order"], head
    numbers = list(struct.unpack(f"<{(len(data) - start) // 8}d", data[start:]))
    for length in reversed(head["shape"][1:]):
        numbers = [numbers[i:i + length] for i in range(0, len(numbers), length)]
    return numbers


class Model:
    """Variables, functions over them, and the questions. Variables are summed in the order declared."""

    def __init__(self):
        self.states, self.factors, self.observed, self.questions = {}, [], {}, []

    def var(self, name, states):
        """`states`: their labels, or how many there are."""
        self.states[name] = list(range(states)) if isinstance(states, int) else list(states)

    def array(self, name, count, states):
        for i in range(count):
            self.var(f"{name}[{i}]", states)

    def factor(self, scope, value):
        """`value` maps the numbers of the states of `scope` to a number."""
        self.factors.append((scope, value))

    def ask(self, kind, *tables, **given):
        """`tables`: a tuple of variables for each table. `given`: observed in this question alone."""
        self.questions.append((kind, tables, given))

    def weights(self):
        """All assignments (dicts of state numbers) that agree with the observations, with their values."""
        names = list(self.states)
        place = {name: i for i, name in enumerate(names)}
        ready = [[] for _ in names]
        for scope, value in self.factors:
            ready[max(place[name] for name in scope)].append((scope, value))
        partial = [({}, 1.0)]
        for i, name in enumerate(names):
            seen = self.observed.get(name)
            grown = []
            for assignment, weight in partial:
                for state in range(len(self.states[name])) if seen is None else [seen]:
                    longer = {**assignment, name: state}
                    value = weight * prod(f(*(longer[v] for v in scope)) for scope, f in ready[i])
                    if value:
                        grown.append((longer, value))
            partial = grown
        return partial


def weather():
    model = Model()
    with zipfile.ZipFile(path("weather.npz")) as archive:
        first, change, look = (fromNpy(archive.read(n + ".npy")) for n in ("first", "change", "look"))
    sky = words("sky.txt")[0]
    labels = ["clear", "cloudy", "rain"]
    model.array("pressure", 6, 3)
    model.array("sky", 6, labels)
    model.factor(["pressure[0]"], lambda a: first[a])
    for t in range(1, 6):
        model.factor([f"pressure[{t - 1}]", f"pressure[{t}]"], lambda a, b: change[a][b])
    for t in range(6):
        model.factor([f"pressure[{t}]", f"sky[{t}]"], lambda a, b: look[a][b])
    model.observed = {f"sky[{t}]": labels.index(sky[t]) for t in range(6) if sky[t] != "_"}
    model.ask("marginals", (), *[(f"pressure[{t}]",) for t in range(6)])
    model.ask("best")
    return model


def meter():
    model = Model()
    with open(path("meter.npy"), "rb") as file:
        change = fromNpy(file.read())
    power = [1, 2, 3]
    for d in range(3):
        model.array(f"on[{d}]", 4, 2)
    model.array("shown", 4, 8)

    def reading(*states):
        *on, shown = states
        load = sum(p * state for p, state in zip(power, on))
        weights = [exp(-(k - load) ** 2 / 1.5) for k in range(8)]
        return weights[shown] / sum(weights)

    for d in range(3):
        model.factor([f"on[{d}][0]"], lambda a: [0.75, 0.25][a])
        for t in range(1, 4):
            model.factor([f"on[{d}][{t - 1}]", f"on[{d}][{t}]"], lambda a, b, d=d: change[d][a][b])
    for t in range(4):
        model.factor([f"on[{d}][{t}]" for d in range(3)] + [f"shown[{t}]"], reading)
    model.observed = {f"shown[{t}]": state for t, state in enumerate([1, 3, 7, 5])}
    model.ask("evidence", ())
    for t in range(3):
        model.ask("joint", (f"on[0][{t}]", f"on[0][{t + 1}]"))
    return model


def leak():
    model = Model()
    weight, prior = [[0.9, 0, 0.3], [0, 0.5, 0.8]], [0.1, 0.2, 0.05]
    model.array("d", 3, ["no", "yes"])
    model.array("f", 2, ["no", "yes"])
    for i in range(3):
        model.factor([f"d[{i}]"], lambda a, i=i: prior[i] if a else 1 - prior[i])

    def finding(j, d, f):
        silent = 0.99 * prod(1 - w for w, present in zip(weight[j], d) if present)
        return 1 - silent if f else silent

    for j in range(2):
        model.factor(["d[0]", "d[1]", "d[2]", f"f[{j}]"], lambda *a, j=j: finding(j, a[:3], a[3]))
    model.observed = {"f[0]": 1, "f[1]": 0}
    model.ask("marginals", (), ("d[0]",), ("d[1]",), ("d[2]",))
    model.ask("joint", ("d[0]", "d[2]"), **{"d[1]": 0})
    return model


def rabbits():
    model = Model()
    data = columns("rabbits.csv")
    count = len(data["seen"])
    model.array("g", count, ["BB", "Bb", "bb"])
    model.array("coat", count, ["black", "white"])
    found = {0: 7 / 8 * 7 / 8, 1: 2 * 7 / 8 / 8, 2: 1 / 64}

    def child(father, mother, g):
        """Each parent hands on one of its two genes."""
        genes = {0: "BB", 1: "Bb", 2: "bb"}
        pairs = [a + b for a in genes[father] for b in genes[mother]]
        return sum(pair.count("b") == g for pair in pairs) / 4

    for i in range(count):
        parents = [data["sire"][i], data["dam"][i]]
        if parents == [-1, -1]:
            model.factor([f"g[{i}]"], lambda g: found[g])
        else:
            model.factor([f"g[{p}]" for p in parents] + [f"g[{i}]"], child)
        model.factor([f"g[{i}]", f"coat[{i}]"],
                     lambda g, c: (0.95 if g == 2 else 0.02) if c else (0.05 if g == 2 else 0.98))
    model.observed = {f"coat[{i}]": c for i, c in enumerate(data["seen"]) if c is not None}
    model.ask("marginals", (), *[(f"g[{i}]",) for i in range(count)])
    model.ask("evidence", ())
    return model


def magnet():
    model = Model()
    field = [[float(number) for number in line[0].split(",")] for line in words("fields.csv")]
    for i in range(2):
        model.array(f"s[{i}]", 3, ["down", "up"])
    for i, j in product(range(2), range(3)):
        model.factor([f"s[{i}][{j}]"], lambda a, h=field[i][j]: exp(h if a else -h))
        for k, m in [(i + 1, j), (i, j + 1)]:
            if k < 2 and m < 3:
                model.factor([f"s[{i}][{j}]", f"s[{k}][{m}]"], lambda a, b: exp(0.4 if a == b else -0.4))
    model.ask("expression", ())
    model.ask("best")
    model.ask("marginals", (), *[(f"s[{i}][{j}]",) for i, j in product(range(2), range(3))])
    return model


def parity():
    model = Model()
    lines = words("code.alist")
    bits, checks = map(int, lines[0])
    model.array("x", bits, 2)
    model.array("y", bits, 2)
    for line in lines[4 + bits:4 + bits + checks]:
        model.factor([f"x[{int(bit) - 1}]" for bit in line if bit != "0"], lambda *x: 1 - sum(x) % 2)
    for i in range(bits):
        model.factor([f"x[{i}]", f"y[{i}]"], lambda x, y: 0.9 if x == y else 0.1)
    model.observed = {f"y[{i}]": state for i, state in enumerate(map(int, words("received.txt")[0]))}
    model.ask("best")
    model.ask("marginals", (), *[(f"x[{i}]",) for i in range(bits)])
    return model


def letters():
    model = Model()
    data, vocabulary = fromJson("letters.json"), [line[0] for line in words("words.txt")]
    model.var("k", ["bill", "greeting"])
    model.array("w", 3, vocabulary)
    model.factor(["k"], lambda k: data["letters"][k] / sum(data["letters"]))
    for i in range(3):
        model.factor(["k", f"w[{i}]"],
                     lambda k, w: (data["seen"][k][w] + 0.5) / (sum(data["seen"][k]) + 0.5 * len(vocabulary)))
    model.ask("joint", ("k",), **{"w[0]": vocabulary.index("pay"), "w[1]": vocabulary.index("dear")})
    model.ask("joint", ("w[0]",), k=1)
    model.ask("best", k=0)
    return model


def lift():
    model = Model()
    floors = ["ground", "middle", "top"]
    move = [[0.5, 0.375, 0.125], [0.25, 0.5, 0.25], [1, 0, 0]]
    model.array("at", 5, floors)
    model.array("full", 5, ["no", "yes"])
    model.array("bell", 5, ["no", "yes"])
    model.factor(["at[0]"], lambda a: 0.75 if a == 1 else 0.125)
    model.factor(["full[0]"], lambda f: 1 - f)

    def fills(before, at, full):
        p = 0.75 if at == 0 else 0.5 if before else 0.125
        return p if full else 1 - p

    for t in range(1, 5):
        model.factor([f"at[{t - 1}]", f"at[{t}]"], lambda a, b: move[a][b])
        model.factor([f"full[{t - 1}]", f"at[{t}]", f"full[{t}]"], fills)
    for t in range(5):
        model.factor([f"at[{t}]", f"bell[{t}]"], lambda a, b: [[0.25, 0.75], [0.875, 0.125]][a == 2][b])
    model.observed = {"bell[0]": 1, "bell[2]": 1, "bell[4]": 0}
    model.ask("best", **{"full[4]": 1})
    return model


def tagger():
    model = Model()
    data, lines = fromJson("weights.json"), words("sentence.txt")
    model.array("y", len(lines), [line[0] for line in words("tags.txt")])
    for t, line in enumerate(lines):
        model.factor([f"y[{t}]"], lambda y, line=line: exp(sum(data["weight"][int(k)][y] for k in line)))
        if t > 0:
            model.factor([f"y[{t - 1}]", f"y[{t}]"], lambda a, b: exp(data["step"][a][b]))
    model.ask("expression", ())
    model.ask("best")
    model.ask("marginals", (), *[(f"y[{t}]",) for t in range(len(lines))])
    return model


def wheel():
    model = Model()
    edges = [tuple(map(int, line)) for line in words("wheel.txt")]
    model.array("c", 1 + max(map(max, edges)), 4)
    for a, b in edges:
        model.factor([f"c[{a}]", f"c[{b}]"], lambda x, y: x != y)
    model.ask("expression", ())
    return model


def train():
    model = Model()
    core = fromJson("train.json")
    n = len(core)
    for name in "ab":
        model.array(name, n + 1, 2)
    model.array("s", n, 3)
    for i, name in product(range(n), "ab"):
        model.factor([f"{name}[{i}]", f"s[{i}]", f"{name}[{i + 1}]"], lambda a, s, b, i=i: core[i][a][s][b])
    for i, name in product([0, n], "ab"):
        model.factor([f"{name}[{i}]"], lambda a: a == 0)
    model.ask("expression", ())
    model.ask("expression", ("s[0]", "s[1]"))
    return model


def schools():
    model = Model()
    pupils, tables = columns("pupils.csv"), fromJson("schools.json")
    model.array("kind", 1 + max(pupils["school"]), 2)
    model.array("type", len(pupils["school"]), 3)
    model.array("got", len(pupils["school"]), 4)
    for k in range(1 + max(pupils["school"])):
        model.factor([f"kind[{k}]"], lambda a: [0.625, 0.375][a])
    for i, school in enumerate(pupils["school"]):
        model.factor([f"kind[{school}]", f"type[{i}]"], lambda a, b: tables["mix"][a][b])
        model.factor([f"type[{i}]", f"got[{i}]"], lambda a, b: tables["marks"][a][b])
    model.observed = {f"got[{i}]": mark for i, mark in enumerate(pupils["mark"])}
    model.ask("marginals", (), *[(f"kind[{k}]",) for k in range(1 + max(pupils["school"]))])
    model.ask("evidence", ())
    return model


def isClose(a, b):
    return math.isclose(a, b, rel_tol=1e-11, abs_tol=1e-14)


def faultOf(model, weights, question, answer):
    """Says in words why an answer is wrong; a right answer gives None."""
    kind, tables, given = question
    if answer["kind"] != kind:
        return f"kind {answer['kind']}, expected {kind}"
    observed = {**model.observed, **given}
    if answer["observed"] != {name: model.states[name][state] for name, state in observed.items()}:
        return f"observed {answer['observed']}, expected {observed}"
    weights = [(a, w) for a, w in weights if all(a[name] == state for name, state in given.items())]
    if kind == "best":
        best = max(weight for _, weight in weights)
        if not isClose(answer["tables"][0]["number"]["value"], best):
            return f"best {answer['tables'][0]['number']}, expected {best}"
        chosen = {name: model.states[name].index(state) for name, state in answer["assignment"].items()}
        ofChosen = [weight for assignment, weight in weights if assignment == chosen]
        return None if len(ofChosen) == 1 and isClose(ofChosen[0], best) else f"assignment {chosen}"
    if [tuple(table["variables"]) for table in answer["tables"]] != list(tables):
        return f"tables {[table['variables'] for table in answer['tables']]}, expected {tables}"
    total = math.fsum(weight for _, weight in weights)
    for variables, table in zip(tables, answer["tables"]):
        sums = {}
        for assignment, weight in weights:
            sums.setdefault(tuple(assignment[v] for v in variables), []).append(weight)
        expected = [math.fsum(sums.get(key, [])) / (1 if kind == "expression" or not variables else total)
                    for key in product(*[range(len(model.states[v])) for v in variables])]
        values = table["values"] if variables else [table["number"]["value"]]
        if len(values) != len(expected) or not all(map(isClose, values, expected)):
            return f"{table['name']} {values}, expected {expected}"
    return None


def main():
    models = [weather, meter, leak, rabbits, magnet, parity, letters, lift, tagger, wheel, train, schools]
    files = sorted(name for name in os.listdir(FOLDER) if name.endswith(".mpf"))
    if files != sorted(model.__name__ + ".mpf" for model in models):
        sys.exit(f"the models of {FOLDER} are not those of this program: {files}")
    wrong = 0
    for build in models:
        model = build()
        done = subprocess.run([MPFC, "run", path(build.__name__ + ".mpf"), "--json", "-"],
                              capture_output=True, text=True)
        answers = json.loads(done.stdout) if done.returncode == 0 else []
        if len(answers) != len(model.questions):
            wrong += 1
            print(f"{build.__name__}: {len(answers)} answers, expected {len(model.questions)}; {done.stderr}")
            continue
        weights = model.weights()
        for question, answer in zip(model.questions, answers):
            if fault := faultOf(model, weights, question, answer):
                wrong += 1
                print(f"{build.__name__}: {answer['query']}: {fault}")
    print(f"{len(models)} models, {wrong} wrong")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
