#!/usr/bin/env python3
"""Answers the rows of a list of cases with other programs, and compares answers and rows per second.

    case_peers.py rows MODEL.bif ROWS.csv --rows 1000000     # draws rows from the network
    case_peers.py run MODEL.bif ROWS.csv --mpfc build/tools/mpfc/mpfc [--seconds 10] [--task PR|MAR]

`run` times whole processes of `mpfc run` over all rows (reading, planning and writing included), and
each peer row by row for some seconds, without its reading of the model. Every answer of a peer is
compared with mpfc's. Peers, where they can be imported:
  pyagrum   LazyPropagation: one engine, its evidence changed from row to row
  pgmpy     VariableElimination (marginals only)
"""
import argparse
import csv
import json
import math
import os
import random
import subprocess
import sys
import tempfile
import time

TOLERANCE = 1e-6  # of logarithms and posteriors: pyAgrum reads the numbers of a BIF file as floats


def parseArguments():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    rows = commands.add_parser("rows")
    run = commands.add_parser("run")
    for command in (rows, run):
        command.add_argument("model")
        command.add_argument("rows")
    rows.add_argument("--rows", dest="count", type=int, default=1000)
    rows.add_argument("--observed", type=float, default=0.2, help="share of the cells")
    rows.add_argument("--seed", type=int, default=1)
    run.add_argument("--mpfc", default="mpfc")
    run.add_argument("--task", choices=("PR", "MAR"), default="PR")
    run.add_argument("--seconds", type=float, default=10, help="of each peer")
    run.add_argument("--repeats", type=int, default=3, help="of mpfc")
    run.add_argument("--options", default="--device cpu", help="of mpfc")
    run.add_argument("--peers", default="pyagrum,pgmpy")
    run.add_argument("--json", help="file for the figures")
    return parser.parse_args()


def readNetwork(path):
    import pyagrum
    return pyagrum.loadBN(path)


def drawRows(arguments):
    """Each row: one draw of all variables, of which a share is kept."""
    bn = readNetwork(arguments.model)
    names = [bn.variable(node).name() for node in bn.topologicalOrder()]
    tables = {}
    for name in names:
        cpt = bn.cpt(name)
        parents = list(cpt.names)[1:]
        labels = [bn.variable(name).label(i) for i in range(bn.variable(name).domainSize())]
        tables[name] = parents, labels, cpt
    chance = random.Random(arguments.seed)
    weights = {}
    with open(arguments.rows, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(names)
        for _ in range(arguments.count):
            state = {}
            for name in names:
                parents, labels, cpt = tables[name]
                key = name, tuple(state[p] for p in parents)
                if key not in weights:
                    weights[key] = cpt[{p: state[p] for p in parents}].tolist()
                state[name] = chance.choices(labels, weights[key])[0]
            writer.writerow([state[n] if chance.random() < arguments.observed else "" for n in names])


def runMpfc(arguments):
    """(seconds of the fastest process, header, rows of answers)."""
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "answers.csv")
        command = [arguments.mpfc, "run", arguments.model, "--task", arguments.task, "--cases",
                   arguments.rows, "-o", out, *arguments.options.split()]
        best = math.inf
        for _ in range(arguments.repeats):
            started = time.monotonic()
            subprocess.run(command, check=True)
            best = min(best, time.monotonic() - started)
        with open(out, newline="") as file:
            rows = list(csv.reader(file))
        return best, rows[0], rows[1:]


class PyAgrum:
    def __init__(self, model, task):
        import pyagrum
        self.bn, self.task, self.gum = pyagrum.loadBN(model), task, pyagrum
        self.engine = pyagrum.LazyPropagation(self.bn)
        if task == "PR":  # one target is enough for the probability of the evidence
            self.engine.setTargets({self.bn.variable(0).name()})

    def answer(self, evidence, columns):
        self.engine.setEvidence(evidence)
        try:
            self.engine.makeInference()
            found = {"ln(evidence)": math.log(self.engine.evidenceProbability())}
        except (self.gum.IncompatibleEvidence, ValueError):
            return {"ln(evidence)": -math.inf}
        if self.task == "MAR":
            for name in self.bn.names():
                posterior = self.engine.posterior(name)
                variable = self.bn.variable(name)
                for i in range(variable.domainSize()):
                    found[f"P({name}={variable.label(i)})"] = posterior[i]
        return {c: found[c] for c in columns if c in found}


class Pgmpy:
    def __init__(self, model, task):
        if task != "MAR":
            raise ImportError("answers no probability of evidence")
        from pgmpy.inference import VariableElimination
        from pgmpy.readwrite import BIFReader
        self.model = BIFReader(model).get_model()
        self.engine = VariableElimination(self.model)

    def answer(self, evidence, columns):
        free = [n for n in self.model.nodes() if n not in evidence]
        found = {}
        for name, factor in self.engine.query(free, evidence=evidence, joint=False,
                                              show_progress=False).items():
            for i, label in enumerate(factor.state_names[name]):
                found[f"P({name}={label})"] = factor.values[i]
        return {c: found[c] for c in columns if c in found}


PEERS = {"pyagrum": PyAgrum, "pgmpy": Pgmpy}


def differs(a, b):
    return a != b and not abs(a - b) <= TOLERANCE * max(1, abs(b))


def runPeer(name, arguments, evidence, columns, answers):
    """(rows answered, seconds, rows with another answer)."""
    peer = PEERS[name](arguments.model, arguments.task)
    started, wrong, done = time.monotonic(), 0, 0
    for row, expected in zip(evidence, answers):
        found = peer.answer(row, columns)
        done += 1
        for column, value in zip(columns, expected):
            if column in found and value != "" and differs(found[column], float(value)):
                wrong += 1
                break
        if time.monotonic() - started > arguments.seconds:
            break
    return done, time.monotonic() - started, wrong


def runAll(arguments):
    with open(arguments.rows, newline="") as file:
        evidence = [{n: v for n, v in row.items() if v} for row in csv.DictReader(file)]
    seconds, columns, answers = runMpfc(arguments)
    if len(answers) != len(evidence):
        sys.exit(f"{len(evidence)} rows, {len(answers)} answers")
    figures = {"model": arguments.model, "task": arguments.task, "rows": len(evidence),
               "mpfc": len(evidence) / seconds}
    print(f"{arguments.model} {arguments.task}, {len(evidence)} rows")
    print(f"  mpfc     {len(evidence) / seconds:12.0f} rows/s, whole process {seconds:.3f} s")
    failed = False
    for name in arguments.peers.split(","):
        try:
            done, took, wrong = runPeer(name, arguments, evidence, columns, answers)
        except ImportError as problem:
            print(f"  {name:8} not run: {problem}")
            continue
        figures[name] = done / took
        failed |= wrong != 0
        print(f"  {name:8} {done / took:12.1f} rows/s, {done} rows, {wrong} with another answer; "
              f"mpfc is {figures['mpfc'] / figures[name]:.0f} times as fast")
    if arguments.json:
        with open(arguments.json, "a", encoding="utf-8") as file:
            file.write(json.dumps(figures) + "\n")
    return 1 if failed else 0


if __name__ == "__main__":
    given = parseArguments()
    sys.exit(drawRows(given) if given.command == "rows" else runAll(given))
