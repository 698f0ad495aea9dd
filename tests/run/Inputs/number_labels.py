"""usage: number_labels.py MPFC FOLDER COUNT SEED

Asks random networks whose labels are numbers, in any order, for posteriors. A number says what is observed, in
.mpf, BIF, a CSV list, a .npy list and an evidence file. Each answer is compared with exact fractions: it is that
of the one state that the label and the place of the number agree on, or there is none.
"""
import itertools
import math
import os
import random
import sys
from fractions import Fraction

import npy
from trial_runs import TrialRuns

KINDS = [["1", "2"], ["0", "1", "2"], ["1", "0"], ["-1", "0", "1"], ["01", "1"]]
NUMBERS = ["-1", "0", "1", "2", "3", "01", "1.0"]
READINGS = [None, "labels", "numbers"]


class Network:
    def __init__(self, rng):
        count = rng.randint(2, 4)
        self.names = [f"v{v}" for v in range(count)]
        self.labels = [rng.sample(kind, len(kind)) for kind in rng.choices(KINDS, k=count)]
        self.parents = [sorted(rng.sample(range(v), rng.randint(0, min(v, 2)))) for v in range(count)]
        self.rows = []
        for v, parents in enumerate(self.parents):
            keys = itertools.product(*(range(len(self.labels[p])) for p in parents))
            self.rows.append({key: self.row(rng, len(self.labels[v])) for key in keys})

    @staticmethod
    def row(rng, states):
        """Entries are multiples of 1/64, so that their texts are exact."""
        cuts = sorted(rng.sample(range(1, 64), states - 1))
        return [Fraction(b - a, 64) for a, b in zip([0, *cuts], [*cuts, 64])]

    def bif(self):
        text = "network n { }\n"
        for name, labels in zip(self.names, self.labels):
            text += f"variable {name} {{ type discrete [{len(labels)}] {{ {', '.join(labels)} }}; }}\n"
        for v, (name, parents) in enumerate(zip(self.names, self.parents)):
            given = " | " + ", ".join(self.names[p] for p in parents) if parents else ""
            text += f"probability ( {name}{given} ) {{\n"
            for key, row in self.rows[v].items():
                states = ", ".join(self.labels[p][state] for p, state in zip(parents, key))
                start = f"({states})" if parents else "table"
                text += f"  {start} {', '.join(str(float(entry)) for entry in row)};\n"
            text += "}\n"
        return text

    def mpf(self):
        text = ""
        for name, labels in zip(self.names, self.labels):
            text += f"var {name} : {{ " + ", ".join(f'"{label}"' for label in labels) + " }\n"
        for v, (name, parents) in enumerate(zip(self.names, self.parents)):
            given = " | " + ", ".join(self.names[p] for p in parents) if parents else ""
            entries = [str(float(entry)) for row in self.rows[v].values() for entry in row]
            text += f"prob P({name}{given}) = [{', '.join(entries)}]\n"
        return text

    def posterior(self, asked, observed):
        """The shares of the states of a variable, given states of others."""
        sums = [Fraction(0)] * len(self.labels[asked])
        for states in itertools.product(*(range(len(labels)) for labels in self.labels)):
            if all(states[v] == state for v, state in observed.items()):
                sums[states[asked]] += math.prod(
                    rows[tuple(states[p] for p in parents)][states[v]]
                    for v, (rows, parents) in enumerate(zip(self.rows, self.parents)))
        return [float(one / sum(sums)) for one in sums]


def arePlaces(labels):
    """Whether each label is the number of its own place."""
    return labels == [str(i) for i in range(len(labels))]


def stateOf(labels, number, reading, isText):
    """The state that a number means; None: it is refused. `isText`: its spelling is known."""
    same = [i for i, label in enumerate(labels) if float(label) == float(number)]
    byLabel = labels.index(number) if isText and number in labels else same[0] if len(same) == 1 else None
    place = float(number)
    byPlace = int(place) if place in range(len(labels)) else None
    if reading is None:
        return byLabel if byLabel == byPlace else None
    return byPlace if reading == "numbers" or arePlaces(labels) else byLabel


class Trial:
    def __init__(self, runs, rng):
        self.runs, self.rng, self.network = runs, rng, Network(rng)
        self.observed, self.asked = rng.sample(range(len(self.network.names)), 2)
        self.labels = self.network.labels[self.observed]
        self.bif = runs.file("m.bif", self.network.bif())
        self.query = f"P({self.network.names[self.asked]})"

    def check(self, what, shares, state):
        """`shares`: those of an answer, None: it was refused. `state`: what the number means."""
        if shares is None and state is None:
            return
        wanted = self.network.posterior(self.asked, {} if state == "none" else {self.observed: state})
        if state is None or shares is None or any(abs(a - b) > 1e-9 for a, b in zip(shares, wanted, strict=True)):
            sys.exit(f"{self.network.bif()}{what}: {shares}, wanted state {state}: {wanted}")

    def single(self, what, state, *arguments):
        code, out, err = self.runs.run(*arguments, "--query", self.query)
        if code not in (0, 1):
            sys.exit(f"{what}: exit code {code}: {err}")
        line = next((line for line in out.splitlines() if line.startswith(self.query)), "")
        shares = [float(word) for word in line.split(":", 1)[1].split()[1::2]] if code == 0 else None
        self.check(f"{what} {err}", shares, state)

    def listed(self, what, states, *arguments):
        code, out, err = self.runs.run(self.bif, "--query", self.query, "--on-error", "skip", *arguments)
        if code != 0:
            sys.exit(f"{what}: exit code {code}: {err}")
        for number, state, line in zip(NUMBERS, states, out.splitlines()[1:], strict=True):
            cells = line.split(",")
            self.check(f"{what} {number}", None if "" in cells else list(map(float, cells)), state)

    def run(self):
        name = self.network.names[self.observed]
        number = self.rng.choice(NUMBERS)
        # --states is an error where no label is another number than that of its place.
        reading = None if all(map(arePlaces, self.network.labels)) else self.rng.choice(READINGS)
        options = ["--states", reading] if reading else []
        state = stateOf(self.labels, number, None, True)
        model = self.runs.file("m.mpf", self.network.mpf() + f"observe {name} = {number}\n")
        self.single(f".mpf {name} = {number}", state, model)
        self.single(f".bif {name} = {number}", state, self.bif, "--observe", f"{name} = {number}")
        label = self.rng.randrange(len(self.labels))
        self.single(f'"{self.labels[label]}"', label, self.bif, "--observe", f'{name} = "{self.labels[label]}"')
        cells = self.runs.file("rows.csv", "\n".join([name, *NUMBERS]) + "\n")
        self.listed(f"CSV {reading}", [stateOf(self.labels, n, reading, True) for n in NUMBERS],
                    "--cases", cells, *options)
        self.npy(reading, options)
        digits = self.rng.choice([n for n in NUMBERS if n.isdigit()])
        seen = self.runs.file("m.evid", f"1 {self.observed} {digits}\n")
        self.single(f"evidence {reading} {digits}", stateOf(self.labels, digits, reading, True), self.bif,
                    "--evidence", seen, *options)

    def npy(self, reading, options):
        """A negative number means not observed, unless some label is negative."""
        isNone = [float(n) < 0 and "-1" not in self.labels for n in NUMBERS]
        states = ["none" if none else stateOf(self.labels, n, reading, False)
                  for n, none in zip(NUMBERS, isNone)]
        count = len(self.network.names)
        rows = [",".join(n if v == self.observed else "" for v in range(count)) for n in NUMBERS]
        path = os.path.join(self.runs.folder, "rows.npy")
        npy.write(path, "<f8", rows)
        self.listed(f".npy {reading}", states, "--cases", path, *options)


runs, count, seed = TrialRuns(sys.argv[1], sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
for trial in range(count):
    Trial(runs, random.Random(seed + trial)).run()
print(f"{count} networks of one reading")
