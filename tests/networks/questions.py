"""The questions to mpfc within limits: single questions, and lists of cases, swept params and bundles
of both. This file also reads and compares their answers."""
import csv
import json
import os
import random
import subprocess
import sys
from dataclasses import dataclass

from measured_run import instanceOptions, instances

CLOSE = 1e-9  # tolerance for the rounding of other orders and engines
MADE = [("grid", "11", "11"), ("random", "40", "90"), ("chain", "3000"), ("clique", "18"), ("clique", "24"),
        ("csp", "30", "4", "60"), ("star", "2000")]
# The number of rows of a list over each of these networks; the first variables are observed. Lists with
# many columns of answers have fewer rows.
LISTED = {"grid_11_11": 4000, "random_40_90": 5000, "chain_3000": 200, "clique_18": 500,
          "csp_30_4_60": 3000, "star_2000": 500}
OBSERVED = 10
SWEPT = """param theta in linspace(0.05, 0.95, 2000)
var x[400] : 2
for i in 0..399: factor f(x[i], x[i+1]) = [[1 - theta, theta], [theta, 1 - theta]]
query evidence
"""


def areClose(x, y):
    return x == y or abs(x - y) <= CLOSE * max(1, abs(x))


@dataclass
class Question:
    """The options of `mpfc run` for a question, and the functions that read its answer."""
    name: str
    options: list
    answerOption = "--json"
    answerName = "out.json"
    isList = False

    def read(self, path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)[0]

    def promised(self, answer):
        """Returns the bytes of its tables; 0 if the answer does not contain them."""
        return answer["peak_bytes"]

    def differs(self, a, b):
        """Returns the first difference of two answers, or None."""
        first, second = a.get("log10"), b.get("log10")
        bothNumbers = isinstance(first, float) and isinstance(second, float)
        if not (areClose(first, second) if bothNumbers else first == second):
            return f"log10 {second}, not {first}"
        tables = {table["name"]: table for table in b["tables"]}
        for table in a["tables"]:
            x, y = table.get("values"), tables[table["name"]].get("values")
            if table.get("normalised") and x and max(abs(p - q) for p, q in zip(x, y)) > CLOSE:
                return f"{table['name']} differs"
        return None


class ListQuestion(Question):
    answerOption = "-o"
    answerName = "out.csv"
    isList = True

    def read(self, path):
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.reader(file))

    def promised(self, answer):
        return 0

    def differs(self, a, b):
        if len(a) != len(b):
            return f"{len(b)} rows, not {len(a)}"
        for number, (row, other) in enumerate(zip(a, b)):
            if row != other and not all(map(self.sameCell, row, other)):
                return f"row {number} differs"
        return None

    @staticmethod
    def sameCell(cell, other):
        if cell == other:
            return True
        try:
            return areClose(float(cell), float(other))
        except ValueError:
            return False


def writeList(path, rows, extent):
    draw = random.Random(rows)
    with open(path, "w", encoding="utf-8") as file:
        file.write(",".join(f"x{i}" for i in range(OBSERVED)) + "\n")
        for _ in range(rows):
            file.write(",".join(draw.choice(("", str(draw.randrange(extent))))
                                for _ in range(OBSERVED)) + "\n")


def listQuestions(mpfc, folder):
    """Returns questions with lists over networks of makeNetworks, for models and for bundles."""
    found = []
    for name, rows in LISTED.items():
        model, cases = (os.path.join(folder, name + end) for end in (".uai", ".csv"))
        writeList(cases, rows, 4 if "csp" in name else 2)
        for task in ("PR", "MAR", "MPE"):
            listed = [model, "--cases", cases, "--evidence", "none", "--task", task]
            found.append(ListQuestion(f"{name} {task} of {rows} cases", [*listed, "--device", "cpu"]))
            bundle = os.path.join(folder, f"{name}_{task}.mpfb")
            subprocess.run([mpfc, "build", *listed, "-o", bundle], check=True)
            found.append(ListQuestion(f"bundle of {name} {task}, {rows} cases",
                                      [bundle, "--cases", cases, "--device", "cpu"]))
        if "clique" not in name:  # tables over a variable for the cases
            found.append(ListQuestion(f"{name} PR of {rows} cases, checked",
                                      [model, "--cases", cases, "--evidence", "none", "--task", "PR",
                                       "--device", "cpu", "--verify"]))
    swept = os.path.join(folder, "swept.mpf")
    with open(swept, "w", encoding="utf-8") as file:
        file.write(SWEPT)
    return [*found, ListQuestion("chain of 400, swept", [swept, "--device", "cpu"])]


def makeNetworks(folder):
    """Makes the networks of MADE. Returns their paths."""
    here = os.path.dirname(os.path.abspath(__file__))
    paths = []
    for kind in MADE:
        paths.append(os.path.join(folder, "_".join(kind) + ".uai"))
        subprocess.run([sys.executable, os.path.join(here, "make_network.py"), *kind,
                        "-o", paths[-1]], check=True)
    return paths


def questions(data, maxWork, folder):
    """Returns single questions about networks made here, and about the published ones in `data`."""
    found = [Question(f"{os.path.basename(path)} {task}",
                      [path, "--task", task, "--evidence", "none", "--device", "cpu"])
             for path in makeNetworks(folder) for task in ("PR", "MAR", "MPE")]
    for name, entry in instances(data) if data else []:
        if entry["best_order_found"]["log2_sum_cliques"] <= maxWork:
            found += [Question(f"{name} {task}",
                               [*instanceOptions(data, entry, task), "--device", "cpu"])
                      for task in ("PR", "MAR")]
    return found
